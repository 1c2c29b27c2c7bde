//! Conditions and phrases that several causes share.

use nix::errno::Errno;

use crate::net::connect::{Answer, Attempt, Icmp};
use crate::net::parse::nft::Verdict;
use crate::net::tools::diagnose::findings::Findings;
use crate::net::tools::words::and;

pub fn never(_: &Findings) -> bool {
    false
}

pub fn reset(f: &Findings) -> bool {
    f.port().is_some_and(|one| one.answer == Answer::Reset)
}

pub fn silent(f: &Findings) -> bool {
    f.port().is_some_and(|one| one.answer == Answer::Silence)
}

pub fn own(f: &Findings) -> bool {
    f.way.as_ref().is_some_and(|way| way.own)
}

/// Whether no ICMP error tells why.
pub fn icmp_is(f: &Findings, test: fn(Icmp) -> bool) -> bool {
    !f.open() && f.icmp().is_some_and(|(icmp, _)| test(icmp))
}

/// The machine that sent the ICMP error.
pub fn by(f: &Findings) -> String {
    f.icmp().map_or_else(String::new, |(_, by)| {
        if by == f.ip {
            "the host itself".to_owned()
        } else {
            by.to_string()
        }
    })
}

/// The ports that were asked for, `TCP 80` or `TCP 80 and 443`.
pub fn tcp(f: &Findings) -> String {
    match f.asked {
        Some(port) => format!("TCP {port}"),
        None if f.open() => f
            .port()
            .map_or_else(String::new, |one| format!("TCP {}", one.to.port())),
        None => {
            let ports: Vec<String> = f
                .ports
                .iter()
                .map(|one| one.to.port().to_string())
                .collect();
            format!("TCP {}", and(&ports))
        }
    }
}

pub fn via(f: &Findings) -> String {
    let way = f.way.as_ref();
    way.and_then(|way| way.via.clone()).unwrap_or_default()
}

pub fn device(f: &Findings) -> String {
    let way = f.way.as_ref();
    way.map_or_else(String::new, super::super::way::Way::interface)
}

/// How the hardware address of a neighbour is asked for.
pub fn asks(f: &Findings) -> &'static str {
    if f.ip.is_ipv6() {
        "neighbour solicitations"
    } else {
        "ARP"
    }
}

/// The ports whose answers satisfy `test`, of those that were tried because none was asked for.
pub fn tcp_that(f: &Findings, test: fn(&Findings, &Answer) -> bool) -> String {
    let ports = f.ports.iter().filter(|one| test(f, &one.answer));
    let ports: Vec<String> = ports.map(|one| one.to.port().to_string()).collect();
    if f.asked.is_some() || ports.is_empty() {
        tcp(f)
    } else {
        format!("TCP {}", and(&ports))
    }
}

/// An open port besides the one that was asked for.
pub fn other_open(f: &Findings) -> Option<&Attempt> {
    f.ports
        .iter()
        .find(|one| Some(one.to.port()) != f.asked && one.answer == Answer::Open)
}

/// What shows that the host is up.
pub fn lives(f: &Findings) -> String {
    if f.pinged() {
        return "the host answers ping".to_owned();
    }
    let port = f.ports.iter().find(|one| {
        matches!(one.answer, Answer::Open | Answer::Reset) && Some(one.to.port()) != f.asked
    });
    port.map_or_else(
        || "the host is up".to_owned(),
        |one| format!("the host answers on TCP {}", one.to.port()),
    )
}

/// Whether packets leave with an address that is not of the network of the router.
pub fn foreign_source(f: &Findings) -> bool {
    f.way.as_ref().is_some_and(|way| {
        let source = way.source.as_ref().and_then(|text| text.parse().ok());
        let net = way.net.filter(|_| way.via.is_some());
        net.zip(source)
            .is_some_and(|(net, source): (_, std::net::IpAddr)| !net.contains(&source))
    })
}

/// Whether this machine's own firewall stops packets to the port.
pub fn forbidden(f: &Findings) -> bool {
    let refused = f
        .no_ping
        .as_ref()
        .is_some_and(|why| why.contains("not permitted"));
    let rules = matches!(
        f.firewall.0,
        Some(Verdict::Drop | Verdict::Reject | Verdict::Reset)
    );
    rules
        || refused && silent(f)
        || rejected_here(f)
        || f.ports
            .iter()
            .any(|one| one.answer == Answer::NotSent(Errno::EPERM))
}

/// What a rule or a route of this machine does with packets to the port alone: the kernel's error for it (`fib_props` in
/// `net/ipv4/fib_semantics.c`).
pub fn ruled_out(f: &Findings) -> Option<&'static str> {
    match f.port()?.answer {
        Answer::NotSent(Errno::EACCES) => Some("prohibits"),
        Answer::NotSent(Errno::EINVAL) => Some("throws away"),
        _ => None,
    }
}

/// Where a rule of this machine's own firewall sends the connection.
pub fn redirected(f: &Findings) -> Option<String> {
    match f.firewall.0 {
        Some(Verdict::Redirect(Some(port))) => Some(format!("port {port}")),
        Some(Verdict::Redirect(None)) => Some("another address".to_owned()),
        _ => None,
    }
}

/// An ICMP error that forbids ping or traceroute, where the connection got no answer: by what, and by whom.
pub fn forbids_beside(f: &Findings) -> Option<(&'static str, Icmp, std::net::IpAddr)> {
    f.said_beside().into_iter().find(|(_, icmp, _)| {
        matches!(
            icmp,
            Icmp::Prohibited | Icmp::PortUnreachable | Icmp::ProtocolUnreachable
        )
    })
}

/// What else got no answer, in words, as far as it was tried.
pub fn nor_ping(f: &Findings) -> &'static str {
    match &f.ping {
        Some(ping) if ping.received == 0 => " nor to ping",
        _ => " (ping was not tried)",
    }
}

/// Whether this machine itself answered for another one with an ICMP error that only a firewall sends: that the host is unreachable is
/// also said of one that does not answer for its hardware address.
pub fn rejected_here(f: &Findings) -> bool {
    !own(f)
        && f.ports.iter().any(|one| match one.answer {
            Answer::Icmp(icmp, by) => {
                f.own.contains(&by) && (icmp != Icmp::HostUnreachable || !f.own_unreachable())
            }
            _ => false,
        })
}

/// The share of lost packets in percent, of the many pings where they were sent.
pub fn lost(f: &Findings) -> Option<(u32, u32, u32)> {
    let many = f.pings.as_ref()?;
    let lost = many.sent.checked_sub(many.received)?;
    let percent = u64::from(lost) * 100 / u64::from(many.sent.max(1));
    let percent = u32::try_from(percent).unwrap_or(100);
    (lost > 0 && many.received > 0).then_some((percent, lost, many.sent))
}

/// A way is slow from this round trip on, in milliseconds: that of a satellite, and far above that of any cable.
const SLOW: u128 = 250;

/// The round trip in milliseconds, by ping or else by the quickest connection.
pub fn trip(f: &Findings) -> Option<u128> {
    let ping = f.round_trip();
    let connects = f.again.iter().chain(f.port());
    let connects = connects.filter(|one| one.answer == Answer::Open);
    ping.or_else(|| connects.map(|one| one.after).min())
        .map(|time| time.as_millis())
}

pub fn slow(f: &Findings) -> bool {
    trip(f).is_some_and(|ms| ms >= SLOW)
}

/// Whether anything on the way or behind it answered.
pub fn answered(f: &Findings) -> bool {
    f.alive() || f.icmp().is_some() || f.answering_hops().next().is_some()
}

pub fn icmp(f: &Findings) -> String {
    f.icmp().map_or_else(String::new, |(icmp, _)| words(icmp))
}

/// The name of an ICMP error.
pub fn words(icmp: Icmp) -> String {
    match icmp {
        Icmp::HostUnreachable => "host unreachable".to_owned(),
        Icmp::NetUnreachable => "net unreachable".to_owned(),
        Icmp::PortUnreachable => "port unreachable".to_owned(),
        Icmp::ProtocolUnreachable => "protocol unreachable".to_owned(),
        Icmp::Prohibited => "administratively prohibited".to_owned(),
        other => format!("({other})"),
    }
}

pub fn table(f: &Findings) -> String {
    let way = f.way.as_ref();
    let table = way.and_then(|way| way.table.clone());
    table.map_or_else(String::new, |table| format!("ip rule, table {table}"))
}
