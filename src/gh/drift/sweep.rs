//! The sweep: asking an installed gh for all its help pages, one after another, on a worker thread.
//!
//! The sweep calls `gh help WORDS` and not `gh WORDS --help`: `gh help` prints the page of every built-in command and runs none, not even one
//! that hands `--help` on to a program (`gh copilot`).  `gh help reference` prints all pages in one, but its output is longer than any
//! run may print.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use once_cell::sync::Lazy;

use super::{Drift, compare, walk};
use crate::foreign::Foreign;
use crate::gate::{ErrorKind, Refusal};
use crate::gh::catalog::Catalog;
use crate::gh::catalog::version;
use crate::gh::child::environment::for_gh_alone;
use crate::gh::installed::owned::Owned;
use crate::run::{self, Cancel, Command, Ended, Limits};

/// Bytes of one page that are read; the longest page of gh 2.103.3 has 8,856.
const PAGE: usize = 32_768;

/// The time for one page: gh needs some 45 milliseconds of processor time, but the machine may be busy.
const PAGE_TIMEOUT: Duration = Duration::from_secs(20);

/// The time for all pages: ten times the time that a quiet machine needs.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The version that gh says it has.
    pub version: String,
    /// How it differs from the catalog.
    pub drift: Drift,
}

/// Identifies a gh as it was when it was asked: program, time of its last change, and its first page, which also lists the extensions.
type Key = (PathBuf, Option<SystemTime>, String);

/// Reports that are kept, so that gh is not asked again.
static ANSWERS: Lazy<Mutex<HashMap<Key, Arc<Report>>>> = Lazy::new(Mutex::default);
/// The handle of the sweep that was started last.
static LAST: Mutex<Option<run::Handle>> = Mutex::new(None);
/// Held by the sweep that runs, so that no other runs beside it.
static TURN: Mutex<()> = Mutex::new(());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a sweep of `gh` in the directory `cwd`; `done` gets the report on a worker thread, exactly once.
///
/// Only one sweep runs at a time: a sweep that still runs is cancelled and ends first.  A whole report is kept until the program
/// or its first page changes.  No token is passed on.
/// In place of a report, `done` can get one of these refusals: `too-old`, `no-executable` where the program is no gh, `timeout`,
/// `cancelled`, `spawn-failed`, `gh-exit` where gh failed or printed more than a page may have.
///
/// # Errors
/// `bad-argument` where the name of the program or of the directory cannot be passed on, `no-executable` where an extension or an alias may
/// own the word `help`.
pub fn start(
    gh: &Path,
    cwd: &Path,
    environment: &Foreign<Vec<String>>,
    done: impl FnOnce(Result<Arc<Report>, Refusal>) + Send + 'static,
) -> Result<run::Handle, Refusal> {
    let asker = Asker {
        gh: gh.to_owned(),
        cwd: cwd.to_owned(),
        environment: for_gh_alone(environment).pairs().to_vec(),
        deadline: Instant::now() + TIMEOUT,
    };
    asker.command(&["--version"])?;
    if let Some(why) = Owned::new(environment).by_another("help") {
        return Err(Refusal::new(
            ErrorKind::NoExecutable,
            format!(
                "The help pages of gh cannot be asked for: the question {why}.\nRename that extension or alias."
            ),
        ));
    }
    let mut last = lock(&LAST);
    if let Some(last) = last.take() {
        last.cancel();
    }
    let handle = run::start_task(Box::new(move |cancel| {
        // A sweep that was cancelled while it waited for its start does not wait for the turn.
        let _turn = (!cancel.cancelled()).then(|| lock(&TURN));
        done(asker.sweep(cancel));
    }));
    *last = Some(handle.clone());
    Ok(handle)
}

/// One gh, and how it is asked: in which directory, with which environment.
struct Asker {
    gh: PathBuf,
    cwd: PathBuf,
    environment: Vec<(String, Foreign<String>)>,
    deadline: Instant,
}

impl Asker {
    fn sweep(&self, cancel: &Cancel) -> Result<Arc<Report>, Refusal> {
        let version = version::check(&self.output(&["--version"], cancel)?)?.to_string();
        let changed = self.gh.metadata().and_then(|m| m.modified()).ok();
        let root = self.output(&["help"], cancel)?;
        let key = (self.gh.clone(), changed, root);
        if let Some(report) = lock(&ANSWERS).get(&key) {
            return Ok(Arc::clone(report));
        }
        let mut stopped = None;
        let installed = walk(|words| {
            if words.is_empty() {
                return Some(key.2.clone());
            }
            if stopped.is_some() || Instant::now() >= self.deadline {
                return None;
            }
            let argv: Vec<&str> = std::iter::once("help")
                .chain(words.iter().copied())
                .collect();
            match self.output(&argv, cancel) {
                Ok(text) => Some(text),
                Err(refusal) if refusal.kind == ErrorKind::Cancelled => {
                    stopped = Some(refusal);
                    None
                }
                Err(_) => None,
            }
        });
        if let Some(refusal) = stopped {
            return Err(refusal);
        }
        let report = Arc::new(Report {
            version,
            drift: compare(Catalog::get(), &installed),
        });
        if report.drift.unread.is_empty() {
            lock(&ANSWERS).insert(key, Arc::clone(&report));
        }
        Ok(report)
    }

    /// The whole output of gh for `argv`.
    fn output(&self, argv: &[&str], cancel: &Cancel) -> Result<String, Refusal> {
        let captured = run::run_here(&self.command(argv)?, cancel);
        let refuse = |kind, what: &str| {
            Err(Refusal::new(
                kind,
                format!("`gh {}' {what}.\nRun it in a terminal.", argv.join(" ")),
            ))
        };
        match captured.ended {
            Ended::Exited(0) if !captured.stdout.truncated => {
                Ok(String::from_utf8_lossy(captured.stdout.head().reveal()).into_owned())
            }
            Ended::Cancelled => refuse(ErrorKind::Cancelled, "was cancelled"),
            Ended::Deadline => refuse(ErrorKind::Timeout, "did not answer in time"),
            Ended::SpawnFailed(why) => refuse(
                ErrorKind::SpawnFailed,
                &format!("could not be started: {why}"),
            ),
            _ => refuse(ErrorKind::Failed, "failed, or printed too much"),
        }
    }

    fn command(&self, argv: &[&str]) -> Result<Command, Refusal> {
        let words: Vec<String> = argv.iter().map(|a| (*a).to_owned()).collect();
        let rest = self.deadline.saturating_duration_since(Instant::now());
        let limits = Limits {
            timeout: PAGE_TIMEOUT.min(rest),
            cap: PAGE,
            ..Limits::default()
        };
        Command::new(&self.gh, &words, &self.environment, &self.cwd, limits).map_err(|error| {
            Refusal::new(
                ErrorKind::BadArgument,
                format!("gh cannot be executed: {error}.\nSet `cj/gh-executable' to an absolute file name."),
            )
        })
    }
}
