//! A view: how a tool's result is made of what gh printed, and of further calls.

use std::fmt::Debug;

use crate::gate::{Cleaner, ErrorKind, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::call::plain::cut;
use crate::gh::render::{Clean, RenderError};
use crate::run::Captured;

/// How the result of a call is rendered.
pub trait View: Debug + Send + Sync {
    /// The result as text.
    ///
    /// # Errors
    /// Where what gh printed cannot be read, and whatever a further call comes to.
    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal>;

    /// The argv with which the call is to be made once more, where `captured` says that gh gave nothing without it.
    fn once_more(&self, captured: &Captured) -> Option<Vec<String>> {
        let _ = captured;
        None
    }

    /// What the result stands for where that is an index or an extract: kept on the shelf in its place.
    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        let _ = (captured, clean);
        None
    }
}

/// What a view has besides what gh printed.
pub struct Around<'a> {
    /// Plans further calls to the same place.
    pub followup: &'a Followup,
    /// Runs them.
    pub reads: &'a mut dyn Reads,
    /// Cleans every piece of text that is shown.
    pub clean: &'a Cleaner,
}

/// What a view can be told, each by the argument of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewOptions {
    /// The whole description instead of an excerpt, up to 2 KB.
    pub include_body: bool,
    /// A branch, of a repository or of a list of runs.
    pub branch: Option<String>,
    /// The state of a list: `open`, `closed`, `merged`, `all`.
    pub state: Option<String>,
    /// Words for GitHub's search.
    pub search: Option<String>,
    /// At most so many were asked for.
    pub limit: Option<u64>,
    /// A file of a pull request.
    pub file: Option<String>,
    /// A hunk of that file, from 1.
    pub hunk: Option<u64>,
    /// A pull request.
    pub number: Option<u64>,
    /// A workflow run.
    pub run: Option<u64>,
    /// A job of it.
    pub job: Option<u64>,
}

/// What was rendered of `captured`.
///
/// # Errors
/// `truncated` where only a beginning was kept, `gh-exit` where it is of another form than gh's.
pub(super) fn rendered(
    text: Result<String, RenderError>,
    captured: &Captured,
) -> Result<String, Refusal> {
    text.map_err(|error| match error {
        RenderError::Truncated => cut(captured.stdout.shown_head),
        other => Refusal::new(
            ErrorKind::GhExit,
            format!(
                "{other}.\nRun `M-x cj/gh-doctor', or call the tool `gh' with the same command to see the text as it is."
            ),
        ),
    })
}

/// Renders gh's JSON by `render`, which gets the bytes and what cleans text.
///
/// # Errors
/// As [`rendered`].
pub(super) fn json(
    captured: &Captured,
    around: &Around<'_>,
    render: impl FnOnce(&[u8], Clean<'_>) -> Result<String, RenderError>,
) -> Result<String, Refusal> {
    let head = captured.stdout.head();
    rendered(
        render(head.reveal(), &|text| around.clean.text(text)),
        captured,
    )
}
