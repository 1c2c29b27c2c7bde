//! A program that calls are planned for: what its own code says of its arguments and options.
//!
//! One program is one type with this trait, and one row in `doors/mod.rs`.

use emacs::{Env, Value};

use super::edge::fault::Fault;
use crate::gate::{Class, Judge, Plan, Refusal};
use crate::run::Handle;

/// What gets the answer to a question about a program, on a worker thread, exactly once.
pub type Done = Box<dyn FnOnce(Result<(), Refusal>) + Send>;

/// Starts the question that has to be answered before a call is planned.
pub type Before = Box<dyn FnOnce(Done) -> Handle>;

/// One call as Lisp passes it.
pub struct LispCall<'e> {
    /// The Emacs that it comes from.
    pub env: &'e Env,
    /// A list or vector of strings.
    pub argv: Value<'e>,
    /// What is asked for besides, a plist.
    pub keys: Value<'e>,
    /// The user's options for the program, a plist.
    pub options: Value<'e>,
}

/// A program as the doors know it.
pub trait Program: Sync {
    /// The name in Lisp and in the header line.
    fn name(&self) -> &'static str;

    /// Passes where nothing is wrong with a call, before anything runs for it.
    fn check(&self, call: &LispCall<'_>) -> Result<(), Fault>;

    /// What a plan of the call has to know of the program; none where that is known, or nothing.
    fn before(&self, _call: &LispCall<'_>) -> Result<Option<Before>, Fault> {
        Ok(None)
    }

    /// The Plan of a call.
    fn plan(&self, call: &LispCall<'_>) -> Result<Plan, Fault>;

    /// Class and command of a call that could not be planned.
    fn unplanned(&self, argv: &[String]) -> (Class, String);

    /// What says which policy holds for a target, by OPTIONS.
    fn judge(&self, env: &Env, options: Value<'_>) -> Result<Box<Judge>, Fault>;
}
