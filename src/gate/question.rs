//! What a person is asked about beside the call itself: what goes out as text, what it replaces, and what cannot be undone.

/// The part of a question that only the program's own code can say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// A sentence on what cannot be undone.
    pub undo: String,
    /// The texts that others will read.
    pub texts: Vec<Outgoing>,
    /// The argv of a read that gives what is there now as JSON, where the call replaces something and such a read is known.
    pub before: Option<Vec<String>>,
    /// What else is to be seen before a yes: a label of one word, and a line of clean text.
    pub rows: Vec<(&'static str, String)>,
    /// Why no lease may cover the call, whatever its class; none where the program's own code has nothing against it.
    pub no_lease: Option<&'static str>,
}

/// A text that the call sends, as it will be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// What it will be: `Title`, `Body`.
    pub label: String,
    /// The text, whole.
    pub text: String,
    /// Whether it takes the place of a text that is there now.
    pub replaces: bool,
    /// The field of what [`Question::before`] gives that it takes the place of.
    pub field: Option<&'static str>,
}
