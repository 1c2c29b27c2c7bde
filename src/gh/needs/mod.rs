//! What a call needs of the installed gh, and whether that gh has it, as far as its version and its help pages tell.
//!
//! Where gh lacks a word of the command, an alias or an extension of the user may own the word, and a call that was judged by gh's command
//! would run that alias or extension.  So the version that gh prints decides, by [`crate::gh::catalog::since`]; and where it does not
//! (a build from source, a gh newer than the catalog), the help pages of this very gh do ([`pages`]).  This folder starts no program;
//! [`crate::gh::installed`] does.

mod call;
pub mod pages;
mod standing;

pub use call::Needs;
pub use standing::Standing;
