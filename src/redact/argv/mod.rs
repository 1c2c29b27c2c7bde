//! Argument lists, by the roles of their flags.

pub(super) mod document;
pub mod roles;
pub(super) mod words;
