//! The budget of a result: how many tokens a model gets at once, and the note about the rest.
//!
//! A result that does not fit is cut between lines. The whole result stays on the [`shelf`](super::shelf), and the last line says
//! how many lines were cut and how to get them. Tokens are estimated, so a twelfth of the budget is left free.

use crate::redact::neutral::neutral;
use crate::text::tokens::count;
use crate::text::unified;

/// The tokens of a result by default.
pub const DEFAULT: usize = 800;
/// The smallest budget that a user can set, in tokens.
pub const LEAST: usize = 200;
/// The largest budget that a user can set, in tokens; also the most tokens of one slice of a kept result.
pub const MOST: usize = 8_000;

/// Which part of a text is shown when it does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shows {
    /// The beginning: a list has its most important rows first.
    #[default]
    Head,
    /// A little of the beginning and more of the end: a log has its errors at the end.
    Ends,
}

/// The shown parts of a text, and the range of lines that are cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The lines before the cut.
    pub head: String,
    /// The lines after the cut.
    pub tail: String,
    /// The first and the last line that are not shown whole, from 1.
    pub cut: (usize, usize),
    /// Number of lines of the whole text.
    pub lines: usize,
}

/// The tokens of the note about a cut, with room for the error of the estimate.
const WORDS: usize = 60;

/// Cuts `text` so that the shown parts and the note about the cut fit into `budget` tokens; none where the whole text fits.
pub fn fit(text: &str, budget: usize, shows: Shows) -> Option<Fit> {
    let room = budget - budget / 12;
    // A token has at least 1 byte, and hardly more than 64: a text that is far too short or too long need not be counted.
    if text.len() <= room || (text.len() < room.saturating_mul(64) && count(text) <= room) {
        return None;
    }
    let room = room.saturating_sub(WORDS);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut head, mut used) = match shows {
        Shows::Head => taken(lines.iter(), room),
        Shows::Ends => taken(lines.iter(), room / 4),
    };
    let mut tail = 0;
    if shows == Shows::Ends {
        let (from_end, more) = taken(lines[head..].iter().rev(), room - used);
        (tail, used) = (from_end, used + more);
    }
    // A single line may be longer than the whole budget: then the part of the line that fits is shown.
    let left = room - used;
    let (mut begun, mut ended) = ("", "");
    if head == 0 && shows == Shows::Head {
        begun = beginning(lines[0], left);
    } else if tail == 0 && shows == Shows::Ends {
        ended = end(lines[lines.len() - 1], left);
    }
    // The lines counted one by one can have fewer tokens than the whole text, so that all lines fit; one line is cut even then.
    if head + tail == lines.len() {
        tail = tail.saturating_sub(1);
        head = lines.len() - tail - 1;
    }
    let after = lines.len() - tail;
    Some(Fit {
        head: lines[..head].concat() + begun,
        // The end of a line now begins a line of its own, so it must pass `neutral` again.
        tail: neutral(ended) + &lines[after..].concat(),
        cut: (head + 1, after),
        lines: lines.len(),
    })
}

/// How many of `lines` fit into `room` tokens, and how many tokens they take.
pub(in crate::gate) fn taken<'a>(
    lines: impl Iterator<Item = &'a &'a str>,
    room: usize,
) -> (usize, usize) {
    let (mut number, mut used) = (0, 0);
    for line in lines {
        // A line of more than 64 bytes for each token of room cannot fit, and is not counted.
        let cost = if line.len() > room.saturating_mul(64) {
            room + 1
        } else {
            count(line)
        };
        if used + cost > room {
            break;
        }
        number += 1;
        used += cost;
    }
    (number, used)
}

/// A beginning of `line` that has at most `room` tokens.
pub(in crate::gate) fn beginning(line: &str, room: usize) -> &str {
    let mut at = line.len().min(room.saturating_mul(6));
    loop {
        at = border(line, at);
        if count(&line[..at]) <= room {
            return &line[..at];
        }
        at -= at.div_ceil(8);
    }
}

fn end(line: &str, room: usize) -> &str {
    let mut at = line.len().saturating_sub(room.saturating_mul(6));
    loop {
        at = border_after(line, at);
        if count(&line[at..]) <= room {
            return &line[at..];
        }
        at += (line.len() - at).div_ceil(8);
    }
}

/// The last byte at or before `at` at which a character of `text` begins or the text ends.
pub(in crate::gate) fn border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// The first byte at or after `at` at which a character of `text` begins or the text ends.
pub(in crate::gate) fn border_after(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

impl Fit {
    /// The shown text, with a mark for the gap, and a last line that says how `tool` returns the rest of `whole`, kept under `handle`.
    pub fn shown(&self, whole: &str, tool: &str, handle: &str) -> String {
        let (from, to) = self.cut;
        let mut text = self.head.clone();
        if !self.tail.is_empty() {
            line_end(&mut text);
            text = format!("{text}[lines {from}-{to} cut]\n{}", self.tail);
        }
        line_end(&mut text);
        let next = to.min(from + 59);
        text + &format!(
            "[lines {from}-{to} of {} cut; {tool} handle={handle} lines={from}-{next}{}]",
            self.lines,
            ways(whole)
        )
    }
}

/// The last line of a result that is an extract of `whole`, kept under `handle`.
pub(in crate::gate) fn extract_note(whole: &str, tool: &str, handle: &str) -> String {
    let lines = whole.lines().count();
    format!(
        "[the whole has {lines} lines; {tool} handle={handle} lines=1-{}{}]",
        lines.min(60),
        ways(whole)
    )
}

/// The further arguments that return a part of `whole`: by pattern, and in a diff by file and hunk.
fn ways(whole: &str) -> &'static str {
    if unified::files(whole).is_empty() {
        " or pattern=REGEXP"
    } else {
        ", pattern=REGEXP, or file=PATH hunk=N"
    }
}

fn line_end(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
#[path = "../../../test/rust/gate/budget.rs"]
mod tests;
