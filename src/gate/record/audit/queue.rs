//! The thread that writes the audit log, and those who wait for it, each for a bounded time.
//!
//! Order: a line is in its file before the outcome of the call is delivered, as long as the disk answers in time; whoever has to
//! deliver waits for at most a second on a worker thread, for half a millisecond on Emacs's own, and then goes on.
//! Lines that cannot be written now are kept, up to [`KEPT`], and written when it is possible again.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use once_cell::sync::Lazy;

use super::entry::Entry;
use super::folder::Trouble;
use super::writer::{Head, Writer};
use crate::run;

/// Lines that are kept while they cannot be written; some 700 bytes each.
pub const KEPT: usize = 10_000;
/// How long the thread stays when there is nothing to do.
const LINGER: Duration = Duration::from_secs(2);
/// How long after a failure the lines that are kept are tried again, if no new one comes.
const RETRY: Duration = Duration::from_secs(10);

/// A disk that has not taken a line in this time is worth a word to the person.
const SLOW: Duration = Duration::from_secs(1);

/// What the user set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogSettings {
    /// Where the log lies; none: there is no log.
    pub folder: Option<PathBuf>,
    /// Days for which files are kept; none: for ever.
    pub days: Option<u32>,
    /// Whether a call that may change something is refused when its intent cannot be written.
    pub required: bool,
}

/// What became of a line by the time that its maker goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// It stands in its file.
    Written,
    /// There is no log.
    Off,
    /// It could not be written, and is kept for later.
    Failed,
    /// It has not been written yet.
    Late,
}

/// How the log is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Lines written in this process.
    pub written: u64,
    /// Lines that wait, or that could not be written.
    pub waiting: usize,
    /// Lines that were given up.
    pub lost: u64,
    /// Why the last line could not be written; none once one could.
    pub trouble: Option<String>,
}

type Slot = Arc<Mutex<Option<bool>>>;

struct Item {
    folder: PathBuf,
    days: Option<u32>,
    entry: Entry,
    slot: Slot,
    tried: bool,
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    /// Items that no attempt has been made for.
    untried: usize,
    /// Items that the thread has taken and not put back.
    taken: usize,
    thread: bool,
    lost: HashMap<PathBuf, u64>,
    state: State,
    /// Whether the trouble has been told.
    said: bool,
}

static QUEUE: Lazy<Mutex<Queue>> = Lazy::new(Mutex::default);
/// Rung when a line comes.
static WORK: Condvar = Condvar::new();
/// Rung when a line was tried.
static TRIED: Condvar = Condvar::new();
/// The writers by folder; only the thread writes.
static WRITERS: Lazy<Mutex<HashMap<PathBuf, Writer>>> = Lazy::new(Mutex::default);
static HEADS: Lazy<Mutex<HashMap<PathBuf, Head>>> = Lazy::new(Mutex::default);
static SETTINGS: Lazy<Mutex<Arc<LogSettings>>> = Lazy::new(Mutex::default);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says what holds from now on, for calls that are planned from now on.
pub fn configure(settings: LogSettings) {
    *lock(&SETTINGS) = Arc::new(settings);
}

/// What holds now.
pub fn settings() -> Arc<LogSettings> {
    Arc::clone(&lock(&SETTINGS))
}

/// Hands `entry` to the thread and waits for it to be written, for `patience` at most.
pub fn note(settings: &LogSettings, entry: Entry, patience: Duration) -> Noted {
    let Some(folder) = settings.folder.clone() else {
        return Noted::Off;
    };
    let slot = Slot::default();
    let mut queue = lock(&QUEUE);
    if queue.items.len() + queue.taken >= KEPT {
        *queue.lost.entry(folder).or_default() += 1;
        queue.state.lost += 1;
        return Noted::Failed;
    }
    queue.untried += 1;
    queue.items.push_back(Item {
        folder,
        days: settings.days,
        entry,
        slot: Arc::clone(&slot),
        tried: false,
    });
    if !queue.thread {
        queue.thread = true;
        if let Err(error) = run::thread_without_signals("cj-gate-audit", work) {
            queue.thread = false;
            troubled(&mut queue, format!("no thread to write it on: {error}"));
            return Noted::Failed;
        }
    }
    WORK.notify_one();
    let until = Instant::now() + patience;
    loop {
        if let Some(written) = *lock(&slot) {
            return if written {
                Noted::Written
            } else {
                Noted::Failed
            };
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            // On Emacs's own thread nobody waits long enough to know.
            if patience >= SLOW && queue.state.trouble.is_none() {
                troubled(&mut queue, "the disk does not answer".to_owned());
            }
            return Noted::Late;
        }
        queue = TRIED
            .wait_timeout(queue, left)
            .unwrap_or_else(PoisonError::into_inner)
            .0;
    }
}

/// Waits until every line has been tried, or for `patience`; whether all have.  For Emacs's exit, and for tests.
pub fn flush(patience: Duration) -> bool {
    let waited = TRIED.wait_timeout_while(lock(&QUEUE), patience, |queue| queue.untried > 0);
    waited.unwrap_or_else(PoisonError::into_inner).0.untried == 0
}

/// How the log is doing.
pub fn state() -> State {
    let queue = lock(&QUEUE);
    State {
        waiting: queue.items.len() + queue.taken,
        ..queue.state.clone()
    }
}

/// The trouble there is, the first time that it is asked for.
pub fn unsaid_trouble() -> Option<String> {
    let mut queue = lock(&QUEUE);
    if queue.said {
        return None;
    }
    let trouble = queue.state.trouble.clone()?;
    queue.said = true;
    Some(trouble)
}

/// How far this process has written in `folder`.
pub fn head(folder: &Path) -> Option<Head> {
    lock(&HEADS).get(folder).cloned()
}

fn troubled(queue: &mut Queue, why: String) {
    queue.state.trouble = Some(why);
}

/// The thread's life.
fn work() {
    let mut queue = lock(&QUEUE);
    loop {
        let batch = std::mem::take(&mut queue.items);
        queue.taken = batch.len();
        drop(queue);
        let left = pass(batch);
        queue = lock(&QUEUE);
        queue.taken = 0;
        for item in left.into_iter().rev() {
            queue.items.push_front(item);
        }
        if queue.untried > 0 {
            continue;
        }
        let patience = if queue.items.is_empty() {
            LINGER
        } else {
            RETRY
        };
        let waited = WORK.wait_timeout_while(queue, patience, |queue| queue.untried == 0);
        queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        if queue.items.is_empty() {
            queue.thread = false;
            return;
        }
    }
}

/// Tries to write each of `batch` in turn; what is left stays in its order.  A folder that failed is not tried again in this pass.
fn pass(batch: VecDeque<Item>) -> Vec<Item> {
    let mut left: Vec<Item> = Vec::new();
    for mut item in batch {
        let blocked = left.iter().any(|other| other.folder == item.folder);
        let tried = if blocked { None } else { Some(attempt(&item)) };
        let mut queue = lock(&QUEUE);
        let written = matches!(tried, Some(Ok(())));
        match tried {
            Some(Ok(())) => {
                queue.state.written += 1;
                queue.state.trouble = None;
                queue.said = false;
            }
            Some(Err(why)) => troubled(&mut queue, why),
            None => {}
        }
        if !item.tried {
            item.tried = true;
            queue.untried -= 1;
            *lock(&item.slot) = Some(written);
            TRIED.notify_all();
        }
        if written {
            queue.taken -= 1;
        } else {
            left.push(item);
        }
    }
    left
}

/// Writes one line.  A panic is a line that could not be written.
fn attempt(item: &Item) -> Result<(), String> {
    let lost = lock(&QUEUE)
        .lost
        .get(&item.folder)
        .copied()
        .unwrap_or_default();
    let written = catch_unwind(AssertUnwindSafe(|| -> Result<Head, Trouble> {
        let mut writers = lock(&WRITERS);
        let writer = writers.entry(item.folder.clone()).or_default();
        writer.append(&item.folder, &item.entry, lost, item.days)?;
        Ok(writer.head().clone())
    }));
    let head = written
        .map_err(|_| "the module failed while it wrote it".to_owned())?
        .map_err(|trouble| trouble.to_string())?;
    lock(&HEADS).insert(item.folder.clone(), head);
    if lost > 0 {
        lock(&QUEUE).lost.remove(&item.folder);
    }
    Ok(())
}
