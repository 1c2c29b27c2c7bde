//! A Guard: the check whether a program may be used at all, made on a worker before the first child of a call.

use crate::gate::decide::kind::Refusal;
use crate::run;

/// A check of a program, made on the worker thread before the first child of a call; for example, of the program's version.
pub trait Guard: Send + Sync {
    /// Checks that the program may be used; commands that the check needs, such as `gh --version`, run through `run`.
    ///
    /// # Errors
    /// The refusal that ends the call.
    fn check(&self, run: &mut dyn FnMut(&run::Command) -> run::Captured) -> Result<(), Refusal>;
}
