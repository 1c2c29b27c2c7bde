//! Causes on this machine: its firewall, routes, rules and services, and the next machine on the link.

use super::row::Cause;
use super::words::{
    answered, asks, device, forbidden, never, own, redirected, rejected_here, reset, ruled_out,
    table, tcp, tcp_that, via,
};
use crate::net::connect::Answer;
use crate::net::parse::nft::Verdict;
use crate::net::tools::diagnose::evidence::Evidence::{
    self, Dns, Listeners, Neighbour, Ping, Ports, Route, Way,
};
use crate::net::tools::diagnose::findings::Findings;
use crate::net::tools::words::and;

/// The rows, those that decide first at the top.
pub const ROWS: &[Cause] = &[
    Cause {
        name: "own-firewall",
        found: forbidden,
        unless: Findings::open,
        says: |f| {
            let does = if matches!(f.firewall.0, Some(Verdict::Reject | Verdict::Reset))
                || rejected_here(f)
            {
                "rejects"
            } else {
                "drops"
            };
            format!(
                "cannot be reached: a firewall of this machine itself {does} outgoing packets to it ({})",
                tcp_that(f, |f, answer| match answer {
                    Answer::Icmp(_, by) => f.here(by),
                    Answer::Reset => f.firewall.0 == Some(Verdict::Reset),
                    answer => matches!(answer, Answer::Silence | Answer::NotSent(_)),
                })
            )
        },
        evidence: &[Evidence::Firewall, Ports, Ping],
        next: "`nft list ruleset' as root shows the rules of the chain `output'.",
    },
    Cause {
        name: "own-rule",
        found: |f| ruled_out(f).is_some(),
        unless: Findings::open,
        says: |f| {
            format!(
                "cannot be reached on {}: a route or policy rule of this machine itself (ip rule) {} such packets to it",
                tcp(f),
                ruled_out(f).unwrap_or_default()
            )
        },
        evidence: &[Ports, Ping],
        next: "`ip rule' and `ip route show table all' show which one it is.",
    },
    Cause {
        name: "own-redirect",
        found: |f| redirected(f).is_some(),
        unless: Findings::open,
        says: |f| {
            let to = redirected(f).unwrap_or_default();
            format!(
                "cannot be reached on {}: a firewall of this machine itself redirects such connections to {to} (NAT), which does not take them",
                tcp(f)
            )
        },
        evidence: &[Evidence::Firewall, Ports, Ping],
        next: "`nft list ruleset' as root shows the rules of the chains of type nat.",
    },
    Cause {
        name: "own-firewall-in",
        found: |f| f.firewall.1.is_some(),
        unless: |f| f.open() || reset(f),
        says: |f| {
            format!(
                "does not answer, since a firewall of this machine itself drops incoming packets, and so the replies from it ({})",
                tcp(f)
            )
        },
        evidence: &[Evidence::Firewall, Ports, Ping],
        next: "`nft list ruleset' as root shows the rules of the chain `input'; replies pass by `ct state established'.",
    },
    Cause {
        name: "hosts-file",
        found: |f| f.resolving.overridden(&f.own).is_some(),
        unless: |f| f.open() || f.neighbour_silent() && !via(f).is_empty(),
        says: |f| {
            format!(
                "cannot be reached on {}: {}",
                tcp(f),
                f.resolving.overridden(&f.own).unwrap_or_default()
            )
        },
        evidence: &[Ports, Ping, Dns],
        next: "compare the line in /etc/hosts with DNS.",
    },
    Cause {
        name: "listens-elsewhere",
        found: |f| own(f) && reset(f) && !f.listeners.is_empty(),
        unless: never,
        says: |f| {
            format!(
                "is this machine itself, and {} is refused there: the service listens on {} alone",
                tcp(f),
                and(&f.listeners)
            )
        },
        evidence: &[Listeners, Ports],
        next: "make the service listen on this address too, or use the one it listens on.",
    },
    Cause {
        name: "own-nothing-listens",
        found: |f| own(f) && reset(f),
        unless: never,
        says: |f| {
            format!(
                "is this machine itself, and {} is refused there: nothing listens on it",
                tcp(f)
            )
        },
        evidence: &[Ports],
        next: "network_status shows what listens here.",
    },
    Cause {
        name: "address-in-use-twice",
        found: |f| f.twin.is_some(),
        unless: Findings::alive,
        says: |f| {
            let way = f.way.as_ref();
            let own = way.and_then(|way| way.source.clone()).unwrap_or_default();
            format!(
                "does not answer: this machine's own address {own} is in use twice, another machine on {} has it too ({}) and gets the replies",
                device(f),
                f.twin.clone().unwrap_or_default()
            )
        },
        evidence: &[Ports, Ping, Neighbour],
        next: "give one of the two another address.",
    },
    Cause {
        name: "rule-to-silent-router",
        found: |f| {
            f.neighbour_silent()
                && f.way
                    .as_ref()
                    .is_some_and(|way| way.table.is_some() && way.via.is_some())
        },
        unless: Findings::alive,
        says: |f| {
            format!(
                "cannot be reached: a policy rule of this machine ({}) sends the packets to {}, which does not answer {}",
                table(f),
                via(f),
                asks(f)
            )
        },
        evidence: &[Way, Neighbour, Ports],
        next: "`ip rule' and `ip route show table all' show what the rule does.",
    },
    Cause {
        name: "gateway-silent",
        found: |f| f.neighbour_silent() && !via(f).is_empty(),
        unless: Findings::alive,
        says: |f| {
            format!(
                "cannot be reached: the gateway {} does not answer {} on {}, so nothing gets out that way",
                via(f),
                asks(f),
                device(f)
            )
        },
        evidence: &[Neighbour, Way, Ports],
        next: "check the router and its address in the routes (network_status).",
    },
    Cause {
        name: "host-silent-on-link",
        found: |f| f.neighbour_silent() && f.way.is_some() && via(f).is_empty() && !own(f),
        unless: Findings::alive,
        says: |f| {
            let net = f.way.as_ref().and_then(|way| way.net);
            let net = net.map_or_else(String::new, |net| {
                format!(", where the network {net} is taken to be on the same link")
            });
            format!(
                "does not answer {} on {}{net}: no machine there has this address, or it is off",
                asks(f),
                device(f)
            )
        },
        evidence: &[Neighbour, Way, Ports],
        next: "check that the machine is on, and that the network's prefix length is right.",
    },
    Cause {
        name: "silent-by-arp",
        found: |f| f.own_unreachable() && f.way.is_none(),
        unless: Findings::alive,
        says: |_| {
            "cannot be reached: this machine itself says so, since it, or the gateway there, does not answer for its hardware address (ARP)".to_owned()
        },
        evidence: &[Ports, Ping],
        next: "check that the machine and the gateway are on.",
    },
    Cause {
        name: "tunnel",
        found: |f| f.way.as_ref().is_some_and(|way| way.tunnel),
        unless: |f| answered(f),
        says: |f| {
            let device = device(f);
            let vpn = ["tun", "tap", "wg", "utun", "ipsec", "vpn"];
            let vpn = vpn.iter().any(|kind| device.starts_with(kind));
            format!(
                "cannot be reached: the route goes into the tunnel {device}{}, from which nothing comes back",
                if vpn { " (a VPN)" } else { "" }
            )
        },
        evidence: &[Way, Ports, Ping, Route],
        next: "check whether the VPN is connected, and whether this address belongs into it.",
    },
    Cause {
        name: "rule-elsewhere",
        found: |f| f.way.as_ref().is_some_and(|way| way.table.is_some()),
        unless: |f| answered(f),
        says: |f| {
            let to = if via(f).is_empty() {
                device(f)
            } else {
                format!("{} ({})", via(f), device(f))
            };
            format!(
                "cannot be reached: a policy rule of this machine ({}) sends the packets to {to}, from where nothing comes back",
                table(f)
            )
        },
        evidence: &[Way, Ports, Ping, Route],
        next: "`ip rule' and `ip route show table all' show what the rule does.",
    },
];
