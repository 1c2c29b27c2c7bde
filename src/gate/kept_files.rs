//! Long results in files: the logs behind an extract, clean, one file each, in a directory that only this user may open.
//!
//! Memory has no room for many whole logs.  A file is written under another name and then renamed, so a log is there whole or not at
//! all.  All files together are bounded in bytes and number, and each in age; beyond that the oldest go first, whichever Emacs wrote them,
//! so what an Emacs leaves behind that was killed is gone a day later.  A result that cannot be written stays in memory.
//!
//! The shelf knows a file by its SHA-256: a file that was changed is not shown.  Only plain files with names of this module's form are
//! ever removed, and no link is followed ([`Folder`] checks the directory).

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::{Mode, fchmod};
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};
use sha2::{Digest, Sha256};

use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::record::audit::folder::Folder;
use crate::gate::result::shelf::Away;
use crate::run;

/// How much is kept in one directory, by all Emacsen that use it.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// The most bytes of all files.
    bytes: u64,
    /// The most files.
    files: usize,
    /// How long a file is kept.
    age: Duration,
}

/// 64 MB hold a dozen of the longest logs that are read whole (`gate::MAX_WHOLE`); a chat is about the runs of today.
const BOUNDS: Bounds = Bounds {
    bytes: 64_000_000,
    files: 100,
    age: Duration::from_secs(24 * 3_600),
};

/// The names of files: the beginning, then sixteen hexadecimal digits, then one of the two ends.
const BEGINNING: &str = "log-";
const DIGITS: usize = 16;
const WHOLE: &str = ".txt";
const BEING_WRITTEN: &str = ".new";

static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Sets the directory; with `None`, results stay in memory.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "only a door of the module calls this")
)]
pub(crate) fn configure(folder: Option<PathBuf>) {
    *FOLDER.lock().unwrap_or_else(PoisonError::into_inner) = folder;
}

/// Writes `text`, which is clean, into a file of its own; `None` where no directory is set, or it cannot be used.
pub(in crate::gate) fn keep(text: &str) -> Option<KeptFile> {
    let folder = FOLDER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    write(&folder?, text, BOUNDS)
}

/// A file that holds one result.  Dropping this value removes the file.
#[derive(Debug)]
pub(in crate::gate) struct KeptFile {
    folder: PathBuf,
    name: String,
    bytes: usize,
    sha256: [u8; 32],
}

fn write(path: &Path, text: &str, bounds: Bounds) -> Option<KeptFile> {
    let folder = Folder::open(Some(path).filter(|path| path.is_absolute())?).ok()?;
    let bytes = text.len() as u64;
    make_room(&folder, path, bytes, bounds)?;
    let mut random = [0; DIGITS / 2];
    getrandom::fill(&mut random).ok()?;
    let stem = format!("{BEGINNING}{}", crate::text::escapes::hex(&random));
    let (new, name) = (format!("{stem}{BEING_WRITTEN}"), format!("{stem}{WHOLE}"));
    let written = fill(&folder, &new, text).and_then(|()| {
        renameat(
            folder.handle(),
            new.as_str(),
            folder.handle(),
            name.as_str(),
        )
        .ok()
    });
    if written.is_none() {
        remove(&folder, OsStr::new(&new));
        return None;
    }
    Some(KeptFile {
        folder: path.to_owned(),
        name,
        bytes: text.len(),
        sha256: Sha256::digest(text.as_bytes()).into(),
    })
}

/// Writes `text` into the new file `name`.
fn fill(folder: &Folder, name: &str, text: &str) -> Option<()> {
    let flags =
        OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let mode = Mode::S_IRUSR | Mode::S_IWUSR;
    let mut file = File::from(openat(folder.handle(), name, flags, mode).ok()?);
    // The umask may have taken bits away.
    fchmod(&file, mode).ok()?;
    file.write_all(text.as_bytes()).ok()
}

/// Removes what is too old, and the oldest files until `bytes` more fit; `None` where they never fit.
fn make_room(folder: &Folder, path: &Path, bytes: u64, bounds: Bounds) -> Option<()> {
    if bytes > bounds.bytes {
        return None;
    }
    let mut files = ours(path);
    files.sort_by_key(|(_, facts)| (facts.mtime(), facts.mtime_nsec()));
    let mut held: u64 = files.iter().map(|(_, facts)| facts.len()).sum();
    let mut left = files.len();
    let now = SystemTime::now();
    for (name, facts) in files {
        let written = facts.modified().unwrap_or(now);
        // A time that is yet to come is that of a clock that was set back; such a file goes with the bound on bytes or number.
        let old = now
            .duration_since(written)
            .is_ok_and(|age| age > bounds.age);
        if old || held + bytes > bounds.bytes || left >= bounds.files {
            remove(folder, OsStr::new(&name));
            held -= facts.len();
            left -= 1;
        }
    }
    Some(())
}

/// The plain files of this user in the folder `path` whose names are of this module's form.
fn ours(path: &Path) -> Vec<(String, Metadata)> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            // `DirEntry::metadata` follows no link.
            let facts = entry.metadata().ok()?;
            let own = facts.is_file() && facts.uid() == geteuid().as_raw();
            (own && is_ours(&name)).then_some((name, facts))
        })
        .collect()
}

fn is_ours(name: &str) -> bool {
    let digits = name.strip_prefix(BEGINNING).and_then(|rest| {
        rest.strip_suffix(WHOLE)
            .or_else(|| rest.strip_suffix(BEING_WRITTEN))
    });
    digits.is_some_and(|digits| {
        digits.len() == DIGITS
            && digits
                .bytes()
                .all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
    })
}

fn remove(folder: &Folder, name: &OsStr) {
    // A file that cannot be removed now is tried again when the next one is written.
    let _ = unlinkat(folder.handle(), name, UnlinkatFlags::NoRemoveDir);
}

impl KeptFile {
    /// The file's bytes, if they are what was written.
    fn bytes(&self) -> Result<Vec<u8>, Refusal> {
        let gone = || {
            Refusal::new(
                ErrorKind::NotFound,
                "The file with this result is not there any more: it was removed, or gave way to newer ones.\nRun the call again.",
            )
        };
        let changed = || {
            Refusal::new(
                ErrorKind::Failed,
                "The file with this result was changed after it was written, so it is not shown.\nRun the call again, and tell the person.",
            )
        };
        let folder = Folder::existing(&self.folder).map_err(|_| gone())?;
        let folder = folder.ok_or_else(gone)?;
        // O_NONBLOCK: opening a named pipe that stands here must not block.
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let file = match openat(folder.handle(), self.name.as_str(), flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(nix::Error::ELOOP) => return Err(changed()),
            Err(_) => return Err(gone()),
        };
        let facts = file.metadata().map_err(|_| gone())?;
        if !facts.is_file() || facts.uid() != geteuid().as_raw() {
            return Err(changed());
        }
        let mut bytes = Vec::new();
        // One byte more than was written shows that the file has grown.
        let most = self.bytes as u64 + 1;
        file.take(most)
            .read_to_end(&mut bytes)
            .map_err(|_| gone())?;
        if Sha256::digest(&bytes).as_slice() == self.sha256 {
            Ok(bytes)
        } else {
            Err(changed())
        }
    }
}

impl Away for KeptFile {
    fn read(&self) -> Result<String, Refusal> {
        // What was written was text, and the digest is that of the text.
        Ok(String::from_utf8(self.bytes()?).unwrap_or_default())
    }
}

impl Drop for KeptFile {
    fn drop(&mut self) {
        let (path, name) = (
            std::mem::take(&mut self.folder),
            std::mem::take(&mut self.name),
        );
        // A slow disk must not keep Emacs's main thread, which forgets the results of a chat.
        run::start_aside(Box::new(move |_| {
            if let Ok(Some(folder)) = Folder::existing(&path) {
                remove(&folder, OsStr::new(&name));
            }
        }));
    }
}

#[cfg(test)]
#[path = "../../test/rust/gate/kept_files.rs"]
mod tests;
