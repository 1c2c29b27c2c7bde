//! What is known of an installed gh with regard to one call.

/// What is known of the installed gh with regard to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has not been asked yet.
    Unasked,
    /// It has every word and flag of the call, and they are those of the catalog.
    Has,
    /// It lacks one, or that cannot be told; why, as the rest of a sentence that begins with the command.
    Lacks(String),
}
