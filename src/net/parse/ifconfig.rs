//! Reads `ifconfig -a`, for machines without `ip`: the forms of net-tools 2 and of the BSDs, which differ in blanks and in the mask.
//!
//! The form of old net-tools (`Link encap:`) is not read.

use std::net::Ipv4Addr;

use super::ip::Interface;
use super::{Bounded, Outside, Unreadable, bounds};

/// Reads every interface.
///
/// # Errors
/// The text is too long, or has no interface.
pub fn read(text: &str) -> Result<Bounded<Interface>, Unreadable> {
    bounds::length(text)?;
    let mut all: Vec<Interface> = Vec::new();
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(last) = all.last_mut() {
                detail(last, line);
            }
        } else if let Some(new) = head(line) {
            all.push(new);
        }
    }
    if all.is_empty() {
        return Err(Unreadable::Form);
    }
    Ok(Bounded::of(all.into_iter()))
}

/// The interface of a head line: `eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500`.
fn head(line: &str) -> Option<Interface> {
    let (name, rest) = line.split_once(": flags=")?;
    let (_, flags) = rest.split_once('<')?;
    let (flags, _) = flags.split_once('>')?;
    let has = |flag: &str| flags.split(',').any(|known| known == flag);
    let state = match (has("UP"), has("RUNNING")) {
        (false, _) => "DOWN",
        (true, false) => "NO-CARRIER",
        (true, true) => "UP",
    };
    Some(Interface {
        name: Outside::new(name),
        state: state.to_owned(),
        loopback: has("LOOPBACK"),
        on: Some(has("UP")),
        carrier: Some(has("RUNNING")),
        mac: None,
        tunnel: None,
        mtu: None,
        addresses: Vec::new(),
    })
}

/// Adds the facts of a line below the head: `inet ADDRESS … netmask MASK`, `inet6 ADDRESS … prefixlen LENGTH`, `ether MAC`.
fn detail(interface: &mut Interface, line: &str) {
    let words: Vec<&str> = line.split_ascii_whitespace().take(32).collect();
    let after = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1).copied()
    };
    let address = match words.as_slice() {
        ["inet", address, ..] => address
            .parse::<Ipv4Addr>()
            .ok()
            .zip(after("netmask").and_then(mask))
            .map(|(address, length)| format!("{address}/{length}")),
        ["inet6", address, ..] => {
            // The BSDs add the zone, `fe80::1%lo0`, which repeats the interface's name.
            let bare = address.split('%').next().unwrap_or(address);
            bare.parse::<std::net::Ipv6Addr>()
                .ok()
                .zip(after("prefixlen").and_then(|length| length.parse::<u8>().ok()))
                .map(|(address, length)| format!("{address}/{length}"))
        }
        ["ether", mac, ..] if mac.len() <= 32 && mac.bytes().all(hardware) => {
            interface.mac = Some((*mac).to_owned());
            None
        }
        _ => None,
    };
    interface
        .addresses
        .extend(address.filter(|_| interface.addresses.len() < 64));
}

fn hardware(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || byte == b':'
}

/// The prefix length of a mask: 24 for `255.255.255.0` and `0xffffff00`.
fn mask(text: &str) -> Option<u32> {
    let bits = match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => u32::from(text.parse::<Ipv4Addr>().ok()?),
    };
    (bits.leading_ones() == bits.count_ones()).then(|| bits.leading_ones())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written after the manuals of ifconfig on macOS and FreeBSD; not recorded there.
    const BSD: &str = "lo0: flags=8049<UP,LOOPBACK,RUNNING,MULTICAST> mtu 16384\n\tinet 127.0.0.1 netmask 0xff000000 \n\tinet6 fe80::1%lo0 prefixlen 64 scopeid 0x1 \nen0: flags=8863<UP,BROADCAST,SMART,RUNNING,SIMPLEX,MULTICAST> mtu 1500\n\tether 02:77:00:00:00:10 \n\tinet6 fe80::77:ff:fe00:10%en0 prefixlen 64 secured scopeid 0x4 \n\tinet 10.77.0.10 netmask 0xffffff00 broadcast 10.77.0.255\n\tstatus: active\nen1: flags=8822<BROADCAST,SMART,SIMPLEX,MULTICAST> mtu 1500\n";

    #[test]
    fn the_form_of_the_bsds_is_read_too() {
        let all = read(BSD).expect("interfaces").rows;
        let told: Vec<(&str, &str, bool, usize)> = all
            .iter()
            .map(|one| {
                (
                    one.name.as_str(),
                    one.state.as_str(),
                    one.loopback,
                    one.addresses.len(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("lo0", "UP", true, 2),
                ("en0", "UP", false, 2),
                ("en1", "DOWN", false, 0)
            ]
        );
        assert_eq!(
            all[1].addresses,
            ["fe80::77:ff:fe00:10/64", "10.77.0.10/24"]
        );
        assert_eq!(all[1].mac.as_deref(), Some("02:77:00:00:00:10"));
        assert_eq!(read("eth0      Link encap:Ethernet"), Err(Unreadable::Form));
        assert_eq!(mask("255.0.255.0"), None);
    }
}
