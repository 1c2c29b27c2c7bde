//! Reads and judges lists of TCP ports: numbers and ranges of numbers, at most 1,024 ports in all.

use std::fmt;

use super::judgement::{Judgement, Verdict};

/// The most ports of one call, each counted once.
pub const MAX_PORTS: usize = 1024;

/// The most bytes of text that are read: 1,024 ports of five digits, each named twice, with commas.
const MAX_TEXT: usize = 12_288;

/// Ports as ranges (first, last), sorted; neighbouring ranges are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ports(Vec<(u16, u16)>);

/// Why a list of ports is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPorts {
    #[error(
        "This is no list of ports. Write numbers and ranges with commas, for example 22,80,8000-8010."
    )]
    Form,
    #[error("A port is a number from 1 to 65535, without leading zeros.")]
    Number,
    #[error("A range of ports begins with its lower number, for example 8000-8010.")]
    Reversed,
    #[error("These are more than 1,024 ports. Name fewer.")]
    Many,
}

impl Ports {
    /// Reads a list such as `22,80,8000-8010`.
    pub fn read(text: &str) -> Result<Self, BadPorts> {
        if text.len() > MAX_TEXT {
            return Err(BadPorts::Many);
        }
        let mut ranges = Vec::new();
        for item in text.split(',') {
            ranges.push(match item.split_once('-') {
                None => {
                    let port = number(item)?;
                    (port, port)
                }
                Some((low, high)) => (number(low)?, number(high)?),
            });
        }
        if ranges.iter().any(|(low, high)| low > high) {
            return Err(BadPorts::Reversed);
        }
        ranges.sort_unstable();
        let mut apart: Vec<(u16, u16)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match apart.last_mut() {
                Some(last) if u32::from(low) <= u32::from(last.1) + 1 => last.1 = last.1.max(high),
                _ => apart.push((low, high)),
            }
        }
        let ports = Self(apart);
        if ports.count() > MAX_PORTS {
            return Err(BadPorts::Many);
        }
        Ok(ports)
    }

    /// How many ports there are.
    pub fn count(&self) -> usize {
        self.0
            .iter()
            .map(|(low, high)| usize::from(high - low) + 1)
            .sum()
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (low, high)) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            write!(f, "{low}")?;
            if high > low {
                write!(f, "-{high}")?;
            }
        }
        Ok(())
    }
}

fn number(text: &str) -> Result<u16, BadPorts> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(BadPorts::Form);
    }
    if text.starts_with('0') {
        return Err(BadPorts::Number);
    }
    text.parse().map_err(|_| BadPorts::Number)
}

pub(super) fn judge(text: &str) -> Judgement {
    match Ports::read(text) {
        Ok(ports) => Judgement::new(
            Verdict::Allow,
            match ports.count() {
                1 => "One port.".to_owned(),
                count => format!("{count} ports."),
            },
            Some(ports.to_string()),
        ),
        Err(bad) => Judgement::reject(bad.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_ports_count_once_and_come_out_sorted() {
        for (text, shown, count) in [
            ("443,80", "80,443", 2),
            ("80,80,80", "80", 1),
            ("1-1000,500-1024", "1-1024", 1024),
            ("80-80", "80", 1),
            ("65535,65534", "65534-65535", 2),
        ] {
            let ports = Ports::read(text).expect(text);
            assert_eq!((ports.to_string().as_str(), ports.count()), (shown, count));
        }
        assert_eq!(Ports::read("1-1024,2000"), Err(BadPorts::Many));
        assert_eq!(Ports::read("100-50"), Err(BadPorts::Reversed));
        assert_eq!(Ports::read("0-10"), Err(BadPorts::Number));
    }
}
