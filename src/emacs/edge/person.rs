//! The check that a person pressed a key for a command, made before an approval, a lease or a resume.
//!
//! Lisp that runs in this Emacs can do anything, so the check cannot stop hostile Lisp.  It stops code that runs without a person: a
//! timer, a process, a tool, a keyboard macro, a batch Emacs.

use emacs::{Env, Result, Value};

use super::fault::Fault;
use crate::gate::PlanError;

/// Checks that the command `command` runs because a person pressed a key.  `elsewhere` is the two-line message where another command
/// runs; its second line says what to do.
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
    // Any Lisp can bind `noninteractive`, so an Emacs without a terminal, or in which no key was ever pressed, counts as one without a
    // person, too.
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
    // The command has no keys where Lisp called it.
    if keys("this-single-command-keys")? == 0 {
        return denied(&format!(
            "No key was pressed.\n{}",
            elsewhere.lines().last().unwrap_or_default()
        ));
    }
    Ok(())
}
