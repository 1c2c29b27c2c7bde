//! The stretches of a text that are masked, after all findings are joined.

use super::forms::known::Known;
use super::mark::{MARK_OPEN, mark_len};
use super::scan;
use super::section::Section;
use super::span::{self, Span};

/// The spans of `text` to mask: sorted, not overlapping, on borders of UTF-8 characters. No span covers a mark and nothing else.
pub(super) fn spans(text: &[u8], known: &Known) -> Vec<Span> {
    settled(text, scan::spans(text, known))
}

/// The result of [`spans`], and the sections of `text`.
pub(super) fn sections(text: &[u8], known: &Known) -> (Vec<Span>, Vec<Section>) {
    let (spans, sections) = scan::sections(text, known);
    (settled(text, spans), sections)
}

/// Widens and joins the found spans as the doc of [`spans`] promises.
fn settled(text: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
    if !spans.is_empty() {
        for span in &mut spans {
            widen(text, span);
        }
        spans = span::union(spans);
        spans.retain(|span| mark_len(&text[span.start..span.end]) != Some(span.end - span.start));
    }
    spans
}

/// Widens `span` so that it begins and ends inside no mark and no UTF-8 character.
fn widen(text: &[u8], span: &mut Span) {
    let continues = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut steps = 0;
    while continues(span.end) && steps < 3 {
        span.end += 1;
        steps += 1;
    }
    steps = 0;
    while span.start > 0 && continues(span.start) && steps < 3 {
        span.start -= 1;
        steps += 1;
    }
    let longest = MARK_OPEN.len() + 41;
    let near = span.start.saturating_sub(longest);
    if let Some(at) = memchr::memmem::rfind(&text[near..span.start.min(text.len())], b"[") {
        let open = near + at;
        if let Some(len) = mark_len(&text[open..])
            && open + len > span.start
        {
            span.start = open;
            span.end = span.end.max(open + len);
        }
    }
    let near = span.end.saturating_sub(longest).max(span.start);
    if let Some(at) = memchr::memmem::rfind(&text[near..span.end], b"[") {
        let open = near + at;
        if let Some(len) = mark_len(&text[open..]) {
            span.end = span.end.max(open + len);
        }
    }
}
