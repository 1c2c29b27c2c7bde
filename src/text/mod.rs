//! Text in general, whatever program or forge it comes from: its length in tokens, diffs, lines, numbers and sizes for readers.

pub mod tokens;
pub mod unified;
