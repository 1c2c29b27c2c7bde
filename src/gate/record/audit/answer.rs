//! What comes of a question to the audit log.

use super::search::{FoundLines, Sum};
use super::verify::Report;

/// What a question to the log came to.
pub enum LogAnswer {
    /// Lines that match.
    Found(FoundLines),
    /// What went to which host.
    ByHost(Vec<Sum>, FoundLines),
    /// Whether the chains hold.
    Verified(Report),
}
