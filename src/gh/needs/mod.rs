//! What a call needs of the installed gh, and whether that gh has it, as far as its version and its help pages tell.
//!
//! Where gh lacks a word of the command, an alias or an extension of the user's may own the word, and a call that was judged by what the
//! command does would run that.  So what counts is the version that gh says it has, by [`crate::gh::catalog::since`]; and where no release tells
//! (a build from source, what is newer than the catalog), the help pages of this very gh ([`pages`]).  Nothing here asks a program:
//! [`crate::gh::installed`] does.

mod call;
pub mod pages;
mod standing;

pub use call::Needs;
pub use standing::Standing;
