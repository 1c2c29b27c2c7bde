//! Judges DNS record types and servers: types on a list, and servers that are private or on a short list.

use super::judgement::{Judgement, Verdict};
use crate::address::literal::Literal;
use crate::address::ranges::{self, Kind};

/// Record types that may be looked up, and what each tells.
pub const TYPES: &[(&str, &str)] = &[
    ("A", "IPv4 addresses"),
    ("AAAA", "IPv6 addresses"),
    ("MX", "mail servers"),
    ("NS", "name servers"),
    ("TXT", "text"),
    ("SRV", "where a service runs"),
    ("CAA", "who may sign certificates"),
    ("CNAME", "what a name is another name of"),
    ("PTR", "the name of an address"),
    ("SOA", "who keeps the zone"),
];

/// Types that are refused with a reason of their own.
const REFUSED_TYPES: &[(&str, &str)] = &[
    ("AXFR", "AXFR copies a whole zone."),
    ("IXFR", "IXFR copies a whole zone."),
    (
        "ANY",
        "ANY asks for everything at once, which servers refuse and attackers amplify.",
    ),
    (
        "*",
        "`*' asks for everything at once, which servers refuse and attackers amplify.",
    ),
];

/// The public servers that may be asked, and whose they are.  With any other server, a look-up could probe that server or send data
/// to whoever keeps it.
const SERVERS: &[(&str, &str)] = &[
    ("1.1.1.1", "Cloudflare's resolver"),
    ("8.8.8.8", "Google's resolver"),
    ("9.9.9.9", "Quad9's resolver"),
];

pub(super) fn judge_type(text: &str) -> Judgement {
    if let Some((name, what)) = TYPES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text))
    {
        return Judgement::new(
            Verdict::Allow,
            format!("{name} records: {what}."),
            Some((*name).to_owned()),
        );
    }
    let why = REFUSED_TYPES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text))
        .map_or("This type is not looked up.", |(_, why)| why);
    let known: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
    Judgement::reject(format!("{why} Use one of {}.", known.join(", ")))
}

pub(super) fn judge_server(text: &str) -> Judgement {
    let Some(literal) = Literal::read(text) else {
        return Judgement::reject(
            "A DNS server is named by its address alone: no name, no port, no other spelling. Leave it out for the system's own.",
        );
    };
    let shown = literal.to_string();
    if let Some((_, whose)) = SERVERS.iter().find(|(known, _)| *known == shown) {
        return Judgement::new(Verdict::Allow, format!("{shown} is {whose}."), Some(shown));
    }
    let range = ranges::of(literal.address);
    match range.kind {
        Kind::Private => Judgement::new(
            Verdict::Allow,
            format!("{shown} is {}.", range.what),
            Some(shown),
        ),
        _ => Judgement::reject(format!(
            "{shown} is {}, and no listed server. Use a private one, 1.1.1.1, 8.8.8.8 or 9.9.9.9.",
            range.what
        )),
    }
}
