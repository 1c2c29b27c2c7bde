//! Reads the output of iputils' ping with `-n`: the counts, the times, and the errors that routers reported.

use super::{Unreadable, bounds};

/// The result of pinging one address.
#[derive(Clone, Debug, PartialEq)]
pub struct Ping {
    /// How many requests were sent.
    pub sent: u32,
    /// How many answers came.
    pub received: u32,
    /// The shortest, mean and longest time in milliseconds; `None` without answers.
    pub times: Option<(f64, f64, f64)>,
    /// How much the times differ, in milliseconds: ping's `mdev`, the standard deviation.
    pub jitter: Option<f64>,
    /// The errors in place of answers, with the host that reported them: `(10.77.0.1, "Destination Net Unreachable")`; each once.
    pub errors: Vec<(String, &'static str)>,
}

/// iputils' words for ICMP errors (`ping_common.c`); other words in the output are not shown.
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
/// The text has no statistics: ping could not begin, and says why on standard error.
pub fn read(text: &str) -> Result<Ping, Unreadable> {
    bounds::length(text)?;
    let mut counts = None;
    let (mut times, mut jitter) = (None, None);
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
                jitter = numbers.get(3).copied();
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
        jitter,
        errors,
    })
}
