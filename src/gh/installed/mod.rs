//! The installed gh: whether it meets the needs of a call ([`crate::gh::needs`]).  The program itself is asked.

pub mod asked;
pub mod guard;
mod meaning;
pub mod owned;

pub use asked::Installed;

#[cfg(test)]
#[path = "../../../test/rust/gh/installed.rs"]
mod tests;
