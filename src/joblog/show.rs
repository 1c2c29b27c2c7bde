//! The failure as text: the step and its command, how the step ended, and the lines that say why.

use std::fmt::Write;

use super::failure::{FailedStep, Failure};
use crate::text::tokens::count;

/// The line above the lines that fill the budget, and the one where nothing tells the reason.
const FILL: &str = "Not the reason itself, but near it or last:";
const NO_REASON: &str = "No line says why; the last of the output:";
const NO_TEXT: &str = "The log has no text that this step printed.";
/// The tokens of the lines that this file adds to a failure.
pub(super) const REST: usize = 12;

/// `failure` in at most `budget` tokens.
pub fn show(failure: &Failure, budget: usize) -> String {
    if failure.steps.is_empty() {
        return within("This log is empty.\nFor a job that was cancelled or timed out, read the job's own log (`gh api repos/OWNER/REPO/actions/jobs/ID/logs').".into(), budget);
    }
    let mut out = String::new();
    if !failure.marked {
        out.push_str("No step of this log is marked as failed; this is the likeliest.\n");
    }
    let mut job = None;
    for (nth, step) in failure.steps.iter().enumerate() {
        if nth == 1 && failure.left_out > 0 {
            let left = failure.left_out;
            let _ = writeln!(out, "({left} more failed steps are left out here)");
        }
        let head = head(step);
        let same = step.job.is_some() && job == step.job;
        let skipped = head.split_inclusive('\n').skip(usize::from(same));
        out.extend(skipped);
        job.clone_from(&step.job);
        lines(&mut out, step);
    }
    out.truncate(out.trim_end().len());
    within(out, budget)
}

/// The text of `step` without its lines.
pub(super) fn head(step: &FailedStep) -> String {
    let mut out = String::new();
    for (name, value) in [("job", &step.job), ("step", &step.step)] {
        if let Some(value) = value {
            let _ = writeln!(out, "{name}: {value}");
        }
    }
    if !step.command.is_empty() {
        let gap = if step.command.len() > 1 { "\n  " } else { " " };
        let _ = writeln!(out, "command:{gap}{}", step.command.join("\n  "));
    }
    if let Some(ended) = &step.ended {
        let _ = writeln!(out, "ended: {ended}");
    }
    out
}

/// Adds the lines of `step` to `out`, without the indent that all of them have.
fn lines(out: &mut String, step: &FailedStep) {
    let all = || step.certain.iter().chain(&step.fill);
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let least = all().map(indent).min().unwrap_or(0);
    if step.bare {
        let _ = writeln!(out, "{NO_TEXT}");
    } else if step.certain.is_empty() && !step.fill.is_empty() && step.exit_code.is_some() {
        let _ = writeln!(out, "{NO_REASON}");
    }
    for (nth, line) in all().enumerate() {
        if nth > 0 && nth == step.certain.len() {
            let _ = writeln!(out, "{FILL}");
        }
        let _ = writeln!(out, "{}", &line[least..]);
    }
}

/// The tokens of `text`, estimated high: nineteen of twenty estimates are within a tenth, so a tenth is added.
fn cost_of(text: &str) -> usize {
    let about = count(text);
    about + about.div_ceil(10)
}

/// `text`, or as many whole lines from its start as fit.
fn within(text: String, budget: usize) -> String {
    if cost_of(&text) <= budget {
        return text;
    }
    let mut left = budget;
    let fits = |line: &&str| {
        let price = cost_of(line) + 1;
        let fits = price <= left;
        left = left.saturating_sub(price);
        fits
    };
    let mut kept: Vec<&str> = text.lines().take_while(fits).collect();
    // A heading is told with what it heads, or not at all.
    if let Some(&(NO_REASON | FILL | "command:")) = kept.last() {
        kept.pop();
    }
    kept.join("\n").trim_end().to_owned()
}
