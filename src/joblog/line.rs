//! The lines of a log, without what stands around their text.

use std::borrow::Cow;

/// The kind of a line, by the runner's mark before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text of the step's program.
    Plain,
    /// `##[group]`: the title follows.
    Group,
    /// `##[endgroup]`
    EndGroup,
    /// `##[error]`: of the runner, of a workflow command or of a problem matcher.
    Error,
    /// `##[warning]`, `##[notice]` or `##[debug]`
    Aside,
    /// `[command]`: what an action is about to run.
    Command,
    /// A line of the step's script, which the runner prints in bold cyan.
    Script,
}

/// One line, without what stood around its text.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    pub text: Cow<'a, str>,
    pub kind: Kind,
    /// The index of its job and step in [`Log::origins`].
    pub origin: usize,
    /// Whether a time stamp stands before it; a message's further lines have none.
    pub stamped: bool,
}

/// A job and a step, as gh names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin<'a> {
    pub job: Option<&'a str>,
    pub step: Option<&'a str>,
}

/// A whole log.
pub(super) struct Log<'a> {
    pub lines: Vec<Line<'a>>,
    pub origins: Vec<Origin<'a>>,
}

/// The step's name that gh prints if it has no log of single steps.
pub(super) const UNKNOWN_STEP: &str = "UNKNOWN STEP";

/// The bytes of white space before the text.
pub(super) fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
