//! What is on this machine for one worktree: its branch, commits that were not pushed, changes that were not committed.

use std::fs;
use std::io;
use std::path::{Component, Path};

use super::site::Site;
use crate::gate::{Cleaner, Reads, Refusal};
use crate::git::command::{Command, utf8};
use crate::git::commits::{self, Commit};
use crate::git::place::{Kind, Place, foreign, taken, unusable};
use crate::git::store::Store;

/// Runs a command of git that only reads; returns what it prints, and whether this is the whole.
pub type Ask<'a> = dyn FnMut(&Command) -> Result<(String, bool), Refusal> + 'a;

/// Most bytes of a list of commits or changed files that are read: a subject may be long, and a build makes many files.
pub const MOST_PRINTED: u64 = 1 << 20;

/// What is on this machine for one worktree.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Local {
    /// The commit at the end of its branch; `None` where there is no branch.
    pub tip: Option<String>,
    /// The commit that the host had last for it.
    pub known: Option<String>,
    /// Whether the worktree is there.
    pub worktree: bool,
    /// The branch that the worktree is on, where that is another one; `Some("")`: none.
    pub elsewhere: Option<String>,
    /// A branch beside which git cannot have this one.
    pub colliding: Option<String>,
    /// Another worktree that is on the branch.
    pub holder: Option<String>,
    /// Commits of the branch that the host did not have when it was last asked, the newest first, at most [`commits::SHOWN`].
    pub own: Vec<Commit>,
    /// How many there are.
    pub own_total: u64,
    /// Files that were changed and not committed, and new ones; `None` where nobody has looked.
    pub changed: Option<Vec<String>>,
    /// Whether an earlier call had begun to set the worktree to another commit and did not come to its end.
    pub half_reset: bool,
}

/// The words behind git that name the worktree `own` in `worktree`.
///
/// # Errors
/// `bad-cwd` where a name is not UTF-8.
pub fn in_worktree<W: AsRef<str>>(
    own: &Path,
    worktree: &Path,
    words: &[W],
) -> Result<Command, Refusal> {
    let mut command = Command::on(own, words)?;
    let place = format!("--work-tree={}", utf8(worktree)?);
    command.words.insert(1, place);
    Ok(command)
}

impl Local {
    /// What is there for `kind` where there is no store.
    ///
    /// # Errors
    /// `bad-cwd` where something else stands at the worktree's place.
    pub fn without_store(site: &Site, kind: &Kind) -> Result<Self, Refusal> {
        let path = site.place.worktree(kind);
        if fs::symlink_metadata(&path).is_ok() {
            return Err(taken(&path));
        }
        Ok(Self::default())
    }

    /// Reads what is in `store` for `kind`.
    ///
    /// # Errors
    /// Each error of git, and `bad-cwd` where something else stands at the worktree's place.
    pub fn read(
        site: &Site,
        store: &Store<'_>,
        kind: &Kind,
        reads: &mut dyn Reads,
    ) -> Result<Self, Refusal> {
        let mut ask = |command: &Command| site.git.read_text(command, MOST_PRINTED, reads);
        Self::read_by(&site.place, store, kind, &mut ask)
    }

    /// [`Self::read`], where `ask` runs git.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_by(
        place: &Place,
        store: &Store<'_>,
        kind: &Kind,
        ask: &mut Ask<'_>,
    ) -> Result<Self, Refusal> {
        let mut local = Self::standing(place, store, kind, ask)?;
        if let Some(tip) = &local.tip {
            let mut range = vec![tip.clone()];
            // What the host had last is no commit of one's own.
            range.extend(local.known.as_ref().map(|sha| format!("^{sha}")));
            local.read_own(store, &range, ask)?;
        }
        if local.worktree {
            local.read_changed(place, store, kind, ask)?;
        }
        Ok(local)
    }

    /// Reads the branch in `store` for `kind` and whether its worktree is there, but neither commits nor changes.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn standing(
        place: &Place,
        store: &Store<'_>,
        kind: &Kind,
        ask: &mut Ask<'_>,
    ) -> Result<Self, Refusal> {
        let path = place.worktree(kind);
        let own = store.worktree_directory(kind);
        if let Some(gitdir) = store.foreign(kind) {
            return Err(foreign(&kind.name(), &gitdir));
        }
        let mut local = Self {
            half_reset: store.was_being_reset(kind),
            colliding: store.colliding(kind),
            holder: store.holder(kind),
            ..Self::default()
        };
        let head = fs::read_to_string(own.join("HEAD")).ok();
        let there = fs::symlink_metadata(&path);
        local.worktree = match (there, &head) {
            (Ok(facts), Some(_)) if facts.is_dir() => true,
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => false,
            (Err(error), _) => return Err(unusable(&path, &error)),
            (Ok(_), _) => return Err(taken(&path)),
        };
        // Where only the directory is gone, work may go on once it is back.
        local.elsewhere = head.and_then(|head| {
            let branch = head.trim().strip_prefix("ref: refs/heads/");
            let elsewhere = branch != Some(&kind.branch());
            elsewhere.then(|| branch.unwrap_or_default().to_owned())
        });
        let refname = format!("refs/heads/{}", kind.branch());
        let known = format!("refs/cj/{}", kind.name());
        let format = "--format=%(objectname) %(refname)";
        let listed = Command::on(store.path(), &["for-each-ref", format, &refname, &known])?;
        let (listed, _) = ask(&listed)?;
        local.tip = tip_of(&listed, &refname);
        local.known = tip_of(&listed, &known);
        Ok(local)
    }

    /// Where the worktree is instead of on its branch, for a sentence: `on the branch topic`; `None` where it is on it.
    pub fn shown_elsewhere(&self, clean: &Cleaner) -> Option<String> {
        self.elsewhere.as_ref().map(|other| {
            if other.is_empty() {
                "on no branch".to_owned()
            } else {
                format!("on the branch {}", clean.line(other))
            }
        })
    }

    /// Whether this, what stands there now, is what a person was asked about: `seen`.
    pub fn as_asked(&self, seen: &Self) -> bool {
        let same = |local: &Self| {
            (
                local.tip.clone(),
                local.worktree,
                local.elsewhere.clone(),
                local.holder.clone(),
                local.half_reset,
            )
        };
        let changed = self.changed.is_none() || self.changed == seen.changed;
        same(self) == same(seen) && changed
    }

    /// Reads the commits of `range` into this value.
    ///
    /// # Errors
    /// Each error of git.
    pub fn read_own(
        &mut self,
        store: &Store<'_>,
        range: &[String],
        ask: &mut Ask<'_>,
    ) -> Result<(), Refusal> {
        let log = Command::on(store.path(), &commits::log(range, commits::SHOWN))?;
        let (printed, whole) = ask(&log)?;
        self.own = commits::parse(&printed);
        self.own_total = u64::try_from(self.own.len()).unwrap_or(u64::MAX);
        if self.own.len() == commits::SHOWN || !whole {
            let mut words = vec!["rev-list".to_owned(), "--count".into()];
            words.extend_from_slice(range);
            words.push("--".into());
            let (counted, _) = ask(&Command::on(store.path(), &words)?)?;
            self.own_total = counted.trim().parse().unwrap_or(self.own_total);
        }
        Ok(())
    }

    /// Reads which files were changed and not committed.
    ///
    /// # Errors
    /// Each error of git.
    pub fn read_changed(
        &mut self,
        place: &Place,
        store: &Store<'_>,
        kind: &Kind,
        ask: &mut Ask<'_>,
    ) -> Result<(), Refusal> {
        let (own, worktree) = (store.worktree_directory(kind), place.worktree(kind));
        let words = [
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=normal",
            "--ignore-submodules=all",
        ];
        let status = in_worktree(&own, &worktree, &words)?;
        // A part of a long list is enough to know that there are changes.
        let (printed, _) = ask(&status)?;
        let entries = printed.split('\0').filter_map(|entry| entry.get(3..));
        let mut changed: Vec<String> = entries
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        // git does not look into submodules.
        let submodules = store.submodules(kind).into_iter();
        changed.extend(submodules.filter(|name| is_occupied(&worktree, name)));
        self.changed = Some(changed);
        Ok(())
    }
}

/// Whether something is at the place of the submodule `name` of `worktree` besides an empty directory.
fn is_occupied(worktree: &Path, name: &str) -> bool {
    let name = Path::new(name);
    let plain = name
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let path = worktree.join(name);
    plain
        && match fs::symlink_metadata(&path) {
            Ok(facts) if facts.is_dir() => {
                fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_some())
            }
            other => other.is_ok(),
        }
}

/// The commit of the ref `name` in `listed`.
fn tip_of(listed: &str, name: &str) -> Option<String> {
    listed.lines().find_map(|line| {
        let (sha, refname) = line.split_once(' ')?;
        (refname == name && commits::is_sha(sha)).then(|| sha.to_owned())
    })
}
