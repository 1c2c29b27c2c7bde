//! The hash chain of one writer: each line states a hash over the line itself and the hash before it.
//!
//! A writer is one Emacs with one log folder.  Writers take turns in a file, each with a chain of its own (`w=ID n=NUMBER h=HASH`),
//! so that nobody has to read what another Emacs wrote before writing.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Hexadecimal digits of a hash that are kept: 128 bits.  Whoever changes a line needs another one with the same hash, which takes
/// 2^128 tries; even two lines of one's own choosing with one hash take 2^64.  All 256 bits would make each line a tenth longer.
pub const DIGITS: usize = 32;

/// Hexadecimal digits of a writer's id, and of the hash by which a torn piece is vouched for.
pub const WRITER_DIGITS: usize = 16;

/// The hash before the first line.
pub const START: &str = "00000000000000000000000000000000";

/// The hash of a line: sha256 over the hash before it, in hexadecimal, and `body`, the line's bytes before ` h=`; its first half.
pub fn hash(before: &str, body: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(before.as_bytes());
    hash.update(body);
    hex(&hash.finalize())
}

/// A short hash of a torn piece of a line, by which the line below it vouches for it.
pub fn digest(piece: &[u8]) -> String {
    let mut hex = hex(&Sha256::digest(piece));
    hex.truncate(WRITER_DIGITS);
    hex
}

fn hex(bytes: &[u8]) -> String {
    let half = bytes.iter().take(DIGITS / 2);
    half.fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
