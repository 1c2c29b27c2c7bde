//! The jobs that the one request lists, as data.

use serde_json::Value;

/// How a job stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// It failed by itself.
    Failed,
    /// Somebody or something ended it.
    Ended,
    /// It is queued or runs.
    #[default]
    Pending,
    /// It succeeded, or did not have to run.
    Fine,
}

/// Conclusions of a job that failed by itself, then of a job that somebody or something ended (REST documentation, "Workflow jobs").
const FAILED: &[&str] = &["failure", "timed_out", "startup_failure", "action_required"];
const ENDED: &[&str] = &["cancelled"];

/// A job of GitHub Actions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Job {
    /// Its id.
    pub id: u64,
    /// The id of its run.
    pub run: u64,
    /// Its name.
    pub name: String,
    /// How it stands.
    pub state: State,
    /// GitHub's word for that: `failure`.
    pub word: String,
    /// The names of its steps that did not succeed.
    pub steps: Vec<String>,
}

/// A failed check that is no job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Other {
    pub name: String,
    pub state: String,
    pub says: String,
    pub url: String,
}

/// Whatever has checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Checked {
    /// What it is: `#171 OPEN Fix the widget at 0123abc`; `None` for a run.
    pub of: Option<String>,
    /// There is no such pull request, branch or commit.
    pub missing: bool,
    /// How many jobs there are.
    pub total: usize,
    /// How many of them are not done, where the answer counts them.
    pending: Option<usize>,
    /// How many failed by themselves, where the answer counts them: it lists at most some of each run.
    all_failed: Option<usize>,
    /// How many runs of the commit were not read.
    pub runs_left: usize,
    /// The jobs; of a commit, those that failed.
    pub jobs: Vec<Job>,
    /// Failed checks that are no jobs.
    pub others: Vec<Other>,
    /// How many of those are checks, not statuses.
    other_checks: usize,
}

impl Checked {
    /// The jobs that failed; where none did, the jobs that were ended.  Where one failure made GitHub end the other jobs, their logs give no
    /// reason.
    pub fn failed(&self) -> Vec<&Job> {
        let with = |state: State| -> Vec<&Job> {
            self.jobs.iter().filter(|job| job.state == state).collect()
        };
        let failed = with(State::Failed);
        if failed.is_empty() {
            with(State::Ended)
        } else {
            failed
        }
    }

    /// How many failures there are beyond those that the answer lists.
    pub fn unlisted(&self) -> usize {
        let failed = |job: &&Job| job.state == State::Failed;
        let listed = self.jobs.iter().filter(failed).count() + self.other_checks;
        self.all_failed.map_or(0, |all| all.saturating_sub(listed))
    }

    /// Whether the answer is the first page of a run's jobs, and there are more.
    pub fn has_more(&self) -> bool {
        self.pending.is_none() && self.jobs.len() < self.total
    }

    /// Adds the jobs of the next page.
    pub fn add(&mut self, next: Self) {
        self.jobs.extend(next.jobs);
    }

    /// How many jobs are not done.
    pub fn pending(&self) -> usize {
        self.pending.unwrap_or_else(|| {
            let pending = |job: &&Job| job.state == State::Pending;
            self.jobs.iter().filter(pending).count()
        })
    }

    /// `2 jobs`, `41 jobs, 2 of them not done yet`
    pub fn counts(&self) -> String {
        let plural = if self.total == 1 { "" } else { "s" };
        let pending = match self.pending() {
            0 => String::new(),
            pending => format!(", {pending} of them not done yet"),
        };
        format!("{} job{plural}{pending}", self.total)
    }
}

/// Reads the answer to [`super::ask::request`]; `None` where it is no such answer.
pub(super) fn checked(answer: &Value) -> Option<Checked> {
    let count = |key: &str| answer[key].as_u64().and_then(|n| usize::try_from(n).ok());
    let (mut jobs, mut others) = (Vec::new(), Vec::new());
    for job in answer["jobs"].as_array()? {
        let text = |key: &str| job[key].as_str().unwrap_or_default().to_owned();
        let id = job["id"].as_u64().unwrap_or(0);
        let word = match (text("conclusion"), text("status")) {
            (conclusion, status) if conclusion.is_empty() => status,
            (conclusion, _) => conclusion,
        };
        if id == 0 {
            others.push(Other {
                name: text("name"),
                state: word,
                says: text("title"),
                url: text("url"),
            });
            continue;
        }
        let done = job["status"].as_str() == Some("completed");
        let state = match word.as_str() {
            _ if !done => State::Pending,
            word if FAILED.contains(&word) => State::Failed,
            word if ENDED.contains(&word) => State::Ended,
            _ => State::Fine,
        };
        let steps = job["steps"].as_array().into_iter().flatten();
        jobs.push(Job {
            id,
            run: job["run"].as_u64().unwrap_or(0),
            name: Some(text("name"))
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| "unnamed".to_owned()),
            state,
            word,
            steps: steps.filter_map(Value::as_str).map(str::to_owned).collect(),
        });
    }
    let other_checks = others.len();
    for status in answer["statuses"].as_array().into_iter().flatten() {
        let text = |key: &str| status[key].as_str().unwrap_or_default().to_owned();
        others.push(Other {
            name: text("name"),
            state: text("state"),
            says: text("title"),
            url: text("url"),
        });
    }
    Some(Checked {
        of: answer["of"].as_str().map(str::to_owned),
        missing: answer["missing"] == true,
        total: count("total").unwrap_or(jobs.len()),
        pending: count("pending"),
        all_failed: count("failed"),
        runs_left: count("suites").unwrap_or(0),
        jobs,
        others,
        other_checks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ended_jobs_count_as_failed_only_where_none_failed_by_itself() {
        let job = |id: u64, conclusion: &str| json!({"id": id, "status": "completed", "conclusion": conclusion});
        let answer =
            |jobs: &[Value]| checked(&json!({"total": jobs.len(), "jobs": jobs})).expect("jobs");
        let ids = |checked: &Checked| {
            checked
                .failed()
                .iter()
                .map(|job| job.id)
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&answer(&[job(1, "cancelled"), job(2, "failure")])), [2]);
        assert_eq!(ids(&answer(&[job(1, "cancelled"), job(2, "success")])), [1]);
    }

    #[test]
    fn jobs_that_the_answer_counts_and_does_not_list_are_known() {
        let job = json!({"id": 1, "status": "completed", "conclusion": "failure"});
        let of_commit =
            checked(&json!({"total": 60, "pending": 0, "failed": 31, "suites": 2, "jobs": [job]}));
        let of_commit = of_commit.expect("jobs");
        assert_eq!((of_commit.unlisted(), of_commit.runs_left), (30, 2));
        assert!(!of_commit.has_more());
        let mut of_run = checked(&json!({"total": 2, "jobs": [job]})).expect("jobs");
        assert!(of_run.has_more());
        of_run.add(checked(&json!({"total": 2, "jobs": [job]})).expect("jobs"));
        assert!(!of_run.has_more());
    }

    #[test]
    fn a_check_without_a_job_stands_apart_and_a_job_that_runs_is_pending() {
        let answer = json!({"total": 2, "jobs": [
            {"id": 0, "name": "ci/other", "status": "completed", "conclusion": "failure", "url": "https://ci.example/1"},
            {"id": 5, "name": "build", "status": "in_progress", "conclusion": null},
        ]});
        let checked = checked(&answer).expect("jobs");
        assert_eq!(checked.others.len(), 1);
        assert_eq!((checked.pending(), checked.failed().len()), (1, 0));
        assert_eq!(checked.counts(), "2 jobs, 1 of them not done yet");
        assert_eq!(super::checked(&json!({"message": "x"})), None);
    }
}
