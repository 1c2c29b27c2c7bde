//! Why a run failed: its failed jobs, and from each job's log the command that failed and the lines that give the reason.
//!
//! gh has two forms of a log, and either can lack the cause.  A job's own log from the API is whole; but where it is longer than the cap,
//! its middle is dropped, and the beginning of the failed step with it.  `gh run view --log-failed` begins with the failed step, but prints
//! nothing for a cancelled job and loses a step with a very long line (checked with gh 2.92.0 and 2.103.3).  So the job's own log is read
//! first, and the other form where that gives no reason.  Of a long log only the two ends are searched; the whole is kept, without
//! time stamps.

use std::fmt::Write as _;

use serde_json::Value;

use super::view::{Around, View};
use crate::gate::{Class, Cleaner, ErrorKind, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::render::{self, Clean, one_line};
use crate::joblog as failure;
use crate::joblog::Failure;
use crate::run::{Captured, Stream};

/// Conclusions of a job that failed by itself, then of a job that somebody or something ended (REST documentation, "Workflow jobs").
const FAILED: &[&str] = &["failure", "timed_out", "startup_failure", "action_required"];
const ENDED: &[&str] = &["cancelled"];

/// Most failed jobs whose logs are read; of further failed jobs the result gives the names.
const TOLD: usize = 3;

/// Tokens for all jobs together, and most tokens for one job: a single job gets 400, three get 250 each.  From 250 tokens to 400
/// the lines of labelled real logs that are shown rise from 0.69 to 0.77 (`tools/weights`, `budgets`).  A result has 800 by default
/// (`gate::result::budget`).
const BUDGET: usize = 750;
const ONE: usize = 400;

/// A log is kept on the shelf where it has over 20 lines more than the text shown of it; fewer are the runner's own lines about a step.
const LITTLE: usize = 20;

/// The `--json` fields that gh is asked for first.
pub(super) const FIELDS: &[&str] = &["databaseId", "status", "conclusion", "jobs"];

/// Renders the JSON of a run with its jobs, and the reasons in the logs of the failed ones.
#[derive(Debug)]
pub(super) struct FailedLogsView {
    /// The id of the one job that is asked for; `None`: all that failed.
    pub job: Option<u64>,
}

impl View for FailedLogsView {
    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let head = captured.stdout.head();
        let (followup, reads, clean) = (around.followup, &mut *around.reads, around.clean);
        failed_logs(head.reveal(), self.job, followup, reads, clean)
    }
}

/// Renders the failed jobs of the run in `json`, gh's answer for [`FIELDS`]; `only` is the id of the one job that is asked for.
///
/// # Errors
/// Where `json` is no run, or `only` is no job of the run.  Where a log cannot be read, the text says so and no error is returned.
fn failed_logs(
    json: &[u8],
    only: Option<u64>,
    followup: &Followup,
    reads: &mut dyn Reads,
    clean: &Cleaner,
) -> Result<String, Refusal> {
    let text: Clean<'_> = &|words| clean.text(words);
    let run =
        render::parse_bounded(json).map_err(|error| Refusal::new(error.kind(), error.message()))?;
    let jobs = run["jobs"].as_array().map_or(&[][..], Vec::as_slice);
    let chosen: Vec<&Value> = match only {
        Some(id) => {
            let job = jobs
                .iter()
                .find(|job| job["databaseId"].as_u64() == Some(id));
            vec![job.ok_or_else(|| {
                Refusal::new(
                    ErrorKind::NotFound,
                    format!(
                        "Run {} has no job {id}.\nAsk without `job_id' for its failed jobs.",
                        run["databaseId"]
                    ),
                )
            })?]
        }
        None => failed(jobs),
    };
    let mut parts = Vec::new();
    if run["status"]
        .as_str()
        .is_some_and(|status| status != "completed")
    {
        parts.push(format!(
            "The run is still {}; more may fail.",
            one_line(run["status"].as_str().unwrap_or_default(), text)
        ));
    }
    if chosen.is_empty() {
        parts.push(format!("No job has failed: {} jobs.", jobs.len()));
        return Ok(parts.join("\n"));
    }
    let told = chosen.len().min(TOLD);
    let budget = (BUDGET / told).min(ONE);
    let mut logs = Logs::default();
    for job in &chosen[..told] {
        parts.push(tell(job, budget, &mut logs, followup, reads, clean));
    }
    if !logs.whole.is_empty() {
        reads.made_from(std::mem::take(&mut logs.whole));
    }
    if chosen.len() > told {
        let others: Vec<String> = chosen[told..]
            .iter()
            .map(|job| {
                let name = one_line(job["name"].as_str().unwrap_or("unnamed"), text);
                format!("{name} (job {})", job["databaseId"])
            })
            .take(20)
            .collect();
        parts.push(format!(
            "{} more failed: {}",
            chosen.len() - told,
            others.join(", ")
        ));
    }
    Ok(parts.join("\n\n"))
}

/// The jobs that failed; where none did, the jobs that were ended.  Where one failure made GitHub end the other jobs, their logs give no reason.
fn failed(jobs: &[Value]) -> Vec<&Value> {
    let with = |words: &[&str]| -> Vec<&Value> {
        let among = |job: &&Value| {
            job["conclusion"]
                .as_str()
                .is_some_and(|word| words.contains(&word))
        };
        jobs.iter().filter(among).collect()
    };
    let failed = with(FAILED);
    if failed.is_empty() {
        with(ENDED)
    } else {
        failed
    }
}

/// State that the first log leaves for the next ones.
#[derive(Default)]
struct Logs {
    /// `true`: this gh lacks `--allow-escape-sequences`, without which a newer gh refuses a log with escape sequences.
    old: bool,
    /// The logs that the text was made from, one below the other, each under the line that names its job.
    whole: String,
}

/// The failure found in one log.
struct LogFailure {
    failure: Failure,
    /// The failure as text.
    text: String,
    /// The kept part of the log itself.
    log: String,
}

/// Renders one job: a line that names it, then the failure in its log.
fn tell(
    job: &Value,
    budget: usize,
    logs: &mut Logs,
    followup: &Followup,
    reads: &mut dyn Reads,
    clean: &Cleaner,
) -> String {
    let text: Clean<'_> = &|words| clean.text(words);
    let id = job["databaseId"].as_u64().unwrap_or(0);
    let state = job["conclusion"].as_str().filter(|word| !word.is_empty());
    let head = format!(
        "{} · {} · job {id}",
        one_line(job["name"].as_str().unwrap_or("unnamed"), text),
        one_line(state.or(job["status"].as_str()).unwrap_or("unknown"), text),
    );
    let own = job_log(id, logs, followup, reads);
    let found = own.map(|log| find(&log, budget, clean));
    let told = match found {
        Ok(found) if tells(&found.failure) => Ok(found),
        // The other form of the log may tell more; where it tells no more, the first stays.
        found => match (failed_steps_log(id, followup, reads), found) {
            (Ok(log), first) => {
                let second = find(&log, budget, clean);
                match first {
                    Ok(own) if !tells(&second.failure) => Ok(own),
                    _ => Ok(second),
                }
            }
            (Err(_), found) => found,
        },
    };
    match told {
        Ok(found) => {
            if found.log.lines().count() > found.text.lines().count() + LITTLE {
                let _ = writeln!(logs.whole, "{head}\n{}", found.log.trim_end());
            }
            format!("{head}\n{}", found.text)
        }
        Err(refusal) => format!("{head}\n{}{}", no_log(&refusal), failed_steps(job, text)),
    }
}

/// Whether the log marks a step as failed, and one failed step has its command and a line recognised as the cause.
fn tells(failure: &Failure) -> bool {
    failure.marked
        && failure
            .steps
            .iter()
            .any(|step| !step.certain.is_empty() && !step.command.is_empty())
}

/// A log as it was read: its two ends, and the whole.
type Log = (Captured, Stream);

/// Finds the failure in the log that gh printed, and renders it in at most `budget` tokens.
fn find((captured, whole): &Log, budget: usize, clean: &Cleaner) -> LogFailure {
    let redactor = clean.redactor();
    let (front, back) = captured.stdout.shown(|bytes| redactor.bytes(bytes));
    let (front, back) = (
        String::from_utf8_lossy(&front),
        String::from_utf8_lossy(&back),
    );
    let gap = captured.stdout.truncated.then(|| {
        format!(
            "[{} bytes in the middle of the log were not searched]",
            captured.stdout.dropped()
        )
    });
    // A line break keeps the half lines at the gap from becoming one line.
    let log = if back.is_empty() {
        front.clone()
    } else {
        format!("{front}\n{back}").into()
    };
    let mut failure = failure::find(&log, budget);
    // The line above the failure names the job already.
    failure.steps.iter_mut().for_each(|step| step.job = None);
    let mut text = failure::show(&failure, budget);
    if let Some(gap) = gap {
        let _ = write!(text, "\n{gap}");
    }
    let log = if captured.stdout.truncated {
        unstamped(whole, clean)
    } else {
        failure::unstamped(&front)
    };
    LogFailure { failure, text, log }
}

/// The whole log, redacted and without time stamps; where it is longer than what is kept of it, with a line about the gap.
fn unstamped(whole: &Stream, clean: &Cleaner) -> String {
    let redactor = clean.redactor();
    let (front, back) = whole.shown(|bytes| redactor.bytes(bytes));
    let mut kept = failure::unstamped(&String::from_utf8_lossy(&front));
    if whole.truncated {
        let back = String::from_utf8_lossy(&back);
        let _ = write!(
            kept,
            "\n[{} bytes in the middle of the log were not kept]\n{}",
            whole.dropped(),
            failure::unstamped(&back)
        );
    }
    kept
}

/// Reads the job's own log.
fn job_log(
    id: u64,
    logs: &mut Logs,
    followup: &Followup,
    reads: &mut dyn Reads,
) -> Result<Log, Refusal> {
    let Some((owner, repo)) = followup.owner_and_repo() else {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            "No repository is known.\nGive `repo'.",
        ));
    };
    let endpoint = format!("repos/{owner}/{repo}/actions/jobs/{id}/logs");
    let argv = |flag: Option<&str>| {
        let words = ["api", "--method", "GET", &endpoint];
        words.into_iter().chain(flag).map(Into::into).collect()
    };
    if !logs.old {
        let plan = followup.plan_both_ends(argv(Some("--allow-escape-sequences")))?;
        // Where the installed gh is known to lack the flag, the call's class is not `read', so the call is not made.
        if plan.info().class == Class::Read {
            match reads.run_whole(plan) {
                Err(refusal)
                    if matches!(refusal.kind, ErrorKind::Usage | ErrorKind::PolicyBlocked) => {}
                answer => return answer,
            }
        }
        logs.old = true;
    }
    reads.run_whole(followup.plan_both_ends(argv(None))?)
}

/// Reads the log of the job's failed steps, as gh prints it.
fn failed_steps_log(id: u64, followup: &Followup, reads: &mut dyn Reads) -> Result<Log, Refusal> {
    let id = id.to_string();
    let argv = ["run", "view", "--job", &id, "--log-failed"].map(Into::into);
    let log = reads.run_whole(followup.plan_there(argv.into())?)?;
    if log.0.stdout.head().is_empty() {
        return Err(Refusal::new(
            ErrorKind::NotFound,
            "gh prints no failed step of this job.\nRead the job's own log.",
        ));
    }
    Ok(log)
}

/// Says why there is no log.
fn no_log(refusal: &Refusal) -> String {
    match refusal.kind {
        ErrorKind::NotFound => {
            "The log is not there: it has expired, was deleted, or the job is not done.".to_owned()
        }
        kind => format!(
            "The log could not be read ({kind}): {}",
            refusal.message.lines().next().unwrap_or_default()
        ),
    }
}

/// Names the steps that failed, from the record of the job, which GitHub keeps longer than the log.
fn failed_steps(job: &Value, text: Clean<'_>) -> String {
    let steps = job["steps"].as_array().into_iter().flatten();
    let failed = steps.filter(|step| {
        step["conclusion"]
            .as_str()
            .is_some_and(|word| FAILED.contains(&word) || ENDED.contains(&word))
    });
    let names: Vec<String> = failed
        .filter_map(|step| Some(one_line(step["name"].as_str()?, text)))
        .take(3)
        .collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(
            "\nBy the record of the job, this step failed: {}",
            names.join(", ")
        )
    }
}
