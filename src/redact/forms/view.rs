//! The text as its reader sees it: terminal escapes taken out, written escapes decoded.
//!
//! A token stays a token with a colour in its middle, after a JSON `\n`, with `\u002d` or `%5F` inside, or with gh's caret form of
//! an escape (`^[[31m`). Only lines with an escape are decoded; a map leads each decoded byte back to its source.

use crate::text::escapes::hex_byte;

/// Decoded lines, and for each byte the place of its source.
pub(in crate::redact) struct View {
    /// The decoded bytes.
    pub bytes: Vec<u8>,
    /// For each decoded byte, the offset and the length of its source.
    map: Vec<(u32, u8)>,
}

impl View {
    /// The source range of the decoded range `start..end`, which is not empty.
    pub fn source(&self, start: usize, end: usize) -> (usize, usize) {
        let (last, len) = self.map[end - 1];
        (self.map[start].0 as usize, last as usize + usize::from(len))
    }
}

/// Decodes the lines of `text` that hold an escape of some kind; `None` where there are none.
/// `text` is shorter than 4 GiB.
pub(in crate::redact) fn decoded(text: &[u8]) -> Option<View> {
    let mut view = View {
        bytes: Vec::new(),
        map: Vec::new(),
    };
    let mut next = 0;
    while let Some(at) = trigger(text, next) {
        let line = memchr::memrchr(b'\n', &text[next..at]).map_or(next, |found| next + found + 1);
        let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |found| at + found + 1);
        decode(text, line, end, &mut view);
        next = end;
    }
    (!view.bytes.is_empty()).then_some(view)
}

/// The offset of the next escape from `from` on.
fn trigger(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < text.len() {
        let byte = text[at];
        if TRIGGER[usize::from(byte)] && escape(text, at).is_some() {
            return Some(at);
        }
        at += 1;
    }
    None
}

const TRIGGER: [bool; 256] = {
    let mut table = [false; 256];
    table[0x1b] = true;
    table[0x08] = true;
    table[0x00] = true;
    table[b'\\' as usize] = true;
    table[b'^' as usize] = true;
    table[b'%' as usize] = true;
    table[b'&' as usize] = true;
    table[0xe2] = true;
    table[0xc2] = true;
    table[0xef] = true;
    table
};

fn decode(text: &[u8], start: usize, end: usize, view: &mut View) {
    let mut at = start;
    while at < end {
        if TRIGGER[usize::from(text[at])]
            && let Some((len, byte)) = escape(text, at)
        {
            if let Some(byte) = byte {
                push(view, at, len, byte);
            }
            at += len;
            continue;
        }
        push(view, at, 1, text[at]);
        at += 1;
    }
}

fn push(view: &mut View, at: usize, len: usize, byte: u8) {
    let at = u32::try_from(at).expect("a block is far below 4 GiB");
    let len = u8::try_from(len).expect("an escape that gives a byte is short");
    view.bytes.push(byte);
    view.map.push((at, len));
}

/// The escape at `at`: its length, and the byte that it stands for, `None` where it shows nothing.
fn escape(text: &[u8], at: usize) -> Option<(usize, Option<u8>)> {
    let rest = &text[at..];
    match rest[0] {
        0x1b => Some((1 + sequence(&rest[1..]), None)),
        0x08 | 0x00 => Some((1, None)),
        b'^' if rest.get(1) == Some(&b'[') && matches!(rest.get(2), Some(b'[' | b']' | b'(')) => {
            Some((2 + sequence(&rest[2..]), None))
        }
        b'\\' => written(rest),
        b'%' => Some((3, Some(hex(rest.get(1..3)?)?))).filter(|(_, byte)| {
            byte.is_some_and(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
        }),
        b'&' => entity(rest),
        0xe2 if rest.len() > 2
            && rest[1] == 0x80
            && (matches!(rest[2], 0x8b..=0x8f | 0xaa..=0xae)) =>
        {
            Some((3, None))
        }
        0xe2 if rest.len() > 2 && rest[1] == 0x81 && (matches!(rest[2], 0xa0..=0xaf)) => {
            Some((3, None))
        }
        0xc2 if rest.get(1) == Some(&0xad) => Some((2, None)),
        0xef if rest.get(1..3) == Some(&[0xbb, 0xbf]) => Some((3, None)),
        _ => None,
    }
}

/// The length of the control sequence behind an ESC (ECMA-48 section 5.4; an OSC up to its end).
fn sequence(rest: &[u8]) -> usize {
    match rest.first() {
        Some(b'[') => {
            let body = rest[1..]
                .iter()
                .take(64)
                .take_while(|byte| matches!(byte, 0x20..=0x3f))
                .count();
            let last = rest
                .get(1 + body)
                .is_some_and(|byte| matches!(byte, 0x40..=0x7e));
            1 + body + usize::from(last)
        }
        Some(b']') => {
            let body = rest[1..]
                .iter()
                .take(512)
                .take_while(|byte| **byte != 0x07 && **byte != 0x1b && **byte != b'\n')
                .count();
            match rest.get(1 + body) {
                Some(0x07) => 2 + body,
                Some(0x1b) if rest.get(2 + body) == Some(&b'\\') => 3 + body,
                _ => 1,
            }
        }
        Some(b'(' | b')') => 2.min(rest.len()),
        Some(b'=' | b'>' | b'7' | b'8' | b'c' | b'M') => 1,
        _ => 0,
    }
}

/// An escape as languages write it: `\n`, `\u002d`, `\x2d`, `\/`, `\"`, and a colour as `\033[31m`.
fn written(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    let esc = |len: usize| (len + sequence(&rest[len..]), None);
    match *rest.get(1)? {
        b'n' => Some((2, Some(b'\n'))),
        b'r' => Some((2, Some(b'\r'))),
        b't' => Some((2, Some(b'\t'))),
        b'"' => Some((2, Some(b'"'))),
        b'\'' => Some((2, Some(b'\''))),
        b'/' => Some((2, Some(b'/'))),
        b'\\' => Some((2, Some(b'\\'))),
        b'e' if rest.get(2) == Some(&b'[') => Some(esc(2)),
        b'0' if rest.get(1..4) == Some(b"033") => Some(esc(4)),
        b'x' => match hex(rest.get(2..4)?)? {
            0x1b => Some(esc(4)),
            byte if byte < 0x80 => Some((4, Some(byte))),
            _ => None,
        },
        b'u' => {
            if rest.get(2..4)? != b"00" {
                let invisible = rest.get(2..5)?.eq_ignore_ascii_case(b"200")
                    || rest.get(2..6)?.eq_ignore_ascii_case(b"feff");
                return invisible.then_some((6, None));
            }
            match hex(rest.get(4..6)?)? {
                0x1b => Some(esc(6)),
                byte if byte < 0x80 => Some((6, Some(byte))),
                _ => None,
            }
        }
        _ => None,
    }
}

fn entity(rest: &[u8]) -> Option<(usize, Option<u8>)> {
    for (name, byte) in [
        ("&quot;", b'"'),
        ("&amp;", b'&'),
        ("&lt;", b'<'),
        ("&gt;", b'>'),
        ("&apos;", b'\''),
    ] {
        if rest.starts_with(name.as_bytes()) {
            return Some((name.len(), Some(byte)));
        }
    }
    let body = rest.strip_prefix(b"&#")?;
    let (digits, radix) = match body.first()? {
        b'x' | b'X' => (&body[1..], 16),
        _ => (body, 10),
    };
    let len = digits
        .iter()
        .take(4)
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    if digits.get(len) != Some(&b';') {
        return None;
    }
    let number = u8::from_str_radix(std::str::from_utf8(&digits[..len]).ok()?, radix).ok()?;
    let total = rest.len() - digits.len() + len + 1;
    (number.is_ascii_graphic()).then_some((total, Some(number)))
}

fn hex(two: &[u8]) -> Option<u8> {
    hex_byte(two[0], two[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        decoded(text.as_bytes()).map_or_else(String::new, |view| {
            String::from_utf8_lossy(&view.bytes).into_owned()
        })
    }

    #[test]
    fn every_written_form_of_an_escape_is_decoded() {
        for text in [
            "a\u{1b}[31mb",
            "a^[[31mb",
            "a\\x1b[31mb",
            "a\\033[31mb",
            "a\\u001b[31mb",
            "a\\e[31mb",
            "a\u{200b}b",
            "a\u{ad}b",
            "a\u{1b}]0;title\u{7}b",
            "a\0b",
        ] {
            assert_eq!(shown(text), "ab", "{text:?}");
        }
        assert_eq!(shown("a\\u002db%5Fc&#45;d"), "a-b_c-d");
        assert_eq!(shown("plain\nsecond \\n line"), "second \n line");
    }
}
