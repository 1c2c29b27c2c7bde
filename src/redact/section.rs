//! Sections: stretches of text that a header above them explains.

/// A stretch of text that a header above it explains: the rows of a table, the `data` of a Kubernetes Secret.
pub(super) struct Section {
    /// The header. Put before any later line of the section, it makes that line be read as part of the section.
    pub head: Vec<u8>,
    pub from: usize,
    pub end: usize,
}
