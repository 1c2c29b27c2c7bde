//! Text of any program or forge: its length in tokens, diffs, JSON, escapes, terminal sequences, single lines, lines that say the same, patterns of file names, and numbers and sizes for readers.

pub mod escapes;
pub mod fnv;
pub mod fold;
pub mod glob;
pub mod json;
pub mod numbers;
pub mod one_line;
pub mod terminal;
pub mod tokens;
pub mod unified;
