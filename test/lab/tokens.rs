//! Which of the named test tokens a request carried: the log says a label, never the value.
//! One with the label `expired` is refused, as GitHub refuses a token that was revoked or is too old.

use sha2::{Digest, Sha256};

/// The `--token LABEL=VALUE` pairs.
#[derive(Debug, Clone, Default)]
pub struct Tokens(Vec<(String, String)>);

impl Tokens {
    /// Adds one LABEL=VALUE; false when there is no `=`, label or value.
    pub fn add(&mut self, pair: &str) -> bool {
        match pair.split_once('=') {
            Some((label, value)) if !label.is_empty() && !value.is_empty() => {
                self.0.push((label.to_owned(), value.to_owned()));
                true
            }
            _ => false,
        }
    }

    /// The label of the token in an Authorization header; `sha256:` and 12 hex digits for one without a name; `None` without a token.
    pub fn label(&self, authorization: Option<&str>) -> Option<String> {
        let header = authorization?;
        // gh says `token VALUE`, curl and gptel say `Bearer VALUE`.
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
