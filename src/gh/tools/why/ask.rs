//! The one request that lists the jobs of a run, a pull request, a branch or a commit.
//!
//! The jobs of a run come from REST ("List jobs for a workflow run"), those of a commit from GraphQL, where one request gives the jobs of all
//! its runs.  A job's id is read out of its address there: a GraphQL Int has 32 bits, and ids have more.

use crate::gh::graphql::query::Query;
use crate::gh::place::reference::Thing;
use crate::gh::tools::pull_query::OF_BRANCH;
use crate::gh::tools::subject::Subject;

/// A jq filter that keeps of a REST job what is told, and of its steps those that did not succeed: 100 jobs with all steps have some 300 KB.
const JOB: &str = r#"{id, name, status, conclusion, run: .run_id, workflow: .workflow_name, steps: [.steps[]? | select(.conclusion | IN("success", "skipped", null) | not) | .name]}"#;

/// A jq filter that makes the same of a GraphQL `Commit`, with the checks of other services apart.  A check that is no job has an address
/// elsewhere.
///
/// Of several runs of one workflow by one event the newest counts, as in `gh pr checks` (2.92.0 and 2.103.3).
///
/// A suite that failed without a check run is that of a workflow file which GitHub could not read (`STARTUP_FAILURE`), or of a run
/// that waits for a maintainer's approval (`ACTION_REQUIRED`).
const COMMIT: &str = r#"
def low: if . == null then null else ascii_downcase end;
def bad: IN("FAILURE", "TIMED_OUT", "STARTUP_FAILURE", "ACTION_REQUIRED");
def unread: [(.checkSuites.totalCount // 0) - (.checkSuites.nodes | length), 0] | max;
def at: (.detailsUrl // "") | capture("/actions/runs/(?<run>[0-9]+)/job/(?<job>[0-9]+)") // null;
def newest: group_by([.workflowRun.workflow.name?, .workflowRun.event?]) | map(if .[0].workflowRun == null then .[] else max_by(.workflowRun.runNumber // 0) end);
BEFORE ((COMMIT.checkSuites.nodes // []) | newest) as $suites |
{of: OF, missing: (COMMIT == null), sha: COMMIT.oid,
 total: ([$suites[].all.totalCount] | add // 0), pending: ([$suites[].pending.totalCount] | add // 0),
 failed: ([$suites[].failed.totalCount] | add // 0), suites: (COMMIT | unread),
 jobs: [$suites[] | .workflowRun as $run | (.failed.nodes[]?, .ended.nodes[]?) | select(.status == "COMPLETED" and (.conclusion | IN("SUCCESS", "NEUTRAL", "SKIPPED", "STALE") | not)) | (if $run == null then null else at end) as $at
  | {id: ($at.job // "0" | tonumber), run: ($at.run // "0" | tonumber), name, workflow: $run.workflow.name?, status: "completed", conclusion: (.conclusion | low), url: .detailsUrl, title,
     steps: [.steps.nodes[]? | select(.conclusion | IN("SUCCESS", "SKIPPED", "NEUTRAL", null) | not) | .name]}],
 statuses: ([$suites[] | select(.all.totalCount == 0 and (.conclusion | bad)) | {name: (.workflowRun.workflow.name? // "a workflow"), state: (.conclusion | low), title: "without a job", url: .workflowRun.url?}]
  + [COMMIT.status.contexts[]? | objects | select(.state | IN("FAILURE", "ERROR")) | {name: .context, state: (.state | low), title: .description, url: .targetUrl}])}
"#;

/// Suites of a commit that are read: one for each run of a workflow and for each GitHub App of the repository.  GitHub counts at most
/// 500,000 nodes a query; 60 suites with 25 jobs of 30 steps each have 45,000, and with 100 jobs on an older host 180,000.
const SUITES: u32 = 60;

/// The argv for `subject`, or for its one job `job`.
pub(super) fn request(subject: &Subject, job: Option<u64>) -> Vec<String> {
    if let Some(job) = job {
        let endpoint = format!("repos/{{owner}}/{{repo}}/actions/jobs/{job}");
        return get(&endpoint, &format!("{{total: 1, jobs: [{JOB}]}}"));
    }
    match &subject.thing {
        Thing::Run { id, .. } | Thing::Number(id) => {
            let endpoint = format!(
                "repos/{{owner}}/{{repo}}/actions/runs/{id}/jobs?per_page={PAGE}&filter=latest"
            );
            get(&endpoint, &of_run())
        }
        _ => of_commit(subject),
    }
}

/// Jobs on one page: 100 is the most that GitHub gives (REST documentation, "List jobs for a workflow run").
pub(super) const PAGE: usize = 100;

fn of_run() -> String {
    format!("{{total: .total_count, jobs: [.jobs[]? | {JOB}]}}")
}

/// The argv that reads the second page of a run's jobs.
pub(super) fn second_page(owner: &str, repo: &str, id: u64) -> Vec<String> {
    get(
        &format!(
            "repos/{owner}/{repo}/actions/runs/{id}/jobs?per_page={PAGE}&filter=latest&page=2"
        ),
        &of_run(),
    )
}

/// The argv that reads how a run ended.
pub(super) fn run(owner: &str, repo: &str, id: u64) -> Vec<String> {
    get(
        &format!("repos/{owner}/{repo}/actions/runs/{id}"),
        "{status, conclusion}",
    )
}

fn get(endpoint: &str, jq: &str) -> Vec<String> {
    ["api", "--method", "GET", endpoint, "--jq", jq]
        .map(str::to_owned)
        .into()
}

/// The fields of a commit.  Only failed jobs are listed, so that no answer grows with the jobs that passed.
fn fields(query: &Query<'_>) -> String {
    let check = format!(
        "nodes{{name status conclusion detailsUrl title {}}}",
        query.unless_lacking("steps", "steps(first:30){nodes{name conclusion}}")
    );
    // One failure can make GitHub end more jobs than a page has: those that failed by themselves have a page of their own.
    let failed = if query.lacks("conclusions") {
        format!("failed:checkRuns(first:100,filterBy:{{checkType:LATEST}}){{{check}}}")
    } else {
        format!(
            "failed:checkRuns(first:20,filterBy:{{checkType:LATEST,conclusions:[FAILURE,TIMED_OUT,STARTUP_FAILURE,ACTION_REQUIRED]}}){{totalCount {check}}} \
             ended:checkRuns(first:5,filterBy:{{checkType:LATEST,conclusions:[CANCELLED]}}){{{check}}}"
        )
    };
    let pending = if query.lacks("statuses") {
        ""
    } else {
        "pending:checkRuns(filterBy:{checkType:LATEST,statuses:[QUEUED,IN_PROGRESS,WAITING,PENDING,REQUESTED]}){totalCount}"
    };
    let event = query.unless_lacking("event", "event");
    format!(
        "oid checkSuites(first:{SUITES}){{totalCount nodes{{conclusion workflowRun{{url runNumber {event} workflow{{name}}}} all:checkRuns(filterBy:{{checkType:LATEST}}){{totalCount}} {pending} \
         {failed}}}}} status{{contexts{{context state description targetUrl}}}}"
    )
}

fn of_commit(subject: &Subject) -> Vec<String> {
    let mut query = Query::new(&subject.target.host);
    query.repository();
    let fields = fields(&query);
    let owner = subject.target.owner.as_deref().unwrap_or_default();
    let own = |branch: &str| {
        let (of, _) = subject.head(branch);
        of.eq_ignore_ascii_case(owner)
    };
    let (root, of, commit) = match &subject.thing {
        Thing::Branch(branch) if own(branch) => {
            let (_, branch) = subject.head(branch);
            query.text("ref", "String!", format!("refs/heads/{branch}"));
            (
                format!("ref(qualifiedName:$ref){{name target{{...on Commit{{{fields}}}}}}}"),
                "(.data.repository.ref | if . == null then null else \"branch \\(.name) at \\(.target.oid[0:7])\" end)",
                ".data.repository.ref.target",
            )
        }
        Thing::Branch(branch) => {
            let (of, branch) = subject.head(branch);
            query.text("branch", "String!", branch);
            let of = serde_json::Value::from(of);
            return finish(
                query,
                &format!(
                    "pullRequests(headRefName:$branch,first:{OF_BRANCH},orderBy:{{field:CREATED_AT,direction:DESC}}){{nodes{{headRepositoryOwner{{login}} state {}}}}}",
                    pull(&fields)
                ),
                PULL,
                "$pull.commits.nodes[0].commit",
                &format!(
                    "(.data.repository.pullRequests.nodes | map(select((.headRepositoryOwner.login // \"\" | ascii_downcase) == {of})) | (map(select(.state == \"OPEN\")) + .)[0]) as $pull | "
                ),
            );
        }
        Thing::Commit(oid) => {
            query.text("oid", "GitObjectID!", oid);
            (
                format!("object(oid:$oid){{...on Commit{{{fields}}}}}"),
                "(.data.repository.object | if . == null then null else \"commit \\(.oid[0:7])\" end)",
                ".data.repository.object",
            )
        }
        _ => {
            query.number(subject.number());
            return finish(
                query,
                &format!("pullRequest(number:$number){{{}}}", pull(&fields)),
                PULL,
                "$pull.commits.nodes[0].commit",
                ".data.repository.pullRequest as $pull | ",
            );
        }
    };
    finish(query, &root, of, commit, "")
}

/// How a pull request is named in the first line; its text is `$pull` in the filter.
const PULL: &str = "($pull | if . == null then null else \"#\\(.number) \\(.state) \\(.title) at \\(.commits.nodes[0].commit.oid[0:7])\" end)";

/// The fields of a pull request, with those of its last commit.
fn pull(fields: &str) -> String {
    format!("number state title commits(last:1){{nodes{{commit{{{fields}}}}}}}")
}

fn finish(query: Query<'_>, root: &str, of: &str, commit: &str, before: &str) -> Vec<String> {
    let filter = COMMIT
        .trim()
        .replace('\n', " ")
        .replace("COMMIT", commit)
        .replace("BEFORE ", before)
        .replace("OF,", &format!("{of},"));
    let root = format!("repository(owner:$owner,name:$repo){{{root}}}");
    query.argv("FailedChecks", &root, Some(&filter))
}
