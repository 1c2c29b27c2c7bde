//! The labels of a DNS name.

/// The name without a dot at its end.
pub(super) fn plain(text: &str) -> &str {
    text.strip_suffix('.').unwrap_or(text)
}

/// The labels: the parts between the dots.
pub(super) fn labels(text: &str) -> std::str::Split<'_, char> {
    plain(text).split('.')
}
