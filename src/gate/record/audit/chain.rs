//! The hash chain of one writer: each line states a hash over the line itself and the hash before it.
//!
//! A writer is one Emacs with one log folder.  Several writers append to the same file, each with a chain of its own
//! (`w=ID n=NUMBER h=HASH`), so that no Emacs has to read another one's lines before it writes.

use sha2::{Digest, Sha256};

use crate::text::escapes;

/// Hexadecimal digits kept of a hash: 128 bits.  Changing a line unseen needs another line with the same hash, which takes 2^128
/// tries; even finding any two lines with one hash takes 2^64.  All 256 bits would make each line a tenth longer.
pub const DIGITS: usize = 32;

/// Hexadecimal digits of a writer's id, and of the hash of a torn piece in `torn=LENGTH/HASH`.
pub const WRITER_DIGITS: usize = 16;

/// The hash that stands before a writer's first line: [`DIGITS`] zeros.
pub const START: &str = "00000000000000000000000000000000";

/// The hash of a line: the first [`DIGITS`] digits of SHA-256 over `before`, the previous hash in hexadecimal, and `body`, the
/// line's bytes before ` h=`.
pub fn hash(before: &str, body: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(before.as_bytes());
    hash.update(body);
    hex(&hash.finalize())
}

/// The short hash of `piece`, a torn piece of a line.  The line below states this hash under `torn` and so vouches for the piece.
pub fn digest(piece: &[u8]) -> String {
    let mut hex = hex(&Sha256::digest(piece));
    hex.truncate(WRITER_DIGITS);
    hex
}

/// The first digits of a hash, as many as a line has.
fn hex(hash: &[u8]) -> String {
    escapes::hex(&hash[..DIGITS / 2])
}
