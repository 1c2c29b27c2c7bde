//! The inputs that are judged: their kinds, and their values as they come from Lisp.

/// A kind of input that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// A host, by name or address.
    Target,
    /// A network, as ADDRESS/LENGTH.
    Subnet,
    /// A list of TCP ports.
    Ports,
    /// A DNS record type.
    DnsType,
    /// A DNS server, by address.
    DnsServer,
    /// A name to look up.
    DnsName,
}

impl Check {
    /// Every kind with the name that Lisp uses.
    pub const ALL: &[(&'static str, Self)] = &[
        ("target", Self::Target),
        ("subnet", Self::Subnet),
        ("ports", Self::Ports),
        ("dns-type", Self::DnsType),
        ("dns-server", Self::DnsServer),
        ("dns-name", Self::DnsName),
    ];

    /// The kind with the name `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, check)| *check)
    }
}

/// An input with the types that a Lisp value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A string.
    Text(&'a str),
    /// A whole number, which only ports can be.
    Number(i64),
    /// A host, and whether the caller said that it lies outside the user's own networks.
    Host(&'a str, bool),
    /// Anything else, which is always rejected.
    Other,
}
