//! The argv of each request of a watch.

use super::runs::Ask;
use crate::gate::{ErrorKind, Refusal};
use crate::gh::graphql::query::Query;
use crate::gh::place::reference::Thing;
use crate::text::escapes::percent_encoded;

/// The fields of a commit.  Ids are read from addresses, since the field `databaseId` has 32 bits and ids of jobs have more.
const COMMIT: &str = "oid checkSuites(first:50){nodes{status conclusion workflowRun{url runNumber event workflow{name}} \
    checkRuns(first:50,filterBy:{checkType:LATEST}){totalCount nodes{name status conclusion startedAt completedAt detailsUrl";

/// The steps of a job, and the filter that keeps the name of the first that failed.
const STEPS: &str = " steps(first:30){nodes{name conclusion}}";
const FAILED_STEP: &str =
    ",([.steps.nodes[]|select(.conclusion==\"FAILURE\" or .conclusion==\"TIMED_OUT\")|.name][0])";

/// The argv of `ask` about `thing` in the repository `owner`/`repo` of `host`.
///
/// # Errors
/// `bad-argument` where `thing` has no runs.
pub fn argv(ask: &Ask, thing: &Thing, host: &str, owner: &str) -> Result<Vec<String>, Refusal> {
    Ok(match (ask, thing) {
        (Ask::Commit { sha, steps }, thing) => commit(sha.as_deref(), *steps, thing, host, owner)?,
        (Ask::Sha, thing) => {
            let (endpoint, field) = match thing {
                Thing::Number(number) | Thing::Item(number) => {
                    (format!("pulls/{number}"), ".head.sha")
                }
                Thing::Branch(name) if !name.contains(':') => (
                    format!("commits/{}", percent_encoded(short(name).as_bytes())),
                    ".sha",
                ),
                Thing::Commit(sha) => (format!("commits/{sha}"), ".sha"),
                _ => return Err(nothing()),
            };
            get(&endpoint, &format!("{{sha:{field}}}"))
        }
        (Ask::Runs(sha), _) => get(
            &format!("actions/runs?head_sha={sha}&per_page=50"),
            &format!("{{sha:\"{sha}\",runs:[.workflow_runs[]|{RUN}]}}"),
        ),
        (Ask::Run, Thing::Run { id, .. }) => {
            get(&format!("actions/runs/{id}"), &format!("{{run:{RUN}}}"))
        }
        (Ask::Jobs, Thing::Run { id, .. }) => get(
            &format!("actions/runs/{id}/jobs?per_page=100&filter=latest"),
            "{total:.total_count,attempt:.jobs[0].run_attempt,jobs:[.jobs[]|[.name,.status,.conclusion,.started_at,.completed_at,\
             (.id|tostring),([.steps[]?|select(.conclusion==\"failure\" or .conclusion==\"timed_out\")|.name][0])]]}",
        ),
        (Ask::Run | Ask::Jobs, _) => return Err(nothing()),
    })
}

/// The fields of a run.
const RUN: &str =
    "{id,workflow:.name,number:.run_number,event,attempt:.run_attempt,status,conclusion}";

/// A REST request for `endpoint` below the repository, filtered by `jq`.  The headers say when a rate limit ends.
fn get(endpoint: &str, jq: &str) -> Vec<String> {
    let endpoint = format!("repos/{{owner}}/{{repo}}/{endpoint}");
    let words = ["api", "--method", "GET", &endpoint, "--include", "--jq", jq];
    words.map(str::to_owned).into()
}

fn commit(
    sha: Option<&str>,
    steps: bool,
    thing: &Thing,
    host: &str,
    owner: &str,
) -> Result<Vec<String>, Refusal> {
    let fields = format!("{COMMIT}{}}}}}}}}}", if steps { STEPS } else { "" });
    let mut query = Query::new(host);
    query.repository();
    let object = format!("object(expression:$expression){{...on Commit{{{fields}}}}}");
    let last = format!("commits(last:1){{nodes{{commit{{{fields}}}}}}}");
    let of_pull = ".commits.nodes[0].commit";
    let (of, at) = match (sha, thing) {
        (Some(sha), _) => {
            query.text("expression", "String!", sha);
            (object, ".object".to_owned())
        }
        (None, Thing::Commit(sha)) => {
            query.text("expression", "String!", sha);
            (object, ".object".to_owned())
        }
        (None, Thing::Number(number) | Thing::Item(number)) => {
            query.number(*number);
            (
                format!("pullRequest(number:$number){{{last}}}"),
                format!(".pullRequest{of_pull}"),
            )
        }
        (None, Thing::Branch(name)) => match name.split_once(':') {
            // A branch of a fork: its runs belong to the pull request in the repository itself.
            Some((login, branch)) if !login.eq_ignore_ascii_case(owner) => {
                query.text("branch", "String!", branch);
                (
                    format!(
                        "pullRequests(headRefName:$branch,first:5,orderBy:{{field:CREATED_AT,direction:DESC}}){{nodes{{headRepositoryOwner{{login}} {last}}}}}"
                    ),
                    format!(
                        "|[.pullRequests.nodes[]|select((.headRepositoryOwner.login//\"\"|ascii_downcase)==\"{}\")][0]{of_pull}",
                        login.to_ascii_lowercase()
                    ),
                )
            }
            own => {
                let branch = own.map_or(name.as_str(), |(_, branch)| branch);
                let whole = format!("refs/heads/{}", short(branch));
                query.text("expression", "String!", whole);
                (object, ".object".to_owned())
            }
        },
        (None, Thing::Run { .. } | Thing::Place) => return Err(nothing()),
    };
    let jq = format!(
        ".data.repository{at}|{{sha:.oid,runs:[.checkSuites.nodes[]?|select(.workflowRun)|{{id:(.workflowRun.url|split(\"/runs/\")[1]),\
         number:.workflowRun.runNumber,event:.workflowRun.event,workflow:.workflowRun.workflow.name,status,conclusion,\
         total:.checkRuns.totalCount,jobs:[.checkRuns.nodes[]|[.name,.status,.conclusion,.startedAt,.completedAt,\
         (.detailsUrl//\"\"|split(\"/job/\")[1]){}]]}}]}}",
        if steps { FAILED_STEP } else { "" }
    );
    let mut argv = query.argv(
        "RunWatch",
        &format!("repository(owner:$owner,name:$repo){{{of}}}"),
        Some(&jq),
    );
    argv.push("--include".to_owned());
    Ok(argv)
}

/// The name of a branch without `refs/heads/`, by which a name such as `2026` is told from an id.
pub fn short(branch: &str) -> &str {
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}

fn nothing() -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        "The argument names nothing that has runs.\nGive the id or the address of a run, a pull request (#NUMBER), a branch or a commit.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Class;
    use crate::gh::judge::classify::classify;

    /// Each request that a watch can make, with what it is about.
    fn requests() -> Vec<Vec<String>> {
        let branch = |name: &str| Thing::Branch(name.to_owned());
        let run = Thing::Run { id: 7, job: None };
        let sha = "0123456789abcdef0123456789abcdef01234567".to_owned();
        let commit = |sha: Option<&String>, steps| Ask::Commit {
            sha: sha.cloned(),
            steps,
        };
        [
            (commit(None, false), branch("fix/menu")),
            (commit(None, true), branch("mona:fix/menu")),
            (commit(None, false), Thing::Item(171)),
            (commit(None, true), Thing::Commit(sha.clone())),
            (commit(Some(&sha), true), Thing::Item(171)),
            (Ask::Sha, Thing::Item(171)),
            (Ask::Sha, branch("fix/#1 50%")),
            (Ask::Sha, Thing::Commit(sha.clone())),
            (Ask::Runs(sha), branch("main")),
            (Ask::Run, run.clone()),
            (Ask::Jobs, run),
        ]
        .iter()
        .map(|(ask, thing)| argv(ask, thing, "github.com", "acme").expect("a request"))
        .collect()
    }

    #[test]
    fn every_request_is_one_read_of_the_pinned_repository() {
        for argv in requests() {
            let verdict = classify(&argv);
            assert_eq!(verdict.class, Class::Read, "{argv:?}: {}", verdict.reason);
            let text = argv.join(" ");
            assert!(
                text.contains("owner={owner}") || text.contains("repos/{owner}/{repo}/"),
                "{text}"
            );
            assert!(argv.contains(&"--include".to_owned()), "{text}");
        }
    }

    #[test]
    fn a_name_from_outside_becomes_a_variable_or_an_encoded_part_of_a_path() {
        let text = requests().concat().join(" ");
        assert!(text.contains("expression=refs/heads/fix/menu"));
        assert!(text.contains("repos/{owner}/{repo}/commits/fix%2F%231%2050%25"));
        assert_eq!(short("refs/heads/2026"), "2026");
        let own = argv(
            &Ask::Commit {
                sha: None,
                steps: false,
            },
            &Thing::Branch("Acme:main".to_owned()),
            "github.com",
            "acme",
        );
        let own = own.expect("a request").join(" ");
        assert!(own.contains("expression=refs/heads/main"), "{own}");
        let run = Thing::Run { id: 7, job: None };
        assert!(argv(&Ask::Sha, &run, "github.com", "acme").is_err());
    }
}
