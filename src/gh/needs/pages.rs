//! Whether a gh that matches no known release has a command, by its own help pages.
//!
//! `gh help WORD` runs the extension or the alias that owns the word.  So the page of a command is asked for only where the page above
//! lists the command as gh's own and as nothing else.  A command or flag that no page lists (a hidden one) counts as
//! one that this gh lacks.

use crate::gh::catalog::help::{Listed, Page};
use crate::gh::catalog::{Flag, Leaf, Word};

/// Whether `page` is the page of `path`, by its usage line: for some unknown words, gh prints the group's page.
pub(in crate::gh) fn is_of(page: &Page, path: &str) -> bool {
    let rest = page
        .usage()
        .and_then(|usage| usage.strip_prefix("gh"))
        .and_then(|rest| {
            if path.is_empty() {
                Some(rest)
            } else {
                rest.strip_prefix(' ')?.strip_prefix(path)
            }
        });
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Compares the help pages of the command `leaf`, named by `words`, with the catalog, and looks for the `flags` on its own page.
///
/// `None` where gh was not asked for a page yet; an error says in words what differs.  Everything on the command's own page must be known: a
/// flag that is new or takes something else can be a sign that the command does something else.
pub fn compare(
    leaf: &Leaf,
    words: &[(&'static Leaf, &'static Word)],
    flags: &[&'static Flag],
    page: &mut dyn FnMut(&str) -> Option<Option<Page>>,
) -> Option<Result<(), String>> {
    // `help' is a command of cobra's, which no page lists.
    if leaf.path == "help" {
        return Some(Ok(()));
    }
    let mut above = String::new();
    for (at, word) in words {
        let Some(group) = page(&above)?.filter(|page| is_of(page, &above)) else {
            return Some(Err(unread(&above)));
        };
        let own = at.path.rsplit(' ').next().unwrap_or_default();
        let listed = group.commands();
        let mut kinds = listed.iter().filter(|(word, _)| *word == own).peekable();
        if kinds.peek().is_none() || kinds.any(|(_, kind)| *kind != Listed::BuiltIn) {
            return Some(Err(format!(
                "it does not list `gh {}' as a command of its own, so that it could be an alias or an extension",
                at.path
            )));
        }
        above.clone_from(&at.path);
        if word.text != own {
            let known = page(&above)?.is_some_and(|page| page.aliases().any(|a| a == word.text));
            if !known {
                return Some(Err(format!(
                    "its page of `gh {}' does not say that `{}' stands for it",
                    at.path, word.text
                )));
            }
        }
    }
    let Some(own) = page(&above)?.filter(|page| is_of(page, &above)) else {
        return Some(Err(unread(&above)));
    };
    Some(as_known(leaf, flags, &own))
}

fn unread(path: &str) -> String {
    format!(
        "its page `{}' cannot be read",
        format!("gh help {path}").trim()
    )
}

/// Whether the page of `leaf` agrees with the catalog, and lists the `flags` that are given.
fn as_known(leaf: &Leaf, flags: &[&'static Flag], page: &Page) -> Result<(), String> {
    if !leaf.parses_flags {
        return Err("gh does not parse its flags, so no page lists them".into());
    }
    let children = page.commands();
    if leaf.runs && !leaf.path.is_empty() && !children.is_empty() {
        return Err("its page lists commands below it".into());
    }
    let shown = page.flags();
    for flag in &shown {
        let Some(known) = leaf.flag(&flag.name) else {
            return Err(format!(
                "its page has a flag --{} that is not known",
                flag.name
            ));
        };
        let same = known.short == flag.short && flag.arity.is_none_or(|arity| arity == known.arity);
        if !same {
            return Err(format!(
                "its flag --{} has another letter or takes something else",
                flag.name
            ));
        }
    }
    for flag in flags {
        if flag.name != "help" && !shown.iter().any(|f| f.name == flag.name) {
            return Err(format!("its page has no flag --{}", flag.name));
        }
    }
    Ok(())
}
