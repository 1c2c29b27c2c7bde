//! What must be known before a call can be judged, as data.

use ipnet::IpNet;

/// What is to be found out before a call can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs<'a> {
    /// Nothing.
    Nothing,
    /// The addresses of this name.
    Addresses(&'a str),
    /// The network that this machine is on.
    OwnNetwork,
}

/// What came of looking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The name that was looked up; they hold for no other.
    pub name: Option<String>,
    /// Every address of the name, as the system's resolver gives them.
    pub addresses: Vec<String>,
    /// How the look-up of a name ended.
    pub look_up: LookUp,
    /// The network that this machine is on, at most a /24.
    pub lan: Option<IpNet>,
}

/// How a look-up ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookUp {
    /// There was no name to look up.
    #[default]
    None,
    /// It gave addresses.
    Found,
    /// It gave none.
    Nothing,
    /// It took too long.
    TimedOut,
    /// It could not be made.
    Failed,
}
