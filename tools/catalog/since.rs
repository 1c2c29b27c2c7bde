//! Finds which releases of gh have which words and flags of the catalog.
//!
//! Each release is asked for `gh help reference`, one page with every listed command. Commands that this page leaves out are
//! found by their own page, hidden flags by how gh parses them.  A flag counts only where it has the letter and the kind of
//! value that the catalog has.  A word or flag that cannot be found out counts as missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cj_gate::gh::catalog::help::{Page, ShownFlag, shown_flag};
use cj_gate::gh::catalog::version::{self, GhVersion, Version};
use cj_gate::gh::catalog::{Arity, Catalog, Flag, Leaf, Node};

use crate::ask::Gh;

/// The words (`pr ls`) and flags (`pr list --web`) of the catalog that one release has.
struct Release {
    version: Version,
    words: BTreeSet<String>,
    flags: BTreeSet<String>,
}

/// The text of fixtures/gh-since.json for the releases `binaries`, in any order.
pub fn json(binaries: &[std::path::PathBuf]) -> Result<String, String> {
    let mut releases = Vec::new();
    for binary in binaries {
        let gh = Gh::new(binary)?;
        let banner = gh.say(&["--version".to_owned()])?;
        let Ok(GhVersion::Numbered(version)) = version::parse(&banner) else {
            return Err(format!("{} says no version: {banner}", binary.display()));
        };
        let release = release(&gh, version)?;
        println!(
            "gh {version}: {} words, {} flags of the catalog",
            release.words.len(),
            release.flags.len()
        );
        releases.push(release);
    }
    releases.sort_by_key(|release| release.version);
    releases.dedup_by_key(|release| release.version);
    let names = names(&Catalog::get().root, "");
    let versions: Vec<String> = releases
        .iter()
        .map(|r| format!("\"{}\"", r.version))
        .collect();
    Ok(format!(
        "{{\"versions\": [{}],\n\"words\": {{{}\n}},\n\"flags\": {{{}\n}}}}\n",
        versions.join(", "),
        rows(&releases, &names.0, |release| &release.words),
        rows(&releases, &names.1, |release| &release.flags),
    ))
}

/// Every word and every flag of the catalog, from `node` down.
fn names(node: &Node, group: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let path = &node.leaf.path;
    let spelled = |name: &str| format!("{group} {name}").trim().to_owned();
    let mut words: BTreeSet<String> = node.words.iter().map(|w| spelled(&w.text)).collect();
    let mut flags: BTreeSet<String> = (node.leaf.flags.iter())
        .filter(|_| node.leaf.parses_flags)
        .map(|f| format!("{path} --{}", f.name).trim().to_owned())
        .collect();
    for child in &node.children {
        let below = names(child, path);
        words.extend(below.0);
        flags.extend(below.1);
    }
    (words, flags)
}

/// A row for each of `names` that some release lacks. The row lists, of the latest run of consecutive releases that have the name,
/// the first release and, where the newest release of all lacks the name, the last one. The list is empty for a name that no
/// release has.
fn rows(
    releases: &[Release],
    names: &BTreeSet<String>,
    of: impl Fn(&Release) -> &BTreeSet<String>,
) -> String {
    let mut stretches: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (nth, release) in releases.iter().enumerate() {
        for name in of(release) {
            match stretches.get_mut(name.as_str()) {
                Some((_, last)) if *last + 1 == nth => *last = nth,
                _ => {
                    stretches.insert(name, (nth, nth));
                }
            }
        }
    }
    let newest = releases.len() - 1;
    let mut text = String::new();
    for name in names {
        let comma = if text.is_empty() { "" } else { "," };
        let (first, last) = match stretches.get(name.as_str()) {
            Some((0, last)) if *last == newest => continue,
            Some(stretch) => *stretch,
            None => {
                let _ = write!(text, "{comma}\n\"{name}\": []");
                continue;
            }
        };
        let since = releases[first].version;
        let _ = write!(text, "{comma}\n\"{name}\": [\"{since}\"");
        if last < newest {
            let _ = write!(text, ", \"{}\"", releases[last].version);
        }
        text.push(']');
    }
    text
}

/// One command of `gh help reference`.
#[derive(Default)]
struct Section {
    aliases: Vec<String>,
    flags: Vec<ShownFlag>,
}

/// The commands of `text`, the output of `gh help reference`, by their path.
fn sections(text: &str) -> BTreeMap<String, Section> {
    let mut found: BTreeMap<String, Section> = BTreeMap::new();
    let mut path = String::new();
    let mut aliases = false;
    for line in text.lines() {
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            let usage = heading.trim().trim_matches('`');
            let words: Vec<&str> = usage
                .split_whitespace()
                .take_while(|w| {
                    w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && !w.starts_with('-')
                })
                .collect();
            aliases = false;
            path = match words.split_first() {
                Some((&"gh", rest)) if usage != "gh reference" => rest.join(" "),
                _ => String::new(),
            };
            found.entry(path.clone()).or_default();
        } else if line == "Aliases" {
            aliases = true;
        } else if let Some(section) = found.get_mut(&path) {
            if aliases {
                let spellings = line.split(',');
                section.aliases.extend(
                    spellings.filter_map(|s| Some(s.split_whitespace().last()?.to_owned())),
                );
            } else if line.trim_start().starts_with('-') {
                section.flags.extend(shown_flag(line, false));
            }
        }
    }
    found
}

/// Commands that the catalog has although gh has no help page of their own for them (see `STUBS` in ask.rs).
const STUBS: &[&str] = &["aw", "co", "stack"];

fn release(gh: &Gh, version: Version) -> Result<Release, String> {
    let reference = gh.say(&["help".to_owned(), "reference".to_owned()])?;
    let mut sections = sections(&reference);
    // The reference has no section for gh itself, and in new releases the sections leave out the flags of a whole group.
    for node in Catalog::get().root.walk() {
        let path = &node.leaf.path;
        if node.children.is_empty() || !(path.is_empty() || sections.contains_key(path)) {
            continue;
        }
        let flags = Page::new(&gh.run(path, &["--help"])?).flags();
        sections
            .entry(path.clone())
            .or_default()
            .flags
            .extend(flags);
    }
    let mut release = Release {
        version,
        words: BTreeSet::new(),
        flags: BTreeSet::new(),
    };
    visit(gh, &Catalog::get().root, &[], &sections, &mut release)?;
    Ok(release)
}

/// Adds the words and flags of `node`, and of all nodes below, that the release has to `release`.
fn visit(
    gh: &Gh,
    node: &Node,
    above: &[&Leaf],
    sections: &BTreeMap<String, Section>,
    release: &mut Release,
) -> Result<(), String> {
    let leaf = &node.leaf;
    let section = sections.get(&leaf.path);
    let group = above.last().map_or("", |leaf| leaf.path.as_str());
    let below = sections
        .keys()
        .any(|path| path.starts_with(&format!("{} ", leaf.path)));
    let there = match section {
        // A group of an old release is not the leaf that later got the same name.
        _ if STUBS.contains(&leaf.path.as_str()) => false,
        Some(_) => leaf.path.is_empty() || below != node.children.iter().all(|c| c.leaf.hidden),
        None => gh.exists(&leaf.path)?,
    };
    if !there {
        return Ok(());
    }
    let mut aliases = section.map_or(Vec::new(), |section| section.aliases.clone());
    // The reference of old releases leaves the aliases out; the command's own page has them.
    if aliases.is_empty() && node.words.len() > 1 {
        let page = Page::new(&gh.run(&leaf.path, &["--help"])?);
        aliases.extend(page.aliases().map(str::to_owned));
    }
    for word in &node.words {
        let own = leaf.path.rsplit(' ').next() == Some(&word.text);
        if own || aliases.contains(&word.text) {
            release
                .words
                .insert(format!("{group} {}", word.text).trim().to_owned());
        }
    }
    for flag in leaf.flags.iter().filter(|_| leaf.parses_flags) {
        let shown = std::iter::once(leaf)
            .chain(above.iter().rev().copied())
            .filter_map(|leaf| sections.get(&leaf.path))
            .find_map(|section| section.flags.iter().find(|f| f.name == flag.name));
        let there = match shown {
            Some(shown) => shown.short == flag.short && takes(gh, leaf, flag, shown)?,
            None if flag.name == "help" => true,
            // The reference leaves out a leaf's flags for commands below it.
            None if flag.hidden || !flag.inherited || section.is_none() => parses(gh, leaf, flag)?,
            None => false,
        };
        if there {
            let name = format!("{} --{}", leaf.path, flag.name);
            release.flags.insert(name.trim().to_owned());
        }
    }
    let mut path = above.to_vec();
    path.push(leaf);
    for child in &node.children {
        visit(gh, child, &path, sections, release)?;
    }
    Ok(())
}

/// Whether `flag`, which the reference shows as `shown`, takes a value as the catalog says.
fn takes(gh: &Gh, leaf: &Leaf, flag: &Flag, shown: &ShownFlag) -> Result<bool, String> {
    match shown.arity {
        Some(arity) if arity == flag.arity => Ok(true),
        // The word for a value can mislead, so the parser is asked.
        _ => parses(gh, leaf, flag),
    }
}

/// Whether gh parses `flag` as the catalog says. The call has `--help`, so gh runs no command.
fn parses(gh: &Gh, leaf: &Leaf, flag: &Flag) -> Result<bool, String> {
    let mut spellings = vec![format!("--{}", flag.name)];
    spellings.extend(flag.short.map(|letter| format!("-{letter}")));
    for spelling in spellings {
        let given = match flag.arity {
            Arity::Nothing if spelling.starts_with("--") => format!("{spelling}=true"),
            _ => spelling,
        };
        let text = gh.run(&leaf.path, &["--help", &given])?;
        let lacks = text.contains("flag needs an argument")
            || text.contains("Specify one or more comma-separated fields");
        let unknown = text.contains("unknown flag")
            || text.contains("unknown shorthand flag")
            || text.contains("invalid argument");
        if unknown || lacks != (flag.arity == Arity::Value) {
            return Ok(false);
        }
    }
    Ok(true)
}
