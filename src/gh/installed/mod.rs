//! The installed gh: whether it meets the needs of a call ([`crate::gh::needs`]), by questions to the program itself.

pub mod asked;
pub mod floor;
mod meaning;
pub mod owned;

pub use asked::Installed;

#[cfg(test)]
#[path = "../../../test/rust/gh/installed.rs"]
mod tests;
