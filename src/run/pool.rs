//! The worker threads: at most eight calls at once, the rest wait in the order they came.
//!
//! The gate's own questions before a call (git's facts, a version) and the reading of the log have four threads of their own: while
//! eight calls hang, a person can still be asked about a ninth.  Look-ups in the network before a call, which may take seconds, have
//! four more: while a DNS server hangs, all other questions go on.
//!
//! Threads are started when there is work and end after two idle seconds.  Nothing here waits for a child on the calling thread;
//! the one function that waits at all is [`wait_idle`], for Emacs's exit.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use once_cell::sync::OnceCell;

use super::cancel::{Cancel, Latest};

/// How many calls run at the same time, at most.
pub const MAX_LIVE: usize = 8;

/// How many of the gate's own questions run at the same time, at most, beside the calls.  Questions to git take milliseconds, and
/// are given up after seconds.
pub const MAX_ASIDE: usize = 4;

/// How many look-ups before a call run at the same time, at most, beside calls and questions.
pub const MAX_LOOK_UPS: usize = 4;

/// How long an idle thread waits for more work: tool calls come in bursts, and a waiting thread makes the next start cheaper.
const LINGER: Duration = Duration::from_secs(2);

/// The bytes of a worker's stack, most of them never touched.  The supervisor needs a few KiB, but redaction and rendering run on
/// this thread too, in the `done` closure, and the JSON and GraphQL parsers recurse (`serde_json` to a depth of 128, a GraphQL parser
/// several frames a level).  A stack overflow would kill Emacs; 2 MiB of address space for each of 16 workers cost nothing.
const STACK: usize = 2 << 20;

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The run waits for a free worker.
    Queued,
    /// The run has a worker; its closure may still be under way.
    Running,
    /// The run's closure has returned.
    Done,
}

#[derive(Debug)]
struct Job {
    id: u64,
    state: AtomicU8,
    cancel: Cancel,
    begun: OnceCell<Instant>,
    took: OnceCell<Duration>,
}

/// A run, for the caller that started it.  Dropping the handle changes nothing for the run.
#[derive(Clone, Debug)]
pub struct Handle(Arc<Job>);

impl Handle {
    /// A number that no other run of this process has.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The state of the run now.
    pub fn state(&self) -> State {
        match self.0.state.load(Ordering::Acquire) {
            0 => State::Queued,
            1 => State::Running,
            _ => State::Done,
        }
    }

    /// How many bytes were read so far from both streams of the child that runs now.
    pub fn bytes(&self) -> u64 {
        self.0.cancel.read.load(Ordering::Relaxed)
    }

    /// The last bytes, at most `most`, that the running child has printed; `None` where no child runs.
    /// The bytes are raw: only the Plan's own code may read them, and redacts them.
    pub(crate) fn latest(&self, most: usize) -> Option<Latest> {
        self.0.cancel.latest(most)
    }

    /// The time since a worker took the run; for a run that is done, how long it took; zero while it is queued.
    pub fn elapsed(&self) -> Duration {
        let begun = self.0.begun.get();
        let took = self.0.took.get().copied();
        took.or_else(|| begun.map(Instant::elapsed))
            .unwrap_or_default()
    }

    /// Ends the run: SIGTERM to its group, SIGKILL after the grace; a queued run never starts.
    /// The run's closure is called all the same, on another thread (on this thread only where the system gives no other).  Never waits;
    /// does nothing to a run that is done.
    pub fn cancel(&self) {
        self.0.cancel.cancel();
        let mut pool = pool();
        let mut lanes = pool.lanes.iter_mut();
        let item = lanes.find_map(|lane| {
            let at = lane.queue.iter().position(|(job, _)| job.id == self.0.id)?;
            lane.queue.remove(at)
        });
        pool.cut.extend(item);
        sweep(pool);
    }
}

type Task = Box<dyn FnOnce(&Cancel) + Send>;

/// Work of one kind and the threads that do it.
struct Lane {
    /// The most threads.
    most: usize,
    queue: VecDeque<(Arc<Job>, Task)>,
    workers: usize,
    idle: usize,
}

impl Lane {
    const fn new(most: usize) -> Self {
        Self {
            most,
            queue: VecDeque::new(),
            workers: 0,
            idle: 0,
        }
    }
}

/// The index in [`Pool::lanes`] of the calls' lane.
const CALLS: usize = 0;
/// The index of the lane for the gate's own questions.
const ASIDE: usize = 1;
/// The index of the lane for look-ups before a call.
const LOOK_UPS: usize = 2;
/// How many lanes there are.
const LANES: usize = 3;

struct Pool {
    next_id: u64,
    lanes: [Lane; LANES],
    /// Runs that were cancelled before they started; their closures are still to be called.
    cut: VecDeque<(Arc<Job>, Task)>,
    /// Whether a thread beside the workers is emptying `cut`.
    sweeping: bool,
    /// Every run that is not done.
    jobs: BTreeMap<u64, Arc<Job>>,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    next_id: 1,
    lanes: [
        Lane::new(MAX_LIVE),
        Lane::new(MAX_ASIDE),
        Lane::new(MAX_LOOK_UPS),
    ],
    cut: VecDeque::new(),
    sweeping: false,
    jobs: BTreeMap::new(),
});
/// For each lane: notified when a task is put in the lane's queue.
static WORK: [Condvar; LANES] = [Condvar::new(), Condvar::new(), Condvar::new()];
/// Notified when the last run is done.
static IDLE: Condvar = Condvar::new();

/// The pool, also behind a poisoned lock: no task runs under the lock, so the pool is whole.
fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Queues `task` for a worker of the calls, and returns at once.  The task runs one child, or several in sequence, by `run_here`
/// with the [`Cancel`] that it gets.
///
/// `task` is called exactly once, also when it is cancelled before it starts; then each `run_here` under that [`Cancel`] answers
/// `Ended::Cancelled` without starting anything.  A panic in `task` ends with `task`.  Only where the system gives no thread at all
/// is `task` called before this returns, on the calling thread, and each `run_here` in it answers `Ended::SpawnFailed`.
pub(crate) fn start_task(task: Task) -> Handle {
    start_in(CALLS, "cj-gate-run", || work(CALLS), task)
}

/// [`start_task`] for the gate's own questions, which do not wait for running calls.
pub(crate) fn start_aside(task: Task) -> Handle {
    start_in(ASIDE, "cj-gate-ask", || work(ASIDE), task)
}

/// [`start_task`] for look-ups in the network before a call.
pub(crate) fn start_look_up(task: Task) -> Handle {
    start_in(LOOK_UPS, "cj-gate-look", || work(LOOK_UPS), task)
}

fn start_in(lane: usize, name: &str, work: fn(), task: Task) -> Handle {
    let mut pool = pool();
    let job = Arc::new(Job {
        id: pool.next_id,
        state: AtomicU8::new(0),
        cancel: Cancel::default(),
        begun: OnceCell::new(),
        took: OnceCell::new(),
    });
    pool.next_id += 1;
    pool.jobs.insert(job.id, Arc::clone(&job));
    let own = &mut pool.lanes[lane];
    own.queue.push_back((Arc::clone(&job), task));
    let short = own.queue.len() > own.idle && own.workers < own.most;
    if short {
        own.workers += 1;
    }
    drop(pool);
    WORK[lane].notify_one();
    if short && let Err(error) = thread_without_signals(name, work) {
        no_worker(lane, &error);
    }
    Handle(job)
}

/// Every run that is queued or running, oldest first.
pub fn runs() -> Vec<Handle> {
    pool().jobs.values().cloned().map(Handle).collect()
}

/// How many runs are queued or running.
pub fn live() -> usize {
    pool().jobs.len()
}

/// Cancels every run that is queued or running; never waits.
pub fn cancel_all() {
    let mut pool = pool();
    for job in pool.jobs.values() {
        job.cancel.cancel();
    }
    for lane in 0..LANES {
        let queued = std::mem::take(&mut pool.lanes[lane].queue);
        pool.cut.extend(queued);
    }
    sweep(pool);
}

/// Waits until no run is queued or running, or until `timeout` has passed; returns whether none is left.
/// For Emacs's exit; a `done` closure that called this would wait for itself.
pub fn wait_idle(timeout: Duration) -> bool {
    let busy = |pool: &mut Pool| !pool.jobs.is_empty();
    let waited = IDLE.wait_timeout_while(pool(), timeout, busy);
    let (pool, _) = waited.unwrap_or_else(PoisonError::into_inner);
    pool.jobs.is_empty()
}

/// The work of one thread of `lane`: runs tasks until none comes for [`LINGER`].
fn work(lane: usize) {
    let mut pool = pool();
    loop {
        if let Some((job, task)) = pool.lanes[lane].queue.pop_front() {
            drop(pool);
            execute(&job, task);
            pool = self::pool();
            continue;
        }
        pool.lanes[lane].idle += 1;
        let empty = |pool: &mut Pool| pool.lanes[lane].queue.is_empty();
        let waited = WORK[lane].wait_timeout_while(pool, LINGER, empty);
        pool = waited.unwrap_or_else(PoisonError::into_inner).0;
        let own = &mut pool.lanes[lane];
        own.idle -= 1;
        if own.queue.is_empty() {
            own.workers -= 1;
            return;
        }
    }
}

/// Runs one `task`; a panic in it stays here.
fn execute(job: &Arc<Job>, task: Task) {
    let _ = job.begun.set(Instant::now());
    job.state.store(1, Ordering::Release);
    // The panic hook has reported the panic; the task's values are dropped with it.
    let _ = catch_unwind(AssertUnwindSafe(|| task(&job.cancel)));
    job.cancel.disarm();
    let _ = job
        .took
        .set(job.begun.get().map_or(Duration::ZERO, Instant::elapsed));
    job.state.store(2, Ordering::Release);
    let mut pool = pool();
    pool.jobs.remove(&job.id);
    if pool.jobs.is_empty() {
        IDLE.notify_all();
    }
}

/// Calls the closures of the runs that were taken out of the queue, on a thread of its own: all workers may be busy.
fn sweep(mut pool: MutexGuard<'static, Pool>) {
    if pool.cut.is_empty() || pool.sweeping {
        return;
    }
    pool.sweeping = true;
    drop(pool);
    if thread_without_signals("cj-gate-cancel", sweep_all).is_err() {
        sweep_all();
    }
}

fn sweep_all() {
    let mut pool = pool();
    while let Some((job, task)) = pool.cut.pop_front() {
        drop(pool);
        execute(&job, task);
        pool = self::pool();
    }
    pool.sweeping = false;
}

/// The system gave no thread for a worker.  Other workers of the lane will take the queued runs; without any, the queued runs are
/// refused here.
fn no_worker(lane: usize, error: &std::io::Error) {
    let mut pool = pool();
    let own = &mut pool.lanes[lane];
    own.workers -= 1;
    if own.workers > 0 {
        return;
    }
    let queued = std::mem::take(&mut own.queue);
    drop(pool);
    for (job, task) in queued {
        job.cancel
            .refuse(format!("no thread to run it on: {error}"));
        execute(&job, task);
    }
}

/// Starts a thread that gets no signals but those of its own faults: Emacs's handlers belong on Emacs's thread.  A new thread
/// inherits the mask of the thread that starts it, so the starting thread blocks all signals for a moment.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that makes threads that stay"
)]
pub(crate) fn thread_without_signals(name: &str, body: fn()) -> std::io::Result<()> {
    let mut blocked = SigSet::all();
    for own in [
        Signal::SIGSEGV,
        Signal::SIGBUS,
        Signal::SIGFPE,
        Signal::SIGILL,
    ] {
        blocked.remove(own);
    }
    let before = blocked.thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let made = thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK)
        .spawn(body);
    before
        .thread_set_mask()
        .expect("a mask that was in force a moment ago is valid");
    made.map(drop)
}
