//! What is known of a run after its end.

use std::time::Duration;

#[cfg(doc)]
use super::capture::Keep;
use super::capture::Stream;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The program ended by itself with this exit code.  Its output may still be cut
    /// ([`Stream::truncated`]), when it ended before it could be stopped.
    Exited(i32),
    /// A signal ended the program, and it was not ours.
    Signalled(i32),
    /// Stopped: standard output passed the cap ([`Keep::Head`]), or the limit of the file that it goes into.
    Capped,
    /// Stopped: the file that standard output goes into could not be written; the system's words.
    WriteFailed(String),
    /// Stopped: standard output passed the read limit ([`Keep::HeadTail`]).
    ReadLimit,
    /// Stopped: it had got past the limit of its memory.  One that the limit itself ends shows as [`Ended::Exited`], with words
    /// of its own on standard error.
    Memory,
    /// Stopped at its deadline.
    Deadline,
    /// Cancelled, while it ran or before it started.
    Cancelled,
    /// Never started; the words say why.
    SpawnFailed(String),
}

/// All that is known of a run after its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// How it ended.
    pub ended: Ended,
    /// What was kept of standard output.
    pub stdout: Stream,
    /// What was kept of standard error.
    pub stderr: Stream,
    /// From spawn to the end of the group; zero when nothing was spawned.
    pub duration: Duration,
    /// The program's process id, no longer in use; none when nothing was spawned.
    pub pid: Option<i32>,
}

impl Captured {
    /// A run in which nothing was spawned.
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
