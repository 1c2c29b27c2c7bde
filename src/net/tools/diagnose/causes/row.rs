//! A row of the table of causes.

use crate::net::tools::diagnose::evidence::Evidence;
use crate::net::tools::diagnose::findings::Findings;

/// A cause.
pub struct Cause {
    /// Its name, for tests and readers of the table.
    #[cfg_attr(not(test), allow(dead_code, reason = "only tests name a cause"))]
    pub name: &'static str,
    /// What must be found.
    pub found: fn(&Findings) -> bool,
    /// What must not.
    pub unless: fn(&Findings) -> bool,
    /// The sentence, after the host and before the full stop.
    pub says: fn(&Findings) -> String,
    /// What supports it.
    pub evidence: &'static [Evidence],
    /// What to do or look at next; empty: nothing.
    pub next: &'static str,
}
