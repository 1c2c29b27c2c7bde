//! The fingerprint of a call: two calls with the same parts have the same digest.

use sha2::{Digest, Sha256};

use crate::text::escapes::hex;

/// SHA-256 over `parts`, in hexadecimal.  Each part is hashed behind its length, so that `ab`, `c` and `a`, `bc` differ.
pub(in crate::gate) fn fingerprint<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize())
}
