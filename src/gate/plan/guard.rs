//! A Guard: whether a program may be used at all, asked on a worker before its first child.

use crate::gate::decide::kind::Refusal;
use crate::run;

/// Checked on the worker thread before the first child of a program: a version floor, for example.
pub trait Guard: Send + Sync {
    /// Runs what it must through `run` and says whether the program may be used.
    ///
    /// # Errors
    /// The refusal that ends the call.
    fn check(&self, run: &mut dyn FnMut(&run::Command) -> run::Captured) -> Result<(), Refusal>;
}
