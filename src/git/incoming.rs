//! Objects on their way into a store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::command::Objects;
use super::disk;
use super::place::unusable;
use super::sweep::text_of;
use crate::gate::Refusal;

/// The beginning of the name of a directory for fetched objects.
const INCOMING: &str = "cj-incoming-";

/// The file in which git notes what it has fetched.
const FETCH_HEAD: &str = "FETCH_HEAD";

/// Objects that were fetched and not yet taken into their store.  Dropping this value removes them.
#[derive(Debug)]
pub struct Incoming {
    path: PathBuf,
    objects: PathBuf,
    store: PathBuf,
}

/// Whether `name` in a store is what an [`Incoming`] has left that was not dropped.
pub(super) fn is_left_over(name: &str) -> bool {
    name.starts_with(INCOMING) || name == FETCH_HEAD || name == "FETCH_HEAD.lock"
}

impl Incoming {
    /// A new directory in the store at `store`, whose lock the caller holds.
    ///
    /// # Errors
    /// `bad-cwd` where it cannot be made.
    pub(super) fn new(store: &Path) -> Result<Self, Refusal> {
        let path = store.join(format!("{INCOMING}{}", std::process::id()));
        let made = disk::writable(store, true)
            .and_then(|()| disk::remove_tree(&path))
            .and_then(|()| disk::remove_tree(&store.join(FETCH_HEAD)))
            .and_then(|()| disk::make_directories(&path.join("pack")))
            .and_then(|()| disk::make_directories(&path.join("info")));
        made.map_err(|error| unusable(&path, &error))?;
        Ok(Self {
            path,
            objects: store.join("objects"),
            store: store.to_owned(),
        })
    }

    /// Where git writes and finds objects meanwhile.
    pub fn objects(&self) -> Objects {
        Objects {
            write: Some(self.path.clone()),
            read: vec![self.objects.clone()],
        }
    }

    /// Whether one of the files has `most` bytes, so that git may write no more.
    pub fn is_full(&self, most: u64) -> bool {
        let entries = fs::read_dir(self.path.join("pack"));
        let mut facts = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.metadata());
        facts.any(|facts| facts.is_ok_and(|facts| facts.len() >= most))
    }

    /// The commits that were fetched, in the order of the references that git was asked for.
    pub fn heads(&self) -> Vec<String> {
        let fetched = text_of(&self.store.join(FETCH_HEAD));
        let words = fetched.lines().filter_map(|line| line.split('\t').next());
        words.map(str::to_owned).collect()
    }

    /// Takes the objects into the store.
    ///
    /// # Errors
    /// `bad-cwd` where a file cannot be moved.
    pub fn take_in(self) -> Result<(), Refusal> {
        let taken = self.move_packs();
        taken.map_err(|error| unusable(&self.objects, &error))
    }

    fn move_packs(&self) -> io::Result<()> {
        let packs = self.path.join("pack");
        let mut names = Vec::new();
        for entry in fs::read_dir(&packs)? {
            let name = entry?.file_name();
            let text = name.to_string_lossy().into_owned();
            let kind = text.rsplit_once('.').map_or("", |(_, kind)| kind);
            if text.starts_with("pack-") && kind != "keep" {
                names.push((kind == "idx", name));
            }
        }
        // git takes a pack for whole once its index is there, so that comes last.
        names.sort();
        for (_, name) in names {
            let to = self.objects.join("pack").join(&name);
            if fs::symlink_metadata(&to).is_err() {
                disk::rename(&packs.join(&name), &to)?;
            }
        }
        Ok(())
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // What stays is removed by the next call.
        let _ = disk::remove_tree(&self.path);
        let _ = disk::remove_file(&self.store.join(FETCH_HEAD));
        let _ = disk::writable(&self.store, false);
    }
}
