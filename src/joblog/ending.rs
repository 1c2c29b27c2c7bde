//! The last output of a section, and where its clean-up begins.

use std::collections::HashMap;
use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use crate::text::tokens::count as cost;

use super::anchors;
use super::evidence::{Evidence, FAINT, Used};
use super::fold;
use super::lines::{Kind, Line, indent};
use super::phrases::{AFTERMATH, TRACED_DULL, WARNS};

/// A line that begins with a word for cleaning up: `Removing network app_default`.
static TIDIES: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"(?i)^\W*(clean|restor|remov|delet|stopp|shut|tear|releas|unmount|unlock|roll|purg|dropp|disconnect)")
        .expect("a tested pattern")
});

/// At or above this weight a line tells the cause.
const HEAVY: u8 = 70;

/// A line that begins with the word `warning`.
static WARNED: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^\W*(?i:warning)\b").expect("a tested pattern"));

/// A heading as scripts print them: `==> Build`, `## Test`.
static MARKED: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^(=+>|-+>|#{2,}|>{2,}|\*{2,}|={2,}|-{2,}|:{2,}|▶|▸|➜|→|•) ?\S")
        .expect("a tested pattern")
});

/// The last 3 lines are shown however often their kind was printed. Further up, a kind that was printed 4 times or more is
/// left out. Beside an anchor, the last 3 are no exception.
const NEAR_END: usize = 3;
const OFTEN: usize = 4;

/// In a run of lines of one kind, from the end up, each after the third is counted with the last one shown.
const FEW_ALIKE: usize = 2;
/// Lines of one kind with fewer than 4 words after the first are counted as one from the second on: they say what is done
/// (`Compiling serde v1.0.2`), not what is wrong.
const WORDY: usize = 4;

/// The clean-up, and the last output, are looked for in this many lines with text at the end.
const FAR: usize = 80;

/// The first line of a warning or a remark of several lines.
static HEADS_WARNING: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^(\S+[:)] ?)?(?i:warning)\b|^\W*(INFO|DEBUG|TRACE|NOTICE)\b")
        .expect("a tested pattern")
});

/// Whether the line at `at` goes on with a warning or a remark above it: the nearest less indented line begins one.
pub(super) fn under_warning(lines: &[Line], body: &Range<usize>, at: usize) -> bool {
    let mine = indent(&lines[at].text);
    mine > 0
        && (body.start..at)
            .rev()
            .take(8)
            .find(|above| {
                let text = &lines[*above].text;
                !text.trim().is_empty() && indent(text) < mine
            })
            .is_some_and(|above| HEADS_WARNING.is_match(&lines[above].text))
}

/// How many of the lines `told` stand before the clean-up, as an exit trap runs one after a failure; all if there is none.
fn before_aftermath(lines: &[Line], told: &[usize]) -> usize {
    let text = |place: usize| &*lines[told[place]].text;
    let cleans = |place: usize| AFTERMATH.is_match(text(place));
    let heavy = |place: usize| anchors::find(text(place)).is_some_and(|row| row.weight >= HEAVY);
    let mut kept = told.len();
    for place in (0..told.len()).rev().take(FAR) {
        let this = text(place);
        let clean = cleans(place);
        if anchors::find(this).is_some_and(|row| row.weight >= FAINT) {
            // An error between two lines of the clean-up is part of it; an error on the very last line is not.
            let after = if place + 1 < told.len() {
                cleans(place + 1)
            } else {
                clean
            };
            let amid = place > 0 && cleans(place - 1) && after
                || clean && TIDIES.is_match(this) && (place.saturating_sub(3)..place).any(&heavy);
            if amid {
                kept = place;
                continue;
            }
            break;
        }
        let marked = MARKED.is_match(this);
        if !clean && marked {
            break;
        }
        // Lines below a heading of the clean-up are part of it, and lines between two of its lines.
        let heads = || marked || (place + 1..kept).all(|below| indent(text(below)) > indent(this));
        let between = || {
            kept - place <= 3
                && (kept < told.len() || (place.saturating_sub(3)..place).any(&cleans))
        };
        if clean && (place + 1 == kept || heads() || between()) {
            kept = place;
        }
    }
    kept
}

/// The plain, error and group lines of `body` that have text and are no rulers.
fn told(lines: &[Line], body: &Range<usize>) -> Vec<usize> {
    body.clone()
        .filter(|at| {
            let line = &lines[*at];
            matches!(line.kind, Kind::Plain | Kind::Error | Kind::Group)
                && !line.text.trim().is_empty()
                && !fold::is_ruler(&line.text)
        })
        .collect()
}

/// The first line of the clean-up, if the section ends with one and has other lines before it.
pub(super) fn clean_up(lines: &[Line], body: &Range<usize>) -> Option<usize> {
    let near = body.end.saturating_sub(4 * FAR).max(body.start)..body.end;
    let told = told(lines, &near);
    match before_aftermath(lines, &told) {
        0 => None,
        kept => told.get(kept).copied(),
    }
}

/// Adds the last output before the clean-up, repeats folded: at most `most` lines, for about `aim` tokens.
pub(super) fn tail(
    lines: &[Line],
    body: &Range<usize>,
    aim: usize,
    most: usize,
    used: &mut Used,
    found: &mut Evidence,
) {
    let told = told(lines, body);
    let kept = match before_aftermath(lines, &told) {
        0 => told.len(),
        kept => kept,
    };
    // A kind of line that is printed over and over tells nothing, except at the very end.
    let mut often: HashMap<(u64, usize), usize> = HashMap::new();
    for &at in &told[..kept] {
        *often.entry(fold::kind(&lines[at].text)).or_default() += 1;
    }
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let (mut shape, mut alike) = (None, 0);
    for (nth, &at) in told[..kept].iter().rev().take(FAR).enumerate() {
        let text = &*lines[at].text;
        // Beside an anchor, lines that tell of no trouble add nothing.
        if found.anchored && anchors::is_dull(text) {
            continue;
        }
        if nth > 0 && (anchors::is_meant(text) || under_warning(lines, body, at)) {
            continue;
        }
        if nth > 0 && (TRACED_DULL.is_match(text) || WARNS.is_match(text) || WARNED.is_match(text))
        {
            continue;
        }
        let near = if found.anchored { 0 } else { NEAR_END };
        if nth >= near && often[&fold::kind(text)] >= OFTEN {
            continue;
        }
        let this = fold::kind(text);
        let like = shape == Some(this);
        alike = if like { alike + 1 } else { 0 };
        // A few lines of one kind that say different things are shown one by one.
        if like
            && let Some(run) = runs.last_mut()
            && (alike > FEW_ALIKE
                || this.1 < WORDY
                || fold::shape(&lines[run.0].text) == fold::shape(text))
        {
            run.1 += 1;
            continue;
        }
        if runs.len() >= most {
            break;
        }
        shape = Some(this);
        runs.push((at, 1));
    }
    // An indented line stands under a heading: show the heading too.
    if let Some(&(first, _)) = runs.last() {
        let mine = indent(&lines[first].text);
        let heading = told[..kept]
            .iter()
            .rev()
            .skip_while(|at| **at >= first)
            .take(12)
            .find(|at| indent(&lines[**at].text) < mine)
            .filter(|at| !anchors::is_dull(&lines[**at].text));
        runs.extend(heading.map(|at| (*at, 1)));
    }
    let start = used.cost;
    for (at, times) in runs {
        if used.cost - start + cost(&fold::short(&lines[at].text)) > aim && used.cost > start {
            break;
        }
        used.add(lines, at, times, &mut found.lines);
    }
}
