//! Why a name has no address: the rows of this table are held against what each DNS server says.

use std::net::IpAddr;

use super::evidence;
use super::resolving::{self, Resolving, Said};
use crate::net::facts::{LookUp, Resolver};
use crate::net::parse::Outside;
use crate::net::parse::nft::Verdict;
use crate::net::parse::ping::Ping;
use crate::net::tools::way::Way;
use crate::net::tools::words::{and, name as plain, no_address};

/// What was found about a name without an address.
#[derive(Debug)]
pub struct Nameless {
    pub name: String,
    pub look_up: LookUp,
    pub resolving: Resolving,
    /// The way to the first server; or the way out, where that one is a stub resolver on this machine.
    pub way: Option<Way>,
    /// Whether the first server is a stub resolver on this machine, which asks others.
    pub stub: bool,
    /// An address that DNS gives all the same, and why this machine cannot send to it.
    pub stuck: Option<(String, String)>,
    /// Echo requests to the first server.
    pub ping: Option<Ping>,
    /// What this machine's own firewall does with questions to the first server, and with the answers.
    pub firewall: (Option<Verdict>, Option<Verdict>),
}

/// A cause: whether it holds, and its sentence and next step if so.
type Row = fn(&Nameless) -> Option<(String, &'static str)>;

/// All causes, those that decide first at the top.
const CAUSES: &[Row] = &[
    |f| {
        let fault = f.way.as_ref()?.fault.as_ref()?;
        let server = f.resolving.servers.first()?;
        let failed = |one: &resolving::Server| one.dead() || matches!(one.most(), Said::Status(_));
        if f.stub && failed(server) {
            return Some((
                format!(
                    "{fault}; so {}, the resolver on this machine, can ask nobody",
                    server.at
                ),
                "network_status shows the interfaces and routes of this machine.",
            ));
        }
        let dead = f.resolving.servers.iter().all(resolving::Server::dead);
        dead.then(|| {
            (
                format!("{fault}; so the DNS server {} cannot be asked", server.at),
                "network_status shows the interfaces and routes of this machine.",
            )
        })
    },
    |f| {
        let sources = f.resolver().without_dns.as_ref()?;
        let known = f.known();
        let dns = if known.is_empty() {
            String::new()
        } else {
            format!(" (DNS says {})", and(&known))
        };
        Some((
            format!(
                "/etc/nsswitch.conf has `hosts: {sources}' without dns, so DNS is not asked{dns}"
            ),
            "put dns into the line `hosts:'.",
        ))
    },
    |f| match f.resolver().servers.as_deref() {
        None => Some((
            "/etc/resolv.conf cannot be read, so no DNS server is known".to_owned(),
            "network_status shows what is configured.",
        )),
        Some([]) => Some((
            "no DNS server is configured: /etc/resolv.conf has no nameserver".to_owned(),
            "network_status shows what is configured.",
        )),
        _ => None,
    },
    |f| {
        let verdict = f.firewall.0.or(f.firewall.1)?;
        let server = f.resolving.servers.first().filter(|one| one.dead())?;
        let does = if verdict == Verdict::Drop {
            "drops"
        } else {
            "rejects"
        };
        let what = if f.firewall.0.is_some() {
            "outgoing DNS"
        } else {
            "the incoming replies of DNS"
        };
        Some((
            format!(
                "a firewall of this machine itself {does} {what} (port 53, server {})",
                server.at
            ),
            "`nft list ruleset' as root shows the rules.",
        ))
    },
    |f| {
        let dead = f.resolving.servers.iter().all(resolving::Server::dead);
        let first = f.resolving.servers.first().filter(|_| dead)?;
        let others = f.resolving.servers.len() > 1;
        let alive = f.ping.as_ref().is_some_and(|ping| ping.received > 0);
        // All servers behind one router that is gone.
        let behind = |one: &resolving::Server| one.unheard() && one.via == first.via;
        let gateway = first
            .via
            .as_ref()
            .filter(|_| !alive && f.resolving.servers.iter().all(behind));
        let all: Vec<String> = f
            .resolving
            .servers
            .iter()
            .map(|one| one.at.clone())
            .collect();
        let sentence = if let Some(via) = gateway {
            let servers = if others {
                format!("the DNS servers {} cannot be asked", and(&all))
            } else {
                format!("the DNS server {} cannot be asked", first.at)
            };
            format!("{servers}: the gateway {via} does not answer ARP")
        } else if others {
            let all: Vec<String> = f
                .resolving
                .servers
                .iter()
                .map(|one| format!("{} {}", one.at, one.does()))
                .collect();
            format!("no DNS server answers: {}", and(&all))
        } else {
            format!("the DNS server {} {}", first.at, first.does())
        };
        let more = if alive {
            format!(
                ", though {} answers ping: its program, or a firewall for port 53",
                first.at
            )
        } else {
            String::new()
        };
        Some((
            format!("{sentence}{more}"),
            "try another DNS server, or mend this one.",
        ))
    },
    |f| {
        let servers = f.resolving.servers.iter();
        let filters = |one: &&resolving::Server| {
            let all = one.addresses();
            !all.is_empty() && all.iter().all(IpAddr::is_unspecified)
        };
        let filtering: Vec<String> = servers.filter(filters).map(|one| one.at.clone()).collect();
        if f.look_up != LookUp::Found {
            return None;
        }
        if let Some(address) = f.resolver().hosts.first() {
            return Some((
                format!(
                    "/etc/hosts says {address} for it, which is no host: the name is blocked on this machine"
                ),
                "look at the line in /etc/hosts.",
            ));
        }
        (!filtering.is_empty()).then(|| {
            (
                format!(
                    "the DNS server {} says {} for it, which is no host: it filters this name",
                    and(&filtering),
                    and(&f.known())
                ),
                "ask another DNS server with dns_lookup; who runs this one can take the name off its list.",
            )
        })
    },
    |f| {
        let known = f.known();
        if known.is_empty() {
            return None;
        }
        if let Some((address, fault)) = &f.stuck {
            return Some((
                format!("its only addresses are of one family ({address}), and {fault}"),
                "network_status shows the interfaces and routes of this machine.",
            ));
        }
        let troubles = f.resolving.troubles();
        let why = if troubles.is_empty() {
            "the system's own look-up fails".to_owned()
        } else {
            troubles.join("; ")
        };
        Some((
            format!("{why}; DNS says {} all the same", and(&known)),
            "call again with the address.",
        ))
    },
    |f| {
        let top = f.name.trim_end_matches('.').rsplit('.').next();
        let local = top.is_some_and(|top| top.eq_ignore_ascii_case("local"));
        local.then(|| {
            (
                "nobody on the link answers for it by mDNS, and DNS knows no address".to_owned(),
                "check that the machine is on the same link, and that avahi-daemon or systemd-resolved runs here.",
            )
        })
    },
    |f| {
        let first = f.resolving.servers.iter().find(|one| !one.dead())?;
        let at = &first.at;
        let asked = resolving::asked(&f.name, f.resolver());
        let whom = if asked == f.name {
            String::new()
        } else {
            format!(" (asked for as {})", plain(&Outside::new(&asked)))
        };
        Some(match first.most() {
            Said::NoName => (
                format!(
                    "the DNS server {at} knows no such name{whom}: it does not exist (NXDOMAIN)"
                ),
                "check the spelling; dns_lookup asks for other records.",
            ),
            Said::NoData => (
                format!("the name exists in DNS and has no address{whom}, neither A nor AAAA"),
                "dns_lookup asks for other records, such as MX.",
            ),
            Said::Nothing(..) | Said::Unknown => return None,
            Said::Status(_) if f.stub => (
                format!(
                    "{at}, the resolver on this machine, {}{whom}: the servers that it asks fail, or it cannot reach them",
                    first.does()
                ),
                "network_status shows the servers behind it; ask one of them with dns_lookup.",
            ),
            _ => (
                format!("the DNS server {at} {}{whom}", first.does()),
                "who runs the DNS server must look at its zone and log.",
            ),
        })
    },
    |f| {
        Some((
            no_address(f.look_up).to_owned(),
            "M-x cj/net-doctor says which programs are missing.",
        ))
    },
];

impl Nameless {
    fn resolver(&self) -> &Resolver {
        &self.resolving.resolver
    }

    /// The addresses that DNS gives all the same.
    fn known(&self) -> Vec<String> {
        let servers = self.resolving.servers.iter();
        let mut all: Vec<String> = servers
            .flat_map(resolving::Server::addresses)
            .map(|one| one.to_string())
            .collect();
        all.dedup();
        all.truncate(3);
        all
    }
}

/// The result.
pub fn told(f: &Nameless) -> String {
    let mut found = CAUSES.iter().filter_map(|cause| cause(f));
    let (sentence, next) = found.next().expect("the last row always holds");
    let resolves = if f.look_up == LookUp::Found {
        "resolves to no host"
    } else {
        "does not resolve"
    };
    let mut lines = vec![format!(
        "{} {resolves}, so nothing was sent to it: {sentence}.",
        f.name
    )];
    let mut shown: Vec<String> = f
        .resolving
        .servers
        .iter()
        .map(|one| format!("{} {}", one.at, one.does()))
        .collect();
    let took = f.resolver().took.as_secs_f64();
    shown.push(if f.look_up == LookUp::Found {
        format!("the system's own look-up took {took:.1} s")
    } else {
        format!(
            "the system's own look-up: {} ({took:.1} s)",
            no_address(f.look_up)
        )
    });
    if let Some(ping) = &f.ping {
        shown.push(format!(
            "ping of {}: {} of {} answered",
            f.resolving
                .servers
                .first()
                .map_or("", |one| one.at.as_str()),
            ping.received,
            ping.sent
        ));
    }
    lines.push(format!("Evidence: {}.", evidence::short(&shown)));
    lines.push(format!("Next: {next}"));
    lines.join("\n")
}
