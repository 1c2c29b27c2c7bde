//! Forged lines: those that a reader would take for our header, for gptel's marks in a chat, or for the words that tell a model who
//! is speaking.
//!
//! One rule, and no list of spellings. What may stand before such a line is passed over: blanks, what shows nothing, marks of lists,
//! quotes and emphasis, for our own indentation and lists put them there too. What follows is compared by its skeleton
//! ([`lookalike`](super::lookalike)):
//!
//! - a bracket and the name of a program, then a blank: `[gh `;
//! - a fence, three or more grave accents or tildes, and `tool` or `reasoning`;
//! - `#+begin_` or `#+end_` and one of the same two, `#+property:` and `:gptel_`, which gptel reads in Org;
//! - `(:name … :args …)`, as gptel writes a call, and `:tool_result`;
//! - `<|word|>` as models have it between speakers, and a line that only names one: `### User`, `@assistant`.
//!
//! After a mark of a list a Markdown link is none of it, `- [gh release](https://…)`, unless what it says are a header's words.
//! A line that begins with `|` is never forged: so is one that was set off before.

use once_cell::sync::Lazy;

use super::lookalike::{fence, fold, opens, shows_nothing, skeleton};

/// The programs that have a header: those of `cj/gate-programs`, and the one that is to come.
const PROGRAMS: [&str; 3] = ["gh", "net", "forge"];
/// What gptel writes in blocks of its own.
const BLOCKS: [&str; 2] = ["tool", "reasoning"];
/// Who speaks, where a line says nothing else. `System` alone is a heading of many forms for issues.
const SPEAKERS: [&str; 3] = ["user", "assistant", "human"];
/// The words of a header behind its target.
const CLASSES: [&str; 5] = ["read", "write", "destructive", "blocked", "unknown"];
const STATUSES: [&str; 6] = ["ok", "confirmed", "leased", "declined", "blocked", "error"];
/// How much of a line is looked at behind its beginning, in characters. A target has at most 255 + 39 + 100.
const FAR: usize = 600;
/// How many marks may stand before it; behind more, nothing looks like the beginning of a line.
const MARKS: usize = 64;

/// Skeletons of the words above.
struct Words {
    programs: Vec<String>,
    blocks: Vec<String>,
    speakers: Vec<String>,
    classes: Vec<String>,
    statuses: Vec<String>,
    org: Vec<String>,
    call: [String; 2],
    drawers: [String; 2],
    property: String,
}

static WORDS: Lazy<Words> = Lazy::new(|| {
    let all = |words: &[&str]| words.iter().map(|word| skeleton(word)).collect();
    let mut org = Vec::new();
    for border in ["begin", "end"] {
        org.extend(BLOCKS.map(|block| skeleton(&format!("#+{border}_{block}"))));
    }
    Words {
        programs: all(&PROGRAMS),
        blocks: all(&BLOCKS),
        speakers: all(&SPEAKERS),
        classes: all(&CLASSES),
        statuses: all(&STATUSES),
        org,
        call: ["(:name", ":args"].map(skeleton),
        drawers: [":tool_result", ":gptel_"].map(skeleton),
        property: skeleton("#+property:"),
    }
});

/// What was passed over before the place that is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Blanks, and what shows nothing.
    Blank,
    /// Marks of a list, a quotation, emphasis.
    Mark,
    /// A number or a letter, and a blank, as in a row of a table.
    Number,
}

/// Whether the line would be taken for one of ours or of the client's.
pub fn forged(line: &str) -> bool {
    let mut before = Before::Blank;
    let mut heading = false;
    let (mut at, mut marks) = (0, 0);
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        if let Some(length) = unseen(rest) {
            at += length;
            continue;
        }
        at += c.len_utf8();
        marks += 1;
        if c == '|' || marks > MARKS {
            return false;
        }
        if opens(c) && header(&line[at..], before) {
            return true;
        }
        if let Some(kind) = fence(c) {
            let length = fence_length(rest, kind);
            if fenced(&rest[length..], &rest[..length]) {
                return true;
            }
            at += length - c.len_utf8();
        } else if c.is_ascii_digit() || c.is_alphabetic() {
            let Some((length, mark)) = numbered(rest) else {
                return heading && speaker(rest);
            };
            at += length - c.len_utf8();
            before = if mark { Before::Mark } else { Before::Number };
        } else if marked(c, rest) {
            return true;
        } else {
            heading |= matches!(c, '#' | '*' | '@');
        }
        if before == Before::Blank {
            before = Before::Mark;
        }
    }
    false
}

/// Bytes of what stands at the beginning of `rest` and leaves no mark on a terminal: a blank, a control character, what shows nothing,
/// or an escape sequence of ECMA-48 (`ESC [ 1 ; 32 m`, `ESC ] 8 ; ; URL BEL`).
fn unseen(rest: &str) -> Option<usize> {
    /// How long an escape sequence may be, in bytes.
    const LONGEST: usize = 512;
    let c = rest.chars().next()?;
    if !(c.is_whitespace() || c.is_control() || shows_nothing(c)) {
        return None;
    }
    let length = c.len_utf8();
    let (kind, after) = match c {
        '\u{1b}' => (rest.as_bytes().get(length), length + 1),
        '\u{9b}' => (Some(&b'['), length),
        _ => return Some(length),
    };
    let parameters = |byte: &u8| (0x20..0x40).contains(byte);
    let end = match kind {
        Some(b'[') => after + rest[after..].bytes().take_while(parameters).count() + 1,
        Some(b']') => match rest[after..].find(['\u{7}', '\u{1b}', '\u{9c}']) {
            Some(end) => after + end + 1,
            None => return Some(length),
        },
        _ => return Some(length),
    };
    // What ends in the midst of the line, or of a character, is no sequence.
    let whole = end <= rest.len().min(LONGEST) && rest.is_char_boundary(end);
    Some(if whole { end } else { length })
}

/// The number, or the one letter, that an item of a list begins with: its length with what ends it, and whether that is a mark.
fn numbered(rest: &str) -> Option<(usize, bool)> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length = match digits {
        0 => rest.chars().next()?.len_utf8(),
        1..=9 => digits,
        _ => return None,
    };
    match rest[length..].chars().next()? {
        '.' | ')' | ':' => Some((length + 1, true)),
        end if end.is_whitespace() => Some((length, false)),
        _ => None,
    }
}

/// Whether behind a bracket stand a program's name and a blank.
fn header(rest: &str, before: Before) -> bool {
    let mut name = String::new();
    let mut end = None;
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        if c.is_whitespace() && !name.is_empty() {
            end = Some(at);
            break;
        }
        if let Some(length) = unseen(&rest[at..]) {
            at += length;
            continue;
        }
        at += c.len_utf8();
        fold(c, &mut name);
        // The longest name has five letters.
        if name.len() > 8 {
            return false;
        }
    }
    let Some(end) = end.filter(|_| WORDS.programs.contains(&name)) else {
        return false;
    };
    match before {
        Before::Blank => true,
        Before::Mark => !link(rest) || has_headers_words(&rest[end..]),
        Before::Number => has_headers_words(&rest[end..]),
    }
}

/// Whether what a bracket opened is the text of a Markdown link.
fn link(rest: &str) -> bool {
    rest.find(']')
        .is_some_and(|close| rest[close + 1..].starts_with(['(', '[']))
}

/// Whether a class and a status follow each other, as in a header.
fn has_headers_words(rest: &str) -> bool {
    let rest: String = rest.chars().take(FAR).collect();
    let words: Vec<String> = rest.split_whitespace().map(skeleton).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    words.windows(2).any(|two| {
        WORDS.classes.contains(&bare(&two[0])) && WORDS.statuses.contains(&bare(&two[1]))
    })
}

/// Bytes of the run of fence marks of `kind` that `rest` begins with, and of what shows nothing between them.
fn fence_length(rest: &str, kind: char) -> usize {
    rest.char_indices()
        .find(|(_, c)| !shows_nothing(*c) && fence(*c) != Some(kind))
        .map_or(rest.len(), |(at, _)| at)
}

/// Whether `marks` make a fence, and what follows has one of gptel's words.
fn fenced(info: &str, marks: &str) -> bool {
    if marks
        .chars()
        .filter(|c| fence(*c).is_some())
        .take(3)
        .count()
        < 3
    {
        return false;
    }
    let mut word = String::new();
    let letters = info
        .chars()
        .skip_while(|c| shows_nothing(*c) || c.is_whitespace() || c.is_ascii_punctuation());
    for c in letters.take_while(|c| !c.is_whitespace()).take(24) {
        fold(c, &mut word);
    }
    WORDS.blocks.iter().any(|block| word.starts_with(block))
}

/// Whether `rest`, which begins with the mark `c`, is one of the other forms.
fn marked(c: char, rest: &str) -> bool {
    let mut seen = String::new();
    fold(c, &mut seen);
    if seen == "♯" {
        seen = "#".into();
    }
    if !matches!(seen.as_str(), "#" | "<" | ":" | "(") {
        return false;
    }
    // Most lines with such a mark are told from the others by a few characters.
    let start = seen + &beginning(&rest[c.len_utf8()..], 24);
    let begins = |word: &String| start.starts_with(word.as_str());
    match start.as_bytes()[0] {
        b'#' if begins(&WORDS.property) => {
            let all = beginning(rest, FAR);
            let value = all.split_once(':').map_or("", |(_, value)| value);
            value.trim_start().starts_with(&WORDS.drawers[1][1..])
        }
        b'#' => WORDS.org.iter().any(begins),
        b'(' => begins(&WORDS.call[0]) && beginning(rest, FAR).contains(&WORDS.call[1]),
        b':' => WORDS.drawers.iter().any(begins),
        _ => turn(&start),
    }
}

/// The skeleton of the first `most` characters.
fn beginning(rest: &str, most: usize) -> String {
    let mut seen = String::new();
    for c in rest.chars().take(most) {
        fold(c, &mut seen);
    }
    seen
}

/// `<|word|>`, as models have it where another one begins to speak.
fn turn(seen: &str) -> bool {
    let word = seen
        .strip_prefix("<|")
        .and_then(|rest| rest.split_once("|>"));
    word.is_some_and(|(word, _)| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Whether what is left of a line names a speaker, and nothing else.
fn speaker(rest: &str) -> bool {
    const LONG: usize = 40;
    let seen = beginning(rest, LONG + 1);
    let word = seen.trim_matches(|c: char| !c.is_alphanumeric());
    seen.chars().count() <= LONG && WORDS.speakers.iter().any(|speaker| speaker == word)
}
