//! What a watch knows, in words: one or two lines for a model, rows of a tree for a person.

use std::fmt::Write as _;

use super::runs::{Answer, End, Failure, Job, Phase, Run};
use super::state::{Verdict, Watch};
use crate::gate::{ErrorKind, Refusal};

/// The most names in one line.
const NAMES: usize = 5;

/// One or two lines: the verdict, the runs by their states, how long they took; what still runs, or what else is known.
///
/// `thing` is what was watched, in a word or two; `now` is the time of the watch's clock in milliseconds.
pub fn summary(watch: &Watch, thing: &str, now: u64) -> String {
    let runs = watch.counted();
    let first = match watch.verdict() {
        None => "watching".to_owned(),
        Some(Verdict::Success) => "success".to_owned(),
        Some(Verdict::Failure) => "failure".to_owned(),
        Some(Verdict::Cancelled) => "cancelled".to_owned(),
        Some(Verdict::Skipped) => "skipped".to_owned(),
        Some(Verdict::NoRuns) => {
            return format!(
                "no runs: {thing} has no workflow run {} after the watch began.\nNo workflow is for it, or GitHub is late.",
                duration(watch.lasted(now))
            );
        }
        Some(Verdict::TimedOut) => format!(
            "not over after {}; call again to watch on",
            duration(watch.lasted(now))
        ),
        Some(Verdict::Stopped) => "a person ended the watch".to_owned(),
        Some(Verdict::Broken(kind)) => format!("the watch ended ({kind})"),
    };
    let mut text = format!("{first} · {thing} · {}", counts(&runs));
    if let Some(time) = took(&runs) {
        let _ = write!(text, " · {time}");
    }
    let mut more = Vec::new();
    if watch.verdict().is_some() {
        let open = open(&runs);
        if !open.is_empty() {
            more.push(format!("still going on: {}", names(&open)));
        }
    }
    let failed: Vec<String> = runs
        .iter()
        .filter(|run| run.failed())
        .map(|run| run_name(run))
        .collect();
    // A single failed run is the one of which more follows.
    if watch.verdict() == Some(Verdict::Failure) && failed.len() > 1 {
        more.push(format!("failed: {}", names(&failed)));
    }
    if watch.verdict() == Some(Verdict::Success) {
        let excused: Vec<String> = runs
            .iter()
            .flat_map(|run| run.jobs.iter())
            .filter(|job| job.state.end() == Some(End::Failed))
            .map(|job| job.name.clone())
            .collect();
        if !excused.is_empty() {
            more.push(format!(
                "failed without failing its run (continue-on-error): {}",
                names(&excused)
            ));
        }
    }
    if let Some((since, kind)) = watch.trouble(now) {
        more.push(format!(
            "GitHub has not answered for {} ({kind}); the states are from before",
            duration(since)
        ));
    }
    if !more.is_empty() {
        text = format!("{text}\n{}", more.join("; "));
    }
    text
}

/// The runs by their states: `3 runs: 1 failure, 2 success`.
fn counts(runs: &[&Run]) -> String {
    let mut words: Vec<(&str, usize)> = Vec::new();
    for run in runs {
        let word = run.state.word();
        match words.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => words.push((word, 1)),
        }
    }
    // What went wrong comes first, what went well last.
    words.sort_by_key(|(word, _)| match *word {
        "success" | "neutral" => 3,
        "skipped" => 2,
        "failure" => 0,
        _ => 1,
    });
    match runs {
        [] => "no run yet".to_owned(),
        [one] => format!("{}: {}", run_name(one), one.state.word()),
        _ => {
            let each: Vec<String> = words
                .iter()
                .map(|(word, count)| format!("{count} {word}"))
                .collect();
            format!("{} runs: {}", runs.len(), each.join(", "))
        }
    }
}

/// `CI (run 1001)`, with the attempt from the second on.
fn run_name(run: &Run) -> String {
    let attempt = if run.attempt > 1 {
        format!(", attempt {}", run.attempt)
    } else {
        String::new()
    };
    format!("{} (run {}{attempt})", run.workflow, run.id)
}

/// What has not ended: jobs by name, a run of which no such job is listed by itself.
fn open(runs: &[&Run]) -> Vec<String> {
    let mut out = Vec::new();
    for run in runs.iter().filter(|run| run.state.phase() != Phase::Over) {
        let jobs = run
            .jobs
            .iter()
            .filter(|job| job.state.phase() != Phase::Over);
        let before = out.len();
        out.extend(jobs.map(|job| format!("{} ({})", job.name, job.state.word())));
        if out.len() == before {
            out.push(format!("{} ({})", run.workflow, run.state.word()));
        }
    }
    out
}

fn names(all: &[String]) -> String {
    let mut text = all[..all.len().min(NAMES)].join(", ");
    if all.len() > NAMES {
        let _ = write!(text, " and {} more", all.len() - NAMES);
    }
    text
}

/// The line about one answer by itself, for the record of its request.
///
/// # Errors
/// The refusal for a request whose failure gh does not tell: a commit that is not there.
pub fn line(answer: &Result<Answer, Failure>) -> Result<String, Refusal> {
    let jobs = |jobs: &[Job]| {
        let over = |job: &&Job| job.state.phase() == Phase::Over;
        format!(
            "{} of {} jobs have ended",
            jobs.iter().filter(over).count(),
            jobs.len()
        )
    };
    Ok(match answer {
        Ok(Answer::Commit { sha, runs }) => {
            format!("{sha} · {}", counts(&runs.iter().collect::<Vec<_>>()))
        }
        Ok(Answer::Sha(sha)) => sha.clone(),
        Ok(Answer::Run(run)) => counts(&[run]),
        Ok(Answer::Jobs { jobs: all, .. }) => jobs(all),
        Err(Failure::Lasting(kind)) => {
            return Err(Refusal::new(
                *kind,
                "There is no such commit, branch or pull request head.\nPush it first, or look at the name.",
            ));
        }
        Err(_) => {
            return Err(Refusal::new(
                ErrorKind::Failed,
                "GitHub's answer cannot be read.\nTry again.",
            ));
        }
    })
}

/// How long the jobs took, from the beginning of the first to the end of the last; `None` while one goes on.
fn took(runs: &[&Run]) -> Option<String> {
    let jobs = || runs.iter().flat_map(|run| run.jobs.iter());
    if runs.iter().any(|run| run.phase() != Phase::Over) {
        return None;
    }
    let first = jobs().filter_map(|job| job.started).min()?;
    let last = jobs().filter_map(|job| job.completed).max()?;
    let seconds = u64::try_from(last - first).ok()?;
    Some(format!("took {}", duration(seconds * 1_000)))
}

/// A time in words: `40s`, `12m 40s`, `1h 05m`.
pub fn duration(ms: u64) -> String {
    match ms / 1_000 {
        s @ 0..60 => format!("{s}s"),
        s @ 60..3_600 => format!("{}m {:02}s", s / 60, s % 60),
        s => format!("{}h {:02}m", s / 3_600, s % 3_600 / 60),
    }
}

/// A row of the tree: a run or, below it, one of its jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The id of the run.
    pub run: u64,
    /// The id of the job; `None` for the row of a run.
    pub job: Option<u64>,
    /// Whether this is a job's row.
    pub is_job: bool,
    /// The name of the workflow or job.
    pub name: String,
    /// Its state in one word of GitHub: `queued`, `in_progress`, `failure`.
    pub word: String,
    /// `good`, `bad`, `warning`, `open` or `quiet`: how the state is shown.
    pub tone: &'static str,
    /// How many seconds it has taken, by GitHub's clock at the last answer.
    pub seconds: Option<u64>,
    /// Whether the seconds go on.
    pub counts: bool,
    /// More about it: the event and number of a run, the failed step of a job.
    pub more: String,
}

/// The rows of the tree, as known at GitHub's time `clock` in seconds since the epoch.
pub fn rows(watch: &Watch, clock: i64) -> Vec<Row> {
    let mut rows = Vec::new();
    for run in watch.counted() {
        let started = run.jobs.iter().filter_map(|job| job.started).min();
        let completed = run.jobs.iter().filter_map(|job| job.completed).max();
        let over = run.state.phase() == Phase::Over;
        rows.push(Row {
            run: run.id,
            job: None,
            is_job: false,
            name: run.workflow.clone(),
            word: run.state.word().to_owned(),
            tone: tone(run.state.end(), run.phase()),
            seconds: between(started, if over { completed } else { Some(clock) }),
            counts: !over && started.is_some(),
            more: of_run(run),
        });
        rows.extend(run.jobs.iter().map(|job| job_row(run, job, clock)));
    }
    rows
}

fn of_run(run: &Run) -> String {
    let mut text = format!("{} #{}", run.event, run.number);
    if run.attempt > 1 {
        let _ = write!(text, ", attempt {}", run.attempt);
    }
    let listed = u64::try_from(run.jobs.len()).unwrap_or(u64::MAX);
    if let Some(total) = run.total.filter(|total| *total > listed) {
        let _ = write!(text, ", {listed} of {total} jobs are shown");
    }
    text
}

fn job_row(run: &Run, job: &Job, clock: i64) -> Row {
    let phase = job.state.phase();
    let until = match phase {
        Phase::Over => job.completed,
        Phase::Running => Some(clock),
        Phase::Queued => None,
    };
    Row {
        run: run.id,
        job: job.id,
        is_job: true,
        name: job.name.clone(),
        word: job.state.word().to_owned(),
        tone: tone(job.state.end(), phase),
        seconds: between(job.started, until),
        counts: phase == Phase::Running && job.started.is_some(),
        more: job
            .failed_step
            .as_ref()
            .map_or_else(String::new, |step| format!("step: {step}")),
    }
}

fn between(from: Option<i64>, until: Option<i64>) -> Option<u64> {
    u64::try_from(until?.saturating_sub(from?).max(0)).ok()
}

fn tone(end: Option<End>, phase: Phase) -> &'static str {
    match (end, phase) {
        (Some(End::Good), _) => "good",
        (Some(End::Failed), _) => "bad",
        (Some(End::Cancelled), _) => "warning",
        (None, Phase::Running) => "open",
        (Some(End::Skipped) | None, _) => "quiet",
    }
}
