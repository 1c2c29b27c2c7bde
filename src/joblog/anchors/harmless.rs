//! Output of tests that passed, were skipped or may fail: runners print it among the rest, and it is never the cause.

use std::collections::BTreeSet;
use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use super::super::line::{Kind, Line, indent};
use super::features::{Feature, Features};
use crate::text::fold;

/// The lines between which a tool prints the output of one test.
struct OutputPart {
    /// The first line of a part: `=== RUN TestAdd`.
    begins: Regex,
    /// The last line of a part that did not fail: `--- PASS: TestAdd`.
    passed: Regex,
    /// The last line of any other part: `--- FAIL: TestAdd`.
    ends: Regex,
}

fn part(begins: &str, passed: &str, ends: &str) -> OutputPart {
    let compiled = |form| Regex::new(form).expect("a tested pattern");
    OutputPart {
        begins: compiled(begins),
        passed: compiled(passed),
        ends: compiled(ends),
    }
}

/// Sources: `go help testflag`, the manuals of `googletest`, `Surefire` and `CTest`, and what these tools print.
static PARTS: Lazy<[OutputPart; 4]> = Lazy::new(|| {
    [
        part(
            r"^=== RUN ",
            r"^\s*--- (PASS|SKIP): ",
            r"^\s*--- FAIL|^FAIL\b|^panic: |^=== (PAUSE|CONT)",
        ),
        part(r"^\[ RUN ", r"^\[ +(OK|SKIPPED) \]", r"^\[ +FAILED"),
        part(
            r"^(\[\w+\] )?Running [\w$]+(\.[\w$]+)+$",
            r"Tests run: .*Failures: 0, Errors: 0",
            r"Tests run: ",
        ),
        part(
            r"^\s+Start +\d+: ",
            r"Test +#\d+: .*\bPassed\b",
            r"Test +#\d+: ",
        ),
    ]
});

/// Heads a list of tests that do not count (`rspec`, `jasmine`, `phpunit`).
static HEADS: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s*Pending:( \(.*)?$|^There (was|were) \d+ (risky|skipped|incomplete|warning)\b")
        .expect("a tested pattern")
});
/// The line after such a list.
static ENDS: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s*(Failures|Errors|FAILURES|ERRORS|Failed examples)\b|^There (was|were) \d+ |^Finished in|^\d+ (examples|specs|tests)\b|^Tests: ")
        .expect("a tested pattern")
});
/// A test of TAP that is known to fail: `not ok 3 - parses # TODO`.
static TODO: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"(?i)^\s*not ok \d+.* # (TODO|SKIP)\b").expect("a tested pattern"));
/// The heading of what a test printed, which goes on up to a blank line (Vitest).
static PRINTED: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^std(err|out) \| \S+ > ").expect("a tested pattern"));
/// The heading of what a test printed, which goes on while lines are indented more (Jest).
static CONSOLE: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s+console\.(log|info|warn|error|debug)$").expect("a tested pattern")
});
/// What tox says of an environment that may fail: `lint: IGNORED FAIL`.
static IGNORED: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^\s*([\w.-]+): IGNORED FAIL\b").expect("a tested pattern"));

/// At most this many names of flaky tests, or failed tasks, are looked at.
const MOST: usize = 20;
/// The output of at most this many environments of tox is looked for.
const ENVIRONMENTS: usize = 5;
/// A list, or what a Vitest test printed, has at most this many lines if its end is not found.
const LIST: usize = 80;

/// The lines of `body` that are never the cause.
pub(in crate::joblog) fn harmless_output(lines: &[Line], body: &Range<usize>) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    let mut open: Option<(&OutputPart, usize)> = None;
    let mut list: Option<usize> = None;
    let (mut todo, mut printed, mut console) = (false, None, None);
    for at in body.clone() {
        let text = &*lines[at].text;
        if lines[at].kind != Kind::Plain {
            continue;
        }
        if let Some(part) = PARTS.iter().find(|part| part.begins.is_match(text)) {
            open = Some((part, at));
        } else if let Some((part, from)) = open {
            if part.passed.is_match(text) {
                out.extend(from..=at);
                open = None;
            } else if part.ends.is_match(text) {
                open = None;
            }
        }
        if HEADS.is_match(text) {
            list = Some(at);
        } else if list.is_some_and(|from| ENDS.is_match(text) || at > from + LIST) {
            list = None;
        }
        if PRINTED.is_match(text) {
            printed = Some(at);
        } else if printed.is_some_and(|from| text.trim().is_empty() || at > from + LIST) {
            printed = None;
        }
        if console.is_some_and(|mine| !text.trim().is_empty() && indent(text) <= mine) {
            console = None;
        }
        if CONSOLE.is_match(text) {
            console = Some(indent(text));
        }
        todo = TODO.is_match(text) || todo && text.trim_start().starts_with('#');
        if list.is_some() || todo || printed.is_some() || console.is_some() {
            out.insert(at);
        }
    }
    tox(lines, body, &mut out);
    biome(lines, body, &mut out);
    playwright(lines, body, &mut out);
    ansible(lines, body, &mut out);
    out
}

/// Adds to `out` the output of the environments whose failure tox ignores.
fn tox(lines: &[Line], body: &Range<usize>, out: &mut BTreeSet<usize>) {
    let near = body.end.saturating_sub(100).max(body.start)..body.end;
    let said = near.filter_map(|at| Some((at, IGNORED.captures(&lines[at].text)?)));
    for (said, found) in said.take(ENVIRONMENTS) {
        let lead = format!("{}: ", &found[1]);
        let mut own = (body.start..said).filter(|at| lines[*at].text.starts_with(&lead));
        if let Some(first) = own.next() {
            out.extend(first..=own.next_back().unwrap_or(first));
        }
    }
}

/// Adds to `out` Biome's findings that are no errors: each has a heading that ends in a ruler, and below it a sign (`!`,
/// `i`).
fn biome(lines: &[Line], body: &Range<usize>, out: &mut BTreeSet<usize>) {
    let heading = |at: &usize| lines[*at].text.ends_with("━━━━━");
    let headings: Vec<usize> = body.clone().filter(heading).collect();
    for (nth, &from) in headings.iter().enumerate() {
        let until = headings.get(nth + 1).copied().unwrap_or(body.end);
        let told = |at: &usize| !fold::is_ruler(&lines[*at].text);
        let below: Vec<usize> = (from + 1..until).filter(told).collect();
        let sign = below
            .first()
            .and_then(|at| lines[*at].text.split_ascii_whitespace().next());
        if matches!(sign, Some("!" | "i" | "ℹ" | "⚠")) {
            let deeper = |at: &&usize| indent(&lines[**at].text) > 0;
            out.insert(from);
            out.extend(below.iter().take_while(deeper));
        }
    }
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

/// Adds to `out` the lines that name a test that passed when it was run again, and the lines below its numbered heading.
fn playwright(lines: &[Line], body: &Range<usize>, out: &mut BTreeSet<usize>) {
    let flaky = flaky(lines, body);
    let mut below = false;
    for at in body.clone().filter(|_| !flaky.is_empty()) {
        let text = &*lines[at].text;
        let named = flaky.iter().any(|name| text.contains(name));
        if NUMBERED.is_match(text) {
            below = named;
        }
        if named || below {
            out.insert(at);
        }
    }
}

/// Adds to `out` the lines before Ansible's last failed task, where other tasks were rescued or ignored.
fn ansible(lines: &[Line], body: &Range<usize>, out: &mut BTreeSet<usize>) {
    if let Some(last) = last_task(lines, body) {
        out.extend(body.start..last);
    }
}

/// Where the clean-up begins that a section ends with, as an exit trap runs one after a failure: up from the end, lines that clean
/// up, with at most three others between two of them, and no error or count of failures. `lines` gives the features of each line,
/// and whether it is an error.
pub(in crate::joblog) fn clean_up(
    lines: impl DoubleEndedIterator<Item = (Features, bool)> + ExactSizeIterator,
) -> Option<usize> {
    let count = lines.len();
    let mut kept = count;
    for (nth, (features, error)) in lines.enumerate().rev() {
        if kept > nth + 4 || error || features.has(Feature::Counted) {
            break;
        }
        if features.has(Feature::Aftermath) {
            kept = nth;
        }
    }
    (0 < kept && kept < count).then_some(kept)
}
