//! FNV-1a with 64 bits: a quick hash for keys that no attacker chooses, or for places where a collision does no harm.
//!
//! Source: draft-eastlake-fnv, section 2.

use std::hash::Hasher;

/// A hasher; its default state is the offset basis of FNV-1a.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
