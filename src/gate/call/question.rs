//! What a person is asked about a call: what will happen in one sentence, what goes out as text, what it concerns, what cannot be undone.

use std::fmt;
use std::sync::Arc;

/// The part of a question that only the program's own code can say.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// What will happen, where and as whom, without a full stop: `Comment on issue #2 in acme/tables, as octo`. Empty: there are no words for it.
    pub sentence: String,
    /// A sentence on what cannot be undone.
    pub undo: String,
    /// The texts that others will read.
    pub texts: Vec<Outgoing>,
    /// What is read before a person is asked; none where nothing is known that would help to decide.
    pub look: Option<Arc<dyn Look>>,
    /// What else is to be seen before a yes.
    pub rows: Vec<Fact>,
    /// Whether the call changes files on this machine alone, and nothing at its target.
    pub local: bool,
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
    /// Under which name [`Seen::texts`] has the text that it takes the place of.
    pub field: Option<&'static str>,
}

/// What the program reads about the thing that a call concerns, before a person is asked.
pub trait Look: fmt::Debug + Send + Sync {
    /// The argv of each read. A read is a call of its own: judged, pinned and recorded.
    fn reads(&self) -> Vec<Vec<String>>;

    /// What the answers say.
    ///
    /// `answers` are in the order of [`Look::reads`].
    fn seen(&self, answers: &[Answered]) -> Seen;
}

/// What came of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// Its standard output, redacted. A program may print what it got and still fail, so this is no promise of sense.
    Output(String),
    /// Nothing: the kind of error, or `policy-blocked` where it may not run unasked.
    Nothing(String),
}

/// What a person decides by, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The sentence of the question, now with the title and the account; none: as it was.
    pub sentence: Option<String>,
    /// What the call concerns, one fact a line.
    pub facts: Vec<Fact>,
    /// The texts that are there now, by the names of [`Outgoing::field`].
    pub texts: Vec<(&'static str, String)>,
    /// Arguments to be added, so that the call does what was shown or nothing: the head that is merged.
    pub supply: Vec<String>,
    /// The login that the call acts as, where it was read.
    pub account: Option<String>,
    /// Reads to be made in the place of those that were answered, since the far end said that it knows a part of them not; else empty.
    /// Where they are the very ones that were answered, another try would tell no more.
    pub again: Vec<Vec<String>>,
}

/// One line of [`Seen::facts`] or [`Question::rows`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// A word or two.
    pub label: &'static str,
    /// One line of clean text.
    pub text: String,
    /// How it bears on the decision.
    pub tone: Tone,
}

impl Fact {
    /// `text` under `label`, which speaks neither for the call nor against it.
    pub fn plain(label: &'static str, text: impl Into<String>) -> Self {
        let (text, tone) = (text.into(), Tone::Plain);
        Self { label, text, tone }
    }
}

/// How a fact bears on the decision about this very call: failing checks are bad for a merge and plain for a comment. The text says it too;
/// this only marks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// It is as one would wish: all checks passed.
    Good,
    /// It is neither, or does not bear on this call.
    Plain,
    /// It deserves a second look: a merge of a draft, a public repository.
    Warning,
    /// It speaks against a yes: a merge with failing checks, a closing of what is closed.
    Bad,
}

impl Tone {
    /// The word for it in Lisp.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Plain => "plain",
            Self::Warning => "warning",
            Self::Bad => "bad",
        }
    }
}
