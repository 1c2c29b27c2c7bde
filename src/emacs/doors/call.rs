//! The doors of one call: checking, planning and running it, and recording a call that does not run.

use emacs::{Env, IntoLisp, Result, Value, defun};

use super::{cleaner, known};
use crate::emacs::edge::doorbell::{self, Finished, WorkKind};
use crate::emacs::edge::{convert, plist, values};
use crate::emacs::gate::{plists, settings};
use crate::emacs::program::LispCall;
use crate::emacs::{Fault, answer};
use crate::gate::{self, Answered, ErrorKind, Refusal};

/// The faults of POLICY, an alist like `cj/gh-policy` for PROGRAM: a list of sentences.
#[defun]
fn policy_complaints<'e>(env: &'e Env, program: String, policy: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let acts = known(&program)?.acts();
        let policy = gate::Policy::from_rows(&convert::rows(env, policy)?, acts);
        Ok(plist::strings(env, &policy.complaints)?)
    })
}

/// Check a call before any program runs for it, git included; signal its first fault.
#[defun]
fn check<'e>(
    env: &'e Env,
    program: String,
    argv: Value<'e>,
    keys: Value<'e>,
    options: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        gate::decide::stop::check()?;
        known(&program)?.check(&LispCall {
            env,
            argv,
            keys,
            options,
        })
    })
}

/// See `cj/gate-plan`.
#[defun]
fn plan<'e>(
    env: &'e Env,
    program: String,
    argv: Value<'e>,
    keys: Value<'e>,
    options: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let mut plan = known(&program)?.plan(&LispCall {
            env,
            argv,
            keys,
            options,
        })?;
        plan.belongs_to(settings::chat(env, keys)?);
        Ok(values::give_plan(env, plan)?)
    })
}

/// See `cj/gate-plan-info`.
#[defun]
fn plan_info<'e>(env: &'e Env, plan: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let plan = values::plan(plan)?;
        Ok(plists::info(
            env,
            plan.info(),
            plan.refusal().as_ref(),
            plan.leased(),
        )?)
    })
}

/// The facts about the call of PLAN that a person sees, from the reads in its `:looks'.
/// OUTPUTS are the standard outputs of the reads, in order, with an empty string for a read without output.
/// KINDS has, for such a read, the name of its error kind, and an empty string for each other read.
#[defun]
fn seen<'e>(
    env: &'e Env,
    plan: Value<'e>,
    outputs: Value<'e>,
    kinds: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let outputs = convert::strings(env, outputs)?;
        let kinds = convert::strings(env, kinds)?;
        let answers: Vec<Answered> = outputs
            .into_iter()
            .zip(kinds)
            .map(|(output, kind)| {
                if output.is_empty() {
                    Answered::Nothing(kind)
                } else {
                    Answered::Output(output)
                }
            })
            .collect();
        let look = values::plan(plan)?.info().question.look.clone();
        let seen = look.map(|look| look.seen(&answers)).unwrap_or_default();
        Ok(plists::seen(env, &seen)?)
    })
}

/// Ask PROGRAM, on a worker, for the facts that a plan of the call needs, such as its version.
/// Return a ticket, or nil where all these facts are known.
/// The ticket's value is nil, or (KIND . MESSAGE) of the refusal of the call.
#[defun]
fn before<'e>(
    env: &'e Env,
    program: String,
    argv: Value<'e>,
    keys: Value<'e>,
    options: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let Some(question) = known(&program)?.before(&LispCall {
            env,
            argv,
            keys,
            options,
        })?
        else {
            return Ok(().into_lisp(env)?);
        };
        let ticket = doorbell::start_work(WorkKind::BeforePlan, |report| {
            let done = |asked| report(Finished::Checked(asked));
            Ok::<_, Refusal>(question(Box::new(done)))
        })?;
        Ok(plist::number(ticket).into_lisp(env)?)
    })
}

/// Check on a worker whether the program of PLAN may be used; return a ticket.
/// The ticket's value is nil, or (KIND . MESSAGE) of the refusal.
#[defun]
fn preflight<'e>(env: &'e Env, plan: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let plan = values::plan(plan)?;
        let what = WorkKind::PlanCheck(Box::new(plan.live()));
        let ticket = doorbell::start_work(what, |report| {
            Ok::<_, Refusal>(plan.preflight(|checked| report(Finished::Checked(checked))))
        })?;
        Ok(plist::number(ticket))
    })
}

/// See `cj/gate-run`; return a ticket.
/// With ASIDE, a read for a question to a person does not queue behind the calls that run.
#[defun]
fn run<'e>(env: &'e Env, plan: Value<'e>, aside: Option<Value<'e>>) -> Result<Value<'e>> {
    answer(env, || {
        let mut plan = values::plan(plan)?;
        if aside.is_some() {
            plan.serve_a_question();
        }
        let what = WorkKind::Call(Box::new(plan.live()));
        let ticket = doorbell::start_work(what, |report| {
            plan.start(|outcome| report(Finished::Ran(Box::new(outcome))))
        })?;
        Ok(plist::number(ticket))
    })
}

/// Use PLAN up without running it, for KIND and MESSAGE; return the outcome.
#[defun]
fn close<'e>(env: &'e Env, plan: Value<'e>, kind: Value<'e>, message: String) -> Result<Value<'e>> {
    answer(env, || {
        let refusal = refusal(env, kind, message)?;
        let outcome = values::plan(plan)?.close(&refusal);
        Ok(plists::outcome(env, &outcome)?)
    })
}

/// Record a call of PROGRAM that could not be planned; return the outcome.
/// If ARGV is no list or vector of strings, the record has an empty argv.
#[defun]
fn unplanned<'e>(
    env: &'e Env,
    program: String,
    argv: Value<'e>,
    kind: Value<'e>,
    message: String,
    environment: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let program = known(&program)?;
        let refusal = refusal(env, kind, message)?;
        let argv = convert::argv(env, argv).unwrap_or_default();
        let clean = cleaner(env, environment)?;
        let (class, command) = program.unplanned(&argv);
        let outcome = gate::unplanned(program.name(), class, &command, &argv, &refusal, &clean);
        Ok(plists::outcome(env, &outcome)?)
    })
}

/// The refusal with `message` and the kind named by the symbol `kind`; an unknown symbol stands for the kind `module`.
fn refusal(env: &Env, kind: Value<'_>, message: String) -> std::result::Result<Refusal, Fault> {
    let name = convert::symbol_name(env, kind)?;
    let kind = ErrorKind::ALL
        .iter()
        .find(|k| k.as_str() == name)
        .copied()
        .unwrap_or(ErrorKind::Module);
    Ok(Refusal::new(kind, message))
}
