//! One child from its start to the end of its whole process group.
//!
//! A worker thread waits in `poll` for the two outputs, the child's end and a cancel, at most until the next of: deadline, end of
//! grace, end of draining, next check of the memory.  Whatever ended the run, the last steps are the same: SIGKILL to the group
//! while its leader is still unreaped, so that the group's number cannot belong to anybody else, and only then the reaping.

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

/// How long the outputs are read after the leader's end.  Without this limit a grandchild that keeps an output open would hold the
/// run up for ever.
const DRAIN: Duration = Duration::from_millis(250);

/// How long a stream that has passed the cap may take to fill the slack.  A program that stops writing right behind the cap would
/// else run to its deadline.
const SETTLE: Duration = Duration::from_millis(20);

/// The longest limit of time, in place of longer ones (some 34 years): `Instant::now() + Duration::MAX` would overflow.
const FOR_EVER: Duration = Duration::from_secs(1 << 30);

/// Runs `command` and waits for its end on the calling thread, which must be a worker.  `cancel` ends the run.  A worker may run
/// several commands one after another.
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

/// Runs `commands` side by side; the calling thread waits for the last of them.  `cancel` ends them all.
///
/// Returns the result of each command, in the order of `commands`.
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

/// One output of a child while it is read.
struct Reading {
    pipe: Option<fs::File>,
    capture: Arc<Mutex<Capture>>,
}

impl Reading {
    fn new(pipe: fs::File, keep: Keep, cap: usize) -> Self {
        Self::of(pipe, Capture::new(keep, cap))
    }

    /// The standard output of `command`, kept in memory or in the command's file.
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

    /// The kept part of the output.
    fn finish(self) -> Stream {
        let none = Capture::new(Keep::Head, 0);
        std::mem::replace(&mut *self.capture(), none).finish()
    }

    /// Reads once from the pipe.  `poll` has found the pipe ready, so the read never waits.
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

/// How a run ended: the reason for which the runner `stopped` the program, or else the program's own `exit`.
fn ended(stopped: Option<Ended>, exit: Option<Exit>) -> Ended {
    match (stopped, exit) {
        (Some(reason), _) => reason,
        (None, Some(Exit::Code(code))) => Ended::Exited(code),
        (None, Some(Exit::Signal(signal))) => Ended::Signalled(signal),
        // The child's end was seen, its status was not: other code in this process has reaped the child.
        (None, None) => Ended::SpawnFailed("the program's exit status was lost".to_owned()),
    }
}

/// The phase of a run.
enum Phase {
    /// The program runs.  `settle` is set when the cap is passed: the slack may fill until then.
    Running { settle: Option<Instant> },
    /// The group was sent a signal for `reason`; at `until` the rest of the group is killed.
    Stopping {
        reason: Ended,
        until: Instant,
        /// Whether the leader has ended.
        leader_ended: bool,
    },
    /// The leader has ended by itself; the outputs are read until `until`.
    Draining { until: Instant },
}

impl Phase {
    fn leader_ended(&self) -> bool {
        match self {
            Self::Running { .. } => false,
            Self::Stopping { leader_ended, .. } => *leader_ended,
            Self::Draining { .. } => true,
        }
    }

    /// When the run is over at the latest; `None` while the program runs.
    fn patience(&self) -> Option<Instant> {
        match self {
            Self::Running { .. } => None,
            Self::Stopping { until, .. } | Self::Draining { until } => Some(*until),
        }
    }
}

/// A child that is followed to its end.
struct Watch<'a> {
    command: &'a Command,
    cancel: &'a Cancel,
    bell: &'a EventFd,
    child: Child,
    out: Reading,
    err: Reading,
    deadline: Instant,
    /// Which bytes of standard output are kept; of output into a file always the beginning.
    keep: Keep,
    phase: Phase,
    memory: memory::Checks,
}

/// Reads the outputs of `child` until the child's end.
fn watch(
    command: &Command,
    child: Child,
    outputs: Outputs,
    cancel: &Cancel,
    bell: &EventFd,
    begun: Instant,
) -> Captured {
    let limits = &command.limits;
    let out = Reading::stdout(command, outputs.stdout);
    *lock(&cancel.now) = Some(Now {
        begun,
        stdout: Arc::clone(&out.capture),
    });
    let mut watch = Watch {
        command,
        cancel,
        bell,
        out,
        err: Reading::new(outputs.stderr, Keep::Head, limits.stderr_cap),
        deadline: begun + limits.timeout.min(FOR_EVER),
        keep: command.into.as_ref().map_or(limits.keep, |_| Keep::Head),
        phase: Phase::Running { settle: None },
        memory: memory::Checks::new(child.pid, limits.memory),
        child,
    };
    loop {
        let now = Instant::now();
        watch.mark_cap(now);
        if let Some(reason) = watch.reason_to_stop(now) {
            watch.stop(reason, now);
        }
        if watch.over(now) {
            break;
        }
        watch.read_what_comes();
    }
    watch.finish(begun)
}

impl Watch<'_> {
    /// Notes that the cap has been passed; closes a full output when nothing is left to be stopped.
    fn mark_cap(&mut self, now: Instant) {
        if let Phase::Running { settle } = &mut self.phase
            && settle.is_none()
            && self.keep == Keep::Head
            && self.out.capture().over()
        {
            *settle = Some(now + SETTLE);
        }
        if self.phase.leader_ended() && self.out.capture().full() {
            // The program has ended by itself: nothing is left to stop, and no further byte can be kept.
            self.out.pipe = None;
        }
    }

    /// Why the run is to be stopped now; `None` where it goes on or was stopped before.
    fn reason_to_stop(&mut self, now: Instant) -> Option<Ended> {
        let settle = match &self.phase {
            Phase::Stopping { .. } => return None,
            Phase::Running { settle } => Some(*settle),
            Phase::Draining { .. } => None,
        };
        let failed = self.out.capture().failed().map(str::to_owned);
        if self.cancel.cancelled() {
            return Some(Ended::Cancelled);
        }
        if let Some(why) = failed {
            return Some(Ended::WriteFailed(why));
        }
        if settle.is_some() && now >= self.deadline {
            return Some(Ended::Deadline);
        }
        if settle.is_some() && self.memory.over(now) {
            return Some(Ended::Memory);
        }
        let read = self.out.capture().read();
        if self.keep == Keep::HeadTail && read > self.command.limits.read_limit {
            return Some(Ended::ReadLimit);
        }
        let capped = settle.is_some_and(|settle| {
            self.out.capture().full() || settle.is_some_and(|settle| now >= settle)
        });
        (capped && self.out.pipe.is_some()).then_some(Ended::Capped)
    }

    /// Asks the group to end, for `reason`.
    fn stop(&mut self, reason: Ended, now: Instant) {
        // A program over its memory limit gets no grace: it would go on taking memory.
        self.child.signal(match reason {
            Ended::Memory => Signal::SIGKILL,
            _ => Signal::SIGTERM,
        });
        // After a deadline or a cancel the output that the pipe still holds is read.
        if !matches!(reason, Ended::Deadline | Ended::Cancelled) {
            self.out.pipe = None;
        }
        self.phase = Phase::Stopping {
            reason,
            until: now + self.command.limits.grace.min(FOR_EVER),
            leader_ended: self.phase.leader_ended(),
        };
    }

    /// Whether nothing more is waited for.
    fn over(&self, now: Instant) -> bool {
        let silent = self.out.pipe.is_none() && self.err.pipe.is_none();
        self.phase.leader_ended() && silent
            || self.phase.patience().is_some_and(|until| now >= until)
    }

    /// When the loop has to check the phase again, even if no descriptor gets ready.
    fn next_look(&self) -> Instant {
        match &self.phase {
            Phase::Stopping { until, .. } | Phase::Draining { until } => *until,
            Phase::Running {
                settle: Some(settle),
            } if self.out.pipe.is_some() => self.deadline.min(*settle).min(self.memory.next),
            Phase::Running { .. } => self.deadline.min(self.memory.next),
        }
    }

    /// Waits for the next event, and reads once from each output that is ready.
    fn read_what_comes(&mut self) {
        let leader_runs = !self.phase.leader_ended();
        let stopping = matches!(self.phase, Phase::Stopping { .. });
        let mut fds = Vec::with_capacity(4);
        let readable = |fd| PollFd::new(fd, PollFlags::POLLIN);
        fds.extend(self.out.fd().map(readable));
        fds.extend(self.err.fd().map(readable));
        fds.extend(leader_runs.then(|| readable(self.child.pidfd.as_fd())));
        fds.extend((!stopping).then(|| readable(self.bell.as_fd())));
        wait(&mut fds, self.next_look());
        let ready: Vec<bool> = fds.iter().map(|fd| fd.any().unwrap_or(false)).collect();
        drop(fds);
        // `ready` is in the order of `fds`: each condition below must be the one under which the descriptor was added above.
        let mut ready = ready.into_iter();
        if self.out.pipe.is_some() && ready.next() == Some(true) {
            self.out.read();
        }
        if self.err.pipe.is_some() && ready.next() == Some(true) {
            self.err.read();
        }
        if leader_runs && ready.next() == Some(true) {
            self.leader_has_ended();
        }
        let read = self.out.capture().read() + self.err.capture().read();
        self.cancel.read.store(read, Ordering::Relaxed);
    }

    fn leader_has_ended(&mut self) {
        match &mut self.phase {
            Phase::Stopping { leader_ended, .. } => *leader_ended = true,
            phase => {
                *phase = Phase::Draining {
                    until: Instant::now() + DRAIN,
                };
            }
        }
    }

    /// Ends the rest of the group, and returns the result of the run that began at `begun`.
    fn finish(mut self, begun: Instant) -> Captured {
        self.cancel.child_ended(&self.out.capture);
        let stopped = match self.phase {
            Phase::Stopping { reason, .. } => Some(reason),
            Phase::Running { .. } | Phase::Draining { .. } => None,
        };
        if stopped.is_some() || self.out.pipe.is_some() || self.err.pipe.is_some() {
            self.child.end_strays();
        }
        let exit = self.child.end();
        Captured {
            ended: ended(stopped, exit),
            stdout: self.out.finish(),
            stderr: self.err.finish(),
            duration: begun.elapsed(),
            pid: Some(self.child.pid),
        }
    }
}
