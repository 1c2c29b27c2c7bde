//! Secrets that people tell each other in sentences: "the wifi password in the office: X", "X as its password", "pw X".
//!
//! Prose often speaks of passwords without telling one. So a value must look like a password by itself: drawn at random, or
//! words with capitals and digits, as password managers join them.

use super::names::{Kind, kind};
use super::value::{mixed_case, placeholder, random, resource, words_only};
use crate::redact::span::Span;

/// How many bytes may stand between `password` and the word that tells the value: `password for the staging host is X`.
const APART: usize = 64;
/// A value is read no further than this many bytes.
const WORD: usize = 128;
/// Words behind the name that make it the name of something else: `password manager`, `token length`.
const ABOUT: &[&[u8]] = &[
    b"manager",
    b"policy",
    b"hash",
    b"algorithm",
    b"format",
    b"type",
    b"field",
    b"length",
    b"name",
    b"file",
    b"reset",
    b"page",
    b"prompt",
    b"generator",
    b"id ",
    b"ids ",
    b"strength",
    b"column",
    b"provider",
    b"store",
];
/// Words and signs between the name and the value: `the password is X`.
const TELLS: &[&[u8]] = &[
    b": ",
    b" is ",
    b" was ",
    b" = ",
    b" -> ",
    b" => ",
    b" to ",
    b" still ",
    b" now ",
    b" lautet ",
    b" ist ",
    b" est ",
    b" es ",
    " è ".as_bytes(),
    " é ".as_bytes(),
    " är ".as_bytes(),
    b" er ",
    b" jest ",
    b" to jest ",
    "：".as_bytes(),
    "は".as_bytes(),
    "是".as_bytes(),
    "为".as_bytes(),
    " → ".as_bytes(),
];

/// Tried at a telling word for which no other rule has found a value.
pub(in crate::redact) fn find(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let start = (hit.saturating_sub(16)..hit)
        .rev()
        .find(|at| !letter(text[*at]))
        .map_or(hit.saturating_sub(16), |at| at + 1);
    let mut end = hit_end;
    while end < text.len() && end - hit_end < 16 && letter(text[end]) {
        end += 1;
    }
    let after = text.get(end).copied().unwrap_or(0);
    let follows = b" :(?".contains(&after) || after >= 0x80;
    let near = &text[start.saturating_sub(32)..start];
    let asks = |at: usize| {
        let words = [&b" as"[..], b" is", b" for"];
        words.iter().any(|word| near[at..].starts_with(word))
    };
    if !follows && !memchr::memchr_iter(b' ', near).any(asks) {
        return None;
    }
    if text[start..end].eq_ignore_ascii_case(b"key") {
        let near = &text[start.saturating_sub(8)..start];
        let asked = [
            &b"setup "[..],
            b"secret ",
            b"entry ",
            b"totp ",
            b"Setup ",
            b"Secret ",
            b"2FA ",
        ];
        if asked.iter().any(|word| near.ends_with(word))
            && let Some(span) = seed(text, end)
        {
            return Some(span);
        }
    }
    let kind = if text[hit..hit_end].is_ascii() {
        named_kind(text, start, end)?
    } else {
        Kind::Password
    };
    if text[start..end].eq_ignore_ascii_case(b"pass") {
        return None; // the result of a test
    }
    if let Some(span) = below(text, end, kind) {
        return Some(span);
    }
    behind(text, end, kind)
        .or_else(|| before(text, start, kind))
        .or_else(|| answered(text, end, kind))
}

/// A secret alone on a line below the sentence that speaks of it: `Please use the following password to proceed:`, an empty line
/// and the password; `Password for the elastic user:` and the password on an indented line; `New value: X`.
fn below(text: &[u8], end: usize, kind: Kind) -> Option<Span> {
    let window = &text[end..text.len().min(end + 120)];
    let stop = memchr::memchr(b'\n', window)?;
    let said = window[..stop].trim_ascii_end();
    let line = said.strip_suffix(b":");
    let prose = |byte: &u8| byte.is_ascii_alphanumeric() || b" ()`'-/@.,".contains(byte);
    let rest = &text[end + stop..text.len().min(end + stop + 8)];
    let empty = rest.starts_with(b"\n\n") || rest.starts_with(b"\n\r\n");
    let mut from = end + stop + 1;
    while text.get(from).is_some_and(u8::is_ascii_whitespace) && from - end < 160 {
        from += 1;
    }
    if !empty && let Some(span) = labelled(text, from, kind) {
        return Some(span);
    }
    let line = line?;
    let further = from > end + stop + 2;
    let plain = line
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    if kind != Kind::Password || !line.iter().all(prose) || !(empty && plain || further && !empty) {
        return None;
    }
    alone(text, from, |found| {
        random(found, 12) && found.iter().all(u8::is_ascii_alphanumeric) || strong_password(found)
    })
}

/// The word from `from` to the end of its line, if nothing else stands there and `secret` is true for the word.
fn alone(text: &[u8], from: usize, secret: impl Fn(&[u8]) -> bool) -> Option<Span> {
    let window = &text[from.min(text.len())..text.len().min(from + WORD)];
    let to = memchr::memchr2(b'\n', b'\r', window).unwrap_or(window.len());
    let found = window[..to].trim_ascii_end();
    let word = !found.iter().any(u8::is_ascii_whitespace) && !placeholder(found);
    let url = memchr::memmem::find(found, b"://").is_some();
    (word && !url && secret(found)).then_some(Span {
        start: from,
        end: from + found.len(),
        name: "password",
    })
}

/// Beginnings of a line that tells the secret of which the line above speaks.
const LABELS: &[&[u8]] = &[
    b"new value: ",
    b"value: ",
    b"new: ",
    b"generated: ",
    b"generated value: ",
    b"temporary value: ",
    b"it is: ",
    b"it's: ",
    b"here it is: ",
    b"here you go: ",
    b"new one: ",
];

/// `New value: X` under a line that speaks of a password.
fn labelled(text: &[u8], from: usize, kind: Kind) -> Option<Span> {
    let window = &text[from.min(text.len())..text.len().min(from + 20)];
    let label = LABELS.iter().find(|label| {
        window.len() >= label.len() && window[..label.len()].eq_ignore_ascii_case(label)
    })?;
    alone(text, from + label.len(), |found| match kind {
        Kind::Password => random(found, 8) || strong_password(found),
        Kind::Token => random(found, 16) && found.iter().any(u8::is_ascii_digit),
    })
}

/// Words that an answer may begin with.
const ANSWERS: &[&[u8]] = &[
    b"it's ",
    b"its ",
    b"it is ",
    b"try ",
    b"use ",
    b"should be ",
    b"sure, ",
    b"sure: ",
    b"here: ",
    b"here you go: ",
    b"yes, ",
    b"yep, ",
    b"yep: ",
    b"i think it's ",
    b"still ",
];

/// `what's the root pw of nas2?`, and on the next line `kim: Lantern-Quartz91`: the answer of the next person who writes.
fn answered(text: &[u8], end: usize, kind: Kind) -> Option<Span> {
    let window = &text[end..text.len().min(end + 160)];
    let stop = memchr::memchr(b'\n', window)?;
    memchr::memchr(b'?', &window[..stop])?;
    let mut at = end + stop + 1;
    for _ in 0..2 {
        let window = &text[at.min(text.len())..text.len().min(at + 2 * WORD)];
        let len = memchr::memchr(b'\n', window).unwrap_or(window.len());
        let mut from = at + speaker(&window[..len]);
        for word in ANSWERS {
            let rest = &text[from..at + len];
            if rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word) {
                from += word.len();
                break;
            }
        }
        from += text[from..at + len]
            .iter()
            .take_while(|byte| b"`*\"'".contains(byte))
            .count();
        let line = text[from..at + len].trim_ascii_end();
        let close = line
            .iter()
            .rev()
            .take_while(|byte| b"`*\"'.".contains(byte))
            .count();
        let found = &line[..line.len() - close];
        let secret = match kind {
            Kind::Password => strong_password(found),
            Kind::Token => random(found, 16) && found.iter().any(u8::is_ascii_digit),
        };
        let url = memchr::memmem::find(found, b"://").is_some();
        if secret
            && !url
            && !placeholder(found)
            && !found.iter().any(|byte| *byte <= b' ' || *byte >= 0x80)
        {
            return Some(Span {
                start: from,
                end: from + found.len(),
                name: "password",
            });
        }
        at += len + 1;
        if at >= text.len() || len > 48 {
            return None;
        }
    }
    None
}

/// The length of the time and the name that a chat puts before a message: `kim: `, `<kim> `, `[10:12] kim: `, `10:12 <kim> `.
fn speaker(line: &[u8]) -> usize {
    let mut at = line.iter().take_while(|byte| **byte == b' ').count();
    if line[at..].starts_with(b"[")
        && let Some(close) = memchr::memmem::find(&line[at..line.len().min(at + 40)], b"] ")
    {
        at += close + 2;
    }
    let time = line[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || b":-T".contains(byte))
        .count();
    if time >= 4 && line.get(at + time) == Some(&b' ') {
        at += time + 1;
    }
    let rest = &line[at..line.len().min(at + 32)];
    if rest.starts_with(b"<") {
        return memchr::memmem::find(rest, b"> ").map_or(at, |close| at + close + 2);
    }
    let name = memchr::memmem::find(rest, b": ");
    name.map_or(at, |colon| {
        let plain = rest[..colon]
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b" ._-@*".contains(byte) || *byte >= 0x80);
        at + if plain { colon + 2 } else { 0 }
    })
}

/// `4WPL JQJF YQVN N2NG`, with or without blanks: the seed of a second factor in base32 (RFC 4648), which a person types.
fn seed(text: &[u8], end: usize) -> Option<Span> {
    let window = &text[end..text.len().min(end + 160)];
    let line = memchr::memchr(b'\n', window).map_or(window, |at| &window[..at]);
    let colon = memchr::memmem::find(line, b": ")?;
    let from = end
        + colon
        + 2
        + line[colon + 2..]
            .iter()
            .take_while(|byte| b" `\"'*".contains(byte))
            .count();
    let mut to = from;
    let mut at = from;
    let stop = end + line.len();
    loop {
        let len = text[at..stop]
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic() || (b'2'..=b'7').contains(byte))
            .count();
        let next = at + len;
        let whole = len >= 4
            && text[next..stop]
                .first()
                .is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if !whole || (at > from && len != 4) {
            break;
        }
        to = next;
        if len != 4 || text[next..stop].first() != Some(&b' ') {
            break;
        }
        at = next + 1;
    }
    let found: Vec<u8> = text[from..to]
        .iter()
        .copied()
        .filter(|byte| *byte != b' ')
        .collect();
    let one = found.iter().all(|byte| !byte.is_ascii_lowercase())
        || found.iter().all(|byte| !byte.is_ascii_uppercase());
    (found.len() >= 16 && one && found.iter().any(u8::is_ascii_digit) && !words_only(&found))
        .then_some(Span {
            start: from,
            end: to,
            name: "otp-seed",
        })
}

/// The kind of secret that the word `start..end` names; `key` counts only behind a word such as `API`.
fn named_kind(text: &[u8], start: usize, end: usize) -> Option<Kind> {
    let word = &text[start..end];
    let single = kind(word);
    if single.is_some() {
        return single;
    }
    if !word.eq_ignore_ascii_case(b"key") {
        return None;
    }
    let near = &text[start.saturating_sub(16)..start];
    let before = near.strip_suffix(b" ")?;
    let from = before
        .iter()
        .rposition(|byte| !byte.is_ascii_alphanumeric());
    let before = &before[from.map_or(0, |at| at + 1)..];
    [
        "api",
        "access",
        "secret",
        "account",
        "auth",
        "license",
        "licence",
        "encryption",
        "signing",
        "master",
        "private",
        "unseal",
        "deploy",
        "hmac",
        "webhook",
        "session",
        "service",
    ]
    .iter()
    .any(|known| before.eq_ignore_ascii_case(known.as_bytes()))
    .then_some(Kind::Token)
}

/// `password for the staging host is X`, `password in the office: X`, `API key on that box is X`, `pw X`.
fn behind(text: &[u8], end: usize, kind: Kind) -> Option<Span> {
    let window = &text[end..text.len().min(end + APART + WORD)];
    let line = memchr::memchr(b'\n', window).map_or(window, |at| &window[..at]);
    let about = line.strip_prefix(b" ").is_some_and(|rest| {
        ABOUT
            .iter()
            .any(|word| rest.len() >= word.len() && rest[..word.len()].eq_ignore_ascii_case(word))
    });
    if about {
        return None;
    }
    let mut at = 0;
    loop {
        let rest = &line[at..];
        if at > APART || rest.is_empty() {
            return None;
        }
        let told = TELLS.iter().find(|form| rest.starts_with(form));
        if let Some(form) = told
            && let Some(span) = judged(
                text,
                end + at + form.len(),
                end + line.len(),
                kind,
                &line[..at],
            )
        {
            return Some(span);
        }
        if at == 0
            && rest[0] == b' '
            && let Some(span) = judged(text, end + 1, end + line.len(), kind, b"")
        {
            return Some(span);
        }
        let byte = rest[0];
        let word = byte >= 0x80 || byte.is_ascii_alphanumeric() || b" '-_()/@.`*".contains(&byte);
        let stop = rest.starts_with(b". ") || rest.starts_with(b"? ");
        if !word || stop {
            return None;
        }
        at += 1;
    }
}

/// `X as its password`, `X is the password`.
fn before(text: &[u8], start: usize, kind: Kind) -> Option<Span> {
    let near = &text[start.saturating_sub(WORD)..start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |at| &near[at + 1..]);
    let mut rest = line.strip_suffix(b" ")?;
    for word in [
        &b"root"[..],
        b"admin",
        b"login",
        b"new",
        b"current",
        b"db",
        b"default",
    ] {
        if let Some(cut) = rest.strip_suffix(word) {
            rest = cut.trim_ascii_end();
        }
    }
    for word in [
        &b" its"[..],
        b" the",
        b" his",
        b" her",
        b" their",
        b" my",
        b" our",
        b" a",
        b" your",
    ] {
        rest = rest.strip_suffix(word).unwrap_or(rest);
    }
    let rest = rest
        .strip_suffix(b" as")
        .or(rest.strip_suffix(b" is"))
        .or(rest.strip_suffix(b" for"))?;
    let rest = rest.trim_ascii_end();
    let from = rest
        .iter()
        .rposition(u8::is_ascii_whitespace)
        .map_or(0, |at| at + 1);
    let offset = start - line.len();
    judged(text, offset + from, offset + rest.len(), kind, b"")
}

/// The word at `at`, without quotes and the full stop, if it looks like a secret by itself. `between` is the text between the
/// name and the word: `commit` there makes 40 digits a commit.
fn judged(text: &[u8], mut at: usize, end: usize, kind: Kind, between: &[u8]) -> Option<Span> {
    while at < end && b" \"'`*(<".contains(&text[at]) {
        at += 1;
    }
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,<>".contains(byte);
    let len = text[at..end]
        .iter()
        .take(WORD)
        .position(stop)
        .unwrap_or((end - at).min(WORD));
    let mut found = &text[at..at + len];
    while let Some((last, rest)) = found.split_last()
        && b".;:)*]".contains(last)
    {
        found = rest;
    }
    let odd: &[u8] = match kind {
        Kind::Password => b"({[=/\\",
        Kind::Token => b"({[\\&",
    };
    if found.starts_with(b"0x")
        || placeholder(found)
        || found.iter().any(|byte| *byte >= 0x80 || odd.contains(byte))
    {
        return None;
    }
    let secret = match kind {
        Kind::Password => strong_password(found),
        Kind::Token => {
            let digest = found.len() == 40 || found.len() == 64;
            let of_code = [
                "commit", "sha", "revision", "digest", "hash", "version", "image", "id", "see",
                "in ", "ref",
            ]
            .iter()
            .any(|word| {
                memchr::memmem::find(&between.to_ascii_lowercase(), word.as_bytes()).is_some()
            });
            random(found, 20)
                && !resource(found)
                && found.iter().any(u8::is_ascii_digit)
                && !(digest && (of_code || between.is_empty()))
                && !found.contains(&b'.')
                && (found.len() >= 32 || !of_code)
        }
    };
    secret.then_some(Span {
        start: at,
        end: at + found.len(),
        name: match kind {
            Kind::Password => "password",
            Kind::Token => "secret",
        },
    })
}

/// True for a word that prose cannot have, only a password: 9 bytes or more with both cases and two digits, or 8 bytes or more that
/// are not made of words and have a digit, and a sign or both cases. At most 64 bytes, no hex number, no colon.
pub(in crate::redact) fn strong_password(found: &[u8]) -> bool {
    let digits = found.iter().filter(|byte| byte.is_ascii_digit()).count();
    let sign = found.iter().any(|byte| b"!@#$%^&*?~+_".contains(byte));
    let lower = found
        .iter()
        .filter(|byte| byte.is_ascii_lowercase())
        .count();
    let sure = mixed_case(found) && lower >= 3 && digits >= 2 && found.len() >= 9;
    let drawn =
        !words_only(found) && found.len() >= 8 && digits >= 1 && (mixed_case(found) || sign);
    let hex = found.iter().all(u8::is_ascii_hexdigit) || found.contains(&b':');
    (sure || drawn) && !hex && found.len() <= 64
}

/// `admin / Lisbon2021!kdh` where the line speaks of logging in.
pub(in crate::redact) fn login(text: &[u8], hit_end: usize) -> Option<Span> {
    let window = &text[hit_end..text.len().min(hit_end + 240)];
    let len = memchr::memchr(b'\n', window).unwrap_or(window.len());
    let line = &text[hit_end..hit_end + len];
    let Some(at) = memchr::memmem::find(line, b" / ") else {
        return pair(text, hit_end, line);
    };
    let user = line[..at]
        .iter()
        .rev()
        .take_while(|byte| !byte.is_ascii_whitespace())
        .count();
    if !(2..=64).contains(&user) || user == at {
        return None;
    }
    let end = hit_end + len;
    let span = judged(text, hit_end + at + 3, end, Kind::Password, b"")?;
    Some(span)
}

/// `credentials are admin:Lisbon2021!kdh`.
fn pair(text: &[u8], from: usize, line: &[u8]) -> Option<Span> {
    let mut at = 0;
    for word in line.split(u8::is_ascii_whitespace) {
        let begin = from + at;
        at += word.len() + 1;
        let Some(colon) = memchr::memchr(b':', word) else {
            continue;
        };
        let user = word[..colon]
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-@`\"'".contains(byte));
        let number = word[..colon]
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'`'); // `123456789:AA…` is a bot's token, which has its own rule
        if colon > 1 && user && !number && word.len() > colon + 8 {
            let end = begin + word.len();
            let span = judged(text, begin + colon + 1, end, Kind::Password, b"");
            if span.is_some() {
                return span;
            }
        }
    }
    None
}
