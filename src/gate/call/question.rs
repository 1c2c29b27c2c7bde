//! The question to a person about a call: one sentence on what will happen, the texts that go out, the facts about the thing that the
//! call concerns, and a sentence on what cannot be undone.

use std::fmt;
use std::sync::Arc;

/// The part of a question that only the program's own code can say.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// What will happen, where and as whom, without a full stop: `Comment on issue #2 in acme/tables, as octo`. Empty where the program's
    /// code has no sentence for the call.
    pub sentence: String,
    /// A sentence on the part of the call that cannot be undone.
    pub undo: String,
    /// The texts that are there already and that the call answers, shown above [`Self::texts`].
    pub quoted: Vec<Quoted>,
    /// The texts that others will read.
    pub texts: Vec<Outgoing>,
    /// The reads to make before the person is asked; none where no read would help the person to decide.
    pub look: Option<Arc<dyn Look>>,
    /// Further facts that the person sees before a yes.
    pub rows: Vec<Fact>,
    /// Whether the call changes files on this machine alone, and nothing at its target.
    pub local: bool,
    /// Why no lease may cover the call, whatever its class; none where the program's own code does not object to a lease.
    pub no_lease: Option<&'static str>,
}

/// A text that is there already: a remark that the call answers, or the lines of code that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quoted {
    /// Whose text it is, or what it is of, on one line: `mona, 2026-05-01 10:00 UTC`, `src/a.rs:12`.
    pub label: String,
    /// The clean text.
    pub text: String,
}

/// A text that the call sends, as others will read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outgoing {
    /// What the text is about, shown above it.
    pub above: Option<Quoted>,
    /// The kind of text: `Title`, `Body`.
    pub label: String,
    /// The whole text.
    pub text: String,
    /// Whether this text replaces a text that is there now.
    pub replaces: bool,
    /// The name under which [`Seen::texts`] has the text that is replaced.
    pub field: Option<&'static str>,
}

/// The reads about the thing that a call concerns, such as an issue, made before a person is asked.
pub trait Look: fmt::Debug + Send + Sync {
    /// The argv of each read. A read is a call of its own: judged, pinned and recorded.
    fn reads(&self) -> Vec<Vec<String>>;

    /// The facts for the person, from `answers`, which are in the order of [`Look::reads`].
    fn seen(&self, answers: &[Answered]) -> Seen;
}

/// The result of one read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The standard output, redacted. The read may have failed after this output: gh can print a part of the answer and then fail.
    Output(String),
    /// No output; with the name of the [error kind](crate::gate::decide::kind::ErrorKind), `policy-blocked` where the read may not run
    /// without approval.
    Nothing(String),
}

/// The facts that were read, by which a person decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// A new sentence for the question, with the title and the account; none: the sentence stays as it was.
    pub sentence: Option<String>,
    /// Facts about the thing that the call concerns, one on each line.
    pub facts: Vec<Fact>,
    /// The texts that are there now, each with its name in [`Outgoing::field`].
    pub texts: Vec<(&'static str, String)>,
    /// Arguments to add, so that the call does exactly what was shown, or nothing: for a merge, the commit that was shown as its head.
    pub supply: Vec<String>,
    /// The login that the call acts as, if a read returned it.
    pub account: Option<String>,
    /// Reads to make in place of the first ones, because the server did not know a part of them; else empty.
    /// If they equal the first reads, another try would give the same answer.
    pub again: Vec<Vec<String>>,
}

/// One line of [`Seen::facts`] or [`Question::rows`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The name of the fact, one or two words.
    pub label: &'static str,
    /// One line of clean text.
    pub text: String,
    /// Whether the fact speaks for or against the call.
    pub tone: Tone,
}

impl Fact {
    /// A fact that speaks neither for the call nor against it.
    pub fn plain(label: &'static str, text: impl Into<String>) -> Self {
        let (text, tone) = (text.into(), Tone::Plain);
        Self { label, text, tone }
    }
}

/// Whether a fact speaks for or against this call: failing checks are bad for a merge and plain for a comment. The tone only adds a
/// mark; the text states the fact on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// The fact speaks for the call: all checks passed.
    Good,
    /// The fact speaks neither for nor against the call.
    Plain,
    /// The fact deserves a second look: a merge of a draft, a public repository.
    Warning,
    /// The fact speaks against the call: a merge with failing checks, closing an issue that is closed.
    Bad,
}

impl Tone {
    /// The name of the tone in Lisp.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Plain => "plain",
            Self::Warning => "warning",
            Self::Bad => "bad",
        }
    }
}
