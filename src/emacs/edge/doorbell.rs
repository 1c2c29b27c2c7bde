//! The doorbell: how a worker thread tells Emacs that work is finished.
//!
//! A worker adds its finished work to a list and writes one byte into a pipe process; the filter of the process, on Emacs's main
//! thread, calls `drain`.  No data goes through the pipe, so a full pipe only means that the bell has already rung.

use std::any::Any;
use std::collections::BTreeMap;
use std::io::{PipeWriter, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use emacs::{Env, Value};
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use once_cell::sync::Lazy;

use super::fault::Fault;
use crate::gate::decide::stop;
use crate::gate::plan::promise::Promise;
use crate::gate::record::audit::answer::LogAnswer;
use crate::gate::{ErrorKind, Live, Outcome, Refusal};
use crate::gh::drift::sweep::Report;
use crate::gh::place::context::GitFacts;
use crate::gh::tools::worktree::list::Came;
use crate::net::facts::Facts as NetFacts;
use crate::run;

/// Work that a worker finished.
pub enum Finished {
    /// A Plan ran.
    Ran(Box<Outcome>),
    /// A program was checked before a person is asked.
    Checked(Result<(), Refusal>),
    /// Git facts were collected.
    Facts(GitFacts),
    /// The facts for a network call were collected.
    NetFacts(NetFacts),
    /// The audit log was read.
    Audit(Box<LogAnswer>),
    /// The installed gh was compared with the catalog.
    Drift(Result<Arc<Report>, Refusal>),
    /// Worktrees were listed, or one of them was made safe to visit or removed.
    Worktrees(Result<(Came, Vec<String>), Refusal>),
    /// The module failed during this work.
    Broken(WorkKind),
}

/// Work that is queued or under way.
#[derive(Clone)]
pub struct Work {
    /// The kind of work.
    pub what: WorkKind,
    /// The handle of its run.
    pub handle: run::Handle,
}

/// The kind of work.
#[derive(Clone)]
pub enum WorkKind {
    /// A Plan runs.
    Call(Box<Live>),
    /// A program is checked for a Plan.
    PlanCheck(Box<Live>),
    /// git is asked about a checkout.
    Facts,
    /// The system is asked about a name and its own networks.
    NetFacts,
    /// A program is asked, before a call of it is planned, for what the plan depends on, such as its version.
    BeforePlan,
    /// The installed gh is compared with the catalog.
    Drift,
    /// A slice of a kept result is cut.  While the gate is stopped, `gate::start_more` refuses the slice and records the refusal.
    Slice,
    /// The audit log is read, also while the gate is stopped.
    Log,
    /// A person's command about worktrees is done, also while the gate is stopped.
    Worktrees,
}

/// The pipe, and all work by its ticket.
#[derive(Default)]
struct Doorbell {
    /// The writing end of the pipe; none before [`open`].
    bell: Option<PipeWriter>,
    /// Finished work that [`drain`] has not returned yet.
    finished: Vec<(u64, Finished)>,
    /// Work that is queued or under way.
    running: BTreeMap<u64, Work>,
    /// The last ticket given.
    tickets: u64,
}

static DOORBELL: Lazy<Mutex<Doorbell>> = Lazy::new(Mutex::default);

fn lock() -> MutexGuard<'static, Doorbell> {
    DOORBELL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the channel to `pipe_process`, once, before the first worker exists.
///
/// Emacs makes the descriptor by a plain `dup`, so every child of Emacs would inherit the descriptor and keep the pipe open.
/// This function marks the descriptor close-on-exec, and non-blocking.
pub fn open(env: &Env, pipe_process: Value<'_>) -> Result<(), Fault> {
    let channel: Box<dyn Any> = Box::new(env.open_channel(pipe_process)?);
    let bell = *channel.downcast::<PipeWriter>().map_err(|_| {
        Refusal::new(ErrorKind::Module, "The channel to Emacs has an unknown form.\nBuild the module with the locked dependencies.")
    })?;
    let flags = |error: nix::Error| {
        Refusal::new(
            ErrorKind::Module,
            format!("The channel to Emacs cannot be set up: {error}.\nRestart Emacs."),
        )
    };
    fcntl(bell.as_fd(), FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).map_err(flags)?;
    fcntl(bell.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(flags)?;
    debug_assert!(bell.as_raw_fd() > 2);
    lock().bell = Some(bell);
    Ok(())
}

/// Starts work of the kind `what`; returns its ticket.
///
/// `start` starts the work.  It gets the function that reports the finished work, which a worker thread must call exactly once.
///
/// # Errors
/// `policy-blocked` while the gate is stopped, and the errors of `start`; no work was started then.
pub fn start_work<E: From<Refusal>>(
    what: WorkKind,
    start: impl FnOnce(Box<dyn FnOnce(Finished) + Send>) -> Result<run::Handle, E>,
) -> Result<u64, E> {
    if !matches!(what, WorkKind::Log | WorkKind::Slice | WorkKind::Worktrees) {
        stop::check()?;
    }
    let ticket = {
        let mut doorbell = lock();
        doorbell.tickets += 1;
        doorbell.tickets
    };
    let promise = Promise::new(
        move |finished| report(ticket, finished),
        Finished::Broken(what.clone()),
    );
    let started = start(Box::new(move |finished| promise.keep(finished)));
    let mut doorbell = lock();
    let handle = match started {
        Ok(handle) => handle,
        Err(error) => {
            // The caller gets this error, so the ticket must not be reported as finished, too.
            doorbell.finished.retain(|(id, _)| *id != ticket);
            return Err(error);
        }
    };
    // The worker may have finished already; then there is no run left to cancel.
    if !doorbell.finished.iter().any(|(id, _)| *id == ticket) {
        doorbell.running.insert(ticket, Work { what, handle });
    }
    Ok(ticket)
}

fn report(ticket: u64, finished: Finished) {
    let mut doorbell = lock();
    doorbell.running.remove(&ticket);
    doorbell.finished.push((ticket, finished));
    if let Some(bell) = &mut doorbell.bell {
        // EAGAIN: the pipe is full, so the bell has rung.  EPIPE: Emacs is exiting.  Neither is an error.
        let _ = bell.write(b"!");
    }
}

/// Takes the work that has finished since the last call, oldest first, each with its ticket.
pub fn drain() -> Vec<(u64, Finished)> {
    std::mem::take(&mut lock().finished)
}

/// Cancels the work with `ticket`; returns whether it was still queued or under way.
pub fn cancel(ticket: u64) -> bool {
    // The lock must be free here: if the system gives no thread, `cancel` itself reports the end, which takes the lock.
    work(ticket).inspect(|work| work.handle.cancel()).is_some()
}

/// The work with `ticket`, if it is queued or under way.
pub fn work(ticket: u64) -> Option<Work> {
    lock().running.get(&ticket).cloned()
}

/// All work that is queued or under way, oldest first, each with its ticket.
pub fn works() -> Vec<(u64, Work)> {
    let doorbell = lock();
    doorbell
        .running
        .iter()
        .map(|(ticket, work)| (*ticket, work.clone()))
        .collect()
}
