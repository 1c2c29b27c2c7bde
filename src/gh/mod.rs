//! gh, GitHub's command-line program: what its command lines mean, where they go and what comes back.
//!
//! An argv is parsed by gh's own rules ([`parse`]) against what gh has ([`catalog`]), judged by what is decided about each command
//! and flag ([`rows`], [`judge`]) and by whether the gh at hand has them ([`needs`], [`installed`]), pinned to one place ([`place`]),
//! planned ([`call`]), shown to a person ([`question`]) and run with what a child of it gets ([`child`]).  [`drift`] compares the gh at
//! hand with the catalog.  What comes back is rendered ([`render`]) or explained ([`errors`]); [`tools`] has what needs more
//! than one call.

pub mod call;
pub mod catalog;
pub mod child;
pub mod drift;
pub mod errors;
pub mod installed;
pub mod judge;
pub mod needs;
pub mod parse;
pub mod place;
pub mod question;
pub mod render;
pub mod rows;
pub mod tools;
