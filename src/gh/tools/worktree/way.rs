//! What is laid into a worktree, and how it gets there: what is decided before a person is asked.

use super::site::Site;
use super::state::{Local, in_worktree};
use crate::gate::{Cleaner, ErrorKind, Refusal};
use crate::git::command::Command;
use crate::git::commits::short;
use crate::git::place::Kind;
use crate::git::store::Unfinished;
use crate::text::numbers::grouped;

/// A commit that is to be laid into a worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What the worktree is for.
    pub kind: Kind,
    /// The commit, as GitHub has it.
    pub sha: String,
    /// What it is, for a sentence: `#12 “Fix the menu”`, `the branch main`.
    pub what: String,
    /// Where its commits come from: `mona/site:fix/menu`.
    pub from: String,
}

/// How an item gets into its worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is there already.
    Reuse,
    /// A new branch and a new worktree.
    New,
    /// A new worktree for the branch that is there, at the same commit.
    Again,
    /// A new worktree for the branch that is there, which is set to the commit.
    AgainReset,
    /// The worktree that is there is set to the commit.
    Reset,
}

impl Way {
    /// How `item` gets into its worktree, of which `local` is on this machine; with `force` commits may be dropped.
    ///
    /// # Errors
    /// `bad-argument` where a branch is at another commit and `force` is not given, `irreversible-blocked` where changes would be lost.
    pub fn of(item: &Item, local: &Local, force: bool, clean: &Cleaner) -> Result<Self, Refusal> {
        let branch = item.kind.branch();
        if let Some(on) = local.shown_elsewhere(clean) {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The worktree of {} is {on} and not on {branch}.\nWork goes on there; to check out anew, switch it to {branch}, or let the person remove it (M-x cj/gh-worktrees).",
                    item.what
                ),
            ));
        }
        if let Some(holder) = &local.holder {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The branch {branch} of {} is checked out already, in {}.\nWork goes on there; or let the person switch that worktree to another branch.",
                    item.what,
                    clean.line(holder)
                ),
            ));
        }
        if let Some(other) = &local.colliding {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "git cannot have the branch {branch} of {} beside the branch {}, which is in the store.\nLet the person remove or rename that one (M-x cj/gh-worktrees).",
                    item.what,
                    clean.line(other)
                ),
            ));
        }
        let Some(tip) = &local.tip else {
            if local.worktree {
                return Err(Refusal::new(
                    ErrorKind::BadArgument,
                    format!(
                        "The worktree of {} is there, and its branch {branch} is not.\nAsk the person to look: they can make the branch again there, or remove the worktree (M-x cj/gh-worktrees).",
                        item.what
                    ),
                ));
            }
            return Ok(Self::New);
        };
        if *tip == item.sha {
            return Ok(match (local.worktree, local.half_reset) {
                (true, false) => Self::Reuse,
                (true, true) => Self::Reset,
                (false, _) => Self::Again,
            });
        }
        let own = match local.own_total {
            0 => String::new(),
            1 => ", with a commit that was not pushed".to_owned(),
            n => format!(", with {} commits that were not pushed", grouped(n)),
        };
        if !force {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The branch {branch} is at {}{own}, and {} is at {} now.\nGive `force': true to set it to that commit{}; gh_pr_push pushes what is in it.",
                    short(tip),
                    item.what,
                    short(&item.sha),
                    if own.is_empty() {
                        ""
                    } else {
                        ", which drops those commits"
                    }
                ),
            ));
        }
        let changed = local.changed.as_deref().unwrap_or_default();
        if local.worktree && !changed.is_empty() && !local.half_reset {
            return Err(Refusal::new(
                ErrorKind::IrreversibleBlocked,
                format!(
                    "The worktree of {} has changes that were not committed: {}.\nCommit them, or let the person remove the worktree (M-x cj/gh-worktrees): dropping them could not be undone.",
                    item.what,
                    first_names(changed, clean)
                ),
            ));
        }
        Ok(if local.worktree {
            Self::Reset
        } else {
            Self::AgainReset
        })
    }

    /// Whether objects may have to come from the host.
    pub const fn fetches(&self) -> bool {
        matches!(self, Self::New | Self::AgainReset | Self::Reset)
    }

    /// What is noted of the worktree until the item is in it.
    pub const fn unfinished(&self) -> Unfinished {
        match self {
            Self::New => Unfinished::New,
            Self::Again | Self::AgainReset => Unfinished::Again,
            Self::Reuse | Self::Reset => Unfinished::Reset,
        }
    }

    /// The command that writes the files of `item` into its worktree and sets the branch; `None` where nothing is to be done.
    ///
    /// # Errors
    /// `bad-cwd` where a name is not UTF-8.
    pub fn command(&self, site: &Site, item: &Item) -> Result<Option<Command>, Refusal> {
        if *self == Self::Reuse {
            return Ok(None);
        }
        let own = site.place.worktree_directory(&item.kind);
        let worktree = site.place.worktree(&item.kind);
        let words = ["reset", "--quiet", "--hard", &item.sha];
        in_worktree(&own, &worktree, &words).map(Some)
    }
}

/// The first of `names`, apart by commas.
pub fn first_names(names: &[String], clean: &Cleaner) -> String {
    let first: Vec<String> = names.iter().take(5).map(|name| clean.line(name)).collect();
    let more = if names.len() > first.len() {
        " …"
    } else {
        ""
    };
    first.join(", ") + more
}

/// The command that fetches the commits of `items` that are not in the store; `None` where all are.
///
/// # Errors
/// `bad-cwd` where a name is not UTF-8.
pub fn fetch(site: &Site, items: &[(Item, Way)]) -> Result<Option<Command>, Refusal> {
    let refs: Vec<String> = items
        .iter()
        .filter(|(_, way)| way.fetches())
        .map(|(item, _)| item.kind.remote_ref())
        .collect();
    if refs.is_empty() {
        return Ok(None);
    }
    let mut words: Vec<String> = [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-auto-gc",
        "--no-recurse-submodules",
    ]
    .map(str::to_owned)
    .into();
    words.push(site.place.address());
    words.extend(refs);
    Ok(Some(Command::on(&site.place.store(), &words)?.remote()))
}
