//! The look-up of a review thread by its id: where it stands, whether it is resolved, and its last remarks, in one GraphQL request.

use std::sync::Arc;

use serde_json::Value;

use crate::gate::{ErrorKind, Refusal};
use crate::gh::graphql::query::Query;
use crate::gh::place::reference::Thing;
use crate::gh::tools::errand::Findings;
use crate::gh::tools::pull_query::SHORTER;
use crate::gh::tools::subject::{Names, Subject};
use crate::gh::tools::view::{Around, View, answer, lacking};
use crate::run::Captured;

/// Remarks of a thread that are shown, the last ones: the question, the answer to it and what is said now.
const REMARKS: usize = 3;
/// Bytes of one remark that are shown.  Three of them leave most of the 64 KB of an answer free; GitHub takes 65,536 characters.
const REMARK: usize = 6_000;

/// What the look-up found.
#[derive(Clone)]
pub(super) struct Thread {
    /// What the tool's arguments name.
    pub asked: Subject,
    /// The login of the account.
    pub viewer: Option<String>,
    /// The thread's repository, `OWNER/REPO`.
    pub repository: String,
    /// The name by which GitHub knows the target: another one than was asked for after a move.
    pub target: String,
    /// The number of the thread's pull request.
    pub number: u64,
    pub title: String,
    /// `OPEN`, `CLOSED` or `MERGED`.
    pub state: String,
    /// The owner and the name of the pull request's branch.
    pub head: (String, String),
    pub path: String,
    pub line: Option<u64>,
    pub resolved: bool,
    pub resolved_by: Option<String>,
    pub outdated: bool,
    /// What the account may do; `None` where the host does not say.
    pub can_reply: Option<bool>,
    pub can_resolve: Option<bool>,
    pub can_reopen: Option<bool>,
    /// How many remarks there are.
    pub count: u64,
    /// The last of them.
    pub remarks: Vec<Remark>,
}

/// One remark, as GitHub gives it.
#[derive(Clone)]
pub(super) struct Remark {
    pub author: String,
    pub at: String,
    pub body: String,
    /// Characters of the whole remark, where `body` is cut.
    pub whole: Option<u64>,
}

impl Thread {
    /// Whether the thread belongs to the pull request that was asked for.
    pub fn is_of_target(&self) -> bool {
        let Subject { thing, target } = &self.asked;
        let (owner, repo) = (target.owner.as_deref(), target.repo.as_deref());
        let asked = format!("{}/{}", owner.unwrap_or_default(), repo.unwrap_or_default());
        let same = |name: &str| self.repository.eq_ignore_ascii_case(name);
        let pull = match thing {
            Thing::Branch(branch) => {
                let (owner, branch) = self.asked.head(branch);
                self.head.0.eq_ignore_ascii_case(&owner) && self.head.1 == branch
            }
            _ => self.number == self.asked.number(),
        };
        pull && (same(&asked) || same(&self.target))
    }
}

/// Reads the thread `id`.
#[derive(Debug)]
pub(super) struct ThreadLook {
    pub id: String,
    pub found: Arc<Findings<Thread>>,
}

impl ThreadLook {
    fn argv(&self, subject: &Subject) -> Vec<String> {
        let mut query = Query::new(&subject.target.host);
        query.repository();
        query.text("thread", "ID!", &*self.id);
        let optional: Vec<&str> = [
            ("resolvedBy", "resolvedBy{login}"),
            ("viewerCanReply", "viewerCanReply"),
            ("viewerCanResolve", "viewerCanResolve"),
            ("viewerCanUnresolve", "viewerCanUnresolve"),
        ]
        .iter()
        .map(|(field, text)| query.unless_lacking(field, text))
        .collect();
        let fields = format!(
            "viewer{{login}} repository(owner:$owner,name:$repo){{nameWithOwner}} node(id:$thread){{__typename ... on PullRequestReviewThread{{isResolved isOutdated path line originalLine {} \
             pullRequest{{number title state headRefName headRepositoryOwner{{login}} repository{{nameWithOwner}}}} comments(last:{REMARKS}){{totalCount nodes{{author{{login}} createdAt body}}}}}}}}",
            optional.join(" ")
        );
        let filter = format!(
            "{SHORTER} if .data.node.comments? then .data.node.comments.nodes |= map(.whole = (.body | length) | .body |= shorter({REMARK})) else . end"
        );
        query.argv("ReviewThread", &fields, Some(&filter))
    }
}

impl View for ThreadLook {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        Ok(Some(self.argv(subject)))
    }

    /// Of an unknown id GitHub says so in an error, beside the repository.
    fn serves(&self, captured: &Captured) -> bool {
        answer(captured).is_some_and(|answer| answer["data"]["repository"].is_object())
    }

    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let subject = subject?;
        lacking(captured, subject).then(|| self.argv(subject))
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let answer = answer(captured).unwrap_or(Value::Null);
        let (data, Some(subject)) = (&answer["data"], around.subject) else {
            return Err(unread());
        };
        let node = &data["node"];
        match node["__typename"].as_str() {
            None if node.is_null() && data["repository"].is_object() => return Err(unknown()),
            Some("PullRequestReviewThread") => {}
            Some(kind) => return Err(other_kind(&around.clean.line(kind))),
            None => return Err(unread()),
        }
        let thread = thread(data, subject).ok_or_else(unread)?;
        let text = format!(
            "Thread on {} of pull request #{}: {}, {} remarks.",
            around.clean.line(&thread.path),
            thread.number,
            if thread.resolved { "resolved" } else { "open" },
            thread.count
        );
        self.found.keep(&subject.target, thread);
        Ok(text)
    }
}

/// The thread in the `data` of GitHub's answer; `None` where a part is missing.
fn thread(data: &Value, subject: &Subject) -> Option<Thread> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let login = |value: &Value| text(&value["login"]);
    let node = &data["node"];
    let pull = &node["pullRequest"];
    let remarks = node["comments"]["nodes"].as_array()?.iter().map(|said| {
        let whole = said["whole"].as_u64();
        let body = said["body"].as_str().unwrap_or_default().to_owned();
        Remark {
            author: login(&said["author"]).unwrap_or_else(|| "ghost".to_owned()),
            at: text(&said["createdAt"]).unwrap_or_default(),
            whole: whole.filter(|whole| *whole != body.chars().count() as u64),
            body,
        }
    });
    Some(Thread {
        asked: subject.clone(),
        viewer: login(&data["viewer"]),
        repository: text(&pull["repository"]["nameWithOwner"])?,
        target: text(&data["repository"]["nameWithOwner"])?,
        number: pull["number"].as_u64()?,
        title: text(&pull["title"]).unwrap_or_default(),
        state: text(&pull["state"]).unwrap_or_default(),
        head: (
            login(&pull["headRepositoryOwner"]).unwrap_or_default(),
            text(&pull["headRefName"]).unwrap_or_default(),
        ),
        path: text(&node["path"])?,
        line: node["line"].as_u64().or(node["originalLine"].as_u64()),
        resolved: node["isResolved"].as_bool()?,
        resolved_by: login(&node["resolvedBy"]),
        outdated: node["isOutdated"].as_bool().unwrap_or_default(),
        can_reply: node["viewerCanReply"].as_bool(),
        can_resolve: node["viewerCanResolve"].as_bool(),
        can_reopen: node["viewerCanUnresolve"].as_bool(),
        count: node["comments"]["totalCount"].as_u64().unwrap_or_default(),
        remarks: remarks.collect(),
    })
}

fn unread() -> Refusal {
    Refusal::new(
        ErrorKind::Failed,
        "GitHub's answer about the thread cannot be read.\nTry again once; then tell the person.",
    )
}

fn unknown() -> Refusal {
    Refusal::new(
        ErrorKind::NotFound,
        "GitHub knows no review thread of this id.\nTake the id (PRRT_…) from gh_pr_threads.",
    )
}

fn other_kind(kind: &str) -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        format!(
            "The id is that of a {kind}, not of a review thread.\nTake the thread's own id (PRRT_…) from gh_pr_threads."
        ),
    )
}
