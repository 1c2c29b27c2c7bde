//! Digests by which lines that say the same are folded, and the short form in which a line is shown.

use std::hash::Hasher;

use super::lines::Border;
use crate::text::fnv::Fnv;

/// A digest of `text` that is equal for lines that differ in blanks and numbers alone: `2 failed` and `17 failed` have one
/// shape, `0 failed` has another. A collision folds two lines into one, no more.
pub(super) fn shape(text: &str) -> u64 {
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
pub(super) fn kind(text: &str) -> (u64, usize) {
    let mut words = text.split_ascii_whitespace();
    let first = words.next().map_or(0, |word| shape_of(word, false));
    (first, words.count())
}

/// A digest of `text` that is equal for lines that differ in blanks alone.
pub(super) fn exact(text: &str) -> u64 {
    let mut digest = Fnv::default();
    for word in text.split_ascii_whitespace() {
        for byte in word.bytes() {
            digest.write_u8(byte);
        }
        digest.write_u8(b' ');
    }
    digest.finish()
}

/// Of a longer line, the first 300 and the last 120 bytes are shown.
const HEAD: usize = 300;
const TAIL: usize = 120;

/// `text` as it is shown: rulers short, wide gaps narrow, the middle of a long line left out.
pub(super) fn short(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(HEAD + TAIL + 16));
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
    if out.len() > HEAD + TAIL + 8 {
        let head = out.floor_char_boundary_of(HEAD);
        let tail = out.floor_char_boundary_of(out.len() - TAIL);
        out = format!("{} … {}", &out[..head], &out[tail..]);
    }
    out
}

/// Whether a line has nothing but rulers and the marks that stand below code (`^~~~`).
pub(super) fn is_ruler(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || "|^~-=_+.*#:─━⎯│┃═╷╵".contains(c))
}
