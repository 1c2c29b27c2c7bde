//! The cancel of a run, and what can be seen of the run while it lasts.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::eventfd::{EfdFlags, EventFd};
use once_cell::sync::OnceCell;

use super::capture::Capture;
use crate::foreign::Foreign;

/// Asks one run, or several in sequence, to end; and tells how many bytes they have read.
#[derive(Debug, Default)]
pub(crate) struct Cancel {
    asked: AtomicBool,
    /// Wakes the worker from `poll`.  It exists only while a worker needs it: a queue of hundreds
    /// holds no descriptors.
    bell: Mutex<Option<Arc<EventFd>>>,
    /// Set when no thread could be had to run on.
    pub(super) refused: OnceCell<String>,
    pub(super) read: AtomicU64,
    /// The child that runs now.
    pub(super) now: Mutex<Option<Now>>,
}

/// One child while it runs, for those who look on.
#[derive(Debug)]
pub(super) struct Now {
    pub(super) begun: Instant,
    /// Shared and not copied: looking on takes no memory while nobody looks.
    pub(super) stdout: Arc<Mutex<Capture>>,
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
    pub(super) fn no_longer(&self, stdout: &Arc<Mutex<Capture>>) {
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

/// What it guards is whole after every step, so a poisoned lock is no harm.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
