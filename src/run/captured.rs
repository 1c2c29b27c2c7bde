//! The result of a run: how it ended, and its captured output.

use std::time::Duration;

#[cfg(doc)]
use super::capture::Keep;
use super::capture::Stream;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The program ended by itself with this exit code.  Its output may still be cut ([`Stream::truncated`]), if the program
    /// printed more than a cap and ended before the runner could stop it.
    Exited(i32),
    /// A signal that the runner did not send ended the program: the signal's number.
    Signalled(i32),
    /// Stopped: standard output passed the cap ([`Keep::Head`]), or the limit of the file that takes it.
    Capped,
    /// Stopped: the file that takes standard output could not be written, for this reason in the system's words.
    WriteFailed(String),
    /// Stopped: standard output passed the read limit ([`Keep::HeadTail`]).
    ReadLimit,
    /// Stopped: the program held more memory than its limit.  A program that fails because the kernel gives it no more memory shows as
    /// [`Ended::Exited`], with its own words on standard error.
    Memory,
    /// Stopped at its deadline.
    Deadline,
    /// Cancelled, while it ran or before it started.
    Cancelled,
    /// Never started, for this reason.
    SpawnFailed(String),
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// How it ended.
    pub ended: Ended,
    /// The kept part of standard output.
    pub stdout: Stream,
    /// The kept part of standard error.
    pub stderr: Stream,
    /// The time from the program's start to the end of its group; zero when nothing was started.
    pub duration: Duration,
    /// The program's process id, no longer in use; `None` when nothing was started.
    pub pid: Option<i32>,
}

impl Captured {
    /// The result of a run in which nothing was started.
    pub(crate) fn nothing(ended: Ended) -> Self {
        Self {
            ended,
            stdout: Stream::default(),
            stderr: Stream::default(),
            duration: Duration::ZERO,
            pid: None,
        }
    }
}
