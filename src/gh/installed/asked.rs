//! The answers of an installed gh: its version, and the help pages that calls needed.
//!
//! gh is asked on a worker thread, once for each program file: another file under the old name, or a rewritten one, is asked
//! again.  No token is passed on.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use once_cell::sync::Lazy;

use super::meaning::meaning;
use super::owned::Owned;
use crate::foreign::Foreign;
use crate::gate::broken;
use crate::gate::{ErrorKind, Refusal};
use crate::gh::catalog::help::Page;
use crate::gh::catalog::version::{self, GhVersion};
use crate::gh::child::environment::for_gh_alone;
use crate::gh::needs::{Needs, Standing};
use crate::run::{self, Captured, Command, Ended, Limits};

/// Bytes of the output of `gh --version` that are read; gh prints two lines.
const VERSION_CAP: usize = 4_096;
/// Bytes of one help page that are read; the longest page of gh 2.103.3 has 8,856.
const PAGE_CAP: usize = 32_768;

/// The time for all questions that one call raises, where the call has no time of its own.
const TIMEOUT: Duration = Duration::from_secs(20);

/// How long the answer of a front holds (a script that starts one of several gh): the front's own file stays the same when it starts another
/// gh.
const FRONT_KEPT: Duration = Duration::from_secs(5);

/// Identifies a program file as it was when it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    program: PathBuf,
    /// Device, inode, size, and the seconds and nanoseconds of the last changes of contents and of status (mtime, ctime).
    file: Option<(u64, u64, u64, [i64; 4])>,
    /// The directory that gh is asked in, where the program is a front, which can choose another gh for another directory.
    front: Option<PathBuf>,
}

impl Key {
    fn of(program: &Path, cwd: &Path) -> Self {
        let file = program.metadata().ok().map(|m| {
            let times = [m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec()];
            (m.dev(), m.ino(), m.size(), times)
        });
        Self {
            program: program.to_owned(),
            file,
            front: is_front(program).then(|| cwd.to_owned()),
        }
    }
}

/// Whether `program` is a front: a script, or a link to a file of another name.  A version manager's front starts one gh in this directory and
/// another in that, and may start a newer one tomorrow.
fn is_front(program: &Path) -> bool {
    let mut head = [0; 2];
    let script = File::open(program).and_then(|mut file| file.read_exact(&mut head));
    let real = program.canonicalize().unwrap_or_default();
    script.is_ok() && &head == b"#!" || real.file_name() != program.file_name()
}

/// The answers that one program has given so far.
#[derive(Debug)]
struct Answers {
    at: Instant,
    version: Result<GhVersion, Refusal>,
    /// Help pages by the words of the command; `None`: the page could not be read.
    pages: HashMap<String, Option<Page>>,
}

static ANSWERS: Lazy<Mutex<HashMap<Key, Answers>>> = Lazy::new(Mutex::default);

fn answers() -> MutexGuard<'static, HashMap<Key, Answers>> {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One installed gh, and how it is asked: in which directory, with which environment, and for how long.
#[derive(Clone)]
pub struct Installed {
    program: PathBuf,
    /// The key of `program` at the time when this value is made.
    key: Key,
    cwd: PathBuf,
    environment: Vec<(String, Foreign<String>)>,
    owned: Owned,
    timeout: Duration,
}

/// A function that runs one question on a worker thread.
pub type Run<'a> = dyn FnMut(&Command) -> Captured + 'a;

impl Installed {
    /// The gh `program`, asked in `cwd` with the variables of Emacs's `environment` that gh needs; all questions of one call together take at
    /// most [`TIMEOUT`].
    pub fn new(program: &Path, cwd: &Path, environment: &Foreign<Vec<String>>) -> Self {
        Self {
            program: program.to_owned(),
            cwd: cwd.to_owned(),
            key: Key::of(program, cwd),
            environment: for_gh_alone(environment).pairs().to_vec(),
            owned: Owned::new(environment),
            timeout: TIMEOUT,
        }
    }

    /// This gh, for a call that may take `timeout`.
    #[must_use]
    pub fn within(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Whether this gh meets `needs`, by its answers so far.  Starts no program.
    pub fn known(&self, needs: &Needs) -> Standing {
        if let Some(why) = self.by_another(needs) {
            return Standing::Lacks(why);
        }
        let answers = answers();
        let Some(known) = answers.get(&self.key) else {
            return Standing::Unasked;
        };
        match &known.version {
            // The guard refuses the call before it runs, and says what is wrong with the version.
            Err(_) => Standing::Unasked,
            Ok(version) => needs.standing(*version, &mut |path| known.pages.get(path).cloned()),
        }
    }

    /// Why an extension or an alias may own a command of `needs` although gh has that command.
    fn by_another(&self, needs: &Needs) -> Option<String> {
        needs
            .first_words()
            .find_map(|word| self.owned.by_another(word))
    }

    /// A sentence on what the version of this gh means for calls; `None` where gh was not asked yet or its version is refused.
    pub fn version_sentence(&self) -> Option<String> {
        let answers = answers();
        Some(meaning(*answers.get(&self.key)?.version.as_ref().ok()?))
    }

    /// Whether this gh meets `needs`: asks gh what its answers so far leave open.  For worker threads.
    ///
    /// # Errors
    /// `too-old`, `no-executable` where the program is no gh, `timeout`, `cancelled`, `spawn-failed`.
    pub fn ask(&self, needs: Option<&Needs>, run: &mut Run<'_>) -> Result<Standing, Refusal> {
        let deadline = Instant::now() + self.timeout;
        let key = Key::of(&self.program, &self.cwd);
        let fresh = |known: &Answers| key.front.is_none() || known.at.elapsed() < FRONT_KEPT;
        let known = (answers().get(&key))
            .filter(|known| fresh(known))
            .map(|known| known.version.clone());
        let version = match known {
            Some(version) => version?,
            None => self.version(&key, deadline, run)?,
        };
        let Some(needs) = needs else {
            return Ok(Standing::Has);
        };
        if let Some(why) = self.by_another(needs) {
            return Ok(Standing::Lacks(why));
        }
        let mut stopped = None;
        let standing = needs.standing(version, &mut |path| {
            if let Some(page) = answers().get(&key).and_then(|known| known.pages.get(path)) {
                return Some(page.clone());
            }
            let page = match self.page(path, deadline, run) {
                Ok(page) => page,
                Err(refusal) => {
                    stopped.get_or_insert(refusal);
                    return Some(None);
                }
            };
            if let Some(known) = answers().get_mut(&key) {
                known.pages.insert(path.to_owned(), page.clone());
            }
            Some(page)
        });
        stopped.map_or(Ok(standing), Err)
    }

    /// Asks in the background; `done` gets the outcome on a worker thread, exactly once.
    pub fn start(
        self,
        needs: Needs,
        done: impl FnOnce(Result<(), Refusal>) + Send + 'static,
    ) -> run::Handle {
        run::start_aside(Box::new(move |cancel| {
            let asked = catch_unwind(AssertUnwindSafe(|| {
                self.ask(Some(&needs), &mut |question| {
                    run::run_here(question, cancel)
                })
            }));
            // The caller gets an answer even after a panic.
            done(asked.map_or_else(|_| Err(broken()), |answer| answer.map(drop)));
        }))
    }

    fn version(
        &self,
        key: &Key,
        deadline: Instant,
        run: &mut Run<'_>,
    ) -> Result<GhVersion, Refusal> {
        let captured = run(&self.question(&["--version"], VERSION_CAP, deadline)?);
        let version = match &captured.ended {
            Ended::Exited(_) | Ended::Capped => {
                version::check(&String::from_utf8_lossy(captured.stdout.head().reveal()))
            }
            Ended::Deadline | Ended::Cancelled | Ended::SpawnFailed(_) => {
                // These endings say nothing of the version, so they are not remembered.
                return Err(ended(&captured.ended, "gh --version"));
            }
            _ => version::check(""),
        };
        answers().insert(
            key.clone(),
            Answers {
                at: Instant::now(),
                version: version.clone(),
                pages: HashMap::new(),
            },
        );
        version
    }

    /// The help page of the command `path`; `None` where gh prints no whole page.
    fn page(
        &self,
        path: &str,
        deadline: Instant,
        run: &mut Run<'_>,
    ) -> Result<Option<Page>, Refusal> {
        // Where an alias or an extension owns `help', no page comes from gh itself.
        if self.owned.by_another("help").is_some() {
            return Ok(None);
        }
        let words: Vec<&str> = std::iter::once("help")
            .chain(path.split_whitespace())
            .collect();
        let captured = run(&self.question(&words, PAGE_CAP, deadline)?);
        match &captured.ended {
            Ended::Exited(0) if !captured.stdout.truncated => Ok(Some(Page::new(
                &String::from_utf8_lossy(captured.stdout.head().reveal()),
            ))),
            Ended::Deadline | Ended::Cancelled | Ended::SpawnFailed(_) => {
                Err(ended(&captured.ended, &format!("gh {}", words.join(" "))))
            }
            _ => Ok(None),
        }
    }

    fn question(&self, argv: &[&str], cap: usize, deadline: Instant) -> Result<Command, Refusal> {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        let limits = Limits {
            timeout: deadline.saturating_duration_since(Instant::now()),
            cap,
            ..Limits::default()
        };
        Command::new(&self.program, &argv, &self.environment, &self.cwd, limits).map_err(|error| {
            Refusal::new(
                ErrorKind::BadArgument,
                format!("gh cannot be executed: {error}.\nRun `M-x cj/gh-doctor'."),
            )
        })
    }
}

/// The refusal of a call where gh did not answer the command line `asked`.
fn ended(how: &Ended, asked: &str) -> Refusal {
    match how {
        Ended::Cancelled => Refusal::new(
            ErrorKind::Cancelled,
            "The call was cancelled.\nAsk the person before trying again.",
        ),
        Ended::SpawnFailed(why) => Refusal::new(
            ErrorKind::SpawnFailed,
            format!("The program could not be started: {why}.\nRun `M-x cj/gh-doctor'."),
        ),
        _ => Refusal::new(
            ErrorKind::Timeout,
            format!(
                "gh did not answer `{asked}' in time and was ended.\nRun `{asked}' in a terminal."
            ),
        ),
    }
}
