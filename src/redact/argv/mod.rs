//! Masks the secrets and the private text in argument lists, by what each flag takes.

pub(super) mod document;
pub mod roles;
pub(super) mod words;
