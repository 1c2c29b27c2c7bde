//! Text of any program or forge: its length in tokens, diffs, JSON, escapes, single lines, and numbers and sizes for readers.

pub mod escapes;
pub mod fnv;
pub mod json;
pub mod numbers;
pub mod one_line;
pub mod tokens;
pub mod unified;
