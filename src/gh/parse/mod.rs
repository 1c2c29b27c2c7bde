//! From argv to command, flags and positionals, by the very rules of gh (cobra finds the command, pflag parses its flags).
//!
//! What was said, not what it does: nothing here judges. Rules as seen in gh 2.92.0 and 2.103.3:
//! - While the command is looked for, a dash element without `=` that the current level does not know as a boolean
//!   swallows the next element, and `--` ends the search.
//! - Then the command's flags, inherited ones too, may stand anywhere before `--`: `--x v`, `--x=v`, `-xv`, `-x=v`, `-abxv`;
//!   the last one wins. Long names are exact. A boolean takes a value only after `=`.

mod call;
pub mod host;

pub use call::{Beside, GivenFlag, Parsed, Positional, Problem, ValueAt};

use crate::gh::catalog::{Arity, Catalog, Leaf, Node};

/// What argv names.
#[derive(Clone, Debug)]
pub enum Named {
    /// A command of the catalog, or `gh` itself.
    Command(Box<Parsed>),
    /// A word that no catalogued version knows at this place: an alias, an extension, a newer command, a mistake.
    Unknown {
        /// The group under which the word stands; empty for `gh` itself.
        group: String,
        /// The word.
        word: String,
    },
}

/// Parses `argv` (without the leading `gh`) against `catalog`.
pub fn parse(catalog: &'static Catalog, argv: &[String]) -> Named {
    let mut rest: Vec<(usize, &str)> = argv.iter().map(String::as_str).enumerate().collect();
    let mut node: &'static Node = &catalog.root;
    let mut words = Vec::new();
    let mut named = Vec::new();
    let mut everywhere = true;
    while let Some((at, word)) = first_word(&rest, &node.leaf) {
        let Some((child, known)) = node.child(word) else {
            if node.leaf.runs && node.children.is_empty() {
                break;
            }
            return Named::Unknown {
                group: node.leaf.path.clone(),
                word: word.to_owned(),
            };
        };
        everywhere &= known.everywhere;
        words.push(rest[at].0);
        named.push((&child.leaf, known));
        rest.remove(at);
        node = child;
    }
    let mut parsed = Parsed {
        leaf: &node.leaf,
        flags: Vec::new(),
        positionals: Vec::new(),
        words,
        named,
        dashes: None,
        help: false,
        problems: Vec::new(),
        everywhere,
        len: argv.len(),
    };
    if node.leaf.parses_flags {
        parse_flags(&rest, &mut parsed);
    } else {
        parsed.positionals = rest
            .iter()
            .map(|&(index, text)| Positional {
                text: text.to_owned(),
                index,
            })
            .collect();
    }
    Named::Command(Box::new(parsed))
}

/// The place in `rest` of the word that names the next command, as cobra finds it.
///
/// cobra walks twice: once to find the word, where a flag that could take a value ends the walk when fewer than two elements
/// follow it, and once to take the first element equal to that word out. Both walks skip the same elements, so the places agree.
fn first_word<'a>(rest: &[(usize, &'a str)], level: &Leaf) -> Option<(usize, &'a str)> {
    let mut at = 0;
    while let Some(&(_, element)) = rest.get(at) {
        at += 1;
        if element == "--" {
            return None;
        }
        if swallows_next(element, level) {
            if rest.len() - at <= 1 {
                return None;
            }
            at += 1;
        } else if !element.is_empty() && !element.starts_with('-') {
            return Some((at - 1, element));
        }
    }
    None
}

/// Whether `element`, met while the command is looked for, takes the next element along.
fn swallows_next(element: &str, level: &Leaf) -> bool {
    if element.contains('=') {
        return false;
    }
    if let Some(name) = element.strip_prefix("--") {
        return level.flag(name).is_none_or(|f| f.arity == Arity::Value);
    }
    match element.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => {
            let short = letter.chars().next().and_then(|c| level.short(c));
            short.is_none_or(|f| f.arity == Arity::Value)
        }
        _ => false,
    }
}

fn parse_flags(rest: &[(usize, &str)], parsed: &mut Parsed) {
    let mut at = 0;
    while let Some(&(index, element)) = rest.get(at) {
        at += 1;
        let next = rest.get(at).copied();
        let took = if element == "--" {
            parsed.dashes = Some(index);
            parsed
                .positionals
                .extend(rest[at..].iter().map(|&(index, text)| Positional {
                    text: text.to_owned(),
                    index,
                }));
            break;
        } else if let Some(long) = element.strip_prefix("--") {
            parse_long(long, index, next, parsed)
        } else if element.len() > 1 && element.starts_with('-') {
            match parse_shorts(&element[1..], index, next, parsed) {
                Some(took) => took,
                None => break,
            }
        } else {
            parsed.positionals.push(Positional {
                text: element.to_owned(),
                index,
            });
            false
        };
        at += usize::from(took);
    }
    if let Some(help) = parsed.flags.iter().rev().find(|g| g.flag.name == "help") {
        parsed.help |= help.on() == Some(true);
    }
}

/// `--NAME` and `--NAME=VALUE`; whether the next element was taken as the value.
fn parse_long(long: &str, index: usize, next: Option<(usize, &str)>, parsed: &mut Parsed) -> bool {
    if long.starts_with(['-', '=']) {
        parsed
            .problems
            .push(Problem::BadSyntax(format!("--{long}")));
        return false;
    }
    let (name, value) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (long, None),
    };
    let Some(flag) = parsed.leaf.flag(name) else {
        parsed
            .problems
            .push(Problem::UnknownFlag(format!("--{name}")));
        return false;
    };
    match (value, flag.arity) {
        (Some(value), _) => parsed.give(flag, Some(value), index..index + 1, false),
        (None, Arity::Nothing | Arity::Optional) => {
            parsed.give(flag, None, index..index + 1, false);
        }
        (None, Arity::Value) => match next {
            Some((after, value)) => {
                parsed.give(flag, Some(value), index..after + 1, false);
                return true;
            }
            None => parsed
                .problems
                .push(Problem::MissingValue(format!("--{name}"))),
        },
    }
    false
}

/// `-abxVALUE`; whether the next element was taken as the value, or `None` when gh stops here to print help.
fn parse_shorts(
    cluster: &str,
    index: usize,
    next: Option<(usize, &str)>,
    parsed: &mut Parsed,
) -> Option<bool> {
    let mut rest = cluster;
    while let Some(letter) = rest.chars().next() {
        let clustered = rest.len() < cluster.len();
        let after = &rest[letter.len_utf8()..];
        let Some(flag) = parsed.leaf.short(letter) else {
            if letter == 'h' {
                parsed.help = parsed.problems.is_empty();
                return None;
            }
            parsed
                .problems
                .push(Problem::UnknownFlag(format!("-{letter}")));
            // What follows may be more letters: looking at them shows more of what the call could do.
            rest = after;
            continue;
        };
        if after.len() > 1 && after.starts_with('=') {
            parsed.give(flag, Some(&after[1..]), index..index + 1, clustered);
            return Some(false);
        }
        if flag.arity != Arity::Value {
            parsed.give(flag, None, index..index + 1, cluster.len() > 1);
            rest = after;
            continue;
        }
        if !after.is_empty() {
            parsed.give(flag, Some(after), index..index + 1, clustered);
            return Some(false);
        }
        if let Some((value_at, value)) = next {
            parsed.give(flag, Some(value), index..value_at + 1, clustered);
            return Some(true);
        }
        parsed
            .problems
            .push(Problem::MissingValue(format!("-{letter}")));
        return Some(false);
    }
    Some(false)
}
