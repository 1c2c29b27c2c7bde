//! A parsed call: what was given, what of it counts, which hosts it names, and how a flag is put into it.

use std::ops::Range;

use super::host;
use crate::gh::catalog::{Arity, Flag, HostBy, Leaf, Positionals};
use crate::gh::effects::Says;

crate::foreign::debug_by_name!(Given, Positional, Problem, Parsed);

/// Commands that want a pull request named as soon as `-R` is given.
const NEED_PULL_REQUEST_WITH_REPO: &[&str] = &[
    "pr checks",
    "pr comment",
    "pr diff",
    "pr merge",
    "pr ready",
    "pr review",
    "pr update-branch",
    "pr view",
];

/// One flag as given.
#[derive(Clone)]
pub struct Given {
    /// The flag, under its canonical name.
    pub flag: &'static Flag,
    /// Its value; `None` for a boolean without `=`.
    pub value: Option<String>,
    /// The elements of argv that hold it: two when the value stands alone, else one (shared in a cluster).
    pub at: Range<usize>,
    /// Whether other short flags share the element.
    pub clustered: bool,
}

impl Given {
    /// Whether a boolean is on; `None` when its value is no boolean, which gh refuses.
    pub fn on(&self) -> Option<bool> {
        match self.value.as_deref() {
            None | Some("1" | "t" | "T" | "true" | "TRUE" | "True") => Some(true),
            Some("0" | "f" | "F" | "false" | "FALSE" | "False") => Some(false),
            Some(_) => None,
        }
    }
}

/// One positional argument.
#[derive(Clone, PartialEq, Eq)]
pub struct Positional {
    /// Its text.
    pub text: String,
    /// Its place in argv.
    pub index: usize,
}

/// Why gh would refuse the flags of a command that it knows.
#[derive(Clone, PartialEq, Eq)]
pub enum Problem {
    /// A flag that no catalogued version knows here.
    UnknownFlag(String),
    /// The last flag lacks its value.
    MissingValue(String),
    /// `--web=maybe`.
    BadBoolean(String),
    /// `---x`, `--=x`.
    BadSyntax(String),
}

/// A call of a command that is in the catalog.
#[derive(Clone)]
pub struct Parsed {
    /// The command.
    pub leaf: &'static Leaf,
    /// Its flags in the order given.
    pub flags: Vec<Given>,
    /// Its positionals.
    pub positionals: Vec<Positional>,
    /// The places of the command's words.
    pub words: Vec<usize>,
    /// The place of `--`, if it ends the flags.
    pub dashes: Option<usize>,
    /// Whether only help is printed.
    pub help: bool,
    /// What gh would refuse.
    pub problems: Vec<Problem>,
    /// Whether every catalogued version knows each word by which the command was named.
    pub everywhere: bool,
    /// How many elements argv has.
    pub len: usize,
}

impl Parsed {
    pub(super) fn give(
        &mut self,
        flag: &'static Flag,
        value: Option<&str>,
        at: Range<usize>,
        clustered: bool,
    ) {
        let given = Given {
            flag,
            value: value.map(str::to_owned),
            at,
            clustered,
        };
        if flag.arity == Arity::Nothing && given.on().is_none() {
            self.problems.push(Problem::BadBoolean(format!(
                "--{}={}",
                flag.name,
                given.value.as_deref().unwrap_or_default()
            )));
        }
        self.flags.push(given);
    }

    /// The last flag given with the long name `name`: the one that counts.
    pub fn flag(&self, name: &str) -> Option<&Given> {
        self.flags.iter().rev().find(|g| g.flag.name == name)
    }

    /// The value that counts of the flag `name`.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.flag(name)?.value.as_deref()
    }

    /// Whether the boolean `name` is on in the end.
    pub fn is_on(&self, name: &str) -> bool {
        self.flag(name).is_some_and(|g| g.on() != Some(false))
    }

    /// All flags given with the long name `name`.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &Given> {
        self.flags.iter().filter(move |g| g.flag.name == name)
    }

    /// Where a flag can be inserted into argv: before `--`, else at the end.
    pub fn insert_at(&self) -> usize {
        self.dashes.unwrap_or(self.len)
    }

    /// `argv` with the flag `name` at `value`: every place where it was given is changed, and where it was not, it is inserted.
    /// The result parses to the same command and the same other flags.
    pub fn with_flag(&self, argv: &[String], name: &str, value: &str) -> Vec<String> {
        let mut out = argv.to_vec();
        let mut placed = false;
        for given in self.all(name).filter(|g| !g.clustered) {
            let alone = given.at.len() > 1;
            let long = argv[given.at.start].starts_with("--");
            out[given.at.end - 1] = match (alone, long) {
                (true, _) => value.to_owned(),
                (false, true) => format!("--{name}={value}"),
                (false, false) => format!("-{}={value}", given.flag.short.unwrap_or('?')),
            };
            placed = true;
        }
        if !placed || self.all(name).any(|g| g.clustered) {
            let at = self.insert_at();
            out.splice(at..at, [format!("--{name}"), value.to_owned()]);
        }
        out
    }

    /// Every host that argv itself names, in the order found, as gh would read it but lower-cased; foreign ones as well as odd ones.
    ///
    /// Looks at `-R` and other values that name a repository, `--hostname`, `--host`, URL and `HOST/OWNER/REPO` positionals,
    /// and full URLs given to `gh api`.
    pub fn hosts_named(&self) -> Vec<String> {
        let mut hosts = Vec::new();
        for given in &self.flags {
            let Some(value) = given.value.as_deref() else {
                continue;
            };
            let named = match given.flag.row.map(|r| r.says) {
                Some(Says::NamesHost) => Some(host::clean(value)),
                Some(Says::NamesRepo) => host::of_repository(value),
                _ => None,
            };
            hosts.extend(named);
        }
        for (nth, positional) in self.positionals.iter().enumerate() {
            hosts.extend(self.host_in_positional(nth, &positional.text));
        }
        hosts.dedup();
        hosts
    }

    /// How this call learns its host: as its leaf does, but for secrets, variables and rulesets of an organization or a user `-R` selects
    /// nothing, and gh asks its default host (`GH_HOST`).
    pub fn host_by(&self) -> HostBy {
        let group = self.leaf.path.split(' ').next().unwrap_or_default();
        let of_account = self.value("org").is_some_and(|org| !org.is_empty())
            || self
                .flag("user")
                .is_some_and(|user| user.on() != Some(false));
        if of_account && matches!(group, "secret" | "variable" | "ruleset") {
            return HostBy::Env;
        }
        self.leaf.host
    }

    /// Whether gh refuses this call once it has `-R`, because it then no longer looks for the branch's pull request by itself:
    /// a number, URL or branch must be given (gh 2.92.0 and 2.103.3).
    pub fn lacks_pull_request(&self) -> bool {
        self.positionals.is_empty()
            && NEED_PULL_REQUEST_WITH_REPO.contains(&self.leaf.path.as_str())
    }

    /// The host in the positional `text`, the `nth`, as far as this leaf looks for one there.
    fn host_in_positional(&self, nth: usize, text: &str) -> Option<String> {
        match self.leaf.positionals {
            Positionals::UrlThenRepository if nth > 0 => host::of_repository(text),
            Positionals::Url | Positionals::UrlThenRepository => host::of_url(text),
            Positionals::Repository => host::of_repository(text),
            Positionals::Text if self.leaf.path == "api" => host::of_url(text),
            Positionals::Text | Positionals::None => None,
        }
    }
}
