//! What a call does with its subject, and which states of the subject speak against the call.
//!
//! Failing checks speak against a merge but not against a comment, so the tone of a fact depends on the call.

use crate::gate::call::question::Tone;
use crate::gh::judge::api;
use crate::gh::judge::approval::approval;
use crate::gh::parse::Parsed;

/// What a call does with its subject, as far as a state of the subject can speak against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// An act that no state of the subject speaks against, such as a comment.
    Other,
    /// A merge now.
    Merge,
    /// A merge as soon as the branch's requirements are met.
    MergeLater,
    /// A merge that was to come later is cancelled.
    StopMerge,
    /// The subject is closed.
    Close,
    /// The subject is opened again.
    Reopen,
    /// A draft becomes ready for review.
    Ready,
    /// A pull request becomes a draft again.
    Draft,
    /// The base is merged into the branch.
    Update,
    /// A review that approves.
    Approve,
    /// A review that does not approve.
    Review,
    /// A pull request is opened that takes back a merge.
    Revert,
    /// A branch is made for an issue.
    Develop,
    /// A run starts again.
    Rerun,
    /// The failed jobs of a run start again.
    RerunFailed,
    /// A run ends.
    Cancel,
    /// A workflow may run.
    Enable,
    /// A workflow may not run.
    Disable,
    /// A workflow runs.
    Start,
    /// A label is made; one of that name is left alone.
    MakeLabel,
    /// A label is made in place of one of that name.
    ReplaceLabel,
    /// A repository takes no more writes.
    Archive,
    /// A repository takes writes again.
    Unarchive,
}

/// A fact about a subject that may speak against a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gh::question) enum Aspect {
    /// Checks that failed.
    Checks,
    /// Checks that still run, or a review that is missing.
    Unfinished,
    /// Changes that were requested.
    Review,
    /// Conflicts with the base.
    Conflicts,
    /// Rules of the branch that are not met.
    Blocked,
    /// Commits of the base that the branch lacks.
    Behind,
    IsDraft,
    IsClosed,
    IsArchived,
}

/// The acts that each aspect speaks against. [`Aspect::IsArchived`] has no row: an archived repository takes no writes, so this
/// aspect speaks against every act but [`Act::Unarchive`].
const AGAINST: &[(Aspect, &[Act])] = &[
    (
        Aspect::Checks,
        &[Act::Merge, Act::MergeLater, Act::Ready, Act::Approve],
    ),
    // `--auto` waits for checks, reviews and rules, so these two aspects do not speak against a later merge.
    (Aspect::Unfinished, &[Act::Merge]),
    (Aspect::Blocked, &[Act::Merge]),
    (Aspect::Review, &[Act::Merge, Act::MergeLater]),
    (
        Aspect::Conflicts,
        &[Act::Merge, Act::MergeLater, Act::Update],
    ),
    (Aspect::Behind, &[Act::Merge, Act::MergeLater]),
    (
        Aspect::IsDraft,
        &[Act::Merge, Act::MergeLater, Act::Approve],
    ),
    (
        Aspect::IsClosed,
        &[
            Act::Merge,
            Act::MergeLater,
            Act::StopMerge,
            Act::Close,
            Act::Ready,
            Act::Draft,
            Act::Update,
            Act::Approve,
            Act::Review,
            Act::Develop,
        ],
    ),
];

impl Act {
    /// The tone of a fact about `aspect`: `tone` if the aspect bears on this act, else plain.
    pub(in crate::gh::question) fn tone(self, aspect: Aspect, tone: Tone) -> Tone {
        let bears = match aspect {
            Aspect::IsArchived => self != Self::Unarchive,
            _ => (AGAINST.iter()).any(|(row, acts)| *row == aspect && acts.contains(&self)),
        };
        if bears { tone } else { Tone::Plain }
    }

    /// What `call` does.
    pub(in crate::gh::question) fn of(call: &Parsed) -> Self {
        let path = call.leaf.path.as_str();
        if path == "api" {
            return of_endpoint(call);
        }
        let fits = |(command, flag, _): &&(&str, &str, Self)| {
            *command == path && (flag.is_empty() || call.is_on(flag))
        };
        ACTS.iter()
            .find(fits)
            .map_or(Self::Other, |(_, _, act)| *act)
    }

    /// Why this act would change nothing about a pull request or an issue; `None` if it would change something.
    ///
    /// `state` is `OPEN`, `CLOSED` or `MERGED`; `draft` says whether the pull request is a draft, `branch_too` whether the call deletes
    /// its branch. Source: gh 2.92.0 and 2.103.3, which in these states end before they post a comment; GitHub's REST API reference,
    /// 2026.
    pub(in crate::gh::question) fn changes_nothing(
        self,
        state: &str,
        draft: bool,
        branch_too: bool,
    ) -> Option<&'static str> {
        Some(match (self, state) {
            (Self::Merge | Self::MergeLater, "MERGED") if branch_too => {
                "already merged: only its branch would be deleted"
            }
            (
                Self::Merge | Self::MergeLater | Self::StopMerge | Self::Ready | Self::Draft,
                "MERGED",
            ) => "already merged: nothing will change",
            (Self::Merge | Self::MergeLater, "CLOSED") => "closed: it cannot be merged",
            (Self::Merge, "OPEN") if draft => "a draft: it cannot be merged",
            (Self::Close, "MERGED") => {
                "already merged: it cannot be closed, so nothing will change"
            }
            (Self::Close, "CLOSED") => "already closed: nothing will change",
            (Self::Reopen, "OPEN") => "already open: nothing will change",
            (Self::Reopen, "MERGED") => {
                "already merged: it cannot be reopened, so nothing will change"
            }
            (Self::Ready | Self::Draft, "CLOSED") => "closed: nothing will change",
            (Self::Ready, "OPEN") if !draft => "not a draft: nothing will change",
            (Self::Draft, "OPEN") if draft => "already a draft: nothing will change",
            (Self::Revert, "OPEN" | "CLOSED") => "not merged: there is nothing to revert",
            _ => return None,
        })
    }
}

/// Command, flag and act: a row fits if its flag is on, or if it has no flag. The first row that fits counts.
const ACTS: &[(&str, &str, Act)] = &[
    ("pr merge", "disable-auto", Act::StopMerge),
    ("pr merge", "auto", Act::MergeLater),
    ("pr merge", "", Act::Merge),
    ("pr close", "", Act::Close),
    ("issue close", "", Act::Close),
    ("project close", "undo", Act::Reopen),
    ("project close", "", Act::Close),
    ("pr reopen", "", Act::Reopen),
    ("issue reopen", "", Act::Reopen),
    ("pr ready", "undo", Act::Draft),
    ("pr ready", "", Act::Ready),
    ("pr update-branch", "", Act::Update),
    ("pr review", "approve", Act::Approve),
    ("pr review", "", Act::Review),
    ("pr revert", "", Act::Revert),
    ("issue develop", "", Act::Develop),
    ("run rerun", "failed", Act::RerunFailed),
    ("run rerun", "", Act::Rerun),
    ("run cancel", "", Act::Cancel),
    ("workflow enable", "", Act::Enable),
    ("workflow disable", "", Act::Disable),
    ("workflow run", "", Act::Start),
    ("label create", "force", Act::ReplaceLabel),
    ("label create", "", Act::MakeLabel),
    ("repo archive", "", Act::Archive),
    ("repo unarchive", "", Act::Unarchive),
];

/// What a call of `gh api` that changes something does. An edit that sets more than the state is [`Act::Other`], since it changes
/// something in any state.
fn of_endpoint(call: &Parsed) -> Act {
    if approval(call).is_some() {
        return Act::Approve;
    }
    let endpoint = call.positionals.first().map(|p| p.text.as_str());
    let segments = api::segments(endpoint.unwrap_or_default());
    let ["repos", _, _, rest @ ..] = segments.as_slice() else {
        return Act::Other;
    };
    match (api::method(call).as_str(), rest) {
        ("PUT", ["pulls", _, "merge"]) => Act::Merge,
        ("PUT", ["pulls", _, "update-branch"]) => Act::Update,
        ("POST", ["pulls", _, "reviews", ..]) => Act::Review,
        ("PATCH", ["issues" | "pulls", _]) => match sole_state(call, "state") {
            Some("closed") => Act::Close,
            Some("open") => Act::Reopen,
            _ => Act::Other,
        },
        ("PATCH", []) => match sole_state(call, "archived") {
            Some("true") => Act::Archive,
            Some("false") => Act::Unarchive,
            _ => Act::Other,
        },
        ("POST", ["actions", "runs" | "jobs", _, "rerun"]) => Act::Rerun,
        ("POST", ["actions", "runs", _, "rerun-failed-jobs"]) => Act::RerunFailed,
        ("POST", ["actions", "runs", _, "cancel" | "force-cancel"]) => Act::Cancel,
        ("PUT", ["actions", "workflows", _, "enable"]) => Act::Enable,
        ("PUT", ["actions", "workflows", _, "disable"]) => Act::Disable,
        ("POST", ["actions", "workflows", _, "dispatches"]) => Act::Start,
        _ => Act::Other,
    }
}

/// The value of the field `name` of a call of `gh api`, if the call sets that field alone.
fn sole_state<'a>(call: &'a Parsed, name: &str) -> Option<&'a str> {
    if call.flag("input").is_some() {
        return None;
    }
    let mut found = None;
    for (key, value) in api::fields(call) {
        if key != name {
            return None;
        }
        found = Some(value);
    }
    found
}
