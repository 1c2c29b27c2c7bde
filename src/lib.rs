//! cj-gate: the gate through which an LLM agent in Emacs acts on the outside world.
//!
//! This crate is both an Emacs dynamic module and a plain library.
//! The core (everything but `emacs`) knows nothing of Emacs; with the feature `module` off, the crate builds and tests without it.
//! What Lisp can call stands in `emacs/doors/`.  Which folder may use which is held by test/rust/layout.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests make files, start programs and ask for their surroundings; the code is checked without them"
    )
)]

pub mod address;
#[cfg(feature = "module")]
mod emacs;
pub mod foreign;
pub mod gate;
pub mod gh;
pub mod joblog;
pub mod net;
pub mod redact;
pub mod run;
pub mod text;
