//! Text in general, whatever program or forge it comes from: its length in tokens, diffs, lines, numbers and sizes for readers.

pub mod escapes;
pub mod fnv;
pub mod json;
pub mod numbers;
pub mod one_line;
pub mod tokens;
pub mod unified;
