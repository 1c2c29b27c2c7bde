//! The catalog: every command and flag that the two catalogued versions of `gh` know, as one tree.
//!
//! The facts come from `fixtures/gh-catalog/VERSION.json`, which the example `catalog` (tools/catalog) writes from what each real gh prints.
//! The catalog does not say what a command or flag *does*: [`super::rows`] decides that, row by row,
//! and the tree refers to each row. A command or flag without a row is undecided.

pub mod help;
pub mod since;
pub mod version;

use std::collections::HashMap;

use once_cell::sync::OnceCell;
use serde_json::Value;

use self::since::{Since, Span};
use super::rows::{self, FlagRow, LeafRow, Names};

/// The catalogs that are built in, oldest first: version and text.
pub const BUILT_IN: [(&str, &str); 2] = [
    (
        "2.92.0",
        include_str!("../../../fixtures/gh-catalog/2.92.0.json"),
    ),
    (
        "2.103.3",
        include_str!("../../../fixtures/gh-catalog/2.103.3.json"),
    ),
];

/// What a flag takes after its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// A boolean: nothing, or `=true` and the like.
    Nothing,
    /// A value, attached or in the next argument.
    Value,
    /// A value only when attached with `=`.
    Optional,
}

/// How a leaf learns which host it talks to, besides `GH_HOST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostBy {
    /// `-R [HOST/]OWNER/REPO`, inherited from the group.
    InheritedRepo,
    /// `-R [HOST/]OWNER/REPO`, the leaf's own.
    OwnRepo,
    /// `--hostname HOST`.
    Hostname,
    /// `--host HOST` (`gh config`).
    Host,
    /// `GH_HOST`, or a host in a positional.
    Env,
}

/// One flag of one command.
#[derive(Debug)]
pub struct Flag {
    /// The long name, without dashes.
    pub name: String,
    /// The short letter, if the flag has one.
    pub short: Option<char>,
    /// What the flag takes after its name.
    pub arity: Arity,
    /// Whether a group above the command defines the flag.
    pub inherited: bool,
    /// Whether no help page lists the flag.
    pub hidden: bool,
    /// Which releases of gh have the flag.
    pub span: Span,
    /// The decided row that says what the flag does; `None`: nobody has decided.
    pub row: Option<&'static FlagRow>,
}

/// One command: a leaf that runs, or a group.
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent facts about a command"
)]
#[derive(Debug)]
pub struct Leaf {
    /// The words that name it, without `gh`: `pr view`. Empty for `gh` itself.
    pub path: String,
    /// Whether the command does something by itself; a pure group only prints help.
    pub runs: bool,
    /// Whether no help page lists it.
    pub hidden: bool,
    /// Whether gh parses flags for the command at all.
    pub parses_flags: bool,
    /// How it learns its host.
    pub host: HostBy,
    /// Its flags, the inherited ones too.
    pub flags: Vec<Flag>,
    /// The fields that `--json` knows.
    pub json: Vec<String>,
    /// Whether every catalogued version has the command under this name.
    pub everywhere: bool,
    /// The decided row that says what the command does; `None`: nobody has decided.
    pub row: Option<&'static LeafRow>,
}

impl Flag {
    /// The kind of thing that its values name; a plain word where nothing is decided.
    pub fn value(&self) -> Names {
        self.row.map_or(Names::Word, |row| row.value)
    }
}

impl Leaf {
    /// The flag with the long name `name`.
    pub fn flag(&self, name: &str) -> Option<&Flag> {
        self.flags.iter().find(|f| f.name == name)
    }

    /// The flag with the letter `short`.
    pub fn short(&self, short: char) -> Option<&Flag> {
        self.flags.iter().find(|f| f.short == Some(short))
    }

    /// The kind of thing that positional number `nth`, from 0, names; a plain word where the leaf takes none or nothing is decided.
    pub fn positional(&self, nth: usize) -> Names {
        let names = self.row.map_or(&[][..], |row| row.positionals);
        let last = names.last().copied().unwrap_or(Names::Word);
        names.get(nth).copied().unwrap_or(last)
    }

    /// Whether `-R` takes `[HOST/]OWNER/REPO`, so that it selects the host.
    pub fn takes_repo(&self) -> bool {
        matches!(self.host, HostBy::InheritedRepo | HostBy::OwnRepo)
    }
}

/// One word for a command: its name or an alias.
#[derive(Debug)]
pub struct Word {
    /// The word as typed.
    pub text: String,
    /// Whether every catalogued version knows the word; where one does not, the user may have an alias of that name.
    pub everywhere: bool,
    /// Which releases of gh know it.
    pub span: Span,
}

/// A place in the tree.
#[derive(Debug)]
pub struct Node {
    /// The words that name the command: its name first, then its aliases.
    pub words: Vec<Word>,
    /// The command itself.
    pub leaf: Leaf,
    /// Its subcommands.
    pub children: Vec<Node>,
}

impl Node {
    /// The subcommand that `word` names, exactly as gh compares: whole and case-sensitive.
    pub fn child(&self, word: &str) -> Option<(&Node, &Word)> {
        self.children
            .iter()
            .find_map(|node| Some((node, node.words.iter().find(|w| w.text == word)?)))
    }

    /// This node and all below it.
    pub fn walk(&self) -> Vec<&Node> {
        let mut found = vec![self];
        for child in &self.children {
            found.extend(child.walk());
        }
        found
    }
}

/// The merged tree of several catalogs.
#[derive(Debug)]
pub struct Catalog {
    /// `gh` itself.
    pub root: Node,
}

/// Why a catalog cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Not JSON.
    #[error("the catalog is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A key is missing or of another type.
    #[error("the catalog lacks {0}")]
    Lacks(String),
    /// Two versions disagree on what a flag takes, so no one way to parse is right for both.
    #[error("--{flag} of `gh {path}` takes different things in different versions")]
    Disagree {
        /// The command.
        path: String,
        /// The flag.
        flag: String,
    },
}

impl Catalog {
    /// The built-in catalog, read at the first call (a few milliseconds) and kept.
    ///
    /// # Panics
    /// Where a committed catalog cannot be read, which a test rules out.
    pub fn get() -> &'static Self {
        static CATALOG: OnceCell<Catalog> = OnceCell::new();
        CATALOG.get_or_init(|| {
            Self::merge(&BUILT_IN.map(|(_, text)| text))
                .expect("the committed catalogs are read by a test")
        })
    }

    /// Reads catalogs, oldest first, into one tree.  Each command and word in the tree knows whether all catalogs have it.
    ///
    /// # Errors
    /// Where a catalog has another form, or two disagree on what a flag takes.
    pub fn merge(texts: &[&str]) -> Result<Self, CatalogError> {
        let mut root = Node {
            words: Vec::new(),
            leaf: read_leaf(&Value::from(""), &Value::Null),
            children: Vec::new(),
        };
        let mut seen = Seen::new();
        for text in texts {
            let value: Value = serde_json::from_str(text)?;
            let commands = value["commands"]
                .as_array()
                .ok_or_else(|| CatalogError::Lacks("commands".into()))?;
            for command in commands {
                let path = command["path"]
                    .as_str()
                    .ok_or_else(|| CatalogError::Lacks("path".into()))?;
                add(&mut root, path, command, &mut seen)?;
            }
        }
        settle(&mut root, texts.len(), &seen);
        Ok(Self { root })
    }

    /// Every command that runs.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.root
            .walk()
            .into_iter()
            .map(|n| &n.leaf)
            .filter(|l| l.runs)
    }

    /// The commands and flags that nobody has decided yet, such as `pr view` or `pr view --web`. Empty for the built-in catalog.
    pub fn undecided(&self) -> Vec<String> {
        let mut found = Vec::new();
        for leaf in self.leaves() {
            if leaf.row.is_none() {
                found.push(leaf.path.clone());
            }
            for flag in leaf.flags.iter().filter(|f| f.row.is_none()) {
                found.push(format!("{} --{}", leaf.path, flag.name));
            }
        }
        found
    }
}

/// The number of catalogs that have a word of a command, by path and word.
type Seen = HashMap<(String, String), usize>;

fn add(root: &mut Node, path: &str, command: &Value, seen: &mut Seen) -> Result<(), CatalogError> {
    let mut node = root;
    for word in path.split(' ').filter(|w| !w.is_empty()) {
        let at = if let Some(at) = node.children.iter().position(|c| c.words[0].text == word) {
            at
        } else {
            node.children.push(Node {
                words: vec![Word {
                    text: word.to_owned(),
                    everywhere: false,
                    span: Span::NEVER,
                }],
                leaf: read_leaf(&Value::Null, &Value::Null),
                children: Vec::new(),
            });
            node.children.len() - 1
        };
        node = &mut node.children[at];
    }
    let own = path.rsplit(' ').next().unwrap_or_default();
    let aliases = command["aliases"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    for word in std::iter::once(own).chain(aliases.iter().filter_map(Value::as_str)) {
        if !word.is_empty() && !node.words.iter().any(|w| w.text == word) {
            node.words.push(Word {
                text: word.to_owned(),
                everywhere: false,
                span: Span::NEVER,
            });
        }
        *seen.entry((path.to_owned(), word.to_owned())).or_default() += 1;
    }
    let newer = read_leaf(&command["path"], command);
    node.leaf.path = newer.path;
    node.leaf.runs |= newer.runs;
    node.leaf.hidden = newer.hidden;
    node.leaf.parses_flags = newer.parses_flags;
    node.leaf.host = newer.host;
    for field in newer.json {
        if !node.leaf.json.contains(&field) {
            node.leaf.json.push(field);
        }
    }
    for flag in newer.flags {
        match node.leaf.flags.iter().find(|f| f.name == flag.name) {
            None => node.leaf.flags.push(flag),
            Some(older) if older.arity == flag.arity && older.short == flag.short => {}
            Some(_) => {
                return Err(CatalogError::Disagree {
                    path: path.to_owned(),
                    flag: flag.name,
                });
            }
        }
    }
    Ok(())
}

/// Fills in the facts that need the whole tree: which words all catalogs have, since when each word exists, and the decided rows.
fn settle(node: &mut Node, catalogs: usize, seen: &Seen) {
    let path = node.leaf.path.clone();
    let since = Since::get();
    let group = path.rsplit_once(' ').map_or("", |(group, _)| group);
    for word in &mut node.words {
        word.span = since.word(format!("{group} {}", word.text).trim());
        word.everywhere = seen.get(&(path.clone(), word.text.clone())) == Some(&catalogs);
    }
    node.leaf.everywhere = node.words.first().is_none_or(|w| w.everywhere);
    node.leaf.row = rows::leaf(&path);
    for flag in &mut node.leaf.flags {
        flag.row = rows::flag(&path, &flag.name);
        flag.span = since.flag(&path, &flag.name);
    }
    for child in &mut node.children {
        settle(child, catalogs, seen);
    }
}

fn read_leaf(path: &Value, value: &Value) -> Leaf {
    let words = |key: &str| -> Vec<String> {
        value[key]
            .as_array()
            .map(|list| {
                list.iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            })
            .unwrap_or_default()
    };
    Leaf {
        path: path.as_str().unwrap_or_default().to_owned(),
        runs: value["runs"].as_bool().unwrap_or(false),
        hidden: value["hidden"].as_bool().unwrap_or(false),
        parses_flags: value["parses_flags"].as_bool().unwrap_or(true),
        host: match value["host"].as_str() {
            Some("inherited-repo") => HostBy::InheritedRepo,
            Some("own-repo") => HostBy::OwnRepo,
            Some("hostname") => HostBy::Hostname,
            Some("host") => HostBy::Host,
            _ => HostBy::Env,
        },
        flags: value["flags"]
            .as_array()
            .map(|list| list.iter().filter_map(read_flag).collect())
            .unwrap_or_default(),
        json: words("json"),
        everywhere: false,
        row: None,
    }
}

fn read_flag(value: &Value) -> Option<Flag> {
    Some(Flag {
        name: value["name"].as_str()?.to_owned(),
        short: value["short"].as_str().and_then(|s| s.chars().next()),
        arity: match value["takes"].as_str()? {
            "nothing" => Arity::Nothing,
            "optional" => Arity::Optional,
            _ => Arity::Value,
        },
        inherited: value["inherited"].as_bool().unwrap_or(false),
        hidden: value["hidden"].as_bool().unwrap_or(false),
        span: Span::NEVER,
        row: None,
    })
}
