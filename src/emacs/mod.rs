//! The Emacs edge: values in and out, condition symbols, the doorbell, and the doors themselves.
//!
//! Only this folder names the `emacs` crate.  Nothing in here decides anything about a call.  `doors/` is what Lisp can call; `gate/`
//! has the plists that all programs share, `gh.rs` and `net.rs` those of one program each, and what `program.rs` wants of it.

#[allow(
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    reason = "the shape of a door is that of the `defun` macro"
)]
mod doors;
pub mod edge;
pub mod gate;
pub mod gh;
pub mod net;
pub mod program;

pub use edge::{Fault, answer};
