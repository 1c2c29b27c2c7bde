//! Causes at an open port, and what is said where all is well.

use super::row::Cause;
use super::words::{lost, never, slow, tcp, trip};
use crate::net::connect::Attempt;
use crate::net::tools::diagnose::evidence::Evidence::{
    self, Addresses, Ping, Ports, Route, Sizes, Web,
};
use crate::net::tools::diagnose::findings::Findings;
use crate::net::tools::diagnose::open;

/// The rows, those that decide first at the top.
pub const ROWS: &[Cause] = &[
    Cause {
        name: "mtu",
        found: |f| open::largest(f).is_some(),
        unless: never,
        says: |f| {
            let (passes, lost) = open::largest(f).unwrap_or_default();
            format!(
                "is reached on {}, but data stalls: packets of {lost} bytes are lost on the way, those of {passes} pass (most likely a path MTU black hole)",
                tcp(f)
            )
        },
        evidence: &[Sizes, Web, Ping],
        next: "let ICMP `fragmentation needed' through on the way, or lower the MTU here.",
    },
    Cause {
        name: "loss",
        // Lost pings alone may be a limit for pings.
        found: |f| f.again.iter().any(Attempt::resent),
        unless: |f| !f.open(),
        says: |f| {
            let late = f.again.iter().filter(|one| one.resent()).count();
            let share = match lost(f) {
                Some((percent, lost, sent)) => {
                    format!("{percent} % of the packets are lost ({lost} of {sent} pings)")
                }
                None => format!(
                    "packets are lost ({late} of {} connections had to be tried again)",
                    f.again.len()
                ),
            };
            format!("is reached, but {share}: {}", open::state(f))
        },
        evidence: &[Ping, Evidence::Again, Ports, Web, Route],
        next: "repeat to see whether it stays; a bad cable or radio, or a full line, loses packets.",
    },
    Cause {
        name: "open-port",
        found: |f| open::fault(f).is_some(),
        unless: never,
        says: |f| open::fault(f).unwrap_or_default(),
        evidence: &[Web, Ports, Ping],
        next: "",
    },
    Cause {
        name: "slow",
        found: slow,
        unless: |f| !f.open(),
        says: |f| {
            let ms = trip(f).unwrap_or_default();
            format!(
                "is reachable, but slow: a round trip takes {ms} ms (latency); {}",
                open::state(f)
            )
        },
        evidence: &[Ping, Ports, Web, Route],
        next: "",
    },
    Cause {
        name: "reachable",
        found: Findings::open,
        unless: never,
        says: |f| format!("is reachable: {}", open::state(f)),
        evidence: &[],
        next: "",
    },
    Cause {
        name: "answers-ping",
        found: Findings::pinged,
        unless: never,
        says: |f| match f.port() {
            Some(one) => format!("answers ping; {one}"),
            None => format!("answers ping; {} was not checked", tcp(f)),
        },
        evidence: &[Ping],
        next: "",
    },
    Cause {
        name: "unknown",
        found: |_| true,
        unless: never,
        says: |_| {
            "was not checked: too few of the programs are installed, or there was no time"
                .to_owned()
        },
        evidence: &[Ping, Ports, Route, Addresses],
        next: "M-x cj/net-doctor says which programs are missing.",
    },
];
