//! The thread that writes the audit log, and the bounded time for which a caller waits until its line is written.
//!
//! Order: a line is in its file before the outcome of its call is delivered, as long as the disk answers in time.  The caller waits
//! at most one second if a program ran, else half a millisecond, and then delivers the outcome.
//! Up to [`KEPT`] lines that cannot be written are kept, and written once the disk takes lines again.

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

/// The most lines kept while the disk takes none: at some 700 bytes a line, 7 MB of memory.  Further lines are counted as lost.
pub const KEPT: usize = 10_000;
/// How long the idle thread waits for another line before it ends.
const LINGER: Duration = Duration::from_secs(2);
/// How long after a failure the thread tries the kept lines again, if no new line comes.
const RETRY: Duration = Duration::from_secs(10);

/// A disk that takes no line for this long is reported to the person.
const SLOW: Duration = Duration::from_secs(1);

/// The user's settings of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogSettings {
    /// The folder of the log; none: there is no log.
    pub folder: Option<PathBuf>,
    /// Days for which files are kept; none: for ever.
    pub days: Option<u32>,
    /// Whether a call that may change something is refused when its intent cannot be written.
    pub required: bool,
}

/// The state of a line when its caller stops waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    /// The line is in its file.
    Written,
    /// There is no log.
    Off,
    /// The line could not be written.  The queue keeps the line for a later try, unless the queue is full.
    Failed,
    /// The thread has not tried the line yet.
    Late,
}

/// The state of the log in this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Lines written in this process.
    pub written: u64,
    /// Lines in the queue: not tried yet, or failed and kept.
    pub waiting: usize,
    /// Lines dropped because the queue was full.
    pub lost: u64,
    /// Why the last line could not be written; none after a line was written.
    pub trouble: Option<String>,
}

/// Whether the line was written; none until the thread has tried it.
type Slot = Arc<Mutex<Option<bool>>>;

/// A line in the queue.
struct Item {
    folder: PathBuf,
    days: Option<u32>,
    entry: Entry,
    slot: Slot,
    /// Whether the thread has tried to write the line.
    tried: bool,
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    /// Number of items that the thread has not tried yet.
    untried: usize,
    /// Number of items that the thread has taken, and neither written nor put back.
    taken: usize,
    /// Whether the thread runs.
    thread: bool,
    /// By folder, the number of lines dropped since the last line that was written there.
    lost: HashMap<PathBuf, u64>,
    state: State,
    /// Whether [`unsaid_trouble`] has already returned the trouble in `state`.
    said: bool,
}

static QUEUE: Lazy<Mutex<Queue>> = Lazy::new(Mutex::default);
/// Notified when a line comes.
static WORK: Condvar = Condvar::new();
/// Notified when the thread has tried a line.
static TRIED: Condvar = Condvar::new();
/// The writers by folder; only the thread uses them.
static WRITERS: Lazy<Mutex<HashMap<PathBuf, Writer>>> = Lazy::new(Mutex::default);
static HEADS: Lazy<Mutex<HashMap<PathBuf, Head>>> = Lazy::new(Mutex::default);
static SETTINGS: Lazy<Mutex<Arc<LogSettings>>> = Lazy::new(Mutex::default);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the settings for calls that are planned from now on.
pub fn configure(settings: LogSettings) {
    *lock(&SETTINGS) = Arc::new(settings);
}

/// The settings that hold now.
pub fn settings() -> Arc<LogSettings> {
    Arc::clone(&lock(&SETTINGS))
}

/// Hands `entry` to the thread, and waits until the thread has tried to write the line, at most for `patience`.
pub fn enqueue(settings: &LogSettings, entry: Entry, patience: Duration) -> LineState {
    let Some(folder) = settings.folder.clone() else {
        return LineState::Off;
    };
    let slot = Slot::default();
    let mut queue = lock(&QUEUE);
    if queue.items.len() + queue.taken >= KEPT {
        *queue.lost.entry(folder).or_default() += 1;
        queue.state.lost += 1;
        return LineState::Failed;
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
            troubled(
                &mut queue,
                format!("no thread could be started to write it: {error}"),
            );
            return LineState::Failed;
        }
    }
    WORK.notify_one();
    let until = Instant::now() + patience;
    loop {
        if let Some(written) = *lock(&slot) {
            return if written {
                LineState::Written
            } else {
                LineState::Failed
            };
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            // A caller that waits half a millisecond cannot tell whether the disk is slow.
            if patience >= SLOW && queue.state.trouble.is_none() {
                troubled(&mut queue, "the disk does not answer".to_owned());
            }
            return LineState::Late;
        }
        queue = TRIED
            .wait_timeout(queue, left)
            .unwrap_or_else(PoisonError::into_inner)
            .0;
    }
}

/// Waits until the thread has tried every line, at most for `patience`.  Returns whether every line was tried.  For Emacs's exit, and
/// for tests.
pub fn flush(patience: Duration) -> bool {
    let waited = TRIED.wait_timeout_while(lock(&QUEUE), patience, |queue| queue.untried > 0);
    waited.unwrap_or_else(PoisonError::into_inner).0.untried == 0
}

/// The state of the log now.
pub fn state() -> State {
    let queue = lock(&QUEUE);
    State {
        waiting: queue.items.len() + queue.taken,
        ..queue.state.clone()
    }
}

/// The current trouble, the first time that this function is called for it; none after that.
pub fn unsaid_trouble() -> Option<String> {
    let mut queue = lock(&QUEUE);
    if queue.said {
        return None;
    }
    let trouble = queue.state.trouble.clone()?;
    queue.said = true;
    Some(trouble)
}

/// The last line of this process's chain in `folder`; none before its first line.
pub fn head(folder: &Path) -> Option<Head> {
    lock(&HEADS).get(folder).cloned()
}

fn troubled(queue: &mut Queue, why: String) {
    queue.state.trouble = Some(why);
}

/// The body of the thread: writes what is queued, tries failed lines again, and ends after [`LINGER`] without a line.
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

/// Tries to write each item of `batch` in turn; returns the items that failed, in their order.  After one failure in a folder no other
/// line for that folder is tried in this pass, so that the lines keep their order.
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

/// Writes one line.
///
/// # Errors
/// The reason why the line could not be written.  A panic counts as an error.
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
        .map_err(|_| "the module failed while it wrote a line".to_owned())?
        .map_err(|trouble| trouble.to_string())?;
    lock(&HEADS).insert(item.folder.clone(), head);
    if lost > 0 {
        lock(&QUEUE).lost.remove(&item.folder);
    }
    Ok(())
}
