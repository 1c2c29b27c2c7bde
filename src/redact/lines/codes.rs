//! Recovery codes, and the phrases that restore a wallet, in a list under a heading such as `Recovery codes:`.
//!
//! A code such as `a1b2c-3d4e5` does not show by itself that it is a secret. So codes count only below such a heading, in lines
//! that hold nothing else.

use crate::redact::layout::columns::{line, margin, next};
use crate::redact::span::Span;
use crate::redact::words::value::{placeholder, words_only};

/// How many lines below a heading are read.
const LINES: usize = 48;
/// At most this many lines without codes may stand before the first line of codes.
const AHEAD: usize = 5;
/// A longer line, in bytes, is not read.
const LINE: usize = 1024;

/// Tried at the words of a heading, `hit..hit_end`. Returns the offset up to which the text has been read.
pub(in crate::redact) fn find(
    text: &[u8],
    hit: usize,
    hit_end: usize,
    out: &mut Vec<Span>,
) -> usize {
    let Some((_, end)) = line(text, hit, LINE) else {
        return hit_end;
    };
    let phrase = memchr::memmem::find(&text[hit..hit_end].to_ascii_lowercase(), b"code").is_none();
    let mut from = hit_end;
    while from < end && (text[from].is_ascii_alphanumeric() || text[from] == b'_') {
        from += 1;
    }
    let tail = &text[from..end];
    let colon = tail
        .iter()
        .position(|byte| b":=".contains(byte))
        .map_or(from, |at| from + at + 1);
    if phrase {
        return words(text, colon, end, out).unwrap_or(hit_end);
    }
    let before = out.len();
    // A list or one code may stand on the heading's own line, behind a colon.
    let mut past = hit_end;
    if colon > from {
        let mut own = Vec::new();
        if codes(text, colon, end, &mut own) {
            out.append(&mut own);
            past = end;
        }
    }
    let (mut ahead, mut blank) = (0, 0);
    let mut lines = next(text, end + usize::from(text.get(end) == Some(&b'\r')), LINE);
    for _ in 0..LINES {
        let Some((start, stop)) = lines else { break };
        lines = next(
            text,
            stop + usize::from(text.get(stop) == Some(&b'\r')),
            LINE,
        );
        let from = start + margin(&text[start..stop]).min(stop - start);
        if text[from..stop].trim_ascii().is_empty() {
            blank += 1;
            if blank > 2 {
                break;
            }
            continue;
        }
        blank = 0;
        let mut own = Vec::new();
        if codes(text, from, stop, &mut own) && !own.is_empty() {
            out.append(&mut own);
            past = stop;
            ahead = 0;
        } else {
            ahead += 1;
            let most = if out.len() > before { 1 } else { AHEAD };
            if ahead > most {
                break;
            }
        }
    }
    past
}

/// Adds the codes of the line `from..end`; false where the line holds anything but codes and the signs of a list.
fn codes(text: &[u8], from: usize, end: usize, out: &mut Vec<Span>) -> bool {
    let mut at = from;
    while at < end {
        let byte = text[at];
        if !(byte.is_ascii_alphanumeric()) {
            let frame = b" \t,;|[]{}\"'`*-.()#>+/\\:".contains(&byte) || byte >= 0x80;
            if !frame {
                return false;
            }
            at += 1;
            continue;
        }
        let stop = |byte: &u8| !(byte.is_ascii_alphanumeric() || b"-_".contains(byte));
        let mut to = at + text[at..end].iter().position(stop).unwrap_or(end - at);
        let word = &text[at..to];
        // `1.` and `1)` number an item; `[x]` marks a code that has been used.
        let number = word.len() <= 2
            && word.iter().all(u8::is_ascii_digit)
            && text.get(to).is_none_or(|byte| b".):".contains(byte));
        let written_break = at > from && text[at - 1] == b'\\' && word == b"n";
        if number || written_break || matches!(word, b"x" | b"X") {
            at = to;
            continue;
        }
        // Groups of four digits are one code: `1234 5678`.
        if word.len() == 4 && word.iter().all(u8::is_ascii_digit) {
            while text[to..end].first() == Some(&b' ')
                && text[to + 1..end].len() >= 4
                && text[to + 1..to + 5].iter().all(u8::is_ascii_digit)
                && text[to + 5..end]
                    .first()
                    .is_none_or(|byte| !byte.is_ascii_alphanumeric())
            {
                to += 5;
            }
        }
        if !code(&text[at..to]) {
            return false;
        }
        out.push(Span {
            start: at,
            end: to,
            name: "recovery-code",
        });
        at = to;
    }
    true
}

/// True for `a1b2c-3d4e5`, `12345678`, `WXYZ-PQRS-2345`: groups of 3 to 32 letters and digits, 6 to 64 in all, that are not made
/// of words.
fn code(word: &[u8]) -> bool {
    let groups = word.split(|byte| *byte == b'-' || *byte == b' ' || *byte == b'_');
    let count = word
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .count();
    let even = groups.clone().all(|group| (3..=32).contains(&group.len()));
    let digit = word.iter().any(u8::is_ascii_digit);
    let upper = word.iter().all(|byte| !byte.is_ascii_lowercase());
    let parted = groups.clone().count() > 1 && {
        let first = word.iter().position(|byte| !byte.is_ascii_alphanumeric());
        first.is_some_and(|first| groups.clone().all(|group| group.len() == first))
    };
    even && (6..=64).contains(&count)
        && !placeholder(word)
        && (digit || (parted && (upper || !words_only(word))) || !words_only(word))
}

/// 12, 15, 18, 21 or 24 words in lower case, behind the heading or on the next line (BIP 39). Returns where the last ends.
fn words(text: &[u8], from: usize, end: usize, out: &mut Vec<Span>) -> Option<usize> {
    let own = phrase(text, from, end);
    let found = own.or_else(|| {
        let (start, stop) = next(text, end + usize::from(text.get(end) == Some(&b'\r')), LINE)?;
        phrase(text, start + margin(&text[start..stop]), stop)
    })?;
    out.push(Span {
        start: found.0,
        end: found.1,
        name: "recovery-phrase",
    });
    Some(found.1)
}

fn phrase(text: &[u8], mut from: usize, end: usize) -> Option<(usize, usize)> {
    while from < end && !text[from].is_ascii_lowercase() {
        if text[from].is_ascii_alphanumeric() {
            return None;
        }
        from += 1;
    }
    let mut count = 0;
    let mut at = from;
    let mut last = from;
    while at < end {
        let len = text[at..end]
            .iter()
            .take_while(|byte| byte.is_ascii_lowercase())
            .count();
        if !(3..=8).contains(&len) {
            break;
        }
        count += 1;
        last = at + len;
        at = last;
        while at < end && b" ,".contains(&text[at]) && at - last < 3 {
            at += 1;
        }
        if at == last {
            break;
        }
    }
    let closed = text[last..end]
        .first()
        .is_none_or(|byte| !byte.is_ascii_alphanumeric());
    ([12, 15, 18, 21, 24].contains(&count) && closed).then_some((from, last))
}
