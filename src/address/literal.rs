//! Addresses as text: one spelling is read as an address; every other spelling that programs take is recognized, to be refused.
//!
//! Programs take more spellings than `10.0.0.1`: nmap, ping, curl and traceroute also read `0x0a.0.0.1`, `012.0.0.1`, `10.1` and
//! `167772161` as this address (`inet_aton`).  None of these may be taken for a name and looked up.

use std::fmt;
use std::net::IpAddr;

use super::ranges::unwrapped;

/// An address, with the interface that a link-local one needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The address; an IPv4 address is never in its v4-mapped IPv6 form.
    pub address: IpAddr,
    /// The zone of a link-local address, `eth0` in `fe80::1%eth0`.
    pub zone: Option<String>,
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)?;
        if let Some(zone) = &self.zone {
            write!(f, "%{zone}")?;
        }
        Ok(())
    }
}

/// The most bytes of an interface's name on Linux (`IFNAMSIZ` less its NUL).
const MAX_ZONE: usize = 15;

impl Literal {
    /// Reads an address in the one accepted spelling: four decimal numbers without leading zeros, or the text form of RFC 4291 for IPv6.
    /// None for any other text.
    pub fn read(text: &str) -> Option<Self> {
        let (address, zone) = match text.split_once('%') {
            Some((address, zone)) => (address, Some(zone)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        if let Some(zone) = zone {
            // A URL writes the sign `%` as `%25`, so `%25eth0` may mean `%eth0`; no zone may begin with 25.
            let named = (1..=MAX_ZONE).contains(&zone.len())
                && zone
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
                && !zone.starts_with(['-', '.'])
                && !zone.starts_with("25");
            let link_local = matches!(address, IpAddr::V6(v6) if v6.is_unicast_link_local());
            if !named || !link_local {
                return None;
            }
        }
        Some(Self {
            address: unwrapped(address),
            zone: zone.map(str::to_owned),
        })
    }
}

/// Whether a program could read `text` as addresses in another spelling: its last label is a number in any base that `inet_aton`
/// knows, or a range of numbers as nmap takes it (`10.0.0.1-5`).  The URL standard's "ends in a number checker" also looks at the
/// last label.
pub fn ends_in_a_number(text: &str) -> bool {
    let text = text.strip_suffix('.').unwrap_or(text);
    let last = text.rsplit('.').next().unwrap_or(text);
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let hex = last
        .strip_prefix("0x")
        .or_else(|| last.strip_prefix("0X"))
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    digits(last) || hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_is_an_address_and_a_mapped_one_is_unwrapped() {
        for (text, shown) in [
            ("10.0.0.1", Some("10.0.0.1")),
            ("::FFFF:10.0.0.1", Some("10.0.0.1")),
            ("FD00:0:0::1", Some("fd00::1")),
            ("fe80::1%eth0.7", Some("fe80::1%eth0.7")),
            ("010.0.0.1", None),
            ("10.0.0.1.", None),
            ("10.0.0.1%eth0", None),
            ("fd00::1%eth0", None),
            ("fe80::1%", None),
            ("fe80::1%25eth0", None),
            ("fe80::1%-x", None),
            ("fe80::1%eth0%eth1", None),
        ] {
            let read = Literal::read(text).map(|l| l.to_string());
            assert_eq!(read.as_deref(), shown, "{text}");
        }
    }
}
