//! The installed gh: whether it has the command and the flags of a call.
//!
//! Where it lacks a word of the command, an alias or an extension of the user's may own the word, and a call that was judged by what the
//! command does would run that.  So what counts is the version that gh says it has, by [`crate::gh::catalog::since`]; and where no release tells
//! (a build from source, what is newer than the catalog), the help pages of this very gh ([`pages`]).

pub mod asked;
pub mod owned;
pub mod pages;

use crate::gh::catalog::since::{Had, Since};
use crate::gh::catalog::version::{FLOOR, GhVersion, Version};
use crate::gh::catalog::{Catalog, Flag, Leaf, Word};
use crate::gh::parse::{Named, Parsed, parse};

pub use asked::Installed;

/// What is known of the installed gh with regard to one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has not been asked yet.
    Unasked,
    /// It has every word and flag of the call, and they are those of the catalog.
    Has,
    /// It lacks one, or that cannot be told; why, as the rest of a sentence that begins with the command.
    Lacks(String),
}

/// What a call needs of the installed gh.
#[derive(Clone, Debug)]
pub struct Needs(Vec<Need>);

/// One command that is named, by its words, and its flags that are given.
#[derive(Clone, Debug)]
struct Need {
    leaf: &'static Leaf,
    words: Vec<(&'static Leaf, &'static Word)>,
    flags: Vec<&'static Flag>,
}

impl Needs {
    /// What `call` needs: its own command, and for `gh help WORD...` the one that it asks about too.
    pub fn of(catalog: &'static Catalog, call: &Parsed) -> Self {
        let mut needs = vec![Need::of(call)];
        if call.leaf.path == "help" {
            let words: Vec<String> = call.positionals.iter().map(|p| p.text.clone()).collect();
            if let Named::Command(about) = parse(catalog, &words) {
                needs.push(Need::of(&about));
            }
        }
        Self(needs)
    }

    /// The first word of each command that is named.
    fn first_words(&self) -> impl Iterator<Item = &str> {
        let words = self.0.iter().filter_map(|need| need.words.first());
        words.map(|(_, word)| word.text.as_str())
    }

    /// What the installed gh is in this regard: `version` by what it says, and where no release tells, its pages.
    ///
    /// `page` gives the page of a command by its words; the outer none says that it has not been asked for yet.
    pub fn standing(
        &self,
        version: GhVersion,
        page: &mut dyn FnMut(&str) -> Option<Option<pages::Page>>,
    ) -> Standing {
        for need in &self.0 {
            let standing = match need.by_release(version) {
                (Had::Yes, _) => Standing::Has,
                (Had::No, why) => Standing::Lacks(why),
                (Had::Untold, _) => need.by_pages(version, page),
            };
            if standing != Standing::Has {
                return standing;
            }
        }
        Standing::Has
    }
}

impl Need {
    fn of(call: &Parsed) -> Self {
        Self {
            leaf: call.leaf,
            words: call.named.clone(),
            flags: call.flags.iter().map(|given| given.flag).collect(),
        }
    }

    /// Whether the release of that number has it, and why not.
    fn by_release(&self, version: GhVersion) -> (Had, String) {
        let GhVersion::Numbered(version) = version else {
            return (Had::Untold, String::new());
        };
        let since = Since::get();
        let mut untold = false;
        for (leaf, word) in &self.words {
            match since.had(word.span, version) {
                Had::Yes => {}
                Had::Untold => untold = true,
                Had::No => {
                    let named = spelled(leaf, word);
                    let why = format!(
                        "asks for the command `{named}', {}: it could be an alias or an extension",
                        when(word.span.since, word.span.until, version)
                    );
                    return (Had::No, why);
                }
            }
        }
        for flag in &self.flags {
            match since.had(flag.span, version) {
                Had::Yes => {}
                Had::Untold => untold = true,
                Had::No => {
                    let why = format!(
                        "has the flag --{}, {}",
                        flag.name,
                        when(flag.span.since, flag.span.until, version)
                    );
                    return (Had::No, why);
                }
            }
        }
        let had = if untold { Had::Untold } else { Had::Yes };
        (had, String::new())
    }

    /// Whether this very gh lists it, as the catalog has it.
    fn by_pages(
        &self,
        version: GhVersion,
        page: &mut dyn FnMut(&str) -> Option<Option<pages::Page>>,
    ) -> Standing {
        match pages::compare(self.leaf, &self.words, &self.flags, page) {
            None => Standing::Unasked,
            Some(Ok(())) => Standing::Has,
            Some(Err(differs)) => Standing::Lacks(format!(
                "is not known of the installed gh, which says that it is {version}: {differs}"
            )),
        }
    }
}

/// The words by which `word` names `leaf`.
fn spelled(leaf: &Leaf, word: &Word) -> String {
    let group = leaf.path.rsplit_once(' ').map_or("", |(group, _)| group);
    format!("gh {group} {}", word.text).replace("  ", " ")
}

/// Since when something is there, or till when it was, beside the `installed` version that lacks it.
fn when(since: Version, until: Version, installed: Version) -> String {
    if since > until {
        format!("which no release has; the installed gh is {installed}")
    } else if installed < since {
        format!("which is there since gh {since}; the installed one is {installed}")
    } else {
        format!("which gh {until} was the last known to have; the installed one is {installed}")
    }
}

/// A sentence about what it means for a call that gh says it is `version`.
pub fn meaning(version: GhVersion) -> String {
    let newest = Since::get().newest();
    match version {
        GhVersion::Numbered(v) if v < FLOOR => {
            format!("gh {v} is too old; the oldest supported is {FLOOR}.")
        }
        GhVersion::Numbered(v) if v > newest => format!(
            "gh {v} counts; it is newer than the catalog ({newest}), so a command runs by itself only where its help page is as known."
        ),
        GhVersion::Numbered(v) if v == newest => {
            format!("gh {v} counts; it has what the catalog knows.")
        }
        GhVersion::Numbered(v) => {
            format!("gh {v} counts; commands and flags that came later are asked about.")
        }
        GhVersion::Built(_) | GhVersion::Dev => format!(
            "gh {version} counts; it is no release, so a command runs by itself only where its help page is as known."
        ),
    }
}

#[cfg(test)]
#[path = "../../../../test/rust/installed.rs"]
mod tests;
