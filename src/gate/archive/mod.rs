//! Unpacking an archive from outside so that its files can land only in a new directory of their own.
//!
//! Three parts: [`names`] accepts or refuses names and makes the names on disk; [`unpack`] judges all entries of a zip file
//! before it writes the first one; [`staging`] makes the directory: files are written to a hidden directory, which one rename then
//! moves to its place, or which is removed with all its files.

pub mod names;
pub mod staging;
mod trouble;
pub mod unpack;

pub use staging::{FreePlace, Staging, create};
pub use trouble::ArchiveError;
pub use unpack::{ArchiveLimits, Written, unpack};

#[cfg(test)]
#[path = "../../../test/rust/gate/archive.rs"]
mod tests;
