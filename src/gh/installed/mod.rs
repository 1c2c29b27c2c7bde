//! The installed gh: what it is with regard to a call ([`crate::gh::needs`]), asked of the program itself.

pub mod asked;
pub mod floor;
mod meaning;
pub mod owned;

pub use asked::Installed;

#[cfg(test)]
#[path = "../../../test/rust/gh/installed.rs"]
mod tests;
