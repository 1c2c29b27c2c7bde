//! The logs of failed jobs, and the failure in each.
//!
//! gh has two forms of a log, and either can lack the cause.  A job's own log from the API is whole; but where it is longer than the cap,
//! its middle is dropped, and the beginning of the failed step with it.  `gh run view --log-failed` begins with the failed step, but prints
//! nothing for a cancelled job, nothing while other jobs of the run go on, and loses a step with a very long line (checked with gh 2.92.0
//! and 2.103.3).  So the job's own log is read first, and the other form where that gives no reason.  Of a long log only the two ends are
//! searched; the whole is kept, without time stamps.

use std::fmt::Write as _;

use super::jobs::Job;
use crate::gate::{Class, Cleaner, ErrorKind, Plan, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::render::{Clean, one_line};
use crate::gh::tools::view::Around;
use crate::joblog as failure;
use crate::joblog::Failure;
use crate::run::{Captured, Stream};

/// A log is kept on the shelf where it has over 20 lines more than the text shown of it; fewer are the runner's own lines about a step.
const LITTLE: usize = 20;

/// State that the first log leaves for the next ones.
#[derive(Default)]
pub(super) struct Logs {
    /// `true`: this gh lacks `--allow-escape-sequences`, without which a newer gh refuses a log with escape sequences.
    old: bool,
    /// `true`: the line of a job names its run too.
    names_runs: bool,
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

/// A job with the failure in its log.
#[derive(Clone, Debug, Default)]
pub(super) struct Explained {
    /// The name and the id of the job: `lint (job 5002)`.
    pub name: String,
    /// A line that names the job: `lint · failure · job 5002`.
    pub head: String,
    /// The failure, or why there is no log.
    pub text: String,
    /// The lines that tell the reason; empty where none does.
    pub reason: Vec<String>,
}

impl Explained {
    /// How the reason differs from that of `other`, where the reasons are the same in essence: at least half of the lines of each, and one
    /// that says something, are in both.  `None` for another reason.
    pub(super) fn beside(&self, other: &Self) -> Option<Beside<'_>> {
        let known: Vec<String> = other.reason.iter().map(|line| plain(line)).collect();
        let is_known = |line: &&String| known.contains(&plain(line));
        let common: Vec<&String> = self.reason.iter().filter(is_known).collect();
        let says = |line: &&&String| line.chars().filter(|c| c.is_alphabetic()).count() >= TELLING;
        let half = self.reason.len().max(other.reason.len());
        let same = common.len() * 2 >= half && common.iter().any(|line| says(&line));
        same.then(|| Beside {
            own: self
                .reason
                .iter()
                .filter(|line| !is_known(line))
                .map(String::as_str)
                .collect(),
            numbers: common
                .iter()
                .any(|line| !other.reason.iter().any(|known| known.trim() == line.trim())),
        })
    }
}

/// How a reason differs from another that is the same in essence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Beside<'a> {
    /// The lines that only this one has.
    pub own: Vec<&'a str>,
    /// Whether numbers in the common lines differ: line numbers, counts, values.
    pub numbers: bool,
}

/// Letters that a line has at least to say something: `error: x is null`, unlike `12 |  }`.
const TELLING: usize = 12;

impl Logs {
    /// `names_runs`: the line of a job names its run too.
    pub(super) fn naming_runs(names_runs: bool) -> Self {
        Self {
            names_runs,
            ..Self::default()
        }
    }

    /// Reads the logs of `jobs` and finds the failure in each, in at most `budget` tokens.  `running`: other jobs of the run are not done, so
    /// gh has no log of failed steps.
    pub(super) fn explain(
        &mut self,
        jobs: &[&Job],
        budget: usize,
        running: bool,
        around: &mut Around<'_>,
    ) -> Vec<Explained> {
        // One after the other: a whole log can have some ten megabytes.
        jobs.iter()
            .map(|job| self.tell(job, budget, running, around))
            .collect()
    }

    /// The logs that the texts were made from; `None` where the texts show them whole.
    pub(super) fn whole(&mut self) -> Option<String> {
        (!self.whole.is_empty()).then(|| std::mem::take(&mut self.whole))
    }

    /// One job: a line that names it, and the failure in its log.
    fn tell(
        &mut self,
        job: &Job,
        budget: usize,
        running: bool,
        around: &mut Around<'_>,
    ) -> Explained {
        let clean = around.clean;
        let text: Clean<'_> = &|words| clean.text(words);
        let name = one_line(&job.name, text);
        let run = if self.names_runs {
            format!(" of run {}", job.run)
        } else {
            String::new()
        };
        let head = format!(
            "{name} · {} · job {}{run}",
            one_line(&job.word, text),
            job.id
        );
        let name = format!("{name} (job {})", job.id);
        let own = job_log(job.id, self, around.followup, around.reads);
        let found = own.map(|log| find(&log, budget, clean));
        let told = match found {
            Ok(found) if running || tells(&found.failure) => Ok(found),
            // The other form of the log may tell more; where it tells no more, the first stays.
            found => match (
                failed_steps_log(job.id, around.followup, around.reads),
                found,
            ) {
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
                    let _ = writeln!(self.whole, "{head}\n{}", found.log.trim_end());
                }
                let steps = found.failure.steps.iter();
                let reason = steps.flat_map(|step| &step.certain);
                Explained {
                    name,
                    head,
                    reason: reason.cloned().collect(),
                    text: found.text,
                }
            }
            Err(refusal) => Explained {
                name,
                head,
                text: format!("{}{}", no_log(&refusal), failed_steps(job, text)),
                reason: Vec::new(),
            },
        }
    }
}

/// `line` without what differs between jobs that fail alike: each run of digits is one `0`, since times, ports, hashes and processes differ.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.trim().chars() {
        let c = if c.is_ascii_digit() { '0' } else { c };
        if c != '0' || !out.ends_with('0') {
            out.push(c);
        }
    }
    out
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

/// The Plan that reads the job's own log.
fn log_plan(id: u64, escapes: bool, followup: &Followup) -> Result<Plan, Refusal> {
    let Some((owner, repo)) = followup.owner_and_repo() else {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            "No repository is known.\nGive `repo'.",
        ));
    };
    let endpoint = format!("repos/{owner}/{repo}/actions/jobs/{id}/logs");
    let flag = escapes.then_some("--allow-escape-sequences");
    let words = ["api", "--method", "GET", &endpoint];
    followup.plan_both_ends(words.into_iter().chain(flag).map(Into::into).collect())
}

/// Reads the job's own log.
fn job_log(
    id: u64,
    logs: &mut Logs,
    followup: &Followup,
    reads: &mut dyn Reads,
) -> Result<Log, Refusal> {
    if !logs.old {
        let plan = log_plan(id, true, followup)?;
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
    reads.run_whole(log_plan(id, false, followup)?)
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
fn failed_steps(job: &Job, text: Clean<'_>) -> String {
    let names: Vec<String> = job
        .steps
        .iter()
        .map(|name| one_line(name, text))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(reason: &[&str]) -> Explained {
        Explained {
            reason: reason.iter().map(|line| (*line).to_owned()).collect(),
            ..Explained::default()
        }
    }

    #[test]
    fn a_reason_that_is_half_the_same_is_told_by_its_own_lines() {
        let first = explained(&["FAIL a.test.ts", "TypeError: x is undefined", "  55| x.y"]);
        let second = explained(&["FAIL b.test.ts", "TypeError: x is undefined", "  55| x.y"]);
        let beside = |own: Vec<&'static str>, numbers: bool| Some(Beside { own, numbers });
        assert_eq!(second.beside(&first), beside(vec!["FAIL b.test.ts"], false));
        assert_eq!(first.beside(&first), beside(vec![], false));
        // A line that both have does not make a short reason one of the many of a long reason.
        let short = explained(&["TypeError: x is undefined"]);
        let long = explained(&["TypeError: x is undefined", "one", "two", "three"]);
        assert_eq!(short.beside(&long), None);
        let other_test = explained(&["FAIL suite 47: rows are missing"]);
        let one_test = explained(&["FAIL suite 12: rows are missing"]);
        assert_eq!(other_test.beside(&one_test), beside(vec![], true));
        let other = explained(&["FAIL c.test.ts", "RangeError: y is too long", "  55| x.y"]);
        assert_eq!(other.beside(&first), None);
        // Nothing that is in common says anything.
        let bare = explained(&["  55| x.y"]);
        assert_eq!(bare.beside(&first), None);
        assert_eq!(explained(&[]).beside(&explained(&[])), None);
    }

    #[test]
    fn lines_that_differ_in_numbers_alone_are_the_same_reason() {
        assert_eq!(plain("  took 12.5 s (pid 4711)"), "took 0.0 s (pid 0)");
        assert_eq!(plain("a.rs:3:14: error"), plain("a.rs:30:1: error"));
    }
}
