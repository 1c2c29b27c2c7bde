//! Which lines of a failed section tell why it failed.
//!
//! Anchors are weighed; the heaviest come with what belongs to them, first things first, until there is enough. What a
//! step printed last stands in where nothing was recognised.

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

/// What is so much lighter than the heaviest anchor is left out.
const NEAR: u8 = 7;
/// Beside a test that failed, errors in the output of tests are mostly meant.
const NEAR_TEST: u8 = 3;
const NEAR_FAINT: u8 = 12;
/// From this weight on a line at the end may be shown as the last word.
const CLOSING: u8 = 30;
/// So much less such an anchor counts in a clean-up.
const RECOVERED: u8 = 30;
/// From this weight on a line is an error in the words of its tool.
const ERROR: u8 = 95;
/// Weights of lines that say what failed; of them, so many are shown beside the reason.
const NAMING: std::ops::RangeInclusive<u8> = 68..=78;
const NAMES: usize = 3;
/// Below this weight a common form was met, which may mean something else: what was printed last is shown too.
const SURE: u8 = 90;
/// Below this weight it is mere words.
const LIKELY: u8 = 80;
/// Where no line tells the cause, at most so many of the last are shown.
const LAST: usize = 14;
/// At most so many anchors are followed up, and so many tried.
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
    // Of what tells the cause the first counts most: the rest often follows from it. Of mere words of trouble, the last.
    candidates.sort_by_key(|one| {
        let order = if one.weight >= TELLING {
            one.at
        } else {
            usize::MAX - one.at
        };
        (u8::MAX - one.weight, order)
    });
    found.anchored = top >= TELLING;
    // What belongs to an anchor stands before the clean-up, if the anchor does.
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
        // Which test or file it is may be said elsewhere than why.
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

/// Whether a shown line says that warnings failed the step, and no error stands beside.
fn warnings_failed(lines: &[Line], found: &Evidence) -> bool {
    let strict = |at: usize| STRICT.is_match(&lines[at].text);
    let error = |at: usize| {
        anchors::find(&lines[at].text).is_some_and(|row| row.weight >= ERROR) && !strict(at)
    };
    let mut shown = found.lines.iter().map(|(at, _)| *at);
    shown.clone().any(strict) && !shown.any(error)
}

/// What stands in where no line tells the cause: warnings, the command that ran last if nothing is shown, the last of the output.
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

/// Shows the candidates with what belongs to each, the best first; says which were shown, and whether nothing is missing there.
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
        // A line that another shows already may still have a part of its own.
        if used.lines.contains(&one.at) && !matches!(one.take, Take::Part(..)) {
            continue;
        }
        // Candidates that add nothing are tried no more than so often: a hostile log has any number of them.
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
        // A test may be named where it ran, and again with what it said.
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
            // What has a block of its own is whole, but for its heading.
            let block = size > 1 && matches!(one.take, Take::Part(..) | Take::Trace | Take::Stack);
            open.push((one.at, one.weight >= WHOLE || block));
        }
    }
    open
}

/// Every line with an anchor, equal ones counted once; and the last one that only says that something failed.
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
        // Lines of one shape are looked at once.
        let known = *seen.entry((fold::shape(text), error)).or_insert_with(|| {
            let row = anchors::find(text);
            let (weight, take) = match (row, error) {
                // Problem matchers mark warnings too.
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

/// Says that warnings fail the step.
static STRICT: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?i)warnings found and|max-warnings|too many warnings|warnings? (being )?treated as|treat warnings as|failure-level|strict mode|Exiting due to \d+ warning")
        .expect("a tested pattern")
});

/// The command that led to the line at `at`, where the output itself names it.
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
