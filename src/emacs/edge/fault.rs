//! How a door fails: every refusal, panic and conversion error becomes a Lisp condition under `cj/gate-error`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use emacs::{Env, IntoLisp, Result, Value};

use crate::gate::{self, Cleaner, ErrorKind, PlanError, Refusal};

/// Why a door returns no value.
#[derive(Debug)]
pub enum Fault {
    /// A Lisp error, which is signalled unchanged.
    Lisp(emacs::Error),
    /// A refusal; its kind names the condition.
    Refusal(Refusal),
    /// The error of a Plan that cannot be approved or started.
    Plan(PlanError),
}

impl From<emacs::Error> for Fault {
    fn from(error: emacs::Error) -> Self {
        Self::Lisp(error)
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<PlanError> for Fault {
    fn from(error: PlanError) -> Self {
        Self::Plan(error)
    }
}

/// Runs `body`, the body of a door, and returns its value or signals its fault.
///
/// A refusal signals `cj/gate-KIND` with the data `(MESSAGE :kind KIND)`; a Plan's own errors signal `cj/gate-denied` and `cj/gate-used`;
/// a panic signals `cj/gate-panic`.  The symbols are defined in `lisp/cj-gate-load.el`.
pub fn answer<'e, T: IntoLisp<'e>>(
    env: &'e Env,
    body: impl FnOnce() -> std::result::Result<T, Fault>,
) -> Result<Value<'e>> {
    let made = catch_unwind(AssertUnwindSafe(body));
    match made {
        Ok(Ok(value)) => value.into_lisp(env),
        Ok(Err(Fault::Lisp(error))) => Err(error),
        Ok(Err(Fault::Refusal(refusal))) => signal(
            env,
            &format!("cj/gate-{}", refusal.kind),
            &refusal.message,
            refusal.kind,
        ),
        Ok(Err(Fault::Plan(error))) => {
            let symbol = match error {
                PlanError::Denied(_) => "cj/gate-denied",
                PlanError::Used => "cj/gate-used",
            };
            signal(env, symbol, &error.to_string(), ErrorKind::PolicyBlocked)
        }
        Err(panic) => {
            let message = format!(
                "The module met a state it does not know: {}\nNothing was run.  Please report it with the output of `M-x cj/gh-doctor'.",
                panic_text(panic.as_ref())
            );
            signal(env, "cj/gate-panic", &message, ErrorKind::Module)
        }
    }
}

fn signal<'e>(env: &'e Env, symbol: &str, message: &str, kind: ErrorKind) -> Result<Value<'e>> {
    // A message can repeat an argument, and an argument can contain a token.
    let message = Cleaner::latest().text(message);
    let data = env.list((message, env.intern(":kind")?, env.intern(kind.as_str())?))?;
    env.call("signal", (env.intern(symbol)?, data))
}

/// The message of `panic`.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "an unnamed panic".into())
}

/// Keeps the messages of panics off the terminal, which belongs to Emacs; the place of the last panic is kept for the report.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|panic| {
        if let Some(place) = panic.location() {
            gate::panicked_at(place);
        }
    }));
}
