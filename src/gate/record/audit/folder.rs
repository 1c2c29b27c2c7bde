//! The folder of the audit log, opened so that only this user can read the log, and nobody can redirect the writes.
//!
//! A user who may write into a directory can replace the files in it. So the path to the folder is checked name by name: every
//! directory and every symbolic link on it must belong to this user or to the system, and no other user may write into one of
//! the directories, except a sticky one like `/tmp`. Links on the path are followed, because many people keep their `~/.emacs.d`
//! behind a link. The folder itself must not be a link: any other program of this user, an agent's own tools among them, could
//! redirect the log by changing that link. A log file must be a plain file of this user with one name (no second hard link).

#![expect(
    clippy::disallowed_methods,
    reason = "the user names the folder of the log, and only this file opens it"
)]

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use chrono::NaiveDate;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{Mode, SFlag, fstatat};
use nix::unistd::{Group, UnlinkatFlags, User, geteuid, unlinkat};
use once_cell::sync::Lazy;

/// Why a line could not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// A system call failed.
    #[error("{what} {}: {why}", .place.display())]
    System {
        /// What was tried, as the beginning of a sentence: `cannot open`.
        what: &'static str,
        /// The file or folder.
        place: PathBuf,
        /// The system's error message.
        why: String,
    },
    /// Other users may write into this directory, and could change the log.
    #[error("others may write into {}; forbid that (chmod 700) or choose another folder", .0.display())]
    WritableByOthers(PathBuf),
    /// The folder or file belongs to another user.
    #[error("{} belongs to another user", .0.display())]
    OtherOwner(PathBuf),
    /// A symbolic link stands where the folder should be, or the path to the folder leads through too many links.
    #[error("{} is a symbolic link, through which the log could go anywhere; remove it, or name the folder that it leads to (`cj/gh-tool-audit-log-directory')", .0.display())]
    SymbolicLink(PathBuf),
    /// The file has a second hard link.
    #[error("{} has a second name (a hard link), under which others could read or change what is written; remove one of the two", .0.display())]
    SecondHardLink(PathBuf),
    /// A link, pipe, device or directory stands where the file should be.
    #[error("{} is no plain file, so nothing is written to it", .0.display())]
    NotPlainFile(PathBuf),
    /// The file was removed during the write.
    #[error("{} was removed while a line was written to it", .0.display())]
    Removed(PathBuf),
    /// The line went only partly into the file: a full disk, or a limit.
    #[error("only {written} of {of} bytes could be written to {}", .place.display())]
    Short {
        /// The file.
        place: PathBuf,
        /// Bytes that were written.
        written: usize,
        /// Bytes of the line.
        of: usize,
    },
}

fn system(what: &'static str, place: &Path) -> impl FnOnce(io::Error) -> Trouble {
    let place = place.to_owned();
    move |why| Trouble::System {
        what,
        place,
        why: why.to_string(),
    }
}

/// The open folder of the log.
pub struct Folder {
    path: PathBuf,
    handle: File,
}

impl Folder {
    /// Opens the folder `path`, an absolute name, for writing; makes it, with mode 0700, if it is not there.
    ///
    /// A folder that others may read gets mode 0700.
    ///
    /// # Errors
    /// Others may write into the folder, so its files may not be this user's; the folder is a symbolic link; its path leads through a
    /// directory or link of another user, or through a directory in which others could replace what stands there ([`walk`]); or a
    /// system call fails.
    pub fn open(path: &Path) -> Result<Self, Trouble> {
        let Some((handle, facts)) = opened(path, true)? else {
            return Err(Trouble::Removed(path.to_owned()));
        };
        if facts.mode() & 0o077 != 0 {
            let closed = handle.set_permissions(Permissions::from_mode(0o700));
            closed.map_err(system("cannot chmod the folder", path))?;
        }
        Ok(Self {
            path: path.to_owned(),
            handle,
        })
    }

    /// Opens the folder `path`, an absolute name, without making or changing anything; `None` where it is not there.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn existing(path: &Path) -> Result<Option<Self>, Trouble> {
        let opened = opened(path, false)?;
        Ok(opened.map(|(handle, _)| Self {
            path: path.to_owned(),
            handle,
        }))
    }

    /// The open folder.
    pub fn handle(&self) -> &File {
        &self.handle
    }

    /// Opens the file `name` in this folder for appending and for reading its end; makes it, with mode 0600, if it is missing.
    ///
    /// # Errors
    /// `name` is no plain file, belongs to another user or has a second hard link, or a system call fails.
    pub fn append_to(&self, name: &str) -> Result<File, Trouble> {
        let place = self.path.join(name);
        // O_NONBLOCK: opening a named pipe that stands here must not block.
        let flags = OFlag::O_RDWR
            | OFlag::O_APPEND
            | OFlag::O_CREAT
            | OFlag::O_NOFOLLOW
            | OFlag::O_NONBLOCK
            | OFlag::O_NOCTTY
            | OFlag::O_CLOEXEC;
        let file = match openat(&self.handle, name, flags, Mode::S_IRUSR | Mode::S_IWUSR) {
            Ok(file) => File::from(file),
            Err(nix::Error::ELOOP | nix::Error::ENXIO | nix::Error::EISDIR) => {
                return Err(Trouble::NotPlainFile(place));
            }
            Err(error) => return Err(system("cannot open", &place)(error.into())),
        };
        let facts = file.metadata().map_err(system("cannot look at", &place))?;
        if !facts.is_file() {
            return Err(Trouble::NotPlainFile(place));
        }
        if facts.uid() != geteuid().as_raw() {
            return Err(Trouble::OtherOwner(place));
        }
        if facts.nlink() > 1 {
            return Err(Trouble::SecondHardLink(place));
        }
        if facts.mode() & 0o777 != 0o600 {
            let closed = file.set_permissions(Permissions::from_mode(0o600));
            closed.map_err(system("cannot chmod", &place))?;
        }
        Ok(file)
    }

    /// Removes the log files of the days before `first`.  A file whose name is no day stays, and so does a link or directory.
    pub fn remove_before(&self, first: NaiveDate) {
        for (day, name) in days(&self.path).unwrap_or_default() {
            let plain = fstatat(&self.handle, name.as_os_str(), AtFlags::AT_SYMLINK_NOFOLLOW)
                .is_ok_and(|facts| facts.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFREG.bits());
            if day < first && plain {
                // The next day's sweep tries again to remove a file that cannot be removed today.
                let _ = unlinkat(&self.handle, name.as_os_str(), UnlinkatFlags::NoRemoveDir);
            }
        }
    }
}

/// Checks whether [`Folder::open`] would open the folder `path`, without making or changing anything.
///
/// # Errors
/// The error that [`Folder::open`] would give.
pub fn check(path: &Path) -> Result<(), Trouble> {
    opened(path, false).map(|_| ())
}

/// Opens and checks the folder `path`; returns it with its metadata.  A missing folder is made if `making`; else the result is none.
fn opened(path: &Path, making: bool) -> Result<Option<(File, Metadata)>, Trouble> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Trouble::NotPlainFile(path.to_owned()));
    };
    let Some(place) = walk(parent, making)?.map(|parent| parent.join(name)) else {
        return Ok(None);
    };
    let handle = match open_directory(&place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if !making {
                return Ok(None);
            }
            make(&place)?;
            open_directory(&place)
        }
        done => done,
    };
    let handle = handle.map_err(|error| {
        if place
            .symlink_metadata()
            .is_ok_and(|facts| facts.is_symlink())
        {
            Trouble::SymbolicLink(path.to_owned())
        } else {
            system("cannot open the folder", path)(error)
        }
    })?;
    let facts = handle
        .metadata()
        .map_err(system("cannot look at the folder", path))?;
    if facts.uid() != geteuid().as_raw() {
        return Err(Trouble::OtherOwner(path.to_owned()));
    }
    if facts.mode() & 0o022 != 0 {
        return Err(Trouble::WritableByOthers(path.to_owned()));
    }
    Ok(Some((handle, facts)))
}

fn open_directory(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW;
    options.read(true).custom_flags(flags.bits());
    options.open(path)
}

/// Makes the directory `path` for this user alone, unless another Emacs was faster.
fn make(path: &Path) -> Result<(), Trouble> {
    match DirBuilder::new().mode(0o700).create(path) {
        // `create` takes the umask's bits away from the mode: with umask 0777 the folder would have mode 0.
        Ok(()) => std::fs::set_permissions(path, Permissions::from_mode(0o700))
            .map_err(system("cannot chmod the folder", path)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(system("cannot make the folder", path)(error)),
    }
}

/// The most symbolic links followed on the path to a folder; Linux has the same limit (`path_resolution(7)`).  Without a limit a
/// link to itself would be followed for ever.
const LINKS: usize = 40;

/// Resolves every link in `path` and checks each directory on the way; returns the directory's path without links.  Missing
/// directories are made if `making`; else the result is none.
///
/// # Errors
/// A directory or link on the way belongs to another user; other users may write into a directory on the way that is not sticky
/// as `/tmp` is; or a system call fails.
fn walk(path: &Path, making: bool) -> Result<Option<PathBuf>, Trouble> {
    let names = |path: &Path| -> VecDeque<OsString> {
        path.components()
            .map(|part| part.as_os_str().to_owned())
            .collect()
    };
    let (mut left, mut here, mut links) = (names(path), PathBuf::from("/"), 0);
    while let Some(name) = left.pop_front() {
        match Path::new(&name).components().next() {
            Some(Component::RootDir) => here = PathBuf::from("/"),
            Some(Component::ParentDir) => {
                here.pop();
            }
            Some(Component::Normal(_)) => {
                let place = here.join(&name);
                let look = || place.symlink_metadata();
                let facts = match look() {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        if !making {
                            return Ok(None);
                        }
                        make(&place)?;
                        look()
                    }
                    done => done,
                };
                let facts = facts.map_err(system("cannot look at the folder", &place))?;
                if facts.is_symlink() {
                    trusted(&place, &facts)?;
                    links += 1;
                    if links > LINKS {
                        return Err(Trouble::SymbolicLink(place));
                    }
                    let to = place
                        .read_link()
                        .map_err(system("cannot look at the folder", &place))?;
                    let mut way = names(&to);
                    way.append(&mut left);
                    left = way;
                    continue;
                }
                here = place;
            }
            _ => continue,
        }
        let facts = here
            .metadata()
            .map_err(system("cannot look at the folder", &here))?;
        trusted(&here, &facts)?;
        let sticky = facts.mode() & 0o1000 != 0;
        let others =
            facts.mode() & 0o002 != 0 || (facts.mode() & 0o020 != 0 && !alone(facts.gid()));
        if others && !sticky {
            return Err(Trouble::WritableByOthers(here));
        }
    }
    Ok(Some(here))
}

/// Checks that `place`, whose metadata is `facts`, belongs to this user or to the system.
///
/// # Errors
/// `place` belongs to another user.
fn trusted(place: &Path, facts: &Metadata) -> Result<(), Trouble> {
    let owner = facts.uid();
    if owner == 0 || owner == geteuid().as_raw() || *UNMAPPED == Some(owner) {
        return Ok(());
    }
    Err(Trouble::OtherOwner(place.to_owned()))
}

/// Whether only this user and the system are in `group`.  Many systems give each user a group of their own, and make
/// directories writable for that group.
fn alone(group: u32) -> bool {
    // The list of groups may be on another machine (LDAP), so the user's own group is looked up only once.
    static OWN: Lazy<Option<u32>> = Lazy::new(|| {
        let user = User::from_uid(geteuid()).ok().flatten()?;
        let group = Group::from_gid(user.gid).ok().flatten()?;
        let own = group.name == user.name && group.mem.iter().all(|name| *name == user.name);
        own.then(|| user.gid.as_raw())
    });
    // Group 0 is the system's: its members could change everything anyway.
    group == 0 || *OWN == Some(group)
}

/// In a user namespace (toolbox, rootless podman): the user id that stands for all users outside the namespace, the system's root
/// among them; none outside a user namespace.
static UNMAPPED: Lazy<Option<u32>> = Lazy::new(|| {
    let map = std::fs::read_to_string("/proc/self/uid_map").ok()?;
    let mut words = map.split_whitespace();
    let whole =
        (words.next(), words.next(), words.next()) == (Some("0"), Some("0"), Some("4294967295"));
    let number = std::fs::read_to_string("/proc/sys/kernel/overflowuid").ok()?;
    let number = number.trim().parse().ok()?;
    (!whole).then_some(number)
});

/// The name of the log file of `day`: `2026-01-31.log`.
pub fn file_name(day: NaiveDate) -> String {
    day.format("%Y-%m-%d.log").to_string()
}

/// The day whose log file has `name`; none where [`file_name`] makes no such name.
pub fn day_of(name: &OsStr) -> Option<NaiveDate> {
    let text = std::str::from_utf8(name.as_bytes())
        .ok()?
        .strip_suffix(".log")?;
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    (file_name(day).as_bytes() == name.as_bytes()).then_some(day)
}

/// The log files in the folder `path` with their days, the oldest first; an empty list where the folder is missing.
pub fn days(path: &Path) -> io::Result<Vec<(NaiveDate, OsString)>> {
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        found.extend(day_of(&name).map(|day| (day, name)));
    }
    found.sort();
    Ok(found)
}

/// Opens the log file `path` for reading.
///
/// # Errors
/// `path` is a link, pipe, device or directory, or a system call fails.
pub fn open_to_read(path: &Path) -> Result<File, Trouble> {
    let mut options = File::options();
    options
        .read(true)
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    let file = options.open(path).map_err(|error| {
        if error.raw_os_error() == Some(nix::Error::ELOOP as i32) {
            Trouble::NotPlainFile(path.to_owned())
        } else {
            system("cannot open", path)(error)
        }
    })?;
    match file.metadata() {
        Ok(facts) if facts.is_file() => Ok(file),
        Ok(_) => Err(Trouble::NotPlainFile(path.to_owned())),
        Err(error) => Err(system("cannot look at", path)(error)),
    }
}
