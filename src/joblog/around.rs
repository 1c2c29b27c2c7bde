//! Lines near the evidence that help to read it: neighbours, headings, one-of-a-kind lines, warnings that fail the step.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use crate::text::tokens::count as cost;

use super::anchors;
use super::ending::under_warning;
use super::evidence::{Evidence, Used, WHOLE};
use super::fold;
use super::lines::{Kind, Line, indent};
use super::phrases::{AFTERMATH, BANNER, CODE_CONTEXT, FOREIGN, FRAME, MINOR, TRACED_DULL, WARNS};

/// `unique_lines` gives up below 30 lines of output, or above 12 unique ones: in short or varied output a line that occurs
/// once means nothing.
const UNIQUE_AMONG: usize = 30;
const UNIQUE_MOST: usize = 12;

/// Adds the lines whose [`fold::kind`] occurs once, for about `aim` tokens. Where most lines are alike, the one that differs
/// is often what a program says when it can't go on, in whatever words.
pub(super) fn unique_lines(
    lines: &[Line],
    body: &Range<usize>,
    aim: usize,
    used: &mut Used,
    found: &mut Evidence,
) {
    let mut kinds: HashMap<(u64, usize), (usize, usize)> = HashMap::new();
    let mut all = 0;
    for at in body.clone() {
        let line = &lines[at];
        if line.kind == Kind::Plain && !line.text.trim().is_empty() && !fold::is_ruler(&line.text) {
            all += 1;
            kinds.entry(fold::kind(&line.text)).or_insert((at, 0)).1 += 1;
        }
    }
    let mut alone: Vec<usize> = kinds
        .into_values()
        .filter(|(_, times)| *times == 1)
        .map(|(at, _)| at)
        .collect();
    if all < UNIQUE_AMONG || alone.len() > UNIQUE_MOST {
        return;
    }
    alone.sort_unstable();
    let from = used.cost;
    for at in alone {
        let text = &*lines[at].text;
        if used.cost - from < aim
            && !AFTERMATH.is_match(text)
            && !anchors::is_dull(text)
            && !anchors::is_meant(text)
            && !TRACED_DULL.is_match(text)
        {
            used.add(lines, at, 1, &mut found.lines);
        }
    }
}

/// Above 6 warnings, [`warnings`] takes them for the usual noise and adds none, unless `strict`.
const FEW: usize = 6;

/// Adds the last three warnings, for about `aim` tokens: where nothing else tells the cause, a warning may be the cause.
/// `strict`: a shown line says that warnings fail the step (`--max-warnings`), so their number does not matter.
pub(super) fn warnings(
    lines: &[Line],
    body: &Range<usize>,
    aim: usize,
    strict: bool,
    used: &mut Used,
    found: &mut Evidence,
) {
    let from = used.cost;
    let told = |at: &usize| {
        let line = &lines[*at];
        line.kind == Kind::Aside
            || line.kind == Kind::Plain
                && line.text.contains("arning")
                && WARNING.is_match(&line.text)
    };
    let all: Vec<usize> = body.clone().filter(told).collect();
    // Among many warnings none is the cause: something else failed, or a line after the last one speaks of them.
    if !strict && all.len() > FEW {
        return;
    }
    for &at in all.iter().rev().take(3) {
        if used.cost - from < aim {
            used.add(lines, at, 1, &mut found.lines);
        }
    }
}

/// At or above this weight (`CAUSE - 3`) another tool's anchor may stand as context: a file named by `prettier --check`
/// beside an error of eslint.
const STRONG: u8 = 92;

/// A warning with its place: `src/a.c:3:4: warning: unused variable`.
static WARNING: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s*\S+[:(]\d+\S* .*?\b[Ww]arning\b|^%Warning-|^\[warning\] ")
        .expect("a tested pattern")
});

/// Adds lines below each shown line that ends with a colon. Of more than four lines that are indented more than it, the
/// first and the last three; otherwise all of them, and at least two lines whatever their indent.
pub(super) fn under_colon(
    lines: &[Line],
    body: &Range<usize>,
    aim: usize,
    used: &mut Used,
    found: &mut Evidence,
) {
    let heads: Vec<usize> = found
        .lines
        .iter()
        .map(|(at, _)| *at)
        .filter(|at| {
            let text = lines[*at].text.trim_end();
            text.ends_with(':') && !anchors::is_meant(text) && !anchors::is_dull(text)
        })
        .take(8)
        .collect();
    for head in heads {
        let text = |at: usize| &*lines[at].text;
        let below: Vec<usize> = (head + 1..body.end)
            .take(400)
            .take_while(|at| lines[*at].kind == Kind::Plain)
            .filter(|at| !text(*at).trim().is_empty())
            .collect();
        if below.first().is_none_or(|first| used.lines.contains(first)) {
            continue;
        }
        let mine = indent(text(head));
        let deep = below.iter().take_while(|at| indent(text(**at)) > mine);
        let deep = deep.count();
        let (first, last) = if deep > 4 {
            (&below[..1], &below[deep - 3..deep])
        } else {
            (&below[..below.len().min(deep.max(2))], &below[..0])
        };
        for &at in last.iter().rev().chain(first) {
            let price = cost(&fold::short(text(at)));
            let harmless = anchors::is_meant(text(at)) || anchors::is_dull(text(at));
            if price < 60 && used.cost + price < aim && !harmless {
                used.add(lines, at, 1, &mut found.lines);
            }
        }
    }
}

/// Adds the title of the group around each `##[error]` line in `told`: a linter may name the file there alone.
pub(super) fn titles(
    lines: &[Line],
    body: &Range<usize>,
    told: &[(usize, bool)],
    used: &mut Used,
    found: &mut Evidence,
) {
    for &(at, _) in told.iter().filter(|(at, _)| lines[*at].kind == Kind::Error) {
        let title = (body.start..at)
            .rev()
            .take(200)
            .find(|above| matches!(lines[*above].kind, Kind::Group | Kind::EndGroup))
            .filter(|above| lines[*above].kind == Kind::Group);
        if let Some(title) = title {
            used.add(lines, title, 1, &mut found.lines);
        }
    }
}

/// A line that says that too little is covered by tests: `Coverage for lines (71%) does not meet threshold (80%)`.
static UNCOVERED: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?i)\bcoverage\b.*(threshold|does not meet|not reached|less than|below)")
        .expect("a tested pattern")
});
/// A row of a coverage table: a file, then numbers, among them the covered share (coverage.py, Istanbul).
static COVERED: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s*\S+\.\w+\s+(?:\|\s+([\d.]+) \||.*?\s([\d.]+)%)").expect("a tested pattern")
});

/// Adds the three least covered files, if a line of `told` says that coverage is too low. Their table stands at most 200
/// lines above that line or 60 below.
pub(super) fn least_covered_files(
    lines: &[Line],
    body: &Range<usize>,
    told: &[(usize, bool)],
    used: &mut Used,
    found: &mut Evidence,
) {
    let said = told
        .iter()
        .find(|(at, _)| UNCOVERED.is_match(&lines[*at].text));
    let Some(&(said, _)) = said else { return };
    let share = |at: usize| {
        let row = COVERED.captures(&lines[at].text)?;
        let share: f64 = row.get(1).or(row.get(2))?.as_str().parse().ok()?;
        (share < 100.0).then_some((at, share))
    };
    let near = said.saturating_sub(200).max(body.start)..body.end.min(said + 60);
    let mut rows: Vec<(usize, f64)> = near.filter_map(share).collect();
    rows.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (at, _) in rows.into_iter().take(3) {
        used.add(lines, at, 1, &mut found.lines);
    }
}

/// At most two headings from the eight lines above `at`; a heading stands between two rulers.
fn headings(lines: &[Line], body: &Range<usize>, at: usize) -> Vec<usize> {
    let ruler = |at: usize| {
        let text = lines[at].text.trim();
        text.len() >= 5 && fold::is_ruler(text)
    };
    (body.start + 1..at)
        .rev()
        .take(8)
        .filter(|here| ruler(here - 1) && ruler(here + 1) && !ruler(*here))
        .take(2)
        .collect()
}

/// Whether the line at `at` may stand as context of the anchor at `of`: it is neither harmless nor another tool's anchor.
fn fits(lines: &[Line], body: &Range<usize>, at: usize, of: usize) -> bool {
    let line = &lines[at];
    let row = anchors::find(&line.text);
    let anchor = anchors::find(&lines[of].text);
    line.kind == Kind::Plain
        && !AFTERMATH.is_match(&line.text)
        && !MINOR.is_match(&line.text)
        && !anchors::is_meant(&line.text)
        && !under_warning(lines, body, at)
        && !anchors::is_dull(&line.text)
        && row.is_none_or(|row| {
            // Beside a failed test, an error without a tool of its own (`Error: no such user`) is mostly printed by a
            // test that expects it.
            row.tool == "any" && anchor.is_none_or(|anchor| anchor.weight < WHOLE)
                || row.weight >= STRONG
                || anchor.is_some_and(|anchor| anchor.tool == row.tool)
        })
}

/// Adds neighbours of the first three anchors in `told`, until 3/5 of `aim` tokens are used: the place or the reason may
/// stand there in a form that no row knows. `told`: each shown anchor, and whether its block is complete.
pub(super) fn around(
    lines: &[Line],
    body: &Range<usize>,
    told: &[(usize, bool)],
    aim: usize,
    used: &mut Used,
    found: &mut Evidence,
) {
    let room = aim * 3 / 5;
    let mut firsts: HashSet<u64> = HashSet::new();
    for &(at, whole) in told.iter().take(3) {
        for heading in headings(lines, body, at) {
            used.add(lines, heading, 1, &mut found.lines);
        }
        // A complete block lacks at most its heading: look three lines up, and not below.
        let above = (body.start..at).rev().take(if whole { 3 } else { 12 });
        let below = at + 1..body.end.min(at + if whole { 1 } else { 12 });
        let mut sides: [(Box<dyn Iterator<Item = usize>>, usize); 2] = [
            (Box::new(above), if whole { 2 } else { 5 }),
            (Box::new(below), 6),
        ];
        for (side, most) in &mut sides {
            let mut left = *most;
            let mut shape = None;
            for next in side {
                let text = &*lines[next].text;
                // Another part of the output begins here.
                if BANNER.is_match(text)
                    || whole && (text.trim().is_empty() || fold::is_ruler(text))
                {
                    break;
                }
                if text.trim().is_empty()
                    || fold::is_ruler(text)
                    || used.lines.contains(&next)
                    || FRAME.is_match(text)
                    || CODE_CONTEXT.is_match(text)
                {
                    continue;
                }
                let this = fold::kind(text);
                if left == 0 || shape == Some(this) {
                    break;
                }
                // The nearest line above may say what the program was about to do.
                let doing = next < at && left == *most && anchors::is_doing(text);
                if !fits(lines, body, next, at) && !doing {
                    if whole || lines[next].kind != Kind::Plain {
                        break;
                    }
                    continue;
                }
                // Of unindented lines with one first word, only the nearest belongs to this anchor.
                if indent(text) == 0 && !firsts.insert(this.0) {
                    continue;
                }
                let price = cost(&fold::short(text));
                if price > 60 {
                    break;
                }
                if used.cost + price > room {
                    return;
                }
                shape = Some(this);
                left -= 1;
                used.add(lines, next, 1, &mut found.lines);
            }
        }
    }
}

/// [`fill`] reads this many lines below an anchor.
const REACH: usize = 9;
/// [`fill`] stops when the evidence has this many tokens.
const ENOUGH: usize = 190;

/// While little is shown, adds lines below the first three anchors in `told` that have no complete block: names, values
/// and places stand there in forms that no row knows.
pub(super) fn fill(
    lines: &[Line],
    body: &Range<usize>,
    told: &[(usize, bool)],
    used: &mut Used,
    found: &mut Evidence,
) {
    let shown = found
        .lines
        .iter()
        .map(|(at, _)| fold::kind(&lines[*at].text));
    let shown: HashSet<(u64, usize)> = shown.collect();
    for &(at, _) in told.iter().take(3).filter(|(_, whole)| !whole) {
        let mut own = false;
        for next in at + 1..body.end.min(at + 1 + REACH) {
            let text = &*lines[next].text;
            if text.trim().is_empty() || fold::is_ruler(text) || used.lines.contains(&next) {
                continue;
            }
            if FRAME.is_match(text) {
                // Of stack frames, take the first of the project's own code alone.
                if own || FOREIGN.is_match(text) {
                    continue;
                }
                own = true;
            } else if BANNER.is_match(text)
                || indent(text) == 0 && shown.contains(&fold::kind(text))
                || WARNS.is_match(text)
                || !CODE_CONTEXT.is_match(text) && !fits(lines, body, next, at)
            {
                break;
            }
            let price = cost(&fold::short(text));
            if price > 60 || used.cost + price > ENOUGH {
                break;
            }
            used.add(lines, next, 1, &mut found.lines);
        }
    }
}
