//! The Emacs edge: values in and out, condition symbols, the doorbell, and the doors themselves.
//!
//! Only this folder names the `emacs` crate.  Nothing in here decides anything about a call.

pub mod audit;
#[allow(
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    reason = "the shape of a door is that of the `defun` macro"
)]
mod doors;
pub mod edge;
pub mod plist;
pub mod settings;

pub use edge::{Fault, answer};
