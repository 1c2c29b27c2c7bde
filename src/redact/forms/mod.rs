//! Secrets that are recognised by their own form: tokens, key blocks, base64, records with fixed fields, known values.

pub(super) mod base64;
pub(super) mod known;
pub(super) mod pem;
pub(super) mod records;
pub(super) mod rules;
pub(super) mod view;
