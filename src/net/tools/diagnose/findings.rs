//! What was found about one address: what each check saw, before anything is concluded.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use super::resolving::Resolving;
use nix::errno::Errno;

use crate::address::literal::Literal;
use crate::net::connect::{Answer, Attempt, Greeting, Icmp};
use crate::net::parse::curl::Request;
use crate::net::parse::ip::Neighbour;
use crate::net::parse::nft::Verdict;
use crate::net::parse::ping::Ping;
use crate::net::parse::traceroute::Hop;
use crate::net::tools::way::Way;

/// All findings about one address.
#[derive(Debug)]
pub struct Findings {
    /// The name that was asked for.
    pub name: Option<String>,
    /// The address that was checked.
    pub address: String,
    /// The same as a value.
    pub ip: IpAddr,
    /// The port that was asked for.
    pub asked: Option<u16>,
    /// The other addresses of the name.
    pub others: Vec<String>,
    /// This machine's own addresses.
    pub own: Vec<IpAddr>,
    /// The way there, as this machine's kernel sees it.
    pub way: Option<Way>,
    /// Addresses of the name that this machine cannot send to, and why.
    pub stuck: Vec<(String, String)>,
    /// The machine that packets go to first, as the kernel knows it after all checks.
    pub neighbour: Option<Neighbour>,
    /// Whether that machine answers when it is asked by ARP now; `None`: it was not asked.
    pub arp: Option<bool>,
    /// Echo requests and their answers.
    pub ping: Option<Ping>,
    /// Ten further ones, where some of the first were lost.
    pub pings: Option<Ping>,
    /// Why nothing is known of ping, in words.
    pub no_ping: Option<String>,
    /// The hops on the route; `None`: traceroute did not run.
    pub hops: Option<Vec<Hop>>,
    /// The address's own ports, the one that matters first.
    pub ports: Vec<Attempt>,
    /// The ports of the other addresses.
    pub beside: Vec<Attempt>,
    /// What the port said.
    pub heard: Heard,
    /// Further connections to the open port, where packets seem to be lost.
    pub again: Vec<Attempt>,
    /// Packets that may not be divided: their sizes in bytes, and whether they were answered.
    pub sizes: Vec<(u32, bool)>,
    /// How names are resolved here.
    pub resolving: Resolving,
    /// What this machine's own firewall does with the packets out, and with the answers.
    pub firewall: (Option<Verdict>, Option<Verdict>),
    /// Where the port is listened on, for this machine's own address.
    pub listeners: Vec<String>,
    /// The hardware address of another machine that has this machine's own address too.
    pub twin: Option<String>,
    /// The proxy of the environment.
    pub proxy: Option<Proxy>,
}

/// What the open port said.
#[derive(Debug, Default)]
pub struct Heard {
    /// `HTTP` or `HTTPS`, where a request was made.
    pub scheme: Option<&'static str>,
    /// The result of the request.
    pub request: Option<Request>,
    /// The same without a check of the certificate.
    pub unchecked: Option<Request>,
    /// The result of a plain request to a port of HTTPS, or of a request to a port of something else.
    pub plain: Option<Request>,
    /// What the port says by itself.
    pub greeting: Option<Greeting>,
    /// Why no request was made, in words.
    pub missing: Option<String>,
}

/// The proxy that the environment names for the request.
#[derive(Debug)]
pub struct Proxy {
    /// The variable.
    pub variable: String,
    /// Host and port, without a password.
    pub at: String,
    /// The attempt to connect; `None`: its name has no address, or nobody tried.
    pub attempt: Option<Attempt>,
    /// Whether it is public, and so was not tried.
    pub foreign: bool,
    /// The result of a request by way of it.
    pub request: Option<Request>,
}

impl Findings {
    /// Findings about `address`, which has been asked nothing yet.
    pub fn about(name: Option<&str>, address: &str, asked: Option<u16>) -> Self {
        let ip = Literal::read(address).map(|one| one.address);
        Self {
            name: name.map(str::to_owned),
            address: address.to_owned(),
            ip: ip.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            asked,
            others: Vec::new(),
            own: Vec::new(),
            way: None,
            stuck: Vec::new(),
            neighbour: None,
            arp: None,
            ping: None,
            pings: None,
            no_ping: None,
            hops: None,
            ports: Vec::new(),
            beside: Vec::new(),
            heard: Heard::default(),
            again: Vec::new(),
            sizes: Vec::new(),
            resolving: Resolving::default(),
            firewall: (None, None),
            listeners: Vec::new(),
            twin: None,
            proxy: None,
        }
    }

    /// The host in words.
    pub fn who(&self) -> String {
        match &self.name {
            Some(name) => match self.resolving.completed(name, self.ip) {
                Some(full) => format!(
                    "{name} ({}, which DNS has as {full} by the search list of /etc/resolv.conf)",
                    self.address
                ),
                None => format!("{name} ({})", self.address),
            },
            None => self.address.clone(),
        }
    }

    /// The attempt at the port that matters: the one that was asked for, or else the first open one.
    pub fn port(&self) -> Option<&Attempt> {
        let first = self.ports.first()?;
        if self.asked.is_some() {
            return Some(first);
        }
        let open = self.ports.iter().find(|one| one.answer == Answer::Open);
        Some(open.unwrap_or(first))
    }

    /// Whether the port that matters is open.
    pub fn open(&self) -> bool {
        self.port().is_some_and(|one| one.answer == Answer::Open)
    }

    /// Whether ping was answered at all.
    pub fn pinged(&self) -> bool {
        self.ping.as_ref().is_some_and(|ping| ping.received > 0)
    }

    /// Whether the address itself answered anything.
    pub fn alive(&self) -> bool {
        let errors = self.ping.iter().flat_map(|ping| &ping.errors);
        self.pinged()
            || errors.clone().any(|(by, _)| by.parse() == Ok(self.ip))
            || self.ports.iter().any(|one| match one.answer {
                Answer::Open | Answer::Reset => true,
                Answer::Icmp(_, by) => by == self.ip,
                _ => false,
            })
    }

    /// Whether `by` is this machine itself, and the host is another one.
    pub fn here(&self, by: &IpAddr) -> bool {
        !self.way.as_ref().is_some_and(|way| way.own) && self.own.contains(by)
    }

    /// The ICMP error that tells why the port cannot be reached, and who sent it; never one of this machine itself.
    ///
    /// It is the answer to the connection.  Where no answer came to the connection, what was said to ping and traceroute counts as
    /// far as it holds for all packets: nobody is there, or there is no way.
    pub fn icmp(&self) -> Option<(Icmp, IpAddr)> {
        let of_port = self.port().and_then(|one| match one.answer {
            Answer::Icmp(icmp, by) if !self.here(&by) => Some((icmp, by)),
            _ => None,
        });
        let of_all = || {
            let mut all = self.said_beside().into_iter();
            let found = all.find(|(_, icmp, _)| {
                matches!(
                    icmp,
                    Icmp::HostUnreachable | Icmp::NetUnreachable | Icmp::TimeExceeded
                )
            });
            found.map(|(_, icmp, by)| (icmp, by))
        };
        of_port.or_else(of_all)
    }

    /// What was said to `ping` and to `traceroute`, by ICMP errors of others, where the connection got no answer.
    pub fn said_beside(&self) -> Vec<(&'static str, Icmp, IpAddr)> {
        let unanswered = self
            .port()
            .is_none_or(|one| matches!(one.answer, Answer::Silence | Answer::NotSent(_)));
        if !unanswered {
            return Vec::new();
        }
        let ping = self.ping.as_ref().filter(|ping| ping.received == 0);
        let errors = ping.into_iter().flat_map(|ping| &ping.errors);
        let of_ping = errors
            .filter_map(|(by, error)| Some(("ping", said(error)?, by.parse::<IpAddr>().ok()?)));
        let hops = self.hops.iter().flatten();
        let of_route = hops.filter_map(|hop| Some(("traceroute", said(hop.note?)?, hop.address?)));
        of_ping
            .chain(of_route)
            .filter(|(_, _, by)| !self.here(by) && *by != self.ip)
            .collect()
    }

    /// Whether this machine itself says that nobody has the address on its link.
    pub fn own_unreachable(&self) -> bool {
        let by_ping = || {
            let ping = self.ping.as_ref().filter(|ping| ping.received == 0);
            let mut errors = ping.into_iter().flat_map(|ping| &ping.errors);
            errors.any(|(by, error)| {
                said(error) == Some(Icmp::HostUnreachable)
                    && by.parse().is_ok_and(|by| self.own.contains(&by))
            })
        };
        let own = self.way.as_ref().is_some_and(|way| way.own);
        // A neighbour that is there was not asked for in vain: then a firewall says so.
        let there = self.neighbour.as_ref().is_some_and(|one| {
            matches!(
                one.state.as_str(),
                "REACHABLE" | "STALE" | "DELAY" | "PERMANENT"
            )
        });
        !own && !self.alive()
            && self.arp != Some(true)
            && !there
            && (by_ping()
                || self.ports.iter().any(|one| match one.answer {
                    Answer::Icmp(Icmp::HostUnreachable, by) => self.own.contains(&by),
                    Answer::NotSent(error) => error == Errno::EHOSTUNREACH,
                    _ => false,
                }))
    }

    /// Whether the machine that packets go to first does not answer for its hardware address.
    pub fn neighbour_silent(&self) -> bool {
        let failed = || {
            let state = self.neighbour.as_ref().map(|one| one.state.as_str());
            matches!(state, Some("FAILED" | "INCOMPLETE"))
        };
        let silent = self.arp.map_or_else(failed, |answers| !answers);
        silent && !self.alive() && self.answering_hops().next().is_none() || self.own_unreachable()
    }

    /// Whether the machine that packets go to first was heard of during the checks.
    pub fn neighbour_answers(&self) -> bool {
        /// The checks before the kernel is asked take about three seconds.
        const DURING: u64 = 2;
        let confirmed = self.neighbour.as_ref().and_then(|one| one.confirmed);
        self.arp
            .unwrap_or_else(|| confirmed.is_some_and(|ago| ago <= DURING))
    }

    /// The hops that answered, without this machine itself.
    pub fn answering_hops(&self) -> impl Iterator<Item = (u8, IpAddr)> + '_ {
        self.hops.iter().flatten().filter_map(|hop| {
            let at = hop.address?;
            (!self.own.contains(&at) || at == self.ip).then_some((hop.number, at))
        })
    }

    /// Two routers that send the packets to each other.
    pub fn looped(&self) -> Option<(IpAddr, IpAddr)> {
        let hops: Vec<(u8, IpAddr)> = self.answering_hops().collect();
        let again = hops.windows(3).find(|three| {
            three[0].1 == three[2].1 && three[0].1 != three[1].1 && three[0].1 != self.ip
        })?;
        (hops.len() >= 6).then_some((again[0].1, again[1].1))
    }

    /// Whether nothing came out of the port: it was connected to, and the answer to a request never came.
    pub fn stalled(&self) -> bool {
        /// curl(1): "Operation timeout".
        const TIMED_OUT: u64 = 28;
        let request = self.heard.request.as_ref();
        self.open()
            && (request.is_some_and(|one| one.exit == TIMED_OUT)
                || request.is_none() && self.heard.greeting == Some(Greeting::Silent))
    }

    /// The mean round trip of ping.
    pub fn round_trip(&self) -> Option<Duration> {
        let (_, mean, _) = self.pings.as_ref().or(self.ping.as_ref())?.times?;
        Some(Duration::from_secs_f64(mean.max(0.0) / 1e3))
    }
}

/// The meaning of the words of ping and traceroute for an ICMP error.
fn said(words: &str) -> Option<Icmp> {
    const MEANINGS: &[(&str, Icmp)] = &[
        ("net unreachable", Icmp::NetUnreachable),
        ("network unreachable", Icmp::NetUnreachable),
        ("no route", Icmp::NetUnreachable),
        ("host unreachable", Icmp::HostUnreachable),
        ("address unreachable", Icmp::HostUnreachable),
        ("port unreachable", Icmp::PortUnreachable),
        ("prohibited", Icmp::Prohibited),
        ("filtered", Icmp::Prohibited),
        ("time to live exceeded", Icmp::TimeExceeded),
        ("hop limit", Icmp::TimeExceeded),
    ];
    let words = words.to_ascii_lowercase();
    let known = MEANINGS.iter().find(|(text, _)| words.contains(text));
    known.map(|(_, icmp)| *icmp)
}
