//! A body, or its beginning with a notice of the cut and the way to the rest.

use super::clean::Clean;
use crate::text::numbers::grouped;

/// Characters of the body in an excerpt.
pub const EXCERPT_CHARS: usize = 400;

/// Most bytes of the body that are shown with `include_body`.
pub const BODY_BYTES: usize = 2_048;

/// Most bytes of the body below a brief: both together then stay below the 800 tokens of a result (`gate::result::budget`).
pub(super) const BRIEF_BYTES: usize = 1_700;

/// How far back from the limit a cut looks for the end of a word, in bytes.
const WORD: usize = 40;

/// Beginnings of the header line and of the renderers' notices; a line of a body that begins so gets `> ` before it.
const OURS: &[&str] = &["[gh ", "[body cut", "[fields cut"];

/// The text of `raw`: an excerpt of [`EXCERPT_CHARS`], or up to `most` bytes; `again` is the command that prints all of it.
pub(super) fn body(raw: &str, most: Option<usize>, again: &str, clean: Clean<'_>) -> String {
    body_of(raw, 0, most, again, clean)
}

/// As [`body`], of a text that has at least `total` bytes: `raw` may be only its beginning.
pub(super) fn body_of(
    raw: &str,
    total: usize,
    most: Option<usize>,
    again: &str,
    clean: Clean<'_>,
) -> String {
    let body = clean(&raw.replace("\r\n", "\n"));
    let body = body.trim_end().trim_start_matches('\n');
    if body.is_empty() {
        return "no body".to_owned();
    }
    let limit = match most {
        Some(most) => floor_boundary(body, most),
        None => body
            .char_indices()
            .nth(EXCERPT_CHARS)
            .map_or(body.len(), |(at, _)| at),
    };
    if limit == body.len() {
        return set_off(body);
    }
    let shown = &body[..word_end(body, limit)];
    let notice = if most.is_some() {
        format!(
            "[body cut: {} of {} bytes; whole: {again}]",
            grouped(shown.len()),
            grouped(total.max(body.len()))
        )
    } else {
        format!(
            "[body cut: {} of {} characters; include_body for up to 2 KB]",
            grouped(shown.chars().count()),
            grouped(body.chars().count())
        )
    };
    format!("{}\n{notice}", set_off(shown))
}

/// The end of the last whole word before `limit` (a character boundary), if one ends nearby; else `limit`.
fn word_end(text: &str, limit: usize) -> usize {
    let inside = text[limit..]
        .chars()
        .next()
        .is_some_and(|c| !c.is_whitespace());
    let head = &text[..limit];
    if !inside {
        return head.trim_end().len();
    }
    match head.rfind(char::is_whitespace) {
        Some(at) if limit - at <= WORD => head[..at].trim_end().len(),
        _ => limit,
    }
}

/// The largest character boundary that is not after `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at)
        .rev()
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(0)
}

/// `body` with `> ` before each line that begins like one of [`OURS`].
fn set_off(body: &str) -> String {
    let lines: Vec<String> = body
        .lines()
        .map(|line| {
            let start = line.trim_start().to_ascii_lowercase();
            if OURS.iter().any(|ours| start.starts_with(ours)) {
                format!("> {line}")
            } else {
                line.to_owned()
            }
        })
        .collect();
    lines.join("\n")
}
