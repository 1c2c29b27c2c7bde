//! The members of one object, in JSON, in flow and block YAML, and in code that looks like them.
//!
//! All members are read together, since one may explain another: the name and the value are two members in
//! `{"value": "x", "name": "DB_PASSWORD"}`, and `"kty": "EC"` says what kind of object it is.

use super::columns::{line, margin, next};

/// A larger object, in bytes, is not read.
const REACH: usize = 6 * 1024;
/// An object's members beyond this number are not read.
const MOST: usize = 48;

/// One member: the borders of its key and of its value, both without their quotes.
#[derive(Clone, Copy, Debug)]
pub(in crate::redact) struct Member {
    pub key: (usize, usize),
    pub value: (usize, usize),
    pub quoted: bool,
    /// The value is an object, whose members begin here.
    pub open: Option<usize>,
}

/// The members of the object around `at`, and where the object ends.
pub(in crate::redact) fn around(text: &[u8], at: usize) -> Option<(Vec<Member>, usize)> {
    flow(text, at, REACH, REACH).or_else(|| block(text, at))
}

/// The members of the object in braces around `at`, which begins at most `reach` bytes before `at` and ends at most `most`
/// bytes behind it; and where the object ends.
pub(in crate::redact) fn flow(
    text: &[u8],
    at: usize,
    reach: usize,
    most: usize,
) -> Option<(Vec<Member>, usize)> {
    let from = at.saturating_sub(reach);
    let mut depth = 0_usize;
    let open = (from..at).rev().find(|&nth| match text[nth] {
        b'}' | b']' => {
            depth += 1;
            false
        }
        b'[' => {
            depth = depth.saturating_sub(1);
            false
        }
        b'{' if depth == 0 => true,
        b'{' => {
            depth -= 1;
            false
        }
        _ => false,
    })?;
    // `${{ x }}` and `{{ x }}` are no objects.
    if text[..open].ends_with(b"{") || text.get(open + 1) == Some(&b'{') {
        return None;
    }
    let (members, end) = inside(text, open + 1, at - open + most);
    (members.len() > 1 && end > at).then_some((members, end))
}

/// The members behind a `{` that ends at `at`, within `reach` bytes; and where they end.
pub(in crate::redact) fn inside(text: &[u8], mut at: usize, reach: usize) -> (Vec<Member>, usize) {
    let limit = text.len().min(at + reach);
    let mut out = Vec::new();
    while out.len() < MOST {
        at = skip(text, at, limit);
        let Some((key, _, after)) = scalar(text, at, limit, b":=,{}[]") else {
            break;
        };
        let colon = skip(text, after, limit);
        if !matches!(text[..limit].get(colon), Some(b':' | b'=')) {
            break;
        }
        let mut from = colon + 1;
        while matches!(text[..limit].get(from), Some(b'=' | b'>' | b' ' | b'\t')) {
            from += 1;
        }
        from = skip(text, from, limit);
        match text[..limit].get(from) {
            Some(b'{' | b'[') => {
                let Some(end) = balanced(text, from, limit) else {
                    break;
                };
                out.push(Member {
                    key,
                    value: (end, end),
                    quoted: false,
                    open: (text[from] == b'{').then_some(from + 1),
                });
                at = end;
            }
            Some(_) => {
                let Some((value, quoted, end)) = scalar(text, from, limit, b",}]") else {
                    break;
                };
                out.push(Member {
                    key,
                    value,
                    quoted,
                    open: None,
                });
                at = end;
            }
            None => break,
        }
        let value_end = at;
        at = skip(text, at, limit);
        match text[..limit].get(at) {
            Some(b',' | b';') => at += 1,
            // Terraform separates members by line breaks.
            Some(byte) if *byte != b'}' && text[value_end..at].contains(&b'\n') => {}
            Some(b'}') => {
                at += 1;
                break;
            }
            _ => break,
        }
    }
    (out, at)
}

fn skip(text: &[u8], mut at: usize, limit: usize) -> usize {
    while at < limit && text[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

/// A string in quotes, or a bare word up to one of `stops` or the end of the line: its borders, whether it is quoted, and the
/// offset behind it.
fn scalar(
    text: &[u8],
    at: usize,
    limit: usize,
    stops: &[u8],
) -> Option<((usize, usize), bool, usize)> {
    let first = *text[..limit].get(at)?;
    if b"\"'`".contains(&first) {
        let mut to = at + 1;
        while to < limit && text[to] != first {
            to += if text[to] == b'\\' { 2 } else { 1 };
        }
        return (to < limit).then_some(((at + 1, to), true, to + 1));
    }
    let mut to = at;
    while to < limit && !stops.contains(&text[to]) && text[to] != b'\n' {
        to += 1;
    }
    let len = text[at..to].trim_ascii_end().len();
    (len > 0).then_some(((at, at + len), false, to))
}

/// The offset behind the bracket that closes the one at `at`.
fn balanced(text: &[u8], at: usize, limit: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut nth = at;
    while nth < limit {
        match text[nth] {
            b'"' => {
                let mut to = nth + 1;
                while to < limit && text[to] != b'"' {
                    to += if text[to] == b'\\' { 2 } else { 1 };
                }
                nth = to;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(nth + 1);
                }
            }
            _ => {}
        }
        nth += 1;
    }
    None
}

/// A line of block YAML as `key: value`: the column of the key, whether a list item begins, key and value.
pub(in crate::redact) struct Entry {
    pub column: usize,
    pub item: bool,
    pub member: Option<Member>,
}

/// Reads the line `start..end`; `None` for an empty line or a comment.
pub(in crate::redact) fn entry(text: &[u8], start: usize, end: usize) -> Option<Entry> {
    let from = (start + margin(&text[start..end])).min(end);
    let mut at = from;
    let mut item = false;
    loop {
        while at < end && text[at] == b' ' {
            at += 1;
        }
        if text[at..end].starts_with(b"- ") {
            item = true;
            at += 1;
        } else {
            break;
        }
    }
    if at >= end || text[at] == b'#' {
        return None;
    }
    let column = at - from;
    let quoted_key = matches!(text[at], b'"' | b'\'');
    let member = scalar(text, at, end, b":").and_then(|(key, _, after)| {
        let colon = if quoted_key {
            skip(text, after, end)
        } else {
            after
        };
        let spaced = text[..end]
            .get(colon + 1)
            .is_none_or(u8::is_ascii_whitespace);
        if text[..end].get(colon) != Some(&b':') || !spaced || key.1 - key.0 > 253 {
            return None;
        }
        let from = skip(text, colon + 1, end);
        let (value, quoted) = match text[..end].get(from) {
            None | Some(b'#') => ((end, end), false),
            Some(b'"' | b'\'') => scalar(text, from, end, b"")
                .map_or(((from, end), false), |(value, quoted, _)| (value, quoted)),
            Some(_) => {
                let value = &text[from..end];
                let comment = memchr::memmem::find(value, b" #").unwrap_or(value.len());
                let len = value[..comment].trim_ascii_end().len();
                ((from, from + len), false)
            }
        };
        Some(Member {
            key,
            value,
            quoted,
            open: None,
        })
    });
    Some(Entry {
        column,
        item,
        member,
    })
}

fn block(text: &[u8], at: usize) -> Option<(Vec<Member>, usize)> {
    let (start, end) = line(text, at, 1024)?;
    let here = entry(text, start, end)?;
    here.member?;
    let mut out: Vec<Member> = Vec::new();
    out.extend(here.member);
    let mut first = start;
    let mut item = here.item;
    for _ in 0..MOST {
        if item || first == 0 {
            break;
        }
        let Some((start, end)) = line(text, first - 1, 1024) else {
            break;
        };
        match entry(text, start, end) {
            Some(entry) if entry.column == here.column => {
                let Some(member) = entry.member else { break };
                out.insert(0, member);
                item = entry.item;
            }
            Some(entry) if entry.column > here.column => {}
            _ => break,
        }
        first = start;
    }
    let mut last = end;
    for _ in 0..MOST {
        let from = last + usize::from(text.get(last) == Some(&b'\r'));
        let Some((start, end)) = next(text, from, 1024) else {
            break;
        };
        match entry(text, start, end) {
            Some(entry) if entry.column == here.column && !entry.item => {
                let Some(member) = entry.member else { break };
                out.push(member);
            }
            Some(entry) if entry.column > here.column => {}
            _ => break,
        }
        last = end;
    }
    (out.len() > 1).then_some((out, last))
}
