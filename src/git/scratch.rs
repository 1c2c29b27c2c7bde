//! A bare repository for one push from a checkout of the user's: it has no objects of its own and borrows the checkout's, so that git reads
//! neither the checkout's configuration nor its hooks.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::command::Objects;
use super::disk;
use crate::gate::{ErrorKind, Refusal};

/// The beginning of the name of such a repository: `.push-PID-NUMBER`.
const NAME: &str = ".push-";

static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// A place for a repository of one push, below `root`, which no other push has.
pub fn place(root: &Path) -> PathBuf {
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    root.join(format!("{NAME}{}-{number}", std::process::id()))
}

/// A repository for one push.  Dropping this value removes it.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes the repository in `path`, a value of [`place`], with the list `shallow` of the checkout's cut history, which may be empty.
    ///
    /// # Errors
    /// `bad-cwd` where it cannot be made.
    pub fn make(path: &Path, shallow: &str) -> Result<Self, Refusal> {
        let made = Self::make_in(path, shallow);
        made.map_err(|error| {
            Refusal::new(
                ErrorKind::BadCwd,
                format!(
                    "{} cannot be made: {error}.\nTell the person, who can look at `cj/gh-worktree-directory'.",
                    path.display()
                ),
            )
        })
    }

    fn make_in(path: &Path, shallow: &str) -> io::Result<Self> {
        if let Some(root) = path.parent() {
            disk::make_directories(root)?;
            remove_abandoned(root)?;
        }
        disk::remove_tree(path)?;
        for directory in ["objects/info", "objects/pack", "refs/heads"] {
            disk::make_directories(&path.join(directory))?;
        }
        let scratch = Self {
            path: path.to_owned(),
        };
        disk::replace(&path.join("HEAD"), "ref: refs/heads/cj-no-branch\n", 0o600)?;
        let config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
        disk::replace(&path.join("config"), config, 0o600)?;
        if !shallow.is_empty() {
            disk::replace(&path.join("shallow"), shallow, 0o600)?;
        }
        Ok(scratch)
    }

    /// The repository's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is removed by the next push.
        let _ = disk::remove_tree(&self.path);
    }
}

/// The objects of a push: those in the directory `objects` of the checkout.
pub fn borrowed(objects: &Path) -> Objects {
    Objects {
        write: None,
        read: vec![objects.to_owned()],
    }
}

/// Removes the repositories of processes that are gone.
fn remove_abandoned(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name();
        let pid = name
            .to_str()
            .and_then(|name| name.strip_prefix(NAME)?.split('-').next());
        let gone = pid.is_some_and(|pid| {
            pid.bytes().all(|b| b.is_ascii_digit()) && !Path::new("/proc").join(pid).exists()
        });
        if gone {
            disk::remove_tree(&entry.path())?;
        }
    }
    Ok(())
}
