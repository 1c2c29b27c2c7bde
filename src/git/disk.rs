//! Files of the repositories that the gate makes: the one place of this folder that changes the disk itself.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Makes the directory `path`, for this user alone.
///
/// # Errors
/// The system's, and where anything is there.
pub fn make_new_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Makes the directory `path`, for this user alone, where it is not there.
///
/// # Errors
/// The system's, and where something else is there: also a symbolic link to a directory.
pub fn make_directory(path: &Path) -> io::Result<()> {
    match make_new_directory(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if fs::symlink_metadata(path)?.is_dir() {
                Ok(())
            } else {
                Err(io::Error::other("it is no directory"))
            }
        }
        other => other,
    }
}

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
    let beside = beside(path);
    let _ = fs::remove_file(&beside);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(&beside)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The end of the name of a file that is to take the place of another.
const BESIDE: &str = ".cj-new";

/// The file in which the next contents of `path` are written.  git takes no file whose name begins with a dot for a reference, so one that is
/// left over by a call that was killed is none.
fn beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(BESIDE);
    path.with_file_name(name)
}

/// Whether a file called `name` is one that was to take the place of another.
pub fn is_beside(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(BESIDE)
}

/// Gives the file `path`, which has another name somewhere else, contents of its own.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "files of a repository that the gate itself has made, below the directory that the user has named"
)]
pub fn detach(path: &Path) -> io::Result<()> {
    let beside = beside(path);
    let _ = fs::remove_file(&beside);
    fs::copy(path, &beside)?;
    fs::rename(&beside, path)
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

/// Removes the file of the reference at `path`.  Nothing happens where there is none: neither where the path has the files of other references
/// below it, nor where one of its directories is the file of another reference.
///
/// # Errors
/// The system's.
pub fn remove_reference(path: &Path) -> io::Result<()> {
    match remove_file(path) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// Makes the symbolic link `path`, which leads to `to`.
///
/// # Errors
/// The system's.
#[expect(
    clippy::disallowed_methods,
    reason = "a file of a repository that the gate itself has made, below the directory that the user has named"
)]
pub fn link(to: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, path)
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
    // A directory that nobody may write to keeps its files, and one that is deeper than this process may have open files keeps all: the
    // list is read to its end before the next directory is opened.
    writable(path, true)?;
    let entries: Vec<PathBuf> = fs::read_dir(path)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    for entry in entries {
        if fs::symlink_metadata(&entry)?.is_dir() {
            remove_tree(&entry)?;
        } else {
            fs::remove_file(entry)?;
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

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "the test limits its own process by prlimit(1)"
)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_deeper_than_the_process_may_have_open_files_is_removed() {
        let name =
            "git::disk::tests::a_directory_deeper_than_the_process_may_have_open_files_is_removed";
        if !crate::run::tests::alone_in_crate(name) {
            return;
        }
        let own = format!("--pid={}", std::process::id());
        let limited = std::process::Command::new("prlimit")
            .args([&own, "--nofile=100:100"])
            .status();
        assert!(limited.expect("prlimit starts").success());
        let top = std::env::temp_dir().join(format!("cj-deep-{}", std::process::id()));
        fs::create_dir_all(top.join("d/".repeat(400))).expect("a deep directory");
        fs::write(top.join("d/".repeat(300)).join("f"), "x").expect("a file");
        remove_tree(&top).expect("it goes");
        assert!(fs::symlink_metadata(&top).is_err());
    }
}
