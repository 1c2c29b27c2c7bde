//! The stores below a directory: finding them, and removing what is in them for good.

use std::fs;
use std::io;
use std::path::Path;

use super::command::Command;
use super::disk;
use super::place::{Kind, Place};
use super::store::{Store, Unfinished};
use crate::gate::{ErrorKind, Refusal};

/// The stores below `root`: host, owner and repository of each, in order.  Symbolic links are not followed.  None where there is no `root`.
///
/// # Errors
/// The system's.
pub fn below(root: &Path) -> io::Result<Vec<[String; 3]>> {
    let mut all = Vec::new();
    for host in directories(root)? {
        for owner in directories(&root.join(&host))? {
            for name in directories(&root.join(&host).join(&owner))? {
                // A store that is being made begins with a dot.
                if let Some(repo) = name.strip_suffix(".git").filter(|_| !name.starts_with('.')) {
                    all.push([host.clone(), owner.clone(), repo.to_owned()]);
                }
            }
        }
    }
    all.sort();
    Ok(all)
}

/// The names of the directories in `path`; names that are not UTF-8 are none of ours.
fn directories(path: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.extend(entry.file_name().into_string());
        }
    }
    Ok(names)
}

/// Checks that no directory of the store at `place` is a symbolic link, by which a file elsewhere could be changed or removed.
///
/// # Errors
/// `bad-cwd` where one is.
pub fn without_links(place: &Place) -> Result<(), Refusal> {
    let store = place.store();
    let own = store.join("worktrees");
    let parts = [
        "packed",
        "refs",
        "refs/heads",
        "refs/cj",
        "logs",
        "logs/refs",
        "logs/refs/heads",
        "worktrees",
        "cj-unfinished",
    ];
    let mut all: Vec<_> = parts.iter().map(|part| store.join(part)).collect();
    all.push(place.worktrees());
    for (above, names) in [
        (place.worktrees(), fs::read_dir(place.worktrees())),
        (own.clone(), fs::read_dir(&own)),
    ] {
        let names = names.into_iter().flatten().flatten();
        all.extend(names.map(|entry| above.join(entry.file_name())));
    }
    let link = all
        .iter()
        .find(|path| fs::symlink_metadata(path).is_ok_and(|facts| facts.is_symlink()));
    link.map_or(Ok(()), |path| {
        Err(Refusal::new(
            ErrorKind::BadCwd,
            format!(
                "{} is a symbolic link, which this gate does not make.\nRemove it; nothing here is read or removed by way of it.",
                path.display()
            ),
        ))
    })
}

/// Removes the worktree of `kind` from `store`, with git's directory for it, its branch and all that is known of it.  `run` runs git.
///
/// # Errors
/// `bad-cwd` where a file cannot be removed.  The next [`Store::mend`] removes the rest then.
pub fn remove(
    store: &Store<'_>,
    kind: &Kind,
    run: &mut dyn FnMut(&Command) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let failed = |error: io::Error| not_removed(store.path(), &error);
    let begun = store.begin(kind, Unfinished::New)?;
    // A ref in the file packed-refs is removed by git alone, which writes that file anew.
    for name in [
        format!("refs/heads/{}", kind.branch()),
        format!("refs/cj/{}", kind.name()),
    ] {
        // Where git fails, as in a damaged store, the refs that are files of their own go nevertheless.
        let _ = run(&Command::on(store.path(), &["update-ref", "-d", &name])?);
    }
    store.discard(kind, true).map_err(failed)?;
    begun.done()
}

/// Removes the store at `place`, and the directory for its worktrees where nothing is in that.
///
/// # Errors
/// `bad-cwd` where a file cannot be removed.
pub fn remove_store(place: &Place, store: &Store<'_>) -> Result<(), Refusal> {
    disk::remove_tree(store.path()).map_err(|error| not_removed(store.path(), &error))?;
    let worktrees = place.worktrees();
    let empty = fs::read_dir(&worktrees).is_ok_and(|mut entries| entries.next().is_none());
    if empty {
        disk::remove_tree(&worktrees).map_err(|error| not_removed(&worktrees, &error))?;
    }
    Ok(())
}

fn not_removed(path: &Path, error: &io::Error) -> Refusal {
    Refusal::new(
        ErrorKind::BadCwd,
        format!(
            "Not everything in {} could be removed: {error}.\nTry again, or remove it by hand.",
            path.display()
        ),
    )
}
