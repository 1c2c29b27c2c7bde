//! An archive from outside, unpacked so that it can reach nothing but its own new directory.
//!
//! Three parts: [`names`] says which names are taken and what they are called on disk, [`unpack`] judges all entries of a zip file
//! before it writes the first one, and [`staging`] has the directory: everything is written where nobody looks yet, and comes to
//! its place by one rename, or goes away whole.

pub mod names;
pub mod staging;
mod trouble;
pub mod unpack;

pub use staging::{FreePlace, Staging};
pub use trouble::ArchiveError;
pub use unpack::{ArchiveLimits, Written, unpack};

#[cfg(test)]
#[path = "../../../test/rust/gate/archive.rs"]
mod tests;
