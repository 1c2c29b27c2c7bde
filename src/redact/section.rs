//! Stretches of text that are read by what stands above them.

/// A stretch of text whose lines are read by what stands above them, such as the rows of a table.
pub(super) struct Section {
    /// What has to stand before `from` for the rest to be read alike.
    pub head: Vec<u8>,
    pub from: usize,
    pub end: usize,
}
