//! Whether an installed gh meets the needs of one call.

/// Whether the installed gh meets the needs of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// gh has not been asked yet.
    Unasked,
    /// gh has every word and flag of the call, and they are those of the catalog.
    Has,
    /// gh lacks a word or flag, or its answers do not show that it has it; the reason is the rest of a sentence that begins with the command.
    Lacks(String),
}
