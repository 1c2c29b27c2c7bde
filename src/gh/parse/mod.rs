//! From argv to command, flags and positionals, by gh's own rules (cobra finds the command, pflag parses its flags).
//!
//! The parser says what stands in argv; [`crate::gh::judge`] judges it.  Rules as seen in gh 2.92.0 and 2.103.3:
//! - While cobra looks for the command, an element that begins with a dash, has no `=` and is no boolean known at the current level
//!   swallows the next element (`--repo`), and `--` ends the search.
//! - Then the command's flags, inherited ones too, may stand anywhere before `--`: `--x v`, `--x=v`, `-xv`, `-x=v`, `-abxv`;
//!   the last one wins. Long names are exact. A boolean takes a value only after `=`.

mod call;
pub mod host;

pub use call::{Beside, GivenFlag, Parsed, Positional, Problem, ValueAt};

use crate::gh::catalog::{Arity, Catalog, Leaf, Node};

/// The command that argv names.
#[derive(Clone, Debug)]
pub enum Named {
    /// A command of the catalog, or `gh` itself.
    Command(Box<Parsed>),
    /// A word that no catalogued version has at this place: an alias, an extension, a newer command, a mistake.
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

/// The index in `rest` of the word that names the next command, as cobra finds it.
///
/// cobra walks over the elements twice: first to find the word (a flag that could take a value ends this walk when fewer than two elements
/// follow it), then to take out the first element equal to the word.  Both walks skip the same elements, so both find one place.
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

/// Whether `element`, met while cobra looks for the command, swallows the next element.
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

/// Reads `--NAME` or `--NAME=VALUE`; returns whether the next element was taken as the value.
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
        (Some(value), _) => parsed.add_flag(flag, Some(value), index..index + 1, false),
        (None, Arity::Nothing | Arity::Optional) => {
            parsed.add_flag(flag, None, index..index + 1, false);
        }
        (None, Arity::Value) => match next {
            Some((after, value)) => {
                parsed.add_flag(flag, Some(value), index..after + 1, false);
                return true;
            }
            None => parsed
                .problems
                .push(Problem::MissingValue(format!("--{name}"))),
        },
    }
    false
}

/// Reads `-abxVALUE`; returns whether the next element was taken as the value, or `None` when gh stops here to print help.
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
            // The rest may be more letters: reading them shows more of what the call could do.
            rest = after;
            continue;
        };
        if after.len() > 1 && after.starts_with('=') {
            parsed.add_flag(flag, Some(&after[1..]), index..index + 1, clustered);
            return Some(false);
        }
        if flag.arity != Arity::Value {
            parsed.add_flag(flag, None, index..index + 1, cluster.len() > 1);
            rest = after;
            continue;
        }
        if !after.is_empty() {
            parsed.add_flag(flag, Some(after), index..index + 1, clustered);
            return Some(false);
        }
        if let Some((value_at, value)) = next {
            parsed.add_flag(flag, Some(value), index..value_at + 1, clustered);
            return Some(true);
        }
        parsed
            .problems
            .push(Problem::MissingValue(format!("-{letter}")));
        return Some(false);
    }
    Some(false)
}
