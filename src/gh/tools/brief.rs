//! The brief of a pull request: what decides about it, in one GraphQL request.
//!
//! `gh pr view --json` knows neither how far the branch is behind nor whether a review thread is resolved, and without a number it asks
//! twice.  The fields are those of GitHub's GraphQL reference (2026); a host that does not know one of them is asked again without it.

use serde_json::Value;

use super::pull_query::{self, SHORTER};
use super::subject::{Names, Subject};
use super::view::{Around, View, answer, json, lacking};
use crate::gate::{ErrorKind, Refusal};
use crate::gh::graphql::query::Query;
use crate::gh::place::reference::Thing;
use crate::gh::render::{self, BriefParts, CONTEXTS};
use crate::run::Captured;

/// The fields of every brief that every host knows.
const BASIC: &str = "number title state isDraft author{login} createdAt updatedAt mergedAt url additions deletions changedFiles \
baseRefName headRefName isCrossRepository headRepositoryOwner{login} mergeable mergedBy{login} \
assignees(first:5){nodes{login}} labels(first:10){totalCount nodes{name}} \
reviewRequests(first:10){totalCount nodes{requestedReviewer{__typename ...on User{login} ...on Team{slug} ...on Bot{login}}}} \
closingIssuesReferences(first:5){nodes{number}} reviewThreads(first:100){totalCount nodes{isResolved}}";

/// Comments and reviews: the last ones, as many as are shown.
const COMMENTS: &str = "comments(last:8){totalCount nodes{author{login} createdAt body}}";
const LAST_COMMENT: &str = "comments(last:1){totalCount nodes{author{login} createdAt}}";
const REVIEWS: &str = "reviews(last:8){totalCount nodes{author{login} submittedAt state body}}";

/// A jq filter that cuts long texts: what is shown of a description is 2 KB and of a comment 280 characters, and 65,536 characters each
/// would not fit into one answer beside a hundred checks, which take some 35 KB.
const CUT: &str = r#"(if .body then .bodyBytes = (.body | rtrimstr("\n") | utf8bytelength) | .body |= shorter(4000) else . end) | ((.comments.nodes?, .reviews.nodes?) // empty)[] |= (if .body then .body |= shorter(1000) else . end)"#;

/// Renders the brief of a pull request.
#[derive(Debug)]
pub(super) struct BriefView {
    /// What is shown besides the brief itself.
    pub parts: BriefParts,
}

impl View for BriefView {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        Ok(Some(request(subject, self.parts)))
    }

    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let subject = subject?;
        lacking(captured, subject).then(|| request(subject, self.parts))
    }

    fn serves(&self, captured: &Captured) -> bool {
        answer(captured).is_some_and(|answer| {
            let of = &answer["data"]["repository"];
            of["pullRequest"].is_object() || of["pullRequests"].is_object()
        })
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let (subject, parts) = (around.subject, self.parts);
        let text = json(captured, around, |json, clean| {
            let answer = render::parse_bounded(json)?;
            let pull = match (answer.get("data"), subject) {
                (Some(_), Some(subject)) => pull_query::in_whole_answer(&answer, subject),
                _ => &answer,
            };
            let none = pull.as_object().is_none_or(serde_json::Map::is_empty);
            if none {
                return Ok(None);
            }
            render::brief(pull, parts, &unread(&answer), clean).map(Some)
        })?;
        match (text, subject) {
            (Some(text), _) => Ok(text),
            (None, subject) => Err(subject.map_or_else(
                || {
                    Refusal::new(
                        ErrorKind::Failed,
                        "gh's output has no pull request.\nTry again.",
                    )
                },
                |subject| subject.no_pull_request(around.clean),
            )),
        }
    }
}

/// The names of the fields that GitHub could not answer, such as `statusCheckRollup` for a token without access to checks.
fn unread(answer: &Value) -> Vec<String> {
    let mut fields: Vec<String> = Vec::new();
    for error in answer["errors"].as_array().into_iter().flatten() {
        let path = error["path"].as_array().into_iter().flatten();
        // The path of an entry ends in `nodes' and its number.
        let field = path
            .filter_map(Value::as_str)
            .rfind(|name| *name != "nodes");
        if let Some(field) = field
            && !fields.iter().any(|known| known == field)
        {
            fields.push(field.to_owned());
        }
    }
    fields
}

/// The argv of the request for the brief of `subject`.
fn request(subject: &Subject, parts: BriefParts) -> Vec<String> {
    let mut query = Query::new(&subject.target.host);
    let fields = fields(&mut query, subject, parts);
    let filter = format!("{SHORTER} {CUT}");
    pull_query::argv(query, subject, "PullRequestBrief", &fields, &filter)
}

/// The fields of one pull request.
fn fields(query: &mut Query<'_>, subject: &Subject, parts: BriefParts) -> String {
    let mut fields = vec![BASIC];
    for field in ["reviewDecision", "mergeStateStatus"] {
        fields.push(query.unless_lacking(field, field));
    }
    let checks = query.last_checks(CONTEXTS);
    fields.push(query.unless_lacking("statusCheckRollup", &checks));
    fields.push(query.unless_lacking(
        "latestOpinionatedReviews",
        "latestOpinionatedReviews(first:20){nodes{author{login} state}}",
    ));
    if !query.lacks("compare") && !query.lacks("behindBy") {
        let head = match &subject.thing {
            Thing::Branch(branch) => branch.clone(),
            _ => format!("refs/pull/{}/head", subject.word()),
        };
        query.text("head", "String!", head);
        fields.push("baseRef{compare(headRef:$head){behindBy}}");
    }
    if parts.body {
        fields.push("body");
    }
    fields.push(if parts.comments {
        COMMENTS
    } else {
        LAST_COMMENT
    });
    if parts.reviews {
        fields.push(REVIEWS);
    }
    fields.retain(|field| !field.is_empty());
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_fields_that_an_error_is_about_are_named_once() {
        let error = |path: Value| json!({"message": "no", "path": path});
        let answer = json!({"errors": [
            error(json!(["repository", "pullRequest", "commits", "nodes", 0, "commit", "statusCheckRollup"])),
            error(json!(["repository", "pullRequest", "commits", "nodes", 0, "commit", "statusCheckRollup"])),
            error(json!(["repository", "pullRequest", "baseRef", "compare"])),
            error(json!(["repository", "pullRequest", "commits", "nodes", 0, "commit", "statusCheckRollup", "contexts", "nodes", 0])),
        ]});
        assert_eq!(
            unread(&answer),
            ["statusCheckRollup", "compare", "contexts"]
        );
        assert_eq!(unread(&json!({"number": 1})), Vec::<String>::new());
    }
}
