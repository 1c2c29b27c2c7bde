//! Runs and jobs as far as a watch knows them, and what a request for them asks and answers.

use crate::gate::ErrorKind;

/// How far a run or job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// It waits: for a runner, another job, an approval.
    Queued,
    /// It runs.
    Running,
    /// It has ended.
    Over,
}

/// How a run or job ended, as far as a verdict is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// `success` or `neutral`.
    Good,
    /// `skipped`: its condition was not met.
    Skipped,
    /// Somebody or something ended it: `cancelled`, or `stale` after 14 days in the queue.
    Cancelled,
    /// It failed, or needs a person (`action_required`).
    Failed,
}

/// The words of GitHub for the state of a run or job, in small letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// `queued`, `in_progress`, `completed`, …
    pub status: String,
    /// `success`, `failure`, …; `None` before the end.
    pub conclusion: Option<String>,
}

impl State {
    /// The state by the words `status` and `conclusion`, in any case of letters.
    pub fn new(status: &str, conclusion: Option<&str>) -> Self {
        Self {
            status: status.to_ascii_lowercase(),
            conclusion: conclusion
                .filter(|word| !word.is_empty())
                .map(str::to_ascii_lowercase),
        }
    }

    /// How far it is.
    pub fn phase(&self) -> Phase {
        match self.status.as_str() {
            "completed" => Phase::Over,
            "in_progress" => Phase::Running,
            _ => Phase::Queued,
        }
    }

    /// How it ended; `None` before the end.
    pub fn end(&self) -> Option<End> {
        if self.phase() != Phase::Over {
            return None;
        }
        Some(match self.conclusion.as_deref() {
            Some("success" | "neutral") => End::Good,
            Some("skipped") => End::Skipped,
            Some("cancelled" | "stale") => End::Cancelled,
            // A word that GitHub adds one day is better looked at than taken for success.
            _ => End::Failed,
        })
    }

    /// The one word that says most: the conclusion, or the status before the end.
    pub fn word(&self) -> &str {
        self.conclusion.as_deref().unwrap_or(&self.status)
    }
}

/// One job of a run, in its latest attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// Its id, by which its log is read.
    pub id: Option<u64>,
    /// Its name, with the matrix values.
    pub name: String,
    /// Its state.
    pub state: State,
    /// When it began and ended, in seconds since the epoch.
    pub started: Option<i64>,
    /// See `started`.
    pub completed: Option<i64>,
    /// The name of its first step that failed, where GitHub was asked for steps.
    pub failed_step: Option<String>,
}

/// One workflow run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Its id.
    pub id: u64,
    /// The name of its workflow.
    pub workflow: String,
    /// Its number among the runs of the workflow.
    pub number: u64,
    /// What started it: `push`, `pull_request`, …
    pub event: String,
    /// Which attempt the state is of, from 1; 0 where the answer did not say.
    pub attempt: u64,
    /// Its state.
    pub state: State,
    /// Its jobs that GitHub listed.
    pub jobs: Vec<Job>,
    /// How many jobs it has; `None` while they have not been asked for.
    pub total: Option<u64>,
}

impl Run {
    /// How far the run is: a run whose jobs all wait is queued, although GitHub may call it `in_progress`.
    pub fn phase(&self) -> Phase {
        let own = self.state.phase();
        let waits = !self.jobs.is_empty()
            && self
                .jobs
                .iter()
                .all(|job| job.state.phase() == Phase::Queued);
        if own == Phase::Running && waits {
            Phase::Queued
        } else {
            own
        }
    }

    /// Whether the run failed, or has a failed job while it goes on.
    ///
    /// Once a run has ended its own conclusion counts: a job with `continue-on-error` fails and its run succeeds.
    pub fn failed(&self) -> bool {
        match self.state.end() {
            Some(end) => end == End::Failed,
            None => self
                .jobs
                .iter()
                .any(|job| job.state.end() == Some(End::Failed)),
        }
    }

    /// Whether every job of the run is listed and has ended.  Jobs that wait for others may not be listed yet, so the run may go on.
    pub fn jobs_over(&self) -> bool {
        !self.jobs.is_empty() && self.jobs.iter().all(|job| job.state.phase() == Phase::Over)
    }
}

/// What one request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The check suites of the commit with their jobs, by GraphQL.
    Commit {
        /// The object name of the commit; `None`: the thing that is watched says which commit.
        sha: Option<String>,
        /// Whether to ask for the steps of the jobs, which costs 26 points of GitHub's hourly 5,000 in place of 1.
        steps: bool,
    },
    /// The object name of the watched commit, by REST.
    Sha,
    /// The runs of the commit, by REST, without their jobs.
    Runs(String),
    /// One run, by REST, without its jobs.
    Run,
    /// The jobs of one run, by REST.
    Jobs,
}

/// The answer to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The commit and its runs; `runs` of other apps than GitHub Actions are left out.
    Commit {
        /// The object name.
        sha: String,
        /// The runs, with their jobs where the request gives them.
        runs: Vec<Run>,
    },
    /// The object name of the watched commit.
    Sha(String),
    /// The run, without jobs.
    Run(Run),
    /// The jobs of the run.
    Jobs {
        /// The attempt that they belong to.
        attempt: u64,
        /// How many there are.
        total: u64,
        /// Those that were listed.
        jobs: Vec<Job>,
    },
}

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The host or the token gives no check suites by GraphQL.
    Refused,
    /// GitHub asks to wait: for so many milliseconds, where it said so.
    RateLimit(Option<u64>),
    /// It may be better next time: no network, an error of the server.
    Passing(ErrorKind),
    /// It will be the same next time: no such thing, no access.
    Lasting(ErrorKind),
}
