//! Reads traceroute with `-n -q 1`: one hop on each line.

use std::net::IpAddr;

use super::{Unreadable, bounds};

/// A hop.
#[derive(Clone, Debug, PartialEq)]
pub struct Hop {
    /// Its number, from 1.
    pub number: u8,
    /// The address that answered; `None` for `*`.
    pub address: Option<IpAddr>,
    /// The time of the answer in milliseconds.
    pub time: Option<f64>,
    /// In words: the error that the hop reported, for a probe that went no further.
    pub note: Option<&'static str>,
}

/// traceroute's marks for errors, and their meanings (traceroute(8)).
const NOTES: &[(&str, &str)] = &[
    ("!H", "host unreachable"),
    ("!N", "network unreachable"),
    ("!P", "protocol unreachable"),
    ("!S", "source route failed"),
    ("!F", "fragmentation needed"),
    ("!X", "administratively prohibited"),
    ("!V", "host precedence violation"),
    ("!C", "precedence cutoff in effect"),
];

/// Reads every hop.
///
/// # Errors
/// The first line is not traceroute's own: traceroute could not begin, and says why on standard error.
pub fn read(text: &str) -> Result<Vec<Hop>, Unreadable> {
    bounds::length(text)?;
    let mut lines = text.lines();
    if !lines
        .next()
        .is_some_and(|l| l.starts_with("traceroute to "))
    {
        return Err(Unreadable::Form);
    }
    Ok(lines.filter_map(hop).take(255).collect())
}

fn hop(line: &str) -> Option<Hop> {
    let mut words = line.split_ascii_whitespace();
    let number = words.next()?.parse().ok()?;
    let (mut address, mut time, mut note) = (None, None, None);
    let mut last = "";
    for word in words {
        if word == "ms" {
            time = time.or_else(|| last.parse().ok());
        } else if let Some((_, words)) = NOTES
            .iter()
            // Some marks have a number: `!F-1280` is the largest packet that fits, `!<13>` any other code.
            .find(|(sign, _)| word.split('-').next() == Some(sign))
        {
            note = Some(*words);
        } else if word.starts_with("!<") {
            note = Some("another ICMP error");
        } else if address.is_none() {
            // A link-local address has its interface: `fe80::1%eth0`.
            address = word.split('%').next().and_then(|word| word.parse().ok());
        }
        last = word;
    }
    Some(Hop {
        number,
        address,
        time,
        note,
    })
}
