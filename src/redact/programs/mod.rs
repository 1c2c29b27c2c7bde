//! Command lines of well-known programs.

pub(super) mod command_line;
pub(super) mod table;
