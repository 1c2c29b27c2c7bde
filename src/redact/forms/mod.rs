//! What shows itself by its own form: tokens, key blocks, base64, records with fixed places, values that are known.

pub(super) mod base64;
pub(super) mod known;
pub(super) mod pem;
pub(super) mod records;
pub(super) mod rules;
pub(super) mod view;
