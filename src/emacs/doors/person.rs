//! The doors for a person's decisions: approving, giving and ending leases, stopping and resuming the gate.

use std::time::Duration;

use emacs::{Env, Result, Value, defun};

use crate::emacs::answer;
use crate::emacs::edge::{person, plist, values};
use crate::emacs::gate::plists;
use crate::gate;

/// See `cj/gate-approve`.  MAX-AGE is in seconds.
#[defun]
fn approve<'e>(env: &'e Env, plan: Value<'e>, digest: String, max_age: u64) -> Result<Value<'e>> {
    answer(env, || {
        person::pressed_for(
            env,
            "cj/gate-approval-accept",
            "Only the key in the approval buffer approves.\nGo there with `M-x cj/gate-approvals'.",
        )?;
        values::plan(plan)?.approve(&digest, Duration::from_secs(max_age))?;
        Ok(true)
    })
}

/// See `cj/gate-lease`.  MAX-AGE is in seconds.
#[defun]
fn lease<'e>(
    env: &'e Env,
    plan: Value<'e>,
    digest: String,
    max_age: u64,
    minutes: u64,
) -> Result<Value<'e>> {
    answer(env, || {
        person::pressed_for(
            env,
            "cj/gate-approval-lease",
            "Only the key in the approval buffer gives a lease.\nGo there with `M-x cj/gate-approvals'.",
        )?;
        values::plan(plan)?.lease(&digest, Duration::from_secs(max_age), minutes)?;
        Ok(true)
    })
}

/// The leases that hold, a list of plists.
/// Each has `:number`, `:program`, `:command`, `:host`, `:owner`, `:repo`, `:account`, `:cwd`, `:seconds` (left) and `:uses`.
#[defun]
fn leases(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        Ok(plists::leases(env, &gate::record::leases::list())?)
    })
}

/// End the lease NUMBER; return non-nil if it held until now.
#[defun]
fn revoke(number: u64) -> Result<bool> {
    Ok(gate::record::leases::revoke(number))
}

/// Stop the gate; return how many runs were queued or under way.  See `cj/gate-stop`.
#[defun]
fn halt(env: &Env) -> Result<Value<'_>> {
    answer(env, || Ok(plist::count(gate::decide::stop::stop())))
}

/// Whether the gate is stopped.
#[defun]
fn stopped() -> Result<bool> {
    Ok(gate::decide::stop::stopped())
}

/// Let calls run again; only the command `cj/gate-resume`, called with a key, can do this.
#[defun]
fn resume(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        person::pressed_for(
            env,
            "cj/gate-resume",
            "Only the command `cj/gate-resume' resumes.\nA person calls it with `M-x cj/gate-resume'.",
        )?;
        gate::decide::stop::resume();
        Ok(true)
    })
}
