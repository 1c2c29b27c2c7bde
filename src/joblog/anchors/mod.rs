//! Anchors: the lines by which tools say what went wrong, as data, and how they are found.
//!
//! A row has literals and a pattern. One pass over a line looks for the literals of all rows, and only the rows with a
//! literal in the line try their patterns: the work is linear in the log's length whatever the number of rows. A new tool is
//! a new row.

mod builds;
mod compilers;
pub mod features;
mod finder;
pub(super) mod forms;
mod general;
mod harmless;
mod lint;
mod machines;
mod packages;
mod reach;
mod row;
pub(super) mod runner;
mod services;
mod suites;
pub(super) mod wrapped;

pub(super) use finder::find;
pub(super) use harmless::{clean_up, harmless_output};
pub(super) use reach::{block, headings};
pub(super) use row::{LIKELY, Row, Take};
