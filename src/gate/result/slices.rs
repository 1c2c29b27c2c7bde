//! Slices of a kept result: by lines, by pattern, or by file and hunk of a diff.

use std::fmt::Write;
use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::budget::{MOST, beginning, border, border_after, taken};
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::text::tokens::count;
use crate::text::unified::{self, File};

/// The part of a result that is asked for; the whole result where no field is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliceRequest {
    /// Lines, from 1: `120-180`, `120-` or `120`.
    pub lines: Option<String>,
    /// A regular expression; matching lines are returned with the two lines before and after each.
    pub pattern: Option<String>,
    /// A file of a diff, by its path or the end of it.
    pub file: Option<String>,
    /// A hunk of that file, from 1.
    pub hunk: Option<u64>,
}

impl SliceRequest {
    /// The request as an argv, for the record: `more`, the handle, `--lines=120-180`.
    pub(in crate::gate) fn argv(&self, handle: &str) -> Vec<String> {
        let mut argv = vec!["more".to_owned(), handle.to_owned()];
        let hunk = self.hunk.map(|hunk| hunk.to_string());
        for (name, value) in [
            ("lines", &self.lines),
            ("pattern", &self.pattern),
            ("file", &self.file),
            ("hunk", &hunk),
        ] {
            if let Some(value) = value {
                argv.push(format!("--{name}={value}"));
            }
        }
        argv
    }
}

/// Number of lines shown before and after a matching line.
const AROUND: usize = 2;
/// The most bytes shown of a matching line or a line around it.
const LONG: usize = 600;
/// The most bytes of a pattern.
const PATTERN: usize = 1_000;
/// The most bytes of a compiled pattern: `x{1000}{1000}{1000}` would need gigabytes.
const PROGRAM: usize = 1 << 20;
/// The most tokens of a slice's text: [`MOST`] without the note about the slice, and without the error of the estimate.
const ROOM: usize = MOST - MOST / 12 - 60;

fn bad(message: impl Into<String>) -> Refusal {
    Refusal::new(ErrorKind::BadArgument, message)
}

/// The part of `text` that `ask` names, at most [`MOST`] tokens, with a line about its place.
///
/// # Errors
/// `bad-argument` where `ask` names a part that does not exist, or a malformed pattern or range.
pub fn slice(text: &str, ask: &SliceRequest) -> Result<String, Refusal> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let part = part(text, ask)?;
    // Lines keep their numbers in the whole text.
    let first = text[..part.start].matches('\n').count();
    let last = first + text[part].split_inclusive('\n').count();
    if let Some(pattern) = &ask.pattern {
        return matching(&lines, first..last, pattern);
    }
    let asked = match &ask.lines {
        None => first..last,
        Some(_) if ask.file.is_some() => {
            return Err(bad(
                "`lines' and `file' can't be given together.\nLeave one of them out.",
            ));
        }
        Some(words) => range(words, lines.len())?,
    };
    Ok(whole_lines(&lines, asked))
}

/// The range in bytes of the file or hunk that `ask` names; the range of the whole text where `ask` names neither.
fn part(text: &str, ask: &SliceRequest) -> Result<Range<usize>, Refusal> {
    if ask.file.is_none() && ask.hunk.is_none() {
        return Ok(0..text.len());
    }
    let files = unified::files(text);
    let file = match (&ask.file, &files[..]) {
        (_, []) => {
            return Err(bad(
                "This result is no diff and has no files.\nAsk for `lines' or a `pattern'.",
            ));
        }
        (Some(path), files) => named(files, path)?,
        (None, [only]) => only,
        (None, _) => {
            return Err(bad(format!(
                "Hunks are counted in each file.\nSay of which `file': {}.",
                names(&files)
            )));
        }
    };
    let Some(number) = ask.hunk else {
        return Ok(file.text.clone());
    };
    usize::try_from(number)
        .ok()
        .and_then(|number| file.hunks.get(number.checked_sub(1)?))
        .cloned()
        .ok_or_else(|| {
            bad(format!(
                "There is no hunk {number} of {}.\nIt has {}.",
                file.path,
                file.hunks.len()
            ))
        })
}

/// The file with the path `path`, or the only file whose path ends in `/` and `path`.
fn named<'a>(files: &'a [File], path: &str) -> Result<&'a File, Refusal> {
    if let Some(file) = files.iter().find(|file| file.path == path) {
        return Ok(file);
    }
    let mut ending = files
        .iter()
        .filter(|file| file.path.ends_with(&format!("/{path}")));
    match (ending.next(), ending.next()) {
        (Some(file), None) => Ok(file),
        _ => Err(bad(format!(
            "The diff has no file of this name, or several.\nIt has {}.",
            names(files)
        ))),
    }
}

/// The paths of the first files, for a message: `a.rs, b.rs and 3 more`.
fn names(files: &[File]) -> String {
    const SOME: usize = 20;
    let some: Vec<&str> = files.iter().take(SOME).map(|f| f.path.as_str()).collect();
    let more = files.len().saturating_sub(SOME);
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    some.join(", ") + &rest
}

/// Reads `words`, such as `120-180`, `120-` or `120`, as a range of `most` lines, counted from 0.
fn range(words: &str, most: usize) -> Result<Range<usize>, Refusal> {
    let wrong = || {
        bad(format!(
            "`lines' must be like 120-180; the result has {most} lines.\nCall again with lines that are there."
        ))
    };
    let words = words.trim();
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (from, to) = match words.split_once('-') {
        Some((from, "")) => (number(from)?, most),
        Some((from, to)) => (number(from)?, number(to)?.min(most)),
        None => (number(words)?, number(words)?),
    };
    if from == 0 || from > to || to > most {
        return Err(wrong());
    }
    Ok(from - 1..to)
}

/// The lines `asked` that fit into [`ROOM`] tokens, unchanged, below a line with their numbers.
fn whole_lines(lines: &[&str], asked: Range<usize>) -> String {
    let wanted = &lines[asked.clone()];
    let (fits, _) = taken(wanted.iter(), ROOM);
    let mut text = wanted[..fits].concat();
    let mut last = asked.start + fits;
    let mut cut = String::new();
    if fits == 0 && !wanted.is_empty() {
        // The first line alone has more than ROOM tokens.
        let begun = beginning(wanted[0], ROOM);
        cut = format!(
            "\n[the first {} of {} bytes of this line; a pattern finds places in it]",
            begun.len(),
            wanted[0].len()
        );
        begun.clone_into(&mut text);
        last += 1;
    } else if last < asked.end {
        cut = format!("[next: lines={}-{}]", last + 1, asked.end);
    }
    format!(
        "lines {}-{last} of {}\n{text}{cut}",
        asked.start + 1,
        lines.len()
    )
}

/// The lines in the range `within` that match `pattern`, with the lines around them, each with its number.
fn matching(lines: &[&str], within: Range<usize>, pattern: &str) -> Result<String, Refusal> {
    let pattern = compiled(pattern)?;
    let hits: Vec<usize> = within
        .clone()
        .filter(|at| pattern.is_match(plain(lines[*at])))
        .collect();
    let mut text = String::new();
    let (mut shown, mut used, mut next) = (0, 0, within.start);
    'hits: for (nth, &hit) in hits.iter().enumerate() {
        let mut piece = String::new();
        let from = hit.saturating_sub(AROUND).max(next);
        if from > next && !text.is_empty() {
            piece.push_str("--\n");
        }
        let following = hits.get(nth + 1).copied().unwrap_or(usize::MAX);
        let to = (hit + AROUND + 1).min(within.end).min(following);
        for (line, at) in lines[from..to].iter().zip(from..) {
            let mark = if at == hit { ':' } else { '-' };
            let line = around(plain(line), &pattern, at == hit);
            writeln!(piece, "{}{mark}{line}", at + 1).expect("a string takes all that is written");
        }
        let cost = count(&piece);
        if used + cost > ROOM {
            break 'hits;
        }
        used += cost;
        shown += 1;
        next = to;
        text.push_str(&piece);
    }
    let some = if shown < hits.len() {
        format!(", the first {shown} of them shown")
    } else {
        String::new()
    };
    Ok(format!("{} lines match{some}\n{text}", hits.len()))
}

fn compiled(pattern: &str) -> Result<Regex, Refusal> {
    if pattern.len() > PATTERN {
        return Err(bad(format!(
            "The pattern has {} bytes; at most {PATTERN} are taken.\nShorten it.",
            pattern.len()
        )));
    }
    RegexBuilder::new(pattern)
        .size_limit(PROGRAM)
        .dfa_size_limit(PROGRAM)
        .build()
        .map_err(|error| {
            let why = error.to_string();
            let why = why.lines().last().unwrap_or_default();
            bad(format!(
                "The pattern can't be read: {}.\nGive a regular expression as Rust has them, without look-around.",
                why.trim_start_matches("error: ")
            ))
        })
}

fn plain(line: &str) -> &str {
    line.trim_end_matches(['\n', '\r'])
}

/// `line`, or the part of a long line around its first match; its beginning where it has no match.
fn around(line: &str, pattern: &Regex, hit: bool) -> String {
    if line.len() <= LONG {
        return line.to_owned();
    }
    let found = if hit { pattern.find(line) } else { None };
    let middle = found.map_or(0, |found| found.start());
    let from = border(line, middle.saturating_sub(LONG / 3));
    let to = border_after(line, from + LONG);
    let before = if from > 0 { "…" } else { "" };
    let after = if to < line.len() { "…" } else { "" };
    format!("{before}{}{after}", &line[from..to])
}
