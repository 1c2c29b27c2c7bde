//! The look-up of a pull request that is to be reviewed: its head, who wrote it, and the patches of the files that comments name.

use std::sync::Arc;

use serde_json::Value;

use crate::gate::{ErrorKind, Refusal};
use crate::gh::call::plain::cut;
use crate::gh::graphql::query::Query;
use crate::gh::tools::errand::Findings;
use crate::gh::tools::pull_query;
use crate::gh::tools::subject::{Names, Subject};
use crate::gh::tools::view::{Around, View, answer, lacking};
use crate::run::Captured;
use crate::text::json::parse_bounded;

/// Files on one page of GitHub's list of a pull request's files: 100 is the most that GitHub gives (REST documentation, "List pull requests files").
const PAGE: u64 = 100;
/// Pages that are read: GitHub lists 3,000 files of a pull request.
const PAGES: u64 = 30;

/// What the look-up found.
#[derive(Clone)]
pub(super) struct Pull {
    /// The node id.
    pub id: String,
    pub number: u64,
    pub title: String,
    /// `OPEN`, `CLOSED` or `MERGED`.
    pub state: String,
    pub draft: bool,
    pub author: Option<String>,
    /// The commit at the head.
    pub head: String,
    /// The login of the account, and whether the pull request is its own.
    pub viewer: Option<String>,
    pub own: bool,
    /// The files that comments name.
    pub files: Vec<ChangedFile>,
    /// The paths of all files that were read.
    pub paths: Vec<String>,
}

/// A file that the pull request changes.
#[derive(Clone)]
pub(super) struct ChangedFile {
    pub path: String,
    /// Its hunks; `None` where GitHub shows no text of it.
    pub patch: Option<String>,
}

crate::foreign::debug_by_name!(Pull);

/// Reads the pull request.
#[derive(Debug)]
pub(super) struct PullLook {
    /// The paths that comments name, each once.
    pub wanted: Vec<String>,
    pub found: Arc<Findings<Pull>>,
}

impl PullLook {
    fn argv(subject: &Subject) -> Vec<String> {
        let query = Query::new(&subject.target.host);
        pull_query::argv_beside(
            query,
            subject,
            "ReviewedPull",
            "id number title state isDraft headRefOid changedFiles viewerDidAuthor author{login}",
            "viewer{login}",
            ".viewer = $answer.data.viewer.login",
        )
    }

    /// Reads the list of changed files, page by page, up to the last file that a comment names.
    fn read_files(
        &self,
        pull: &mut Pull,
        changed: u64,
        around: &mut Around<'_>,
    ) -> Result<(), Refusal> {
        let pages = changed.div_ceil(PAGE).clamp(1, PAGES);
        for page in 1..=pages {
            self.read_page(page, pull, around)?;
            if self.wanted.len() == pull.files.len() {
                break;
            }
        }
        Ok(())
    }

    fn read_page(
        &self,
        page: u64,
        pull: &mut Pull,
        around: &mut Around<'_>,
    ) -> Result<(), Refusal> {
        let Some((owner, repo)) = around.followup.owner_and_repo() else {
            return Err(unread());
        };
        let number = pull.number;
        let endpoint =
            format!("repos/{owner}/{repo}/pulls/{number}/files?per_page={PAGE}&page={page}");
        // A JSON string is the same string in jq: JSON escapes each backslash, so no `\(' starts an interpolation (jq manual).
        let wanted: Vec<String> = self
            .wanted
            .iter()
            .map(|path| Value::from(path.as_str()).to_string())
            .collect();
        let filter = format!(
            "{{paths: map(.filename), files: map(select(.filename | IN({})) | {{path: .filename, patch, head: (.contents_url // \"\" | split(\"ref=\")[1])}})}}",
            wanted.join(",")
        );
        let argv = ["api", "--method", "GET", &endpoint, "--jq", &filter].map(Into::into);
        let plan = around.followup.plan(argv.into())?;
        let (_, whole) = around.reads.run_whole(plan)?;
        if whole.truncated {
            return Err(cut(whole.shown_head));
        }
        let list = parse_bounded(whole.head().reveal()).map_err(|_| unread())?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let (Some(paths), Some(files)) = (list["paths"].as_array(), list["files"].as_array())
        else {
            return Err(unread());
        };
        pull.paths.extend(paths.iter().filter_map(text));
        for file in files {
            // The list is that of the head at this moment; the question must not show lines of a later one.
            if file["head"].as_str().is_some_and(|head| head != pull.head) {
                return Err(Refusal::new(
                    ErrorKind::Failed,
                    "The head of the pull request moved while it was read.\nLook at the new commits, then review again.",
                ));
            }
            pull.files.push(ChangedFile {
                path: text(&file["path"]).ok_or_else(unread)?,
                patch: text(&file["patch"]),
            });
        }
        Ok(())
    }
}

impl View for PullLook {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        Ok(Some(Self::argv(subject)))
    }

    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let subject = subject?;
        lacking(captured, subject).then(|| Self::argv(subject))
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let found = answer(captured).unwrap_or(Value::Null);
        let Some(subject) = around.subject else {
            return Err(unread());
        };
        if found.as_object().is_some_and(serde_json::Map::is_empty) {
            return Err(subject.no_pull_request(around.clean));
        }
        let mut pull = pull(&found).ok_or_else(unread)?;
        if !self.wanted.is_empty() {
            let changed = found["changedFiles"].as_u64().unwrap_or(1);
            self.read_files(&mut pull, changed, around)?;
        }
        let text = format!(
            "Pull request #{} at {}, {} files of its diff read.",
            pull.number,
            around.clean.line(&pull.head),
            pull.files.len()
        );
        self.found.keep(&subject.target, pull);
        Ok(text)
    }
}

/// The pull request in the filtered answer; `None` where a part is missing.
fn pull(found: &Value) -> Option<Pull> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let (viewer, author) = (text(&found["viewer"]), text(&found["author"]["login"]));
    let same = viewer.is_some() && viewer == author;
    let head = text(&found["headRefOid"])?;
    let is_oid = matches!(head.len(), 40 | 64) && head.bytes().all(|b| b.is_ascii_hexdigit());
    Some(Pull {
        id: text(&found["id"])?,
        number: found["number"].as_u64()?,
        title: text(&found["title"]).unwrap_or_default(),
        state: text(&found["state"]).unwrap_or_default(),
        draft: found["isDraft"].as_bool().unwrap_or_default(),
        own: found["viewerDidAuthor"].as_bool().unwrap_or(same) || same,
        author,
        head: is_oid.then_some(head)?,
        viewer,
        files: Vec::new(),
        paths: Vec::new(),
    })
}

fn unread() -> Refusal {
    Refusal::new(
        ErrorKind::Failed,
        "GitHub's answer about the pull request cannot be read.\nTry again once; then tell the person.",
    )
}
