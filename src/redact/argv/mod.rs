//! Argument lists, by the roles of their flags.

pub(super) mod document;
pub(super) mod words;
