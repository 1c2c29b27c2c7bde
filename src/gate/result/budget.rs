//! The budget of a result: what a model is shown at once, in tokens, and how the rest is said.
//!
//! A result that does not fit is cut between lines. What was cut stays on the [`shelf`](super::shelf), and the last line says
//! how much that is and how to get it. Tokens are estimated, so a twelfth of the budget is left free.

use crate::redact::neutral::neutral;
use crate::text::tokens::count;
use crate::text::unified;

/// Tokens of a result, unless the user says otherwise.
pub const DEFAULT: usize = 800;
/// Bounds of what a user can say.
pub const LEAST: usize = 200;
/// See [`LEAST`]; also the most that one slice of a kept result takes.
pub const MOST: usize = 8_000;

/// Which part of a text is shown when it does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shows {
    /// Its beginning: a list has what matters first.
    #[default]
    Head,
    /// A little of its beginning and more of its end: a log fails at its end.
    Ends,
}

/// What of a text is shown, and which of its lines are not, from 1, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The lines before the cut.
    pub head: String,
    /// The lines after it.
    pub tail: String,
    /// First and last line that are not shown whole.
    pub cut: (usize, usize),
    /// Lines of the text.
    pub lines: usize,
}

/// Tokens that the words about a cut take, with what the estimate may be wrong by.
const WORDS: usize = 60;

/// Cuts `text` so that it and the words about the cut fit into `budget` tokens; none where all of it does.
pub fn fit(text: &str, budget: usize, shows: Shows) -> Option<Fit> {
    let room = budget - budget / 12;
    // A token has a byte at least and hardly more than some dozens: what is far too short or too long need not be counted.
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
    // A single line may be longer than the whole budget: then the part of it that fits.
    let left = room - used;
    let (mut begun, mut ended) = ("", "");
    if head == 0 && shows == Shows::Head {
        begun = beginning(lines[0], left);
    } else if tail == 0 && shows == Shows::Ends {
        ended = end(lines[lines.len() - 1], left);
    }
    // All lines fit where the estimate of the parts is below that of the whole.
    if head + tail == lines.len() {
        tail = tail.saturating_sub(1);
        head = lines.len() - tail - 1;
    }
    let after = lines.len() - tail;
    Some(Fit {
        head: lines[..head].concat() + begun,
        // What stood inside of a line begins one now.
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
        // A token has a byte at least.
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

/// The beginning of `line` that takes at most `room` tokens.
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

/// The last border of a character of `text` at or before the byte `at`.
pub(in crate::gate) fn border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// The first at or after it.
pub(in crate::gate) fn border_after(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

impl Fit {
    /// The text as it is shown: with the gap marked, and a last line that says how `tool` gives the rest, kept under `handle`.
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

/// The last line of a result that stands for a longer text, kept under `handle`.
pub(in crate::gate) fn stands_for(whole: &str, tool: &str, handle: &str) -> String {
    let lines = whole.lines().count();
    format!(
        "[the whole has {lines} lines; {tool} handle={handle} lines=1-{}{}]",
        lines.min(60),
        ways(whole)
    )
}

/// The other ways to a part of `whole`.
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
