//! What a watch does next: wait, ask, or end with a verdict.

use std::collections::BTreeSet;

use super::runs::{Answer, Ask, End, Failure, Phase, Run};
use crate::gate::ErrorKind;

/// Seconds between polls while something runs: the first answers come soon, since a lint job often fails within a minute; then one a minute.
const RUNNING: &[u64] = &[5, 10, 20, 40, 60];
/// Seconds between polls while everything waits for a runner, which can take an hour.
const QUEUED: &[u64] = &[5, 10, 20, 40, 60, 90, 120];
/// Seconds between the tries of a poll that failed, at most the usual time between polls.
const AGAIN: &[u64] = &[10, 20, 40, 60];
/// Milliseconds from the first failed job to the poll that also sees the jobs that failed at the same time.
const GRACE: u64 = 8_000;
/// Milliseconds from the first answer in which every run has ended to the poll that shows whether another run began late.
const LATE: u64 = 15_000;
/// Milliseconds that the first run of a commit may take to appear.  GitHub takes seconds, in its bad hours a minute.
const FIRST: u64 = 90_000;
/// Requests that may be made at once, besides one a minute: 20 minutes have at most 24, and one more after the first failure.
const BURST: u64 = 4;
const MINUTE: u64 = 60_000;
/// A poll that is this late was not made because the machine slept.
const SLEPT: u64 = 60_000;
/// After sleep the network may take a while to come back, so the watch lasts at least this much longer.
const AWAKE: u64 = 180_000;
/// Milliseconds to wait where GitHub asks to slow down and does not say for how long (its documentation: at least a minute).
const SLOW: u64 = 60_000;
/// The shortest time between two polls that a person asks for.
const BY_HAND: u64 = 5_000;

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Wait so many milliseconds, then ask for the next step.
    Wait(u64),
    /// Make this request and report its answer.
    Poll(Ask),
    /// The watch is over.
    Over(Verdict),
}

/// How a watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every run ended well.
    Success,
    /// A run failed, or a job of a run that still goes on.
    Failure,
    /// No run failed, and at least one was cancelled.
    Cancelled,
    /// Every run was skipped.
    Skipped,
    /// The commit has no run.
    NoRuns,
    /// The longest time of a watch is over.
    TimedOut,
    /// A person ended the watch.
    Stopped,
    /// A request failed for a reason that lasts.
    Broken(ErrorKind),
}

/// What is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// All runs of a commit.
    Commit {
        /// Its object name, once it is known.
        sha: Option<String>,
        /// Whether the runs are read by REST, since GraphQL was refused.
        rest: bool,
    },
    /// One run.
    Run,
}

/// What was seen last, as far as it says what the next answer is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    /// Something waits or runs.
    Open,
    /// A job has failed while others run.
    Failed,
    /// Each of these runs has ended, none of them with a failure.
    Ended(BTreeSet<u64>),
}

/// A watch.
#[derive(Clone, Debug)]
pub struct Watch {
    watched: Watched,
    runs: Vec<Run>,
    seen: Seen,
    begun: u64,
    deadline: u64,
    /// When the next poll is due.
    due: u64,
    /// When the last request was made.
    asked_at: Option<u64>,
    /// When the last answer came that was no failure.
    answered_at: Option<u64>,
    /// How many requests were made.
    asked: u64,
    /// Whether the last request was [`Ask::Run`].
    asked_run: bool,
    /// How many polls in a row had no answer, and why the last one had none.
    failures: usize,
    trouble: Option<ErrorKind>,
    /// How many polls have been spaced by the tables above.
    spaced: usize,
    phase: Phase,
    /// Whether the poll under way is the last one, made when the time was over.
    last: bool,
    over: Option<Verdict>,
}

impl Watch {
    /// A watch of `watched` that begins at `now` and lasts at most `most`; both are milliseconds.
    pub fn new(watched: Watched, now: u64, most: u64) -> Self {
        Self {
            watched,
            runs: Vec::new(),
            seen: Seen::Open,
            begun: now,
            deadline: now.saturating_add(most),
            due: now,
            asked_at: None,
            answered_at: None,
            asked: 0,
            asked_run: false,
            failures: 0,
            trouble: None,
            spaced: 0,
            phase: Phase::Queued,
            last: false,
            over: None,
        }
    }

    /// The next step at the time `now`.  A step [`Step::Poll`] is given once: the next step follows from its answer.
    pub fn next(&mut self, now: u64) -> Step {
        if let Some(verdict) = self.over {
            return Step::Over(verdict);
        }
        if now < self.due {
            return Step::Wait(self.due - now);
        }
        if self.asked > 0 {
            self.awake(now, self.due);
        }
        self.last = now >= self.deadline;
        self.asked += 1;
        self.asked_at = Some(now);
        let ask = self.ask();
        self.asked_run = ask == Ask::Run;
        Step::Poll(ask)
    }

    /// Notes the answer, or why there is none, at the time `now`; returns the next step.
    pub fn answer(&mut self, now: u64, answer: Result<Answer, Failure>) -> Step {
        if let Some(asked) = self.asked_at {
            // A call lasts at most two minutes.
            self.awake(now, asked + 2 * MINUTE);
        }
        if self.over.is_none() {
            match answer {
                Ok(answer) => {
                    self.failures = 0;
                    self.trouble = None;
                    self.answered_at = Some(now);
                    let done = self.learn(answer);
                    self.decide(now, done);
                }
                Err(failure) => self.fail(now, &failure),
            }
            if self.last && self.over.is_none() {
                self.over = Some(Verdict::TimedOut);
            }
            self.due = self.due.min(self.deadline.max(now));
        }
        match self.over {
            Some(verdict) => Step::Over(verdict),
            None => Step::Wait(self.due.saturating_sub(now)),
        }
    }

    /// Ends the watch for a person, unless it is over.
    pub fn stop(&mut self) {
        self.over.get_or_insert(Verdict::Stopped);
    }

    /// Makes the next poll due at `now`, for a person; returns whether the last one is long enough ago.
    pub fn hurry(&mut self, now: u64) -> bool {
        let may = self.asked_at.is_none_or(|at| now >= at + BY_HAND);
        if may {
            self.due = self.due.min(now);
        }
        may
    }

    /// Gives the watch time for some more polls where it is at `now` that something happens that was due at `due`.
    fn awake(&mut self, now: u64, due: u64) {
        if now > due.saturating_add(SLEPT) {
            self.deadline = self.deadline.max(now + AWAKE);
        }
    }

    /// What the next request asks for.
    fn ask(&self) -> Ask {
        match &self.watched {
            Watched::Commit { sha, rest: false } => Ask::Commit {
                sha: sha.clone(),
                steps: self.seen == Seen::Failed,
            },
            Watched::Commit { sha: None, .. } => Ask::Sha,
            Watched::Commit { sha: Some(sha), .. } => Ask::Runs(sha.clone()),
            Watched::Run => match self.runs.first() {
                // Once every listed job has ended, only the run itself says whether it is over: jobs that wait for others are listed late.
                Some(run)
                    if run.state.phase() == Phase::Running
                        && (self.asked_run || !run.jobs_over()) =>
                {
                    Ask::Jobs
                }
                _ => Ask::Run,
            },
        }
    }

    /// Takes over what an answer says; returns whether it says enough to decide.
    fn learn(&mut self, answer: Answer) -> bool {
        match answer {
            Answer::Commit { sha, runs } => {
                if let Watched::Commit { sha: known, .. } = &mut self.watched {
                    // The first answer fixes the commit: a later push does not change what is watched.
                    known.get_or_insert(sha);
                }
                self.runs = runs;
                true
            }
            Answer::Sha(found) => {
                if let Watched::Commit { sha, .. } = &mut self.watched {
                    sha.get_or_insert(found);
                }
                false
            }
            Answer::Run(mut run) => {
                // The jobs of an earlier attempt say nothing about this one.
                if let Some(known) = self.runs.pop()
                    && known.attempt == run.attempt
                {
                    run.jobs = known.jobs;
                    run.total = known.total;
                }
                self.runs = vec![run];
                true
            }
            Answer::Jobs {
                attempt,
                total,
                jobs,
            } => {
                let Some(run) = self.runs.first_mut() else {
                    return false;
                };
                run.attempt = run.attempt.max(attempt);
                run.total = Some(total);
                run.jobs = jobs;
                // Only the run itself says whether it is over.
                !run.jobs_over()
            }
        }
    }

    /// Decides what comes next, after an answer that is `enough` to decide by.
    fn decide(&mut self, now: u64, enough: bool) {
        if !enough {
            self.due = now.max(self.allowed());
            // A request that completes this one is no poll of its own.
            if self.last {
                self.last = false;
                self.deadline = self.deadline.max(now + 1);
                self.due = now;
            }
            return;
        }
        let runs = self.counted();
        let over = runs.iter().all(|run| run.state.phase() == Phase::Over);
        if runs.is_empty() {
            if now >= self.begun + FIRST {
                self.over = Some(Verdict::NoRuns);
            } else {
                self.space(now, Phase::Queued);
                self.due = self.due.min(self.begun + FIRST);
            }
        } else if runs.iter().any(|run| run.failed()) {
            if over || self.seen == Seen::Failed {
                self.over = Some(Verdict::Failure);
            } else {
                self.seen = Seen::Failed;
                self.due = now + GRACE;
            }
        } else if over {
            let verdict = verdict(&runs);
            let ids = Seen::Ended(runs.iter().map(|run| run.id).collect());
            // The runs of a commit do not all begin at once; one run is one run.
            if self.watched == Watched::Run || self.seen == ids || self.last {
                self.over = Some(verdict);
            } else {
                self.seen = ids;
                self.due = (now + LATE).max(self.allowed());
            }
        } else {
            let phase = runs
                .iter()
                .map(|run| run.phase())
                .filter(|phase| *phase != Phase::Over)
                .max();
            self.seen = Seen::Open;
            self.space(now, phase.unwrap_or(Phase::Queued));
        }
    }

    /// Notes that a request has no answer.
    fn fail(&mut self, now: u64, failure: &Failure) {
        let broken = |kind| Some(Verdict::Broken(kind));
        match *failure {
            Failure::Lasting(kind) => self.over = broken(kind),
            Failure::Refused => match &mut self.watched {
                Watched::Commit { rest, .. } if !*rest => {
                    *rest = true;
                    self.due = now;
                }
                _ => self.over = broken(ErrorKind::NoAccess),
            },
            Failure::RateLimit(after) => {
                self.failures += 1;
                self.trouble = Some(ErrorKind::RateLimit);
                let longer = SLOW << (self.failures - 1).min(3);
                self.due = now + after.unwrap_or(longer);
            }
            Failure::Passing(kind) => {
                self.failures += 1;
                self.trouble = Some(kind);
                let wait = AGAIN[(self.failures - 1).min(AGAIN.len() - 1)] * 1_000;
                self.due = (now + wait).max(self.allowed());
            }
        }
        // The failure itself is known; only those that came with it are not.
        if self.seen == Seen::Failed && self.over.is_none() {
            self.over = Some(Verdict::Failure);
        }
    }

    /// Spaces the next poll after one at `now` that saw `phase`.
    fn space(&mut self, now: u64, phase: Phase) {
        // What leaves the queue is looked at sooner again.
        if self.phase == Phase::Queued && phase == Phase::Running {
            self.spaced = self.spaced.min(2);
        }
        self.phase = phase;
        let table = if phase == Phase::Running {
            RUNNING
        } else {
            QUEUED
        };
        let wait = table[self.spaced.min(table.len() - 1)] * 1_000;
        self.spaced += 1;
        self.due = (now + wait).max(self.allowed());
    }

    /// When the next request may be made, by the number of those made so far.
    fn allowed(&self) -> u64 {
        self.begun + (self.asked + 1).saturating_sub(BURST) * MINUTE
    }

    /// The runs that count: a cancelled run does not once its workflow has a newer run for the same event, since such a run is cancelled
    /// because the newer one takes its place (`concurrency`).
    pub fn counted(&self) -> Vec<&Run> {
        let replaced = |run: &Run| {
            run.state.end() == Some(End::Cancelled)
                && self.runs.iter().any(|newer| {
                    newer.workflow == run.workflow
                        && newer.event == run.event
                        && newer.number > run.number
                })
        };
        self.runs.iter().filter(|run| !replaced(run)).collect()
    }

    /// What is watched.
    pub fn watched(&self) -> &Watched {
        &self.watched
    }

    /// How many requests were made.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// The verdict, once the watch is over.
    pub fn verdict(&self) -> Option<Verdict> {
        self.over
    }

    /// Milliseconds since the watch began, at the time `now`.
    pub fn lasted(&self, now: u64) -> u64 {
        now.saturating_sub(self.begun)
    }

    /// Milliseconds since the last answer and why there was none since, where polls fail now.
    pub fn trouble(&self, now: u64) -> Option<(u64, ErrorKind)> {
        let since = self.answered_at.unwrap_or(self.begun);
        Some((now.saturating_sub(since), self.trouble?))
    }

    /// Milliseconds from `now` to the next poll.
    pub fn due_in(&self, now: u64) -> u64 {
        self.due.saturating_sub(now)
    }
}

/// The verdict about runs that have all ended, none with a failure.
fn verdict(runs: &[&Run]) -> Verdict {
    let ended = |end| move |run: &&&Run| run.state.end() == Some(end);
    if runs.iter().any(|run| ended(End::Cancelled)(&run)) {
        Verdict::Cancelled
    } else if runs.iter().all(|run| ended(End::Skipped)(&run)) {
        Verdict::Skipped
    } else {
        Verdict::Success
    }
}
