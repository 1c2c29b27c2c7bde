//! Text in base64: the contents of a file as GitHub answers them, the values of a Kubernetes Secret, a whole .env in a variable.
//!
//! A run of base64 that decodes to text is scanned like any text, to a depth of three. Only a run whose first bytes decode to
//! text is decoded, so other runs cost little. Lines of equal length are one run, whether a line break or a written `\n`
//! separates them. A run that holds a secret is masked whole if it is short; else only the secret's characters are.

use super::records;
use crate::redact::span::Span;

/// A run of fewer characters is not decoded: 15 bytes have no room for a name and its value.
const LEAST: usize = 20;
/// A run of more bytes is not masked whole.
const WHOLE: usize = 4096;
/// How many decoded bytes must look like text before the rest is decoded.
const PROBE: usize = 12;
/// At most this many blanks may indent the next line of a run.
const INDENT: usize = 40;

/// How often decoded base64 is searched for base64 again.
pub(in crate::redact) const DEPTH: usize = 3;

/// Stands in [`VALUE`] for a byte that is no character of base64.
const NONE: u8 = 0xff;
/// The value of each character in both alphabets (RFC 4648 sections 4 and 5).
const VALUE: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut nth = 0_u8;
    while nth < 26 {
        table[(b'A' + nth) as usize] = nth;
        table[(b'a' + nth) as usize] = nth + 26;
        nth += 1;
    }
    nth = 0;
    while nth < 10 {
        table[(b'0' + nth) as usize] = nth + 52;
        nth += 1;
    }
    table[b'+' as usize] = 62;
    table[b'-' as usize] = 62;
    table[b'/' as usize] = 63;
    table[b'_' as usize] = 63;
    table
};

fn value(byte: u8) -> u8 {
    VALUE[usize::from(byte)]
}

/// Spans of what `look` finds in the decoded runs of `text`.
pub(in crate::redact) fn spans(
    text: &[u8],
    mut look: impl FnMut(&[u8]) -> Vec<Span>,
    out: &mut Vec<Span>,
) {
    let mut at = 0;
    // Looking at every LEAST-th byte finds every run of LEAST characters.
    let mut probe = LEAST - 1;
    while probe < text.len() {
        if value(text[probe]) == NONE {
            probe += LEAST;
            continue;
        }
        let mut start = probe;
        while start > at && value(text[start - 1]) != NONE {
            start -= 1;
        }
        let mut end = probe + 1;
        while end < text.len() && value(text[end]) != NONE {
            end += 1;
        }
        // The `n` of a written line break `\n` is no part of the run.
        if start > 0 && text[start - 1] == b'\\' && matches!(text[start], b'n' | b'r' | b't') {
            start += 1;
        }
        at = end;
        if records::wif(&text[start..end]) {
            out.push(Span {
                start,
                end,
                name: "private-key",
            });
        }
        if end - start >= LEAST
            && let Some(past) = run(text, start, end, &mut look, out)
        {
            at = past;
        }
        probe = at + LEAST;
    }
}

/// Reads the run that begins at `start` and whose first line ends at `end`; returns where the run ends, if it decodes to text.
fn run(
    text: &[u8],
    start: usize,
    end: usize,
    look: &mut impl FnMut(&[u8]) -> Vec<Span>,
    out: &mut Vec<Span>,
) -> Option<usize> {
    // A run behind a mark of redaction, or one that was cut, may begin inside of a group of four characters.
    let offsets = if end - start >= 160 { 4 } else { 1 };
    let (offset, wide) = (0..offsets).find_map(|offset| {
        Some((
            offset,
            textual(&text[start + offset..end.min(start + 160)])?,
        ))
    })?;
    let mut places: Vec<u32> = Vec::new();
    let past = gather(text, start + offset, end, &mut places);
    let mut bytes = Vec::with_capacity(places.len() * 3 / 4);
    for four in places.chunks(4) {
        let word = four.iter().fold(0_u32, |word, place| {
            word << 6 | u32::from(value(text[*place as usize]))
        }) << (6 * (4 - four.len()));
        let count = four.len() * 6 / 8;
        for nth in 0..count {
            bytes.push((word >> (16 - 8 * nth) & 0xff) as u8);
        }
    }
    let step = if wide { 2 } else { 1 };
    if wide {
        bytes = bytes.iter().copied().step_by(2).collect();
    }
    let strange = bytes.iter().filter(|byte| !plain(**byte)).count();
    if strange * 10 > bytes.len() {
        return None;
    }
    let inner = look(&bytes);
    if inner.is_empty() {
        return Some(past);
    }
    let place = |nth: usize| places[nth.min(places.len() - 1)] as usize;
    if past - start <= WHOLE {
        out.push(Span {
            start,
            end: past,
            name: inner[0].name,
        });
        return Some(past);
    }
    for span in inner {
        let from = span.start * step / 3 * 4;
        let to = (span.end * step).div_ceil(3) * 4;
        out.push(Span {
            start: place(from),
            end: place(to - 1) + 1,
            name: span.name,
        });
    }
    Some(past)
}

/// Adds the offset of each character of the run to `places`, also from its further lines; returns where the run ends.
fn gather(text: &[u8], start: usize, end: usize, places: &mut Vec<u32>) -> usize {
    let (mut from, mut to) = (start, end);
    let width = end - start;
    let mut past;
    loop {
        for at in from..to {
            places.push(u32::try_from(at).unwrap_or(u32::MAX));
        }
        past = to;
        while past < text.len() && text[past] == b'=' && past - to < 2 {
            past += 1;
        }
        if past > to || to - from != width || width < 32 {
            return past;
        }
        let Some(next) = broken(text, to) else {
            return past;
        };
        let mut stop = next;
        while stop < text.len() && value(text[stop]) != NONE && stop - next <= width {
            stop += 1;
        }
        let closed = text.get(stop).is_none_or(|byte| !b" :=.(".contains(byte))
            || text[stop..].starts_with(b"=");
        let last = stop - next < width;
        let padded = text[stop..].starts_with(b"=");
        // A word of prose on the next line has base64's characters too, and is not part of the run.
        let word = last
            && !padded
            && ((stop - next) % 4 != 0 || text[next..stop].iter().all(u8::is_ascii_lowercase));
        if stop == next || stop - next > width || !closed || word {
            return past;
        }
        (from, to) = (next, stop);
    }
}

/// The offset behind a line break at `at`, real or written as in JSON, and the indentation behind it.
fn broken(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    let len = [&b"\r\n"[..], b"\n", b"\\r\\n", b"\\n", b"\\\\n"]
        .iter()
        .find(|form| rest.starts_with(form))?
        .len();
    let indent = rest[len..]
        .iter()
        .take(INDENT)
        .take_while(|byte| **byte == b' ' || **byte == b'\t')
        .count();
    Some(at + len + indent)
}

fn plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t') || byte >= 0x80
}

/// `Some` if the beginning of `run` decodes to text; `Some(true)` for two bytes a character (UTF-16), as Windows writes it.
fn textual(run: &[u8]) -> Option<bool> {
    let mut bytes = [0_u8; PROBE];
    for (three, four) in bytes.chunks_mut(3).zip(run.chunks_exact(4)) {
        let word = four
            .iter()
            .fold(0_u32, |word, byte| word << 6 | u32::from(value(*byte)));
        three.copy_from_slice(&word.to_be_bytes()[1..]);
    }
    let ascii = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let odd = bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0);
    if odd && bytes.iter().step_by(2).all(ascii) {
        return Some(true);
    }
    let strange = bytes.iter().filter(|byte| !ascii(byte)).count();
    let marked = bytes.starts_with(&[0xef, 0xbb, 0xbf]);
    (strange == 0 || (marked && strange == 3)).then_some(false)
}

/// True for base64 of `user:password`, the form of the Basic scheme (RFC 7617).
pub(in crate::redact) fn credentials(word: &[u8]) -> bool {
    let bare: Vec<u8> = word
        .iter()
        .copied()
        .take_while(|byte| *byte != b'=')
        .collect();
    if bare.len() < 6 || bare.iter().any(|byte| value(*byte) == NONE) {
        return false;
    }
    let mut bytes = Vec::new();
    for four in bare.chunks(4) {
        let word = four
            .iter()
            .fold(0_u32, |word, byte| word << 6 | u32::from(value(*byte)))
            << (6 * (4 - four.len()));
        for nth in 0..four.len() * 6 / 8 {
            bytes.push((word >> (16 - 8 * nth) & 0xff) as u8);
        }
    }
    let colon = memchr::memchr(b':', &bytes);
    bytes
        .iter()
        .all(|byte| (b' '..=b'~').contains(byte) || *byte >= 0x80)
        && colon.is_some_and(|at| !crate::redact::words::value::placeholder(&bytes[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Vec<String> {
        let mut seen = Vec::new();
        let look = |bytes: &[u8]| {
            seen.push(String::from_utf8_lossy(bytes).into_owned());
            Vec::new()
        };
        spans(text.as_bytes(), look, &mut Vec::new());
        seen
    }

    #[test]
    fn lines_of_one_length_are_one_run() {
        let whole = "QVBJX0hPU1Q9YS5leGFtcGxlLnRlc3QKQVBJX1BPUlQ9NDQzCkFQSV9VU0VSPWFwcAo=";
        let text = "API_HOST=a.example.test\nAPI_PORT=443\nAPI_USER=app\n";
        assert_eq!(decoded(whole), [text]);
        for between in ["\n", "\r\n", "\\n", "\n    "] {
            let wrapped = format!("\"{}{between}{}\"", &whole[..40], &whole[40..]);
            assert_eq!(decoded(&wrapped), [text], "{between:?}");
        }
    }

    #[test]
    fn words_and_digests_are_no_base64() {
        for text in [
            "getAccessTokenFromKeychainService",
            "0f5b2c7d9e1a3b5c7d9e0f1a2b3c4d5e6f708192",
            "usr/share/doc/packages/readme",
        ] {
            assert!(decoded(text).is_empty(), "{text}");
        }
    }
}
