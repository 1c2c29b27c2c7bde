//! Where the value of a telling name begins: behind `=`, `:`, an arrow, a comma, a bar, in the next column, in the next word.
//!
//! `assign` has found the name. This file knows how languages, files and tables separate a name from its value.

use crate::redact::layout::columns::margin;
use crate::redact::words::names::Kind;
use crate::redact::words::value::random;

/// A value is read no further than this many bytes.
pub(in crate::redact) const VALUE: usize = 4096;

pub(in crate::redact) fn blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Where the value begins behind the name `start..end`; true where the separator is weak, as `is` and a comma are: prose has them
/// too.
pub(in crate::redact) fn separator(
    text: &[u8],
    start: usize,
    end: usize,
    flag: bool,
    kind: Kind,
) -> Option<(usize, bool)> {
    let (at, quoted) = past_quote(text, end);
    let spaced = past_decoration(text, at)?;
    let byte = *text.get(spaced)?;
    if !quoted && let Some(past) = element(text, start, end) {
        return Some((past, false));
    }
    match byte {
        b'=' | b':' => equals(text, spaced),
        // A row of a Markdown table.
        b'|' if blank(text.get(spaced + 1).copied().unwrap_or(0))
            && (in_table(text, start) || record(text, start, spaced)) =>
        {
            Some((skip_blanks(text, spaced + 1), true))
        }
        // A row of a drawn box.
        0xe2 if in_box(text, start) && text[spaced..].starts_with("│".as_bytes()) => {
            Some((skip_blanks(text, spaced + 3), true))
        }
        // reg add KEY /v DefaultPassword /t REG_SZ /d x
        b'/' if text[spaced..].starts_with(b"/t REG_SZ /d ") => Some((spaced + 13, false)),
        // ENV['DB_PASSWORD'] || 'x'
        b'|' if text[spaced..].starts_with(b"|| ")
            && matches!(text.get(spaced + 3), Some(b'"' | b'\'' | b'`')) =>
        {
            Some((spaced + 3, false))
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
        b',' if quoted => comma(text, spaced),
        b'(' if !quoted => {
            matches!(text.get(spaced + 1), Some(b'"' | b'\'')).then_some((spaced + 1, true))
        }
        // "AUTH" "x", as Redis prints the commands that it is sent.
        b'"' if quoted && &text[start..end] == b"AUTH" => Some((spaced, true)),
        _ if quoted => value_word(text, spaced).map(|past| (past, false)),
        b'\n' | b'\r' => line_below(text, start, spaced),
        _ if !flag && !quoted && in_columns(text, end, spaced) && begins_row(text, start) => {
            row(text, end, spaced).map(|past| (past, true))
        }
        b'!' if text.get(spaced + 1) == Some(&b'=') => {
            let after = skip_blanks(text, spaced + 2);
            matches!(text.get(after), Some(b'"' | b'\'')).then_some((after, false))
        }
        _ if spaced > end => word_behind(text, start, end, spaced, flag, kind),
        _ => None,
    }
}

/// The offset behind the quote that closes the name ending at `end`, and behind a bracket after that quote; and whether there
/// was a quote.
fn past_quote(text: &[u8], end: usize) -> (usize, bool) {
    let mut at = end;
    while at < text.len() && text[at] == b'\\' {
        at += 1;
    }
    if at >= text.len() || !b"\"'`".contains(&text[at]) {
        return (end, false);
    }
    at += 1;
    (at + usize::from(text.get(at) == Some(&b']')), true)
}

/// The offset behind `=`, `:`, `:=`, `=>`, `==`, and behind a type between a colon and the value (`token: String = `).
fn equals(text: &[u8], spaced: usize) -> Option<(usize, bool)> {
    let colon = text[spaced] == b':';
    let mut after = spaced + 1;
    if colon && text.get(after) == Some(&b':') {
        return None;
    }
    while after < text.len() && b"=>".contains(&text[after]) {
        after += 1;
    }
    let after = skip_blanks(text, after);
    if colon && let Some(past) = annotation(text, after) {
        return Some((past, false));
    }
    Some((list_open(text, after), false))
}

/// `define("DB_PASSWORD", "value")`; `{"name": "DB_PASSWORD", "value": "x"}`.
fn comma(text: &[u8], spaced: usize) -> Option<(usize, bool)> {
    let next = skip_space(text, spaced + 1);
    if let Some(past) = value_word(text, next) {
        return Some((past, false));
    }
    let next = skip_blanks(text, spaced + 1);
    matches!(text.get(next), Some(b'"' | b'\'')).then_some((next, true))
}

/// Kubernetes: `- name: DB_PASSWORD`, and on the next line `value: x`.
fn line_below(text: &[u8], start: usize, spaced: usize) -> Option<(usize, bool)> {
    let names = text[..start].trim_ascii_end().ends_with(b"name:");
    let next = skip_space(text, spaced);
    if names {
        value_word(text, next).map(|past| (past, false))
    } else {
        None
    }
}

/// `<Password Type="x">value</Password>`, `<Password><Value>value</Value>`: the offset behind the element's tag, or behind the
/// tag of its only child.
fn element(text: &[u8], start: usize, end: usize) -> Option<usize> {
    if !matches!(text[..start].last(), Some(b'<' | b':'))
        || !matches!(text.get(end), Some(b' ' | b'>'))
    {
        return None;
    }
    let near = &text[start.saturating_sub(24)..start];
    let open = near.iter().rposition(|byte| *byte == b'<')?;
    if near[open + 1..]
        .iter()
        .any(|byte| !byte.is_ascii_alphanumeric() && !b"_-.:".contains(byte))
    {
        return None;
    }
    let window = &text[end..text.len().min(end + 256)];
    let close = memchr::memchr2(b'>', b'\n', window)?;
    let tag = &window[..close];
    if window[close] != b'>'
        || tag.ends_with(b"/")
        || tag.contains(&b'<')
        || (!tag.is_empty() && !tag.contains(&b'='))
    {
        return None;
    }
    let at = end + close + 1;
    let rest = &text[skip_space(text, at)..];
    for child in [&b"<Value>"[..], b"<value>", b"<string>", b"<![CDATA["] {
        if rest.starts_with(child) {
            return Some(text.len() - rest.len() + child.len());
        }
    }
    (!tag.is_empty()).then_some(at)
}

/// True where a tab or several blanks separate the name from the text behind it.
fn in_columns(text: &[u8], end: usize, spaced: usize) -> bool {
    spaced > end + 1 || (spaced == end + 1 && text[end] == b'\t')
}

/// Where the value begins in a row of gh's lists (`NAME`, a tab and the value) or in columns separated by blanks, if its cell
/// holds one word.
fn row(text: &[u8], end: usize, spaced: usize) -> Option<usize> {
    let cell = &text[spaced..line_stop(text, spaced)];
    if spaced == end + 1 {
        let cell = memchr::memchr(b'\t', cell).map_or(cell, |at| &cell[..at]);
        return (!cell.contains(&b' ')).then_some(spaced);
    }
    let len = cell.iter().position(u8::is_ascii_whitespace);
    let rest = len.map_or(&b""[..], |len| &cell[len..]);
    let alone = rest.is_empty() || rest.starts_with(b"  ");
    let found = &cell[..len.unwrap_or(cell.len())];
    let version = found.first().is_some_and(u8::is_ascii_digit) && found.contains(&b'.');
    (alone && !version).then_some(spaced)
}

/// Where only a blank separates the name from the value: a flag and its value, `ENV NAME value`, `password 'x'`.
fn word_behind(
    text: &[u8],
    start: usize,
    end: usize,
    spaced: usize,
    flag: bool,
    kind: Kind,
) -> Option<(usize, bool)> {
    let byte = text[spaced];
    let apart = text[..start]
        .last()
        .is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if flag && apart {
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
    let setting_name = [&b"requirepass"[..], b"masterauth", b"bindpw", b"rootpw"]
        .iter()
        .any(|name| text[start..end].eq_ignore_ascii_case(name));
    let auth = &text[start..end] == b"AUTH" && begins_line(text, start);
    if setting_name || auth || setting(text, start) {
        return Some((spaced, false));
    }
    let is = text[spaced..]
        .strip_prefix(b"is ")
        .map(|_| skip_blanks(text, spaced + 3));
    is.map(|past| (list_open(text, past), true))
}

/// The offset behind the signs that may stand between a name and its separator: the end of bold type, the accessors of a C#
/// property (`public string Password { get; set; } = "value";`), blanks.
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

/// True behind a command of a Dockerfile, of csh, of fish or of Windows that sets a variable to the word behind its name:
/// `ENV NAME value`, `setx NAME value`.
fn exported(text: &[u8], start: usize) -> bool {
    [
        &b"ENV "[..],
        b"ARG ",
        b"setenv ",
        b"setx ",
        b"SETX ",
        b"set -x ",
        b"set -gx ",
        b"set -Ux ",
    ]
    .iter()
    .any(|word| text[..start].ends_with(word))
}

/// True where only a log's columns, a diff's sign and blanks stand before the name.
pub(in crate::redact) fn begins_row(text: &[u8], start: usize) -> bool {
    let from = start.saturating_sub(256);
    let Some(line) = memchr::memrchr(b'\n', &text[from..start])
        .map(|at| from + at + 1)
        .or((from == 0).then_some(0))
    else {
        return false;
    };
    let before = &text[line..start];
    before.iter().all(|byte| blank(*byte))
        || margin(&text[line..line_stop(text, start)]) + line
            == start
                - before
                    .iter()
                    .rev()
                    .take_while(|byte| **byte == b' ')
                    .count()
}

/// The end of the line around `at`, at most [`VALUE`] bytes behind it.
fn line_stop(text: &[u8], at: usize) -> usize {
    let window = &text[at..text.len().min(at + VALUE)];
    at + memchr::memchr2(b'\n', b'\r', window).unwrap_or(window.len())
}

/// True for a line of psql's expanded form: `name | value`, and no other cell.
fn record(text: &[u8], start: usize, bar: usize) -> bool {
    let rest = &text[bar + 1..line_stop(text, bar)];
    begins_row(text, start) && memchr::memchr(b'|', rest).is_none()
}

/// True where the name opens the first cell of a drawn row.
fn in_box(text: &[u8], start: usize) -> bool {
    let before = text[start.saturating_sub(8)..start].trim_ascii_end();
    ["│", "┃", "║"]
        .iter()
        .any(|bar| before.ends_with(bar.as_bytes()))
}

/// True where the name opens the first cell of a row.
fn in_table(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(8)..start];
    let before = before.strip_suffix(b"`").unwrap_or(before).trim_ascii_end();
    before.ends_with(b"|")
}

pub(in crate::redact) fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    let from = at;
    while at < text.len() && blank(text[at]) && at - from < 64 {
        at += 1;
    }
    at
}

pub(in crate::redact) fn skip_space(text: &[u8], mut at: usize) -> usize {
    let from = at;
    while at < text.len() && text[at].is_ascii_whitespace() && at - from < 64 {
        at += 1;
    }
    at
}

/// The offset behind `[` in `["x"]` and `[x]`: a header map prints its values as a list.
fn list_open(text: &[u8], at: usize) -> usize {
    match (text.get(at), text.get(at + 1)) {
        (Some(b'['), Some(next)) if b"\"'-_+/".contains(next) || next.is_ascii_alphanumeric() => {
            at + 1
        }
        _ => at,
    }
}

/// Behind the colon of `token: str = `, `token: &'static str = `, `token: Option<String> = `: where the value begins.
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

/// At `"value": `, `value=` or `value: `: where the value begins.
pub(in crate::redact) fn value_word(text: &[u8], at: usize) -> Option<usize> {
    let quoted = matches!(text.get(at), Some(b'"' | b'\''));
    let at = at + usize::from(quoted);
    let word = text.get(at..at + 5)?;
    if !word.eq_ignore_ascii_case(b"value") {
        return None;
    }
    let at = skip_blanks(text, at + 5 + usize::from(quoted));
    matches!(text.get(at), Some(b':' | b'=')).then(|| skip_blanks(text, at + 1))
}

/// True where `machine`, `login` or a similar word stands in the 200 bytes before, as in a .netrc.
fn netrc(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(200)..start];
    memchr::memmem::find(near, b"login ").is_some()
        || memchr::memmem::find(near, b"machine ").is_some()
        || memchr::memmem::find(near, b"wifi connect ").is_some()
        || (begins_line(text, start)
            && [&b"user "[..], b"account ", b"username "]
                .iter()
                .any(|word| memchr::memmem::find(near, word).is_some()))
}

/// True behind `aws configure set`, `npm config set`, `pip config set`: a blank separates name and value there.
fn setting(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(96)..start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |at| &near[at..]);
    memchr::memmem::find(line, b"configure set ").is_some()
        || memchr::memmem::find(line, b"config set ").is_some()
}

/// True where only indentation, the mark of a diff or list, or a word such as `export` stands before the name.
pub(in crate::redact) fn begins_line(text: &[u8], start: usize) -> bool {
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

pub(in crate::redact) fn unquoted_end(text: &[u8], at: usize) -> usize {
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
