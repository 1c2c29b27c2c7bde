//! The answer to a question about the audit log.

use super::search::{FoundLines, Sum};
use super::verify::Report;

/// The answer to one question about the log.
pub enum LogAnswer {
    /// The lines that match a search.
    Found(FoundLines),
    /// The sums of calls per host; the second field has the counts of lines and the unread files.
    ByHost(Vec<Sum>, FoundLines),
    /// The result of checking every hash chain.
    Verified(Report),
}
