//! What a call needs: the words of its command and the flags that it gives.

use super::pages::compare;
use super::standing::Standing;
use crate::gh::catalog::help::Page;
use crate::gh::catalog::since::{Had, Since};
use crate::gh::catalog::version::{GhVersion, Version};
use crate::gh::catalog::{Catalog, Flag, Leaf, Word};
use crate::gh::parse::{Named, Parsed, parse};

/// The words and flags that the installed gh must have for a call.
#[derive(Clone, Debug)]
pub struct Needs(Vec<Need>);

/// One command that the call names, with the words that name it and the flags given to it.
#[derive(Clone, Debug)]
struct Need {
    leaf: &'static Leaf,
    words: Vec<(&'static Leaf, &'static Word)>,
    flags: Vec<&'static Flag>,
}

impl Needs {
    /// The needs of `call`: its own command, and for `gh help WORD...` the command that it asks about too.
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

    /// The first word of each command that the call names.
    pub(in crate::gh) fn first_words(&self) -> impl Iterator<Item = &str> {
        let words = self.0.iter().filter_map(|need| need.words.first());
        words.map(|(_, word)| word.text.as_str())
    }

    /// Whether the installed gh meets these needs: by its `version`, and by its help pages where the version does not decide.
    ///
    /// `page` gives the page of a command by its words: `None` where gh was not asked for the page yet, `Some(None)` where it printed none.
    pub fn standing(
        &self,
        version: GhVersion,
        page: &mut dyn FnMut(&str) -> Option<Option<Page>>,
    ) -> Standing {
        for need in &self.0 {
            let standing = match need.by_release(version) {
                (Had::Yes, _) => Standing::Has,
                (Had::No, why) => Standing::Lacks(why),
                (Had::Unknown, _) => need.by_pages(version, page),
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

    /// Whether release `version` has the words and flags; with [`Had::No`], the reason for it.
    fn by_release(&self, version: GhVersion) -> (Had, String) {
        let GhVersion::Numbered(version) = version else {
            return (Had::Unknown, String::new());
        };
        let since = Since::get();
        let mut unknown = false;
        for (leaf, word) in &self.words {
            match since.had(word.span, version) {
                Had::Yes => {}
                Had::Unknown => unknown = true,
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
                Had::Unknown => unknown = true,
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
        let had = if unknown { Had::Unknown } else { Had::Yes };
        (had, String::new())
    }

    /// Whether the help pages of this very gh list the command as the catalog has it.
    fn by_pages(
        &self,
        version: GhVersion,
        page: &mut dyn FnMut(&str) -> Option<Option<Page>>,
    ) -> Standing {
        match compare(self.leaf, &self.words, &self.flags, page) {
            None => Standing::Unasked,
            Some(Ok(())) => Standing::Has,
            Some(Err(differs)) => Standing::Lacks(format!(
                "may do something else in the installed gh, which says that it is {version}: {differs}"
            )),
        }
    }
}

/// The words by which `word` names `leaf`.
fn spelled(leaf: &Leaf, word: &Word) -> String {
    let group = leaf.path.rsplit_once(' ').map_or("", |(group, _)| group);
    format!("gh {group} {}", word.text).replace("  ", " ")
}

/// Which releases have a word or flag that the `installed` version lacks, as a clause of a reason.
fn when(since: Version, until: Version, installed: Version) -> String {
    if since > until {
        format!("which no release has; the installed gh is {installed}")
    } else if installed < since {
        format!("which is there since gh {since}; the installed one is {installed}")
    } else {
        format!("which gh {until} was the last known to have; the installed one is {installed}")
    }
}
