//! Collecting the git facts of a checkout: two short runs of git, side by side, on a worker thread, and two more for a call that would
//! publish the messages of commits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::environment::{Environment, for_git};
use crate::foreign::Foreign;
use crate::gate::{ErrorKind, MAX_CAP, Refusal};
use crate::gh::place::context::{CONFIG_PATTERN, Commits, GitFacts, Lack, Range};
use crate::run::{self, Captured, Ended, Limits};

/// The time for each run of git.  git answers in milliseconds; a checkout on a dead network file system must not hold up a call for long.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Tells, from the facts read so far, which commits a call takes its texts from; `None` where the call takes none.
pub type CommitRange = Box<dyn Fn(&GitFacts) -> Option<Range> + Send>;

/// Starts the collection for `cwd`; `done` gets the facts on a worker thread, exactly once.
///
/// Where there is no git (`git` is `None`) or no checkout, the facts are empty: the call then has no repository of its own,
/// and a call that needs one is refused.  Where git gives no whole answer in time, the facts are marked as cut.
/// With `fill`, the commits that the call takes its texts from are read too.
///
/// # Errors
/// `bad-argument` where git cannot be started with the name of the directory.
pub fn collect(
    git: Option<&Path>,
    cwd: &Path,
    environment: &Foreign<Vec<String>>,
    fill: Option<CommitRange>,
    done: impl FnOnce(GitFacts) + Send + 'static,
) -> Result<run::Handle, Refusal> {
    let installed = git.is_some();
    let place = Checkout {
        git: git.unwrap_or(Path::new("/nonexistent/git")).to_owned(),
        cwd: cwd.to_owned(),
        environment: for_git(environment),
    };
    let command = |args: &[&str]| {
        let args: Vec<String> = args.iter().map(|a| (*a).to_owned()).collect();
        place.command(&args).map_err(|error| {
            Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "git cannot be asked about {}: {error}.\nGive another `cwd'.",
                    cwd.display()
                ),
            )
        })
    };
    let config = command(&["config", "-z", "--get-regexp", CONFIG_PATTERN])?;
    let branch = command(&["symbolic-ref", "-q", "--short", "HEAD"])?;
    Ok(run::start_aside(Box::new(move |cancel| {
        let asked = catch_unwind(AssertUnwindSafe(|| {
            let mut facts = GitFacts::default();
            if installed {
                // Side by side: each run takes some milliseconds, most of them for starting git.
                let mut ran = run::run_together(&[&config, &branch], cancel).into_iter();
                let (config, branch) = (ran.next(), ran.next());
                let config = config.unwrap_or_else(|| Captured::nothing(Ended::Cancelled));
                // In a checkout without any remote, git exits 1 and prints no bytes; the checkout may still be on a branch.
                if !matches!(config.ended, Ended::SpawnFailed(_) | Ended::Cancelled) {
                    let mut bytes = config.stdout.head().reveal().to_vec();
                    let whole = matches!(config.ended, Ended::Exited(_));
                    if config.stdout.truncated || !whole {
                        // A whole answer ends with a NUL (`GitConfig::cut`).  A cut one may end with a NUL by chance, and an empty one
                        // looks like no checkout, so a byte that is no NUL marks both as cut.
                        bytes.push(b'.');
                    }
                    facts.config = bytes.into();
                    if !whole {
                        return facts;
                    }
                    facts.branch = branch.as_ref().and_then(line);
                    facts.commits = fill.and_then(|fill| place.commits(&fill, &facts, cancel));
                }
            }
            facts
        }));
        // The caller gets an answer even after a panic.
        done(asked.unwrap_or_default());
    })))
}

/// One directory, and the git that is asked about it.
struct Checkout {
    git: PathBuf,
    cwd: PathBuf,
    environment: Environment,
}

impl Checkout {
    /// The command that runs git with `args` in the directory.
    fn command(&self, args: &[String]) -> Result<run::Command, run::SpawnError> {
        let limits = Limits {
            timeout: TIMEOUT,
            cap: MAX_CAP,
            ..Limits::default()
        };
        let environment = self.environment.pairs();
        run::Command::new(&self.git, args, environment, &self.cwd, limits)
    }

    /// The commits that `fill` names, read from git; `None` where it names none.
    fn commits(
        &self,
        fill: &CommitRange,
        facts: &GitFacts,
        cancel: &run::Cancel,
    ) -> Option<Commits> {
        let ask = |args: &[String]| {
            let command = self.command(args).map_err(|_| Lack::List)?;
            let captured = run::run_here(&command, cancel);
            match captured.ended {
                Ended::Exited(0) if captured.stdout.truncated => Err(Lack::Long),
                Ended::Exited(0) => Ok(captured),
                _ if captured.stdout.truncated => Err(Lack::Long),
                _ => Err(Lack::List),
            }
        };
        let range = fill(facts)?;
        let said = range.ask_base().and_then(|args| line(&ask(&args).ok()?));
        let base = range.base(said.as_deref());
        let log = match &base {
            None => Err(Lack::Base),
            Some(base) => ask(&range.ask_log(base)).map(|log| log.stdout.head().reveal().to_vec()),
        };
        Some(range.answered(base, log))
    }
}

/// The one line that git printed, if it succeeded.
fn line(captured: &Captured) -> Option<String> {
    if captured.ended != Ended::Exited(0) {
        return None;
    }
    let text = std::str::from_utf8(captured.stdout.head().reveal())
        .ok()?
        .trim_end_matches('\n');
    (!text.is_empty()).then(|| text.to_owned())
}
