//! gh's help pages: the output of `gh help COMMAND`, cut into sections, with its commands and flags read.
//!
//! Source of the form: gh 2.92.0 and 2.103.3.  The generator of the catalog and the comparison with an installed gh both use
//! this parser, so that the comparison reads a page as the generator did.

use super::Arity;

/// A help page cut into its sections, the text before the first heading left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page(Vec<(String, Vec<String>)>);

/// One flag as a help page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownFlag {
    /// The long name, without dashes.
    pub name: String,
    /// The short letter, if the flag has one.
    pub short: Option<char>,
    /// What the flag takes after its name; `None` where the page's word for the value does not show it.
    pub arity: Option<Arity>,
    /// Whether a group above the command defines the flag.
    pub inherited: bool,
    /// The page's word for its value, such as `<number>`; empty where it takes none.
    pub word: String,
}

/// The kind of a word that a help page lists among the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// A command of gh itself.
    BuiltIn,
    /// An extension that the user installed: asking for its help runs it.
    Extension,
    /// An alias that the user made: asking for its help can run a shell.
    Alias,
}

impl Page {
    /// Reads the text of a page.  A heading is a line of capitals and blanks at the margin.
    pub fn new(text: &str) -> Self {
        let mut sections: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines() {
            let heading = !line.is_empty()
                && line.chars().all(|c| c.is_ascii_uppercase() || c == ' ')
                && !line.starts_with(' ');
            if heading {
                sections.push((line.to_owned(), Vec::new()));
            } else if let Some((_, lines)) = sections.last_mut()
                && !line.trim().is_empty()
            {
                lines.push(line.trim_end().to_owned());
            }
        }
        Self(sections)
    }

    /// The lines of every section whose heading is `wanted`, blank ones left out.
    pub fn lines<'a>(
        &'a self,
        wanted: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(heading, _)| wanted(heading))
            .flat_map(|(_, lines)| lines.iter().map(String::as_str))
    }

    /// The usage line, `gh pr view [<number> | <url> | <branch>] [flags]`.
    pub fn usage(&self) -> Option<&str> {
        self.lines(|h| h == "USAGE").next().map(str::trim)
    }

    /// The words that the page lists as commands, in its order, each with its kind.  Help topics are left out.
    pub fn commands(&self) -> Vec<(&str, Listed)> {
        let sections = self.0.iter().filter(|(h, _)| h.ends_with(" COMMANDS"));
        let mut found = Vec::new();
        for (heading, lines) in sections {
            let listed = match heading.as_str() {
                "EXTENSION COMMANDS" => Listed::Extension,
                "ALIAS COMMANDS" => Listed::Alias,
                _ => Listed::BuiltIn,
            };
            let words = lines.iter().filter_map(|l| l.trim().split_once(':'));
            found.extend(words.map(|(word, _)| (word, listed)));
        }
        found
    }

    /// The flags of the page: the command's own first, then the inherited ones.
    pub fn flags(&self) -> Vec<ShownFlag> {
        let mut found = Vec::new();
        for (heading, inherited) in [("FLAGS", false), ("INHERITED FLAGS", true)] {
            let lines = self.lines(move |h| h == heading);
            found.extend(lines.filter_map(|line| shown_flag(line, inherited)));
        }
        found
    }

    /// The last word of each spelling under ALIASES, the command's own among them.
    pub fn aliases(&self) -> impl Iterator<Item = &str> {
        self.lines(|h| h == "ALIASES")
            .flat_map(|line| line.split(','))
            .filter_map(|spelling| spelling.split_whitespace().last())
    }
}

/// Reads a line of a FLAGS section: `-R, --repo [HOST/]OWNER/REPO   Select ...`.
pub fn shown_flag(line: &str, inherited: bool) -> Option<ShownFlag> {
    let line = line.trim();
    let (short, rest) = if let Some(rest) = line.strip_prefix("--") {
        (None, rest)
    } else {
        let (letter, rest) = line.strip_prefix('-')?.split_once(", --")?;
        (letter.chars().next(), rest)
    };
    let head = rest.split("   ").next()?;
    let (name, word) = head.split_once(' ').unwrap_or((head, ""));
    let arity = match word {
        "" => Some(Arity::Nothing),
        word if word.contains("[=") => Some(Arity::Optional),
        // pflag uses the first backquoted words of a description as the value's name.  Where they name another flag, they do not
        // tell whether a value follows: `auth setup-git --force` takes none, `project item-edit --value` takes one.
        word if word.starts_with("--") => None,
        _ => Some(Arity::Value),
    };
    Some(ShownFlag {
        name: name.to_owned(),
        short,
        arity,
        inherited,
        word: word.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = include_str!("../../../fixtures/gh-help/2.103.3-root.txt");
    const VIEW: &str = include_str!("../../../fixtures/gh-help/2.103.3-pr-view.txt");
    const OLD_SETUP: &str = include_str!("../../../fixtures/gh-help/2.92.0-auth-setup-git.txt");
    const OLD_CODESPACE: &str = include_str!("../../../fixtures/gh-help/2.92.0-codespace.txt");

    #[test]
    fn extensions_and_aliases_are_told_apart_from_commands_and_topics_are_left_out() {
        let page = Page::new(ROOT);
        let of = |wanted: Listed| -> Vec<&str> {
            let all = page.commands().into_iter();
            all.filter_map(|(w, l)| (l == wanted).then_some(w))
                .collect()
        };
        assert_eq!(of(Listed::Extension), ["foo"]);
        assert_eq!(of(Listed::Alias), ["co", "sh"]);
        let own = of(Listed::BuiltIn);
        assert_eq!(own.len(), 33);
        assert!(own.contains(&"auth") && own.contains(&"run") && own.contains(&"variable"));
        assert!(!own.contains(&"environment") && !own.contains(&"reference"));
        assert_eq!(page.usage(), Some("gh <command> <subcommand> [flags]"));
    }

    #[test]
    fn flags_are_read_with_letter_arity_and_origin() {
        let flags = Page::new(VIEW).flags();
        let said: Vec<String> = flags
            .iter()
            .map(|f| {
                let letter = f.short.map(String::from).unwrap_or_default();
                let arity = f.arity.expect("this page shows it");
                format!("{}/{letter}/{arity:?}/{}", f.name, f.inherited)
            })
            .collect();
        assert_eq!(
            said,
            [
                "comments/c/Nothing/false",
                "jq/q/Value/false",
                "json//Value/false",
                "template/t/Value/false",
                "web/w/Nothing/false",
                "help//Nothing/true",
                "repo/R/Value/true",
            ]
        );
        assert_eq!(flags[6].word, "[HOST/]OWNER/REPO");
    }

    #[test]
    fn a_value_may_be_optional_and_one_that_names_another_flag_has_no_arity() {
        let page = Page::new("USAGE\n  gh x\n\nFLAGS\n  -m, --mode string[=\"a\"]   Mode\n");
        assert_eq!(page.flags()[0].arity, Some(Arity::Optional));
        let force = &Page::new(OLD_SETUP).flags()[0];
        assert_eq!((force.name.as_str(), force.arity), ("force", None));
    }

    #[test]
    fn aliases_of_a_command_are_its_last_words() {
        assert_eq!(
            Page::new(OLD_CODESPACE).aliases().collect::<Vec<_>>(),
            ["cs"]
        );
        let page = Page::new("USAGE\n  gh pr create\n\nALIASES\n  gh pr create, gh pr new\n");
        assert_eq!(page.aliases().collect::<Vec<_>>(), ["create", "new"]);
    }

    #[test]
    fn a_text_that_is_no_page_has_no_usage_commands_or_flags() {
        for text in ["", "\n\n", "command not found\n", "A\u{0}B\n", "FLAGS"] {
            let page = Page::new(text);
            assert!(
                page.usage().is_none() && page.commands().is_empty() && page.flags().is_empty()
            );
        }
    }
}
