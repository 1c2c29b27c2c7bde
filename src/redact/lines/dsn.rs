//! Data source names without a scheme: `user:password@tcp(host:3306)/db`, `user/password@//host:1521/service`.
//!
//! Sources: the readme of Go's `MySQL` driver (go-sql-driver/mysql, "DSN"), Oracle's "Easy Connect". `known_places` reads URLs
//! with a scheme.

use super::line_forms::likely_password;
use crate::redact::span::Span;
use crate::redact::words::value::placeholder;

/// A user and a password that together have more bytes are not found.
const REACH: usize = 160;

/// Tried at the `@` of the first form, or at the port of `user:password@host:5432/db`.
pub(in crate::redact) fn find(text: &[u8], hit: usize) -> Option<Span> {
    let from = hit.saturating_sub(REACH);
    let mut at = hit;
    if text[hit] != b'@' {
        let host = text[from..hit]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(byte))
            .count();
        at = hit.checked_sub(host + 1)?;
        if host == 0 || text[at] != b'@' {
            return None;
        }
    }
    let stop = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`<>(),;|".contains(byte);
    let before = &text[from..at];
    let word = &before[before.iter().rposition(stop).map_or(0, |at| at + 1)..];
    if memchr::memmem::find(word, b"://").is_some() {
        return None;
    }
    let oracle = text[at..].starts_with(b"@//") || text[hit..].starts_with(b":1521/");
    let sign = word
        .iter()
        .position(|byte| *byte == b':' || (oracle && *byte == b'/'))?;
    let user = &word[..sign];
    let user = memchr::memrchr(b'=', user).map_or(user, |at| &user[at + 1..]);
    let plain = user
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"._-#".contains(byte));
    let found = &word[sign + 1..];
    let shaped = found.starts_with(b"$") || found.starts_with(b"{") || found.starts_with(b"%");
    (!user.is_empty() && plain && !shaped && likely_password(found) && !placeholder(found))
        .then_some(Span {
            start: at - found.len(),
            end: at,
            name: "password",
        })
}
