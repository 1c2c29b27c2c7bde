//! Anchors: the lines by which tools say what went wrong, as data, and how they are found.
//!
//! A row has literals and a pattern. One pass over a line looks for the literals of all rows, and only the rows with a
//! literal in the line try their patterns: the work is linear in the log's length whatever the number of rows. A new tool is
//! a new row.

mod builds;
mod compilers;
mod finder;
mod general;
mod lint;
mod machines;
mod packages;
mod row;
mod services;
mod suites;

pub(super) use finder::{compiled, find, is_doing, is_dull, is_meant};
pub(super) use row::Take;
