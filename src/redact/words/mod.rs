//! Judges words: names that promise a secret, values that may be one, code, and sentences that tell one.

pub(super) mod code;
pub(super) mod names;
pub(super) mod prose;
pub(super) mod value;
