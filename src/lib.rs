//! cj-gate: the gate through which an LLM agent in Emacs acts on the outside world.
//!
//! This crate is both an Emacs dynamic module and a plain library.
//! The core (every folder but `emacs`) knows nothing of Emacs; with the feature `module` off, the crate builds and tests without Emacs.
//! `emacs/doors/` has the functions that Lisp can call.  test/rust/layout checks which folder may use which other folder.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests make files, start programs and read the environment; the lint checks the code without its tests"
    )
)]

pub mod address;
#[cfg(feature = "module")]
mod emacs;
pub mod foreign;
pub mod gate;
pub mod gh;
pub mod git;
pub mod joblog;
pub mod net;
pub mod redact;
pub mod run;
pub mod text;
