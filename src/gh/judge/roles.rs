//! Which values in a command line of gh are secrets, private texts, headers or fields, for redaction: the decided row of each flag says so.

use crate::gh::catalog::{Arity, Catalog};
use crate::gh::parse::{Named, parse};
use crate::redact::{ArgvReading, ArgvRoles, FlagValue};

/// Reads gh's command lines.
pub struct GhRoles;

impl ArgvRoles for GhRoles {
    fn read(&self, argv: &[String]) -> Option<ArgvReading> {
        let named = argv
            .first()
            .is_some_and(|word| word == "gh" || word.ends_with("/gh"));
        let mut skip = usize::from(named);
        // `gh help pr create --body TEXT` has the flags of `gh pr create`.
        if argv.get(skip).is_some_and(|word| word == "help") {
            skip += 1;
        }
        let words = &argv[skip..];
        let mut reading = ArgvReading {
            named,
            ..ArgvReading::default()
        };
        let parsed = parse(Catalog::get(), words);
        let ours = match &parsed {
            Named::Command(call) => !call.leaf.path.is_empty(),
            Named::Unknown { group, .. } => !group.is_empty(),
        };
        if !named && !ours {
            return None;
        }
        if let Named::Command(call) = parsed {
            for given in &call.flags {
                reading.known.extend(given.at.clone().map(|at| at + skip));
                let role = given.flag.row.and_then(|row| row.role);
                let value = given.value.as_deref();
                let takes = given.flag.arity != Arity::Nothing;
                if let (Some(role), Some(value), true) = (role, value, takes) {
                    let word = given.at.end - 1;
                    // Attached, the value is the end of the word: `--body=TEXT`, `-bTEXT`, `-dbTEXT`.
                    let from = words[word].len() - value.len();
                    let word = word + skip;
                    reading.values.push(FlagValue { word, from, role });
                }
            }
        }
        Some(reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Role;

    fn values(words: &[&str]) -> Option<Vec<(usize, usize, Role)>> {
        let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let values = GhRoles.read(&argv)?.values;
        Some(values.iter().map(|v| (v.word, v.from, v.role)).collect())
    }

    #[test]
    fn a_value_is_found_in_each_form_of_its_flag() {
        use Role::{Field, Header, Private, Secret};
        for (words, expect) in [
            (&["pr", "create", "--body", "x"][..], vec![(3, 0, Private)]),
            (&["gh", "pr", "new", "--body=x"], vec![(3, 7, Private)]),
            (&["pr", "create", "-dbx"], vec![(2, 3, Private)]),
            (&["pr", "create", "-b=x"], vec![(2, 3, Private)]),
            (
                &["-R", "o/r", "pr", "comment", "-b", "x"],
                vec![(5, 0, Private)],
            ),
            (&["help", "pr", "comment", "-b", "x"], vec![(4, 0, Private)]),
            (&["secret", "set", "N", "-b", "x"], vec![(4, 0, Secret)]),
            (
                &["api", "x", "-f", "a=b", "-H", "A: b"],
                vec![(3, 0, Field), (5, 0, Header)],
            ),
            // `-t` is here the name of a key, which is no private text, and `--comment` takes no value.
            (&["ssh-key", "add", "key.pub", "-t", "laptop"], vec![]),
            (
                &["pr", "review", "--comment", "-b", "x"],
                vec![(4, 0, Private)],
            ),
            (&["pr", "frobnicate", "--body", "x"], vec![]),
        ] {
            assert_eq!(values(words), Some(expect), "{words:?}");
        }
        for words in [&["nmap", "-p", "80"][..], &["curl", "-H", "A: b"], &[]] {
            assert_eq!(values(words), None, "{words:?}");
        }
    }
}
