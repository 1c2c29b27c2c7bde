//! The doors of the workers: the channel to them, their finished and running work, and ending it.

use std::time::{Duration, Instant};

use emacs::{Env, IntoLisp, Result, Value, defun};

use crate::emacs::edge::doorbell::{self, Finished, Work, WorkKind};
use crate::emacs::edge::plist::{self, Plist};
use crate::emacs::edge::values;
use crate::emacs::gate::{audit, plists};
use crate::emacs::{answer, gh, worktree};
use crate::gate::record::audit as log;
use crate::gate::{self, Cleaner};
use crate::gh::place::context::GitFacts;
use crate::net::facts::Facts as NetFacts;
use crate::run;

/// Open the channel to PIPE-PROCESS, once.
#[defun]
fn open<'e>(env: &'e Env, pipe_process: Value<'e>) -> Result<Value<'e>> {
    answer(env, || doorbell::open(env, pipe_process))
}

/// Return the work that workers finished since the last call: a list of (TICKET . VALUE).
#[defun]
fn drain(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        let mut finished = Vec::new();
        for (ticket, value) in doorbell::drain() {
            let value = match value {
                Finished::Ran(outcome) => plists::outcome(env, &outcome)?,
                Finished::Facts(facts) => values::give_facts(env, facts)?,
                Finished::NetFacts(facts) => values::give_net_facts(env, facts)?,
                Finished::Audit(answer) => audit::answer(env, &answer)?,
                Finished::Drift(Ok(report)) => gh::drift(env, &report)?,
                Finished::Worktrees(Ok((came, told))) => worktree::came(env, &came, &told)?,
                Finished::Checked(Ok(())) => ().into_lisp(env)?,
                Finished::Checked(Err(refusal))
                | Finished::Drift(Err(refusal))
                | Finished::Worktrees(Err(refusal)) => {
                    env.cons(env.intern(refusal.kind.as_str())?, refusal.message)?
                }
                Finished::Broken(what) => broken(env, &what)?,
            };
            finished.push(env.cons(plist::number(ticket), value)?);
        }
        Ok(env.call("list", &finished[..])?)
    })
}

/// The answer for work of the kind `what` during which the module failed, in the form of a usual answer for that kind.
fn broken<'e>(env: &'e Env, what: &WorkKind) -> Result<Value<'e>> {
    let refusal = gate::broken();
    match what {
        WorkKind::Call(live) => plists::outcome(env, &live.broken()),
        WorkKind::Slice => {
            let clean = Cleaner::latest();
            let class = gate::Class::Read;
            let outcome = gate::unplanned("gh", class, "more", &[], &refusal, &clean);
            plists::outcome(env, &outcome)
        }
        WorkKind::Facts => values::give_facts(env, GitFacts::default()),
        WorkKind::NetFacts => values::give_net_facts(env, NetFacts::default()),
        WorkKind::Log => Plist::new(env).put(":broken", refusal.message)?.list(),
        WorkKind::PlanCheck(_) | WorkKind::BeforePlan | WorkKind::Drift | WorkKind::Worktrees => {
            env.cons(env.intern(refusal.kind.as_str())?, refusal.message)
        }
    }
}

/// Everything that is queued or under way, oldest first: a list of plists.
/// Each has `:ticket`, `:what` (`call`, `check`, `facts`, `drift`, `slice`, `log` or `worktrees`), `:state` (`queued` or `running`),
/// `:elapsed-ms` and `:bytes`.  For a call, and for the check of a plan, these follow: `:call`, `:program`, `:command`, `:class`,
/// `:host`, `:owner`, `:repo`, `:account`, `:source` and `:argv`.
#[defun]
fn runs(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        let lists = doorbell::works()
            .iter()
            .map(|(ticket, work)| work_plist(env, *ticket, work))
            .collect::<Result<Vec<_>>>()?;
        Ok(env.call("list", &lists[..])?)
    })
}

/// The plist of `runs` for `work`, which has the ticket `ticket`.
fn work_plist<'e>(env: &'e Env, ticket: u64, work: &Work) -> Result<Value<'e>> {
    let (what, live) = match &work.what {
        WorkKind::Call(live) => ("call", Some(live)),
        WorkKind::PlanCheck(live) => ("check", Some(live)),
        WorkKind::BeforePlan => ("check", None),
        WorkKind::Facts | WorkKind::NetFacts => ("facts", None),
        WorkKind::Drift => ("drift", None),
        WorkKind::Slice => ("slice", None),
        WorkKind::Log => ("log", None),
        WorkKind::Worktrees => ("worktrees", None),
    };
    let list = Plist::new(env)
        .put(":ticket", plist::number(ticket))?
        .put_symbol(":what", Some(what))?
        .put_symbol(":state", Some(plists::state(work.handle.state())))?
        .put(":elapsed-ms", plist::milliseconds(work.handle.elapsed()))?
        .put(":bytes", plist::number(work.handle.bytes()))?;
    let Some(live) = live else {
        return list.list();
    };
    list.put(":call", plist::number(live.number()))?
        .put(":program", live.program())?
        .put(":command", live.command())?
        .put_symbol(":class", Some(live.class().as_str()))?
        .put_target(live.target())?
        .put_strings(":argv", live.argv())?
        .list()
}

/// The progress of the call with TICKET, a plist `:call :state :elapsed-ms :bytes :last-line`; nil if it is over or about to be, or is
/// no call.
#[defun]
fn progress(env: &Env, ticket: u64) -> Result<Value<'_>> {
    answer(env, || {
        Ok(match doorbell::work(ticket) {
            Some(Work {
                what: WorkKind::Call(live),
                handle,
            }) => live
                .progress(&handle)
                .map(|progress| plists::progress(env, &live, &progress))
                .transpose()?,
            _ => None,
        })
    })
}

/// See `cj/gate-cancel`.
#[defun]
fn cancel(ticket: u64) -> Result<bool> {
    Ok(doorbell::cancel(ticket))
}

/// Why a child could outlive a crash of Emacs, a string, or nil.
#[defun]
fn lifeline() -> Result<Option<String>> {
    Ok(run::lifeline_trouble().map(|why| Cleaner::latest().line(&why)))
}

/// Why the memory of a child is not limited, a string, or nil.
#[defun]
fn memory() -> Result<Option<String>> {
    Ok(run::memory_trouble().map(|why| Cleaner::latest().line(&why)))
}

/// End every child; wait at most MILLISECONDS for the children and for the audit log.  For `kill-emacs-hook`.
/// Return non-nil if all children have ended and the log has tried every line.
#[defun]
fn stop(milliseconds: u64) -> Result<bool> {
    let until = Instant::now() + Duration::from_millis(milliseconds.min(2_000));
    run::cancel_all();
    let idle = run::wait_idle(until.saturating_duration_since(Instant::now()));
    let logged = log::flush(until.saturating_duration_since(Instant::now()));
    Ok(idle && logged)
}
