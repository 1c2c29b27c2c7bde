//! cj-gate: the gate through which an LLM agent in Emacs acts on the outside world.
//!
//! This crate is both an Emacs dynamic module and a plain library.
//! The core (`gate`, `run`, `redact`, `gh`, `net`) knows nothing of Emacs; with the feature `module`
//! off, the crate builds and tests without it.  What Lisp can call stands in `emacs/doors/`.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests make files, start programs and ask for their surroundings; the code is checked without them"
    )
)]

#[cfg(feature = "module")]
mod emacs;
pub mod foreign;
pub mod gate;
pub mod gh;
pub mod net;
pub mod redact;
pub mod run;
