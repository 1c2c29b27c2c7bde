//! The trait of a program that calls are planned for, which reads the program's arguments and options from Lisp.
//!
//! Each program is one type with this trait, and one entry of `PROGRAMS` in `doors/mod.rs`.

use emacs::{Env, Value};

use super::edge::fault::Fault;
use crate::gate::decide::policy::Act;
use crate::gate::{Class, Judge, Plan, Refusal};
use crate::run::Handle;

/// The function that gets the answer to a question about a program, on a worker thread, exactly once.
pub type Done = Box<dyn FnOnce(Result<(), Refusal>) + Send>;

/// The function that asks a program a question which must be answered before a call is planned.
pub type Before = Box<dyn FnOnce(Done) -> Handle>;

/// One call as Lisp passes it.
pub struct LispCall<'e> {
    /// The Emacs that makes the call.
    pub env: &'e Env,
    /// The arguments, a list or vector of strings.
    pub argv: Value<'e>,
    /// The other keys of the call, such as `:cwd` and `:timeout`, a plist.
    pub keys: Value<'e>,
    /// The user's options for the program, a plist.
    pub options: Value<'e>,
}

/// A program that the doors can plan calls for.
pub trait Program: Sync {
    /// The name in Lisp and in the header line.
    fn name(&self) -> &'static str;

    /// Checks a call before any program runs for it.
    ///
    /// # Errors
    /// The first fault of the call.
    fn check(&self, call: &LispCall<'_>) -> Result<(), Fault>;

    /// The question that the program must answer before the call is planned, such as for its version; none if no answer is missing.
    fn before(&self, _call: &LispCall<'_>) -> Result<Option<Before>, Fault> {
        Ok(None)
    }

    /// Plans a call.
    ///
    /// # Errors
    /// Why the call cannot be planned.
    fn plan(&self, call: &LispCall<'_>) -> Result<Plan, Fault>;

    /// The acts that have rows of their own in the program's policy.
    fn acts(&self) -> &'static [Act] {
        &[]
    }

    /// The class and the command of a call that could not be planned.
    fn unplanned(&self, argv: &[String]) -> (Class, String);

    /// The function that returns the policy for a target, under `options`.
    fn judge(&self, env: &Env, options: Value<'_>) -> Result<Box<Judge>, Fault>;
}
