//! The module's doors: every function that Lisp can call, by what it is about, and nothing else.
//!
//! Each is `cj/gate--mod-NAME` in Lisp; the public ones, with their documentation, stand in `lisp/`.

mod audit;
mod call;
mod gh;
mod kept;
mod net;
mod person;
mod text;
mod worker;

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

/// Panic, so that a test can see what comes of it.
#[cfg(debug_assertions)]
#[defun]
fn panic(env: &Env, message: String) -> Result<Value<'_>> {
    super::answer(env, || -> std::result::Result<(), Fault> {
        panic!("{message}")
    })
}

/// The programs that calls can be planned for, a row each.
const PROGRAMS: &[&dyn Program] = &[&Gh, &Net];

/// The program that Lisp calls by this name.
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

/// What cleans texts for a child's ENVIRONMENT, a list of strings.
fn cleaner(env: &Env, environment: Value<'_>) -> std::result::Result<Cleaner, Fault> {
    let held = secrets_held(&convert::utf8_strings(env, environment)?.into());
    // Whatever program a call could not be planned for: text for people is masked as in a call of gh.
    Ok(Cleaner::holding(&held).reading(&GhRoles))
}
