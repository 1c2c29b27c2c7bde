//! A list, and how many entries there are in all.
//!
//! gh ends a list at its limit and does not say how many entries there are.  Where a list is as long as its limit, one more
//! read asks for the number; a shorter list is complete.

use chrono::Utc;

use super::search::query;
use super::view::{Around, View, rendered};
use crate::gate::{Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::render::{self, List, Total};
use crate::run::Captured;

/// What a list was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListAsked {
    /// The state: `open`, `closed`, `merged`, `all`.
    pub state: Option<String>,
    /// Words for GitHub's search.
    pub search: Option<String>,
    /// The branch of a list of runs.
    pub branch: Option<String>,
    /// The login of the author.
    pub author: Option<String>,
    /// Labels, apart by commas.
    pub label: Option<String>,
    /// The limit: the most entries that gh was asked for.
    pub limit: u64,
}

/// Renders the JSON of a list, one row for each entry, and how many entries there are in all.
#[derive(Debug)]
pub(super) struct ListView {
    /// What is listed.
    pub list: List,
    /// What the list was asked for.
    pub asked: ListAsked,
}

/// A list of up to so many entries fits into the usual cap of 64 KB.
const LIGHT: u64 = 100;

impl View for ListView {
    fn heavy(&self) -> bool {
        self.asked.limit > LIGHT
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let head = captured.stdout.head();
        let text = render::entries(head.reveal()).map(|entries| {
            let (list, asked) = (self.list, &self.asked);
            let total = total(list, asked, entries.len(), around.followup, around.reads);
            let state = asked.state.as_deref();
            let clean: render::Clean<'_> = &|text| around.clean.text(text);
            render::list(list, &entries, total, state, Utc::now(), clean)
        });
        rendered(text, captured)
    }
}

/// How many entries there are in all of `list`, of which the result shows the first `shown`.
///
/// Never fails: where the number cannot be read, the answer is "at least `shown`".
fn total(
    list: List,
    asked: &ListAsked,
    shown: usize,
    followup: &Followup,
    reads: &mut dyn Reads,
) -> Total {
    let shown = shown as u64;
    if shown < asked.limit {
        return Total::Exactly(shown);
    }
    match count(list, asked, followup, reads) {
        // A list can shrink between the two reads; the number in all must not be below the entries shown.
        Ok(Some(total)) => Total::Exactly(total.max(shown)),
        Ok(None) | Err(_) => Total::AtLeast(shown),
    }
}

/// Asks for the number of all entries; `None` where no repository is known or the answer is no number.
fn count(
    list: List,
    asked: &ListAsked,
    followup: &Followup,
    reads: &mut dyn Reads,
) -> Result<Option<u64>, Refusal> {
    let Some(argv) = count_argv(list, asked, followup.owner_and_repo()) else {
        return Ok(None);
    };
    let captured = reads.run(followup.plan(argv)?)?;
    let text = String::from_utf8_lossy(captured.stdout.head().reveal());
    Ok(text.trim().parse().ok())
}

/// The argv of a read that prints only the number; `None` for a list of one repository where no repository is known.
fn count_argv(list: List, asked: &ListAsked, place: Option<(&str, &str)>) -> Option<Vec<String>> {
    let state = asked.state.as_deref().unwrap_or("open");
    let kind = match list {
        List::PullRequests | List::FoundPullRequests => "pr",
        List::Issues | List::FoundIssues => "issue",
        List::Runs => "",
    };
    let search = words(asked)?;
    match (list, place) {
        (List::Runs, Some((owner, repo))) => {
            let branch = asked.branch.as_deref().map(|branch| ("branch", branch));
            Some(rest_count(
                &format!("repos/{owner}/{repo}/actions/runs"),
                branch,
            ))
        }
        (List::PullRequests | List::Issues, Some((owner, repo))) if search.is_empty() => {
            Some(graphql_count(list, state, owner, repo))
        }
        (List::PullRequests | List::Issues, Some((owner, repo))) => {
            let state = match state {
                "all" => String::new(),
                "merged" => " is:merged".to_owned(),
                state => format!(" state:{state}"),
            };
            let words = format!("{search} repo:{owner}/{repo}{state} type:{kind}");
            Some(rest_count("search/issues", Some(("q", &words))))
        }
        // GitHub says with the entries of a search how many there are.
        (List::FoundPullRequests | List::FoundIssues, _) | (_, None) => None,
    }
}

/// The words of the search, the author and the labels as one text for GitHub's search; `None` where gh reads one of them otherwise.
fn words(asked: &ListAsked) -> Option<String> {
    let mut words = vec![
        asked
            .search
            .as_deref()
            .unwrap_or_default()
            .trim()
            .to_owned(),
    ];
    if let Some(login) = &asked.author {
        words.push(query::author_word(login)?);
    }
    if let Some(names) = &asked.label {
        // gh reads a list with quotes as a row of CSV.
        words.extend(query::labels(names).ok().filter(|_| !names.contains('"'))?);
    }
    Some(words.join(" ").trim().to_owned())
}

/// The argv that reads `total_count` of a REST endpoint, with `field` as a query parameter.
fn rest_count(endpoint: &str, field: Option<(&str, &str)>) -> Vec<String> {
    let mut argv: Vec<String> = ["api", endpoint, "--method", "GET"].map(Into::into).into();
    for (key, value) in field.into_iter().chain([("per_page", "1")]) {
        argv.extend(["--raw-field".to_owned(), format!("{key}={value}")]);
    }
    argv.extend(["--jq".to_owned(), ".total_count".to_owned()]);
    argv
}

/// The argv that reads `totalCount` of a repository's pull requests or issues by GraphQL.
fn graphql_count(list: List, state: &str, owner: &str, repo: &str) -> Vec<String> {
    let field = if list == List::PullRequests {
        "pullRequests"
    } else {
        "issues"
    };
    let states = match (list, state) {
        (_, "open") => "(states:[OPEN])",
        // `gh pr list --state closed' lists merged pull requests too.
        (List::PullRequests, "closed") => "(states:[CLOSED,MERGED])",
        (_, "closed") => "(states:[CLOSED])",
        (_, "merged") => "(states:[MERGED])",
        _ => "",
    };
    let (owner, repo) = (quoted(owner), quoted(repo));
    let query =
        format!("query{{repository(owner:{owner},name:{repo}){{{field}{states}{{totalCount}}}}}}");
    [
        "api".to_owned(),
        "graphql".to_owned(),
        "--raw-field".to_owned(),
        format!("query={query}"),
        "--jq".to_owned(),
        format!(".data.repository.{field}.totalCount"),
    ]
    .into()
}

/// `text` as a GraphQL string, which is written as in JSON (GraphQL specification, October 2021, section 2.9.4).
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Class;
    use crate::gh::judge::classify::classify;

    #[test]
    fn every_count_is_a_read_that_runs_by_itself() {
        for list in [List::PullRequests, List::Issues, List::Runs] {
            for state in [
                None,
                Some("open"),
                Some("closed"),
                Some("merged"),
                Some("all"),
            ] {
                for search in [
                    None,
                    Some("label:bug \"two words\" -x"),
                    Some("@/etc/passwd"),
                ] {
                    let asked = ListAsked {
                        state: state.map(Into::into),
                        search: search.map(Into::into),
                        branch: search.map(Into::into),
                        author: search.map(|_| "@me".to_owned()),
                        label: search.map(|_| "bug,good first issue".to_owned()),
                        limit: 30,
                    };
                    let argv = count_argv(list, &asked, Some(("o", "r"))).expect("a count");
                    let verdict = classify(&argv);
                    assert_eq!(verdict.class, Class::Read, "{argv:?}: {}", verdict.reason);
                }
            }
        }
    }

    #[test]
    fn the_state_asked_for_is_the_state_counted() {
        let argv = |list, state: &str, search: Option<&str>| {
            let asked = ListAsked {
                state: Some(state.into()),
                search: search.map(Into::into),
                ..ListAsked::default()
            };
            count_argv(list, &asked, Some(("o", "r")))
                .expect("a count")
                .join(" ")
        };
        assert!(argv(List::PullRequests, "closed", None).contains("states:[CLOSED,MERGED]"));
        assert!(argv(List::Issues, "closed", None).contains("states:[CLOSED]"));
        assert!(!argv(List::Issues, "all", None).contains("states"));
        assert!(
            argv(List::Issues, "open", Some("label:bug"))
                .contains("q=label:bug repo:o/r state:open type:issue")
        );
    }

    #[test]
    fn the_author_and_the_labels_asked_for_are_counted() {
        let argv = |search: Option<&str>, author: Option<&str>, label: Option<&str>| {
            let asked = ListAsked {
                search: search.map(Into::into),
                author: author.map(Into::into),
                label: label.map(Into::into),
                ..ListAsked::default()
            };
            count_argv(List::Issues, &asked, Some(("o", "r"))).map(|argv| argv.join(" "))
        };
        let says = |argv: Option<String>, words: &str| {
            let argv = argv.expect("a count");
            assert!(argv.contains(words), "{argv}");
        };
        let place = "repo:o/r state:open type:issue";
        says(
            argv(None, Some("mona"), None),
            &format!("q=author:mona {place}"),
        );
        says(
            argv(Some("rows"), Some("@me"), Some("bug, good first issue")),
            &format!("q=rows author:@me label:\"bug\" label:\"good first issue\" {place}"),
        );
        // What gh reads in another way is not counted.
        assert_eq!(argv(None, Some("mo na"), None), None);
        assert_eq!(argv(None, None, Some("\"a\"")), None);
    }

    #[test]
    fn a_name_with_quotes_stays_inside_its_graphql_string() {
        let argv = graphql_count(List::Issues, "all", "a\"b\\", "r");
        assert!(argv[3].contains(r#"owner:"a\"b\\""#), "{}", argv[3]);
    }
}
