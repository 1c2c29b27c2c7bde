//! The Emacs side: the functions that Lisp calls, and the conversion of values in both directions.
//!
//! Only this folder names the `emacs` crate, and nothing here decides about a call.  `doors/` has the functions that Lisp can call;
//! `edge/` has conversions, conditions and the doorbell; `gate/` has the property lists that all programs share; `gh.rs` and `net.rs`
//! have those of one program, and implement the trait in `program.rs`; `failure.rs` has those of an explained failure, `watch.rs` those
//! of a watch over workflow runs, `worktree.rs` those of worktrees.

#[allow(
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    reason = "the `defun` macro prescribes the signature of a door"
)]
mod doors;
pub mod edge;
pub mod failure;
pub mod gate;
pub mod gh;
pub mod net;
pub mod program;
pub mod watch;
pub mod worktree;

pub use edge::{Fault, answer};
