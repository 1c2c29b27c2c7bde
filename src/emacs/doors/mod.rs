//! The module's doors: the functions that Lisp can call, a file for each subject.
//!
//! A door is `cj/gate--mod-NAME` in Lisp.  `lisp/` has the public functions, with their documentation.

mod audit;
mod call;
mod gh;
mod kept;
mod net;
mod person;
mod text;
mod watch;
mod worker;
mod worktree;

use emacs::{Env, Result, Value, defun};

use super::Fault;
use super::edge::{convert, fault};
use super::gh::Gh;
use super::net::Net;
use super::program::Program;
use crate::gate::result::secrets_held::secrets_held;
use crate::gate::{Cleaner, ErrorKind, Refusal};
use crate::gh::judge::roles::GhRoles;

emacs::plugin_is_GPL_compatible!();

#[emacs::module(
    name = "cj-gate-module",
    defun_prefix = "cj/gate--mod",
    mod_in_name = false
)]
fn init(_: &Env) -> Result<()> {
    fault::quiet_panics();
    Ok(())
}

/// The module's version.
#[defun]
fn version() -> Result<&'static str> {
    Ok(env!("CARGO_PKG_VERSION"))
}

/// Panic with MESSAGE, for tests.
#[cfg(debug_assertions)]
#[defun]
fn panic(env: &Env, message: String) -> Result<Value<'_>> {
    super::answer(env, || -> std::result::Result<(), Fault> {
        panic!("{message}")
    })
}

/// The programs that calls can be planned for.
const PROGRAMS: &[&dyn Program] = &[&Gh, &Net];

/// The program that Lisp calls `program`.
///
/// # Errors
/// `bad-argument` for an unknown name.
fn known(program: &str) -> std::result::Result<&'static dyn Program, Refusal> {
    let found = PROGRAMS.iter().find(|one| one.name() == program);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = PROGRAMS.iter().map(|one| one.name()).collect();
        Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "There is no program `{program}' here.\nUse {}.",
                names.join(" or ")
            ),
        )
    })
}

/// The cleaner that also masks the secret values in `environment`, a list of strings.
fn cleaner(env: &Env, environment: Value<'_>) -> std::result::Result<Cleaner, Fault> {
    let held = secrets_held(&convert::utf8_strings(env, environment)?.into());
    // A call that could not be planned may be of any program; `GhRoles` reads none but gh's command lines.
    Ok(Cleaner::holding(&held).reading(&GhRoles))
}
