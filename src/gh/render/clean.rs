//! Text from outside is made harmless before it is cut or brought onto one line.

use crate::text::one_line;

/// Makes outside text harmless: shows escapes and invisible characters, masks secrets, and leaves nothing that looks like the header line
/// of a result.
pub type Clean<'a> = &'a dyn Fn(&str) -> String;

/// A string cleaned and brought onto one line: line ends and other white space become single spaces.
pub(crate) fn one_line(raw: &str, clean: Clean<'_>) -> String {
    one_line::one_line(&clean(raw))
}
