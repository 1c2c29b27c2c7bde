//! The folder of the audit log, opened so that only this user can read what is written there, and nobody can send it elsewhere.
//!
//! Who may write into a directory decides what its names lead to. So the way to the folder is walked name by name: every directory
//! on it, and every link, must belong to this user or to the system, and no directory may be written by others, but for a sticky
//! one like `/tmp`. Links on the way are followed, for many people keep their `~/.emacs.d` behind one. The folder itself is ours
//! and may be none: whatever else writes files for this user, an agent's own tools among them, could send the log elsewhere by it.
//! A log file must be a plain one of this user's with no second name.

#![expect(
    clippy::disallowed_methods,
    reason = "the log is a file that the user has named, and this is the one place that opens it"
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
    /// The system refused.
    #[error("{what} {}: {why}", .place.display())]
    System {
        /// What was tried, as the beginning of a sentence.
        what: &'static str,
        /// On what.
        place: PathBuf,
        /// The system's words.
        why: String,
    },
    /// Others could change what is written.
    #[error("others may write into {}; take that away (chmod 700) or choose another folder", .0.display())]
    Open(PathBuf),
    /// Somebody else's folder or file.
    #[error("{} belongs to another user", .0.display())]
    Foreign(PathBuf),
    /// A link stands where the folder should be.
    #[error("{} is a symbolic link, through which the log could go anywhere; remove it, or name the folder that it leads to (`cj/gh-tool-audit-log-directory')", .0.display())]
    Link(PathBuf),
    /// The file is another one, too.
    #[error("{} has a second name, so what is written to it could be read and changed there; remove it", .0.display())]
    Linked(PathBuf),
    /// A link, pipe or device stands where the file should be.
    #[error("{} is no plain file, so nothing is written to it", .0.display())]
    NoFile(PathBuf),
    /// The file was removed in the moment of the write.
    #[error("{} was removed while a line was written to it", .0.display())]
    Removed(PathBuf),
    /// The line went only partly into the file: a full disk, or a limit.
    #[error("only {written} of {of} bytes could be written to {}", .place.display())]
    Short {
        /// Where.
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

/// An open folder.
pub struct Folder {
    path: PathBuf,
    handle: File,
}

impl Folder {
    /// Opens the folder `path`, an absolute name, for writing; makes it, with mode 0700, if it is not there.
    ///
    /// One that others may read is closed to them.  One that others may write to is refused: what stands in it may not be ours.
    /// So is one that is a link, or to which the way leads through what belongs to others.
    pub fn open(path: &Path) -> Result<Self, Trouble> {
        let Some((handle, facts)) = opened(path, true)? else {
            return Err(Trouble::Removed(path.to_owned()));
        };
        if facts.mode() & 0o077 != 0 {
            let closed = handle.set_permissions(Permissions::from_mode(0o700));
            closed.map_err(system("cannot close the folder", path))?;
        }
        Ok(Self {
            path: path.to_owned(),
            handle,
        })
    }

    /// Opens the file `name` for appending and for looking at its end; makes it, with mode 0600, if it is not there.
    pub fn append_to(&self, name: &str) -> Result<File, Trouble> {
        let place = self.path.join(name);
        // O_NONBLOCK: a pipe in its place must not keep us waiting.
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
                return Err(Trouble::NoFile(place));
            }
            Err(error) => return Err(system("cannot open", &place)(error.into())),
        };
        let facts = file.metadata().map_err(system("cannot look at", &place))?;
        if !facts.is_file() {
            return Err(Trouble::NoFile(place));
        }
        if facts.uid() != geteuid().as_raw() {
            return Err(Trouble::Foreign(place));
        }
        if facts.nlink() > 1 {
            return Err(Trouble::Linked(place));
        }
        if facts.mode() & 0o777 != 0o600 {
            let closed = file.set_permissions(Permissions::from_mode(0o600));
            closed.map_err(system("cannot close to others", &place))?;
        }
        Ok(file)
    }

    /// Removes the log files of days before `first`; what has another name or is no plain file stays.
    pub fn remove_before(&self, first: NaiveDate) {
        for (day, name) in days(&self.path).unwrap_or_default() {
            let plain = fstatat(&self.handle, name.as_os_str(), AtFlags::AT_SYMLINK_NOFOLLOW)
                .is_ok_and(|facts| facts.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFREG.bits());
            if day < first && plain {
                // What cannot be removed today is tried again tomorrow.
                let _ = unlinkat(&self.handle, name.as_os_str(), UnlinkatFlags::NoRemoveDir);
            }
        }
    }
}

/// Whether [`Folder::open`] would open the folder `path`, as far as looking tells: nothing is made or changed.
///
/// # Errors
/// Why it would not.
pub fn look(path: &Path) -> Result<(), Trouble> {
    opened(path, false).map(|_| ())
}

/// The folder `path`, open, and what it is; none where it is not there and not to be made either.
fn opened(path: &Path, making: bool) -> Result<Option<(File, Metadata)>, Trouble> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Trouble::NoFile(path.to_owned()));
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
            Trouble::Link(path.to_owned())
        } else {
            system("cannot open the folder", path)(error)
        }
    })?;
    let facts = handle
        .metadata()
        .map_err(system("cannot look at the folder", path))?;
    if facts.uid() != geteuid().as_raw() {
        return Err(Trouble::Foreign(path.to_owned()));
    }
    if facts.mode() & 0o022 != 0 {
        return Err(Trouble::Open(path.to_owned()));
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
        // Whatever the umask says.
        Ok(()) => std::fs::set_permissions(path, Permissions::from_mode(0o700))
            .map_err(system("cannot close the folder", path)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(system("cannot make the folder", path)(error)),
    }
}

/// How many links are followed on the way to a folder, as by the system itself.
const LINKS: usize = 40;

/// The directory that `path` leads to, without links.  What of the way is missing is made, if `making`; else there is none.
///
/// # Errors
/// What on the way belongs to others, or can be changed by them.
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
                        return Err(Trouble::Link(place));
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
            return Err(Trouble::Open(here));
        }
    }
    Ok(Some(here))
}

/// # Errors
/// `place` is neither this user's nor the system's.
fn trusted(place: &Path, facts: &Metadata) -> Result<(), Trouble> {
    let owner = facts.uid();
    if owner == 0 || owner == geteuid().as_raw() || *UNMAPPED == Some(owner) {
        return Ok(());
    }
    Err(Trouble::Foreign(place.to_owned()))
}

/// Whether this user alone is in the group: many systems give each user one, and let it write.
fn alone(group: u32) -> bool {
    // The system's list of groups may be on another machine: each is looked up once.
    static OWN: Lazy<Option<u32>> = Lazy::new(|| {
        let user = User::from_uid(geteuid()).ok().flatten()?;
        let group = Group::from_gid(user.gid).ok().flatten()?;
        let own = group.name == user.name && group.mem.iter().all(|name| *name == user.name);
        own.then(|| user.gid.as_raw())
    });
    // Who is in the system's own group could change everything anyway.
    group == 0 || *OWN == Some(group)
}

/// In a user namespace (toolbox, rootless podman): the number that stands for users of the outside, the system's root among them.
static UNMAPPED: Lazy<Option<u32>> = Lazy::new(|| {
    let map = std::fs::read_to_string("/proc/self/uid_map").ok()?;
    let mut words = map.split_whitespace();
    let whole =
        (words.next(), words.next(), words.next()) == (Some("0"), Some("0"), Some("4294967295"));
    let number = std::fs::read_to_string("/proc/sys/kernel/overflowuid").ok()?;
    let number = number.trim().parse().ok()?;
    (!whole).then_some(number)
});

/// The name of the log file of `day`.
pub fn file_name(day: NaiveDate) -> String {
    day.format("%Y-%m-%d.log").to_string()
}

/// The day whose log file has `name`, exactly as [`file_name`] makes it.
pub fn day_of(name: &OsStr) -> Option<NaiveDate> {
    let text = std::str::from_utf8(name.as_bytes())
        .ok()?
        .strip_suffix(".log")?;
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    (file_name(day).as_bytes() == name.as_bytes()).then_some(day)
}

/// The log files in the folder `path` by day, the oldest first; none where there is no folder.
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

/// Opens a log file for reading; a link, pipe or device is refused.
pub fn open_to_read(path: &Path) -> Result<File, Trouble> {
    let mut options = File::options();
    options
        .read(true)
        .custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
    let file = options.open(path).map_err(|error| {
        if error.raw_os_error() == Some(nix::Error::ELOOP as i32) {
            Trouble::NoFile(path.to_owned())
        } else {
            system("cannot open", path)(error)
        }
    })?;
    match file.metadata() {
        Ok(facts) if facts.is_file() => Ok(file),
        Ok(_) => Err(Trouble::NoFile(path.to_owned())),
        Err(error) => Err(system("cannot look at", path)(error)),
    }
}
