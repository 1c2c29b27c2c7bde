//! Judges the value under a name that promises a secret: `"password": null` and `token = next_token` hold none.

use crate::redact::words::code::{call, constant, expression, looks_like_code, path};
use crate::redact::words::names::Kind;
use crate::redact::words::prose::strong_password;
use crate::redact::words::value::{dated, mixed_case, placeholder, random, words_only};

/// How a value is written, which decides how strictly it is judged.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent observations, each judged alone"
)]
pub(super) struct Style {
    pub quoted: bool,
    /// The value reaches the end of its line, and the name begins the line.
    pub line: bool,
    /// `NAME=value` as in an environment.
    pub env: bool,
    /// The separator is weak, as `is` and a comma are: prose has them too.
    pub weak: bool,
    /// The name is `PASS`, which is also the result of a test.
    pub test: bool,
}

/// Whether `found` is a secret of kind `kind`, where quotes, a cell or an element show the value's borders.
pub(super) fn bounded_secret(found: &[u8], kind: Kind) -> bool {
    let style = Style {
        quoted: true,
        line: true,
        env: false,
        weak: false,
        test: false,
    };
    secret(found, kind, style)
}

/// Words that a message about a password has, and a password of several words has not.
const MESSAGE: &[&str] = &[
    "a",
    "an",
    "the",
    "your",
    "my",
    "is",
    "are",
    "for",
    "to",
    "of",
    "in",
    "on",
    "at",
    "or",
    "and",
    "not",
    "no",
    "must",
    "be",
    "enter",
    "please",
    "type",
    "new",
    "old",
    "confirm",
    "repeat",
    "forgot",
    "reset",
    "change",
    "password",
    "passwords",
    "passphrase",
    "minimum",
    "maximum",
    "characters",
    "character",
    "least",
    "required",
    "invalid",
    "incorrect",
    "wrong",
    "with",
    "this",
    "that",
    "it",
    "you",
    "if",
    "use",
    "from",
    "by",
    "can",
    "should",
    "will",
    "has",
    "have",
    "was",
    "were",
    "string",
    "same",
    "as",
    "account",
    "user",
    "set",
    "show",
    "hide",
    "days",
    "hours",
    "key",
    "secret",
    "token",
    "example",
    "some",
    "any",
    "all",
];

/// True for a password of several words: `orbit magnet sunset zebra 87`.
pub(super) fn passphrase(found: &[u8], name: &[u8], env: bool) -> bool {
    if !found.contains(&b' ') || !(12..=80).contains(&found.len()) {
        return false;
    }
    let mut words = 0;
    for word in found.split(|byte| *byte == b' ') {
        let fits = (1..=16).contains(&word.len())
            && word
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!@#^*?+_.-".contains(byte));
        if !fits
            || MESSAGE
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
        {
            return false;
        }
        words += 1;
    }
    let lower = found
        .iter()
        .all(|byte| byte.is_ascii_lowercase() || *byte == b' ');
    let phrase = name.len() >= 6 && name[name.len() - 6..].eq_ignore_ascii_case(b"phrase");
    let digits = found.iter().any(u8::is_ascii_digit);
    (3..=12).contains(&words) && (digits || (words >= 4 && lower && (phrase || env)))
}

/// True for `Walnut.Meadow29`, as password managers make them: words with a capital each, joined by points, and a number at
/// the end.
fn dotted(found: &[u8]) -> bool {
    let plain = found
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b".!#?*+".contains(byte));
    let number = found
        .iter()
        .rev()
        .skip_while(|byte| !byte.is_ascii_alphanumeric())
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let word = |piece: &[u8]| {
        piece
            .first()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() && !byte.is_ascii_lowercase())
            && !piece[1..].iter().any(u8::is_ascii_uppercase)
    };
    plain && number >= 2 && strong_password(found) && found.split(|byte| *byte == b'.').all(word)
}

/// Whether the value `found`, written in `style`, is a secret of kind `kind`.
pub(super) fn secret(found: &[u8], kind: Kind, style: Style) -> bool {
    if found.len() < 4
        || placeholder(found)
        || dated(found)
        || found.windows(3).any(|three| three == b"://")
    {
        return false;
    }
    if found
        .iter()
        .any(|byte| byte.is_ascii_whitespace() || *byte >= 0x80)
    {
        return false; // prose; a token in it is found by its own rule
    }
    if !style.quoted && (constant(found) || expression(found)) {
        return false;
    }
    if !style.quoted && !style.env && (call(found) || path(found)) {
        return false;
    }
    let words = words_only(found);
    if words && looks_like_code(found) && !(kind == Kind::Password && dotted(found)) {
        return false;
    }
    let letter = found.iter().any(u8::is_ascii_alphabetic);
    let digit = found.iter().any(u8::is_ascii_digit);
    let mark = found.iter().any(|byte| b"!@#$%^&*?~+".contains(byte));
    let many_digits = found.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3;
    if style.env {
        let name_like = words && found.len() < 6;
        return !name_like;
    }
    match kind {
        Kind::Password if !words => {
            found.len() >= 6 && (style.quoted || !style.weak || digit || mark || mixed_case(found))
        }
        Kind::Password if !style.test && strong_password(found) => true,
        Kind::Password if mark && digit && letter && mixed_case(found) => found.len() >= 8,
        Kind::Password if mark && letter && many_digits && !style.weak => found.len() >= 10,
        Kind::Password if style.weak => false,
        Kind::Password => {
            found.len() >= 6 && (style.quoted || style.line) && ((letter && digit) || mark)
        }
        Kind::Token => {
            random(found, if style.weak { 12 } else { 8 }) && (digit || found.len() >= 14)
        }
    }
}
