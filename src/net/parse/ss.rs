//! Reads `ss -H -tulpn`: listening sockets, one on each line, in columns.  ss has no JSON.

use super::{Bounded, Outside, Unreadable, bounds};

/// A listening socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listener {
    /// `tcp` or `udp`.
    pub protocol: String,
    /// The address on which it listens, `*` for all addresses.
    pub address: String,
    /// The interface to which it is bound.
    pub zone: Option<Outside>,
    /// Its port.
    pub port: u16,
    /// The programs behind the socket; only root sees the programs of other users.
    pub programs: Vec<Outside>,
}

/// Reads every line; lines of another form are skipped.
///
/// # Errors
/// The text is too long.
pub fn read(text: &str) -> Result<Bounded<Listener>, Unreadable> {
    bounds::length(text)?;
    Ok(Bounded::of(text.lines().filter_map(line)))
}

fn line(line: &str) -> Option<Listener> {
    let mut words = line.split_ascii_whitespace();
    let protocol = words.next().filter(|p| matches!(*p, "tcp" | "udp"))?;
    // The columns are State, Recv-Q, Send-Q, the local address, the peer's address.
    let local = words.nth(3)?;
    let (address, port) = local.rsplit_once(':')?;
    let (address, zone) = match address.split_once('%') {
        Some((address, zone)) => (address, Some(zone.trim_end_matches(']'))),
        None => (address, None),
    };
    let address = address.trim_matches(['[', ']']);
    if address != "*" && address.parse::<std::net::IpAddr>().is_err() {
        return None;
    }
    Some(Listener {
        protocol: protocol.to_owned(),
        address: address.to_owned(),
        zone: zone.map(Outside::new),
        port: port.parse().ok()?,
        programs: programs(line),
    })
}

/// The names in `users:(("nginx",pid=1,fd=6),("nginx",pid=2,fd=6))`, each once.
fn programs(line: &str) -> Vec<Outside> {
    let Some((_, users)) = line.split_once("users:((") else {
        return Vec::new();
    };
    let mut names: Vec<Outside> = Vec::new();
    for part in users
        .split("(\"")
        .map(|p| p.trim_start_matches('"'))
        .take(64)
    {
        if let Some((name, _)) = part.split_once("\",pid=") {
            let name = Outside::new(name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}
