//! Values under a name that says "secret": `password=…`, JSON, YAML, XML, .env, .netrc, code.
//!
//! Tried at every key word that the automaton finds. The name is widened to both sides and judged
//! by its last word; then the value is read in the way its surroundings write it, and judged too:
//! `token = next_token()` and `"password": null` are not secrets.

use super::code::{call, constant, expression, fingerprint, looks_like_code, path};
use super::names::{Kind, kind};
use super::span::Span;
use super::value::{closing, placeholder, random, words_only};

/// Words at which this rule is tried, in lower case.
pub(super) const KEYS: &[&str] = &[
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
];

/// The longest value that is read.
const VALUE: usize = 4096;
/// The longest name, to either side of the key word.
const NAME: usize = 48;

fn name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte == b'.'
}

fn blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// What the rule remembers between two hits in one text, so that no input makes it quadratic.
#[derive(Default)]
pub(super) struct Memory {
    name_end: usize,
    /// A long unquoted value that was found to be words ends here; so are all its tails.
    words_until: usize,
}

/// How a value is written, which decides how strictly it is judged.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent observations, each judged alone"
)]
struct Style {
    quoted: bool,
    /// The value reaches the end of its line, and the name begins the line.
    line: bool,
    /// `NAME=value` as in an environment.
    env: bool,
    /// After `--flag `: prose does that too.
    flag: bool,
}

/// Tries the rule at the key word `hit..hit_end` of `text`.
pub(super) fn find(text: &[u8], hit: usize, hit_end: usize, memory: &mut Memory) -> Option<Span> {
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
        return None; // the user of a URL; `places` knows where the password ends
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
    let kind = kind(name)?;
    if resource_name(text, start) {
        return None;
    }
    let (at, strict) = separator(text, start, end, flag, kind)?;
    value(text, start, end, name, at, kind, strict, memory)
}

/// Where the value begins after the name `start..end`; true where the separator is a weak one.
fn separator(
    text: &[u8],
    start: usize,
    end: usize,
    flag: bool,
    kind: Kind,
) -> Option<(usize, bool)> {
    let mut at = end;
    let mut quoted = false;
    while at < text.len() && text[at] == b'\\' {
        at += 1;
    }
    if at < text.len() && b"\"'`".contains(&text[at]) {
        quoted = true;
        at += 1;
    } else {
        at = end;
    }
    if at < text.len() && text[at] == b']' && quoted {
        at += 1;
    }
    let spaced = past_decoration(text, at)?;
    let byte = *text.get(spaced)?;
    match byte {
        b'=' | b':' => {
            let mut after = spaced + 1;
            if byte == b':' && text.get(after) == Some(&b':') {
                return None;
            }
            while after < text.len() && b"=>".contains(&text[after]) {
                after += 1;
            }
            let after = skip_blanks(text, after);
            if byte == b':'
                && let Some(past) = annotation(text, after)
            {
                return Some((past, false));
            }
            Some((list_open(text, after), false))
        }
        // A row of a table in Markdown.
        b'|' if blank(text.get(spaced + 1).copied().unwrap_or(0)) && in_table(text, start) => {
            Some((skip_blanks(text, spaced + 1), true))
        }
        b'?' | b'|' | b'+'
            if text.get(spaced + 1) == Some(&b'=') || text.get(spaced + 2) == Some(&b'=') =>
        {
            let past = memchr::memchr(b'=', &text[spaced..])? + spaced + 1;
            Some((skip_blanks(text, past), false))
        }
        b'>' if !quoted => {
            // <password>value</password>
            let before = text[..start].last().copied();
            (before == Some(b'<') || before == Some(b':')).then_some((spaced + 1, false))
        }
        b',' if quoted => {
            // define("DB_PASSWORD", "value"); {"name": "DB_PASSWORD", "value": "x"}
            let next = skip_space(text, spaced + 1);
            if let Some(past) = value_word(text, next) {
                return Some((past, false));
            }
            let next = skip_blanks(text, spaced + 1);
            matches!(text.get(next), Some(b'"' | b'\'')).then_some((next, true))
        }
        b'(' if !quoted => {
            matches!(text.get(spaced + 1), Some(b'"' | b'\'')).then_some((spaced + 1, true))
        }
        _ if quoted => value_word(text, spaced).map(|past| (past, false)),
        b'\n' | b'\r' => {
            // Kubernetes: "- name: DB_PASSWORD" and below it "value: x"
            let names = text[..start].trim_ascii_end().ends_with(b"name:");
            let next = skip_space(text, spaced);
            if names {
                value_word(text, next).map(|past| (past, false))
            } else {
                None
            }
        }
        _ if spaced > end => {
            if flag
                && text[..start]
                    .last()
                    .is_none_or(|&b| !b.is_ascii_alphanumeric())
            {
                let next = &text[spaced..unquoted_end(text, spaced)];
                return (byte != b'-' || random(next, 16)).then_some((spaced, false));
            }
            if exported(text, start) {
                return Some((spaced, false));
            }
            if matches!(byte, b'"' | b'\'') {
                return Some((spaced, true)); // WITH PASSWORD 'x'
            }
            if kind == Kind::Password && netrc(text, start) {
                return Some((spaced, false));
            }
            if text[start..end].eq_ignore_ascii_case(b"requirepass") || setting(text, start) {
                return Some((spaced, false));
            }
            let is = text[spaced..]
                .strip_prefix(b"is ")
                .map(|_| skip_blanks(text, spaced + 3));
            is.map(|past| (list_open(text, past), true))
        }
        _ => None,
    }
}

/// Past what may stand between a name and its separator: the end of bold type, the accessors of a C# property
/// (`public string Password { get; set; } = "value";`), blanks.
fn past_decoration(text: &[u8], at: usize) -> Option<usize> {
    let at = at + if text[at..].starts_with(b"**") { 2 } else { 0 };
    let spaced = skip_blanks(text, at);
    if !text[spaced..].starts_with(b"{ get;") {
        return Some(spaced);
    }
    let near = &text[spaced..text.len().min(spaced + 48)];
    let close = memchr::memchr(b'}', near)?;
    Some(skip_blanks(text, spaced + close + 1))
}

/// True after the words of a Dockerfile, of csh and of fish that set a variable to the word behind its name.
fn exported(text: &[u8], start: usize) -> bool {
    [
        &b"ENV "[..],
        b"ARG ",
        b"setenv ",
        b"set -x ",
        b"set -gx ",
        b"set -Ux ",
    ]
    .iter()
    .any(|word| text[..start].ends_with(word))
}

/// True where the name opens the first cell of a row.
fn in_table(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(8)..start];
    let before = before.strip_suffix(b"`").unwrap_or(before).trim_ascii_end();
    before.ends_with(b"|")
}

fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    let from = at;
    while at < text.len() && blank(text[at]) && at - from < 64 {
        at += 1;
    }
    at
}

pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    let from = at;
    while at < text.len() && text[at].is_ascii_whitespace() && at - from < 64 {
        at += 1;
    }
    at
}

/// `["x"]` and `[x]`: a header map prints its values as a list.
fn list_open(text: &[u8], at: usize) -> usize {
    match (text.get(at), text.get(at + 1)) {
        (Some(b'['), Some(next)) if b"\"'-_+/".contains(next) || next.is_ascii_alphanumeric() => {
            at + 1
        }
        _ => at,
    }
}

/// After `token: str = `, `token: &'static str = `, `token: Option<String> = `: where the value is.
fn annotation(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + 40)];
    if !rest.first()?.is_ascii_alphabetic() && rest[0] != b'&' {
        return None;
    }
    let stop = rest
        .iter()
        .position(|byte| !(byte.is_ascii_alphabetic() || b" &'<>[]|?_.:8".contains(byte)))?;
    if rest[stop] != b'=' || rest.get(stop + 1) == Some(&b'=') || !blank(*rest.get(stop - 1)?) {
        return None;
    }
    Some(skip_blanks(text, at + stop + 1))
}

/// At `"value": `, `value=` or `value: `: where the value is.
pub(super) fn value_word(text: &[u8], at: usize) -> Option<usize> {
    let quoted = matches!(text.get(at), Some(b'"' | b'\''));
    let at = at + usize::from(quoted);
    let word = text.get(at..at + 5)?;
    if !word.eq_ignore_ascii_case(b"value") {
        return None;
    }
    let at = skip_blanks(text, at + 5 + usize::from(quoted));
    matches!(text.get(at), Some(b':' | b'=')).then(|| skip_blanks(text, at + 1))
}

/// True where `machine` or `login` stands shortly before: a .netrc.
fn netrc(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(200)..start];
    memchr::memmem::find(near, b"login ").is_some()
        || memchr::memmem::find(near, b"machine ").is_some()
        || memchr::memmem::find(near, b"wifi connect ").is_some()
}

/// True after `aws configure set`, `npm config set`, `pip config set`: name and value are words.
fn setting(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(96)..start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |at| &near[at..]);
    memchr::memmem::find(line, b"configure set ").is_some()
        || memchr::memmem::find(line, b"config set ").is_some()
}

/// True inside of an Amazon resource name, which says where a secret is and not what.
fn resource_name(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(96)..start];
    let word = near
        .iter()
        .rposition(|byte| byte.is_ascii_whitespace() || b"\"'`".contains(byte))
        .map_or(near, |at| &near[at + 1..]);
    let word = word.strip_prefix(b"+").unwrap_or(word);
    let word = word.strip_prefix(b"-").unwrap_or(word);
    near.ends_with(b":") && word.starts_with(b"arn:")
}

/// Reads the value at `at` and judges it.
#[expect(
    clippy::too_many_arguments,
    reason = "one call, and a struct would only rename them"
)]
fn value(
    text: &[u8],
    start: usize,
    end: usize,
    name: &[u8],
    at: usize,
    kind: Kind,
    strict: bool,
    memory: &mut Memory,
) -> Option<Span> {
    let line_start = begins_line(text, start);
    let mut style = Style {
        quoted: false,
        line: false,
        env: (text[..start].ends_with(b"ENV ") || (at == end + 1 && text[end] == b'='))
            && name
                .iter()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_'),
        flag: strict,
    };
    let mut open = at;
    let mut slashes = 0;
    while text.get(open) == Some(&b'\\') && slashes < 8 {
        slashes += 1;
        open += 1;
    }
    let prefix = usize::from(matches!(
        text.get(open),
        Some(b'b' | b'r' | b'f' | b'u' | b'@')
    )) * usize::from(matches!(text.get(open + 1), Some(b'"' | b'\'')));
    let quote = text.get(open + prefix).copied();
    let (from, to) = if let Some(quote @ (b'"' | b'\'' | b'`')) = quote {
        style.quoted = true;
        let mut from = open + prefix + 1;
        while text.get(from) == Some(&quote) {
            from += 1; // a docstring's quotes, or nothing between two
        }
        let window = text.len().min(from + VALUE);
        let end = closing(text, from, quote, slashes, VALUE).or_else(|| {
            // The text ends inside the value: what is there is masked.
            let open = window == text.len() && window - from >= 8 && !text[from..].contains(&b'\n');
            open.then_some(window)
        })?;
        (from, end)
    } else if matches!(quote, Some(b'|' | b'>')) && at > 0 {
        // A YAML block: the value is the next line, further in.
        let eol = memchr::memchr(b'\n', &text[at..text.len().min(at + 4)])? + at;
        let from = skip_blanks(text, eol + 1);
        if from == eol + 1 {
            return None;
        }
        style.line = true;
        (from, unquoted_end(text, from))
    } else {
        if at < memory.words_until {
            return None;
        }
        let to = unquoted_end(text, at);
        let rest = text[to..text.len().min(to + 3)].trim_ascii_start();
        let ends = text[to..].first().is_none_or(|b| b"\r\n".contains(b)) || rest.starts_with(b"#");
        // "AccountKey=x;Endpoint=https://y" is a list that begins with a secret.
        let listed = text[at..to]
            .iter()
            .position(|byte| *byte == b';')
            .is_some_and(|semicolon| text[at + semicolon..to].contains(&b'='));
        style.line = line_start && ends && !listed;
        if style.line {
            let trimmed = text[at..to].trim_ascii_end();
            let cut = trimmed
                .iter()
                .rev()
                .take_while(|b| b",;".contains(b))
                .count();
            (at, at + trimmed.len() - cut)
        } else {
            let cut = text[at..to]
                .iter()
                .position(|b| b",;&)]}|".contains(b))
                .unwrap_or(to - at);
            if matches!(text.get(at + cut), Some(b'(' | b'[')) {
                return None;
            }
            (at, at + cut)
        }
    };
    let from = from + usize::from(kind == Kind::Password && braced(text, start, from));
    let found = &text[from..to];
    if name.eq_ignore_ascii_case(b"signingkey") && fingerprint(found) {
        return None; // git's user.signingkey says which key, and is not the key
    }
    let directory = name.len() >= 3 && name[name.len() - 3..].eq_ignore_ascii_case(b"pwd");
    if directory && found.starts_with(b"/") {
        return None; // the shell's working directory
    }
    if secret(found, kind, style, strict) {
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

/// ODBC writes `UID=u;PWD={value};`.
fn braced(text: &[u8], start: usize, from: usize) -> bool {
    text[from..].starts_with(b"{") && text[..start].ends_with(b";")
}

/// True where nothing but indentation, a diff or list mark, or `export` stands before the name.
fn begins_line(text: &[u8], start: usize) -> bool {
    let from = start.saturating_sub(64);
    let line = memchr::memrchr(b'\n', &text[from..start]).map_or(from, |at| from + at + 1);
    if line == from && from > 0 {
        return false;
    }
    let mut before = &text[line..start];
    for word in [
        &b"export "[..],
        b"set ",
        b"ENV ",
        b"ARG ",
        b"$env:",
        b"setenv ",
    ] {
        before = before.strip_suffix(word).unwrap_or(before);
    }
    before
        .iter()
        .all(|byte| blank(*byte) || b"+->#*$\"'|{".contains(byte))
}

fn unquoted_end(text: &[u8], at: usize) -> usize {
    let window = &text[at..text.len().min(at + VALUE)];
    for (nth, byte) in window.iter().enumerate() {
        // A line break as JSON writes it ends the value too.
        let escape = *byte == b'\\' && matches!(window.get(nth + 1), Some(b'n' | b'r'));
        if escape || *byte <= b' ' || b"\"'`<".contains(byte) {
            return at + nth;
        }
    }
    at + window.len()
}

/// The judgement.
fn secret(found: &[u8], kind: Kind, style: Style, strict: bool) -> bool {
    if found.len() < 4 || placeholder(found) || found.windows(3).any(|three| three == b"://") {
        return false;
    }
    if found
        .iter()
        .any(|byte| byte.is_ascii_whitespace() || *byte >= 0x80)
    {
        return false; // prose; a token stands under its own rule
    }
    if !style.quoted && (constant(found) || expression(found)) {
        return false;
    }
    if !style.quoted && !style.env && (call(found) || path(found)) {
        return false;
    }
    let words = words_only(found);
    if words && looks_like_code(found) {
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
            found.len() >= 6 && (style.quoted || !strict || digit || mark || mixed(found))
        }
        Kind::Password if mark && digit && letter && mixed(found) => found.len() >= 8,
        Kind::Password if mark && letter && many_digits && !strict => found.len() >= 10,
        Kind::Password if strict => false,
        Kind::Password => {
            found.len() >= 6 && (style.quoted || style.line) && ((letter && digit) || mark)
        }
        Kind::Token => {
            random(found, if style.flag { 12 } else { 8 }) && (digit || found.len() >= 14)
        }
    }
}

/// Both cases occur.
fn mixed(found: &[u8]) -> bool {
    found.iter().any(u8::is_ascii_lowercase) && found.iter().any(u8::is_ascii_uppercase)
}
