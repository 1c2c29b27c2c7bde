//! A name and its value: where the value begins, and what it is.

pub(super) mod apart;
pub(super) mod assign;
pub(super) mod calls;
pub(super) mod html;
pub(super) mod separator;
