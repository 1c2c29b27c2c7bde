//! gh's JSON made into short text that a model reads: no braces, nothing cut without saying so.
//!
//! Every string from outside passes the caller's `clean` before it is cut, so that no escape, invisible character or
//! secret is split past recognition; single-line values are then kept on one line, so that none can begin a line of its own.

mod artifacts;
mod body;
mod checks;
mod diff;
mod fields;
mod files;
mod item;
mod json;
mod list;
mod threads;
mod time;
mod value;

pub use artifacts::{artifacts, size};
pub use body::{BODY_BYTES, EXCERPT_CHARS};
pub use checks::checks;
pub use diff::{diff, patch};
pub use fields::{FIELDS, Fields, FieldsError, fields};
pub use files::files;
pub use item::{Item, item};
pub use json::{MAX_DEPTH, MAX_JSON, RenderError, parse_bounded};
pub use list::{List, Total, entries, list};
pub use threads::threads;
pub(crate) use value::one_line;

/// Makes outside text harmless: escapes and invisible characters visible, secrets masked, nothing like our header.
pub type Clean<'a> = &'a dyn Fn(&str) -> String;

/// A count with its thousands apart, `5,312`.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (5_312, "5,312"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(count), text);
        }
    }
}
