//! Trouble that a step recovered from: the step tried again, the script allowed the failure, or the failure is a trifle.

use std::collections::HashSet;
use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use super::evidence::{Candidate, FAINT, MAY_RECOVER, TELLING};
use super::fold;
use super::lines::{Kind, Line, indent};
use super::phrases::MINOR;

/// At most this many names of flaky tests, texts of a script, or failed tasks are looked at.
const MOST: usize = 20;
/// The most that a trifle weighs, such as an error of `rm`: it is the cause only if no line is heavier.
const TRIFLE: u8 = TELLING;

/// The text that a script prints where its command may fail: `lint || echo 'for information'`.
static ECHOED: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r#"\|\| *echo +['"]?([^'"$;&|]{4,}?)['"]? *$"#).expect("a tested pattern")
});

/// A line that says that an earlier failure does not fail the step.
static ALLOWED: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?i)\b(allowed to fail|non-fatal|continuing anyway|is tolerated|known (failure|flake)s?|does not fail the (build|job|step))\b")
        .expect("a tested pattern")
});

/// A line that says that the step tries again, or that the failure does not count.
static AGAIN: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?i)(^|[^-./\w])(re-?try(ing)?|re-?tries|trying again|attempt #?\d+|attempts? left|back(ing)? ?off|sleeping|waiting \d+|recovered|reconnect\w*|falling back|fallback)($|[^-./\w]|\.+(\s|$))|^\.{3}ignoring|\(ignored\)").expect("a tested pattern")
});

/// Whether the step went on after the trouble at `at`: one of the next three lines tells of another try, and at least four
/// lines follow.
fn was_tried_again(lines: &[Line], body: &Range<usize>, at: usize) -> bool {
    let next: Vec<usize> = (at + 1..body.end)
        .take(60)
        .filter(|next| lines[*next].kind == Kind::Plain && !lines[*next].text.trim().is_empty())
        .take(6)
        .collect();
    // The step did not recover from the trouble that comes last, whatever its lines say of another try.
    next.len() >= 4
        && next
            .iter()
            .take(3)
            .any(|next| AGAIN.is_match(&lines[*next].text))
}

/// The heading of the tests that passed when they were run again (Playwright): `2 flaky`.
static FLAKY: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^\s*[1-9]\d* flaky$").expect("a tested pattern"));

/// The heading of a numbered failure: `1) login.spec.ts`.
static NUMBERED: Lazy<Regex> = Lazy::new(|| Regex::new(r"^\s*\d+\) \S").expect("a tested pattern"));

/// The names of the tests that passed when they were run again.
fn flaky<'a>(lines: &'a [Line], body: &Range<usize>) -> Vec<&'a str> {
    let near = body.end.saturating_sub(200).max(body.start)..body.end;
    let Some(head) = near
        .clone()
        .rev()
        .find(|at| FLAKY.is_match(&lines[*at].text))
    else {
        return Vec::new();
    };
    let deeper = |at: &usize| indent(&lines[*at].text) > indent(&lines[head].text);
    (head + 1..near.end)
        .take_while(deeper)
        .map(|at| lines[at].text.trim_matches([' ', '─']))
        .filter(|name| name.len() >= 8)
        .take(MOST)
        .collect()
}

/// The line where Ansible's last failed task begins, if a host's counts have tasks that were rescued or ignored. Failures
/// before that line do not count.
fn last_task(lines: &[Line], body: &Range<usize>) -> Option<usize> {
    let near = body.end.saturating_sub(200).max(body.start)..body.end;
    near.clone().find(|at| RESCUED.is_match(&lines[*at].text))?;
    let starts = |words: &'static [&'static str]| {
        move |at: &usize| words.iter().any(|word| lines[*at].text.starts_with(word))
    };
    let failed = body
        .clone()
        .rev()
        .filter(starts(&["fatal: [", "failed: ["]))
        .take(MOST)
        .find(|at| {
            !(at + 1..body.end.min(at + 4)).any(|next| lines[next].text.starts_with("...ignoring"))
        })?;
    (body.start..failed).rev().find(starts(&["TASK ["]))
}

/// Ansible's counts of a host with tasks that were rescued or ignored.
static RESCUED: Lazy<Regex> =
    Lazy::new(|| Regex::new(r" : ok=\d+ .*(rescued|ignored)=[1-9]").expect("a tested pattern"));

/// Takes from `all` the candidates that did not fail the section, and makes trifles light. Result: the [`fold::shape`] of
/// each line about trouble that passed.
pub(super) fn forgive(
    lines: &[Line],
    script: &Range<usize>,
    body: &Range<usize>,
    all: &mut Vec<Candidate>,
) -> HashSet<u64> {
    let echoed: Vec<&str> = script
        .clone()
        .filter_map(|at| ECHOED.captures(&lines[at].text)?.get(1))
        .map(|text| text.as_str())
        .take(MOST)
        .collect();
    let allows = |text: &str| ALLOWED.is_match(text) || echoed.contains(&text.trim());
    let allowed = body
        .clone()
        .rev()
        .find(|at| lines[*at].kind == Kind::Plain && allows(&lines[*at].text));
    let tells_after = |border: usize| {
        all.iter()
            .any(|one| one.at > border && one.weight >= TELLING)
    };
    // Trouble that passed is not shown as context or as the last output either.
    let mut recovered = HashSet::new();
    if let Some(border) = allowed.filter(|border| tells_after(*border)) {
        all.retain(|one| {
            let counts = one.last > border || one.weight < FAINT;
            if !counts {
                recovered.insert(fold::shape(&lines[one.last].text));
            }
            counts
        });
    }
    let flaky = flaky(lines, body);
    if !flaky.is_empty() {
        let named = |at: usize| flaky.iter().any(|name| lines[at].text.contains(name));
        all.retain(|one| {
            // A line below a numbered heading belongs to the test that the heading names.
            let heading = (body.start..=one.at)
                .rev()
                .take(60)
                .find(|at| NUMBERED.is_match(&lines[*at].text));
            !named(one.at) && !heading.is_some_and(named)
        });
    }
    if let Some(from) = last_task(lines, body) {
        all.retain(|one| one.last >= from);
    }
    let mut counts = HashSet::new();
    for one in all {
        let shape = fold::shape(&lines[one.last].text);
        if MINOR.is_match(&lines[one.at].text) {
            one.weight = one.weight.min(TRIFLE);
        }
        if one.weight <= MAY_RECOVER && was_tried_again(lines, body, one.last) {
            recovered.insert(shape);
        } else {
            counts.insert(shape);
        }
    }
    // A shape that another candidate has too, such as an error of the runner, did not pass.
    recovered.retain(|shape| !counts.contains(shape));
    recovered
}
