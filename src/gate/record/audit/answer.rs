//! What comes of a question to the audit log.

use super::search::{Found, Sum};
use super::verify::Report;

/// What a question to the log came to.
pub enum LogAnswer {
    /// Lines that match.
    Found(Found),
    /// What went to which host.
    ByHost(Vec<Sum>, Found),
    /// Whether the chains hold.
    Verified(Report),
}
