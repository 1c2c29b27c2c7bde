//! What a word is: a name that holds a secret, a value that can be one, code, or a sentence around them.

pub(super) mod code;
pub(super) mod names;
pub(super) mod prose;
pub(super) mod value;
