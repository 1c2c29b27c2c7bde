//! Cancels a run, and shows the output of its running child.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::eventfd::{EfdFlags, EventFd};
use once_cell::sync::OnceCell;

use super::capture::Capture;
use crate::foreign::Foreign;

/// Cancels one run, whose children run one after another or side by side; holds what others may ask about the running child.
#[derive(Debug, Default)]
pub(crate) struct Cancel {
    asked: AtomicBool,
    /// Wakes the worker from `poll`.  The bell exists only while a worker needs it: hundreds of queued runs hold no descriptors.
    bell: Mutex<Option<Arc<EventFd>>>,
    /// Why no child may start: the system gave no thread for the run.
    pub(super) refused: OnceCell<String>,
    /// How many bytes were read from both outputs of the child; of several children at once, of any one of them.
    pub(super) read: AtomicU64,
    /// The running child; of several at once, the one that was started last.
    pub(super) now: Mutex<Option<Now>>,
}

/// The running child, for callers that show its progress.
#[derive(Debug)]
pub(super) struct Now {
    pub(super) begun: Instant,
    /// Shared with the worker: nothing is copied until somebody looks.
    pub(super) stdout: Arc<Mutex<Capture>>,
}

/// The last bytes of what a running child has printed so far.
#[derive(Debug)]
pub(crate) struct Latest {
    /// The time since the child's start.
    pub(crate) elapsed: Duration,
    /// The last bytes of standard output.
    pub(crate) bytes: Foreign<Vec<u8>>,
    /// `true`: `bytes` is all of the output so far.
    pub(crate) whole: bool,
}

impl Cancel {
    /// Ends the child that runs under this cancel, and lets no further one start.  Any thread may call this; the call never waits.
    pub(crate) fn cancel(&self) {
        self.asked.store(true, Ordering::SeqCst);
        if let Some(bell) = &*self.bell() {
            // The write can fail only when the counter is full, and then the bell is readable already.
            let _ = bell.write(1);
        }
    }

    /// Whether a cancel was asked for.
    pub(crate) fn cancelled(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Lets no further child start under this cancel, for the reason `why`.
    pub(super) fn refuse(&self, why: String) {
        let _ = self.refused.set(why);
    }

    /// The bell, made at its first use.  A caller that polls the bell must ask `cancelled` after this call: a cancel before
    /// it found no bell to ring.
    pub(super) fn arm(&self) -> io::Result<Arc<EventFd>> {
        let mut bell = self.bell();
        if let Some(bell) = &*bell {
            return Ok(Arc::clone(bell));
        }
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        let new = Arc::new(EventFd::from_value_and_flags(0, flags)?);
        *bell = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Closes the bell: no child runs under this cancel any more.
    pub(super) fn disarm(&self) {
        *self.bell() = None;
    }

    /// The last bytes, at most `most`, of the running child's standard output; `None` where no child runs.
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

    /// Notes that the child with the standard output `stdout` has ended.  Of several children at once, `now` may be another one.
    pub(super) fn child_ended(&self, stdout: &Arc<Mutex<Capture>>) {
        let mut now = lock(&self.now);
        if now
            .as_ref()
            .is_some_and(|now| Arc::ptr_eq(&now.stdout, stdout))
        {
            *now = None;
        }
    }

    fn bell(&self) -> MutexGuard<'_, Option<Arc<EventFd>>> {
        lock(&self.bell)
    }
}

/// Locks `mutex`, also a poisoned one: no panic can leave the guarded values half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
