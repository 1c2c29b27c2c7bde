//! Causes on the way to the host, and at its port.

use super::row::Cause;
use super::words::{
    asks, by, device, forbids_beside, foreign_source, icmp, icmp_is, lives, lost, never, nor_ping,
    other_open, own, reset, silent, tcp, tcp_that, via, words,
};
use crate::net::connect::{Answer, Icmp};
use crate::net::tools::diagnose::evidence::Evidence::{Neighbour, Ping, Ports, Route, Way};
use crate::net::tools::diagnose::findings::Findings;

/// The rows, those that decide first at the top.
pub const ROWS: &[Cause] = &[
    Cause {
        name: "loop",
        found: |f| f.looped().is_some() || icmp_is(f, |icmp| icmp == Icmp::TimeExceeded),
        unless: Findings::alive,
        says: |f| match f.looped() {
            Some((one, other)) => format!(
                "cannot be reached: a routing loop, {one} and {other} send its packets to each other"
            ),
            None => format!(
                "cannot be reached: {} says that the time to live was exceeded, so the packets go round in a routing loop",
                by(f)
            ),
        },
        evidence: &[Route, Ping, Ports],
        next: "the routes of these routers contradict each other; who runs them must mend that.",
    },
    Cause {
        name: "prohibited",
        found: |f| icmp_is(f, |icmp| icmp == Icmp::Prohibited),
        unless: never,
        says: |f| {
            format!(
                "cannot be reached on {}: a firewall ({}) prohibits it (ICMP administratively prohibited)",
                tcp(f),
                by(f)
            )
        },
        evidence: &[Ports, Ping, Route],
        next: "ask who runs that firewall.",
    },
    Cause {
        name: "port-rejected",
        found: |f| {
            icmp_is(f, |icmp| {
                matches!(
                    icmp,
                    Icmp::HostUnreachable
                        | Icmp::NetUnreachable
                        | Icmp::PortUnreachable
                        | Icmp::ProtocolUnreachable
                )
            })
        },
        unless: |f| !f.alive(),
        says: |f| {
            let own = f.icmp().is_some_and(|(icmp, by)| {
                by == f.ip && matches!(icmp, Icmp::HostUnreachable | Icmp::NetUnreachable)
            });
            let forwards = if own {
                ", or what it passes the port on to is gone"
            } else {
                ""
            };
            format!(
                "cannot be reached on {}, though {}: a firewall ({}) rejects it with ICMP {}{forwards}",
                tcp(f),
                lives(f),
                by(f),
                icmp(f)
            )
        },
        evidence: &[Ports, Ping],
        next: "ask who runs that firewall.",
    },
    Cause {
        name: "host-unreachable",
        found: |f| icmp_is(f, |icmp| icmp == Icmp::HostUnreachable),
        unless: Findings::alive,
        says: |f| {
            format!(
                "cannot be reached: the router {} says that the host is unreachable; the host, or a router behind {}, is off or gone",
                by(f),
                by(f)
            )
        },
        evidence: &[Ports, Ping, Route],
        next: "check that the host is on and its address right.",
    },
    Cause {
        name: "net-unreachable",
        found: |f| icmp_is(f, |icmp| icmp == Icmp::NetUnreachable),
        unless: Findings::alive,
        says: |f| {
            format!(
                "cannot be reached: the router {} says that its network is unreachable; it has no route there, or a firewall rejects it",
                by(f)
            )
        },
        evidence: &[Ports, Ping, Route],
        next: "who runs that router must look at its routes.",
    },
    Cause {
        name: "icmp-rejected",
        found: |f| {
            icmp_is(f, |icmp| {
                matches!(
                    icmp,
                    Icmp::PortUnreachable | Icmp::ProtocolUnreachable | Icmp::Other(..)
                )
            })
        },
        unless: never,
        says: |f| {
            format!(
                "cannot be reached on {}: {} rejects it with ICMP {}, as firewalls do",
                tcp(f),
                by(f),
                icmp(f)
            )
        },
        evidence: &[Ports, Ping, Route],
        next: "ask who runs that firewall.",
    },
    Cause {
        name: "up-without-web",
        found: |f| {
            f.asked.is_none()
                && f.pinged()
                && f.ports
                    .iter()
                    .all(|one| matches!(one.answer, Answer::Reset | Answer::Silence))
        },
        unless: |f| own(f) || lost(f).is_some_and(|(percent, ..)| percent >= 20),
        says: |f| {
            let refused = f.ports.iter().all(|one| one.answer == Answer::Reset);
            let does = if refused {
                "nothing listens on"
            } else {
                "no web server answers on"
            };
            format!("is reachable: it answers ping; {does} {}", tcp(f))
        },
        evidence: &[Ping, Ports],
        next: "call again with the port that matters; net_services shows which are open.",
    },
    Cause {
        name: "refused",
        found: reset,
        unless: Findings::open,
        says: |f| {
            let other = other_open(f).map_or_else(String::new, |one| {
                format!("; plain HTTP on TCP {} is open", one.to.port())
            });
            format!(
                "is up, but {} is refused: nothing listens on it{other}",
                tcp_that(f, |_, answer| *answer == Answer::Reset)
            )
        },
        evidence: &[Ports, Ping],
        next: "check that the service runs and listens on this address; net_services shows which ports are open.",
    },
    Cause {
        name: "port-dropped",
        found: silent,
        unless: |f| !f.alive(),
        says: |f| {
            let other = other_open(f).map_or_else(String::new, |one| {
                format!("; TCP {} is open", one.to.port())
            });
            format!(
                "gives no answer on {}, though {}: a firewall drops it, or the service accepts nobody{other}",
                tcp_that(f, |_, answer| *answer == Answer::Silence),
                lives(f)
            )
        },
        evidence: &[Ports, Ping, Route],
        next: "look at the firewalls on the way and on the host.",
    },
    Cause {
        name: "prohibited-beside",
        found: |f| silent(f) && forbids_beside(f).is_some(),
        unless: Findings::alive,
        says: |f| {
            let Some((probe, icmp, by)) = forbids_beside(f) else {
                return String::new();
            };
            format!(
                "gives no answer on {}; {by} answers {probe} by ICMP {}: a firewall there forbids {probe}, and may drop the rest",
                tcp(f),
                words(icmp)
            )
        },
        evidence: &[Ports, Ping, Route],
        next: "ask who runs that firewall.",
    },
    Cause {
        name: "foreign-source",
        found: foreign_source,
        unless: Findings::alive,
        says: |f| {
            let source = f
                .way
                .as_ref()
                .and_then(|way| way.source.clone())
                .unwrap_or_default();
            format!(
                "does not answer: packets to it leave {} with the source address {source}, which is of no network there, so no reply may find back",
                device(f)
            )
        },
        evidence: &[Way, Ports, Ping, Route],
        next: "look at `src' of the route (`ip route').",
    },
    Cause {
        name: "silence-on-link",
        found: |f| silent(f) && via(f).is_empty(),
        unless: |f| f.alive() || f.way.as_ref().is_none_or(|way| way.tunnel),
        says: |f| {
            let (tcp, device, asks) = (tcp(f), device(f), asks(f));
            let pinged = f.ping.is_some();
            if !f.neighbour_answers() {
                return format!(
                    "does not answer on the link of {device}: neither on {tcp}{}; whether it still answers {asks} is not known, so it may be off, or a firewall there drops all",
                    nor_ping(f)
                );
            }
            format!(
                "gives no answer on {tcp}{}, though it is on the link of {device} and answers {asks}: a firewall there drops {}",
                nor_ping(f),
                if pinged { "all" } else { "it" }
            )
        },
        evidence: &[Neighbour, Ports, Ping],
        next: "look at the firewall of the host.",
    },
    Cause {
        name: "silence",
        found: silent,
        unless: Findings::alive,
        says: |f| {
            let (tcp, ping) = (tcp(f), nor_ping(f));
            match (f.answering_hops().last(), &f.hops) {
                (Some((hop, at)), _) => format!(
                    "does not answer on {tcp}{ping}, and nothing behind {}{at} (hop {hop}) does: that router passes nothing on, a firewall drops it, or no machine is there, or its replies find no way back",
                    if at.to_string() == via(f) {
                        "the gateway "
                    } else {
                        ""
                    }
                ),
                (None, None) => format!(
                    "gives no answer on {tcp}{ping}: a firewall drops it, the host is off, or there is no way to it or back; traceroute did not run, so it is not known where"
                ),
                (None, Some(_)) => format!(
                    "does not answer on {tcp}{ping}, and no router on the way does{}: a firewall drops it, {}or there is no way back",
                    if via(f).is_empty() {
                        String::new()
                    } else {
                        format!(", the gateway {} neither", via(f))
                    },
                    if via(f).is_empty() || f.neighbour_answers() {
                        ""
                    } else {
                        "the gateway is off, "
                    }
                ),
            }
        },
        evidence: &[Ports, Ping, Route],
        next: "try a host near it, and look at the last router that answers.",
    },
    Cause {
        name: "not-sent",
        found: |f| {
            f.port()
                .is_some_and(|one| matches!(one.answer, Answer::NotSent(_)))
        },
        unless: Findings::alive,
        says: |f| {
            let why = f.port().map_or("", |one| match one.answer {
                Answer::NotSent(error) => error.desc(),
                _ => "",
            });
            format!("cannot be reached from here: this machine cannot send to it ({why})")
        },
        evidence: &[Way, Ports, Ping],
        next: "network_status shows the interfaces and routes of this machine.",
    },
];
