//! The review threads of a pull request, in one GraphQL request: gh has no command for them, and REST does not say what is resolved.

use serde_json::Value;

use super::pull_query::{self, SHORTER};
use super::subject::{Names, Subject};
use super::view::{Around, View, json, lacking};
use crate::gate::{ErrorKind, Refusal};
use crate::gh::graphql::query::Query;
use crate::gh::render;
use crate::run::Captured;

/// A jq filter for the threads at `.`: counts over all of them, then the first forty, unresolved ones first.  All fit into one answer.
/// A line out of a private key cannot be told from other text, so no such hunk is shown.
const FILTER: &str = r#"
def said: {author: .author.login, at: .createdAt, body};
{number, total: .reviewThreads.totalCount, read: (.reviewThreads.nodes | length)} + ([.reviewThreads.nodes[] | FILE] | {
 found: length, open: map(select(.isResolved | not)) | length, outdated: map(select((.isResolved | not) and .isOutdated)) | length,
 threads: (map(select(.isResolved | not)) + map(select(.isResolved)))[0:40] | map({id, path, line: (.line // .originalLine), start: (.startLine // .originalStartLine),
 resolved: .isResolved, by: .resolvedBy.login?, outdated: .isOutdated, kind: .subjectType?, count: .first.totalCount,
 hunk: (.first.nodes[0].diffHunk // "" | if contains("PRIVATE KEY") then "" else split("\n") | .[-3:] | map(shorter(150)) | join("\n") end), first: (.first.nodes[0] // {} | said), last: (.last.nodes[0] // {} | said)})}
 | (36000 / ((.threads | length) + 1) / 2 | floor | if . > 4000 then 4000 else . end) as $cut
 | .threads |= map(.first.body |= shorter($cut) | .last.body |= shorter($cut)))
"#;

/// Renders the review threads of a pull request.
#[derive(Debug)]
pub(super) struct ThreadsView {
    /// The file whose threads are shown; `None`: those of all files.
    pub file: Option<String>,
    /// `true`: a person reads the remarks, so they are not cut short for a model.
    pub long: bool,
}

impl View for ThreadsView {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        Ok(Some(self.argv(subject)))
    }

    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let subject = subject?;
        lacking(captured, subject).then(|| self.argv(subject))
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let file = self.file.as_deref();
        let threads = json(captured, around, |json, clean| {
            render::threads(json, file, self.long, clean)
        })?;
        let Some(threads) = threads else {
            let none = Refusal::new(
                ErrorKind::Failed,
                "gh's output has no review threads.\nTry again.",
            );
            let subject = around.subject;
            return Err(subject.map_or(none, |subject| subject.no_pull_request(around.clean)));
        };
        if let Some(whole) = threads.whole {
            around.reads.made_from(whole);
        }
        Ok(threads.text)
    }
}

impl ThreadsView {
    /// The argv of the request.
    fn argv(&self, subject: &Subject) -> Vec<String> {
        let query = Query::new(&subject.target.host);
        let by = query.unless_lacking("resolvedBy", "resolvedBy{login}");
        let kind = query.unless_lacking("subjectType", "subjectType");
        let fields = format!(
            "number reviewThreads(first:100){{totalCount nodes{{id isResolved isOutdated path line startLine originalLine originalStartLine {by} {kind} \
             first:comments(first:1){{totalCount nodes{{author{{login}} createdAt body diffHunk}}}} last:comments(last:1){{nodes{{author{{login}} createdAt body}}}}}}}}"
        );
        let file = match &self.file {
            // A JSON string is the same string in jq.
            Some(file) => format!("select(.path == {})", Value::from(file.as_str())),
            None => ".".to_owned(),
        };
        let filter = format!(
            "{SHORTER} {}",
            FILTER.trim().replace('\n', " ").replace("FILE", &file)
        );
        pull_query::argv(query, subject, "ReviewThreads", &fields, &filter)
    }
}
