//! One child from its start to the end of its whole process group.
//!
//! A worker thread waits in `poll` for the two outputs, the child's end and a cancel, and never
//! longer than to the next of: deadline, end of grace, end of draining.  Whatever ended the run,
//! the last steps are the same: SIGKILL to the group while its leader is still unreaped, so that
//! its number cannot belong to anybody else, and only then the reaping.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{AccessFlags, Pid, access};

use super::capture::{Capture, Stream};
use super::spawn::{self, Exit, Stdio};
use super::{Captured, Command, Ended, Keep, SpawnError, lifeline, memory};
use crate::foreign::Foreign;

/// How long the outputs are read after the leader's end: a grandchild may hold them open for ever.
const DRAIN: Duration = Duration::from_millis(250);

/// How long a stream that has just passed the cap may take to fill the slack.
const SETTLE: Duration = Duration::from_millis(20);

/// How long a killed leader, or what is left of a killed group, is waited for.  Only a process
/// that hangs inside the kernel (a dead network file system) takes this long.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// How often what left the group is looked for, while there is still something.
const STRAY_LOOKS: usize = 4;

/// A clock cannot count to `Duration::MAX` from now; nobody waits longer than this.
const FOR_EVER: Duration = Duration::from_secs(1 << 30);

/// Asks one run, or several in sequence, to end; and tells how many bytes they have read.
#[derive(Debug, Default)]
pub(crate) struct Cancel {
    asked: AtomicBool,
    /// Wakes the worker from `poll`.  It exists only while a worker needs it: a queue of hundreds
    /// holds no descriptors.
    bell: Mutex<Option<Arc<EventFd>>>,
    /// Set when no thread could be had to run on.
    refused: OnceLock<String>,
    pub(super) read: AtomicU64,
    /// The child that runs now.
    now: Mutex<Option<Now>>,
}

/// One child while it runs, for those who look on.
#[derive(Debug)]
struct Now {
    begun: Instant,
    /// Shared and not copied: looking on takes no memory while nobody looks.
    stdout: Arc<Mutex<Capture>>,
}

/// The end of a child's standard output so far.
#[derive(Debug)]
pub(crate) struct Latest {
    /// Since the child's start.
    pub(crate) elapsed: Duration,
    /// The last bytes.
    pub(crate) bytes: Foreign<Vec<u8>>,
    /// Nothing stands before them.
    pub(crate) whole: bool,
}

impl Cancel {
    /// Ends what runs under it and whatever would be started under it; from any thread, never waits.
    pub(crate) fn cancel(&self) {
        self.asked.store(true, Ordering::SeqCst);
        if let Some(bell) = &*self.bell() {
            // Can fail only by overflow of the counter, and then it is readable already.
            let _ = bell.write(1);
        }
    }

    /// Whether a cancel was asked for.
    pub(crate) fn cancelled(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// From now on nothing starts under it, for the reason WHY.
    pub(super) fn refuse(&self, why: String) {
        let _ = self.refused.set(why);
    }

    /// The bell, made at its first use; whoever polls it looks at `cancelled` afterwards.
    fn arm(&self) -> io::Result<Arc<EventFd>> {
        let mut bell = self.bell();
        if let Some(bell) = &*bell {
            return Ok(Arc::clone(bell));
        }
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        let new = Arc::new(EventFd::from_value_and_flags(0, flags)?);
        *bell = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Closes the bell: nothing runs under it any more.
    pub(super) fn disarm(&self) {
        *self.bell() = None;
    }

    /// The last bytes, at most MOST, of what the child that runs now has said; none where none runs.
    pub(super) fn latest(&self, most: usize) -> Option<Latest> {
        let now = lock(&self.now);
        let now = now.as_ref()?;
        let (bytes, whole) = lock(&now.stdout).latest(most);
        Some(Latest {
            elapsed: now.begun.elapsed(),
            bytes: bytes.into(),
            whole,
        })
    }

    /// The child whose standard output STDOUT is has ended.  Of several at once, another one may be looked at by now.
    fn no_longer(&self, stdout: &Arc<Mutex<Capture>>) {
        let mut now = lock(&self.now);
        if now
            .as_ref()
            .is_some_and(|now| Arc::ptr_eq(&now.stdout, stdout))
        {
            *now = None;
        }
    }

    fn bell(&self) -> MutexGuard<'_, Option<Arc<EventFd>>> {
        self.bell.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What it guards is whole after every step, so a poisoned lock is no harm.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

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
        Err(error) => return failed(&system("a cancel descriptor", &error)),
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
            Err(error) => failed(&system("a thread", &error)),
        }));
        all
    })
}

fn failed(error: &SpawnError) -> Captured {
    Captured::nothing(Ended::SpawnFailed(error.to_string()))
}

fn system(what: &'static str, error: &io::Error) -> SpawnError {
    SpawnError::System {
        what,
        why: error.to_string(),
    }
}

/// A started child and the group that it leads.  Dropped in whatever way, the group is dead.
struct Child {
    pid: i32,
    /// Polls readable from the leader's end on.
    pidfd: OwnedFd,
    ended: bool,
}

struct Outputs {
    stdout: fs::File,
    stderr: fs::File,
}

impl Child {
    fn start(command: &Command) -> Result<(Self, Outputs), SpawnError> {
        let pipe = || spawn::pipe().map_err(|e| system("a pipe", &e));
        let (stdout, stdout_end) = pipe()?;
        let (stderr, stderr_end) = pipe()?;
        let outputs = Outputs {
            stdout: stdout.into(),
            stderr: stderr.into(),
        };
        let known = outputs.stdout.metadata();
        let inode = known.map_err(|e| system("looking at a pipe", &e))?.ino();
        let stdio = Stdio {
            stdin: None,
            stdout: Some(stdout_end.as_fd()),
            stderr: Some(stderr_end.as_fd()),
        };
        lifeline::announce(inode);
        let spawned = spawn::spawn(
            command.argv.reveal(),
            command.env.reveal(),
            &command.cwd,
            stdio,
        );
        #[cfg(test)]
        super::tests::between_start_and_registration();
        let pid = spawned.map_err(|error| {
            lifeline::failed(inode);
            explain(command, &error)
        })?;
        memory::bound(pid, command.limits.memory);
        lifeline::started(pid, inode);
        match spawn::pidfd(pid) {
            Ok(pidfd) => Ok((
                Self {
                    pid,
                    pidfd,
                    ended: false,
                },
                outputs,
            )),
            Err(error) => {
                let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
                lifeline::ended(pid);
                spawn::reap(pid, true);
                Err(system("watching the program", &error))
            }
        }
    }

    fn signal(&self, signal: Signal) {
        // The unreaped leader keeps the group alive; a set-user-id program alone may refuse.
        let _ = killpg(Pid::from_raw(self.pid), signal);
    }

    /// Kills what belongs to the child's session and has left its group, as what a shell starts under `set -m` does.
    /// That takes a look at every process there is, so it is done only where a run was stopped or something holds its output.
    ///
    /// Those left in the group go first, so that they start no more of them; the unreaped leader keeps the session's number.
    fn end_strays(&self) {
        self.signal(Signal::SIGKILL);
        for _ in 0..STRAY_LOOKS {
            let mut found = false;
            each_process(|pid, stat| {
                if stat.session == self.pid && stat.group != self.pid && stat.runs {
                    found = true;
                    let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
                }
            });
            if !found {
                return;
            }
        }
    }

    /// Kills the whole group, reaps the leader, and returns when nothing of the group runs.
    /// None where the leader hangs inside the kernel: it is reaped after a later run.
    fn end(&mut self) -> Option<Exit> {
        self.ended = true;
        self.signal(Signal::SIGKILL);
        reap_hung();
        let mut leader = [PollFd::new(self.pidfd.as_fd(), PollFlags::POLLIN)];
        if !wait(&mut leader, Some(Instant::now() + LAST_WAIT)) {
            hung().push(self.pid);
            return None;
        }
        lifeline::ended(self.pid);
        let exit = spawn::reap(self.pid, true);
        wait_for_group(self.pid);
        exit
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.ended {
            self.end();
        }
    }
}

/// Killed leaders that did not die within [`LAST_WAIT`].
static HUNG: Mutex<Vec<i32>> = Mutex::new(Vec::new());

fn hung() -> MutexGuard<'static, Vec<i32>> {
    HUNG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reaps those of the hung leaders that have died since.
fn reap_hung() {
    hung().retain(|pid| {
        let gone = spawn::reap(*pid, false).is_some();
        if gone {
            lifeline::ended(*pid);
        }
        !gone
    });
}

/// Waits until no process of the killed group PGID runs: SIGKILL is only noted when kill(2) returns.
/// Its members are not our children, so there is no descriptor or status to wait for.
fn wait_for_group(pgid: i32) {
    let until = Instant::now() + LAST_WAIT;
    let mut pause = Duration::from_micros(100);
    while killpg(Pid::from_raw(pgid), None).is_ok() {
        // Where process 1 does not reap, dead members stay: they count as gone.
        let old = pause > Duration::from_millis(2);
        if old && !group_runs(pgid) || Instant::now() >= until {
            return;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Whether /proc shows a process of the group PGID that is not a zombie.
fn group_runs(pgid: i32) -> bool {
    let mut runs = false;
    each_process(|_, stat| runs |= stat.group == pgid && stat.runs);
    runs
}

/// What /proc tells of a process.
pub(super) struct Stat {
    pub(super) group: i32,
    pub(super) session: i32,
    /// It is no zombie.
    pub(super) runs: bool,
}

/// Calls EACH with the number and the facts of every process that /proc shows.
fn each_process(mut each: impl FnMut(i32, &Stat)) {
    let Ok(all) = fs::read_dir("/proc") else {
        return;
    };
    for entry in all.flatten() {
        let pid = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        // A name need not be UTF-8.
        let stat = pid.and_then(|_: i32| fs::read(entry.path().join("stat")).ok());
        let stat = stat.and_then(|stat| stat_of(&String::from_utf8_lossy(&stat)));
        if let Some((pid, stat)) = pid.zip(stat) {
            each(pid, &stat);
        }
    }
}

/// proc(5): "PID (NAME) STATE PPID PGRP SESSION ..."; the name may hold anything, `)` too.
pub(super) fn stat_of(line: &str) -> Option<Stat> {
    let mut rest = line.rsplit(')').next()?.split_whitespace();
    let runs = !matches!(rest.next()?, "Z" | "X");
    let mut number = || rest.next()?.parse::<i32>().ok();
    let (_, group, session) = (number()?, number()?, number()?);
    Some(Stat {
        group,
        session,
        runs,
    })
}

/// Which of a command's parts the system's ERROR is about: `posix_spawn` tells only one number.
fn explain(command: &Command, error: &io::Error) -> SpawnError {
    let usable = |path: &Path| access(path, AccessFlags::X_OK).is_ok();
    let (program, cwd) = (&command.program, command.cwd());
    if !(cwd.is_dir() && usable(cwd)) {
        SpawnError::BadCwd(cwd.to_owned())
    } else if !program.exists() {
        SpawnError::NoProgram(program.clone())
    } else if !usable(program) || program.is_dir() {
        SpawnError::NotExecutable(program.clone())
    } else {
        system("starting the program", error)
    }
}

/// Waits until one of FDS is ready (true) or until UNTIL (false).  Rounds up: it never spins.
fn wait(fds: &mut [PollFd<'_>], until: Option<Instant>) -> bool {
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let timeout = left.map_or(PollTimeout::NONE, |left| {
            let millis = left.as_nanos().div_ceil(1_000_000);
            PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX)
        });
        match poll(fds, timeout) {
            Ok(0) if left.is_none_or(|left| !left.is_zero()) => {}
            Ok(0) => return false,
            Ok(_) => return true,
            Err(nix::Error::EINTR) => {}
            // Out of memory at most; the caller looks at clock and flags and comes back.
            Err(_) => {
                thread::sleep(Duration::from_millis(1));
                return false;
            }
        }
    }
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
