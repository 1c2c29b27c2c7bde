//! gh's JSON, and the errors for JSON that cannot be rendered.

use serde_json::Value;
use thiserror::Error;

use crate::gate::ErrorKind;
use crate::text::json::{self, JsonError, MAX_DEPTH, MAX_JSON};

/// Why a JSON text gives no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RenderError {
    /// The JSON ends too early: the output was cut.
    #[error("gh's JSON ends too early")]
    Truncated,
    /// The output is not JSON, or not UTF-8.
    #[error("gh's output is not JSON (line {line})")]
    Malformed {
        /// Line of the first fault, from 1.
        line: usize,
    },
    /// The JSON is nested more deeply than [`MAX_DEPTH`].
    #[error("gh's JSON is nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The JSON is longer than [`MAX_JSON`] bytes.
    #[error("gh's JSON is longer than {MAX_JSON} bytes")]
    TooLong,
    /// The JSON has another shape than the command's output.
    #[error("gh's JSON is not the {expected} that was asked for")]
    Shape {
        /// The noun for the command's output: `list`.
        expected: &'static str,
    },
}

impl RenderError {
    /// The kind for the header line and the record.
    pub const fn kind(self) -> ErrorKind {
        match self {
            Self::Truncated | Self::TooLong => ErrorKind::Truncated,
            Self::Malformed { .. } | Self::TooDeep | Self::Shape { .. } => ErrorKind::Failed,
        }
    }

    /// Two lines: the first says what happened, the second what to do.
    pub fn message(self) -> String {
        let todo = match self.kind() {
            ErrorKind::Truncated => "Narrow the query: fewer fields, or a smaller limit.",
            _ => "Try again; M-x cj/gh-tool-last-error shows the whole record.",
        };
        format!("{self}.\n{todo}")
    }
}

impl From<JsonError> for RenderError {
    fn from(error: JsonError) -> Self {
        match error {
            JsonError::Truncated => Self::Truncated,
            JsonError::Malformed { line } => Self::Malformed { line },
            JsonError::TooDeep => Self::TooDeep,
            JsonError::TooLong => Self::TooLong,
        }
    }
}

/// The value of `json`, as [`json::parse_bounded`] reads it.
pub fn parse_bounded(json: &[u8]) -> Result<Value, RenderError> {
    Ok(json::parse_bounded(json)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_has_its_kind_and_says_what_to_do() {
        let error = |json: &[u8]| parse_bounded(json).expect_err("no JSON");
        assert_eq!(error(b"[").kind(), ErrorKind::Truncated);
        assert_eq!(error(b"no json").kind(), ErrorKind::Failed);
        assert_eq!(RenderError::Truncated.kind(), ErrorKind::Truncated);
        assert_eq!(RenderError::TooDeep.kind(), ErrorKind::Failed);
        assert_eq!(RenderError::TooDeep.message().lines().count(), 2);
    }
}
