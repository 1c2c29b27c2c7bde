//! JSON from outside: a scan checks its depth and length before a recursive parser reads it.

use serde_json::Value;
use thiserror::Error;

/// The deepest nesting that is parsed.  A million `[` would overflow the stack of a recursive parser.
pub const MAX_DEPTH: usize = 64;

/// The most bytes of JSON that are parsed; a call's output is limited to far fewer.
pub const MAX_JSON: usize = 4 * 1024 * 1024;

/// Why a text cannot be parsed as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum JsonError {
    /// The text ends too early, because it was cut.
    #[error("the JSON ends too early")]
    Truncated,
    /// The text is no JSON, or no UTF-8.
    #[error("the text is not JSON (line {line})")]
    Malformed {
        /// Line of the first fault, from 1.
        line: usize,
    },
    /// The JSON is nested more deeply than [`MAX_DEPTH`].
    #[error("the JSON is nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The text is longer than [`MAX_JSON`].
    #[error("the JSON is longer than {MAX_JSON} bytes")]
    TooLong,
}

/// Parses `json` after a check of its depth and length.
///
/// # Errors
/// [`JsonError`].
pub fn parse_bounded(json: &[u8]) -> Result<Value, JsonError> {
    if json.len() > MAX_JSON {
        return Err(JsonError::TooLong);
    }
    if depth(json) > MAX_DEPTH {
        return Err(JsonError::TooDeep);
    }
    serde_json::from_slice(json).map_err(|e| {
        if e.is_eof() {
            JsonError::Truncated
        } else {
            JsonError::Malformed { line: e.line() }
        }
    })
}

/// The deepest nesting of brackets outside strings. In text that is no JSON, a parser would enter at most this many brackets.
fn depth(json: &[u8]) -> usize {
    let (mut now, mut deepest) = (0_usize, 0);
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'[' | b'{' => {
                now += 1;
                deepest = deepest.max(now);
            }
            b']' | b'}' => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> String {
        format!("{}{}", "[".repeat(depth), "]".repeat(depth))
    }

    #[test]
    fn depth_is_bounded_before_the_parser_runs() {
        assert!(parse_bounded(nested(64).as_bytes()).is_ok());
        assert_eq!(
            parse_bounded(nested(65).as_bytes()),
            Err(JsonError::TooDeep)
        );
        assert_eq!(
            parse_bounded("[".repeat(1_000_000).as_bytes()),
            Err(JsonError::TooDeep)
        );
        let objects = format!("{}1{}", r#"{"a":"#.repeat(65), "}".repeat(65));
        assert_eq!(parse_bounded(objects.as_bytes()), Err(JsonError::TooDeep));
    }

    #[test]
    fn only_brackets_outside_strings_count() {
        let text = format!(r#"["{}", "\"{}"]"#, "[".repeat(500), "{".repeat(500));
        assert!(parse_bounded(text.as_bytes()).is_ok());
        let open = format!(r#"["\\", {}]"#, nested(64));
        assert_eq!(parse_bounded(open.as_bytes()), Err(JsonError::TooDeep));
    }

    #[test]
    fn cut_and_broken_json_are_told_apart() {
        assert_eq!(parse_bounded(br#"{"a": "b"#), Err(JsonError::Truncated));
        assert_eq!(parse_bounded(b""), Err(JsonError::Truncated));
        assert_eq!(
            parse_bounded(b"no json"),
            Err(JsonError::Malformed { line: 1 })
        );
        assert_eq!(
            parse_bounded(b"{}\n{}"),
            Err(JsonError::Malformed { line: 2 })
        );
        assert_eq!(
            parse_bounded(b"[\"\xff\"]"),
            Err(JsonError::Malformed { line: 1 })
        );
        assert_eq!(
            parse_bounded(&vec![b' '; MAX_JSON + 1]),
            Err(JsonError::TooLong)
        );
    }
}
