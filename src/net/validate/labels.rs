//! The parts of a name.

/// The name without the dot that ends it.
pub(super) fn plain(text: &str) -> &str {
    text.strip_suffix('.').unwrap_or(text)
}

/// The parts between the dots.
pub(super) fn labels(text: &str) -> std::str::Split<'_, char> {
    plain(text).split('.')
}
