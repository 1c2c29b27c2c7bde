//! Drift: how the commands and flags of the installed gh differ from the catalog.
//!
//! The gate fails closed without this folder too: a command or flag that is not in the catalog is of the class `unknown`.
//! Drift only tells a person which ones there are.  This file has the walk over the help pages and the comparison, neither of which starts
//! a program; [`sweep`] asks gh.

pub mod sweep;

use std::collections::BTreeSet;

use super::catalog::help::{Listed, Page, ShownFlag};
use super::catalog::{Catalog, Leaf, Node};
use super::needs::pages::is_of;

/// Help pages that are read at most; gh 2.103.3 has 236.
const MAX_PAGES: usize = 1_000;

/// Words of a command at most; gh's commands have up to three (`codespace ports forward`).
const MAX_DEPTH: usize = 5;

/// A command that a help page lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The words that name it, without `gh`; empty for gh itself.
    pub path: String,
    /// Its help page; `None` where it could not be read.
    pub page: Option<Page>,
}

/// The commands, extensions and aliases in the help pages of an installed gh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// gh's own commands.
    pub commands: Vec<Command>,
    /// Names of the extensions that the user installed.
    pub extensions: Vec<String>,
    /// Names of the aliases that the user made.
    pub aliases: Vec<String>,
}

/// Walks the tree of help pages from the root down.
///
/// `ask` gives the help page of a command by its words, or `None`.  It is called only for words that the page above lists as a command of
/// gh's own and not also as an extension or an alias, whose help can run a program.
/// A text that is no page of the asked command counts as unread, so a program that answers every question alike ends the walk at once.
pub fn walk(mut ask: impl FnMut(&[&str]) -> Option<String>) -> Inventory {
    let mut installed = Inventory::default();
    let mut waiting = vec![String::new()];
    let mut asked = 0;
    while let Some(path) = waiting.pop() {
        let words: Vec<&str> = path.split_whitespace().collect();
        let page = if asked < MAX_PAGES && words.len() <= MAX_DEPTH && words.iter().all(is_word) {
            asked += 1;
            let text = ask(&words);
            text.map(|t| Page::new(&t)).filter(|p| is_of(p, &path))
        } else {
            None
        };
        if let Some(page) = &page {
            let below = below(page, &path, &mut installed);
            waiting.extend(below.into_iter().rev());
        }
        installed.commands.push(Command { path, page });
    }
    installed
}

/// The paths of the commands that `page` lists as gh's own; extensions and aliases are noted in `installed`.
fn below(page: &Page, path: &str, installed: &mut Inventory) -> Vec<String> {
    let listed = page.commands();
    let full = |word: &str| format!("{path} {word}").trim().to_owned();
    for (word, kind) in &listed {
        match kind {
            Listed::Extension => installed.extensions.push(full(word)),
            Listed::Alias => installed.aliases.push(full(word)),
            Listed::BuiltIn => {}
        }
    }
    let others: Vec<&str> = listed
        .iter()
        .filter_map(|(word, kind)| (*kind != Listed::BuiltIn).then_some(*word))
        .collect();
    let mut own: Vec<String> = Vec::new();
    for (word, kind) in listed {
        let new = full(word);
        if kind == Listed::BuiltIn && !others.contains(&word) && !own.contains(&new) {
            own.push(new);
        }
    }
    own
}

/// Whether `word` looks like the name of a command, and not like a flag or an argument.
fn is_word(word: &&str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    !word.starts_with('-') && word.bytes().all(plain)
}

/// How an installed gh differs from the catalog.  Names are written `pr view` and `pr view --web`, sorted, and safe to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// The number of known commands, groups left out, among those that the installed gh lists.
    pub leaves: usize,
    /// The number of flags of these commands that have a row.
    pub flags: usize,
    /// Commands that the catalog does not know, and new names of known ones.
    pub unknown_leaves: Vec<String>,
    /// Flags that the catalog does not know, each at the command or group that defines it.
    pub unknown_flags: Vec<String>,
    /// Known flags that in the installed gh take something else or have another letter, so that the gate may read their arguments wrongly.
    pub changed: Vec<String>,
    /// The number of commands of the catalog that the installed gh does not list.
    pub lacking: usize,
    /// Extensions, which are no part of gh.
    pub extensions: Vec<String>,
    /// Aliases, which are no part of gh.
    pub aliases: Vec<String>,
    /// Known commands whose page could not be read; their flags were not compared.
    pub unread: Vec<String>,
}

/// Compares an installed gh with `catalog`.
pub fn compare(catalog: &Catalog, installed: &Inventory) -> Drift {
    let mut drift = Drift {
        extensions: shown(installed.extensions.iter().cloned()),
        aliases: shown(installed.aliases.iter().cloned()),
        ..Drift::default()
    };
    let mut seen = BTreeSet::new();
    for command in &installed.commands {
        let subcommands = command
            .page
            .as_ref()
            .is_some_and(|p| p.commands().iter().any(|(_, l)| *l == Listed::BuiltIn));
        match find(catalog, &command.path) {
            Some(node) if command.page.is_none() || subcommands || decided(&node.leaf) => {
                seen.insert(node.leaf.path.as_str());
                compare_known(node, command, &installed.commands, &mut drift);
            }
            // An unknown group is not named itself; the commands below it are.
            _ if subcommands => {}
            _ => drift.unknown_leaves.push(command.path.clone()),
        }
    }
    let listed = |leaf: &Leaf| seen.contains(leaf.path.as_str());
    drift.lacking = catalog
        .leaves()
        .filter(|leaf| !leaf.hidden && !listed(leaf) && !installed.aliases.contains(&leaf.path))
        .count();
    for list in [
        &mut drift.unknown_leaves,
        &mut drift.unknown_flags,
        &mut drift.changed,
        &mut drift.unread,
    ] {
        *list = shown(list.drain(..));
    }
    drift
}

/// Whether `leaf` runs and has a row, which says what the command does.
fn decided(leaf: &Leaf) -> bool {
    leaf.runs && leaf.row.is_some()
}

fn find<'c>(catalog: &'c Catalog, path: &str) -> Option<&'c Node> {
    path.split_whitespace()
        .try_fold(&catalog.root, |node, word| {
            node.child(word).map(|(child, _)| child)
        })
}

/// Compares a known command with its page.
fn compare_known(node: &Node, command: &Command, all: &[Command], drift: &mut Drift) {
    let leaf = &node.leaf;
    let Some(page) = &command.page else {
        drift.leaves += usize::from(leaf.runs);
        drift.unread.push(command.path.clone());
        return;
    };
    drift.leaves += usize::from(leaf.runs);
    let above = command.path.rsplit_once(' ').map_or("", |(above, _)| above);
    for alias in page.aliases() {
        if !node.words.iter().any(|w| w.text == alias) {
            let name = format!("{above} {alias}");
            drift.unknown_leaves.push(name.trim().to_owned());
        }
    }
    if !leaf.parses_flags {
        return;
    }
    for flag in page.flags() {
        let name = format!("{} --{}", command.path, flag.name);
        let name = name.trim().to_owned();
        match leaf.flag(&flag.name) {
            None if flag.inherited && defines(all, above, &flag) => {}
            None => drift.unknown_flags.push(name),
            Some(known)
                if flag.arity.is_some_and(|arity| arity != known.arity)
                    || known.short != flag.short =>
            {
                drift.changed.push(name);
            }
            Some(known) => drift.flags += usize::from(leaf.runs && known.row.is_some()),
        }
    }
}

/// Whether the page of `path` lists `flag`: the flag is then named at `path` and not again below it.
fn defines(all: &[Command], path: &str, flag: &ShownFlag) -> bool {
    let page = all.iter().find(|c| c.path == path);
    let flags = page.and_then(|c| c.page.as_ref()).map(Page::flags);
    flags.is_some_and(|flags| flags.iter().any(|f| f.name == flag.name))
}

/// The names, sorted, each once, cut to 80 characters, with control and non-ASCII characters spelled out.
fn shown(names: impl Iterator<Item = String>) -> Vec<String> {
    let set: BTreeSet<String> = names
        .map(|name| name.chars().take(80).collect::<String>())
        .map(|name| name.escape_default().to_string())
        .collect();
    set.into_iter().collect()
}

#[cfg(test)]
#[path = "../../../test/rust/gh/drift.rs"]
mod tests;
