//! Lines of a program's output: digests by which those that say the same are folded, and the short form of one.

use std::borrow::Cow;
use std::hash::Hasher;

use super::fnv::Fnv;

/// A digest of `text` that is equal for lines that differ in blanks and numbers alone: `2 failed` and `17 failed` have one
/// shape, `0 failed` has another. A collision folds two lines into one, no more.
pub fn shape(text: &str) -> u64 {
    shape_of(text, true)
}

/// [`shape`]; without `zero_counts`, zero is like any other number.
fn shape_of(text: &str, zero_counts: bool) -> u64 {
    let mut digest = Fnv::default();
    let mut bytes = text.trim().bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte.is_ascii_digit() {
            let mut zero = byte == b'0';
            while let Some(next) = bytes.next_if(u8::is_ascii_digit) {
                zero &= next == b'0';
            }
            digest.write_u8(if zero && zero_counts { b'0' } else { b'1' });
        } else if byte.is_ascii_whitespace() {
            while bytes.next_if(u8::is_ascii_whitespace).is_some() {}
            digest.write_u8(b' ');
        } else {
            digest.write_u8(byte);
        }
    }
    digest.finish()
}

/// The kind of a line: a digest of its first word without regard to numbers, and how many words follow.
pub fn kind(text: &str) -> (u64, usize) {
    let mut words = text.split_ascii_whitespace();
    let first = words.next().map_or(0, |word| shape_of(word, false));
    (first, words.count())
}

/// Of a longer line, at most the first 300 and the last 120 bytes are shown.
const HEAD: usize = 300;

/// `text` as it is shown within `budget` tokens: rulers short, wide gaps narrow, the middle of a long line left out.
pub fn short(text: &str, budget: usize) -> String {
    let head = HEAD.min(budget * 3 / 4);
    let tail = head * 2 / 5;
    let mut out = String::with_capacity(text.len().min(head + tail + 16));
    let mut last = '\0';
    let mut run = 0;
    for c in text.trim_end().chars() {
        run = if c == last { run + 1 } else { 1 };
        last = c;
        let limit = match c {
            '\t' => 2,
            ' ' | '_' | '=' | '-' | '─' | '━' | '⎯' | '*' | '#' | '~' | '^' | '.' | '═' | '│'
            | '+' => 4,
            _ => usize::MAX,
        };
        if run <= limit {
            out.push(if c == '\t' { ' ' } else { c });
        }
    }
    without_middle(out.into(), head, tail).into_owned()
}

/// Whether a line has nothing but rulers and the marks that stand below code (`^~~~`).
pub fn is_ruler(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || "|^~-=_+.*#:─━⎯│┃═╷╵".contains(c))
}

/// `text`; if it is longer than `head` and `tail` bytes, then at most its first `head` and last `tail` bytes with `…` between,
/// cut between characters.
pub fn without_middle(text: Cow<'_, str>, head: usize, tail: usize) -> Cow<'_, str> {
    if text.len() <= head + tail + 8 {
        return text;
    }
    let border = |at: usize| {
        (0..=at)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0)
    };
    let (head, tail) = (border(head), border(text.len() - tail));
    Cow::Owned(format!("{} … {}", &text[..head], &text[tail..]))
}

#[cfg(test)]
mod tests {
    use super::without_middle;

    #[test]
    fn a_long_text_keeps_whole_characters_of_both_ends() {
        assert_eq!(without_middle("abcdefghij".into(), 1, 1), "abcdefghij");
        assert_eq!(without_middle("éééééééééé".into(), 3, 3), "é … éé");
    }
}
