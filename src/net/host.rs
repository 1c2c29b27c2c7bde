//! A host as a call names it, and the reverse name of an address.

use std::net::IpAddr;

use super::validate::{self, Check, Input, Judgement};
use crate::address::literal::Literal;

/// A host as a call names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// The host's name or address.
    pub name: String,
    /// Whether the caller said that it lies outside the user's own networks.
    pub external: bool,
}

impl Host {
    /// The name that must be looked up, or `None` where the host is named by its address.
    pub fn to_look_up(&self) -> Option<&str> {
        Literal::read(&self.name).is_none().then_some(&*self.name)
    }

    /// Judges the host by the addresses that a look-up gave.
    pub fn judge(&self, addresses: &[String]) -> Judgement {
        let input = Input::Host(&self.name, self.external);
        validate::validate(Check::Target, input, addresses)
    }
}

/// The reverse name of an address, `10.0.77.10.in-addr.arpa` for 10.77.0.10 (RFC 1035, section 3.5; RFC 3596, section 2.5).
pub(super) fn reverse(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, d] = address.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa")
        }
        IpAddr::V6(address) => {
            let bits = address.to_bits();
            let digits = (0..32).map(|nth| format!("{:x}.", bits >> (4 * nth) & 15));
            digits.collect::<String>() + "ip6.arpa"
        }
    }
}
