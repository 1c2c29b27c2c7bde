//! Reads `resolvectl status`: which DNS servers systemd-resolved asks on which link, and for which domains.
//!
//! Keys are right-aligned in a column; systemd 252 prints some keys without a colon.

use super::{Bounded, Outside, Unreadable, bounds};

/// The servers of one link, or of all links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Servers {
    /// `Global`, or the link: `Link 2 (eth0)`.
    pub of: Outside,
    /// The servers as they are written: a port or a name for TLS may follow the address.
    pub servers: Vec<Outside>,
    /// Servers that are asked where there are no others.
    pub fallback: Vec<Outside>,
    /// Domains whose names these servers are asked about; a domain that begins with `~` is never appended to a short name.
    pub domains: Vec<Outside>,
    /// The state of DNSSEC: `yes/supported`.
    pub dnssec: Option<Outside>,
}

impl Servers {
    pub(super) fn new(of: &str) -> Self {
        Self {
            of: Outside::new(of),
            servers: Vec::new(),
            fallback: Vec::new(),
            domains: Vec::new(),
            dnssec: None,
        }
    }
}

/// The keys of lines that are read; lines with other keys are skipped.
const KEYS: &[&str] = &[
    "Current Scopes",
    "Current DNS Server",
    "Fallback DNS Servers",
    "DNS Servers",
    "DNS Domain",
    "Default Route",
    "Protocols",
    "resolv.conf mode",
];

/// The most values of one key that are kept.
const MOST: usize = 32;

/// Reads every block.
///
/// # Errors
/// The text is too long, or has no block.
pub fn read(text: &str) -> Result<Bounded<Servers>, Unreadable> {
    bounds::length(text)?;
    let (mut all, mut key): (Vec<Servers>, &str) = (Vec::new(), "");
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if line == "Global" || line.starts_with("Link ") {
            all.push(Servers::new(line));
            key = "";
            continue;
        }
        let Some(block) = all.last_mut() else {
            continue;
        };
        let line = line.trim();
        // A line without a key has more values of the key above.
        let mut values = line;
        if let Some(known) = KEYS.iter().find(|known| line.starts_with(*known)) {
            key = known;
            values = line[known.len()..].trim_start_matches(':');
        }
        let values = values.split_ascii_whitespace();
        match key {
            "DNS Servers" => extend(&mut block.servers, values),
            "Fallback DNS Servers" => extend(&mut block.fallback, values),
            "DNS Domain" => extend(&mut block.domains, values),
            "Protocols" => {
                let mut said = values.filter_map(|word| word.strip_prefix("DNSSEC="));
                if let Some(word) = said.next_back() {
                    block.dnssec = Some(Outside::new(word));
                }
            }
            _ => {}
        }
    }
    if all.is_empty() {
        return Err(Unreadable::Form);
    }
    Ok(Bounded::of(all.into_iter()))
}

fn extend<'a>(list: &mut Vec<Outside>, words: impl Iterator<Item = &'a str>) {
    let room = MOST.saturating_sub(list.len());
    list.extend(words.take(room).map(Outside::new));
}
