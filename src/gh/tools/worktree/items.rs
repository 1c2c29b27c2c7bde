//! Laying commits of a repository into worktrees, once a person has said yes.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom};
use std::path::Path;

use super::site::Site;
use super::state::{Local, MOST_PRINTED, in_worktree};
use super::way::{Item, Way, fetch};
use crate::gate::{Cleaner, ErrorKind, Finish, Reads, Refusal};
use crate::git::command::{Command, Objects, memory_file};
use crate::git::commits::{self, short};
use crate::git::incoming::Incoming;
use crate::git::store::{Store, Unfinished};
use crate::git::tree::{self, Tree, TreeError};
use crate::run::Captured;
use crate::text::numbers::{grouped, size};

/// Bytes of the list of a commit's files that are read: 100,000 files have some 10 MB.
const LISTING: u64 = 128 << 20;

/// Lays items into worktrees, once a person has said yes.
pub struct Lay {
    /// Where.
    pub site: Site,
    /// What, and how.
    pub items: Vec<(Item, Way)>,
    /// What was on this machine for each item when the person was asked.
    pub seen: Vec<Local>,
    /// What the look-up set aside in the store.
    pub told: Vec<String>,
    /// The most tokens of the result.
    pub budget: usize,
}

/// What a commit that was fetched has.
struct Checked {
    tree: Tree,
    filters: Vec<String>,
}

impl Finish for Lay {
    fn finish(
        &self,
        _: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let lock = self.site.place.lock(&mut || reads.go_on())?;
        let store = Store::open(&self.site.place, &lock)?;
        let mut told = self.told.clone();
        told.extend(store.mend()?);
        let laid = self.lay_all(&store, reads);
        if laid.is_err() {
            store.discard_new();
        } else {
            // What is left to be mended is mended by the next call.
            told.extend(store.mend().unwrap_or_default());
        }
        match laid {
            Ok(text) => Ok(also(text, &told, clean)),
            Err(refusal) => {
                let message = also(refusal.message, &told, clean);
                Err(Refusal::new(refusal.kind, message))
            }
        }
    }

    fn budget(&self) -> usize {
        self.budget
    }
}

impl Lay {
    fn lay_all(&self, store: &Store<'_>, reads: &mut dyn Reads) -> Result<String, Refusal> {
        let items = self.still(store, reads)?;
        let checked = self.bring(store, &items, reads)?;
        let mut done: Vec<String> = Vec::new();
        for (((item, way), checked), seen) in items.iter().zip(checked).zip(&self.seen) {
            let laid = self
                .lay(store, (item, way), (seen, checked.as_ref()), reads)
                .map_err(|refusal| after(&done, item, refusal))?;
            done.push(laid);
        }
        Ok(done.join("\n\n"))
    }

    /// The items, each with the way that it still gets into its worktree: another call or the person may have been at work there since the
    /// question.  What is done meanwhile needs not be done again; any other change is refused, since nobody was asked about it.
    fn still(&self, store: &Store<'_>, reads: &mut dyn Reads) -> Result<Vec<(Item, Way)>, Refusal> {
        let items = self.items.iter().zip(&self.seen);
        items
            .map(|((item, way), seen)| {
                let way = self.way_now(store, (item, way), seen, reads)?;
                Ok((item.clone(), way))
            })
            .collect()
    }

    /// How `item`, for which `way` was shown when `seen` was there, gets into its worktree now.
    fn way_now(
        &self,
        store: &Store<'_>,
        (item, way): (&Item, &Way),
        seen: &Local,
        reads: &mut dyn Reads,
    ) -> Result<Way, Refusal> {
        let mut ask = |command: &Command| self.site.git.read_text(command, MOST_PRINTED, reads);
        let place = &self.site.place;
        let mut now = Local::standing(place, store, &item.kind, &mut ask)?;
        if *way == Way::Reset && !seen.half_reset {
            now.read_changed(place, store, &item.kind, &mut ask)?;
        }
        let there = now.worktree && now.elsewhere.is_none() && !now.half_reset;
        if there && now.tip.as_ref() == Some(&item.sha) && *way != Way::Reset {
            return Ok(Way::Reuse);
        }
        if now.as_asked(seen) {
            return Ok(way.clone());
        }
        Err(Refusal::new(
            ErrorKind::Failed,
            format!(
                "The branch or worktree of {} on this machine has changed since the person was asked.\nCall it again; nothing was written.",
                item.what
            ),
        ))
    }

    /// Fetches what is missing and looks at each commit before any of them is written out.
    fn bring(
        &self,
        store: &Store<'_>,
        items: &[(Item, Way)],
        reads: &mut dyn Reads,
    ) -> Result<Vec<Option<Checked>>, Refusal> {
        // The command is the one that the person has approved, so it names what was to be fetched then.
        let needed = items.iter().any(|(_, way)| way.fetches());
        let incoming = match fetch(&self.site, &self.items)?.filter(|_| needed) {
            Some(command) => {
                let incoming = store.incoming()?;
                let command = command.with_objects(&incoming.objects());
                let git = &self.site.git;
                git.step(&command, reads).map_err(|refusal| {
                    // git dies of the limit without a word, but for the file that has just so many bytes.
                    if incoming.is_full(self.site.most_bytes) {
                        git.too_large()
                    } else {
                        refusal
                    }
                })?;
                let mut heads = incoming.heads().into_iter();
                for (item, way) in &self.items {
                    if way.fetches() && heads.next().as_ref() != Some(&item.sha) {
                        return Err(moved(item));
                    }
                }
                Some(incoming)
            }
            None => None,
        };
        let objects = incoming.as_ref().map(Incoming::objects);
        let mut all = Vec::new();
        for (item, way) in items {
            all.push(if *way == Way::Reuse {
                None
            } else {
                Some(self.check(store, item, objects.as_ref(), reads)?)
            });
        }
        if let Some(incoming) = incoming {
            incoming.take_in()?;
        }
        Ok(all)
    }

    fn check(
        &self,
        store: &Store<'_>,
        item: &Item,
        objects: Option<&Objects>,
        reads: &mut dyn Reads,
    ) -> Result<Checked, Refusal> {
        let on = |words: &[String]| {
            let command = Command::on(store.path(), words)?;
            Ok::<_, Refusal>(match objects {
                Some(objects) => command.with_objects(objects),
                None => command,
            })
        };
        let file = memory_file()?;
        let listed = on(&tree::listing(&item.sha))?;
        let listed = self.site.git.read_into(&listed, (&file, LISTING), reads);
        let counted = match listed {
            Ok(_) => count(&file, &self.site),
            Err(refusal) if refusal.kind == ErrorKind::Truncated => Err(TreeError::Files),
            Err(refusal) => return Err(refusal),
        };
        let tree = counted.map_err(|error| too_large(&error, item, &self.site))?;
        let filters = if tree.attributes {
            let grep = on(&tree::filters(&item.sha))?.answering(&[1]);
            let (lines, _) = self.site.git.read_text(&grep, tree::MOST_LINES, reads)?;
            tree::filter_names(&lines)
        } else {
            Vec::new()
        };
        Ok(Checked { tree, filters })
    }

    fn lay(
        &self,
        store: &Store<'_>,
        (item, way): (&Item, &Way),
        (seen, checked): (&Local, Option<&Checked>),
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let path = self.site.place.worktree(&item.kind);
        let (Some(command), Some(checked)) = (way.command(&self.site, item)?, checked) else {
            return Ok(told(item, &path, None));
        };
        // The fetch and the items before this one took their time.
        let now = self.way_now(store, (item, way), seen, reads)?;
        if now == Way::Reuse {
            return Ok(told(item, &path, None));
        }
        if *way == Way::Reset && !seen.half_reset {
            self.refuse_overwriting(store, item, seen, reads)?;
        }
        let what = way.unfinished();
        if what == Unfinished::Reset && store.is_busy(&item.kind) {
            // Without a note: a reset that has not begun has lost nothing, and the lock may be the person's.
            return Err(Refusal::new(
                ErrorKind::Failed,
                format!(
                    "Another git is at work in {}/.\nTry again in a moment; if none is, the person can remove index.lock in {}.",
                    path.display(),
                    self.site.place.worktree_directory(&item.kind).display()
                ),
            ));
        }
        let begun = store.begin(&item.kind, what)?;
        if what != Unfinished::Reset {
            store.add_worktree(&item.kind, &begun)?;
        }
        let command = command.without_filters(&checked.filters);
        let written = self
            .site
            .git
            .step(&command, reads)
            .and_then(|_| self.close_submodules(store, item, &checked.tree, reads));
        if let Err(mut refusal) = written {
            // A worktree that was only half set to its commit keeps its note, and the next call with `force' does it again.
            let left = if what == Unfinished::Reset {
                format!(
                    "{}/ is only in part at {} now; call again with `force': true to set the rest.",
                    path.display(),
                    short(&item.sha)
                )
            } else if store.discard(&item.kind, what == Unfinished::New).is_ok() {
                begun.done()?;
                "Nothing half done was left.".to_owned()
            } else {
                format!("{}/ is left, and the next call removes it.", path.display())
            };
            let _ = write!(refusal.message, "\n[{left}]");
            return Err(refusal);
        }
        store.know_head(&item.kind, &item.sha)?;
        begun.done()?;
        Ok(told(item, &path, Some(checked)))
    }

    /// Refuses where files would be overwritten that git does not list as changed: those which it ignores, and which the commit has.
    fn refuse_overwriting(
        &self,
        store: &Store<'_>,
        item: &Item,
        seen: &Local,
        reads: &mut dyn Reads,
    ) -> Result<(), Refusal> {
        let Some(tip) = &seen.tip else { return Ok(()) };
        let worktree = self.site.place.worktree(&item.kind);
        let added = Command::on(store.path(), &commits::added(tip, &item.sha))?;
        let added = self.site.git.read_all(&added, reads)?;
        let there = added
            .split('\0')
            .find(|name| !name.is_empty() && fs::symlink_metadata(worktree.join(name)).is_ok());
        there.map_or(Ok(()), |name| {
            Err(Refusal::new(
                ErrorKind::IrreversibleBlocked,
                format!(
                    "{} has a file {}, and the worktree has one of its own at this place, which git ignores.\nMove it away, or let the person do so: overwriting it could not be undone.",
                    item.what,
                    self.site.git.clean.line(name)
                ),
            ))
        })
    }

    /// Lets no git look into the directories of submodules in the worktree of `item`; a file that stands where a submodule was is seen again.
    fn close_submodules(
        &self,
        store: &Store<'_>,
        item: &Item,
        tree: &Tree,
        reads: &mut dyn Reads,
    ) -> Result<(), Refusal> {
        let place = &self.site.place;
        let (own, worktree) = (
            place.worktree_directory(&item.kind),
            place.worktree(&item.kind),
        );
        for name in store.submodules(&item.kind) {
            if !tree.submodules.contains(&name) {
                let words = ["update-index", "--no-skip-worktree", "--", &name];
                // Nothing need be at the place any more.
                let command = in_worktree(&own, &worktree, &words)?.answering(&[128]);
                self.site.git.read(&command, reads)?;
            }
        }
        for words in tree::unlooked(&tree.submodules) {
            self.site
                .git
                .read(&in_worktree(&own, &worktree, &words)?, reads)?;
        }
        store.note_submodules(&item.kind, &tree.submodules)
    }
}

fn moved(item: &Item) -> Refusal {
    Refusal::new(
        ErrorKind::Failed,
        format!(
            "{} has moved on GitHub since the person was asked: {} is no longer its head.\nCall it again; nothing was written.",
            item.what,
            short(&item.sha)
        ),
    )
}

fn count(mut file: &File, site: &Site) -> Result<Tree, TreeError> {
    file.seek(SeekFrom::Start(0))
        .map_err(|_| TreeError::Unreadable)?;
    tree::count(file, site.most_files, site.most_bytes)
}

fn too_large(error: &TreeError, item: &Item, site: &Site) -> Refusal {
    let (what, option) = match error {
        TreeError::Files => (
            format!("more than {} files", grouped(site.most_files)),
            "cj/gh-git-max-files",
        ),
        TreeError::Bytes => (
            format!("more than {}", size(site.most_bytes)),
            "cj/gh-git-max-bytes",
        ),
        TreeError::Submodules => {
            return Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "{} has more than {} submodules; nothing was written.\nTell the person, who can check it out in a terminal.",
                    item.what,
                    grouped(u64::try_from(tree::MOST_SUBMODULES).unwrap_or(u64::MAX))
                ),
            );
        }
        TreeError::Name => {
            return Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "{} has a file whose name is longer than a name can be here (4,095 bytes, 255 between two slashes), or a submodule whose name is not UTF-8; nothing was written.\nTell the person; such names are often meant to do harm.",
                    item.what
                ),
            );
        }
        TreeError::Unreadable => {
            return Refusal::new(
                ErrorKind::Failed,
                format!(
                    "The list of the files of {} cannot be read.\nTell the person.",
                    item.what
                ),
            );
        }
    };
    Refusal::new(
        ErrorKind::PolicyBlocked,
        format!(
            "{} has {what}, and no more are written (`{option}').\nTell the person, who can raise the limit or check it out in a terminal.",
            item.what
        ),
    )
}

/// The result for one item: where it is and what is on this machine other than in the repository.
fn told(item: &Item, path: &Path, checked: Option<&Checked>) -> String {
    let mut text = format!(
        "{} is checked out{} in\n{}/\nbranch {} at {}, of {}",
        item.what,
        if checked.is_none() { " already" } else { "" },
        path.display(),
        item.kind.branch(),
        short(&item.sha),
        item.from
    );
    let Some(Checked { tree, filters }) = checked else {
        return text;
    };
    let _ = write!(
        text,
        "; {} {}, {}",
        grouped(tree.files),
        if tree.files == 1 { "file" } else { "files" },
        size(tree.bytes)
    );
    let mut notes = Vec::new();
    if filters.iter().any(|name| name == "lfs") {
        notes.push("files of Git LFS are pointers, not their contents".to_owned());
    }
    let other = filters.iter().filter(|name| *name != "lfs").count();
    if other > 0 {
        notes.push("filters that .gitattributes names were not run".to_owned());
    }
    if tree.links > 0 {
        notes.push(match tree.links {
            1 => "a symbolic link is a plain file that holds its target".to_owned(),
            n => format!(
                "{} symbolic links are plain files that hold their targets",
                grouped(n)
            ),
        });
    }
    let submodules = u64::try_from(tree.submodules.len()).unwrap_or(u64::MAX);
    if submodules > 0 {
        notes.push(match submodules {
            1 => "a submodule is an empty directory, into which git does not look".to_owned(),
            n => format!(
                "{} submodules are empty directories, into which git does not look",
                grouped(n)
            ),
        });
    }
    if !notes.is_empty() {
        let _ = write!(text, "\n[{}]", notes.join("; "));
    }
    text
}

/// `text` with the sentences `told` below it.
pub fn also(mut text: String, told: &[String], clean: &Cleaner) -> String {
    for sentence in told {
        let _ = write!(text, "\n[{}]", clean.line(sentence));
    }
    text
}

/// `refusal` for `item`, after the items in `done` were laid.
fn after(done: &[String], item: &Item, refusal: Refusal) -> Refusal {
    if done.is_empty() {
        return refusal;
    }
    Refusal::new(
        refusal.kind,
        format!(
            "{}\nThis was about {}; before it:\n{}",
            refusal.message,
            item.what,
            done.join("\n")
        ),
    )
}
