//! The runner's tests against real child processes, and the functions that these tests share.
//!
//! A test that counts descriptors, fills the pool or cancels everything runs in a process of its
//! own ([`alone`]), since cargo runs all tests of the crate as threads of one process.

use super::*;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

mod capturing;
mod child;
mod death;
mod into_file;
mod memory;
mod pooling;

/// The longest wait for what a run does in a second at most, so that a slow machine fails no test.
const PATIENCE: Duration = Duration::from_secs(10);

/// Set in a process that is to die in the middle of a start.
static CRASH: AtomicBool = AtomicBool::new(false);

/// The most memory that any stream of this process has taken.
static MOST_HELD: AtomicUsize = AtomicUsize::new(0);

/// Each capture calls this after each read with the bytes of memory that the capture takes.
pub(super) fn holds(bytes: usize) {
    MOST_HELD.fetch_max(bytes, Ordering::SeqCst);
}

/// `Child::start` calls this when a child has been started and the lifeline does not know its group yet.
pub(super) fn between_start_and_registration() {
    if CRASH.load(Ordering::SeqCst) {
        nix::sys::signal::raise(nix::sys::signal::Signal::SIGKILL).unwrap();
    }
}

/// A text that no other test, process or run of the tests uses.
fn token() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::SeqCst);
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    format!("{}-{}-{next}", std::process::id(), now.as_nanos())
}

/// `sh -c` with `script`; `token` in its environment marks the child and all that the child starts.
fn marked(script: &str, token: &str, limits: Limits) -> Command {
    let env = [("PATH", "/usr/bin:/bin"), ("CJ_GATE_TOKEN", token)];
    let args = ["-c".to_owned(), script.to_owned()];
    Command::new("/bin/sh", &args, &env, "/", limits).unwrap()
}

/// `sh -c` with `script`, unmarked.
fn sh(script: &str, limits: Limits) -> Command {
    marked(script, "none", limits)
}

/// Runs `command` on the test's own thread.
fn run(command: &Command) -> Captured {
    run_here(command, &Cancel::default())
}

/// Runs `command` on a worker and calls `done` there with the result.
fn start(command: Command, done: Box<dyn FnOnce(Captured) + Send>) -> Handle {
    start_task(Box::new(move |cancel| done(run_here(&command, cancel))))
}

/// The living processes that `token` marks; zombies are left out, for they have no environment.
fn marked_pids(token: &str) -> Vec<String> {
    let mark = format!("CJ_GATE_TOKEN={token}");
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter(|entry| {
        let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
        environ.split(|b| *b == 0).any(|var| var == mark.as_bytes())
    })
    .map(|entry| entry.file_name().into_string().unwrap())
    .collect()
}

fn marked_processes(token: &str) -> usize {
    marked_pids(token).len()
}

/// Waits until `truth` holds, for [`PATIENCE`] at most; returns whether it came to hold, and after how long.
fn eventually(mut truth: impl FnMut() -> bool) -> (bool, Duration) {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if truth() {
            return (true, begun.elapsed());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    (truth(), begun.elapsed())
}

/// The purpose that this process was started for; none in the process that cargo started.
#[allow(
    clippy::disallowed_methods,
    reason = "a test that starts this program again tells the second process its purpose by the environment"
)]
fn purpose() -> Option<String> {
    std::env::var("CJ_GATE_PURPOSE").ok()
}

/// The command that starts this test program for `purpose`, with the test `name` alone.
fn this_test(name: &str, purpose: &str) -> Command {
    let args = [name, "--exact", "--nocapture", "--test-threads=1"].map(str::to_owned);
    let limits = Limits {
        timeout: Duration::from_secs(120),
        ..Limits::default()
    };
    let env = [("PATH", "/usr/bin:/bin"), ("CJ_GATE_PURPOSE", purpose)];
    let program = std::env::current_exe().unwrap();
    Command::new(program, &args, &env, "/", limits).unwrap()
}

/// Returns true in a process that runs the test `name` alone; elsewhere starts such a process, checks that the test
/// passed there, and returns false. `name` is below `run::tests`: `child::raw_bytes_and_nuls_are_kept`.
fn alone(name: &str) -> bool {
    alone_in_crate(&format!("run::tests::{name}"))
}

/// As [`alone`], for a test of any module: `name` is its whole path in the crate.
pub(crate) fn alone_in_crate(name: &str) -> bool {
    if purpose().as_deref() == Some("alone") {
        return true;
    }
    let ran = run(&this_test(name, "alone"));
    let said = String::from_utf8_lossy(ran.stdout.head().reveal()).into_owned();
    let cried = String::from_utf8_lossy(ran.stderr.head().reveal()).into_owned();
    assert_eq!(ran.ended, Ended::Exited(0), "{said}\n{cried}");
    assert!(said.contains("1 passed"), "the test was not found: {said}");
    print!("{said}");
    false
}

/// The value of `key` in the text of a file like `/proc/self/status`, where a line is `key:<tab>value`.
fn field<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
        .map_or("", str::trim)
}

/// The numbers behind the name in a `stat` file of /proc; the state letter is left out, so PPID comes first.
fn stat_numbers(stat: &str) -> Vec<i64> {
    let after = stat.rsplit(')').next().unwrap();
    let words = after.split_whitespace().skip(1);
    words.filter_map(|word| word.parse().ok()).collect()
}

fn open_descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

fn exists(path: &str) -> bool {
    Path::new(path).exists()
}
