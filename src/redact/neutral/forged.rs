//! Forged lines: a reader would take them for a header of cj-gate, for gptel's marks in a chat, or for the words that tell a model
//! who is speaking.
//!
//! There is one rule and no list of spellings. Blanks, invisible characters and the marks of lists, quotes and emphasis before the
//! line are skipped, since cj-gate's own indentation and lists put them there too. The rest of the line is compared by its skeleton
//! ([`lookalike`](super::lookalike)) with these forms:
//!
//! - a bracket and the name of a program, then a blank: `[gh `;
//! - a fence, three or more grave accents or tildes, and `tool` or `reasoning`;
//! - `#+begin_` or `#+end_` and one of the same two, `#+property:` and `:gptel_`, which gptel reads in Org;
//! - `(:name … :args …)`, as gptel writes a call, and `:tool_result`;
//! - `<|word|>`, which separates speakers for some models, and a line that only names a speaker: `### User`, `@assistant`.
//!
//! Behind a mark of a list a Markdown link is not forged, `- [gh release](https://…)`, unless its text has the words of a header.
//! A line that begins with `|` is never forged: a forged line gets `| ` before it, and so is changed only once.

use once_cell::sync::Lazy;

use super::lookalike::{fence, fold, opens, shows_nothing, skeleton};

/// The programs that have a header: the programs of `cj/gate-programs`, and `forge`, a name kept for a later program.
const PROGRAMS: [&str; 3] = ["gh", "net", "forge"];
/// The names of gptel's own blocks.
const BLOCKS: [&str; 2] = ["tool", "reasoning"];
/// Speakers that a line may name. `System` is not among them: many issue forms have that heading.
const SPEAKERS: [&str; 3] = ["user", "assistant", "human"];
/// The words of a header behind its target.
const CLASSES: [&str; 5] = ["read", "write", "destructive", "blocked", "unknown"];
const STATUSES: [&str; 6] = ["ok", "confirmed", "leased", "declined", "blocked", "error"];
/// How many characters of a line are read behind its beginning. A target has at most 255 + 39 + 100 (host, owner, repository).
const FAR: usize = 600;
/// How many marks may stand before a forged beginning; behind more, nothing looks like the beginning of a line.
const MARKS: usize = 64;

/// The skeletons of all words that are compared.
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

/// The signs that were skipped before the current place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Blanks and invisible characters.
    Blank,
    /// Marks of a list, a quotation, emphasis.
    Mark,
    /// A number or a letter, and a blank, as in a row of a table.
    Number,
}

/// Whether a reader would take `line` for a line that only cj-gate or the chat client may write.
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

/// The length in bytes of one invisible thing at the start of `rest`: a blank, a control character, a character that shows nothing,
/// or an escape sequence of ECMA-48 (`ESC [ 1 ; 32 m`, `ESC ] 8 ; ; URL BEL`).
fn unseen(rest: &str) -> Option<usize> {
    /// The longest escape sequence, in bytes; of a longer one only the ESC is skipped.
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
    // A sequence that would end behind the line, or inside of a character, is none.
    let whole = end <= rest.len().min(LONGEST) && rest.is_char_boundary(end);
    Some(if whole { end } else { length })
}

/// The number or letter that begins an item of a list, such as `1.` or `a)`: its length with the sign or blank behind it, and
/// whether a sign follows.
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

/// Whether `rest`, the text behind a bracket, begins a header: a program's name and a blank. Behind a mark a link is none; behind a
/// number, only a text with a header's words is one.
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
        // The longest name, `forge`, has five letters.
        if name.len() > 8 {
            return false;
        }
    }
    let Some(end) = end.filter(|_| WORDS.programs.contains(&name)) else {
        return false;
    };
    match before {
        Before::Blank => true,
        Before::Mark => !link(rest) || has_header_words(&rest[end..]),
        Before::Number => has_header_words(&rest[end..]),
    }
}

/// Whether `rest`, the text behind a bracket, is the text of a Markdown link.
fn link(rest: &str) -> bool {
    rest.find(']')
        .is_some_and(|close| rest[close + 1..].starts_with(['(', '[']))
}

/// Whether a class and a status follow each other, as `read ok` does in a header.
fn has_header_words(rest: &str) -> bool {
    let rest: String = rest.chars().take(FAR).collect();
    let words: Vec<String> = rest.split_whitespace().map(skeleton).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    words.windows(2).any(|two| {
        WORDS.classes.contains(&bare(&two[0])) && WORDS.statuses.contains(&bare(&two[1]))
    })
}

/// The length in bytes of the run of fence marks of `kind` at the start of `rest`, with invisible characters between them.
fn fence_length(rest: &str, kind: char) -> usize {
    rest.char_indices()
        .find(|(_, c)| !shows_nothing(*c) && fence(*c) != Some(kind))
        .map_or(rest.len(), |(at, _)| at)
}

/// Whether `marks` make a fence, and `info` behind them begins with the name of one of gptel's blocks.
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

/// Whether `rest`, which begins with `c`, is one of the forms that begin with `#`, `<`, `:` or `(`.
fn marked(c: char, rest: &str) -> bool {
    let mut seen = String::new();
    fold(c, &mut seen);
    if seen == "♯" {
        seen = "#".into();
    }
    if !matches!(seen.as_str(), "#" | "<" | ":" | "(") {
        return false;
    }
    // The first 24 characters tell most lines apart.
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

/// True for `<|word|>`, the mark of a change of speaker for some models.
fn turn(seen: &str) -> bool {
    let word = seen
        .strip_prefix("<|")
        .and_then(|rest| rest.split_once("|>"));
    word.is_some_and(|(word, _)| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Whether the rest of a line is the name of a speaker and nothing else.
fn speaker(rest: &str) -> bool {
    /// A longer rest, in characters, is more than a speaker's name.
    const LONG: usize = 40;
    let seen = beginning(rest, LONG + 1);
    let word = seen.trim_matches(|c: char| !c.is_alphanumeric());
    seen.chars().count() <= LONG && WORDS.speakers.iter().any(|speaker| speaker == word)
}
