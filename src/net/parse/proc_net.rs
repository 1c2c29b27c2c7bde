//! Reads Linux's /proc/net, for machines with neither iproute2 nor net-tools.  Sources: proc(5), and where that manual is silent the
//! kernel's `net/ipv4/fib_trie.c` and `net/ipv6/route.c`.

use std::net::{Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

use super::ip::{Interface, Neighbour, Route};
use super::ss::Listener;
use super::{Bounded, Outside, Unreadable, bounds};

/// Reads /proc/net/tcp, tcp6, udp or udp6; `protocol` is `tcp` or `udp`.
///
/// # Errors
/// The text is too long, or has not the form of this file.
pub fn listeners(protocol: &str, text: &str) -> Result<Bounded<Listener>, Unreadable> {
    bounds::length(text)?;
    if !text.trim_start().starts_with("sl ") {
        return Err(Unreadable::Form);
    }
    // The states TCP_LISTEN, and for UDP TCP_CLOSE, which means a socket without a peer (`include/net/tcp_states.h`).
    let listening = if protocol == "tcp" { "0A" } else { "07" };
    Ok(Bounded::of(text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().take(8).collect();
        let [_, local, _, state, ..] = words.as_slice() else {
            return None;
        };
        let (address, port) = local.split_once(':').filter(|_| *state == listening)?;
        Some(Listener {
            protocol: protocol.to_owned(),
            address: match address.len() {
                8 => four(address)?.to_string(),
                _ => six_of_words(address)?.to_string(),
            },
            zone: None,
            port: u16::from_str_radix(port, 16).ok()?,
            programs: Vec::new(),
        })
    })))
}

/// Reads the neighbours of /proc/net/arp; the file says no more of their state than whether the hardware address is known.
///
/// # Errors
/// The text is too long, or has not the form of this file.
pub fn neighbours(text: &str) -> Result<Bounded<Neighbour>, Unreadable> {
    bounds::length(text)?;
    if !text.starts_with("IP address") {
        return Err(Unreadable::Form);
    }
    let rows = text.lines().skip(1).filter_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().take(6).collect();
        let [address, _, flags, mac, _, device] = words.as_slice() else {
            return None;
        };
        // ATF_COM (`include/uapi/linux/if_arp.h`): the entry is complete.
        let flags = u32::from_str_radix(flags.strip_prefix("0x")?, 16).ok()?;
        let known = flags & 2 != 0;
        let plain = |b: u8| b.is_ascii_hexdigit() || b == b':';
        let mac = (*mac).to_owned();
        Some(Neighbour {
            address: address.parse::<Ipv4Addr>().ok()?.to_string(),
            device: Outside::new(device),
            mac: Some(mac).filter(|mac| known && mac.len() == 17 && mac.bytes().all(plain)),
            state: if known { "STALE" } else { "INCOMPLETE" }.to_owned(),
            confirmed: None,
        })
    });
    Ok(Bounded::of(rows))
}

/// Reads the IPv4 routes of /proc/net/route.
///
/// # Errors
/// The text is too long, or has not the form of this file.
pub fn routes(text: &str) -> Result<Bounded<Route>, Unreadable> {
    bounds::length(text)?;
    if !text.starts_with("Iface") {
        return Err(Unreadable::Form);
    }
    let rows = text.lines().filter_map(|line| {
        let (net, device, gateway, metric) = route(line)?;
        Some(Route {
            to: shown(net.prefix_len(), &net),
            via: (!gateway.is_unspecified()).then(|| gateway.to_string()),
            device: Some(Outside::new(device)),
            source: None,
            table: None,
            kind: None,
            metric: (metric > 0).then_some(metric),
        })
    });
    Ok(Bounded::of(rows))
}

/// The network, the interface, the router and the metric of a line.
fn route(line: &str) -> Option<(Ipv4Net, &str, Ipv4Addr, u64)> {
    let words: Vec<&str> = line.split_ascii_whitespace().take(12).collect();
    let [device, to, gateway, flags, _, _, metric, mask, ..] = words.as_slice() else {
        return None;
    };
    if !usable(flags) {
        return None;
    }
    let net = Ipv4Net::with_netmask(four(to)?, four(mask)?).ok()?;
    Some((net, device, four(gateway)?, metric.parse().ok()?))
}

/// Reads the IPv6 routes of `/proc/net/ipv6_route` that `ip -6 route` shows: none to an address of this machine, none for
/// multicast.
///
/// # Errors
/// The text is too long.
pub fn routes6(text: &str) -> Result<Bounded<Route>, Unreadable> {
    /// The flag of a route to an address of this machine (`include/uapi/linux/ipv6_route.h`).
    const LOCAL: u32 = 0x8000_0000;
    bounds::length(text)?;
    Ok(Bounded::of(text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().take(12).collect();
        let [to, length, _, _, router, metric, _, _, flags, device] = words.as_slice() else {
            return None;
        };
        let local = u32::from_str_radix(flags, 16).ok()? & LOCAL != 0;
        let net = Ipv6Net::new(six(to)?, u8::from_str_radix(length, 16).ok()?).ok()?;
        if !usable(flags) || local || net.addr().is_multicast() {
            return None;
        }
        let router = six(router)?;
        let metric = u64::from_str_radix(metric, 16).ok()?;
        Some(Route {
            to: shown(net.prefix_len(), &net),
            via: (!router.is_unspecified()).then(|| router.to_string()),
            device: Some(Outside::new(device)),
            source: None,
            table: None,
            kind: None,
            metric: (metric > 0).then_some(metric),
        })
    })))
}

/// The interfaces of `/proc/net/dev` with the IPv6 addresses of `/proc/net/if_inet6` and the IPv4 addresses of
/// `/proc/net/fib_trie`.  `fib_trie` names no interfaces: an IPv4 address is given to the interface of the narrowest network in
/// `/proc/net/route` that contains the address.
///
/// # Errors
/// A text is too long, or `dev` has not the form of `/proc/net/dev`.
pub fn interfaces(
    dev: &str,
    if_inet6: &str,
    fib_trie: &str,
    route_text: &str,
) -> Result<Bounded<Interface>, Unreadable> {
    for text in [dev, if_inet6, fib_trie, route_text] {
        bounds::length(text)?;
    }
    if !dev.starts_with("Inter-|") {
        return Err(Unreadable::Form);
    }
    let mut all: Vec<Interface> = dev
        .lines()
        .skip(2)
        .filter_map(|line| line.rsplit_once(": ").or_else(|| line.split_once(':')))
        .map(|(name, _)| name.trim())
        .take(Bounded::<Interface>::MOST)
        .map(|name| Interface {
            name: Outside::new(name),
            state: "UNKNOWN".to_owned(),
            loopback: name == "lo",
            on: None,
            carrier: None,
            mac: None,
            tunnel: None,
            mtu: None,
            addresses: Vec::new(),
        })
        .collect();
    let mut give = |device: &str, address: String| {
        let device = Outside::new(device);
        if let Some(one) = all.iter_mut().find(|one| one.name == device)
            && !one.addresses.contains(&address)
            && one.addresses.len() < 64
        {
            one.addresses.push(address);
        }
    };
    let on_link: Vec<(Ipv4Net, &str)> = route_text
        .lines()
        .filter_map(route)
        .filter(|(net, _, router, _)| router.is_unspecified() && net.prefix_len() > 0)
        .map(|(net, device, ..)| (net, device))
        .collect();
    for address in own_addresses(fib_trie) {
        let best = on_link
            .iter()
            .filter(|(net, _)| net.contains(&address))
            .max_by_key(|(net, _)| net.prefix_len());
        match best {
            Some((net, device)) => give(device, format!("{address}/{}", net.prefix_len())),
            None if address.is_loopback() => give("lo", format!("{address}/8")),
            None => {}
        }
    }
    for line in if_inet6.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().take(8).collect();
        if let [address, _, length, _, _, device] = words.as_slice()
            && let (Some(address), Ok(length)) = (six(address), u8::from_str_radix(length, 16))
        {
            give(device, format!("{address}/{length}"));
        }
    }
    Ok(Bounded::of(all.into_iter()))
}

/// This machine's addresses: those in `fib_trie` that a line `/32 host LOCAL` follows.
fn own_addresses(fib_trie: &str) -> Vec<Ipv4Addr> {
    let (mut all, mut last) = (Vec::new(), None);
    for line in fib_trie.lines() {
        if let Some(address) = line.trim_start().strip_prefix("|-- ") {
            last = address.trim().parse().ok();
        } else if line.trim() == "/32 host LOCAL"
            && let Some(address) = last.take()
            && !all.contains(&address)
            && all.len() < Bounded::<Interface>::MOST
        {
            all.push(address);
        }
    }
    all
}

/// True for a route that is up and does not reject packets (`RTF_UP`, `RTF_REJECT` of include/uapi/linux/route.h).
fn usable(flags: &str) -> bool {
    u32::from_str_radix(flags, 16).is_ok_and(|flags| flags & 0x201 == 1)
}

fn shown(length: u8, net: &dyn ToString) -> String {
    if length == 0 {
        "default".to_owned()
    } else {
        net.to_string()
    }
}

/// An IPv4 address from 8 hexadecimal digits: the kernel prints the four bytes as one number in the machine's own byte order.
fn four(hex: &str) -> Option<Ipv4Addr> {
    let number = u32::from_str_radix(hex, 16)
        .ok()
        .filter(|_| hex.len() == 8)?;
    Some(Ipv4Addr::from(number.to_ne_bytes()))
}

/// An IPv6 address from four numbers as [`four`] reads them.
fn six_of_words(hex: &str) -> Option<Ipv6Addr> {
    let mut bytes = [0; 16];
    for at in 0..4 {
        let word = four(hex.get(8 * at..8 * at + 8)?)?;
        bytes[4 * at..4 * at + 4].copy_from_slice(&word.octets());
    }
    (hex.len() == 32).then(|| Ipv6Addr::from(bytes))
}

/// An IPv6 address from 32 hexadecimal digits in the address's own order.
fn six(hex: &str) -> Option<Ipv6Addr> {
    let bits = u128::from_str_radix(hex, 16)
        .ok()
        .filter(|_| hex.len() == 32)?;
    Some(Ipv6Addr::from_bits(bits))
}
