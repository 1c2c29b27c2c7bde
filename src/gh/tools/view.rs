//! A view: how a tool's result is made from gh's output, and from further calls.

use std::fmt::Debug;

use serde_json::Value;

use super::search;
use super::subject::{Names, Subject};
use crate::gate::{Cleaner, ErrorKind, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::call::plain::cut;
use crate::gh::graphql::lacks;
use crate::gh::render::{Clean, RenderError};
use crate::run::Captured;
use crate::text::json::parse_bounded;

/// How the result of a call is rendered.
pub trait View: Debug + Send + Sync {
    /// The result as text.
    ///
    /// # Errors
    /// Where gh's output cannot be read, and each error of a further call.
    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal>;

    /// What the first argument of the tool's argv names.
    fn names(&self) -> Names {
        Names::AsGiven
    }

    /// Whether the view has to know what the pinned call is about: it makes a request of its own, or a second call.
    fn needs_subject(&self) -> bool {
        self.names() != Names::AsGiven
    }

    /// The argv of the one request that takes the place of the tool's own argv, which then only names `subject`; `None`: the tool's own
    /// argv runs.
    ///
    /// # Errors
    /// `bad-argument` where the view cannot show `subject`.
    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        let _ = subject;
        Ok(None)
    }

    /// Whether the output may be longer than the usual cap, of which nothing but the rendered text is shown.
    fn heavy(&self) -> bool {
        false
    }

    /// Whether the output of a call that failed in part still has what the result needs.
    fn serves(&self, captured: &Captured) -> bool {
        let _ = captured;
        false
    }

    /// The argv of a second call that takes the first one's place, where the first was refused and this argv would not be; `None`: no
    /// second call.  `subject` is known where [`Self::names`] says that the argv names one.
    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let _ = (captured, subject);
        None
    }

    /// The whole text, where the result is an index or an extract of it: the shelf keeps this text in the result's place.
    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        let _ = (captured, clean);
        None
    }
}

/// What a view gets besides gh's output.
pub struct Around<'a> {
    /// What the call is about, where its argv names something.
    pub subject: Option<&'a Subject>,
    /// Plans further calls to the same place.
    pub followup: &'a Followup,
    /// Runs them.
    pub reads: &'a mut dyn Reads,
    /// Cleans every piece of text that is shown.
    pub clean: &'a Cleaner,
}

/// The options of views, each given by an argument of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewOptions {
    /// `true`: show up to 2 KB of the description; `false`: an excerpt.
    pub include_body: bool,
    /// `true`: show the last comments.
    pub include_comments: bool,
    /// `true`: show the last reviews.
    pub include_reviews: bool,
    /// A branch: of a repository, or one that a list of runs is limited to.
    pub branch: Option<String>,
    /// The state of a list: `open`, `closed`, `merged`, `all`.
    pub state: Option<String>,
    /// Words for GitHub's search.
    pub search: Option<String>,
    /// The limit of a list: the most entries that gh was asked for.
    pub limit: Option<u64>,
    /// The arguments of a search; of a list, its author and labels.
    pub arguments: search::arguments::Arguments,
    /// The path of a file that a pull request changes.
    pub file: Option<String>,
    /// The number of a hunk of that file, from 1.
    pub hunk: Option<u64>,
    /// The id of a workflow run.
    pub run: Option<u64>,
    /// The id of a job of that run.
    pub job: Option<u64>,
}

/// The text that a view rendered from `captured`, or the error that explains why there is none.
///
/// # Errors
/// `truncated` where the JSON ends too early, `gh-exit` where the output is not what the view expects.
pub(super) fn rendered<T>(text: Result<T, RenderError>, captured: &Captured) -> Result<T, Refusal> {
    text.map_err(|error| match error {
        RenderError::Truncated => cut(captured.stdout.shown_head),
        other => Refusal::new(
            ErrorKind::Failed,
            format!(
                "{other}.\nRun `M-x cj/gh-doctor', or call the tool `gh' with the same command to see the text as it is."
            ),
        ),
    })
}

/// Renders gh's JSON by `render`, which gets the bytes and a function that cleans text.
///
/// # Errors
/// As [`rendered`].
pub(super) fn json<T>(
    captured: &Captured,
    around: &Around<'_>,
    render: impl FnOnce(&[u8], Clean<'_>) -> Result<T, RenderError>,
) -> Result<T, Refusal> {
    let head = captured.stdout.head();
    rendered(
        render(head.reveal(), &|text| around.clean.text(text)),
        captured,
    )
}

/// gh's output as JSON, where it is JSON: of a call that failed, GitHub's whole answer.
pub(super) fn answer(captured: &Captured) -> Option<Value> {
    parse_bounded(captured.stdout.head().reveal()).ok()
}

/// The refusal of an output that is not what was asked for.
pub(super) fn unread() -> Refusal {
    Refusal::new(
        ErrorKind::Failed,
        "GitHub's answer cannot be read.\nTry again; then run `M-x cj/gh-doctor'.",
    )
}

/// Whether the call was rejected for fields that the host of `subject` is now known to lack, so that it may be made without them.
pub(super) fn lacking(captured: &Captured, subject: &Subject) -> bool {
    answer(captured).is_some_and(|answer| lacks::remember(&subject.target.host, &answer))
}
