//! The decisions about each command and flag of gh, as data: one row for each leaf and each flag, with a reason that a user is shown.
//! A leaf is a command of the catalog: `pr view`.
//!
//! A row holds all that the gate knows of a command beside gh's own syntax: what the command does, what its values name, what
//! gh takes from the checkout, how long the command may take, what a person is shown.  A command or flag without a row is unknown.

pub mod effect;
mod flags;
mod leaf;
mod leaves;
mod names;

pub use effect::Effect;
pub use flags::{FLAGS, FlagEffect, FlagRow, TEXTS};
pub use leaf::{Also, Current, LeafRow, Shape};
pub use leaves::LEAVES;
pub use names::Names;

/// The decided row of the leaf `path`, such as `pr view`.
pub fn leaf(path: &str) -> Option<&'static LeafRow> {
    LEAVES.iter().find(|row| row.path == path)
}

/// The decided row of the flag `name` on the leaf `path`: the row that names the leaf, else the one for every leaf.
pub fn flag(path: &str, name: &str) -> Option<&'static FlagRow> {
    flags::find(path, name)
}
