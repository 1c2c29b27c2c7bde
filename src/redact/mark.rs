//! The marks that stand in place of secrets: `[REDACTED:type]`.

/// The beginning of a mark; the type and `]` follow: `[REDACTED:github-token]`.
pub(super) const MARK_OPEN: &[u8] = b"[REDACTED:";

/// The length of the mark at the start of `text`, if one stands there.
pub(super) fn mark_len(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(MARK_OPEN)?;
    let name = rest
        .iter()
        .take(40)
        .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || **byte == b'-')
        .count();
    (name > 0 && rest.get(name) == Some(&b']')).then(|| MARK_OPEN.len() + name + 1)
}
