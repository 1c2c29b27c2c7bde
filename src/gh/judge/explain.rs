//! How gh reads an argv, element by element, in words for a person.

use crate::gh::catalog::Catalog;
use crate::gh::parse::{Named, Parsed, Problem, parse};

crate::foreign::debug_by_name!(Element);

/// One element of an argv and what gh takes it for, or an element that gh refuses and why.
#[derive(Clone, PartialEq, Eq)]
pub struct Element {
    /// The element, or the elements of a flag with its value, as they stand: `--repo o/r`.
    pub text: String,
    /// What the element is and does.
    pub meaning: String,
}

impl Element {
    fn new(text: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            meaning: meaning.into(),
        }
    }
}

/// Reads `argv`, which has no leading `gh`, and explains each element, in the order of argv.
pub fn explain(argv: &[String]) -> Vec<Element> {
    match parse(Catalog::get(), argv) {
        Named::Unknown { group, word } => {
            let place = if group.is_empty() {
                "gh".to_owned()
            } else {
                format!("gh {group}")
            };
            vec![Element::new(
                word,
                format!(
                    "no built-in command of `{place}` in every supported version: an alias, an extension, or a mistake"
                ),
            )]
        }
        Named::Command(parsed) => of_command(&parsed, argv),
    }
}

fn of_command(parsed: &Parsed, argv: &[String]) -> Vec<Element> {
    let mut parts: Vec<(usize, Element)> = Vec::new();
    for &at in &parsed.words {
        parts.push((at, Element::new(&argv[at], "names the command")));
    }
    for given in &parsed.flags {
        let name = &given.flag.name;
        let reason = given
            .flag
            .row
            .map_or("nobody has decided what it does", |row| row.reason);
        let value = given
            .value
            .as_deref()
            .map_or_else(String::new, |v| format!(" {v}"));
        parts.push((
            given.at.start,
            Element::new(
                argv[given.at.clone()].join(" "),
                format!("--{name}{value}: {reason}"),
            ),
        ));
    }
    for (nth, positional) in parsed.positionals.iter().enumerate() {
        parts.push((
            positional.index,
            Element::new(&positional.text, format!("argument {}", nth + 1)),
        ));
    }
    if let Some(at) = parsed.dashes {
        parts.push((at, Element::new("--", "ends the flags")));
    }
    // The sort is stable, so the letters of one element (`-sR`) keep their order.
    parts.sort_by_key(|(at, _)| *at);
    let mut parts: Vec<Element> = parts.into_iter().map(|(_, part)| part).collect();
    parts.extend(parsed.problems.iter().map(|problem| match problem {
        Problem::UnknownFlag(flag) => Element::new(flag, "no known flag of this command"),
        Problem::MissingValue(flag) => Element::new(flag, "lacks its value"),
        Problem::BadBoolean(flag) | Problem::BadSyntax(flag) => {
            Element::new(flag, "gh does not take this form")
        }
    }));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meanings(line: &str) -> Vec<String> {
        let argv: Vec<String> = line.split(' ').map(String::from).collect();
        explain(&argv)
            .into_iter()
            .map(|p| {
                format!(
                    "{} = {}",
                    p.text,
                    p.meaning.split(':').next().unwrap_or_default()
                )
            })
            .collect()
    }

    #[test]
    fn each_element_is_explained_as_gh_reads_it() {
        assert_eq!(
            meanings("pr -t status merge 1 -sR o/r"),
            [
                "pr = names the command",
                "-t status = --subject status",
                "merge = names the command",
                "1 = argument 1",
                "-sR = --squash",
                "-sR o/r = --repo o/r",
            ]
        );
    }

    #[test]
    fn an_unknown_word_or_flag_is_explained_as_unknown() {
        assert!(
            explain(&["pr".into(), "describe".into()])[0]
                .meaning
                .contains("alias")
        );
        assert!(
            explain(&["pr".into(), "view".into(), "--nosuch".into()])
                .last()
                .expect("one part")
                .meaning
                .contains("no known flag")
        );
    }
}
