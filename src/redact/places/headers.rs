//! Credentials in HTTP headers: `Authorization`, cookies, and `Bearer X` or `Basic X` without a header's name before it.
//!
//! Sources: RFC 9110 section 11.6 (Authorization), RFC 6265 (cookies), RFC 7617 (Basic).

use super::known_places::{WINDOW, line_end, sentinel, skip_blanks, word_end};
use crate::redact::pairs::separator::{skip_space, value_word};
use crate::redact::span::Span;
use crate::redact::words::names;
use crate::redact::words::value::{closing, placeholder, random, secret_name, words_only};

/// Where the value of a header begins, behind the closing quote of the name, the separator and opening quotes; and how the
/// value ends.
fn header_value(text: &[u8], name_start: usize, name_end: usize) -> Option<(usize, Close)> {
    let mut at = name_end;
    while text.get(at) == Some(&b'\\') {
        at += 1;
    }
    let quoted_name = matches!(text.get(at), Some(b'"' | b'\'' | b'`'));
    if !quoted_name {
        at = name_end;
    }
    at = skip_blanks(text, at + usize::from(quoted_name));
    if quoted_name && text.get(at) == Some(&b']') {
        at = skip_blanks(text, at + 1);
    }
    match text.get(at)? {
        b':' | b'=' => at += 1,
        b',' if quoted_name => {
            // {"name": "Authorization", "value": "Bearer x"}
            at = value_word(text, skip_space(text, at + 1)).unwrap_or(at + 1);
        }
        // proxy_set_header Authorization "Basic x";
        b'"' | b'\'' if !quoted_name && at > name_end => {}
        _ => return None,
    }
    while matches!(text.get(at), Some(b'=' | b'>' | b':')) {
        at += 1;
    }
    at = skip_blanks(text, at);
    let mut close = Close {
        quote: None,
        slashes: 0,
    };
    if text.get(at) == Some(&b'[') {
        at = skip_blanks(text, at + 1);
        close.quote = Some(b']');
    }
    let slashes = text[at..]
        .iter()
        .take(8)
        .take_while(|byte| **byte == b'\\')
        .count();
    if let Some(quote @ (b'"' | b'\'' | b'`')) = text.get(at + slashes).copied() {
        at += slashes + 1;
        close = Close {
            quote: Some(quote),
            slashes,
        };
    } else if close.quote.is_none() {
        // The whole header may stand in quotes: -H "Authorization: x".
        let before = &text[..name_start];
        close.quote = before
            .last()
            .copied()
            .filter(|byte| b"\"'`".contains(byte) && !quoted_name);
        if close.quote.is_some() {
            let before = &before[..before.len() - 1];
            close.slashes = before
                .iter()
                .rev()
                .take(8)
                .take_while(|byte| **byte == b'\\')
                .count();
        }
    }
    Some((at, close))
}

/// How a value ends: at `quote` with `slashes` backslashes before it, or without `quote` at the end of the line.
#[derive(Clone, Copy)]
struct Close {
    quote: Option<u8>,
    slashes: usize,
}

fn value_end(text: &[u8], at: usize, close: Close) -> usize {
    let mut end = line_end(text, at);
    // A line break as JSON writes it.
    for escape in [&b"\\n"[..], b"\\r"] {
        end = memchr::memmem::find(&text[at..end], escape).map_or(end, |found| at + found);
    }
    let Some(quote) = close.quote else { return end };
    closing(&text[..end], at, quote, close.slashes, WINDOW).unwrap_or(end)
}

pub(in crate::redact) fn authorization(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    let mut start = hit;
    while start > 0
        && hit - start < 32
        && (text[start - 1].is_ascii_alphanumeric() || text[start - 1] == b'-')
    {
        start -= 1;
    }
    if let Some(after) = text.get(hit_end)
        && (after.is_ascii_alphanumeric() || *after == b'_' || *after == b'-')
    {
        return None;
    }
    let (at, close) = header_value(text, start, hit_end)?;
    let end = value_end(text, at, close);
    let scheme_end = word_end(text, at, end);
    let scheme = &text[at..scheme_end];
    let next = skip_blanks(text, scheme_end).min(end);
    let name = "authorization-header";
    if next == scheme_end || next >= end {
        // No scheme: one opaque word.
        let word = &text[at..scheme_end];
        let masked = !placeholder(word) && (random(word, 8) || sentinel(word));
        return masked.then_some(Span {
            start: at,
            end: scheme_end,
            name,
        });
    }
    if !scheme
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_')
    {
        return None;
    }
    let simple = [
        &b"bearer"[..],
        b"token",
        b"basic",
        b"apikey",
        b"key",
        b"ssws",
        b"negotiate",
        b"privatetoken",
    ]
    .iter()
    .any(|known| scheme.eq_ignore_ascii_case(known));
    let to = if simple {
        credentials_end(text, next, end)
    } else {
        parameters_end(text, next, line_end(text, at)).unwrap_or(end)
    };
    // Token token="x"
    let to = if text[next..to].ends_with(b"=") {
        parameters_end(text, next, line_end(text, at)).unwrap_or(to)
    } else {
        to
    };
    let found = text[next..to].trim_ascii_end();
    if found.is_empty() || placeholder(found) || secret_name(found) {
        return None;
    }
    if !simple && (words_only(found) || found.starts_with(b"=")) {
        return None; // "Authorization: read only" in prose, "Authorization: u32 = 24" in code
    }
    if simple
        && (found.len() < 4 || (found.iter().all(u8::is_ascii_lowercase) && words_only(found)))
    {
        return None; // "Authorization: token required"
    }
    Some(Span {
        start: next,
        end: next + found.len(),
        name,
    })
}

/// The end of the word behind `Bearer`. Unlike [`word_end`] it does not stop at `<` or `>`: `<token>` is one word.
fn credentials_end(text: &[u8], at: usize, end: usize) -> usize {
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,;)]}\\".contains(byte);
    at + text[at..end].iter().position(stop).unwrap_or(end - at)
}

/// The end of parameters such as `name=value, name="value"`; their quotes may have the backslashes of the text around them.
fn parameters_end(text: &[u8], from: usize, end: usize) -> Option<usize> {
    let mut at = from;
    let mut past = None;
    loop {
        at = skip_blanks(text, at);
        let name = text[at..end]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || b"-_".contains(b))
            .count();
        if name == 0 || text.get(at + name) != Some(&b'=') || at + name >= end {
            return past;
        }
        at += name + 1;
        let slashes = text[at..end]
            .iter()
            .take_while(|byte| **byte == b'\\')
            .count();
        if let Some(quote @ (b'"' | b'\'')) = text[at..end].get(slashes).copied() {
            at += slashes + 1;
            at = closing(&text[..end], at, quote, slashes, WINDOW)? + slashes + 1;
        } else {
            let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`,)]}\\".contains(byte);
            at += text[at..end].iter().position(stop).unwrap_or(end - at);
        }
        past = Some(at);
        if text[..end].get(at) != Some(&b',') {
            return past;
        }
        at += 1;
    }
}

pub(in crate::redact) fn cookie(
    text: &[u8],
    hit: usize,
    hit_end: usize,
    out: &mut Vec<Span>,
) -> Option<()> {
    let set = text[..hit].len() >= 4 && text[hit - 4..hit].eq_ignore_ascii_case(b"set-");
    let start = if set { hit - 4 } else { hit };
    if text[..start]
        .last()
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_')
    {
        return None;
    }
    if !matches!(text.get(hit_end), Some(b':' | b'"' | b'\'' | b'\\' | b'=')) {
        return None;
    }
    let (at, close) = header_value(text, start, hit_end)?;
    let mut end = value_end(text, at, close);
    if set {
        end = memchr::memchr(b';', &text[at..end]).map_or(end, |found| at + found);
    }
    // Each pair is judged by itself: `theme=dark` beside a session's cookie stays.
    let mut from = at;
    while from < end {
        let stop = memchr::memchr(b';', &text[from..end]).map_or(end, |found| from + found);
        let value = memchr::memchr(b'=', &text[from..stop])? + from;
        let pair = text[from..value].trim_ascii();
        let named = pair
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.%".contains(byte));
        if pair.is_empty() || !named {
            return None;
        }
        let found = text[value + 1..stop].trim_ascii_end();
        let plain = found.len() < 24 && words_only(found) && names::kind(pair).is_none();
        let few = found.iter().filter(|byte| byte.is_ascii_digit()).count() < 3;
        let word = plain && few && found.len() < 24;
        if !word
            && !placeholder(found)
            && found.len() >= 6
            && !crate::redact::words::code::looks_like_code(found)
        {
            out.push(Span {
                start: value + 1,
                end: value + 1 + found.len(),
                name: "cookie",
            });
        }
        from = stop + 1;
    }
    Some(())
}

pub(in crate::redact) fn bearer(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    if text[..hit].last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let end = text.len().min(hit_end + WINDOW);
    let to = word_end(text, hit_end, end);
    let found = &text[hit_end..to];
    let found = found.strip_suffix(b".").unwrap_or(found);
    (random(found, 16) && !placeholder(found)).then_some(Span {
        start: hit_end,
        end: hit_end + found.len(),
        name: "bearer-token",
    })
}

/// `Basic dXNlcjpwYXNzd29yZA==` without a header's name before it.
pub(in crate::redact) fn basic(text: &[u8], hit: usize, hit_end: usize) -> Option<Span> {
    if text[..hit].last().is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let end = text.len().min(hit_end + WINDOW);
    let to = word_end(text, hit_end, end);
    crate::redact::forms::base64::credentials(&text[hit_end..to]).then_some(Span {
        start: hit_end,
        end: to,
        name: "basic-credentials",
    })
}
