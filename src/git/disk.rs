//! Files of the repositories that the gate makes: the one place of this folder that changes the disk itself.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes the directory `path` and those above it, each for this user alone.
///
/// # Errors
/// The system's; also where one of them is no directory.
pub fn make_directories(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Writes `text` into `path` by way of a file beside it, so that `path` is never half written.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "files of a repository that the gate itself has made, below the directory that the user has named"
)]
pub fn replace(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".cj-new");
    let beside = Path::new(&beside);
    let _ = fs::remove_file(beside);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(beside, path)
}

/// Renames `from` to `to`.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "files of a repository that the gate itself has made, below the directory that the user has named"
)]
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Removes the file `path`; nothing happens where there is none.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "files of a repository that the gate itself has made, below the directory that the user has named"
)]
pub fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes the directory `path` with all below it, whatever the permissions of its directories are; follows no symbolic link.  Nothing
/// happens where there is none.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "files of a repository that the gate itself has made, below the directory that the user has named"
)]
pub fn remove_tree(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
        Ok(facts) if !facts.is_dir() => return fs::remove_file(path),
        Ok(_) => {}
    }
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    // A directory that nobody may write to keeps its files.
    writable(path, true)?;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            remove_tree(&entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir(path)
}

/// Lets this user change the entries of the directory `path`, or nobody.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "directories of a repository that the gate itself has made, below the directory that the user has named"
)]
pub fn writable(path: &Path, yes: bool) -> io::Result<()> {
    fs::set_permissions(
        path,
        Permissions::from_mode(if yes { 0o700 } else { 0o500 }),
    )
}

/// Opens the file `path` for a lock, and makes it where it is not there.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "a file for a lock beside a repository that the gate itself has made"
)]
pub fn for_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW)
        .open(path)
}

/// A file in memory alone, for output that is too long to hold twice.
///
/// # Errors
/// The system's.
pub fn in_memory() -> io::Result<File> {
    let flags = nix::sys::memfd::MFdFlags::MFD_CLOEXEC;
    Ok(File::from(nix::sys::memfd::memfd_create("cj-gate", flags)?))
}
