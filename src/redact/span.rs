//! A stretch of bytes that must not be seen, and the union of many.

/// `start..end` of the text, masked under `name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    /// The type that the mark says.
    pub name: &'static str,
}

/// Joins overlapping spans; the longest of a group gives its name. Sorted by start.
pub(super) fn union(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    let mut longest = 0;
    for span in spans {
        if span.start >= span.end {
            continue;
        }
        match out.last_mut() {
            Some(last) if span.start < last.end => {
                if span.end - span.start > longest {
                    longest = span.end - span.start;
                    last.name = span.name;
                }
                last.end = last.end.max(span.end);
            }
            _ => {
                longest = span.end - span.start;
                out.push(span);
            }
        }
    }
    out
}
