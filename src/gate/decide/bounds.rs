//! The limits of every call of every program.

/// The longest timeout that a call may ask for, in seconds.
pub const MAX_TIMEOUT_S: u64 = 120;
/// The most bytes kept of one output stream.
pub const MAX_CAP: usize = 65_536;
