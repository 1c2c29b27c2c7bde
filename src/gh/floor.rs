//! The version floor: gh is asked for its version once, on a worker thread, before it is used for the first time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use once_cell::sync::Lazy;

use super::environment::Environment;
use super::version;
use crate::gate::{ErrorKind, Guard, Refusal};
use crate::run::{Captured, Command, Ended, Limits, SpawnError};

/// A program as it was when it was asked: a new gh under the old name is asked again.
type Key = (PathBuf, Option<SystemTime>);

static ANSWERS: Lazy<Mutex<HashMap<Key, Result<(), Refusal>>>> = Lazy::new(Mutex::default);

/// Bytes of `gh --version` that are read; it prints two lines.
const CAP: usize = 4_096;

/// Asks one gh for its version.
pub struct Floor {
    key: Key,
    question: Command,
}

impl Floor {
    /// A question to `executable`, bounded by the call's own `timeout`.
    ///
    /// # Errors
    /// Where the program could not be executed with these arguments at all.
    pub fn new(
        executable: &Path,
        environment: &Environment,
        cwd: &Path,
        timeout: Duration,
    ) -> Result<Self, SpawnError> {
        let changed = executable.metadata().and_then(|m| m.modified()).ok();
        let limits = Limits {
            timeout,
            cap: CAP,
            ..Limits::default()
        };
        let question = Command::new(
            executable,
            &["--version".to_owned()],
            environment.pairs(),
            cwd,
            limits,
        )?;
        Ok(Self {
            key: (executable.to_owned(), changed),
            question,
        })
    }
}

impl Guard for Floor {
    fn check(&self, run: &mut dyn FnMut(&Command) -> Captured) -> Result<(), Refusal> {
        if let Some(answer) = answers().get(&self.key) {
            return answer.clone();
        }
        let captured = run(&self.question);
        let answer = match captured.ended {
            Ended::Exited(_) | Ended::Capped => {
                judge(&String::from_utf8_lossy(captured.stdout.head().reveal()))
            }
            // These say nothing of the version and are not remembered.
            Ended::Deadline => {
                return Err(Refusal::new(
                    ErrorKind::Timeout,
                    "gh did not answer `gh --version' in time and was ended.\nRun `gh --version' in a terminal.",
                ));
            }
            Ended::Cancelled => {
                return Err(Refusal::new(
                    ErrorKind::Cancelled,
                    "The call was cancelled.\nAsk the person before trying again.",
                ));
            }
            // The call itself will fail the same way, and say how.
            _ => return Ok(()),
        };
        answers().insert(self.key.clone(), answer.clone());
        answer
    }
}

/// Only a version that is known to be too old is refused: a build without a number passes, and what is no gh at all
/// will say so by what it prints.
fn judge(stdout: &str) -> Result<(), Refusal> {
    match version::check(stdout) {
        Err(refusal) if refusal.kind == ErrorKind::TooOld => Err(refusal),
        _ => Ok(()),
    }
}

fn answers() -> std::sync::MutexGuard<'static, HashMap<Key, Result<(), Refusal>>> {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner)
}
