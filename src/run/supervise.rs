//! One child from its start to the end of its whole process group.
//!
//! A worker thread waits in `poll` for the two outputs, the child's end and a cancel, and never
//! longer than to the next of: deadline, end of grace, end of draining.  Whatever ended the run,
//! the last steps are the same: SIGKILL to the group while its leader is still unreaped, so that
//! its number cannot belong to anybody else, and only then the reaping.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags};
use nix::sys::eventfd::EventFd;
use nix::sys::signal::Signal;

use super::cancel::{Cancel, Now, lock};
use super::capture::{Capture, Keep, Stream};
use super::captured::{Captured, Ended};
use super::child::{Child, Outputs, wait};
use super::command::{Command, SpawnError};
use super::memory;
use super::spawn::Exit;

/// How long the outputs are read after the leader's end: a grandchild may hold them open for ever.
const DRAIN: Duration = Duration::from_millis(250);

/// How long a stream that has just passed the cap may take to fill the slack.
const SETTLE: Duration = Duration::from_millis(20);

/// A clock cannot count to `Duration::MAX` from now; nobody waits longer than this.
const FOR_EVER: Duration = Duration::from_secs(1 << 30);

/// Runs COMMAND on the calling thread, which waits: for worker threads, several children in a row.
/// CANCEL ends it.
pub(crate) fn run_here(command: &Command, cancel: &Cancel) -> Captured {
    if cancel.cancelled() {
        return Captured::nothing(Ended::Cancelled);
    }
    if let Some(why) = cancel.refused.get() {
        return Captured::nothing(Ended::SpawnFailed(why.clone()));
    }
    let bell = match cancel.arm() {
        Ok(bell) => bell,
        Err(error) => return failed(&SpawnError::system("a cancel descriptor", &error)),
    };
    let begun = Instant::now();
    match Child::start(command) {
        Ok((child, outputs)) => watch(command, child, outputs, cancel, &bell, begun),
        Err(error) => failed(&error),
    }
}

/// Runs COMMANDS side by side; the calling thread waits for the last of them.  CANCEL ends them all.
///
/// What each came to, in their order.
#[expect(
    clippy::disallowed_methods,
    reason = "threads that end before this returns; they have the worker's signal mask and need little stack"
)]
pub(crate) fn run_together(commands: &[&Command], cancel: &Cancel) -> Vec<Captured> {
    let [first, others @ ..] = commands else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let others: Vec<_> = others
            .iter()
            .map(|command| thread::Builder::new().spawn_scoped(scope, || run_here(command, cancel)))
            .collect();
        let mut all = vec![run_here(first, cancel)];
        all.extend(others.into_iter().map(|made| match made {
            Ok(thread) => thread.join().unwrap_or_else(|_| {
                Captured::nothing(Ended::SpawnFailed("the module failed".to_owned()))
            }),
            Err(error) => failed(&SpawnError::system("a thread", &error)),
        }));
        all
    })
}

fn failed(error: &SpawnError) -> Captured {
    Captured::nothing(Ended::SpawnFailed(error.to_string()))
}

/// One output while it is open.
struct Reading {
    pipe: Option<fs::File>,
    capture: Arc<Mutex<Capture>>,
}

impl Reading {
    fn new(pipe: fs::File, keep: Keep, cap: usize) -> Self {
        Self::of(pipe, Capture::new(keep, cap))
    }

    /// The standard output of COMMAND: in memory, or in its file.
    fn stdout(command: &Command, pipe: fs::File) -> Self {
        match &command.into {
            Some(into) => Self::of(pipe, Capture::into_file(into.clone())),
            None => Self::new(pipe, command.limits.keep, command.limits.cap),
        }
    }

    fn of(pipe: fs::File, capture: Capture) -> Self {
        Self {
            pipe: Some(pipe),
            capture: Arc::new(Mutex::new(capture)),
        }
    }

    fn capture(&self) -> MutexGuard<'_, Capture> {
        lock(&self.capture)
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// What was kept.
    fn finish(self) -> Stream {
        let none = Capture::new(Keep::Head, 0);
        std::mem::replace(&mut *self.capture(), none).finish()
    }

    /// Reads once from the pipe, which `poll` has found ready, and so never waits.
    fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        match lock(&self.capture).read_from(pipe) {
            Ok(0) => self.pipe = None,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.pipe = None,
        }
    }
}

/// How a run ended that was STOPPED for a reason, or EXIT by itself.
fn ended(stopped: Option<Ended>, exit: Option<Exit>) -> Ended {
    match (stopped, exit) {
        (Some(reason), _) => reason,
        (None, Some(Exit::Code(code))) => Ended::Exited(code),
        (None, Some(Exit::Signal(signal))) => Ended::Signalled(signal),
        // Its end was seen, its status was not: somebody else in this process has reaped it.
        (None, None) => Ended::SpawnFailed("the program's exit status was lost".to_owned()),
    }
}

/// Waits for CHILD to its end, reading what it says.
fn watch(
    command: &Command,
    mut child: Child,
    outputs: Outputs,
    cancel: &Cancel,
    bell: &EventFd,
    begun: Instant,
) -> Captured {
    let limits = &command.limits;
    let deadline = begun + limits.timeout.min(FOR_EVER);
    // A file keeps the beginning.
    let keep = command.into.as_ref().map_or(limits.keep, |_| Keep::Head);
    let mut out = Reading::stdout(command, outputs.stdout);
    let mut err = Reading::new(outputs.stderr, Keep::Head, limits.stderr_cap);
    *lock(&cancel.now) = Some(Now {
        begun,
        stdout: Arc::clone(&out.capture),
    });
    // Why it was stopped, and when the patience after SIGTERM ends.
    let mut stopped: Option<(Ended, Instant)> = None;
    // Set at the leader's own end: until when the outputs are still read.
    let mut drain: Option<Instant> = None;
    // Set when the cap is passed: until when the slack may fill.
    let mut settle: Option<Instant> = None;
    let mut look = memory::Look::new(child.pid, limits.memory);
    loop {
        let now = Instant::now();
        if keep == Keep::Head && out.capture().over() && settle.is_none() {
            settle = Some(now + SETTLE);
        }
        if drain.is_some() && out.capture().full() {
            // The program has ended by itself; there is nothing to stop, and no more to keep.
            out.pipe = None;
        }
        if stopped.is_none() {
            let failed = out.capture().failed().map(str::to_owned);
            let reason = if cancel.cancelled() {
                Some(Ended::Cancelled)
            } else if let Some(why) = failed {
                Some(Ended::WriteFailed(why))
            } else if drain.is_none() && now >= deadline {
                Some(Ended::Deadline)
            } else if drain.is_none() && look.over(now) {
                Some(Ended::Memory)
            } else if keep == Keep::HeadTail && out.capture().read() > limits.read_limit {
                Some(Ended::ReadLimit)
            } else if drain.is_none()
                && out.pipe.is_some()
                && (out.capture().full() || settle.is_some_and(|settle| now >= settle))
            {
                Some(Ended::Capped)
            } else {
                None
            };
            if let Some(reason) = reason {
                // Within the grace it would go on taking memory.
                child.signal(match reason {
                    Ended::Memory => Signal::SIGKILL,
                    _ => Signal::SIGTERM,
                });
                // What has come by a deadline or a cancel is still read.
                if !matches!(reason, Ended::Deadline | Ended::Cancelled) {
                    out.pipe = None;
                }
                stopped = Some((reason, now + limits.grace.min(FOR_EVER)));
            }
        }
        let silent = out.pipe.is_none() && err.pipe.is_none();
        let patience = stopped.as_ref().map(|(_, until)| *until).or(drain);
        if drain.is_some() && silent || patience.is_some_and(|until| now >= until) {
            break;
        }

        let until = match (patience, settle) {
            (Some(patience), _) => patience,
            (None, Some(settle)) if out.pipe.is_some() => deadline.min(settle).min(look.next),
            (None, _) => deadline.min(look.next),
        };
        let mut fds = Vec::with_capacity(4);
        let readable = |fd| PollFd::new(fd, PollFlags::POLLIN);
        fds.extend(out.fd().map(readable));
        fds.extend(err.fd().map(readable));
        fds.extend(drain.is_none().then(|| readable(child.pidfd.as_fd())));
        fds.extend(stopped.is_none().then(|| readable(bell.as_fd())));
        wait(&mut fds, Some(until));
        let ready: Vec<bool> = fds.iter().map(|fd| fd.any().unwrap_or(false)).collect();
        drop(fds);
        // In the order of FDS: each condition below is the one of above, not yet changed.
        let mut ready = ready.into_iter();
        if out.pipe.is_some() && ready.next() == Some(true) {
            out.read();
        }
        if err.pipe.is_some() && ready.next() == Some(true) {
            err.read();
        }
        if drain.is_none() && ready.next() == Some(true) {
            drain = Some(Instant::now() + DRAIN);
        }
        let read = out.capture().read() + err.capture().read();
        cancel.read.store(read, Ordering::Relaxed);
    }
    cancel.no_longer(&out.capture);
    if stopped.is_some() || out.pipe.is_some() || err.pipe.is_some() {
        child.end_strays();
    }
    let exit = child.end();
    let pid = Some(child.pid);
    Captured {
        ended: ended(stopped.map(|(reason, _)| reason), exit),
        stdout: out.finish(),
        stderr: err.finish(),
        duration: begun.elapsed(),
        pid,
    }
}
