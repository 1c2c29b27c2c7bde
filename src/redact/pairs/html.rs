//! Tables of HTML whose header names a secret: the cells of that column.

use super::judge::bounded_secret;
use crate::redact::span::Span;
use crate::redact::words::names::kind;

/// How many bytes of a table are read.
const REACH: usize = 8 * 1024;

/// Tried at a telling word; returns the offset up to which rows have been read.
pub(in crate::redact) fn find(
    text: &[u8],
    hit: usize,
    hit_end: usize,
    out: &mut Vec<Span>,
) -> Option<usize> {
    let window = &text[hit_end..text.len().min(hit_end + 48)];
    let close = memchr::memmem::find(window, b"</t")?;
    let header = [&b"h>"[..], b"d>"]
        .iter()
        .any(|rest| window[close + 3..].starts_with(rest));
    let near = hit.saturating_sub(1024);
    let open = near + memchr::memrchr(b'>', &text[near..hit])?;
    let name = &text[open + 1..hit_end + close];
    let kind = kind(name)?;
    if !header || name.contains(&b'<') {
        return None;
    }
    let row = near + memchr::memmem::rfind(&text[near..hit], b"<tr")?;
    let nth = cells(text, row + 3, hit_end + close + 5)
        .len()
        .checked_sub(1)?;
    let end = text.len().min(hit + REACH);
    let end = memchr::memmem::find(&text[hit..end], b"</table").map_or(end, |at| hit + at);
    let mut at = hit;
    while let Some(next) = memchr::memmem::find(&text[at..end], b"<tr") {
        let from = at + next + 3;
        let stop = memchr::memmem::find(&text[from..end], b"<tr").map_or(end, |next| from + next);
        if let Some(&(start, to)) = cells(text, from, stop).get(nth)
            && bounded_secret(&text[start..to], kind)
        {
            out.push(Span {
                start,
                end: to,
                name: "password",
            });
        }
        at = stop;
    }
    Some(at.max(hit_end))
}

/// The text of each `<td>` and `<th>` between `at` and `end`, without the elements around it.
fn cells(text: &[u8], mut at: usize, end: usize) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    while out.len() < 32 {
        let Some(next) = memchr::memmem::find(&text[at..end], b"<t") else {
            break;
        };
        let tag = at + next;
        at = tag + 2;
        let cell = matches!(text.get(at), Some(b'd' | b'h'))
            && matches!(text.get(at + 1), Some(b'>' | b' '));
        if !cell {
            continue;
        }
        let Some(past) = memchr::memchr(b'>', &text[at..end]) else {
            break;
        };
        let mut from = at + past + 1;
        // <td><code>x</code></td>
        while text[from..end].starts_with(b"<") && !text[from..end].starts_with(b"</") {
            match memchr::memchr(b'>', &text[from..end]) {
                Some(past) => from += past + 1,
                None => return out,
            }
        }
        let to = memchr::memchr(b'<', &text[from..end]).map_or(end, |len| from + len);
        let trimmed = text[from..to].trim_ascii();
        let start = from + (text[from..to].len() - text[from..to].trim_ascii_start().len());
        out.push((start, start + trimmed.len()));
        at = to;
    }
    out
}
