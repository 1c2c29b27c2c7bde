//! A stretch of bytes that is masked, and the union of several.

/// `start..end` of the text, masked under `name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    /// The type in the mark, such as `github-token`.
    pub name: &'static str,
}

/// Joins overlapping spans; the longest span of a group gives the name. The result is sorted by start.
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
