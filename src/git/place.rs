//! Where the store and the worktrees of a repository are, and the lock of a store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

use super::disk;
use crate::gate::{ErrorKind, Refusal};
use crate::text::escapes::push_percent;

/// The place of one repository below the directory for worktrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The directory for worktrees.
    root: PathBuf,
    host: String,
    owner: String,
    pub(super) repo: String,
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
        // Names of files that stand beside the stores.
        let repo_ok = repo_ok
            && !(repo.starts_with('.') && [".lock", ".new"].iter().any(|end| repo.ends_with(end)));
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

    /// git's own directory for the worktree of `kind`.
    pub fn worktree_directory(&self, kind: &Kind) -> PathBuf {
        self.store().join("worktrees").join(kind.name())
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

    /// The directory above the store.
    pub(super) fn parent(&self) -> PathBuf {
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

/// The refusal for a file or directory that cannot be used.
pub fn unusable(path: &Path, error: &io::Error) -> Refusal {
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

/// The refusal where something else stands at a worktree's place.
pub fn taken(path: &Path) -> Refusal {
    Refusal::new(
        ErrorKind::BadCwd,
        format!(
            "{} is there already and is no worktree of this gate.\nTell the person, who can move it away.",
            path.display()
        ),
    )
}

/// The refusal where git's name of a worktree is that of one which somebody made elsewhere, as `gitdir` says.
pub fn foreign(name: &str, gitdir: &str) -> Refusal {
    Refusal::new(
        ErrorKind::BadCwd,
        format!(
            "git's name {name} is that of a worktree which this gate did not make: {}.\nTell the person, who can remove that one with `git worktree remove' or move its branch.",
            gitdir.trim().trim_end_matches("/.git")
        ),
    )
}

/// The lock of one store.  Dropping it lets the next call go on.
#[derive(Debug)]
pub struct Locked {
    _held: Flock<fs::File>,
}
