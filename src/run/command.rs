//! A program to run, with its bounds: checked when made, and never changed afterwards.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::capture::{self, Keep};
use super::memory::MEMORY;
use crate::foreign::Foreign;

/// Linux refuses a single argument or environment string of this many bytes
/// (`MAX_ARG_STRLEN`, 32 pages of 4 KiB, the closing NUL included; execve(2)).
const MAX_STRING: usize = 131_072;

/// The bounds of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most time from the start of the program (not from queueing) to the end of its group.
    pub timeout: Duration,
    /// The time from SIGTERM to SIGKILL.
    pub grace: Duration,
    /// The most bytes of standard output that are kept.
    pub cap: usize,
    /// Which bytes of standard output are kept when there are more.
    pub keep: Keep,
    /// With [`Keep::HeadTail`]: after this many bytes of standard output the group is ended.
    pub read_limit: u64,
    /// The most bytes of standard error that are kept, from its start; later bytes are read and dropped.
    pub stderr_cap: usize,
    /// The most bytes of private writable memory (`RLIMIT_DATA`) for the program, and for each program that it starts.
    pub memory: u64,
    /// The most bytes of each file that the program, or a program that it starts, writes (`RLIMIT_FSIZE`); `None`: as many as it likes.
    pub file: Option<u64>,
}

impl Default for Limits {
    /// 20 s, 100 ms of grace, a cap of 64 KiB from the start, a read limit of 64 MiB, 16 KiB of standard error, [`MEMORY`].
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(20),
            grace: Duration::from_millis(100),
            cap: 65_536,
            keep: Keep::Head,
            read_limit: 64 << 20,
            stderr_cap: 16 << 10,
            memory: MEMORY,
            file: None,
        }
    }
}

/// Why a program cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpawnError {
    /// The program's path does not start at the root.
    #[error("the program's path is not absolute: {}", .0.display())]
    RelativeProgram(PathBuf),
    /// The working directory's path does not start at the root.
    #[error("the working directory's path is not absolute: {}", .0.display())]
    RelativeCwd(PathBuf),
    /// A string holds a NUL byte, which would end the string early.
    #[error("{0} holds a NUL byte, which no program can be given")]
    Nul(&'static str),
    /// A string is longer than the kernel passes on (E2BIG).
    #[error("{what} is {bytes} bytes long; a program can be given fewer than {MAX_STRING}")]
    TooLong {
        /// Which string is too long.
        what: &'static str,
        /// Its length in bytes.
        bytes: usize,
    },
    /// An environment name that is empty or holds `=`.
    #[error("an environment name is empty or holds \"=\"")]
    EnvName,
    /// The program's file does not exist.
    #[error("there is no program {}", .0.display())]
    NoProgram(PathBuf),
    /// This user may not execute the program's file.
    #[error("{} cannot be executed", .0.display())]
    NotExecutable(PathBuf),
    /// The working directory is missing, is no directory, or is closed to this user.
    #[error("the working directory {} cannot be entered", .0.display())]
    BadCwd(PathBuf),
    /// Anything else the system refused.
    #[error("{what} failed: {why}")]
    System {
        /// What was tried.
        what: &'static str,
        /// The system's words.
        why: String,
    },
}

impl SpawnError {
    /// The error for a step `what` that the system refused with `error`.
    pub(super) fn system(what: &'static str, error: &io::Error) -> Self {
        Self::System {
            what,
            why: error.to_string(),
        }
    }
}

/// A program to run: checked when made, and never changed afterwards.
///
/// Only this crate makes commands: all other code can only run a Plan.
#[derive(Clone, Debug)]
pub struct Command {
    pub(super) program: PathBuf,
    /// The program and then the arguments.
    pub(super) argv: Foreign<Vec<CString>>,
    pub(super) env: Foreign<Vec<CString>>,
    pub(super) cwd: CString,
    pub(super) limits: Limits,
    /// Where standard output goes, if not into memory.
    pub(super) into: Option<capture::OutputFile>,
}

impl Command {
    /// A command that runs the absolute `program` with `args` (without the program's name) in the absolute `cwd`; `env` is the
    /// whole environment, as names and values.
    ///
    /// Checks nothing on disk: with a missing program or directory the run ends as
    /// [`Ended::SpawnFailed`](super::Ended::SpawnFailed).
    ///
    /// # Errors
    /// Relative paths, and strings that execve(2) would refuse or cut: NUL bytes, an argument or environment entry of 131,072 bytes or
    /// more, a malformed environment name.
    pub(crate) fn new<K: AsRef<OsStr>, V: Clone + Into<Foreign<String>>>(
        program: impl Into<PathBuf>,
        args: &[String],
        env: &[(K, V)],
        cwd: impl Into<PathBuf>,
        limits: Limits,
    ) -> Result<Self, SpawnError> {
        let (program, cwd) = (program.into(), cwd.into());
        if !program.is_absolute() {
            return Err(SpawnError::RelativeProgram(program));
        }
        if !cwd.is_absolute() {
            return Err(SpawnError::RelativeCwd(cwd));
        }
        let mut words = Vec::with_capacity(args.len() + 1);
        words.push(checked(program.as_os_str().as_bytes(), "the program")?);
        for arg in args {
            words.push(checked(arg.as_bytes(), "an argument")?);
        }
        let mut pairs = Vec::with_capacity(env.len());
        for (name, value) in env {
            let name = name.as_ref().as_bytes();
            if name.is_empty() || name.contains(&b'=') {
                return Err(SpawnError::EnvName);
            }
            let value: Foreign<String> = value.clone().into();
            let pair = [name, b"=", value.reveal().as_bytes()].concat();
            pairs.push(checked(&pair, "an environment entry")?);
        }
        Ok(Self {
            program,
            argv: words.into(),
            env: pairs.into(),
            cwd: checked(cwd.as_os_str().as_bytes(), "the working directory")?,
            limits,
            into: None,
        })
    }

    /// The directory the program starts in.
    pub(crate) fn cwd(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.cwd.as_bytes()))
    }

    /// This command with at most `time` to run in.
    pub(crate) fn within(mut self, time: Duration) -> Self {
        self.limits.timeout = self.limits.timeout.min(time);
        self
    }

    /// This command with its standard output written to `file` instead of memory; the run is ended
    /// ([`Ended::Capped`](super::Ended::Capped)) after `most` bytes.
    ///
    /// The child gets a pipe and not the file: this process writes the file, and so keeps the limit.
    pub(crate) fn into_file(mut self, file: Arc<File>, most: u64) -> Self {
        self.into = Some(capture::OutputFile { file, most });
        self
    }

    /// The same command, of whose standard output at most `cap` bytes are kept, from both ends.
    pub(crate) fn both_ends(mut self, cap: usize) -> Self {
        (self.limits.cap, self.limits.keep) = (cap, Keep::HeadTail);
        self
    }
}

/// `bytes` as a C string that execve(2) takes.
fn checked(bytes: &[u8], what: &'static str) -> Result<CString, SpawnError> {
    if bytes.len() >= MAX_STRING {
        return Err(SpawnError::TooLong {
            what,
            bytes: bytes.len(),
        });
    }
    CString::new(bytes).map_err(|_| SpawnError::Nul(what))
}
