//! The directory that an archive is unpacked into: filled under a hidden name, then moved to its place, or removed.
//!
//! Below the user's directory for downloads, each directory is opened from its open parent, and no link is followed.  The place must
//! be free: no file is ever replaced.  If Emacs was killed while it filled a directory, the next download removes that directory.

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use nix::fcntl::{AT_FDCWD, Flock, FlockArg, OFlag, RenameFlags, openat, renameat2};
use nix::sys::stat::{Mode, mkdirat};

use super::names::component;
use super::trouble::ArchiveError;
use crate::gate::record::audit::folder::Folder;

/// The beginning of the name of a directory that is being filled.
const FILLING: &str = ".filling-";
/// The names of the zip file, and of the directory for its files, in a directory that is being filled.
const PACKED: &str = "packed.zip";
const UNPACKED: &str = "unpacked";
/// How many names are tried for a place: `logs`, `logs-2` to `logs-1000`.
const MAX_TRIES: u32 = 1_000;

const DIRECTORY: OFlag = OFlag::O_RDONLY
    .union(OFlag::O_DIRECTORY)
    .union(OFlag::O_NOFOLLOW)
    .union(OFlag::O_CLOEXEC);

/// The place for the files of an archive: a directory that did not exist when this value was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreePlace {
    root: PathBuf,
    below: Vec<String>,
}

impl FreePlace {
    /// Finds a free place below `root`, an absolute path: one directory inside another for each of `parts`.  The last gets a number if
    /// its name is taken (`logs-2`).  Makes nothing on disk.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] where the directory's name is not absolute, or no name is free.
    pub fn free(root: &Path, parts: &[&str]) -> Result<Self, ArchiveError> {
        if !root.is_absolute() {
            return Err(ArchiveError::Directory(
                "The directory for downloads is no absolute one of this machine".into(),
            ));
        }
        let mut below: Vec<String> = parts.iter().map(|part| component(part)).collect();
        let last = below.pop().unwrap_or_else(|| component(""));
        let parent: PathBuf = root.join(below.iter().collect::<PathBuf>());
        let free = (1..=MAX_TRIES)
            .map(|number| match number {
                1 => last.clone(),
                _ => format!("{last}-{number}"),
            })
            .find(|name| parent.join(name).symlink_metadata().is_err());
        let Some(name) = free else {
            return Err(ArchiveError::Directory(format!(
                "{} holds {MAX_TRIES} downloads of this name",
                parent.display()
            )));
        };
        below.push(name);
        Ok(Self {
            root: root.to_owned(),
            below,
        })
    }

    /// The absolute path of the place.
    pub fn path(&self) -> PathBuf {
        self.root.join(self.below.iter().collect::<PathBuf>())
    }
}

/// A directory that is being filled.  Dropping this value removes the directory with all its files.
pub struct Staging {
    path: PathBuf,
    /// The open directory.  Its lock shows other processes that this directory is still being filled.
    handle: Flock<File>,
    root: File,
}

static NUMBERS: AtomicU64 = AtomicU64::new(0);

impl Staging {
    /// Makes a directory to be filled in the root of `place`.  A missing root is made, for this user alone.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] for a root that belongs to another user or that others may write to, [`ArchiveError::System`].
    pub fn new(place: &FreePlace) -> Result<Self, ArchiveError> {
        Folder::open(&place.root)
            .map_err(|why| ArchiveError::Directory(sentence(&why.to_string())))?;
        let failed = ArchiveError::system("The directory for downloads cannot be opened");
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let root = File::from(openat(AT_FDCWD, &place.root, flags, Mode::empty()).map_err(failed)?);
        remove_abandoned(&place.root);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("{FILLING}{}-{number}", std::process::id());
        let path = place.root.join(&name);
        let failed = ArchiveError::system("A directory for the download cannot be made");
        // A dead process with the same process id may have left a directory of this name.
        remove(&path);
        mkdirat(&root, name.as_str(), Mode::S_IRWXU).map_err(failed)?;
        let failed = ArchiveError::system("The new directory cannot be opened");
        let handle = openat(&root, name.as_str(), DIRECTORY, Mode::empty()).map_err(failed)?;
        let handle = Flock::lock(File::from(handle), FlockArg::LockExclusiveNonblock)
            .map_err(|(_, why)| ArchiveError::system("The new directory cannot be locked")(why))?;
        Ok(Self { path, handle, root })
    }

    /// Makes the new, empty file for the archive itself, open for writing and reading.
    pub fn packed(&self) -> Result<File, ArchiveError> {
        create(&*self.handle, PACKED)
    }

    /// Makes the new, empty directory for the files that [`Self::publish`] moves to their place.
    pub fn unpacked(&self) -> Result<File, ArchiveError> {
        enter(&*self.handle, UNPACKED)
    }

    /// Moves the unpacked files to `place` by one rename; everything else in this directory is removed.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] where the place is no longer free.
    pub fn publish(self, place: &FreePlace) -> Result<(), ArchiveError> {
        let (last, above) = place
            .below
            .split_last()
            .expect("a place has a name below its root");
        let failed = ArchiveError::io("The directory for downloads cannot be opened");
        let mut parent = self.root.try_clone().map_err(failed)?;
        for part in above {
            parent = enter(&parent, part)?;
        }
        renameat2(
            &*self.handle,
            UNPACKED,
            &parent,
            last.as_str(),
            RenameFlags::RENAME_NOREPLACE,
        )
        .map_err(|why| match why {
            nix::Error::EEXIST => ArchiveError::Directory(format!(
                "A file or directory has appeared at {} while the call waited",
                place.path().display()
            )),
            why => ArchiveError::system("What was unpacked cannot be moved to its place")(why),
        })
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Makes the new, empty file `name` in `directory`, open for writing and reading, for this user alone and not executable.
///
/// # Errors
/// [`ArchiveError::Refused`] where the name is taken, [`ArchiveError::System`].
pub fn create(directory: impl AsFd, name: &str) -> Result<File, ArchiveError> {
    let flags =
        OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    match openat(directory, name, flags, Mode::S_IRUSR | Mode::S_IWUSR) {
        Ok(file) => Ok(File::from(file)),
        // Some file systems take two names for the same file, such as `A` and `a`.
        Err(nix::Error::EEXIST | nix::Error::EISDIR) => Err(ArchiveError::Refused(format!(
            "`{name}' is there already, from another name in it"
        ))),
        Err(why) => Err(ArchiveError::system("A file cannot be made")(why)),
    }
}

/// Opens the directory `name` in `parent`; makes it, for this user alone, if it is missing.  Follows no link.
pub(super) fn enter(parent: impl AsFd, name: &str) -> Result<File, ArchiveError> {
    match mkdirat(&parent, name, Mode::S_IRWXU) {
        Ok(()) | Err(nix::Error::EEXIST) => {}
        Err(why) => return Err(ArchiveError::system("A directory cannot be made")(why)),
    }
    match openat(&parent, name, DIRECTORY, Mode::empty()) {
        Ok(handle) => Ok(File::from(handle)),
        Err(nix::Error::ELOOP | nix::Error::ENOTDIR) => Err(ArchiveError::Directory(format!(
            "`{name}' on the way to the download's place is no directory"
        ))),
        Err(why) => Err(ArchiveError::system("A directory cannot be opened")(why)),
    }
}

/// Removes the directories in `root` that dead processes were filling: the lock of a process ends with the process.
fn remove_abandoned(root: &Path) {
    for entry in std::fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !name.as_bytes().starts_with(FILLING.as_bytes()) {
            continue;
        }
        let opened = openat(AT_FDCWD, &root.join(&name), DIRECTORY, Mode::empty());
        let locked = opened.is_ok_and(|handle| {
            Flock::lock(File::from(handle), FlockArg::LockExclusiveNonblock).is_ok()
        });
        if locked {
            remove(&root.join(OsStr::from_bytes(name.as_bytes())));
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the gate made the directory for one call, and removes it with the call"
)]
fn remove(path: &Path) {
    // `remove_dir_all` follows no link.  The next `Staging` tries again to remove a directory that stays.
    let _ = std::fs::remove_dir_all(path);
}

/// `words` with a capital letter at the beginning.
fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
