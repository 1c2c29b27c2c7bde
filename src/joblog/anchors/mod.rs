//! Anchors: the lines by which tools say what went wrong, as data, and how they are found.
//!
//! A row has literals that one pass over a line looks for, and a pattern that only a line with one of them is held against,
//! so the work is linear in the log's length whatever the number of rows. A new tool is a new row.

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
