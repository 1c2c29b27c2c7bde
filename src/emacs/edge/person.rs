//! Whether a person pressed a key for a command: what approves, and what resumes, asks here.
//!
//! Lisp that runs in this Emacs can do anything; this keeps out what comes by itself: a timer, a process, a tool, a macro, batch.

use emacs::{Env, Result, Value};

use super::fault::Fault;
use crate::gate::PlanError;

/// Passes when the command COMMAND runs by a key that a person pressed; `elsewhere` says what to do where another one runs.
///
/// # Errors
/// `cj/gate-denied` where nobody can be asked, another command runs, or no key was pressed.
pub fn pressed_for(env: &Env, command: &str, elsewhere: &str) -> std::result::Result<(), Fault> {
    let denied = |why: &str| Err(PlanError::Denied(why.into()).into());
    let value = |name: &str| -> Result<Value<'_>> { env.call("symbol-value", [env.intern(name)?]) };
    let is = |name: &str| -> Result<bool> { Ok(value(name)?.is_not_nil()) };
    let keys = |function: &str| -> Result<i64> {
        env.call("length", [env.call(function, &[][..])?])?
            .into_rust()
    };
    // A variable can be bound by any Lisp, a test's too; where no key ever came, there is no person.
    let no_display = env
        .call("terminal-name", &[][..])?
        .into_rust::<Option<String>>()?
        .is_none_or(|name| name == "initial_terminal");
    if is("noninteractive")?
        || is("executing-kbd-macro")?
        || no_display
        || keys("recent-keys")? == 0
    {
        return denied(
            "No person can be asked here (batch, or a keyboard macro).\nAsk in an Emacs that somebody sits at.",
        );
    }
    if value("this-command")? != env.intern(command)? {
        return denied(elsewhere);
    }
    // A command that Lisp calls under that name has no keys.
    if keys("this-single-command-keys")? == 0 {
        return denied(&format!(
            "No key was pressed.\n{}",
            elsewhere.lines().last().unwrap_or_default()
        ));
    }
    Ok(())
}
