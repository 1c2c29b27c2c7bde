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
//! commit), so that a tool which writes files does not change them by accident.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::command::Objects;
use super::disk;
use super::sweep::{is_directory, sweep, text_of};
use crate::gate::{ErrorKind, Refusal};
use crate::text::escapes::push_percent;

/// The place of one repository below the directory for worktrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The directory for worktrees.
    root: PathBuf,
    host: String,
    owner: String,
    repo: String,
    /// The address of the host: `https://github.com`, or another that the user has set.
    base: String,
}

/// What a worktree was made for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The pull request with this number.
    Pull(u64),
    /// The branch with this name.
    Branch(String),
}

impl Kind {
    /// The name of the worktree's directory, which is also git's name for the worktree: `pr-12`, `main`, `fix+menu` for `fix/menu`.
    pub fn name(&self) -> String {
        let branch = match self {
            Self::Pull(number) => return format!("pr-{number}"),
            Self::Branch(branch) => branch,
        };
        let mut name = String::new();
        let ours = is_ours(branch);
        for (at, byte) in branch.bytes().enumerate() {
            match byte {
                b'/' => name.push('+'),
                b'-' | b'.' if at == 0 => push_percent(byte, &mut name),
                b'p' if at == 0 && ours => push_percent(byte, &mut name),
                b'-' | b'_' | b'.' => name.push(char::from(byte)),
                byte if byte.is_ascii_alphanumeric() => name.push(char::from(byte)),
                byte => push_percent(byte, &mut name),
            }
        }
        name
    }

    /// What the worktree called `name` was made for; `None` for a name that [`Self::name`] does not give, and for one of what can be no
    /// branch: somebody else may have written it, and the name of a branch becomes that of a file.
    pub fn of(name: &str) -> Option<Self> {
        if let Some(number) = name.strip_prefix("pr-") {
            let number = number.parse().ok();
            if let Some(number) = number {
                let kind = Self::Pull(number);
                return (kind.name() == name).then_some(kind);
            }
        }
        let branch = crate::text::escapes::percent_decoded(&name.replace('+', "/"));
        // A name that leads elsewhere, such as `a+..+..+b', is nobody's branch.
        let ok = is_branch(&branch);
        let kind = Self::Branch(branch);
        (ok && kind.name() == name).then_some(kind)
    }

    /// The branch in the store that the worktree is on.
    pub fn branch(&self) -> String {
        match self {
            Self::Pull(number) => format!("pr-{number}"),
            Self::Branch(branch) => branch.clone(),
        }
    }

    /// The ref on the host that the worktree was made from.
    pub fn remote_ref(&self) -> String {
        match self {
            Self::Pull(number) => format!("refs/pull/{number}/head"),
            Self::Branch(branch) => format!("refs/heads/{branch}"),
        }
    }
}

/// Whether `branch` can be the name of a branch (git-check-ref-format(1)), and so that of a file below `refs/heads`.
fn is_branch(branch: &str) -> bool {
    let refused = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    !branch.contains("..")
        && !branch.contains("@{")
        && !branch.ends_with('.')
        && !branch.starts_with('-')
        && branch != "@"
        && !branch.contains(refused)
        && branch.split('/').all(|part| {
            !part.is_empty() && !part.starts_with('.') && part.strip_suffix(".lock").is_none()
        })
}

/// Whether `branch` looks like the branch of a pull request's worktree: `pr-12`.
pub fn is_ours(branch: &str) -> bool {
    branch
        .strip_prefix("pr-")
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

impl Place {
    /// The place of `owner`/`repo` on `host` below `root`; `base` is the host's address.  GitHub ignores the case of the names, so they are
    /// in small letters here.
    ///
    /// # Errors
    /// `bad-argument` where a name cannot be that of a directory.
    pub fn new(root: &Path, [host, owner, repo]: [&str; 3], base: &str) -> Result<Self, Refusal> {
        let plain = |name: &str| {
            !name.is_empty()
                && !name.starts_with(['.', '-'])
                && name
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b))
        };
        let small = str::to_ascii_lowercase;
        let (host, owner, repo) = (small(host), small(owner), small(repo));
        // A repository `.github' exists; its directory gets no dot in front.
        let repo_ok = plain(repo.trim_start_matches('.')) && !repo.starts_with("..");
        if !plain(&host) || !plain(&owner) || !repo_ok || has_git_suffix(&repo) {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                "This repository's name cannot be that of a directory.\nGive OWNER/REPO as GitHub shows it, without .git.",
            ));
        }
        Ok(Self {
            root: root.to_owned(),
            host,
            owner,
            repo,
            base: base.trim_end_matches('/').to_owned(),
        })
    }

    /// The directory of the store.
    pub fn store(&self) -> PathBuf {
        self.parent().join(format!("{}.git", self.repo))
    }

    /// The directory of the worktree of `kind`.
    pub fn worktree(&self, kind: &Kind) -> PathBuf {
        self.worktrees().join(kind.name())
    }

    /// The directory with all worktrees of the repository.
    pub fn worktrees(&self) -> PathBuf {
        self.parent().join(&self.repo)
    }

    /// The address that git fetches from and pushes to.
    pub fn address(&self) -> String {
        self.address_of(&self.owner, &self.repo)
    }

    /// The address of another repository of the same host.
    pub fn address_of(&self, owner: &str, repo: &str) -> String {
        format!("{}/{owner}/{repo}.git", self.base)
    }

    fn parent(&self) -> PathBuf {
        self.root.join(&self.host).join(&self.owner)
    }

    fn lock_file(&self) -> PathBuf {
        self.parent().join(format!(".{}.lock", self.repo))
    }

    /// Makes the directories above the store, and waits for its lock.  `go_on` is asked every 20 ms whether to wait on.
    ///
    /// # Errors
    /// That of `go_on`, and `bad-cwd` where a directory cannot be made or is a symbolic link.
    pub fn lock(&self, go_on: &mut dyn FnMut() -> Result<(), Refusal>) -> Result<Locked, Refusal> {
        let mut path = self.root.clone();
        disk::make_directories(&path).map_err(|error| unusable(&path, &error))?;
        for part in [&self.host, &self.owner] {
            path.push(part);
            disk::make_directory(&path).map_err(|error| unusable(&path, &error))?;
        }
        let lock = self.lock_file();
        let mut file = disk::for_lock(&lock).map_err(|error| unusable(&lock, &error))?;
        loop {
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(held) => return Ok(Locked { _held: held }),
                Err((again, Errno::EWOULDBLOCK | Errno::EINTR)) => file = again,
                Err((_, errno)) => return Err(unusable(&lock, &errno.into())),
            }
            go_on()?;
            thread::sleep(LOCK_POLL);
        }
    }
}

/// How long a waiter for a store's lock sleeps between two tries.
const LOCK_POLL: Duration = Duration::from_millis(20);

fn has_git_suffix(repo: &str) -> bool {
    repo.rsplit_once('.')
        .is_some_and(|(_, suffix)| suffix == "git")
}

fn unusable(path: &Path, error: &io::Error) -> Refusal {
    if matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    ) {
        return Refusal::new(
            ErrorKind::Failed,
            format!(
                "The disk is full: {} cannot be written.\nTell the person, who can make room there; nothing half done was left.",
                path.display()
            ),
        );
    }
    Refusal::new(
        ErrorKind::BadCwd,
        format!(
            "{} cannot be used: {error}.\nTell the person, who can look at `cj/gh-worktree-directory'.",
            path.display()
        ),
    )
}

/// The lock of one store.  Dropping it lets the next call go on.
#[derive(Debug)]
pub struct Locked {
    _held: Flock<fs::File>,
}

/// The directory in the store with a file for each worktree that is being made or changed; a file that is left over tells that this did not
/// come to its end.
const UNFINISHED: &str = "cj-unfinished";

/// Directories of a store that git writes into.
const OPEN_DIRECTORIES: &[&str] = &[
    "objects/pack",
    "objects/info",
    "refs/heads",
    "refs/cj",
    "refs/remotes",
    "logs/refs/heads",
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
        self.path.join("worktrees").join(kind.name())
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
        self.discard_unfinished()?;
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

    /// Writes the files by which the worktree of `kind` and the store find each other anew, where somebody has changed them.
    fn mend_worktree(&self, kind: &Kind, told: &mut Vec<String>) -> io::Result<()> {
        let own = self.worktree_directory(kind);
        let worktree = self.place.worktree(kind);
        let expected = [
            (own.join("commondir"), "../..\n".to_owned()),
            (own.join("gitdir"), self.gitdir(kind)),
            (
                worktree.join(".git"),
                format!("gitdir: {}\n", own.display()),
            ),
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

    /// Whether a git is at work in the worktree of `kind`, or was and has left its lock.
    pub fn is_busy(&self, kind: &Kind) -> bool {
        let lock = self.worktree_directory(kind).join("index.lock");
        fs::symlink_metadata(lock).is_ok()
    }

    /// Whether an earlier call had begun to set the worktree of `kind` to another commit, and did not come to its end.
    pub fn was_being_reset(&self, kind: &Kind) -> bool {
        let path = self.path.join(UNFINISHED).join(kind.name());
        text_of(&path) == Unfinished::Reset.word()
    }

    /// Removes what calls left that did not come to their end: half made worktrees, fetched objects that nothing uses, locks of git.  A
    /// worktree that was being set to another commit stays, with its note.
    fn discard_unfinished(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(INCOMING) || name == FETCH_HEAD || name == "FETCH_HEAD.lock" {
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
            let word = text_of(&entry.path());
            self.unlock(&kind)?;
            if word == Unfinished::Reset.word() {
                continue;
            }
            self.discard(&kind, word == Unfinished::New.word())?;
            disk::remove_file(&entry.path())?;
        }
        // A worktree that is gone leaves its directory here, and git would choose another name for the next one.
        for kind in self.kinds()? {
            let gone = fs::symlink_metadata(self.place.worktree(&kind)).is_err();
            let named = text_of(&self.worktree_directory(&kind).join("gitdir"));
            // A person's own worktree at another place stays.
            let ours = named == self.gitdir(&kind);
            if gone && ours {
                disk::remove_tree(&self.worktree_directory(&kind))?;
            }
        }
        Ok(())
    }

    /// Removes the locks that a git which was killed has left of the worktree of `kind` and its branch.
    fn unlock(&self, kind: &Kind) -> io::Result<()> {
        let own = self.worktree_directory(kind);
        for name in ["index.lock", "HEAD.lock", "ORIG_HEAD.lock", "locked"] {
            disk::remove_file(&own.join(name))?;
        }
        let branch = format!("{}.lock", kind.branch());
        disk::remove_file(&self.path.join("refs/heads").join(branch))?;
        disk::remove_file(&self.path.join("packed-refs.lock"))
    }

    /// Removes the worktree of `kind`, and its branch too where `branch` says so.
    ///
    /// # Errors
    /// The system's.
    pub fn discard(&self, kind: &Kind, branch: bool) -> io::Result<()> {
        disk::remove_tree(&self.place.worktree(kind))?;
        disk::remove_tree(&self.worktree_directory(kind))?;
        if branch {
            for below in ["refs/heads", "logs/refs/heads"] {
                disk::remove_file(&self.path.join(below).join(kind.branch()))?;
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
        let path = self.path.join(format!("{INCOMING}{}", std::process::id()));
        let made = disk::writable(&self.path, true)
            .and_then(|()| disk::remove_tree(&path))
            .and_then(|()| disk::remove_tree(&self.path.join(FETCH_HEAD)))
            .and_then(|()| disk::make_directories(&path.join("pack")))
            .and_then(|()| disk::make_directories(&path.join("info")));
        made.map_err(|error| unusable(&path, &error))?;
        Ok(Incoming {
            path,
            objects: self.path.join("objects"),
            store: self.path.clone(),
        })
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

/// The beginning of the name of a directory for fetched objects.
const INCOMING: &str = "cj-incoming-";

/// The file in which git notes what it has fetched.
const FETCH_HEAD: &str = "FETCH_HEAD";

/// Objects that were fetched and not yet taken into their store.  Dropping this value removes them.
#[derive(Debug)]
pub struct Incoming {
    path: PathBuf,
    objects: PathBuf,
    store: PathBuf,
}

impl Incoming {
    /// Where git writes and finds objects meanwhile.
    pub fn objects(&self) -> Objects {
        Objects {
            write: Some(self.path.clone()),
            read: vec![self.objects.clone()],
        }
    }

    /// Whether one of the files has `most` bytes, so that git may write no more.
    pub fn is_full(&self, most: u64) -> bool {
        let entries = fs::read_dir(self.path.join("pack"));
        let mut facts = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.metadata());
        facts.any(|facts| facts.is_ok_and(|facts| facts.len() >= most))
    }

    /// The commits that were fetched, in the order of the references that git was asked for.
    pub fn heads(&self) -> Vec<String> {
        let fetched = text_of(&self.store.join(FETCH_HEAD));
        let words = fetched.lines().filter_map(|line| line.split('\t').next());
        words.map(str::to_owned).collect()
    }

    /// Takes the objects into the store.
    ///
    /// # Errors
    /// `bad-cwd` where a file cannot be moved.
    pub fn take_in(self) -> Result<(), Refusal> {
        let taken = self.move_packs();
        taken.map_err(|error| unusable(&self.objects, &error))
    }

    fn move_packs(&self) -> io::Result<()> {
        let packs = self.path.join("pack");
        let mut names = Vec::new();
        for entry in fs::read_dir(&packs)? {
            let name = entry?.file_name();
            let text = name.to_string_lossy().into_owned();
            let kind = text.rsplit_once('.').map_or("", |(_, kind)| kind);
            if text.starts_with("pack-") && kind != "keep" {
                names.push((kind == "idx", name));
            }
        }
        // git takes a pack for whole once its index is there, so that comes last.
        names.sort();
        for (_, name) in names {
            let to = self.objects.join("pack").join(&name);
            if fs::symlink_metadata(&to).is_err() {
                disk::rename(&packs.join(&name), &to)?;
            }
        }
        Ok(())
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // What stays is removed by the next call.
        let _ = disk::remove_tree(&self.path);
        let _ = disk::remove_file(&self.store.join(FETCH_HEAD));
        let _ = disk::writable(&self.store, false);
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
    disk::writable(path, false)
}

/// The configuration of the store at `place` with worktrees for `kinds`.
///
/// The remote and the branches are for a person who uses git or magit in a worktree; the gate itself uses none of them.
fn config(place: &Place, kinds: &[Kind]) -> String {
    let mut text = String::from(
        "# Written by cj-gate.  Changes are set aside; put your own settings into ~/.gitconfig.\n\
[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfilemode = true\n\tlogAllRefUpdates = true\n\
\tsymlinks = false\n\tprotectHFS = true\n\tprotectNTFS = true\n\thooksPath = /dev/null\n\tfsmonitor = false\n\
[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[submodule]\n\trecurse = false\n",
    );
    let address = quoted(&place.address());
    let _ = write!(
        text,
        "[remote \"origin\"]\n\turl = {address}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\ttagOpt = --no-tags\n"
    );
    for kind in kinds {
        let _ = write!(
            text,
            "[branch {}]\n\tremote = origin\n\tmerge = {}\n",
            quoted(&kind.branch()),
            quoted(&kind.remote_ref())
        );
    }
    text
}

/// `value` as git's configuration quotes it.
fn quoted(value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{value}\"")
}

/// The lines of the configuration `found` that `expected` does not have, without their values: `[core] fsmonitor`.  At most eight.
fn foreign_keys(found: &str, expected: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut section = String::new();
    for line in found.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            line.clone_into(&mut section);
        }
        if line.is_empty()
            || line.starts_with(['#', ';'])
            || expected.lines().any(|known| known.trim() == line)
        {
            continue;
        }
        let key = line.split('=').next().unwrap_or_default().trim();
        let key: String = key.chars().filter(|c| !c.is_control()).take(60).collect();
        if line.starts_with('[') {
            keys.push(key);
        } else {
            let section: String = section
                .chars()
                .filter(|c| !c.is_control())
                .take(40)
                .collect();
            keys.push(format!("{section} {key}"));
        }
    }
    let expected_branch = |key: &String| key.starts_with("[branch ");
    // Branches of worktrees that have gone are no change by somebody else.
    keys.retain(|key| !expected_branch(key));
    keys.truncate(8);
    keys
}
