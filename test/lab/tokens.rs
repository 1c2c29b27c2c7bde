//! The labels of the tests' tokens: the log names the label of a request's token, never its value.
//! A token with the label `expired` is refused, as GitHub refuses a token that was revoked or has expired.

use sha2::{Digest, Sha256};

/// The `--token LABEL=VALUE` pairs.
#[derive(Debug, Clone, Default)]
pub struct Tokens(Vec<(String, String)>);

impl Tokens {
    /// Adds `pair`, a text `LABEL=VALUE`; returns false if `=`, the label or the value is missing.
    pub fn add(&mut self, pair: &str) -> bool {
        match pair.split_once('=') {
            Some((label, value)) if !label.is_empty() && !value.is_empty() => {
                self.0.push((label.to_owned(), value.to_owned()));
                true
            }
            _ => false,
        }
    }

    /// Returns the label of the token in an Authorization header; `sha256:` and 12 hex digits for a token without a label; `None` without a
    /// token.
    pub fn label(&self, authorization: Option<&str>) -> Option<String> {
        let header = authorization?;
        // gh sends `token VALUE`, curl and gptel send `Bearer VALUE`.
        let value = header
            .split_once(' ')
            .map_or(header, |(_, value)| value)
            .trim();
        if value.is_empty() {
            return None;
        }
        if let Some((label, _)) = self.0.iter().find(|(_, known)| known == value) {
            return Some(label.clone());
        }
        let digest = Sha256::digest(value.as_bytes());
        let start = digest.iter().take(6);
        Some(start.fold("sha256:".to_owned(), |text, byte| {
            format!("{text}{byte:02x}")
        }))
    }
}
