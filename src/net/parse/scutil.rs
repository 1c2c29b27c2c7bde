//! Reads `scutil --dns` of macOS: one resolver is for all names, the others are for some domains or interfaces.

use super::resolvectl::Servers;
use super::{Bounded, Outside, Unreadable, bounds};

/// Reads every resolver that has servers.  Resolvers for one interface alone repeat the others and are left out.
///
/// # Errors
/// The text is too long, or has no resolver.
pub fn read(text: &str) -> Result<Bounded<Servers>, Unreadable> {
    bounds::length(text)?;
    if !text.starts_with("DNS configuration") {
        return Err(Unreadable::Form);
    }
    let mut all: Vec<Servers> = Vec::new();
    for line in text.lines() {
        if line.starts_with("DNS configuration (for scoped queries)") {
            break;
        }
        if line.starts_with("resolver #") {
            all.push(Servers::new(line));
        } else if let (Some(last), Some((key, value))) = (all.last_mut(), line.split_once(" : ")) {
            let key = key.trim();
            if key.starts_with("nameserver[") && last.servers.len() < 16 {
                last.servers.push(Outside::new(value.trim()));
            } else if (key.starts_with("search domain[") || key == "domain")
                && last.domains.len() < 32
            {
                last.domains.push(Outside::new(value.trim()));
            }
        }
    }
    all.retain(|one| !one.servers.is_empty());
    Ok(Bounded::of(all.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written after Apple's documents; not recorded on macOS.
    const DNS: &str = "DNS configuration\n\nresolver #1\n  search domain[0] : lab.test\n  nameserver[0] : 10.77.0.53\n  nameserver[1] : fd77::53\n  if_index : 6 (en0)\n  flags    : Request A records\n  reach    : 0x00020002 (Reachable,Directly Reachable Address)\n\nresolver #2\n  domain   : local\n  options  : mdns\n  timeout  : 5\n\nDNS configuration (for scoped queries)\n\nresolver #1\n  nameserver[0] : 10.77.0.53\n";

    #[test]
    fn the_resolvers_that_have_servers_are_read() {
        let all = read(DNS).expect("resolvers").rows;
        assert_eq!(all.len(), 1);
        let servers: Vec<&str> = all[0].servers.iter().map(Outside::as_str).collect();
        assert_eq!(servers, ["10.77.0.53", "fd77::53"]);
        assert_eq!(all[0].domains[0].as_str(), "lab.test");
        assert_eq!(read("No DNS"), Err(Unreadable::Form));
    }
}
