//! A host as a call names it, and the name under which an address is looked up.

use std::net::IpAddr;

use super::validate::{self, Check, Input, Judgement};
use crate::address::literal::Literal;

/// A host as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// By name or address.
    pub name: String,
    /// Whether the caller said that it lies outside the user's own networks.
    pub external: bool,
}

impl Host {
    /// The name, where it is one and no address: what must be looked up.
    pub fn to_look_up(&self) -> Option<&str> {
        Literal::read(&self.name).is_none().then_some(&*self.name)
    }

    /// How it is judged with the addresses that a look-up gave.
    pub fn judge(&self, addresses: &[String]) -> Judgement {
        let input = Input::Host(&self.name, self.external);
        validate::validate(Check::Target, input, addresses)
    }
}

/// The name under which the name of an address is kept (RFC 1035, section 3.5; RFC 3596, section 2.5).
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
