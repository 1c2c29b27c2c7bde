//! The failure as text: the step and its command, how the step ended, and the lines that say why.

use std::fmt::Write;

use super::failure::{FailedStep, Failure};
use crate::text::tokens::count;

/// `failure` in at most `budget` tokens.
pub fn show(failure: &Failure, budget: usize) -> String {
    if failure.steps.is_empty() {
        return within("This log is empty.\nFor a job that was cancelled or timed out, read the job's own log (`gh api repos/OWNER/REPO/actions/jobs/ID/logs').".into(), budget);
    }
    // If the text does not fit, drop evidence line by line, the least telling first.
    let mut dropped = 0;
    loop {
        let text = whole(failure, dropped);
        let longest = failure
            .steps
            .iter()
            .map(|step| step.evidence.len())
            .max()
            .unwrap_or(0);
        if cost_of(&text) <= budget || dropped >= longest {
            return within(text, budget);
        }
        dropped += 1;
    }
}

/// The tokens of `text`, estimated high: nineteen of twenty estimates are within a tenth, so a tenth is added.
fn cost_of(text: &str) -> usize {
    let about = count(text);
    about + about.div_ceil(10)
}

/// The text of `failure`, each step without its `dropped` least telling lines.
fn whole(failure: &Failure, dropped: usize) -> String {
    let mut out = String::new();
    if !failure.marked {
        out.push_str("No step of this log is marked as failed; this is the likeliest.\n");
    }
    let mut job = None;
    for (nth, step) in failure.steps.iter().enumerate() {
        if nth == 1 && failure.left_out > 0 {
            let _ = writeln!(
                out,
                "({} more failed steps are left out here)",
                failure.left_out
            );
        }
        if job != step.job {
            if let Some(name) = &step.job {
                let _ = writeln!(out, "job: {name}");
            }
            job.clone_from(&step.job);
        }
        one(&mut out, step, dropped);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Adds the text of `step` to `out`.
fn one(out: &mut String, step: &FailedStep, dropped: usize) {
    if let Some(name) = &step.step {
        let _ = writeln!(out, "step: {name}");
    }
    match &step.command[..] {
        [] => {}
        [line] => {
            let _ = writeln!(out, "command: {line}");
        }
        lines => {
            let _ = writeln!(out, "command:\n  {}", lines.join("\n  "));
        }
    }
    if let Some(ended) = &step.ended {
        let _ = writeln!(out, "ended: {ended}");
    }
    if !step.anchored && step.exit_code.is_some() {
        out.push_str("No line says why; the last of the output:\n");
    }
    let keep = step.evidence.len().saturating_sub(dropped);
    let least = step
        .evidence
        .iter()
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut shown: Vec<usize> = step.rank.iter().copied().take(keep.max(1)).collect();
    shown.sort_unstable();
    for at in shown {
        let line = &step.evidence[at];
        out.push_str(&line[least.min(line.len())..]);
        out.push('\n');
    }
    let more = step.more + step.evidence.len() - keep.max(1).min(step.evidence.len());
    if more > 0 {
        let _ = writeln!(out, "(and {more} more like these)");
    }
}

/// `text`, or as many whole lines from its start as fit.
fn within(text: String, budget: usize) -> String {
    if cost_of(&text) <= budget {
        return text;
    }
    let mut out = String::new();
    let mut left = budget;
    for line in text.lines() {
        let price = cost_of(line) + 1;
        if price > left {
            break;
        }
        left -= price;
        out.push_str(line);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}
