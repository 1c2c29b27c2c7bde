//! The folder of the audit log, opened so that only this user can read what is written there, and nobody can send it elsewhere.

#![expect(
    clippy::disallowed_methods,
    reason = "the log is a file that the user has named, and this is the one place that opens it"
)]

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{Mode, SFlag, fstatat};
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};

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
    /// Opens the folder `path` for writing; makes it, with mode 0700, if it is not there.
    ///
    /// One that others may read is closed to them.  One that others may write to is refused: what stands in it may not be ours.
    pub fn open(path: &Path) -> Result<Self, Trouble> {
        if let Err(error) = open_directory(path) {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(system("cannot open the folder", path)(error));
            }
            if let Some(parent) = path.parent() {
                let made = DirBuilder::new().recursive(true).mode(0o700).create(parent);
                made.map_err(system("cannot make the folder", parent))?;
            }
            match std::fs::create_dir(path) {
                // Whatever the umask says.
                Ok(()) => std::fs::set_permissions(path, Permissions::from_mode(0o700))
                    .map_err(system("cannot close the folder", path))?,
                // Another Emacs was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(system("cannot make the folder", path)(error)),
            }
        }
        let handle = open_directory(path).map_err(system("cannot open the folder", path))?;
        let facts = handle
            .metadata()
            .map_err(system("cannot look at the folder", path))?;
        if facts.uid() != geteuid().as_raw() {
            return Err(Trouble::Foreign(path.to_owned()));
        }
        if facts.mode() & 0o022 != 0 {
            return Err(Trouble::Open(path.to_owned()));
        }
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

fn open_directory(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).custom_flags(OFlag::O_DIRECTORY.bits());
    options.open(path)
}

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
