//! Secrets known by value: those that the environment and the configuration hold.
//!
//! Cutting a token's prefix off hides the token from every pattern. So the forms in which common tools write a known value are
//! prepared once: the value itself, reversed, base64 at each alignment, base32, hex, percent, numbers, ROT13. Any piece of
//! such a form that has twelve characters or more is found in the text, across line breaks, blanks and punctuation, in any
//! case.

use std::collections::HashMap;

use memchr::memmem::Finder;

use crate::redact::span::Span;
use crate::text::escapes::percent_encoded;

/// The type in the mark.
pub(in crate::redact) const NAME: &str = "known-value";
/// A piece of a value that has fewer characters is not masked.
const PIECE: usize = 12;
/// [`PIECE`] for a value written as numbers: tables of figures hold short runs of the same numbers by chance.
const NUMBERS: usize = 32;
/// How many letters and digits in a row a text must share with a form before the two are compared.
const GRAM: usize = 8;
/// Values of fewer bytes are not masked: a value `main` would mask an ordinary word.
const SHORTEST: usize = 6;
/// Beginnings that many tokens share: a piece of one is no piece of a secret.
const PUBLIC: &[&str] = &[
    "github_pat_",
    "sk-ant-api03-",
    "sk-ant-oat01-",
    "sk-proj-",
    "xoxb-",
    "glpat-",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "eyJhbGciOiJ",
    "https://",
    "http://",
    "/home/",
];

/// One form of one value, such as its base64.
struct Form {
    /// The letters and digits of the form, in lower case.
    folded: Vec<u8>,
    /// For each byte of `folded`, its offset in the form as written.
    place: Vec<u32>,
    /// How many bytes of `folded` are a public beginning.
    public: usize,
    /// The length of the form as written, in bytes.
    len: usize,
    /// A piece that has fewer bytes, as written, is not masked.
    least: usize,
}

/// All forms of all known values.
pub(in crate::redact) struct Known {
    forms: Vec<Form>,
    /// For the hash of each [`GRAM`] letters and digits: the number of the form, and the offset in its `folded`.
    grams: HashMap<u64, Vec<(u32, u32)>>,
    /// A bit for each hash in `grams`, asked first: most places of a text need no look into the map.
    filter: Vec<u64>,
    /// Searches for each value as written and reversed: a value with few letters and digits has no form. They are built once, as
    /// building one takes longer than searching a line.
    exact: Vec<Finder<'static>>,
}

impl Known {
    pub fn new(values: &[String]) -> Self {
        let mut known = Self {
            forms: Vec::new(),
            grams: HashMap::new(),
            filter: vec![0; 1 << 10],
            exact: Vec::new(),
        };
        let mut seen = std::collections::HashSet::new();
        for value in values {
            for part in value.lines().map(str::trim).chain([value.trim()]) {
                if part.len() >= SHORTEST
                    && crate::redact::words::value::variety(part.as_bytes()) > 2
                    && seen.insert(part.to_owned())
                    && !crate::redact::words::value::placeholder(part.as_bytes())
                {
                    known.add(part.as_bytes());
                }
            }
        }
        known.index();
        known
    }

    fn add(&mut self, value: &[u8]) {
        let public = PUBLIC
            .iter()
            .filter(|start| value.starts_with(start.as_bytes()))
            .map(|start| start.len())
            .max()
            .unwrap_or(0);
        let mut reversed = value.to_vec();
        reversed.reverse();
        self.exact.push(Finder::new(value).into_owned());
        self.exact.push(Finder::new(&reversed).into_owned());
        self.form(value, public);
        self.form(&reversed, 0);
        self.form(&hex(value, ""), 0);
        self.form(&hex(value, "x"), 0);
        self.form(&hex(value, "0x"), 0);
        let percent = percent_encoded(value);
        self.form(percent.as_bytes(), percent_encoded(&value[..public]).len());
        for shift in 0..3 {
            let encoded = base64(value, shift);
            self.form(&encoded, 0);
        }
        self.form(&base32(value), 0);
        self.form(&rot13(value), public);
        for written in [
            numbers(value, |byte| format!("{byte}")),
            numbers(value, |byte| format!("{byte:03o}")),
        ] {
            let before = self.forms.len();
            self.form(&written, 0);
            for form in &mut self.forms[before..] {
                form.least = NUMBERS;
            }
        }
    }

    fn form(&mut self, written: &[u8], public: usize) {
        let mut form = Form {
            folded: Vec::new(),
            place: Vec::new(),
            public: 0,
            len: written.len(),
            least: PIECE,
        };
        for (at, byte) in written.iter().enumerate() {
            if byte.is_ascii_alphanumeric() {
                form.folded.push(byte.to_ascii_lowercase());
                form.place.push(u32::try_from(at).unwrap_or(u32::MAX));
                if at < public {
                    form.public += 1;
                }
            }
        }
        if form.folded.len() >= GRAM {
            self.forms.push(form);
        }
    }

    fn index(&mut self) {
        for (nth, form) in self.forms.iter().enumerate() {
            for (at, gram) in form.folded.windows(GRAM).enumerate() {
                let hash = hash(gram);
                set(&mut self.filter, hash);
                let nth = u32::try_from(nth).unwrap_or(u32::MAX);
                let at = u32::try_from(at).unwrap_or(u32::MAX);
                let places = self.grams.entry(hash).or_default();
                if places.len() < 64 {
                    places.push((nth, at));
                }
            }
        }
    }

    /// Every piece of a known value in `text`.
    pub fn spans(&self, text: &[u8], out: &mut Vec<Span>) {
        for value in &self.exact {
            for at in value.find_iter(text) {
                out.push(Span {
                    start: at,
                    end: at + value.needle().len(),
                    name: NAME,
                });
            }
        }
        if self.forms.is_empty() {
            return;
        }
        let mut folded = Vec::with_capacity(text.len());
        let mut place: Vec<u32> = Vec::with_capacity(text.len());
        for (at, byte) in text.iter().enumerate() {
            if byte.is_ascii_alphanumeric() {
                folded.push(byte.to_ascii_lowercase());
                place.push(u32::try_from(at).unwrap_or(u32::MAX));
            }
        }
        let mut at = 0;
        let mut covered = 0;
        while at + GRAM <= folded.len() {
            let hash = hash(&folded[at..at + GRAM]);
            if at >= covered
                && get(&self.filter, hash)
                && let Some(found) = self.longest(&folded, at, hash)
            {
                let (first, end) = edges(text, &place, at, found);
                let start = place[first] as usize;
                let last = place[end - 1] as usize + 1;
                out.push(Span {
                    start,
                    end: last,
                    name: NAME,
                });
                // The next piece may begin in the last characters of this one.
                covered = end.saturating_sub(GRAM - 1).max(at + 1);
            }
            at += 1;
        }
    }

    /// The longest piece of a form that begins at `at` and is long enough to be masked.
    fn longest(&self, folded: &[u8], at: usize, hash: u64) -> Option<FormHit> {
        let mut best: Option<FormHit> = None;
        for &(nth, from) in self.grams.get(&hash)? {
            let form = &self.forms[nth as usize];
            let from = from as usize;
            let same = folded[at..]
                .iter()
                .zip(&form.folded[from..])
                .take_while(|(a, b)| a == b)
                .count();
            if same < GRAM {
                continue;
            }
            let last = from + same - 1;
            // Punctuation next to the piece counts for its length: folding dropped it.
            let left = if from == 0 {
                0
            } else {
                form.place[from - 1] as usize + 1
            };
            let right = form
                .place
                .get(last + 1)
                .map_or(form.len, |next| *next as usize);
            let secret = (last + 1).saturating_sub(from.max(form.public));
            if right - left >= form.least && (secret >= 6 || same == form.folded.len()) {
                let end = at + same;
                let found = FormHit {
                    end,
                    from_start: from == 0,
                    to_end: last + 1 == form.folded.len(),
                };
                if best.is_none_or(|best| end > best.end) {
                    best = Some(found);
                }
            }
        }
        best
    }
}

/// A piece of a form: where it ends in the folded text, and which ends of the form it reaches.
#[derive(Clone, Copy)]
struct FormHit {
    end: usize,
    from_start: bool,
    to_end: bool,
}

/// The borders of `found` without up to three first or last letters that a blank, a line break or a quote separates from the
/// rest: they are letters of the neighbouring word, equal by chance. The ends of the form itself stay.
fn edges(text: &[u8], place: &[u32], mut first: usize, found: FormHit) -> (usize, usize) {
    let mut end = found.end;
    let parted = |at: usize| {
        let (from, to) = (place[at] as usize + 1, place[at + 1] as usize);
        text[from..to]
            .iter()
            .any(|byte| byte.is_ascii_whitespace() || b"\"'`,;()[]{}<>|".contains(byte))
    };
    let joined = |from: usize, to: usize| (from..to).all(|at| place[at] + 1 == place[at + 1]);
    for cut in 1..=3 {
        let room = !found.from_start && first + cut + 4 < end;
        if room && parted(first + cut - 1) && joined(first + cut, first + cut + 2) {
            first += cut;
            break;
        }
    }
    for cut in 1..=3 {
        let room = !found.to_end && first + cut + 4 < end;
        if room && parted(end - cut - 1) && joined(end - cut - 3, end - cut - 1) {
            end -= cut;
            break;
        }
    }
    (first, end)
}

fn hash(gram: &[u8]) -> u64 {
    let bytes: [u8; GRAM] = gram.try_into().expect("a gram has the length of a word");
    let word = u64::from_le_bytes(bytes);
    (word ^ (word >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn set(filter: &mut [u64], hash: u64) {
    filter[(hash >> 54) as usize] |= 1 << ((hash >> 48) & 63);
}

fn get(filter: &[u64], hash: u64) -> bool {
    filter[(hash >> 54) as usize] & (1 << ((hash >> 48) & 63)) != 0
}

fn hex(value: &[u8], before: &str) -> Vec<u8> {
    value
        .iter()
        .flat_map(|byte| format!("{before}{byte:02x}").into_bytes())
        .collect()
}

/// The base64 of `value` with `shift` other bytes before it, without the characters that depend on the neighbours.
fn base64(value: &[u8], shift: usize) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = vec![0; shift];
    bytes.extend_from_slice(value);
    let mut out = Vec::new();
    for three in bytes.chunks(3) {
        let word = three
            .iter()
            .fold(0_u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for nth in 0..=three.len() {
            out.push(ALPHABET[(word >> (18 - 6 * nth)) as usize & 63]);
        }
    }
    let loose_head = [0, 2, 3][shift];
    let loose_tail = usize::from(!bytes.len().is_multiple_of(3));
    out[loose_head.min(out.len())..out.len() - loose_tail].to_vec()
}

/// The base32 of `value` (RFC 4648 section 6), without the last character, which depends on the neighbours.
fn base32(value: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut out = Vec::new();
    let (mut held, mut bits) = (0_u32, 0_u32);
    for &byte in value {
        held = (held << 8 | u32::from(byte)) & 0xffff;
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            out.push(ALPHABET[(held >> bits) as usize & 31]);
        }
    }
    out
}

/// Each byte as a number, in the form of jq's `explode` and of `od`.
fn numbers(value: &[u8], write: fn(u8) -> String) -> Vec<u8> {
    let all: Vec<String> = value.iter().map(|byte| write(*byte)).collect();
    all.join(",").into_bytes()
}

/// `value` with its letters moved by thirteen places (ROT13).
fn rot13(value: &[u8]) -> Vec<u8> {
    let turn = |byte: u8, first: u8| first + (byte - first + 13) % 26;
    value
        .iter()
        .map(|&byte| match byte {
            b'a'..=b'z' => turn(byte, b'a'),
            b'A'..=b'Z' => turn(byte, b'A'),
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_any_alignment_is_a_piece_of_the_whole() {
        assert_eq!(base64(b"hello", 0), b"aGVsbG");
        assert_eq!(base64(b"hello!", 0), b"aGVsbG8h");
        // "x" + "hello!" is eGhlbGxvIQ==, "xx" + "hello!" is eHhoZWxsbyE=
        assert_eq!(base64(b"hello!", 1), b"hlbGxvI");
        assert_eq!(base64(b"hello!", 2), b"oZWxsby");
    }
}
