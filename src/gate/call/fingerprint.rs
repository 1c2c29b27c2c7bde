//! The fingerprint of a call: a digest by which two calls can be told to be the same.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// sha256 over the parts, each with its length before it, so that no two lists of parts run together.
pub(in crate::gate) fn fingerprint<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
