//! The facts that must be known before a call can be judged, as data.

use std::time::Duration;

use ipnet::IpNet;

/// The facts that a call needs before it can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs<'a> {
    /// Nothing.
    Nothing,
    /// The addresses of this name.
    Addresses(&'a str),
    /// The network that this machine is on, and its router.
    OwnNetwork,
    /// The router alone, where ip(8) is there to tell it.
    Router,
}

/// The facts that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The name that was looked up; the addresses hold for no other name.
    pub name: Option<String>,
    /// Every address of the name, as the system's resolver gives them.
    pub addresses: Vec<String>,
    /// How the look-up of a name ended.
    pub look_up: LookUp,
    /// How this machine resolves names; for a call about a name alone.
    pub resolver: Resolver,
    /// The network that this machine is on, cut to a /24 or smaller.
    pub lan: Option<IpNet>,
    /// The hardware address of the router that leads outside: it tells this network from another one with the same addresses.
    pub router: Option<String>,
}

/// How this machine resolves names, and how long it took for the name of the call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolver {
    /// How long the system's own look-up took.
    pub took: Duration,
    /// The DNS servers of /etc/resolv.conf that glibc asks, at most three; `None`: the file cannot be read.  Those that a stub
    /// resolver asks are not among them: it knows which of them may see which name.
    pub servers: Option<Vec<String>>,
    /// The domains that are appended to a short name.
    pub search: Vec<String>,
    /// A name with fewer dots than this is asked for with the first domain first (resolv.conf(5), `ndots`).
    pub ndots: usize,
    /// The addresses that /etc/hosts gives for the name.
    pub hosts: Vec<String>,
    /// The sources of names in /etc/nsswitch.conf, if they have no DNS among them.
    pub without_dns: Option<String>,
}

/// How a look-up ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookUp {
    /// There was no name to look up.
    #[default]
    None,
    /// The look-up gave addresses.
    Found,
    /// The look-up gave no address.
    Nothing,
    /// The look-up took too long.
    TimedOut,
    /// The look-up could not be made.
    Failed,
}
