//! What is in a store, for the list of worktrees: a row for each worktree and each branch, with the work in it.

use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::state::{Ask, Local, in_worktree};
use crate::gate::{Cleaner, ErrorKind, Refusal};
use crate::git::command::{Command, Git, text};
use crate::git::commits::{self, commit_lines};
use crate::git::place::{Kind, Place, is_ours};
use crate::git::store::Store;
use crate::run::{self, Cancel};
use crate::text::fnv::Fnv;

/// Names one worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Host, owner and repository, as in the names of the directories.
    pub repository: [String; 3],
    /// The name of the worktree's directory (`pr-12`); empty: the store itself, on which no worktree hangs.
    pub worktree: String,
}

/// One worktree.  All its texts are clean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub name: Name,
    /// `#12`, or the branch.
    pub what: String,
    /// Its directory.
    pub directory: PathBuf,
    /// What is in it.
    pub state: State,
    /// When git last changed something of it, in seconds since 1970.
    pub changed_at: Option<u64>,
    /// Stands for exactly what would be lost with it; empty where nothing would.
    pub seen: String,
}

/// What is in a worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It was read.
    Read(Work),
    /// A call is at work there.
    Busy,
    /// It cannot be read, for this reason.
    Broken(String),
    /// It is a worktree that somebody made at another place, which is theirs to remove.
    Foreign(String),
    /// A store on which no worktree hangs, and without a branch; `true`: it has commits that were not pushed all the same, as a stash has.
    Empty(bool),
}

/// The work in a worktree.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Work {
    /// Whether its directory is there.
    pub directory: bool,
    /// The branch that it is on, where that is another one than it was made for; empty: none.
    pub elsewhere: Option<String>,
    /// How many commits were not pushed.
    pub unpushed: u64,
    /// The first of them, a line each.
    pub commits: Vec<String>,
    /// How many files were changed and not committed, or are new.
    pub changed: usize,
    /// The first of them, a line each.
    pub files: Vec<String>,
    /// How many files and directories git ignores, as `.gitignore` says.  They go with the worktree and are no work, as for
    /// `git worktree remove`; but a repository can ignore everything, so a person sees them.
    pub ignored: usize,
    /// The first of them, a line each.
    pub ignored_files: Vec<String>,
    /// Whether a call was ended while it set the files to another commit.
    pub half_reset: bool,
}

/// One store, whose lock is held.
pub(super) struct Held<'a> {
    pub(super) place: &'a Place,
    pub(super) store: Store<'a>,
    pub(super) git: Git,
    pub(super) cancel: &'a Cancel,
}

impl Held<'_> {
    /// Runs a command of git that only reads.
    fn ask(&self, command: &Command) -> Result<run::Captured, Refusal> {
        self.git.run_here(command, self.cancel)
    }

    /// What git prints for `words` on the repository `directory`; nothing where it fails.
    fn printed<W: AsRef<str>>(&self, directory: &Path, words: &[W]) -> String {
        let asked = Command::on(directory, words).and_then(|command| self.ask(&command));
        asked.map_or_else(|_| String::new(), |captured| text(&captured))
    }

    /// What the worktrees and the branches of the store are for, in order.  A branch that a worktree is on for a while is no entry.
    ///
    /// # Errors
    /// `bad-cwd` where the store cannot be read.
    pub(super) fn kinds(&self) -> Result<Vec<Kind>, Refusal> {
        let unread = |error: std::io::Error| {
            Refusal::new(
                ErrorKind::BadCwd,
                format!(
                    "The store cannot be read: {error}.\nLook at its permissions: {}",
                    self.store.path().display()
                ),
            )
        };
        let mut kinds = self.store.kinds().map_err(unread)?;
        let on: Vec<String> = kinds
            .iter()
            .filter_map(|kind| {
                let head = self.store.worktree_directory(kind).join("HEAD");
                let head = fs::read_to_string(head).ok()?;
                Some(head.trim().strip_prefix("ref: refs/heads/")?.to_owned())
            })
            .collect();
        let words = ["for-each-ref", "--format=%(refname)", "refs/heads"];
        let printed = self.printed(self.store.path(), &words);
        let branches = printed
            .lines()
            .filter_map(|n| n.strip_prefix("refs/heads/"));
        for branch in branches.filter(|branch| !on.iter().any(|known| known == branch)) {
            let number = branch.strip_prefix("pr-").and_then(|n| n.parse().ok());
            let pull = number.filter(|_| is_ours(branch)).map(Kind::Pull);
            let pull = pull.filter(|kind| kind.branch() == branch);
            let kind = pull.unwrap_or_else(|| Kind::Branch(branch.to_owned()));
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds.sort();
        Ok(kinds)
    }

    /// Reads the work in the worktree of `kind`, and what stands for exactly what would be lost with it.
    ///
    /// # Errors
    /// Each error of git.
    pub(super) fn read(&self, kind: &Kind, clean: &Cleaner) -> Result<(Work, String), Refusal> {
        let mut ask = |command: &Command| {
            let captured = self.ask(command)?;
            Ok((text(&captured), !captured.stdout.truncated))
        };
        let mut local = Local::read_by(self.place, &self.store, kind, &mut ask)?;
        let head = if local.worktree {
            let own = self.store.worktree_directory(kind);
            let words = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
            Some(self.printed(&own, &words).trim().to_owned())
        } else {
            None
        };
        let tips = local.tip.iter().chain(&head);
        let tips: Vec<String> = tips.filter(|sha| commits::is_sha(sha)).cloned().collect();
        local.own.clear();
        local.own_total = 0;
        if !tips.is_empty() {
            // What the host had when it was last asked, in whichever branch, is no commit that would be lost.
            let range = [tips.clone(), pushed()].concat();
            local.read_own(&self.store, &range, &mut ask as &mut Ask<'_>)?;
        }
        let changed = local.changed.unwrap_or_default();
        let ignored = if local.worktree {
            self.ignored(kind)?
        } else {
            Vec::new()
        };
        let seen = if local.own_total == 0 && changed.is_empty() {
            String::new()
        } else {
            let names = hash(changed.iter().map(String::as_str));
            let tips = tips.join(" ");
            format!("{tips} {} {} {names:016x}", local.own_total, changed.len())
        };
        let work = Work {
            directory: local.worktree,
            elsewhere: local.elsewhere.map(|branch| clean.line(&branch)),
            unpushed: local.own_total,
            commits: commit_lines(&local.own, local.own_total, clean),
            changed: changed.len(),
            files: name_lines(&changed, clean),
            ignored: ignored.len(),
            ignored_files: name_lines(&ignored, clean),
            half_reset: local.half_reset,
        };
        Ok((work, seen))
    }

    /// The files and directories in the worktree of `kind` that git ignores.
    fn ignored(&self, kind: &Kind) -> Result<Vec<String>, Refusal> {
        let own = self.store.worktree_directory(kind);
        let words = [
            "ls-files",
            "-z",
            "--others",
            "--ignored",
            "--exclude-standard",
            "--directory",
        ];
        let command = in_worktree(&own, &self.place.worktree(kind), &words)?;
        let printed = text(&self.ask(&command)?);
        let names = printed.split('\0').filter(|name| !name.is_empty());
        Ok(names.map(str::to_owned).collect())
    }

    /// The row for the store, on which no worktree hangs.
    pub(super) fn empty_row(&self) -> Row {
        let more = self.has_more();
        let mut row = store_row(self.place, State::Empty(more));
        if more {
            "a stash or a tag".clone_into(&mut row.seen);
        }
        row
    }

    /// The commit that the host had last for the worktree of `kind`.
    pub(super) fn known(&self, kind: &Kind) -> Option<String> {
        let refname = format!("refs/cj/{}", kind.name());
        let words = ["rev-parse", "--verify", "--quiet", &refname];
        let sha = self.printed(self.store.path(), &words).trim().to_owned();
        commits::is_sha(&sha).then_some(sha)
    }

    /// Whether the store has commits that were not pushed.
    pub(super) fn has_more(&self) -> bool {
        let words = ["rev-list", "--max-count=1", "--all"].map(str::to_owned);
        let range = [&words[..], &pushed()].concat();
        let asked = Command::on(self.store.path(), &range).and_then(|command| self.ask(&command));
        asked.map_or(true, |captured| !text(&captured).trim().is_empty())
    }
}

/// A line for each of `names`, at most [`commits::FILES_SHOWN`] and one that counts the rest.
fn name_lines(names: &[String], clean: &Cleaner) -> Vec<String> {
    let shown = names.iter().take(commits::FILES_SHOWN);
    let mut lines: Vec<String> = shown.map(|name| clean.line(name)).collect();
    if names.len() > lines.len() {
        lines.push(format!("and {} more", names.len() - lines.len()));
    }
    lines
}

/// The row for the store at `place` itself.
pub(super) fn store_row(place: &Place, state: State) -> Row {
    Row {
        name: Name {
            repository: place_names(place),
            worktree: String::new(),
        },
        what: String::new(),
        directory: place.store(),
        state,
        changed_at: None,
        seen: String::new(),
    }
}

/// The words behind `git log` that leave out what the host had.
fn pushed() -> Vec<String> {
    ["--not", "--glob=refs/cj/*", "--remotes"]
        .map(str::to_owned)
        .into()
}

/// Host, owner and repository of `place`, from the names of its directories.
pub(super) fn place_names(place: &Place) -> [String; 3] {
    let worktrees = place.worktrees();
    let mut parts = worktrees.iter().rev();
    let mut part = || {
        let name = parts.next().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let (repo, owner, host) = (part(), part(), part());
    [host, owner, repo]
}

pub(super) fn hash<'a>(words: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = Fnv::default();
    for word in words {
        hasher.write(word.as_bytes());
        hasher.write(&[0]);
    }
    hasher.finish()
}

/// When git last changed something of the worktree whose own directory is `own`, in seconds since 1970.
pub(super) fn changed_at(own: &Path) -> Option<u64> {
    let files = ["HEAD", "index", "logs/HEAD"].map(|name| own.join(name));
    let times = files.iter().filter_map(|file| {
        let time = fs::symlink_metadata(file).ok()?.modified().ok()?;
        time.duration_since(SystemTime::UNIX_EPOCH).ok()
    });
    times.map(|time| time.as_secs()).max()
}
