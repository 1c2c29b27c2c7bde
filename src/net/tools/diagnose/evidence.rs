//! The evidence below the first line: what the checks saw, in few words.

use std::fmt::Write as _;

use super::findings::Findings;
use super::open;
use crate::net::connect::{Answer, Attempt};
use crate::net::parse::nft::Verdict;
use crate::net::parse::ping::Ping as PingResult;
use crate::net::tools::words::name;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    Addresses,
    Dns,
    Firewall,
    Listeners,
    Neighbour,
    Ping,
    Ports,
    Route,
    Again,
    Sizes,
    Way,
    Web,
}

/// The evidence of the `kinds`, each in words; what was not looked at is left out.
pub fn of(f: &Findings, kinds: &[Evidence]) -> Vec<String> {
    kinds.iter().filter_map(|kind| one(f, *kind)).collect()
}

fn one(f: &Findings, kind: Evidence) -> Option<String> {
    match kind {
        Evidence::Addresses => (!f.others.is_empty()).then(|| {
            let shown: Vec<&str> = f.others.iter().take(4).map(String::as_str).collect();
            format!("other addresses {}", shown.join(" "))
        }),
        Evidence::Dns => {
            let servers = f.resolving.servers.iter();
            let said: Vec<String> = servers
                .map(|one| format!("{} {}", one.at, one.does()))
                .collect();
            (!said.is_empty()).then(|| said.join(", "))
        }
        Evidence::Firewall => {
            let words = |verdict: Verdict| match verdict {
                Verdict::Drop => "drop",
                Verdict::Reject | Verdict::Reset => "reject",
                Verdict::Redirect(_) => "redirect",
            };
            match f.firewall {
                (Some(out), _) => Some(format!("the rules of nft {} such packets", words(out))),
                (_, Some(back)) => Some(format!("the rules of nft {} the answers", words(back))),
                _ => None,
            }
        }
        Evidence::Listeners => {
            (!f.listeners.is_empty()).then(|| format!("listeners here: {}", f.listeners.join(" ")))
        }
        Evidence::Neighbour => {
            let way = f.way.as_ref()?;
            let next = way.next(&f.address);
            let device = way.interface();
            if let Some(answers) = f.arp {
                let does = if answers {
                    "answers"
                } else {
                    "does not answer"
                };
                return Some(format!("{next} {does} ARP on {device} now"));
            }
            let known = f.neighbour.as_ref()?;
            Some(format!("{next} is {} on {device}", known.state))
        }
        Evidence::Ping => match (&f.ping, &f.no_ping) {
            (Some(ping), _) => Some(pinged(f.pings.as_ref().unwrap_or(ping), f)),
            (None, Some(why)) => Some(format!("no ping: {why}")),
            _ => None,
        },
        Evidence::Ports => {
            let all: Vec<String> = f.ports.iter().map(Attempt::to_string).collect();
            (!all.is_empty()).then(|| all.join(", "))
        }
        Evidence::Route => {
            let hops = f.hops.iter().flatten().filter_map(|hop| {
                let ms = hop
                    .time
                    .map_or_else(String::new, |ms| format!(" {ms:.0} ms"));
                Some((hop.address?, format!("{} {}{ms}", hop.number, hop.address?)))
            });
            let hops: Vec<(std::net::IpAddr, String)> = hops.take(6).collect();
            if hops.is_empty() {
                return None;
            }
            let shown: Vec<String> = hops.into_iter().map(|(_, text)| text).collect();
            Some(format!("route {}", shown.join(", ")))
        }
        Evidence::Again => {
            let late = f.again.iter().filter(|one| one.resent()).count();
            let sent = f.again.len();
            (sent > 0).then(|| format!("{late} of {sent} TCP connections had to be tried again"))
        }
        Evidence::Sizes => {
            let sizes = f.sizes.iter().map(|(bytes, passed)| {
                format!("{bytes} bytes {}", if *passed { "pass" } else { "do not" })
            });
            let sizes: Vec<String> = sizes.collect();
            (!sizes.is_empty()).then(|| format!("undivided packets: {}", sizes.join(", ")))
        }
        Evidence::Way => {
            let way = f.way.as_ref()?;
            let mut out = "route here:".to_owned();
            if let Some(via) = &way.via {
                let _ = write!(out, " via {via}");
            }
            let _ = write!(out, " by {}", way.device.as_ref().map(name)?);
            if let Some(table) = &way.table {
                let _ = write!(out, ", table {table}");
            }
            if let Some(source) = &way.source {
                let _ = write!(out, ", from {source}");
            }
            Some(out)
        }
        Evidence::Web => open::seen(f),
    }
}

fn pinged(ping: &PingResult, f: &Findings) -> String {
    let mut out = format!("ping {} of {} answered", ping.received, ping.sent);
    if let Some((low, mean, high)) = ping.times {
        let _ = if high > 2.0 * low + 5.0 {
            write!(out, ", {low:.1} to {high:.1} ms, mean {mean:.1}")
        } else {
            write!(out, ", {mean:.1} ms")
        };
    }
    if let Some(jitter) = ping.jitter.filter(|_| f.pings.is_some()) {
        let _ = write!(out, ", jitter {jitter:.1} ms");
    }
    if let Some((by, error)) = f.ping.as_ref().and_then(|ping| ping.errors.first()) {
        let _ = write!(out, ", {by} says {error}");
    }
    out
}

/// The other addresses of the name that are not well, in words; each address once.
pub fn other_addresses(f: &Findings) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (address, fault) in &f.stuck {
        let family = family(address);
        out.push(format!(
            "{family} {address} cannot be reached from here: {fault}"
        ));
    }
    let mut seen = Vec::new();
    for one in &f.beside {
        let at = one.to.ip();
        let mine = f.beside.iter().filter(|other| other.to.ip() == at);
        let fine = |one: &Attempt| {
            // A machine without a way to one family uses the other one: that is no trouble.
            matches!(one.answer, Answer::Open | Answer::NotSent(_))
        };
        if seen.contains(&at) || mine.clone().any(fine) {
            continue;
        }
        seen.push(at);
        let mine: Vec<&Attempt> = mine.collect();
        // Where the address that was checked refuses a port too, it is no news that another one does.
        let same = |one: &&Attempt| {
            let own = f.ports.iter().find(|own| own.to.port() == one.to.port());
            own.is_some_and(|own| own.answer == one.answer)
        };
        if mine.iter().all(same) {
            continue;
        }
        let words = mine.iter().map(|one| match one.answer {
            Answer::Reset => format!("refuses TCP {}", one.to.port()),
            Answer::Icmp(icmp, by) => {
                format!(
                    "cannot be reached on TCP {}: {by} says {icmp}",
                    one.to.port()
                )
            }
            _ => format!("gives no answer on TCP {}", one.to.port()),
        });
        let words: Vec<String> = words.collect();
        out.push(format!(
            "its {} address {at} {}",
            family(&at.to_string()),
            words.join(", ")
        ));
    }
    out
}

fn family(address: &str) -> &'static str {
    if address.contains(':') {
        "IPv6"
    } else {
        "IPv4"
    }
}

/// The first five of `shown`, joined.
pub fn short(shown: &[String]) -> String {
    shown
        .iter()
        .take(5)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("; ")
}
