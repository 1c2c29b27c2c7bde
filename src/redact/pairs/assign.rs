//! Values under a name that says "secret": `password=…`, JSON, YAML, XML, .env, .netrc, code.
//!
//! Tried at every key word that the automaton finds. The key word is widened to the whole name, and the name is judged by its
//! last telling word. Then the value is read as its surroundings write it; `judge` says whether the value is a secret.

use std::collections::HashMap;

use super::judge::{Style, passphrase, secret};
use super::separator::{VALUE, begins_line, begins_row, separator, skip_blanks, unquoted_end};
use crate::redact::span::Span;
use crate::redact::words::code::fingerprint;
use crate::redact::words::names::{Kind, kind, plausible, refers, weak};
use crate::redact::words::prose::strong_password;
use crate::redact::words::value::{closing, placeholder, random, resource};

/// Words at which this rule is tried, in lower case. The automaton ignores the case of ASCII letters only, so `Пароль` has a row.
pub(in crate::redact) const KEYS: &[&str] = &[
    "pass",
    "pwd",
    "_pw",
    "secret",
    "token",
    "key",
    "cred",
    "auth",
    "bearer",
    "jwt",
    "cookie",
    "encrypted_value",
    "encryptedvalue",
    "sessionid",
    "session_id",
    "otp",
    "psk",
    "dockerc",
    "verifier",
    "device_code",
    "devicecode",
    "oobcode",
    "authorization_code",
    "kennwort",
    "wachtwoord",
    "mot de passe",
    "contrase",
    "pw",
    "_salt",
    "_pepper",
    "sonar.login",
    "_pat",
    "bundle_",
    "_session",
    "encrypt",
    "senha",
    "parola",
    "salasana",
    "adgangskode",
    "heslo",
    "parool",
    "hasło",
    "пароль",
    "Пароль",
    "парола",
    "lösenord",
    "şifre",
    "contraseña",
    "jelszó",
    "パスワード",
    "密码",
    "密碼",
    "口令",
    "비밀번호",
];

/// How many bytes a name may have on either side of the key word.
const NAME: usize = 48;

fn name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte == b'.'
}

/// The most names that are remembered: a hostile text has another name in each line.
const NAMES: usize = 4_096;

/// The rule's memory between two hits in one text: without it, long runs of key words would take quadratic time.
#[derive(Default)]
pub(in crate::redact) struct Memory<'a> {
    /// What each name promises; a log has the same few names in most of its lines.
    kinds: HashMap<&'a [u8], Option<Kind>>,
    /// The end of the last name that was tried.
    name_end: usize,
    /// The end of the last value without quotes over 256 bytes that was no secret: no value without quotes that begins before
    /// this offset is tried.
    words_until: usize,
}

/// Tries the rule at the key word `hit..hit_end` of `text`.
pub(in crate::redact) fn find<'a>(
    text: &'a [u8],
    hit: usize,
    hit_end: usize,
    memory: &mut Memory<'a>,
) -> Option<Span> {
    let mut start = hit;
    while start > 0 && hit - start < NAME && name_byte(text[start - 1]) {
        start -= 1;
    }
    let mut end = hit_end;
    while end < text.len() && end - hit_end < NAME && name_byte(text[end]) && text[end] != b'.' {
        end += 1;
    }
    if end == memory.name_end {
        return None;
    }
    memory.name_end = end;
    if end < text.len() && name_byte(text[end]) && text[end] != b'.' {
        return None; // too long for a name
    }
    if text[..start].ends_with(b"://") {
        return None; // the user of a URL; `known_places` knows where the password ends
    }
    let name = text[start..end].trim_ascii_start();
    let flag = name.starts_with(b"-");
    let name = {
        let skip = name
            .iter()
            .take_while(|byte| !byte.is_ascii_alphanumeric())
            .count();
        &name[skip..]
    };
    let name = name.strip_suffix(b"-").unwrap_or(name);
    if memory.kinds.len() >= NAMES {
        memory.kinds.clear();
    }
    let known = memory.kinds.entry(name);
    let Some(kind) = *known.or_insert_with(|| kind(name)) else {
        return keyed(text, start, end, name);
    };
    if resource_name(text, start) || listed_by_name(text, start) {
        return None;
    }
    if text.get(end) == Some(&b',') && !flag {
        return cell(text, start, end, kind);
    }
    let (at, weak_separator) = separator(text, start, end, flag, kind)?;
    let name = Name {
        start,
        end,
        word: name,
        kind,
    };
    value(text, &name, at, weak_separator, memory)
}

/// The value in the cell behind the name `start..end`, in a row of CSV: `SMTP_PASS,value,staging`.
fn cell(text: &[u8], start: usize, end: usize, kind: Kind) -> Option<Span> {
    let name = &text[start..end];
    let constant = name.contains(&b'_') && !name.iter().any(u8::is_ascii_lowercase);
    if !constant || !begins_row(text, start) {
        return None;
    }
    let from = end + 1;
    let window = &text[from..text.len().min(from + 256)];
    let len = memchr::memchr3(b',', b'\n', b'\r', window).unwrap_or(window.len());
    let found = &window[..len];
    let drawn = strong_password(found) && !found.contains(&b' ') && !placeholder(found);
    drawn.then_some(Span {
        start: from,
        end: from + len,
        name: match kind {
            Kind::Password => "password",
            Kind::Token => "secret",
        },
    })
}

/// The new value in a plan of Terraform, `password = "old" -> "new"`, where `old` ends at `end`.
pub(in crate::redact) fn becomes(text: &[u8], end: usize) -> Option<Span> {
    /// A longer new value, in bytes, is not found.
    const LONGEST: usize = 4096;
    let rest = text.get(end..)?.strip_prefix(b"\" -> \"")?;
    let start = text.len() - rest.len();
    let len = memchr::memchr2(b'"', b'\n', &rest[..rest.len().min(LONGEST)])?;
    let found = &rest[..len];
    (rest[len] == b'"' && len >= 4 && !placeholder(found)).then_some(Span {
        start,
        end: start + len,
        name: "secret",
    })
}

/// `encrypt = "base64"` of Consul and Nomad, and `key: "base64"` under `encryption:` of `ESPHome`: the name promises nothing, but
/// the value is 16, 24 or 32 bytes in base64.
fn keyed(text: &[u8], start: usize, end: usize, name: &[u8]) -> Option<Span> {
    if !name.eq_ignore_ascii_case(b"encrypt") && !name.eq_ignore_ascii_case(b"key") {
        return None;
    }
    if name.len() == 3 {
        let near = text[start.saturating_sub(48)..start].to_ascii_lowercase();
        memchr::memmem::find(&near, b"encryption")?;
    }
    let (at, _) = separator(text, start, end, false, Kind::Token)?;
    let from = at + usize::from(matches!(text.get(at), Some(b'"' | b'\'')));
    let to = from
        + text[from..]
            .iter()
            .take(64)
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte))
            .count();
    let found = &text[from..to];
    let size = matches!(found.len(), 24 | 32 | 44);
    let drawn = size && (found.ends_with(b"=") || found.len() == 32) && random(found, 16);
    drawn.then_some(Span {
        start: from,
        end: to,
        name: "secret",
    })
}

/// True inside of an Amazon resource name (`arn:…`), which says where a secret is kept.
fn resource_name(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(96)..start];
    let word = near
        .iter()
        .rposition(|byte| byte.is_ascii_whitespace() || b"\"'`=".contains(byte))
        .map_or(near, |at| &near[at + 1..]);
    let word = word.strip_prefix(b"+").unwrap_or(word);
    let word = word.strip_prefix(b"-").unwrap_or(word);
    near.ends_with(b":") && word.starts_with(b"arn:")
}

/// True in the value of gcloud's `--set-secrets VARIABLE=NAME:VERSION,…`, which names secrets kept elsewhere.
fn listed_by_name(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(96)..start];
    let space = near.iter().rposition(u8::is_ascii_whitespace);
    let (before, word) = near.split_at(space.map_or(0, |at| at + 1));
    before.trim_ascii_end().ends_with(b"-secrets")
        || word.windows(9).any(|part| part == b"-secrets=")
}

/// A name that promises a secret.
struct Name<'a> {
    start: usize,
    end: usize,
    /// The name without the dashes of a flag.
    word: &'a [u8],
    kind: Kind,
}

/// Reads the value at `at` and judges it.
fn value(
    text: &[u8],
    name: &Name<'_>,
    at: usize,
    weak_separator: bool,
    memory: &mut Memory<'_>,
) -> Option<Span> {
    let (start, kind) = (name.start, name.kind);
    let assigned = at == name.end + 1 && text[name.end] == b'=';
    let variable = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let mut style = Style {
        quoted: false,
        line: false,
        env: (text[..start].ends_with(b"ENV ") || assigned) && name.word.iter().all(variable),
        weak: weak_separator,
        test: name.word == b"PASS",
    };
    let (from, to) = extent(text, start, at, &mut style, memory)?;
    let from = from + usize::from(kind == Kind::Password && braced(text, start, from));
    let found = &text[from..to];
    if says_otherwise(text, name, found, to, style.env) {
        return None;
    }
    let several_words =
        kind == Kind::Password && style.quoted && passphrase(found, name.word, style.env);
    if several_words || secret(found, kind, style) {
        let name = match kind {
            Kind::Password => "password",
            Kind::Token => "secret",
        };
        return Some(Span {
            start: from,
            end: to,
            name,
        });
    }
    if !style.quoted && to - from > 256 {
        memory.words_until = to;
    }
    None
}

/// The borders of the value at `at`: in quotes, a block of YAML, or bare. Notes in `style` how the value is written.
fn extent(
    text: &[u8],
    start: usize,
    at: usize,
    style: &mut Style,
    memory: &Memory<'_>,
) -> Option<(usize, usize)> {
    let slashes = text[at.min(text.len())..]
        .iter()
        .take(8)
        .take_while(|byte| **byte == b'\\')
        .count();
    let open = at + slashes;
    let prefix = usize::from(matches!(
        text.get(open),
        Some(b'b' | b'r' | b'f' | b'u' | b'@' | b'N')
    )) * usize::from(matches!(text.get(open + 1), Some(b'"' | b'\'')));
    match text.get(open + prefix).copied() {
        Some(quote @ (b'"' | b'\'' | b'`')) => {
            style.quoted = true;
            in_quotes(text, open + prefix + 1, quote, slashes)
        }
        Some(b'|' | b'>') if at > 0 => {
            let block = yaml_block(text, at)?;
            style.line = true;
            Some(block)
        }
        _ if at < memory.words_until => None,
        _ => bare(text, start, at, style),
    }
}

/// The borders of a value in quotes; `from` is the offset behind the opening quote.
fn in_quotes(text: &[u8], mut from: usize, quote: u8, slashes: usize) -> Option<(usize, usize)> {
    while text.get(from) == Some(&quote) {
        from += 1; // the next quote of a docstring's three, or of an empty value
    }
    let window = text.len().min(from + VALUE);
    let end = closing(text, from, quote, slashes, VALUE).or_else(|| {
        // The text ends inside the value: its beginning is masked.
        let open = window == text.len() && window - from >= 8 && !text[from..].contains(&b'\n');
        open.then_some(window)
    })?;
    Some((from, end))
}

/// A YAML block: the value is the next line, indented deeper.
fn yaml_block(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let eol = memchr::memchr(b'\n', &text[at..text.len().min(at + 4)])? + at;
    let from = skip_blanks(text, eol + 1);
    (from > eol + 1).then(|| (from, unquoted_end(text, from)))
}

/// The borders of a value without quotes: the rest of the line where the name begins the line, else one word.
fn bare(text: &[u8], start: usize, at: usize, style: &mut Style) -> Option<(usize, usize)> {
    let to = unquoted_end(text, at);
    let rest = text[to..text.len().min(to + 3)].trim_ascii_start();
    let ends = text[to..].first().is_none_or(|b| b"\r\n".contains(b)) || rest.starts_with(b"#");
    // "AccountKey=x;Endpoint=https://y" is a list that begins with a secret.
    let listed = text[at..to]
        .iter()
        .position(|byte| *byte == b';')
        .is_some_and(|semicolon| text[at + semicolon..to].contains(&b'='))
        || form(&text[at..to]);
    style.line = ends && !listed && begins_line(text, start);
    if style.line {
        let trimmed = text[at..to].trim_ascii_end();
        let cut = trimmed
            .iter()
            .rev()
            .take_while(|b| b",;".contains(b))
            .count();
        return Some((at, at + trimmed.len() - cut));
    }
    let cut = text[at..to]
        .iter()
        .position(|b| b",;&)]}|".contains(b))
        .unwrap_or(to - at);
    let called = matches!(text.get(at + cut), Some(b'(' | b'['));
    (!called).then_some((at, at + cut))
}

/// Whether the name, or the text behind the value `found`, says that the value is no secret.
fn says_otherwise(text: &[u8], name: &Name<'_>, found: &[u8], to: usize, env: bool) -> bool {
    let word = name.word;
    if !env && refers(word) && resource(found) {
        return true; // tlsSecret: web-tls-x7k2p
    }
    if word.eq_ignore_ascii_case(b"signingkey") && fingerprint(found) {
        return true; // git's user.signingkey says which key, and is not the key
    }
    let directory = word.len() >= 3 && word[word.len() - 3..].eq_ignore_ascii_case(b"pwd");
    if directory && found.starts_with(b"/") {
        return true; // the shell's working directory
    }
    if !plausible(word, found) {
        return true;
    }
    let password = name.kind == Kind::Password;
    if weak(word) && !random(found, 12) && !(password && strong_password(found)) {
        return true;
    }
    let Some(last) = found.last() else {
        return true;
    };
    // glpat-<token>
    let open = matches!(text.get(to), Some(b'<' | b'{' | b'$'));
    found.len() <= 16 && b"-_".contains(last) && open
}

/// True for `x&scope=repo`: the next member of a form follows the value.
fn form(found: &[u8]) -> bool {
    memchr::memchr_iter(b'&', found).any(|at| {
        let rest = &found[at + 1..];
        let name = rest
            .iter()
            .take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_')
            .count();
        name >= 3 && rest.get(name) == Some(&b'=')
    })
}

/// True for a value in braces, as ODBC writes it: `UID=u;PWD={value};`.
fn braced(text: &[u8], start: usize, from: usize) -> bool {
    text[from..].starts_with(b"{") && text[..start].ends_with(b";")
}
