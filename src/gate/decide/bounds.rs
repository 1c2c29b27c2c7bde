//! The bounds of every call, whatever its program.

/// The longest timeout that a call may ask for, in seconds.
pub const MAX_TIMEOUT_S: u64 = 120;
/// The most that is kept of a stream, in bytes.
pub const MAX_CAP: usize = 65_536;
