//! A store: a bare repository of the gate's own for one repository of a host, with worktrees that hang on it.
//!
//! ```text
//! ROOT/HOST/OWNER/REPO.git/            the store
//! ROOT/HOST/OWNER/REPO/pr-12/          the worktree of pull request 12
//! ROOT/HOST/OWNER/.REPO.lock           held while the gate works on the store
//! ```
//!
//! The gate writes every file of the store itself: there is no template, and so no hook.  The configuration follows from the names of the
//! worktrees alone, so that whatever else is found in it was put there by somebody else: [`Store::mend`] sets such a file aside and
//! writes it anew before git runs there.  The store's own directory and its configuration are closed to writing (git needs neither for a
//! commit), so that a tool which writes files does not change them by accident; `packed-refs` is a link into a directory that is open, since
//! git must write there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::config::{config, foreign_keys};
use super::disk;
use super::incoming::{self, Incoming};
use super::place::{Kind, Locked, Place, foreign, taken, unusable};
use super::sweep::{PACKED, is_directory, is_packed, sweep, text_of};
use crate::gate::Refusal;

/// The directory in the store with a file for each worktree that is being made or changed; a file that is left over tells that this did not
/// come to its end.
const UNFINISHED: &str = "cj-unfinished";

/// The name below [`UNFINISHED`] of git's own directory for a worktree until all is in it; it is no name of a worktree.
const MAKING: &str = ".making";

/// The file in git's own directory for a worktree with the names of its submodules.
const SUBMODULES: &str = "cj-submodules";

/// The word of a note for a worktree that was being set to another commit, once the locks of that git were removed: any that are there later
/// are somebody else's.
const HALF: &str = "half";

/// What git's own directory for a worktree says of the store.
const COMMONDIR: &str = "../..\n";

/// Directories of a store that git writes into.
const OPEN_DIRECTORIES: &[&str] = &[
    "objects/pack",
    "objects/info",
    "refs/heads",
    "refs/cj",
    "refs/remotes",
    "logs/refs/heads",
    "packed",
    "worktrees",
    UNFINISHED,
];

/// What was left of a change that did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// A new worktree with a new branch was being made.
    New,
    /// A new worktree for a branch that was there was being made.
    Again,
    /// A worktree was being set to another commit.
    Reset,
}

impl Unfinished {
    const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Again => "again",
            Self::Reset => "reset",
        }
    }
}

/// A store that is there, and whose lock is held.
#[derive(Debug)]
pub struct Store<'a> {
    place: &'a Place,
    path: PathBuf,
    /// Whether this call has made the store.
    pub new: bool,
}

impl<'a> Store<'a> {
    /// The store at `place`, made where it is not there.  The caller holds the lock of `place`.
    ///
    /// # Errors
    /// `bad-cwd` where it cannot be made.
    pub fn open(place: &'a Place, _held: &Locked) -> Result<Self, Refusal> {
        let path = place.store();
        let failed = |error: io::Error| unusable(&path, &error);
        let new = match fs::symlink_metadata(&path) {
            Ok(facts) if facts.is_dir() => false,
            Ok(_) => {
                return Err(unusable(&path, &io::Error::other("it is no directory")));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let making = place.parent().join(format!(".{}.git.new", place.repo));
                let made = disk::remove_tree(&making)
                    .and_then(|()| make(&making, &config(place, &[])))
                    .and_then(|()| disk::rename(&making, &path));
                if made.is_err() {
                    // What stays is removed by the next call.
                    let _ = disk::remove_tree(&making);
                }
                made.map_err(failed)?;
                true
            }
            Err(error) => return Err(failed(error)),
        };
        let store = Self { place, path, new };
        let worktrees = place.worktrees();
        if let Err(error) = disk::make_directory(&worktrees) {
            store.discard_new();
            return Err(unusable(&worktrees, &error));
        }
        Ok(store)
    }

    /// The store's directory, git's `--git-dir` for what concerns no worktree.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// git's own directory for the worktree of `kind`.
    pub fn worktree_directory(&self, kind: &Kind) -> PathBuf {
        self.place.worktree_directory(kind)
    }

    /// Sets aside whatever in the store could make git run a program or look elsewhere, writes those files anew, and removes what calls that
    /// did not come to their end have left.  Returns a sentence for each file that somebody else had changed.
    ///
    /// # Errors
    /// `bad-cwd` where a file cannot be written.
    pub fn mend(&self) -> Result<Vec<String>, Refusal> {
        self.mend_all()
            .map_err(|error| unusable(&self.path, &error))
    }

    fn mend_all(&self) -> io::Result<Vec<String>> {
        let mut told = Vec::new();
        sweep(&self.path, &mut told)?;
        for directory in OPEN_DIRECTORIES {
            let path = self.path.join(directory);
            if !path.is_dir() {
                disk::writable(&self.path, true)?;
                disk::make_directories(&path)?;
            }
        }
        self.mend_packed()?;
        self.discard_unfinished(&mut told)?;
        let kinds = self.kinds()?;
        let expected = config(self.place, &kinds);
        let path = self.path.join("config");
        let found = text_of(&path);
        if found != expected {
            disk::writable(&self.path, true)?;
            let foreign = foreign_keys(&found, &expected);
            if !foreign.is_empty() {
                disk::replace(&self.path.join("config.set-aside"), &found, 0o600)?;
                told.push(format!(
                    "the configuration of {} had been changed ({}); it is as it was, and what was found is in config.set-aside there",
                    self.path.display(),
                    foreign.join(", ")
                ));
            }
            disk::replace(&path, &expected, 0o400)?;
        }
        let head = self.path.join("HEAD");
        if text_of(&head) != HEAD {
            disk::writable(&self.path, true)?;
            disk::replace(&head, HEAD, 0o400)?;
        }
        for name in [
            "hooks",
            "info",
            "config.worktree",
            "commondir",
            "shallow",
            "objects/info/alternates",
            "objects/info/http-alternates",
            "refs/replace",
        ] {
            let path = self.path.join(name);
            if fs::symlink_metadata(&path).is_ok() {
                disk::writable(&self.path, true)?;
                disk::remove_tree(&path)?;
                told.push(format!(
                    "{} was removed, since it was not there before",
                    path.display()
                ));
            }
        }
        for kind in &kinds {
            self.mend_worktree(kind, &mut told)?;
        }
        disk::writable(&self.path, false)?;
        Ok(told)
    }

    /// Puts the file packed-refs where git can write it.
    fn mend_packed(&self) -> io::Result<()> {
        let path = self.path.join("packed-refs");
        if is_packed(&path) {
            return Ok(());
        }
        disk::writable(&self.path, true)?;
        if fs::symlink_metadata(&path).is_ok_and(|facts| facts.is_file()) {
            disk::rename(&path, &self.path.join(PACKED))?;
        }
        disk::remove_tree(&path)?;
        disk::link(Path::new(PACKED), &path)
    }

    /// Writes the files by which the worktree of `kind` and the store find each other anew, where somebody has changed them.
    fn mend_worktree(&self, kind: &Kind, told: &mut Vec<String>) -> io::Result<()> {
        let own = self.worktree_directory(kind);
        let worktree = self.place.worktree(kind);
        let expected = [
            (own.join("commondir"), COMMONDIR.to_owned()),
            (own.join("gitdir"), self.gitdir(kind)),
            (worktree.join(".git"), self.dot_git(kind)),
        ];
        if !is_directory(&own) || !is_directory(&worktree) {
            return Ok(());
        }
        for (path, text) in expected {
            let there = fs::symlink_metadata(&path);
            if there.as_ref().is_ok_and(fs::Metadata::is_file) && text_of(&path) == text {
                continue;
            }
            if there.is_ok_and(|facts| !facts.is_file()) {
                // A repository of somebody else's: whatever is in it is not ours to remove.
                let mut aside = path.as_os_str().to_owned();
                aside.push(".set-aside");
                disk::remove_tree(Path::new(&aside))?;
                disk::rename(&path, Path::new(&aside))?;
            }
            disk::replace(&path, &text, 0o600)?;
            told.push(format!(
                "{} had been changed; it is as it was",
                path.display()
            ));
        }
        let local = own.join("config.worktree");
        if fs::symlink_metadata(&local).is_ok() {
            disk::remove_tree(&local)?;
            told.push(format!(
                "{} was removed, since it was not there before",
                local.display()
            ));
        }
        Ok(())
    }

    /// What git's own directory for the worktree of `kind` says of its place.
    fn gitdir(&self, kind: &Kind) -> String {
        format!("{}\n", self.place.worktree(kind).join(".git").display())
    }

    /// What the worktree of `kind` says of git's own directory for it.
    fn dot_git(&self, kind: &Kind) -> String {
        format!("gitdir: {}\n", self.worktree_directory(kind).display())
    }

    /// What git says of the place of the worktree of `kind`, where that is another place than ours: somebody made a worktree that git gave this
    /// name.
    pub fn foreign(&self, kind: &Kind) -> Option<String> {
        let named = text_of(&self.worktree_directory(kind).join("gitdir"));
        let elsewhere = !named.is_empty() && named != self.gitdir(kind);
        (elsewhere && !is_directory(&self.place.worktree(kind))).then_some(named)
    }

    /// The name of another worktree that is on the branch of `kind`, whoever made it.
    pub fn holder(&self, kind: &Kind) -> Option<String> {
        let head = format!("ref: refs/heads/{}", kind.branch());
        let entries = fs::read_dir(self.path.join("worktrees"));
        let mut entries = entries.into_iter().flatten().flatten();
        let found = entries.find(|entry| {
            entry.file_name().to_str() != Some(&kind.name())
                && text_of(&entry.path().join("HEAD")).trim() == head
        })?;
        let named = text_of(&found.path().join("gitdir"));
        Some(named.trim().trim_end_matches("/.git").to_owned())
    }

    /// A branch beside which git cannot have that of `kind`, since one name would be that of a directory of the other: `fix` and `fix/menu`.
    pub fn colliding(&self, kind: &Kind) -> Option<String> {
        let branch = kind.branch();
        let heads = self.path.join("refs/heads");
        let packed = text_of(&self.path.join(PACKED));
        let mut packed = packed
            .lines()
            .filter_map(|line| line.split_once(" refs/heads/"))
            .map(|(_, name)| name);
        let above = |name: &str| {
            let rest = branch.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let below = |name: &str| {
            let rest = name.strip_prefix(&branch);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        if let Some(name) = packed.find(|name| above(name) || below(name)) {
            return Some(name.to_owned());
        }
        let mut ends = branch.match_indices('/').map(|(at, _)| &branch[..at]);
        if let Some(name) = ends.find(|name| heads.join(name).is_file()) {
            return Some(name.to_owned());
        }
        first_file(&heads.join(&branch)).and_then(|file| {
            Some(
                file.strip_prefix(&heads)
                    .ok()?
                    .to_string_lossy()
                    .into_owned(),
            )
        })
    }

    /// Whether the branch of `kind` is there.
    fn has_branch(&self, kind: &Kind) -> bool {
        let refname = format!("refs/heads/{}", kind.branch());
        let packed = text_of(&self.path.join(PACKED));
        self.path.join(&refname).is_file()
            || packed.lines().any(|line| {
                line.split_once(' ')
                    .is_some_and(|(_, name)| name == refname)
            })
    }

    /// Notes the directories of submodules in the worktree of `kind`, which git does not look into.
    ///
    /// # Errors
    /// `bad-cwd` where the note cannot be written.
    pub fn note_submodules(&self, kind: &Kind, names: &[String]) -> Result<(), Refusal> {
        let path = self.worktree_directory(kind).join(SUBMODULES);
        let noted = if names.is_empty() {
            disk::remove_file(&path)
        } else {
            disk::replace(&path, &names.join("\0"), 0o600)
        };
        noted.map_err(|error| unusable(&path, &error))
    }

    /// The directories of submodules in the worktree of `kind`, as they were noted.
    pub fn submodules(&self, kind: &Kind) -> Vec<String> {
        let noted = text_of(&self.worktree_directory(kind).join(SUBMODULES));
        let names = noted.split('\0').filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }

    /// What the worktrees of the store were made for, in order.
    ///
    /// # Errors
    /// The system's.
    pub fn kinds(&self) -> io::Result<Vec<Kind>> {
        let mut kinds = Vec::new();
        for entry in fs::read_dir(self.path.join("worktrees"))? {
            let name = entry?.file_name();
            kinds.extend(name.to_str().and_then(Kind::of));
        }
        kinds.sort();
        Ok(kinds)
    }

    /// Notes that the worktree of `kind` is being made or changed, until the note is dropped.
    ///
    /// # Errors
    /// `bad-cwd` where the note cannot be written.
    pub fn begin(&self, kind: &Kind, what: Unfinished) -> Result<Begun, Refusal> {
        let path = self.path.join(UNFINISHED).join(kind.name());
        disk::replace(&path, what.word(), 0o600).map_err(|error| unusable(&path, &error))?;
        Ok(Begun { path })
    }

    /// Makes the worktree of `kind`, which is noted as `begun`: an empty directory on a branch that may not be there yet.
    ///
    /// `git worktree add` writes its own files one by one, and what a kill leaves of them is an error for git-fsck(1).  Here they come to
    /// their place together.
    ///
    /// # Errors
    /// `bad-cwd` where a directory cannot be made, or something else is at the worktree's place; nothing stays of it then.
    pub fn add_worktree(&self, kind: &Kind, begun: &Begun) -> Result<(), Refusal> {
        let worktree = self.place.worktree(kind);
        let drop_note =
            || disk::remove_file(&begun.path).map_err(|error| unusable(&begun.path, &error));
        if let Some(gitdir) = self.foreign(kind) {
            drop_note()?;
            return Err(foreign(&kind.name(), &gitdir));
        }
        if let Err(error) = disk::make_new_directory(&worktree) {
            drop_note()?;
            return Err(if error.kind() == io::ErrorKind::AlreadyExists {
                taken(&worktree)
            } else {
                unusable(&worktree, &error)
            });
        }
        let added = self.write_worktree(kind);
        if added.is_err() {
            // What stays is removed by the next call.
            let discarded = self.discard(kind, false);
            let _ = discarded.and_then(|()| disk::remove_file(&begun.path));
        }
        added.map_err(|error| unusable(&worktree, &error))
    }

    fn write_worktree(&self, kind: &Kind) -> io::Result<()> {
        let making = self.path.join(UNFINISHED).join(MAKING);
        disk::remove_tree(&making)?;
        disk::make_directories(&making)?;
        let head = format!("ref: refs/heads/{}\n", kind.branch());
        for (name, text) in [
            ("HEAD", head.as_str()),
            ("commondir", COMMONDIR),
            ("gitdir", &self.gitdir(kind)),
        ] {
            disk::replace(&making.join(name), text, 0o600)?;
        }
        let own = self.worktree_directory(kind);
        disk::remove_tree(&own)?;
        disk::rename(&making, &own)?;
        disk::replace(
            &self.place.worktree(kind).join(".git"),
            &self.dot_git(kind),
            0o600,
        )
    }

    /// Whether a git is at work in the worktree of `kind`, or was and has left its lock.
    pub fn is_busy(&self, kind: &Kind) -> bool {
        let lock = self.worktree_directory(kind).join("index.lock");
        fs::symlink_metadata(lock).is_ok()
    }

    /// Whether an earlier call had begun to set the worktree of `kind` to another commit, and did not come to its end.
    pub fn was_being_reset(&self, kind: &Kind) -> bool {
        let path = self.path.join(UNFINISHED).join(kind.name());
        let word = text_of(&path);
        word == Unfinished::Reset.word() || word == HALF
    }

    /// Removes what calls left that did not come to their end: half made worktrees, fetched objects that nothing uses, locks of git.  A
    /// worktree whose files may all be there stays, with a note: somebody may have worked in it since.
    fn discard_unfinished(&self, told: &mut Vec<String>) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if incoming::is_left_over(&name) {
                disk::writable(&self.path, true)?;
                disk::remove_tree(&entry.path())?;
            }
        }
        for entry in fs::read_dir(self.path.join(UNFINISHED))? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(kind) = name.to_str().and_then(Kind::of) else {
                disk::remove_tree(&entry.path())?;
                continue;
            };
            if let Err(error) = self.discard_one(&kind, &entry.path()) {
                told.push(format!(
                    "what a call left that did not come to its end cannot be removed ({}): {error}",
                    self.place.worktree(&kind).display()
                ));
            }
        }
        Ok(())
    }

    /// Removes what a call left of the worktree of `kind`, which is noted in the file `note`.
    fn discard_one(&self, kind: &Kind, note: &Path) -> io::Result<()> {
        let word = text_of(note);
        if word == HALF {
            return Ok(());
        }
        self.unlock(kind)?;
        let own = self.worktree_directory(kind);
        let all_written = match word.as_str() {
            // git sets a branch and writes its index when all files are there.
            "new" => self.has_branch(kind) && is_directory(&own),
            "again" => own.join("index").is_file(),
            _ => true,
        };
        if all_written {
            return disk::replace(note, HALF, 0o600);
        }
        self.discard(kind, word == Unfinished::New.word())?;
        disk::remove_file(note)
    }

    /// Removes the locks that a git which was killed has left of the worktree of `kind` and its branch.
    fn unlock(&self, kind: &Kind) -> io::Result<()> {
        let own = self.worktree_directory(kind);
        for name in ["index.lock", "HEAD.lock", "ORIG_HEAD.lock", "locked"] {
            disk::remove_file(&own.join(name))?;
        }
        let branch = format!("{}.lock", kind.branch());
        disk::remove_reference(&self.path.join("refs/heads").join(branch))?;
        for end in ["lock", "new"] {
            disk::remove_file(&self.path.join(format!("{PACKED}.{end}")))?;
        }
        Ok(())
    }

    /// Removes the worktree of `kind`, and its branch too where `branch` says so.
    ///
    /// # Errors
    /// The system's.
    pub fn discard(&self, kind: &Kind, branch: bool) -> io::Result<()> {
        if self.foreign(kind).is_none() {
            disk::remove_tree(&self.place.worktree(kind))?;
            disk::remove_tree(&self.worktree_directory(kind))?;
        }
        if branch {
            for below in ["refs/heads", "logs/refs/heads"] {
                disk::remove_reference(&self.path.join(below).join(kind.branch()))?;
            }
            disk::remove_file(&self.known_head_file(kind))?;
        }
        Ok(())
    }

    /// Removes the whole store, where this call has made it and no worktree hangs on it.
    pub fn discard_new(&self) {
        let none = self.kinds().is_ok_and(|kinds| kinds.is_empty());
        if self.new && none {
            // What stays is an empty repository, which the next call takes over.
            let _ = disk::remove_tree(&self.path);
            let _ = fs::read_dir(self.place.worktrees()).map(|mut entries| {
                if entries.next().is_none() {
                    let _ = disk::remove_tree(&self.place.worktrees());
                }
            });
        }
    }

    /// The file with the commit that the host had last for the worktree of `kind`: what is not in it was not pushed.
    fn known_head_file(&self, kind: &Kind) -> PathBuf {
        self.path.join("refs/cj").join(kind.name())
    }

    /// Notes that the host has the commit `sha` for the worktree of `kind`.
    ///
    /// # Errors
    /// `bad-cwd` where the note cannot be written.
    pub fn know_head(&self, kind: &Kind, sha: &str) -> Result<(), Refusal> {
        let path = self.known_head_file(kind);
        disk::replace(&path, &format!("{sha}\n"), 0o600).map_err(|error| unusable(&path, &error))
    }

    /// A new directory in the store for objects that are fetched and not yet taken in.
    ///
    /// # Errors
    /// `bad-cwd` where it cannot be made.
    pub fn incoming(&self) -> Result<Incoming, Refusal> {
        Incoming::new(&self.path)
    }
}

/// A note that a worktree is being made or changed.  [`Begun::done`] removes it; a call that dies leaves it.
#[derive(Debug)]
pub struct Begun {
    path: PathBuf,
}

impl Begun {
    /// The change has come to its end, or everything of it is gone.
    ///
    /// # Errors
    /// `bad-cwd` where the note cannot be removed.
    pub fn done(self) -> Result<(), Refusal> {
        disk::remove_file(&self.path).map_err(|error| unusable(&self.path, &error))
    }
}

/// HEAD of a store: a branch that never is, so that no worktree's branch counts as checked out in the store itself.
const HEAD: &str = "ref: refs/heads/cj-no-branch\n";

/// Makes an empty repository in `path`, without a template.
fn make(path: &Path, config: &str) -> io::Result<()> {
    for directory in OPEN_DIRECTORIES {
        disk::make_directories(&path.join(directory))?;
    }
    disk::replace(&path.join("HEAD"), HEAD, 0o400)?;
    disk::replace(&path.join("config"), config, 0o400)?;
    disk::link(Path::new(PACKED), &path.join("packed-refs"))?;
    disk::writable(path, false)
}

/// A file below the directory `path`; `None` where there is none.
fn first_file(path: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(path).ok()?;
    entries.flatten().find_map(|entry| {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => first_file(&path),
            Ok(kind) if kind.is_file() => Some(path),
            _ => None,
        }
    })
}
