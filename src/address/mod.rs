//! IP addresses: reading the one accepted spelling, and the table of ranges that says whose address it is.

pub mod literal;
pub mod ranges;
