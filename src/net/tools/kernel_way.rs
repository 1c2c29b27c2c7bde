//! The way to an address without ip(8): what the kernel says to a socket, and /proc/net.  Nothing is sent.

use std::fs::File;
use std::io::Read;
use std::net::IpAddr;

use ipnet::IpNet;
use nix::errno::Errno;
use nix::ifaddrs::{InterfaceAddress, getifaddrs};
use nix::net::if_::InterfaceFlags;

use super::way::Way;
use crate::address::literal::Literal;
use crate::net::connect;
use crate::net::parse::{Outside, ip, proc_net};
use crate::net::step_runner::StepResult;

/// The way to `address` from ip(8)'s answers to the steps of [`way::steps`](super::way::steps), or, where ip(8) is missing or another
/// one than iproute2's, from the kernel.
pub fn find(address: &str, answers: &[StepResult]) -> Option<Way> {
    Way::of(address, answers).or_else(|| way(address))
}

/// The way to `address`; `None` where `address` is none.
fn way(address: &str) -> Option<Way> {
    let target = Literal::read(address.split('%').next()?)?.address;
    let source = match connect::source(target) {
        Ok(source) => source,
        Err(error) => {
            return Some(Way {
                fault: Some(fault(address, target, error)?),
                ..Way::default()
            });
        }
    };
    let links: Vec<InterfaceAddress> = getifaddrs().into_iter().flatten().collect();
    let link = links.iter().find(|one| ip_of(one) == Some(source));
    let device = link.map(|link| Outside::new(&link.interface_name));
    let net = link.and_then(|link| {
        let mask = connect::ip(link.netmask.as_ref()?)?;
        Some(IpNet::with_netmask(source, mask).ok()?.trunc())
    });
    let tunnel = link.is_some_and(|link| link.flags.contains(InterfaceFlags::IFF_POINTOPOINT));
    let via = via(target).filter(|_| !net.is_some_and(|net| net.contains(&target)));
    Some(Way {
        own: source == target,
        net: net.filter(|net| {
            let router = via.as_ref().and_then(|via| via.parse().ok());
            net.contains(&router.unwrap_or(target))
        }),
        source: Some(source.to_string()),
        tunnel,
        fault: link.and_then(unusable),
        device,
        via,
        ..Way::default()
    })
}

/// The neighbour `address` in /proc/net/arp (proc(5)).
pub fn neighbour(address: &str) -> Option<ip::Neighbour> {
    let rows = proc_net::neighbours(&text("/proc/net/arp")?).ok()?.rows;
    rows.into_iter().find(|one| one.address == address)
}

fn ip_of(one: &InterfaceAddress) -> Option<IpAddr> {
    connect::ip(one.address.as_ref()?)
}

/// The reason for the kernel's `error` about a route (`fib_props` in `net/ipv4/fib_semantics.c`).
fn fault(address: &str, target: IpAddr, error: Errno) -> Option<String> {
    let family = if target.is_ipv6() { "IPv6" } else { "IPv4" };
    Some(match error {
        Errno::ENETUNREACH => off().unwrap_or_else(|| {
            format!("this machine has no route to {address}, or no {family} address")
        }),
        Errno::EADDRNOTAVAIL | Errno::EAFNOSUPPORT => {
            format!("this machine has no {family} address")
        }
        Errno::EINVAL => {
            "a blackhole route or policy rule of this machine throws packets to it away".to_owned()
        }
        Errno::EHOSTUNREACH => {
            "an unreachable route or policy rule of this machine says that it is unreachable"
                .to_owned()
        }
        Errno::EACCES => {
            "a prohibit route or policy rule of this machine prohibits packets to it".to_owned()
        }
        _ => return None,
    })
}

/// Where all interfaces but loopback are down: one of them, in words.
fn off() -> Option<String> {
    let links: Vec<InterfaceAddress> = getifaddrs()
        .ok()?
        .filter(|one| !one.flags.contains(InterfaceFlags::IFF_LOOPBACK))
        .collect();
    let down = |one: &InterfaceAddress| !one.flags.contains(InterfaceFlags::IFF_UP);
    links.iter().all(down).then(|| unusable(links.first()?))?
}

/// Why nothing can go by the interface.
fn unusable(link: &InterfaceAddress) -> Option<String> {
    let device = super::words::name(&Outside::new(&link.interface_name));
    if !link.flags.contains(InterfaceFlags::IFF_UP) {
        Some(format!("this machine's interface {device} is down"))
    } else if !link.flags.contains(InterfaceFlags::IFF_RUNNING) {
        Some(format!(
            "this machine's interface {device} has no carrier: its cable or radio is not connected"
        ))
    } else {
        None
    }
}

/// The router that packets to `target` go to, by the longest prefix that holds it.
fn via(target: IpAddr) -> Option<String> {
    let routes = if target.is_ipv4() {
        proc_net::routes(&text("/proc/net/route")?)
    } else {
        proc_net::routes6(&text("/proc/net/ipv6_route")?)
    };
    let rows = routes.ok()?.rows;
    let length = |to: &str| match to.parse::<IpNet>() {
        _ if to == "default" => Some(0),
        Ok(net) => net.contains(&target).then(|| net.prefix_len()),
        Err(_) => (to.parse() == Ok(target)).then_some(128),
    };
    let holds = rows
        .into_iter()
        .filter_map(|row| Some((length(&row.to)?, row)));
    // Of several routes the one with the lowest metric counts.
    let best =
        holds.max_by_key(|(length, row)| (*length, std::cmp::Reverse(row.metric.unwrap_or(0))));
    best?.1.via
}

/// The most bytes of a file that are read.
const LONGEST: u64 = 1 << 20;

fn text(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok()?;
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_this_machine_itself_needs_no_program() {
        let way = way("127.0.0.1").expect("a way");
        assert!(way.own, "{way:?}");
        assert_eq!((way.via, way.fault), (None, None));
        assert_eq!(super::way("no address"), None);
    }

    #[test]
    fn each_error_of_the_kernel_is_a_fault_of_this_machine() {
        let target = IpAddr::from([10, 9, 0, 5]);
        for (error, words) in [
            (Errno::ENETUNREACH, Some("no route to 10.9.0.5")),
            (Errno::EINVAL, Some("blackhole")),
            (Errno::EHOSTUNREACH, Some("unreachable route")),
            (Errno::EACCES, Some("prohibit")),
            (Errno::ENOBUFS, None),
        ] {
            let told = fault("10.9.0.5", target, error);
            match words {
                Some(words) => assert!(told.is_some_and(|told| told.contains(words)), "{error}"),
                None => assert_eq!(told, None),
            }
        }
    }
}
