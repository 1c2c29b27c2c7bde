//! Bytes written as two hexadecimal digits, alone or behind a percent sign (RFC 3986, section 2.1).

use std::fmt::Write;

/// The byte of the two hexadecimal digits `high` and `low`, in either case; none where one of them is no such digit.
pub fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    };
    Some(digit(high)? * 16 + digit(low)?)
}

/// `bytes` as hexadecimal digits, in lower case: `0aff`.
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(out, "{byte:02x}").expect("a string takes all that is written");
    }
    out
}

/// Appends the percent escape of `byte` to `out`, with upper-case digits: `%2D`.
pub fn push_percent(byte: u8, out: &mut String) {
    write!(out, "%{byte:02X}").expect("a string takes all that is written");
}

/// `text` with its percent escapes decoded.  A `%` without two hexadecimal digits stays; bytes that are not UTF-8 become U+FFFD.
pub fn percent_decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        if byte == b'%'
            && let (Some(high), Some(low)) = (ahead.next(), ahead.next())
            && let Some(escaped) = hex_byte(high, low)
        {
            out.push(escaped);
            bytes = ahead;
        } else {
            out.push(byte);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `text` for one segment of a path or one value of a query: every byte that is not an unreserved character of RFC 3986 is
/// percent-encoded.
pub fn percent_encoded(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for &byte in text {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            push_percent(byte, &mut out);
        }
    }
    out
}
