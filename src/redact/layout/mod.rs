//! How a text is laid out: columns before a line, members of an object.

pub(super) mod columns;
pub(super) mod members;
