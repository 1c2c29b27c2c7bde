//! The command of a step: its script, or of a long script the lines that the evidence speaks of.

use std::collections::HashSet;

use super::anchors::forms::PRINTED;
use super::line::Log;
use super::steps::{Section, SectionKind};
use crate::text::fold;
use crate::text::tokens::count;

/// A script of at most 14 lines and 170 tokens, or a third of the budget, is shown whole; of a longer one at most 9 lines, and
/// so many as fit.
const WHOLE: usize = 14;
const WHOLE_TOKENS: usize = 170;
const LINES: usize = 9;
/// Only the first 400 lines of a script are looked at.
const MOST: usize = 400;

/// Beginnings of script lines that do little by themselves; of a long script they are shown last.
const PLAIN: &[&str] = &[
    "set ", "echo ", "export ", "printf ", "cd ", "fi", "else", "done", "do", "then", "}", "{",
    "esac", ")", "local ", "exit",
];

/// The script or action that `section` ran; empty if the log does not say. The words of `evidence` choose the lines of a
/// long script; `budget` is the tokens for all that is told.
pub(super) fn command(
    log: &Log,
    section: &Section,
    evidence: &[String],
    budget: usize,
) -> Vec<String> {
    let blamed = blamed(evidence).and_then(|nth| nth.checked_sub(1));
    let lines = log.lines[section.script.clone()].iter();
    let lines = lines.map(|line| line.text.trim()).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let kept: Vec<(usize, &str)> = lines.take(MOST).collect();
    let blamed = kept.iter().position(|(nth, _)| Some(*nth) == blamed);
    let script: Vec<&str> = kept.into_iter().map(|(_, line)| line).collect();
    if script.is_empty() {
        let text = |at: usize| fold::short(&log.lines[at].text, budget);
        return match section.kind {
            SectionKind::Post => vec!["the action's clean-up (post step)".into()],
            SectionKind::Setup => vec!["set-up of the job".into()],
            _ => section.title.map(text).into_iter().collect(),
        };
    }
    // A text that the script may print is no output of this run.
    let short = |line: &&str| fold::short(&PRINTED.replace_all(line, "$1'…'"), budget);
    let shown: Vec<String> = script.iter().map(short).collect();
    let most = WHOLE_TOKENS.min(budget / 3);
    if shown.len() <= WHOLE && shown.iter().map(|line| count(line)).sum::<usize>() <= most {
        return shown;
    }
    let said: HashSet<&str> = evidence.iter().flat_map(|line| words(line)).collect();
    let mut order: Vec<usize> = (0..script.len()).collect();
    order.sort_by_key(|&at| {
        let line = script[at];
        let told = |line| words(line).filter(|word| said.contains(word)).count();
        let named = told(line);
        let plain = PLAIN.iter().any(|word| line.starts_with(word));
        let edge = at < 2 || at + 3 > script.len();
        // A script may print what it is about to do, on the line above: `echo 'Checking links'`.
        let above = at.checked_sub(1).map_or("", |above| script[above]);
        let prints = above.starts_with("echo ") || above.starts_with("printf ");
        let said_above = prints && told(above) > 0;
        (
            -(20 * i32::from(blamed == Some(at))
                + 4 * i32::from(said_above)
                + 4 * i32::from(named > 0)
                + i32::from(named > 1)
                + 2 * i32::from(edge)
                - 3 * i32::from(plain)),
            at,
        )
    });
    let mut left = most;
    let fits = |at: &usize| {
        let fits = left == most || count(&shown[*at]) <= left;
        left = left.saturating_sub(count(&shown[*at]) + 4);
        fits
    };
    let mut order: Vec<usize> = order.into_iter().take(LINES).take_while(fits).collect();
    order.sort_unstable();
    let (mut out, mut next) = (Vec::new(), 0);
    for at in order.into_iter().chain([script.len()]) {
        if at > next {
            out.push(format!("… {} lines", at - next));
        }
        out.extend(shown.get(at).cloned());
        next = at + 1;
    }
    out
}

/// The number of the script's line that the shell blames: `/home/runner/work/_temp/ID.sh: line 7: …`.
fn blamed(evidence: &[String]) -> Option<usize> {
    evidence.iter().find_map(|line| {
        let rest = &line[line.find("/_temp/")?..];
        let rest = rest.split_once(": line ")?.1;
        rest.split(':').next()?.parse().ok()
    })
}

/// The words of `line` of at least four bytes: by these a line of output can name a command.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-')))
        .filter(|word| word.len() >= 4)
}
