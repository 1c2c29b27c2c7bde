//! What does not belong in a store: symbolic links, pipes and second names of files, through which git would write elsewhere or wait for
//! ever.
//!
//! git follows a link at the place of an index, a log of a reference or packed-refs, and puts none there itself.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::disk;

/// The most bytes of a file of a store that the gate reads: a configuration has some hundred for each worktree.
const MOST_READ: u64 = 1 << 20;

/// The most sentences about removed files; a store has no reason for a single one.
const MOST_TOLD: usize = 8;

/// Removes from the store at `store` whatever is neither a directory nor a file, and gives each file of its own that has a second name
/// elsewhere a copy.  Files of a call that was killed go too.  `told` gets a sentence for each of the first.
///
/// # Errors
/// The system's.
pub fn sweep(store: &Path, told: &mut Vec<String>) -> io::Result<()> {
    let first = told.len();
    let mut left = vec![(store.to_owned(), false)];
    while let Some((directory, of_objects)) = left.pop() {
        let mut opened = false;
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            let facts = match fs::symlink_metadata(&path) {
                // A git of the person's may be at work: what was there a moment ago was its lock.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other?,
            };
            if directory == store && is_packed(&path) {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let ours = disk::is_beside(&name);
            if facts.is_dir() {
                // Objects are only read: whatever they are called, git checks none of their names and writes to none of them.
                let loose = of_objects && name.len() == 2;
                if !loose {
                    left.push((
                        path.clone(),
                        of_objects || (directory == store && name == "objects"),
                    ));
                }
                continue;
            }
            let shared = facts.is_file() && facts.nlink() > 1 && !of_objects;
            if facts.is_file() && !shared && !ours {
                continue;
            }
            if directory == store && !opened {
                disk::writable(store, true)?;
                opened = true;
            }
            if shared && !ours {
                disk::detach(&path)?;
            } else {
                disk::remove_file(&path)?;
            }
            if !ours && told.len() - first < MOST_TOLD {
                told.push(if shared {
                    format!(
                        "{} had a second name elsewhere; it is a file of its own now",
                        path.display()
                    )
                } else {
                    format!("{} was removed, since it is no plain file", path.display())
                });
            }
        }
    }
    Ok(())
}

/// Where the file `packed-refs` of a store is.  git writes its lock and its new contents beside the file that the name leads to, and so into
/// a directory that is open, though the store's own is closed: without that no reference could be removed by a person's git, nor a rebase
/// come to its end.  Source: lockfile.c of git 2.30 to 2.47, `resolve_symlink`.
pub const PACKED: &str = "packed/packed-refs";

/// Whether `path` is the link to [`PACKED`].
pub fn is_packed(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "packed-refs")
        && fs::read_link(path).is_ok_and(|to| to == Path::new(PACKED))
}

/// The text of the file `path`, at most a megabyte; empty where there is none, or no plain file.
pub fn text_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    if fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file())
        && let Ok(file) = fs::File::open(path)
    {
        // What could not be read differs from what is expected.
        let _ = file.take(MOST_READ).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether `path` is a directory, and no link to one.
pub fn is_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir())
}
