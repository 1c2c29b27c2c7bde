//! How names are resolved here: what each configured DNS server says of a name, and what the system's own look-up made of it.

use std::net::IpAddr;
use std::time::Duration;

use crate::address::ranges::{self, Kind};
use crate::net::commands;
use crate::net::facts::Resolver;
use crate::net::parse::dig::{self, Data, ServerTrouble};
use crate::net::parse::{Outside, Unreadable};
use crate::net::step::Step;
use crate::net::step_runner::StepResult;
use crate::net::tools::words::{and, err, name as plain, out};

/// How a name was resolved.
#[derive(Debug, Default)]
pub struct Resolving {
    /// What is configured, and how long the system's own look-up took.
    pub resolver: Resolver,
    /// What each server says.
    pub servers: Vec<Server>,
}

/// What one server says of the name.
#[derive(Debug)]
pub struct Server {
    /// Its address.
    pub at: String,
    /// The answers for A and AAAA.
    pub answers: [Said; 2],
    /// The longer of its times, in milliseconds.
    pub took: Option<u32>,
    /// The state of the neighbour that packets to it go to first, if it does not answer and that is known.
    pub neighbour: Option<String>,
    /// The router that packets to it go to first, if it does not answer and that is known; `None`: it is on the link.
    pub via: Option<String>,
}

/// Whether the address is one of this machine's loopback, where a stub resolver listens that asks others.
pub fn here(at: &str) -> bool {
    at.parse::<IpAddr>().is_ok_and(|at| at.is_loopback())
}

/// The answer of a server.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    Addresses(Vec<IpAddr>),
    /// The name exists and has no such address.
    NoData,
    /// There is no such name.
    NoName,
    /// The name is an alias of another name, which does not exist or has no address.
    Dangling(Outside, &'static str),
    /// The name is an alias of itself, by way of another name.
    Circle(Outside),
    /// `SERVFAIL`, `REFUSED`, …
    Status(String),
    /// No answer; `true`: over TCP, since the answer over UDP was cut.
    Nothing(ServerTrouble, bool),
    /// It was not asked, or nobody knows what dig says.
    Unknown,
}

/// The name under which glibc asks first for `name`: it appends a domain to a name with fewer dots than the option `ndots` says
/// (resolv.conf(5), `search` and `ndots`).
pub fn asked(name: &str, resolver: &Resolver) -> String {
    let dots = name.bytes().filter(|byte| *byte == b'.').count();
    match resolver.search.first() {
        Some(domain) if dots < resolver.ndots && !name.ends_with('.') => {
            format!("{name}.{}", domain.trim_end_matches('.'))
        }
        _ => name.to_owned(),
    }
}

/// The steps that ask each server for both kinds of addresses of `name`.
pub fn steps(name: &str, resolver: &Resolver) -> Vec<Step> {
    let name = asked(name, resolver);
    let servers = resolver.servers.iter().flatten();
    servers
        .flat_map(|at| ["A", "AAAA"].map(|kind| commands::ask(at, &name, kind)))
        .collect()
}

/// The answers to [`steps`].
pub fn read(resolver: &Resolver, answers: &[StepResult]) -> Resolving {
    let servers = resolver.servers.iter().flatten().zip(answers.chunks(2));
    let servers = servers.filter_map(|(at, both)| {
        let [a, aaaa] = both else {
            return None;
        };
        let (a, aaaa) = (said(a), said(aaaa));
        Some(Server {
            at: at.clone(),
            took: a.1.max(aaaa.1),
            answers: [a.0, aaaa.0],
            neighbour: None,
            via: None,
        })
    });
    Resolving {
        servers: servers.collect(),
        resolver: resolver.clone(),
    }
}

fn said(answer: &StepResult) -> (Said, Option<u32>) {
    let Ok(captured) = answer else {
        return (Said::Unknown, None);
    };
    let reply: Result<dig::Reply, Unreadable> = dig::read(&out(captured));
    let Ok(reply) = reply else {
        // The kernel refused to send: dig says so on standard error alone.
        let forbidden = err(captured).contains("permi");
        let trouble = if forbidden {
            ServerTrouble::Forbidden
        } else {
            ServerTrouble::Other
        };
        return (Said::Nothing(trouble, false), None);
    };
    let Some(status) = reply.status.as_deref() else {
        let first = reply.trouble.first().copied();
        // The worst that dig met says most.
        let other = reply.trouble.contains(&ServerTrouble::OtherSource);
        let trouble = if other {
            ServerTrouble::OtherSource
        } else {
            first.unwrap_or(ServerTrouble::Other)
        };
        return (Said::Nothing(trouble, reply.over_tcp), reply.took);
    };
    let addresses: Vec<IpAddr> = reply
        .records
        .iter()
        .filter_map(|record| match record.data {
            Data::Address(address) => Some(address),
            _ => None,
        })
        .collect();
    let aliases: Vec<&Outside> = reply
        .records
        .iter()
        .filter_map(|record| match &record.data {
            Data::Name(name) if record.kind == "CNAME" => Some(name),
            _ => None,
        })
        .collect();
    let owners = reply.records.iter().map(|record| &record.owner);
    let circle = aliases.last().is_some_and(|last| {
        owners
            .clone()
            .any(|owner| owner.as_str().eq_ignore_ascii_case(last.as_str()))
    });
    let said = match (status, aliases.last()) {
        ("NOERROR", _) if !addresses.is_empty() => Said::Addresses(addresses),
        (_, Some(_)) if circle => Said::Circle((*aliases.first().unwrap_or(&aliases[0])).clone()),
        ("NXDOMAIN", Some(last)) => Said::Dangling((*last).clone(), "does not exist (NXDOMAIN)"),
        ("NOERROR", Some(last)) => Said::Dangling((*last).clone(), "has no address"),
        ("NOERROR", None) => Said::NoData,
        ("NXDOMAIN", None) => Said::NoName,
        (other, _) => Said::Status(other.to_owned()),
    };
    (said, reply.took)
}

impl Server {
    /// Whether the server gave no answer at all.
    pub fn dead(&self) -> bool {
        let nothing = |said: &Said| matches!(said, Said::Nothing(..));
        self.answers.iter().all(nothing)
    }

    /// The addresses that the server gives.
    pub fn addresses(&self) -> Vec<IpAddr> {
        let lists = self.answers.iter().filter_map(|said| match said {
            Said::Addresses(list) => Some(list.clone()),
            _ => None,
        });
        lists.flatten().collect()
    }

    /// The type of address for which the server gives no answer, where it answers for the other one.
    pub fn half(&self) -> Option<&'static str> {
        let [a, aaaa] = &self.answers;
        let silent = |one: &Said| matches!(one, Said::Nothing(ServerTrouble::TimedOut, _));
        match (silent(a), silent(aaaa)) {
            (true, false) if *aaaa != Said::Unknown => Some("A"),
            (false, true) if *a != Said::Unknown => Some("AAAA"),
            _ => None,
        }
    }

    /// The answer that says most: addresses, a failure, and only then that there are none.
    pub fn most(&self) -> &Said {
        let [a, aaaa] = &self.answers;
        match (a, aaaa) {
            (Said::Addresses(_), _) => a,
            (_, Said::Addresses(_)) => aaaa,
            (Said::NoData, other) if *other != Said::Unknown => other,
            _ => a,
        }
    }

    /// What the server does, in words, as in "the DNS server 10.1.0.53 …".
    pub fn does(&self) -> String {
        match self.most() {
            Said::Addresses(_) => {
                let all: Vec<String> = self.addresses().iter().map(IpAddr::to_string).collect();
                let ms = self
                    .took
                    .map_or_else(String::new, |ms| format!(" in {ms} ms"));
                format!("says {}{ms}", and(&all))
            }
            Said::NoData => "knows the name, without an address".to_owned(),
            Said::NoName => "says NXDOMAIN".to_owned(),
            Said::Dangling(to, why) => format!(
                "says that it is an alias (CNAME) of {}, which {why}",
                bare(to)
            ),
            Said::Circle(to) => format!(
                "says that it is an alias (CNAME) of {}, and that one of it again",
                bare(to)
            ),
            Said::Status(status) => format!("answers {}", plain(&Outside::new(status))),
            Said::Nothing(trouble, tcp) => self.trouble(*trouble, *tcp),
            Said::Unknown => "was not asked".to_owned(),
        }
    }

    /// Whether the machine that the questions go to first does not answer for its hardware address.
    pub fn unheard(&self) -> bool {
        matches!(self.neighbour.as_deref(), Some("FAILED" | "INCOMPLETE"))
    }

    fn trouble(&self, trouble: ServerTrouble, tcp: bool) -> String {
        if tcp {
            return "cuts its answer (truncated), and does not answer over TCP".to_owned();
        }
        match trouble {
            _ if self.unheard() => match &self.via {
                Some(via) => format!("cannot be asked: the gateway {via} does not answer ARP"),
                None => "does not answer ARP: no machine has its address".to_owned(),
            },
            ServerTrouble::TimedOut | ServerTrouble::Other => "does not answer".to_owned(),
            ServerTrouble::Refused => "is refused: nothing listens on its port 53".to_owned(),
            ServerTrouble::Unreachable => "cannot be reached".to_owned(),
            ServerTrouble::Forbidden => {
                "cannot be asked: a firewall of this machine itself forbids it (not permitted)"
                    .to_owned()
            }
            ServerTrouble::OtherSource => {
                "answers from another address, so its answers are not accepted".to_owned()
            }
        }
    }
}

/// A name without its last dot.
fn bare(name: &Outside) -> String {
    plain(name).trim_end_matches('.').to_owned()
}

/// A look-up that takes longer than this is slow.
const SLOW: Duration = Duration::from_millis(900);

impl Resolving {
    /// Whether /etc/hosts gives other addresses than DNS, and what both say; not where both mean this machine, as on Debian
    /// (127.0.1.1). `own` are this machine's own addresses.
    pub fn overridden(&self, own: &[IpAddr]) -> Option<String> {
        let hosts = &self.resolver.hosts;
        let known: Vec<IpAddr> = self.servers.iter().flat_map(Server::addresses).collect();
        let here: Vec<IpAddr> = hosts.iter().filter_map(|text| text.parse().ok()).collect();
        if hosts.is_empty() || known.is_empty() || here.iter().any(|one| known.contains(one)) {
            return None;
        }
        let mine = |one: &IpAddr| one.is_loopback() || own.contains(one);
        if here.iter().all(mine) && known.iter().all(mine) {
            return None;
        }
        let all: Vec<String> = known.iter().take(3).map(IpAddr::to_string).collect();
        Some(format!(
            "/etc/hosts says {} for it, DNS says {}",
            and(hosts),
            and(&all)
        ))
    }

    /// What is not well with DNS though it works, in words.
    pub fn troubles(&self) -> Vec<String> {
        let mut out = Vec::new();
        let took = self.resolver.took;
        let slow = took >= SLOW;
        let late = if slow {
            format!(", so look-ups here take {:.1} s", took.as_secs_f64())
        } else {
            String::new()
        };
        let works = |one: &&Server| matches!(one.most(), Said::Addresses(_));
        if !self.servers.iter().any(|one| works(&one)) {
            return out;
        }
        for (nth, one) in self.servers.iter().enumerate() {
            // glibc asks the servers in their order: one below a good one is not asked.
            let late = if nth == 0 { late.as_str() } else { "" };
            match one.most() {
                Said::Addresses(_) => {
                    if let Some(kind) = one.half() {
                        out.push(format!(
                            "the DNS server {} does not answer for {kind}{late}",
                            one.at
                        ));
                    } else if let Some(ms) = one
                        .took
                        .filter(|ms| Duration::from_millis((*ms).into()) >= SLOW)
                    {
                        out.push(format!(
                            "the DNS server {} is slow: it answers after {ms} ms",
                            one.at
                        ));
                    }
                }
                Said::Unknown => {}
                _ => out.push(format!("the DNS server {} {}{late}", one.at, one.does())),
            }
        }
        let mut known = self.servers.iter().filter(works);
        if let Some(first) = known.next() {
            let addresses = first.addresses();
            let other = known.find(|one| {
                let theirs = one.addresses();
                // A large service gives each server other public addresses.
                let public =
                    |all: &[IpAddr]| all.iter().all(|one| ranges::of(*one).kind == Kind::Public);
                let apart = !theirs.iter().any(|one| addresses.contains(one));
                apart && !(public(&theirs) && public(&addresses))
            });
            if let Some(other) = other {
                out.push(format!(
                    "the DNS servers disagree: {} {}, {} {}",
                    first.at,
                    first.does(),
                    other.at,
                    other.does()
                ));
            }
        }
        if out.is_empty() && slow && !self.servers.is_empty() {
            out.push(format!(
                "the system's own look-up is slow: {:.1} s, while the DNS servers answer at once",
                took.as_secs_f64()
            ));
        }
        out
    }

    /// The name under which DNS has the address, where a domain of the search list was appended to a name that has dots itself.
    pub fn completed(&self, name: &str, address: IpAddr) -> Option<String> {
        let full = asked(name, &self.resolver);
        let known = self
            .servers
            .iter()
            .any(|one| one.addresses().contains(&address));
        let shown = plain(&Outside::new(&full));
        (full != name && name.contains('.') && known).then_some(shown)
    }

    /// How long the look-up took, for a sound host; nothing for an address.
    pub fn time(&self) -> Option<String> {
        let asked = self.resolver.servers.is_some();
        asked.then(|| format!("DNS {} ms", self.resolver.took.as_millis()))
    }
}
