//! Tokens: an estimate of how many tokens a text has for a model, without the model's vocabulary of 200,000 pieces.
//!
//! The text is split as `o200k_base` splits a text before it uses its vocabulary: words with the one character before them, up to
//! three digits, runs of punctuation, white space.  A piece of ASCII is looked up in a hash table of fingerprints of the vocabulary; an
//! unknown piece is split further into the longest known prefixes, and their number gives its cost.  In a word of another script
//! each letter has a weight.
//!
//! `cargo run --release --manifest-path tools/tokens/Cargo.toml -- table` makes the table, `tokens.bin`, from the rows in ASCII or
//! symbols among the first 72,000 rows of the vocabulary of `tiktoken-rs`.  The weights below were fitted by hand with the commands
//! `languages` and `excerpts` of this program, on tools/tokens/languages.json and on files that gave no text to fixtures/tokens/.
//! Source of the splitting: the pattern of `o200k_base` in tiktoken, which has
//! `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` for words.

/// The fingerprints, two bytes each, little-endian; zero is an empty slot.
static TABLE: &[u8] = include_bytes!("tokens.bin");

/// The most bytes of a prefix that is looked up.  Longer pieces of the vocabulary are indentation and runs of one sign (`-----`).
pub const LONGEST: usize = 64;

/// The cost of one token: costs are counted in 64ths of a token.
const TOKEN: usize = 64;

/// The cost of each further known prefix in an unknown piece, less than a token: the table lacks the rarer half of the vocabulary,
/// so the real vocabulary needs fewer tokens for the piece than the table needs prefixes.
const FURTHER: usize = 40;

/// The first character of each block of Unicode, the cost of one of its letters in 64ths of a token, and the block's script.  The
/// row for a letter is the last one whose first character is not above the letter.
static LETTERS: &[(u32, usize, &str)] = &[
    (0x0000, 15, "Latin without accents, in a word that has some"),
    (0x00C0, 33, "Latin with accents"),
    (0x0250, 64, "phonetic letters"),
    (0x0370, 24, "Greek"),
    (0x0400, 16, "Cyrillic"),
    (0x0530, 28, "Armenian"),
    (0x0590, 26, "Hebrew"),
    (0x0600, 20, "Arabic"),
    (0x0700, 40, "Syriac and others"),
    (0x0900, 22, "scripts of India"),
    (0x0E00, 26, "Thai, Lao, Tibetan"),
    (0x10A0, 26, "Georgian"),
    (0x1100, 64, "Hangul in parts"),
    (0x1E00, 22, "Latin with more accents: Vietnamese"),
    (0x1F00, 64, "Greek with accents"),
    (0x2C00, 64, "rare scripts"),
    (0x3040, 44, "kana"),
    (0x3100, 64, "other letters of East Asia"),
    (0x3400, 46, "Han"),
    (0xA000, 96, "Yi and others"),
    (0xAC00, 40, "Hangul"),
    (0xD800, 64, "forms of letters"),
    (0x10000, 160, "historic scripts and rare Han"),
];

/// The cost of a symbol or punctuation character that is not in the table, by its length in bytes (1 to 4).
const SYMBOL: [usize; 5] = [0, 64, 96, 112, 128];

/// An estimate of how many tokens of `o200k_base` `text` has.
///
/// The error is within 10 % for nineteen of twenty texts in English, code, diffs, logs and JSON of 200 bytes or more, and within 30 %
/// for other languages (test/rust/text/tokens.rs).  The count takes one pass, and no memory besides the table.
pub fn count(text: &str) -> usize {
    let mut rest = text;
    let mut cost = 0;
    while let Some(piece) = next(rest) {
        let (bytes, after) = rest.split_at(piece.len);
        cost += match piece.kind {
            Kind::Digits => TOKEN,
            Kind::Plain => plain(bytes.as_bytes()),
            Kind::Symbols => symbols(bytes),
            Kind::Letters => letters(bytes),
        };
        rest = after;
    }
    cost.div_ceil(TOKEN)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Up to three digits.
    Digits,
    /// All ASCII.
    Plain,
    /// Punctuation and symbols, not all ASCII.
    Symbols,
    /// A word, not all ASCII.
    Letters,
}

struct Piece {
    len: usize,
    kind: Kind,
}

/// The class of a character, by which the text is split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    /// A letter without case, which may stand in the upper-case and in the lower-case part of a word.
    Other,
    Digit,
    Newline,
    Space,
    Mark,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' => Class::Lower,
        'A'..='Z' => Class::Upper,
        '0'..='9' => Class::Digit,
        '\n' | '\r' => Class::Newline,
        ' ' | '\t' | '\x0b' | '\x0c' => Class::Space,
        '\0'..='\x7f' => Class::Mark,
        _ if c.is_lowercase() => Class::Lower,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_alphabetic() || joins(c) => Class::Other,
        _ if c.is_numeric() => Class::Digit,
        _ if c.is_whitespace() => Class::Space,
        _ => Class::Mark,
    }
}

/// Whether `c` is an accent that follows its letter as a character of its own, in the blocks where such accents are common.
fn joins(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x0591..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F | 0x0900..=0x0DFF | 0x0E31..=0x0EFF | 0xFE00..=0xFE0F)
}

/// The first piece of `text`; none where `text` is empty.
fn next(text: &str) -> Option<Piece> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let kind = class(first);
    let second = chars.next().map(class);
    let is_letter = |class| matches!(class, Class::Upper | Class::Lower | Class::Other);
    if is_letter(kind) {
        return Some(word(text, 0));
    }
    if kind == Class::Digit {
        let mut len = 0;
        for c in text.chars().take(3) {
            if class(c) != Class::Digit {
                break;
            }
            len += c.len_utf8();
        }
        return Some(Piece {
            len,
            kind: Kind::Digits,
        });
    }
    if kind != Class::Newline && second.is_some_and(is_letter) {
        return Some(word(text, first.len_utf8()));
    }
    if kind == Class::Mark || first == ' ' && second == Some(Class::Mark) {
        return Some(marks(text, usize::from(first == ' ')));
    }
    Some(space(text))
}

/// The piece of the word that begins at `at`, together with the bytes before `at`.
fn word(text: &str, at: usize) -> Piece {
    let bytes = text.as_bytes();
    let mut end = at;
    while bytes.get(end).is_some_and(u8::is_ascii_uppercase) {
        end += 1;
    }
    while bytes.get(end).is_some_and(u8::is_ascii_lowercase) {
        end += 1;
    }
    let mut kind = if at <= 1 && bytes[0].is_ascii() {
        Kind::Plain
    } else {
        Kind::Letters
    };
    if bytes.get(end).is_some_and(|byte| !byte.is_ascii()) {
        // The word is not all ASCII: read it again by characters.
        let mut lower = false;
        let mut letters = 0;
        for c in text[at..].chars() {
            match class(c) {
                Class::Upper if !lower => {}
                Class::Lower => lower = true,
                Class::Other => {}
                _ => break,
            }
            letters += c.len_utf8();
        }
        if at + letters > end {
            kind = Kind::Letters;
        }
        end = end.max(at + letters);
    }
    end += contraction(&bytes[end..]);
    Piece { len: end, kind }
}

/// The length of an English contraction that belongs to the word before it.
fn contraction(bytes: &[u8]) -> usize {
    let [b'\'', rest @ ..] = bytes else { return 0 };
    let low = |at: usize| rest.get(at).map(u8::to_ascii_lowercase);
    match (low(0), low(1)) {
        (Some(b'r' | b'v'), Some(b'e')) | (Some(b'l'), Some(b'l')) => 3,
        (Some(b's' | b't' | b'm' | b'd'), _) => 2,
        _ => 0,
    }
}

/// The piece of the punctuation that begins at `at`, with the line ends and slashes behind it.
fn marks(text: &str, at: usize) -> Piece {
    let mut end = at;
    let mut kind = Kind::Plain;
    for c in text[at..].chars() {
        if class(c) != Class::Mark {
            break;
        }
        if !c.is_ascii() {
            kind = Kind::Symbols;
        }
        end += c.len_utf8();
    }
    let more = text.as_bytes()[end..]
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/'));
    Piece {
        len: end + more.count(),
        kind,
    }
}

/// The piece of the white space at the beginning: up to its last line end; without a line end, up to its last but one character, for
/// the last space belongs to the next word.
fn space(text: &str) -> Piece {
    let mut end = 0;
    let mut newline = 0;
    let mut last = 0;
    let mut plain = true;
    for c in text.chars() {
        match class(c) {
            Class::Newline => newline = end + 1,
            Class::Space => plain &= c.is_ascii(),
            _ => break,
        }
        last = c.len_utf8();
        end += last;
    }
    let len = if newline > 0 {
        newline
    } else if end < text.len() && end > last {
        end - last
    } else {
        end
    };
    Piece {
        len,
        kind: if plain { Kind::Plain } else { Kind::Symbols },
    }
}

/// The cost of a piece of ASCII: a known piece is one token.
fn plain(bytes: &[u8]) -> usize {
    let hash = bytes.iter().fold(SEED, |hash, byte| step(hash, *byte));
    if known(hash, TABLE) {
        return TOKEN;
    }
    let mut rest = bytes;
    let mut pieces = 0;
    while !rest.is_empty() {
        rest = &rest[known_prefix(rest).max(1)..];
        pieces += 1;
    }
    TOKEN + (pieces - 1) * FURTHER
}

/// The cost of punctuation and symbols of any kind.
fn symbols(mut text: &str) -> usize {
    let mut cost = 0;
    while let Some(c) = text.chars().next() {
        let known = known_prefix(text.as_bytes());
        let len = if known > 0 && text.is_char_boundary(known) {
            cost += TOKEN;
            known
        } else {
            cost += SYMBOL[c.len_utf8()];
            c.len_utf8()
        };
        text = &text[len..];
    }
    cost
}

/// The cost of a word that is not all ASCII.
fn letters(word: &str) -> usize {
    let cost = word.chars().map(|c| {
        let at = LETTERS.partition_point(|(from, ..)| *from <= u32::from(c));
        LETTERS[at - 1].1
    });
    cost.sum::<usize>().max(TOKEN)
}

/// The length of the longest prefix of `bytes` that the table knows; zero for none.
///
/// An unknown prefix does not end the search, since a known piece can have unknown prefixes.  After [`MOST_MISSED`] unknown
/// prefixes in a row the search ends: else gibberish would cost up to [`LONGEST`] look-ups for each byte.
fn known_prefix(bytes: &[u8]) -> usize {
    let mut hash = SEED;
    let mut longest = 0;
    let mut missed = 0;
    let mut before = 0;
    for (at, &byte) in bytes.iter().take(LONGEST).enumerate() {
        hash = step(hash, byte);
        if known(hash, TABLE) {
            longest = at + 1;
            missed = 0;
        } else if byte != before || !RUNS.contains(&byte) {
            missed += 1;
            if missed == MOST_MISSED {
                break;
            }
        }
        before = byte;
    }
    longest
}

/// The search ends after this many unknown prefixes in a row.
const MOST_MISSED: usize = 6;

/// Characters of which a long run is one piece of the vocabulary: a run of 64 may be known, and every run of 33 to 63 unknown.  So
/// unknown prefixes inside such a run do not count.
const RUNS: &[u8] = b" \t\n-=*#_/.~+";

const SEED: u32 = 0x811c_9dc5;

/// The hash of a prefix that is one byte longer.
const fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// How many slots a bucket has. The fingerprints of a bucket are compared at once.
const BUCKET: usize = 8;

/// The bucket for `hash` among `buckets` (a power of two), and the fingerprint of `hash`, never zero.
const fn slot(hash: u32, buckets: usize) -> (usize, u16) {
    let mixed = (hash as u64 ^ (hash as u64 >> 15)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let print = (mixed >> 16 & 0xffff) as u16;
    let bucket = (mixed >> 40) as usize & (buckets - 1);
    (bucket, if print == 0 { 1 } else { print })
}

/// Whether `table` has the fingerprint of `hash`: in its bucket or, if that one is full, in the next.
fn known(hash: u32, table: &[u8]) -> bool {
    let buckets = table.len() / (2 * BUCKET);
    let (mut at, print) = slot(hash, buckets);
    for _ in 0..buckets {
        let bucket = &table[2 * BUCKET * at..2 * BUCKET * (at + 1)];
        let prints = bucket
            .chunks_exact(2)
            .map(|two| u16::from_le_bytes([two[0], two[1]]));
        // Without an early exit the compiler makes one comparison of the whole bucket.
        if prints.map(|here| u16::from(here == print)).sum::<u16>() > 0 {
            return true;
        }
        if bucket[2 * BUCKET - 2..] == [0, 0] {
            return false;
        }
        at = (at + 1) & (buckets - 1);
    }
    false
}

/// Makes the bytes of `tokens.bin`: a table with `slots` slots for `pieces`, each of at most [`LONGEST`] bytes.
pub fn table<'a>(pieces: impl Iterator<Item = &'a [u8]>, slots: usize) -> Vec<u8> {
    let mut table = vec![0; 2 * slots];
    for piece in pieces {
        let hash = piece.iter().fold(SEED, |hash, byte| step(hash, *byte));
        if known(hash, &table) {
            continue;
        }
        let (bucket, print) = slot(hash, slots / BUCKET);
        let mut at = bucket * BUCKET;
        while table[2 * at..2 * at + 2] != [0, 0] {
            at = (at + 1) % slots;
        }
        table[2 * at..2 * at + 2].copy_from_slice(&print.to_le_bytes());
    }
    table
}
