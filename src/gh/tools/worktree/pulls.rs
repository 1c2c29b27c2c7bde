//! What GitHub says of the pull requests that are checked out or pushed: one request for all of them.

use serde_json::Value;

use crate::gate::{Cleaner, ErrorKind, Refusal};
use crate::gh::graphql::query::Query;
use crate::gh::place::reference::Thing;
use crate::gh::tools::pull_query::{OF_BRANCH, meant};
use crate::gh::tools::subject::Subject;
use crate::git::commits::is_sha;

/// The fields of one pull request.
const FIELDS: &str = "number title state isDraft url author{login} baseRefName headRefName headRefOid isCrossRepository maintainerCanModify \
headRepository{nameWithOwner} headRepositoryOwner{login} changedFiles additions deletions";

/// A pull request, as GitHub has it now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pull {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// `OPEN`, `CLOSED` or `MERGED`.
    pub state: String,
    /// Whether it is a draft.
    pub draft: bool,
    /// Its address.
    pub url: String,
    /// The login of its author; empty for an account that is gone.
    pub author: String,
    /// The branch that it is to be merged into.
    pub base: String,
    /// The branch that it is made from.
    pub head: String,
    /// The commit at the end of that branch.
    pub sha: String,
    /// Whether that branch is in another repository.
    pub fork: bool,
    /// Whether those who may write to the target may push to that branch.
    pub maintainers: bool,
    /// The repository of that branch, `OWNER/REPO`; `None` where it is gone.
    pub repository: Option<String>,
    /// Files, added lines and deleted lines.
    pub changes: (u64, u64, u64),
}

/// The argv of the request called `name` for the pull requests that `subjects` name, all of one repository; `more` are further fields of
/// each.
pub fn request(subjects: &[Subject], name: &str, more: &str) -> Vec<String> {
    let host = subjects.first().map_or("", |first| &first.target.host);
    let mut query = Query::new(host);
    query.repository();
    let mut fields = String::from("nameWithOwner");
    for (nth, subject) in subjects.iter().enumerate() {
        let field = if let Thing::Branch(branch) = &subject.thing {
            let (_, branch) = subject.head(branch);
            query.text(&format!("b{nth}"), "String!", branch);
            format!(
                " p{nth}:pullRequests(headRefName:$b{nth},first:{OF_BRANCH},orderBy:{{field:CREATED_AT,direction:DESC}}){{nodes{{{FIELDS} {more}}}}}"
            )
        } else {
            query.integer(&format!("n{nth}"), subject.number());
            format!(" p{nth}:pullRequest(number:$n{nth}){{{FIELDS} {more}}}")
        };
        fields.push_str(&field);
    }
    let root = format!("viewer{{login}} repository(owner:$owner,name:$repo){{{fields}}}");
    query.argv(name, &root, None)
}

/// The objects of the pull requests that `subjects` name in `answer`.
///
/// # Errors
/// `not-found` where GitHub has none.
pub fn objects<'a>(
    answer: &'a Value,
    subjects: &[Subject],
    clean: &Cleaner,
) -> Result<Vec<&'a Value>, Refusal> {
    let repository = &answer["data"]["repository"];
    let of = |(nth, subject): (usize, &Subject)| {
        let found = &repository[format!("p{nth}")];
        let Thing::Branch(branch) = &subject.thing else {
            return if found.is_object() {
                Ok(found)
            } else {
                Err(Refusal::new(
                    ErrorKind::NotFound,
                    format!(
                        "There is no pull request #{} in {}.\nLook with gh_pr_list.",
                        subject.number(),
                        subject.target
                    ),
                ))
            };
        };
        let (owner, _) = subject.head(branch);
        meant(found, &owner).ok_or_else(|| subject.no_pull_request(clean))
    };
    subjects.iter().enumerate().map(of).collect()
}

impl Pull {
    /// The pull request in `value`.
    ///
    /// # Errors
    /// `gh-exit` where it has another form.
    pub fn read(value: &Value) -> Result<Self, Refusal> {
        Self::of(value).ok_or_else(|| {
            Refusal::new(
                ErrorKind::Failed,
                "GitHub's answer about the pull request cannot be read.\nTry again; then run `M-x cj/gh-doctor'.",
            )
        })
    }

    fn of(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let count = |name: &str| value[name].as_u64().unwrap_or(0);
        let repository = value["headRepository"]["nameWithOwner"].as_str();
        Some(Self {
            number: value["number"].as_u64()?,
            title: text("title").unwrap_or_default(),
            state: text("state")?,
            draft: value["isDraft"] == true,
            url: text("url").unwrap_or_default(),
            author: value["author"]["login"].as_str().unwrap_or_default().into(),
            base: text("baseRefName").unwrap_or_default(),
            head: text("headRefName")?,
            sha: text("headRefOid").filter(|sha| is_sha(sha))?,
            fork: value["isCrossRepository"] == true,
            maintainers: value["maintainerCanModify"] == true,
            repository: repository.map(str::to_owned),
            changes: (
                count("changedFiles"),
                count("additions"),
                count("deletions"),
            ),
        })
    }

    /// The pull request in a row of a question: `#12 “Fix the menu” by mona, open`.
    pub fn shown(&self, clean: &Cleaner) -> String {
        let author = if self.author.is_empty() {
            String::new()
        } else {
            format!(" by {}", clean.line(&self.author))
        };
        let draft = if self.draft { ", a draft" } else { "" };
        format!(
            "#{} “{}”{author}, {}{draft}",
            self.number,
            clean.line(&self.title),
            self.state.to_ascii_lowercase()
        )
    }

    /// The head branch with its repository: `mona/site:fix/menu`.
    pub fn shown_head(&self, clean: &Cleaner) -> String {
        let repository = self
            .repository
            .as_deref()
            .unwrap_or("a repository that is gone");
        format!("{}:{}", clean.line(repository), clean.line(&self.head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gh::tools::pull_query::tests::subject;
    use serde_json::json;

    #[test]
    fn several_pull_requests_are_one_request_without_foreign_text() {
        let subjects = [
            subject(Thing::Item(5)),
            subject(Thing::Branch("mona:x\"){evil}".into())),
        ];
        let argv = request(&subjects, "Heads", "");
        assert_eq!(
            argv.iter()
                .filter(|word| word.starts_with("query="))
                .count(),
            1
        );
        let query = argv
            .iter()
            .find(|word| word.starts_with("query="))
            .expect("one");
        assert!(query.contains("p0:pullRequest(number:$n0)") && !query.contains("evil"));
        assert!(argv.contains(&"n0=5".to_owned()) && argv.contains(&"b1=x\"){evil}".to_owned()));
    }

    #[test]
    fn a_missing_pull_request_and_a_branch_of_another_owner_are_not_found() {
        let sha = "0123456789012345678901234567890123456789";
        let pull = |owner: &str, state: &str| {
            json!({"number": 7, "state": state, "headRefName": "x", "headRefOid": sha,
                   "headRepositoryOwner": {"login": owner}})
        };
        let subjects = [
            subject(Thing::Item(5)),
            subject(Thing::Branch("mona:x".into())),
        ];
        let clean = Cleaner::holding(&[]);
        let answer = json!({"data": {"repository": {
            "p0": pull("acme", "OPEN"),
            "p1": {"nodes": [pull("kim", "OPEN"), pull("Mona", "CLOSED"), pull("mona", "OPEN")]},
        }}});
        let found = objects(&answer, &subjects, &clean).expect("both");
        assert_eq!(found[1]["state"], "OPEN");
        assert_eq!(Pull::read(found[0]).expect("whole").sha, sha);
        let none = json!({"data": {"repository": {"p0": null, "p1": {"nodes": []}}}});
        let kind = |answer| objects(answer, &subjects, &clean).err().map(|no| no.kind);
        assert_eq!(kind(&none), Some(ErrorKind::NotFound));
        let other = json!({"data": {"repository": {"p0": pull("a", "OPEN"), "p1": {"nodes": [pull("kim", "OPEN")]}}}});
        assert_eq!(kind(&other), Some(ErrorKind::NotFound));
        assert!(Pull::read(&json!({"number": 1, "state": "OPEN", "headRefName": "x", "headRefOid": "--upload-pack=x"})).is_err());
    }
}
