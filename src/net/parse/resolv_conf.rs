//! Reads /etc/resolv.conf (resolv.conf(5)).

use super::{Outside, Unreadable, bounds};
use crate::address::literal::Literal;

/// The configuration of the system's own resolver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolver {
    /// The servers, in order; glibc uses the first three.
    pub servers: Vec<Literal>,
    /// Domains that the resolver appends to a short name.
    pub search: Vec<Outside>,
    /// Options, as written.
    pub options: Vec<Outside>,
}

/// Reads the file.  The last `search` or `domain` line counts, as in glibc.
///
/// # Errors
/// The text is too long.
pub fn read(text: &str) -> Result<Resolver, Unreadable> {
    bounds::length(text)?;
    let mut out = Resolver::default();
    for line in text.lines().filter(|l| !l.starts_with(['#', ';'])) {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("nameserver") if out.servers.len() < 16 => {
                out.servers.extend(words.next().and_then(Literal::read));
            }
            Some("search" | "domain") => out.search = words.take(32).map(Outside::new).collect(),
            Some("options") => out.options.extend(words.take(32).map(Outside::new)),
            _ => {}
        }
    }
    Ok(out)
}
