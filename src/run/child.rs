//! A child and the process group that it leads, from its start to the last process of the group.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{AccessFlags, Pid, access};

use super::cancel::lock;
use super::command::{Command, SpawnError};
use super::processes::{LAST_WAIT, each_process, wait_for_group};
use super::spawn::{self, Exit, Stdio};
use super::{lifeline, memory};

/// How often /proc is searched, at most, for processes that left the group; a search that finds none is the last.
const STRAY_LOOKS: usize = 4;

/// A started child and the group that it leads.  Dropping it kills the group.
pub(super) struct Child {
    pub(super) pid: i32,
    /// A descriptor that polls readable once the leader has ended.
    pub(super) pidfd: OwnedFd,
    ended: bool,
}

/// The read ends of a child's two outputs.
pub(super) struct Outputs {
    pub(super) stdout: fs::File,
    pub(super) stderr: fs::File,
}

impl Child {
    pub(super) fn start(command: &Command) -> Result<(Self, Outputs), SpawnError> {
        let pipe = || spawn::pipe().map_err(|e| SpawnError::system("a pipe", &e));
        let (stdout, stdout_end) = pipe()?;
        let (stderr, stderr_end) = pipe()?;
        let outputs = Outputs {
            stdout: stdout.into(),
            stderr: stderr.into(),
        };
        let known = outputs.stdout.metadata();
        let inode = known
            .map_err(|e| SpawnError::system("looking at a pipe", &e))?
            .ino();
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
        memory::bound(pid, command.limits.memory, command.limits.file);
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
                Err(SpawnError::system("watching the program", &error))
            }
        }
    }

    pub(super) fn signal(&self, signal: Signal) {
        // The unreaped leader keeps the group's number, so killpg fails only where a set-user-id program may not be signalled.
        let _ = killpg(Pid::from_raw(self.pid), signal);
    }

    /// Kills the processes of the child's session that have left its group, such as those that a shell starts under `set -m`.
    /// This reads the facts of every process of the machine, so it is done only where a run was stopped or its output is still open.
    ///
    /// The processes in the group are killed first, so that they start no more strays; the unreaped leader keeps the session's number.
    pub(super) fn end_strays(&self) {
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

    /// Kills the whole group, reaps the leader, and returns when no process of the group runs.
    /// `None` where the leader hangs inside the kernel: the end of a later run reaps it.
    pub(super) fn end(&mut self) -> Option<Exit> {
        self.ended = true;
        self.signal(Signal::SIGKILL);
        reap_hung();
        let mut leader = [PollFd::new(self.pidfd.as_fd(), PollFlags::POLLIN)];
        if !wait(&mut leader, Instant::now() + LAST_WAIT) {
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
    lock(&HUNG)
}

/// Reaps the hung leaders that have died since.
fn reap_hung() {
    hung().retain(|pid| {
        let gone = spawn::reap(*pid, false).is_some();
        if gone {
            lifeline::ended(*pid);
        }
        !gone
    });
}

/// Finds the part of `command` that caused the system's `error`: `posix_spawn` returns only one number.
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
        SpawnError::system("starting the program", error)
    }
}

/// Waits until one of `fds` is ready (true), or until `until` or a failure of `poll` (false).  Rounds up to milliseconds, so that
/// the wait never spins.
pub(super) fn wait(fds: &mut [PollFd<'_>], until: Instant) -> bool {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let millis = left.as_nanos().div_ceil(1_000_000);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        match poll(fds, timeout) {
            Ok(0) if !left.is_zero() => {}
            Ok(0) => return false,
            Ok(_) => return true,
            Err(nix::Error::EINTR) => {}
            // `poll` can fail for lack of memory; the pause keeps a caller that tries again from spinning.
            Err(_) => {
                thread::sleep(Duration::from_millis(1));
                return false;
            }
        }
    }
}
