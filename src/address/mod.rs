//! IP addresses: the one spelling of an address that is read, and the ranges that say whose an address is.

pub mod literal;
pub mod ranges;
