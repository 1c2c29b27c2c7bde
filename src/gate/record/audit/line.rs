//! One line of the audit log: a time, then `key=value` words.  A value of any bytes comes back as the same bytes.
//!
//! A line about a call begins `TIME host=… repo=… class=… policy=… exit=… duration=…ms bytes=…`; further keys follow.
//! A value has no space, no `=` and no control character: each byte that [`plain`] rejects is percent-encoded.  So an argument from
//! a model, such as `a\nhost=evil`, can neither begin a new line nor add a pair.  `-` stands for a missing value.

use std::borrow::Cow;

use super::chain;
use crate::text::escapes::{hex_byte, push_percent};

/// The text that stands for a missing value.
pub const NONE: &str = "-";

/// Whether `byte` stands for itself in a value, without percent-encoding.
const fn plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'_' | b'.' | b'~' | b'/' | b':' | b'@' | b'+' | b'#'
        )
}

/// Appends `value` to `out`, percent-encoded (RFC 3986, section 2.1; upper-case digits).  A value `-` becomes `%2D`.
pub fn encode(value: &[u8], out: &mut String) {
    if value == NONE.as_bytes() {
        out.push_str("%2D");
        return;
    }
    for &byte in value {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            push_percent(byte, out);
        }
    }
}

/// Appends `words` to `out`, each percent-encoded, with commas between them; an empty list becomes `-`.
pub fn encode_words<W: AsRef<[u8]>>(words: &[W], out: &mut String) {
    if words.is_empty() {
        out.push_str(NONE);
    }
    for (nth, word) in words.iter().enumerate() {
        if nth > 0 {
            out.push(',');
        }
        encode(word.as_ref(), out);
    }
}

/// The bytes that the percent-encoded `text` stands for; none where `text` is malformed, such as `%4`.
pub fn decode(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !text.contains(&b'%') {
        return Some(Cow::Borrowed(text));
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.iter();
    while let Some(&byte) = rest.next() {
        if byte == b'%' {
            out.push(hex_byte(*rest.next()?, *rest.next()?)?);
        } else {
            out.push(byte);
        }
    }
    Some(Cow::Owned(out))
}

/// The words that [`encode_words`] wrote as `text`; none where one of them is malformed.
pub fn decode_words(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    if text == NONE.as_bytes() {
        return Some(Vec::new());
    }
    text.split(|&byte| byte == b',')
        .map(|word| decode(word).map(Cow::into_owned))
        .collect()
}

/// A line split into its time and its pairs; the values are still percent-encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The time, ISO 8601 with the offset: when the call ended; for an intent, before the call ran; for a lease, when it was given or its
    /// end was noticed.
    pub time: &'a [u8],
    pairs: Vec<(&'a [u8], &'a [u8])>,
}

/// The last three words of a line: the writer's id, the line's number in the writer's chain, and the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainPosition<'a> {
    /// The writer's id.
    pub writer: &'a str,
    /// The number of the line in the writer's chain, from 1.
    pub number: u64,
    /// The hash that the line states.
    pub hash: &'a str,
    /// The line's bytes before ` h=`, over which the hash is made (see [`chain::hash`]).
    pub body: &'a [u8],
}

impl<'a> Line<'a> {
    /// Splits `bytes`, a line without its line end; none where `bytes` are not a time and `key=value` words.
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut words = bytes.split(|&byte| byte == b' ');
        let time = words
            .next()
            .filter(|time| time.first().is_some_and(u8::is_ascii_digit))?;
        let mut pairs = Vec::with_capacity(20);
        for word in words {
            let at = word.iter().position(|&byte| byte == b'=')?;
            let (key, value) = (&word[..at], &word[at + 1..]);
            let fits = |byte: &u8| plain(*byte) || matches!(byte, b'%' | b',');
            if key.is_empty() || !key.iter().all(u8::is_ascii_graphic) || !value.iter().all(fits) {
                return None;
            }
            pairs.push((key, value));
        }
        (!pairs.is_empty()).then_some(Self { time, pairs })
    }

    /// The value of `key`, still percent-encoded; none where the line lacks `key` or has `-` there.
    pub fn raw(&self, key: &str) -> Option<&'a [u8]> {
        let found = self.pairs.iter().find(|(name, _)| *name == key.as_bytes());
        found
            .map(|(_, value)| *value)
            .filter(|value| *value != NONE.as_bytes())
    }

    /// The value of `key` as decoded text.  A malformed value is returned undecoded; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self, key: &str) -> Option<String> {
        let raw = self.raw(key)?;
        let bytes = decode(raw).unwrap_or(Cow::Borrowed(raw));
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The list of words at `key`, decoded, with spaces between the words.
    pub fn words(&self, key: &str) -> Option<String> {
        let raw = self.raw(key)?;
        let Some(words) = decode_words(raw) else {
            return self.text(key);
        };
        Some(String::from_utf8_lossy(&words.join(&b' ')).into_owned())
    }
}

/// Splits `bytes` into a line and its place in a chain; none where `bytes` are no line of a writer, or only a piece of one.
pub fn whole(bytes: &[u8]) -> Option<(Line<'_>, ChainPosition<'_>)> {
    Line::parse(bytes).zip(chain_position(bytes))
}

/// The three words of the chain at the end of `bytes`, a line without its line end; none where one is missing or malformed.
pub fn chain_position(bytes: &[u8]) -> Option<ChainPosition<'_>> {
    let (body, hash) = split_word(bytes, "h=")?;
    let (rest, number) = split_word(body, "n=")?;
    let (_, writer) = split_word(rest, "w=")?;
    // A hash with fewer digits is the end of a torn line.
    let hexadecimal = |word: &str, digits: usize| {
        word.len() == digits
            && word
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    let number = number.parse().ok().filter(|n| *n > 0)?;
    (hexadecimal(writer, chain::WRITER_DIGITS) && hexadecimal(hash, chain::DIGITS)).then_some(
        ChainPosition {
            writer,
            number,
            hash,
            body,
        },
    )
}

/// Splits `bytes` before its last word; returns the bytes before that word, and the word without its prefix `key`.  None where the
/// last word does not begin with `key`.
fn split_word<'a>(bytes: &'a [u8], key: &str) -> Option<(&'a [u8], &'a str)> {
    let at = memchr::memrchr(b' ', bytes)?;
    let word = std::str::from_utf8(&bytes[at + 1..]).ok()?;
    Some((&bytes[..at], word.strip_prefix(key)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_value_comes_back_unchanged(value in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut text = String::new();
            encode(&value, &mut text);
            prop_assert!(text.bytes().all(|b| plain(b) || b == b'%'), "{text}");
            prop_assert_ne!(&text, NONE);
            prop_assert_eq!(decode(text.as_bytes()).expect("well-formed").into_owned(), value);
        }

        #[test]
        fn a_list_of_words_comes_back_unchanged(words in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..8)) {
            let mut text = String::new();
            encode_words(&words, &mut text);
            prop_assert_eq!(decode_words(text.as_bytes()).expect("well-formed"), words);
        }

        #[test]
        fn a_line_of_hostile_values_stays_one_line_with_every_value(values in prop::collection::vec(".{0,40}", 1..8)) {
            let mut text = "2026-01-01T00:00:00+0000".to_owned();
            for (nth, value) in values.iter().enumerate() {
                text.extend([" k", &nth.to_string(), "="]);
                encode(value.as_bytes(), &mut text);
            }
            prop_assert!(!text.contains('\n'));
            let line = Line::parse(text.as_bytes()).expect("a line");
            for (nth, value) in values.iter().enumerate() {
                let read = line.text(&format!("k{nth}"));
                prop_assert_eq!(read.as_ref(), Some(value));
            }
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = (decode(&bytes), decode_words(&bytes), chain_position(&bytes));
            if let Some(line) = Line::parse(&bytes) {
                let _ = (line.text("k"), line.words("k"));
            }
        }
    }

    #[test]
    fn a_hostile_value_stays_in_its_word() {
        for (value, text) in [
            (&b"a b"[..], "a%20b"),
            (b"a\nhost=evil", "a%0Ahost%3Devil"),
            (b"\0", "%00"),
            (b"\xff\xfe", "%FF%FE"),
            ("\u{202e}x".as_bytes(), "%E2%80%AEx"),
            (b"100%", "100%25"),
            (b"a,b", "a%2Cb"),
            (b"-", "%2D"),
            (b"", ""),
            (b"o/r", "o/r"),
        ] {
            let mut out = String::new();
            encode(value, &mut out);
            assert_eq!(out, text);
        }
        for malformed in ["%", "%4", "%zz", "a%2"] {
            assert_eq!(decode(malformed.as_bytes()), None, "{malformed}");
        }
    }
}
