//! Chooses the lines of a failed section that tell why it failed.
//!
//! Each line that a row of [`anchors`] fits has a weight. The heaviest lines are shown with their blocks until the tokens are
//! used. If no line fits a row, the last output of the step is shown.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use crate::text::tokens::count as cost;

use super::anchors::{self, Take};
use super::around::{
    around, fill, least_covered_files, titles, under_colon, unique_lines, warnings,
};
use super::blocks::block;
use super::ending::{self, tail};
use super::evidence::{Candidate, Evidence, FAINT, MAY_RECOVER, TELLING, Used, WHOLE};
use super::fold;
use super::harmless_output::harmless_output;
use super::lines::{Kind, Line};
use super::phrases::{TRACED, TRACED_DULL, WARNS};
use super::recovered;
use super::steps::{self, Section, SectionEnd, SectionKind};

/// Anchors more than 7 lighter than the heaviest are left out: beside a cause of 95, those below 88.
const NEAR: u8 = 7;
/// In place of [`NEAR`] beside a failed test: errors in the output of tests are mostly expected by them.
const NEAR_TEST: u8 = 3;
/// In place of [`NEAR`] if the heaviest anchor is lighter than [`TELLING`].
const NEAR_FAINT: u8 = 12;
/// From this weight up to [`FAINT`], the last such line of a section is shown too: `make: *** [all] Error 2` has 48.
const CLOSING: u8 = 30;
/// The weight that an anchor loses in a clean-up: an error of 90 counts 60 there.
const RECOVERED: u8 = 30;
/// At or above this weight a line is an error in the words of its tool.
const ERROR: u8 = 95;
/// Weights of lines that name what failed (`test x ... FAILED` has 70); at most three of them are shown beside the reason.
const NAMING: std::ops::RangeInclusive<u8> = 68..=78;
const NAMES: usize = 3;
/// Below this weight the last output is shown too: a common form (`Error: …`, 82) may mean something else than the cause.
const SURE: u8 = 90;
/// Below this weight [`unique_lines`] are shown too: mere words (`x failed: y`, 75) tell little.
const LIKELY: u8 = 80;
/// If no line tells the cause, at most this many of the last lines are shown.
const LAST: usize = 14;
/// At most 9 anchors are shown with their blocks, and 54 are tried: a hostile log has any number that add nothing.
const PIECES: usize = 9;
const TRIES: usize = 6 * PIECES;

/// The evidence of `section` for about `aim` tokens.
pub(super) fn choose(lines: &[Line], section: &Section, aim: usize) -> Evidence {
    let until = section.said.unwrap_or(section.body.end);
    let body = section.body.start..until.max(section.body.start);
    let mut found = Evidence::default();
    let mut used = Used::default();
    if section.end == SectionEnd::Stopped {
        tail(lines, &body, aim.min(110), 6, &mut used, &mut found);
        return found;
    }
    used.harmless = harmless_output(lines, &section.body);
    let (mut candidates, recovered, closing) = candidates(lines, section, &used.harmless);
    used.recovered = recovered;
    let clean_up = ending::clean_up(lines, &body);
    let tidies = |at| clean_up.is_some_and(|from| at >= from);
    for one in &mut candidates {
        if tidies(one.at) && one.weight <= MAY_RECOVER {
            one.weight = one.weight.saturating_sub(RECOVERED);
        }
    }
    let names: Vec<usize> = candidates
        .iter()
        .filter(|one| one.names)
        .map(|one| one.at)
        .collect();
    let top = candidates.iter().map(|one| one.weight).max().unwrap_or(0);
    let near = match top {
        WHOLE.. => NEAR_TEST,
        TELLING.. => NEAR,
        _ => NEAR_FAINT,
    };
    let least = top.saturating_sub(near).max(FAINT);
    candidates.retain(|one| one.weight >= least);
    // Of equally heavy causes the first leads, as the rest often follows from it; of mere words of trouble, the last.
    candidates.sort_by_key(|one| {
        let order = if one.weight >= TELLING {
            one.at
        } else {
            usize::MAX - one.at
        };
        (u8::MAX - one.weight, order)
    });
    found.anchored = top >= TELLING;
    // The block of an anchor that stands before the clean-up ends there too.
    let whole = &section.body;
    let early = whole.start..clean_up.unwrap_or(whole.end);
    let of = |at: usize| {
        if early.contains(&at) {
            early.clone()
        } else {
            whole.clone()
        }
    };
    let open = follow(lines, section, aim, &candidates, &of, &mut used, &mut found);
    let late = open.first().is_some_and(|(at, _)| tidies(*at));
    let before = body.start..clean_up.filter(|_| !late).unwrap_or(body.end);
    if found.anchored {
        // The name of the test or file may stand on another line than the reason.
        for at in names.into_iter().take(NAMES) {
            if used.cost < aim * 3 / 4 {
                used.add(lines, at, 1, &mut found.lines);
            }
        }
    }
    if section.kind != SectionKind::Setup {
        around(lines, &before, &open, aim, &mut used, &mut found);
    }
    under_colon(lines, &body, aim, &mut used, &mut found);
    titles(lines, whole, &open, &mut used, &mut found);
    least_covered_files(lines, whole, &open, &mut used, &mut found);
    if top >= TELLING && warnings_failed(lines, &found) {
        warnings(lines, &body, aim / 2, true, &mut used, &mut found);
    }
    if top < LIKELY {
        unique_lines(lines, &body, aim / 3, &mut used, &mut found);
    }
    if (TELLING..SURE).contains(&top) && section.kind != SectionKind::Setup {
        tail(lines, &body, 60, 4, &mut used, &mut found);
    }
    if top < TELLING {
        untold(
            lines,
            section,
            &body,
            aim,
            open.is_empty(),
            &mut used,
            &mut found,
        );
    }
    if found.anchored && section.kind != SectionKind::Setup {
        fill(lines, &before, &open, &mut used, &mut found);
    }
    if let Some(at) = closing
        && !tidies(at)
        && !anchors::is_meant(&lines[at].text)
        && used.lines.iter().next_back().is_none_or(|last| *last < at)
        && used.cost < aim
    {
        used.add(lines, at, 1, &mut found.lines);
    }
    found
}

/// Whether a shown line says that warnings failed the step, and no shown line is an error.
fn warnings_failed(lines: &[Line], found: &Evidence) -> bool {
    let strict = |at: usize| STRICT.is_match(&lines[at].text);
    let error = |at: usize| {
        anchors::find(&lines[at].text).is_some_and(|row| row.weight >= ERROR) && !strict(at)
    };
    let mut shown = found.lines.iter().map(|(at, _)| *at);
    shown.clone().any(strict) && !shown.any(error)
}

/// Adds what stands in for the cause if no line tells it: warnings, the command that ran last, and the last output.
/// `nothing`: no anchor is shown yet; the command is added only then.
fn untold(
    lines: &[Line],
    section: &Section,
    body: &Range<usize>,
    aim: usize,
    nothing: bool,
    used: &mut Used,
    found: &mut Evidence,
) {
    warnings(lines, body, aim / 4, false, used, found);
    if nothing {
        for at in leading(lines, section, body.end) {
            used.add(lines, at, 1, &mut found.lines);
        }
    }
    let room = (aim * 2 / 3).saturating_sub(used.cost / 2).max(40);
    tail(lines, body, room, LAST, used, found);
}

/// Adds the candidates with their blocks, the heaviest first, and counts those left out. `of` is the range of lines in which
/// the block of a line may stand. Result: each anchor shown, and whether its block is complete.
fn follow(
    lines: &[Line],
    section: &Section,
    aim: usize,
    candidates: &[Candidate],
    of: &dyn Fn(usize) -> Range<usize>,
    used: &mut Used,
    found: &mut Evidence,
) -> Vec<(usize, bool)> {
    let mut pieces = 0;
    let mut open = Vec::new();
    for (nth, one) in candidates.iter().enumerate() {
        // A line inside another's block may still have a part of its own.
        if used.lines.contains(&one.at) && !matches!(one.take, Take::Part(..)) {
            continue;
        }
        // Candidates that add nothing are tried too, up to `TRIES`.
        if nth >= TRIES || pieces > 0 && (used.cost >= aim || pieces >= PIECES) {
            found.more += 1;
            continue;
        }
        if pieces == 0 {
            for at in leading(lines, section, one.at) {
                used.add(lines, at, 1, &mut found.lines);
            }
        }
        let mut block = block(lines, &of(one.at), one.at, one.take);
        // A test may be named twice: where it ran, and again with its output.
        if one.times > 1 && one.times < 4 && !matches!(one.take, Take::Line) {
            block.extend(self::block(lines, &of(one.last), one.last, one.take));
        }
        let size = block.len();
        let room = if pieces == 0 {
            aim + aim / 3
        } else {
            aim + aim / 8
        };
        let mut added = false;
        for at in block {
            let times = if at == one.at { one.times } else { 1 };
            if used.cost + cost(&fold::short(&lines[at].text)) > room && (added || pieces > 0) {
                break;
            }
            added |= used.add(lines, at, times, &mut found.lines);
        }
        pieces += usize::from(added);
        if added {
            // A block of these kinds is complete, except for its heading.
            let block = size > 1 && matches!(one.take, Take::Part(..) | Take::Trace | Take::Stack);
            open.push((one.at, one.weight >= WHOLE || block));
        }
    }
    open
}

/// The lines with an anchor, those of one [`fold::shape`] as one candidate; the shapes of trouble that passed; and the last
/// line that only says that something failed.
fn candidates(
    lines: &[Line],
    section: &Section,
    harmless: &BTreeSet<usize>,
) -> (Vec<Candidate>, HashSet<u64>, Option<usize>) {
    let mut all: Vec<Candidate> = Vec::new();
    let mut seen: HashMap<(u64, bool), Option<usize>> = HashMap::new();
    let mut closing = None;
    let (body, said) = (&section.body, section.said);
    for at in body.clone().filter(|at| !harmless.contains(at)) {
        let line = &lines[at];
        let error = match line.kind {
            Kind::Plain => false,
            Kind::Error if Some(at) != said => true,
            _ => continue,
        };
        let text = line.text.trim_end();
        if text.is_empty() || (error && steps::exit_code(text).is_some()) {
            continue;
        }
        // Only the first line of a shape is held against the rows.
        let known = *seen.entry((fold::shape(text), error)).or_insert_with(|| {
            let row = anchors::find(text);
            let (weight, take) = match (row, error) {
                // A warning is light, also where a problem matcher marks it as an error.
                (Some(row), false) if WARNS.is_match(text) => {
                    (row.weight.min(LIKELY - 6), row.take)
                }
                (_, true) if WARNS.is_match(text) => (LIKELY - 6, Take::Line),
                (Some(row), true) => (row.weight.max(93) + 1, row.take),
                (Some(row), false) if row.weight < TELLING && anchors::is_meant(text) => {
                    return None;
                }
                (Some(row), false) => (row.weight, row.take),
                (None, true) => (93, Take::Line),
                (None, false) => return None,
            };
            all.push(Candidate {
                at,
                weight,
                take,
                times: 0,
                last: at,
                names: row.is_some_and(|row| row.tool != "any" && NAMING.contains(&row.weight)),
            });
            Some(all.len() - 1)
        });
        let Some(known) = known else { continue };
        let one = &mut all[known];
        one.times += 1;
        one.last = at;
        if one.weight < TELLING {
            one.at = at;
        }
        if (CLOSING..FAINT).contains(&one.weight) {
            closing = Some(at);
        }
    }
    let recovered = recovered::forgive(lines, &section.script, body, &mut all);
    all.retain(|one| one.weight >= FAINT && !recovered.contains(&fold::shape(&lines[one.at].text)));
    (all, recovered, closing)
}

/// A line that says that warnings fail the step: `Exiting due to 3 warning(s)`.
static STRICT: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?i)warnings found and|max-warnings|too many warnings|warnings? (being )?treated as|treat warnings as|failure-level|strict mode|Exiting due to \d+ warning")
        .expect("a tested pattern")
});

/// The lines that name the command before the line at `at`: the runner's `[command]`, a trace of `set -x`, or what npm, pnpm
/// or yarn print; empty if there is none in the 5,000 lines above.
fn leading(lines: &[Line], section: &Section, at: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let from = section.body.start;
    for above in (from..at.min(section.body.end)).rev().take(5_000) {
        let line = &lines[above];
        let text = &*line.text;
        if line.kind == Kind::Command {
            out.push(above);
            break;
        }
        if line.kind != Kind::Plain {
            continue;
        }
        if TRACED.is_match(text) && !TRACED_DULL.is_match(text) {
            out.push(above);
            break;
        }
        // npm and pnpm name the package, then the command; yarn the command alone.
        let npm = text.starts_with("> ")
            && above > from
            && lines[above - 1].text.starts_with("> ")
            && lines[above - 1].text.contains('@');
        if npm || text.starts_with("$ ") {
            if npm {
                out.push(above - 1);
            }
            out.push(above);
            break;
        }
    }
    out
}
