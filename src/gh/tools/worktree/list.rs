//! What a person does with the worktrees of the gate (`M-x cj/gh-worktrees`): they are listed, made safe to visit, and removed.
//!
//! git runs here on a worker, with the environment that every git of the gate has, and without a Plan: no tool of a model comes here.  Each
//! store is mended before git runs in it, and what was set aside is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::rows::{Held, Name, Row, State, changed_at, hash, place_names, store_row};
use super::site::{PASSED, address};
use crate::gate::result::secrets_held::secrets_held;
use crate::gate::{Cleaner, ErrorKind, Refusal, Source, Target};
use crate::gh::call::request::Settings;
use crate::gh::child::environment::for_git;
use crate::git::command::{Git, utf8};
use crate::git::place::{Kind, Place};
use crate::git::store::Store;
use crate::git::stores;
use crate::run::{self, Cancel};

/// How long a command of a person waits for a store in which a call is at work.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All worktrees.
    List,
    /// The directory of one, in which a person's own git may then run.
    Visit(Name),
    /// The removal of one.  The text is [`Row::seen`] of what the person has agreed to lose; `None` where nothing would be lost.
    Remove(Name, Option<String>),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// The worktrees.
    Listed(Vec<Row>),
    /// The directory.
    Ready(PathBuf),
    /// The worktree was removed; the text says what else is gone or stays.
    Removed(String),
    /// The worktree was not removed, since there is something in it that the person has not agreed to lose.
    Kept(Box<Row>),
}

/// Starts what is `asked`; `done` gets what came of it and a sentence for each thing that was set aside, on a worker thread, exactly once.
///
/// # Errors
/// `no-executable` without git, `bad-cwd` where the directory for worktrees is on another machine.
pub fn start(
    asked: Asked,
    settings: &Settings,
    done: impl FnOnce(Result<(Came, Vec<String>), Refusal>) + Send + 'static,
) -> Result<run::Handle, Refusal> {
    let base = Base::new(settings)?;
    Ok(run::start_aside(Box::new(move |cancel| {
        done(base.answer(&asked, cancel));
    })))
}

/// What is the same for all stores.
struct Base {
    root: PathBuf,
    executable: PathBuf,
    settings: Settings,
    clean: Cleaner,
}

impl Base {
    fn new(settings: &Settings) -> Result<Self, Refusal> {
        let executable = settings.git.clone().ok_or_else(|| {
            Refusal::new(
                ErrorKind::NoExecutable,
                "git was not found.\nInstall it (Debian: apt install git).",
            )
        })?;
        let root = settings.worktree_directory.clone().ok_or_else(|| {
            Refusal::new(
                ErrorKind::BadCwd,
                "The directory for worktrees is on another machine.\nChoose one of this machine in `cj/gh-worktree-directory'.",
            )
        })?;
        utf8(&root)?;
        Ok(Self {
            root,
            executable,
            settings: settings.clone(),
            clean: Cleaner::holding(&secrets_held(&settings.environment)),
        })
    }

    fn answer(&self, asked: &Asked, cancel: &Cancel) -> Result<(Came, Vec<String>), Refusal> {
        match asked {
            Asked::List => self.list(cancel),
            Asked::Visit(name) => {
                let place = self.place(&name.repository)?;
                let kind = kind(name)?;
                let directory = place.worktree(&kind);
                let ((), told) = self.held(&place, cancel, |_| Ok(()))?;
                if !directory.is_dir() {
                    return Err(Refusal::new(
                        ErrorKind::NotFound,
                        format!(
                            "{} is not there any more.\nIts branch is still in the store; ask the model for {} to have the worktree again.",
                            self.shown(&directory),
                            match &kind {
                                Kind::Pull(_) => "gh_pr_checkout",
                                Kind::Branch(_) => "gh_repo_clone",
                            }
                        ),
                    ));
                }
                Ok((Came::Ready(directory), told))
            }
            Asked::Remove(name, seen) => {
                let place = self.place(&name.repository)?;
                self.held(&place, cancel, |held| {
                    self.remove(held, name, seen.as_deref())
                })
            }
        }
    }

    fn shown(&self, path: &Path) -> String {
        self.clean.line(&path.to_string_lossy())
    }

    fn place(&self, names: &[String; 3]) -> Result<Place, Refusal> {
        let (base, _) = address(&names[0], &self.settings)?;
        let [host, owner, repo] = names;
        Place::new(&self.root, [host, owner, repo], &base)
    }

    fn git(&self, [host, owner, repo]: &[String; 3]) -> Git {
        let pairs = for_git(&self.settings.environment);
        let passed = pairs.pairs().iter();
        Git {
            executable: self.executable.clone(),
            passed: passed
                .filter(|(name, _)| PASSED.contains(&name.as_str()))
                .cloned()
                .collect(),
            // Nothing here talks to a host.
            protocol: "none",
            credential: None,
            target: Target {
                host: host.clone(),
                owner: Some(owner.clone()),
                repo: Some(repo.clone()),
                account: None,
                source: Source::Local,
            },
            timeout: self.settings.git_timeout,
            most_bytes: self.settings.git_bytes,
            clean: self.clean.clone(),
        }
    }

    /// Does `work` in the store at `place`, once nothing in it can make git run a program; also returns what was set aside.
    fn held<'a, T>(
        &self,
        place: &'a Place,
        cancel: &'a Cancel,
        work: impl FnOnce(&mut Held<'a>) -> Result<T, Refusal>,
    ) -> Result<(T, Vec<String>), Refusal> {
        let store = place.store();
        if !fs::symlink_metadata(&store).is_ok_and(|facts| facts.is_dir()) {
            return Err(Refusal::new(
                ErrorKind::NotFound,
                format!("{} is not there any more.\nType g.", self.shown(&store)),
            ));
        }
        let until = Instant::now() + PATIENCE;
        let lock = place.lock(&mut || {
            if Instant::now() < until && !cancel.cancelled() {
                return Ok(());
            }
            Err(busy())
        })?;
        stores::without_links(place)?;
        let store = Store::open(place, &lock)?;
        let told = store.mend()?;
        let names = place_names(place);
        let mut held = Held {
            place,
            store,
            git: self.git(&names),
            cancel,
        };
        let came = work(&mut held)?;
        let told = told.iter().map(|line| self.clean.line(line));
        Ok((came, told.collect()))
    }

    fn list(&self, cancel: &Cancel) -> Result<(Came, Vec<String>), Refusal> {
        let all = stores::below(&self.root).map_err(|error| {
            Refusal::new(
                ErrorKind::BadCwd,
                format!(
                    "{} cannot be read: {error}.\nLook at `cj/gh-worktree-directory'.",
                    self.shown(&self.root)
                ),
            )
        })?;
        let mut rows = Vec::new();
        let mut told = Vec::new();
        for names in all {
            // A directory with another name is none that the gate has made.
            let Ok(place) = self.place(&names) else {
                continue;
            };
            if place_names(&place) != names {
                continue;
            }
            match self.held(&place, cancel, |held| self.rows(held)) {
                Ok((found, aside)) => {
                    rows.extend(found);
                    told.extend(aside);
                }
                Err(refusal) => rows.extend(self.unread(&place, &refusal)),
            }
        }
        Ok((Came::Listed(rows), told))
    }

    /// A row for each worktree of the store at `place`, which cannot be read because of `refusal`.
    fn unread(&self, place: &Place, refusal: &Refusal) -> Vec<Row> {
        let state = if *refusal == busy() {
            State::Busy
        } else {
            State::Broken(self.clean.line(first_line(&refusal.message)))
        };
        let entries = fs::read_dir(place.store().join("worktrees"));
        let names = entries.into_iter().flatten().flatten();
        let mut kinds: Vec<Kind> = names
            .filter_map(|entry| entry.file_name().to_str().and_then(Kind::of))
            .collect();
        kinds.sort();
        if kinds.is_empty() {
            return vec![store_row(place, state)];
        }
        let rows = kinds.iter().map(|kind| Row {
            state: state.clone(),
            ..self.bare_row(place, kind)
        });
        rows.collect()
    }

    /// The row for the worktree of `kind`, without its state.
    fn bare_row(&self, place: &Place, kind: &Kind) -> Row {
        let what = match kind {
            Kind::Pull(number) => format!("#{number}"),
            Kind::Branch(branch) => self.clean.line(branch),
        };
        let own = place.store().join("worktrees").join(kind.name());
        Row {
            name: Name {
                repository: place_names(place),
                worktree: kind.name(),
            },
            what,
            directory: place.worktree(kind),
            state: State::Busy,
            changed_at: changed_at(&own),
            seen: String::new(),
        }
    }

    fn rows(&self, held: &mut Held<'_>) -> Result<Vec<Row>, Refusal> {
        let kinds = held.kinds()?;
        if kinds.is_empty() {
            return Ok(vec![held.empty_row()]);
        }
        let rows = kinds.iter().map(|kind| self.row(held, kind));
        Ok(rows.collect())
    }

    fn row(&self, held: &mut Held<'_>, kind: &Kind) -> Row {
        let mut row = self.bare_row(held.place, kind);
        if let Some(named) = held.store.foreign(kind) {
            row.state = State::Foreign(self.clean.line(named.trim()));
            return row;
        }
        match held.read(kind, &self.clean) {
            Ok((work, seen)) => {
                row.state = State::Read(work);
                row.seen = seen;
            }
            Err(refusal) => {
                let why = self.clean.line(first_line(&refusal.message));
                // Nobody can know what is in it, so it is never removed by a mere yes.
                row.seen = format!("unread {:016x}", hash([why.as_str()]));
                row.state = State::Broken(why);
            }
        }
        row
    }

    fn remove(
        &self,
        held: &mut Held<'_>,
        name: &Name,
        seen: Option<&str>,
    ) -> Result<Came, Refusal> {
        if name.worktree.is_empty() {
            if !held.kinds()?.is_empty() {
                return Err(gone());
            }
            let row = held.empty_row();
            if seen.unwrap_or_default() != row.seen {
                return Ok(Came::Kept(Box::new(row)));
            }
            stores::remove_store(held.place, &held.store)?;
            return Ok(Came::Removed(String::new()));
        }
        let kind = kind(name)?;
        if !held.kinds()?.contains(&kind) {
            return Err(gone());
        }
        let row = self.row(held, &kind);
        if let State::Foreign(place) = &row.state {
            return Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "This worktree is at {place}, where this gate did not make it.\nRemove it with `git worktree remove'."
                ),
            ));
        }
        if seen.unwrap_or_default() != row.seen {
            return Ok(Came::Kept(Box::new(row)));
        }
        let known = held.known(&kind);
        let Held {
            store, git, cancel, ..
        } = held;
        stores::remove(store, &kind, &mut |command| {
            git.run_here(command, cancel).map(|_| ())
        })?;
        if held.has_more()
            && let Some(sha) = &known
        {
            // Without this note, commits of the host on another branch would look as if they were not pushed.
            held.store.know_head(&kind, sha)?;
        }
        if !held.kinds()?.is_empty() {
            return Ok(Came::Removed(String::new()));
        }
        if held.has_more() {
            return Ok(Came::Removed(
                "its store stays, since it has further commits that were not pushed (a stash or a tag)"
                    .to_owned(),
            ));
        }
        stores::remove_store(held.place, &held.store)?;
        Ok(Came::Removed(
            "it was the last one, so its store is gone too".to_owned(),
        ))
    }
}

fn kind(name: &Name) -> Result<Kind, Refusal> {
    let kind = Kind::of(&name.worktree).filter(|_| !name.worktree.is_empty());
    kind.ok_or_else(gone)
}

fn busy() -> Refusal {
    Refusal::new(
        ErrorKind::Failed,
        "A call is at work in this repository's store.\nTry again when it has ended (M-x cj/gate-runs).",
    )
}

fn gone() -> Refusal {
    Refusal::new(
        ErrorKind::NotFound,
        "There is no such worktree any more.\nType g.",
    )
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}
