//! What is judged: the kind of input, and the input as it comes from Lisp.

/// What kind of input is judged.
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

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, check)| *check)
    }
}

/// What is judged, as loosely as it comes from Lisp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A string.
    Text(&'a str),
    /// A whole number, which only ports can be.
    Number(i64),
    /// A host, and whether the caller said that it lies outside.
    Host(&'a str, bool),
    /// Anything else, which is always rejected.
    Other,
}
