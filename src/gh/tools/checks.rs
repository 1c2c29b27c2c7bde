//! The checks of a pull request, in one request where gh itself makes up to four.
//!
//! GitHub gives the first hundred checks.  Where there are more, `gh pr checks` reads them all.

use serde_json::Value;

use super::pull_query;
use super::subject::{Names, Subject};
use super::view::{Around, View, json, lacking};
use crate::gate::{ErrorKind, Refusal};
use crate::gh::graphql::query::Query;
use crate::gh::render::{self, LINKED};
use crate::run::Captured;

/// The `--json` fields of `gh pr checks`, for more checks than one request gives.
const FIELDS: &str = "bucket,name,workflow,state,link,description";

/// Renders the checks of a pull request.
#[derive(Debug)]
pub(super) struct ChecksView;

impl View for ChecksView {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        Ok(Some(request(subject)))
    }

    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let subject = subject?;
        lacking(captured, subject).then(|| request(subject))
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let (answer, text) = json(captured, around, |json, clean| {
            let answer = render::parse_bounded(json)?;
            let text = render::rolled_up(&answer["contexts"], clean);
            Ok((answer, text))
        })?;
        if answer.as_object().is_none_or(serde_json::Map::is_empty) {
            let none = Refusal::new(ErrorKind::Failed, "gh's output has no checks.\nTry again.");
            let subject = around.subject;
            return Err(subject.map_or(none, |subject| subject.no_pull_request(around.clean)));
        }
        match (answer["number"].as_u64(), more(&answer["contexts"])) {
            (Some(number), true) => all(number, around),
            _ => Ok(text),
        }
    }
}

fn request(subject: &Subject) -> Vec<String> {
    let query = Query::new(&subject.target.host);
    let fields = format!("number {}", query.last_checks(LINKED));
    let filter = "{number, contexts: .commits.nodes[0].commit.statusCheckRollup.contexts}";
    pull_query::argv(query, subject, "PullRequestChecks", &fields, filter)
}

/// Whether there are more checks than `contexts` has.
fn more(contexts: &Value) -> bool {
    let total = contexts["totalCount"].as_u64().unwrap_or(0);
    let read = contexts["nodes"].as_array().map_or(0, Vec::len);
    total > read as u64
}

/// All checks of the pull request `number`, as gh reads them page by page.
fn all(number: u64, around: &mut Around<'_>) -> Result<String, Refusal> {
    let number = number.to_string();
    let argv = ["pr", "checks", &number, "--json", FIELDS].map(Into::into);
    let plan = around.followup.plan_there(argv.into())?;
    let captured = around.reads.run(plan)?;
    json(&captured, around, render::checks)
}
