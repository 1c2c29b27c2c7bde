//! ping of iputils, with `-n`: the counts, the times, and what routers said.

use super::{Unreadable, bounds};

/// What came of pinging one address.
#[derive(Clone, Debug, PartialEq)]
pub struct Ping {
    /// Packets sent.
    pub sent: u32,
    /// Answers received.
    pub received: u32,
    /// Shortest, mean and longest time in milliseconds; none without answers.
    pub times: Option<(f64, f64, f64)>,
    /// What was said in place of an answer, and by whom: `(10.77.0.1, "Destination Net Unreachable")`; each once.
    pub errors: Vec<(String, &'static str)>,
}

/// What iputils says for ICMP errors (`ping_common.c`); other words are not repeated.
const ERRORS: &[&str] = &[
    "Destination Host Unreachable",
    "Destination Net Unreachable",
    "Destination Port Unreachable",
    "Destination Protocol Unreachable",
    "Destination unreachable: Address unreachable",
    "Destination unreachable: No route",
    "Destination unreachable: Administratively prohibited",
    "Destination unreachable: Port unreachable",
    "Packet filtered",
    "Time to live exceeded",
    "Time exceeded: Hop limit",
    "Frag needed and DF set",
    "Packet too big",
    "Redirect Host",
];

/// Reads the whole output.
///
/// # Errors
/// Where there are no statistics: ping could not begin, and says why on standard error.
pub fn read(text: &str) -> Result<Ping, Unreadable> {
    bounds::length(text)?;
    let mut counts = None;
    let mut times = None;
    let mut errors: Vec<(String, &'static str)> = Vec::new();
    for line in text.lines() {
        if let Some((sent, rest)) = line.split_once(" packets transmitted, ") {
            let received = rest.split(' ').next().unwrap_or("");
            counts = sent.parse().ok().zip(received.parse().ok());
        } else if let Some((_, numbers)) = line.split_once("min/avg/max/mdev = ") {
            let numbers: Vec<f64> = numbers
                .split(['/', ' '])
                .filter_map(|n| n.parse().ok())
                .collect();
            if let [low, mean, high, ..] = numbers[..] {
                times = Some((low, mean, high));
            }
        } else if let Some(rest) = line.strip_prefix("From ") {
            let by = rest
                .split([' ', ','])
                .next()
                .unwrap_or("")
                .trim_end_matches(':');
            let known = ERRORS.iter().find(|e| rest.contains(*e)).copied();
            if let (Ok(_), Some(error)) = (by.parse::<std::net::IpAddr>(), known)
                && !errors.contains(&(by.to_owned(), error))
                && errors.len() < 16
            {
                errors.push((by.to_owned(), error));
            }
        }
    }
    let (sent, received) = counts.ok_or(Unreadable::Form)?;
    Ok(Ping {
        sent,
        received,
        times,
        errors,
    })
}
