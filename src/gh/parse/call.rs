//! A parsed call: the flags and positionals as given, which of them count, which hosts they name, and how a flag is put into a call.

use std::ops::Range;

use super::host;
use crate::gh::catalog::{Arity, Flag, Leaf, Word};
use crate::gh::rows::Names;

crate::foreign::debug_by_name!(GivenFlag, Positional, Problem, Parsed);

/// One flag of a call.
#[derive(Clone)]
pub struct GivenFlag {
    /// The flag, under its canonical name.
    pub flag: &'static Flag,
    /// Its value; `None` for a boolean without `=`.
    pub value: Option<String>,
    /// The elements of argv that hold the flag: two when its value stands alone, else one (which a cluster like `-sR` shares).
    pub at: Range<usize>,
    /// Whether other short flags share the element.
    pub clustered: bool,
}

impl GivenFlag {
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
    pub flags: Vec<GivenFlag>,
    /// Its positionals.
    pub positionals: Vec<Positional>,
    /// The places of the command's words in argv.
    pub words: Vec<usize>,
    /// The words themselves, each with the command that it names.
    pub named: Vec<(&'static Leaf, &'static Word)>,
    /// The place of `--`, if it ends the flags.
    pub dashes: Option<usize>,
    /// Whether gh only prints help.
    pub help: bool,
    /// Every mistake for which gh would refuse the call.
    pub problems: Vec<Problem>,
    /// Whether every catalogued version knows each word by which the command was named.
    pub everywhere: bool,
    /// How many elements argv has.
    pub len: usize,
}

impl Parsed {
    /// Notes a flag that argv gives, and the problem where it is a boolean with another value.
    pub(super) fn add_flag(
        &mut self,
        flag: &'static Flag,
        value: Option<&str>,
        at: Range<usize>,
        clustered: bool,
    ) {
        let given = GivenFlag {
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
    pub fn flag(&self, name: &str) -> Option<&GivenFlag> {
        self.flags.iter().rev().find(|g| g.flag.name == name)
    }

    /// The value of the last flag `name`: the one that counts.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.flag(name)?.value.as_deref()
    }

    /// Whether the last boolean `name` is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.flag(name).is_some_and(|g| g.on() != Some(false))
    }

    /// All flags given with the long name `name`.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &GivenFlag> {
        self.flags.iter().filter(move |g| g.flag.name == name)
    }

    /// Where a flag can be inserted into argv: before `--`, else at the end.
    pub fn insert_at(&self) -> usize {
        self.dashes.unwrap_or(self.len)
    }

    /// `argv` with the flag `name` set to `value`: each element that gives this flag alone is changed.  Where there is none, or the flag also
    /// stands in a cluster, the flag is inserted after all others.
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

    /// Every value in argv, those of flags first, each with its place and the kind of thing that its row says it names.
    pub fn values(&self) -> impl Iterator<Item = (ValueAt<'_>, Names, &str)> {
        let flags = self.flags.iter().filter_map(|given| {
            let names = given.flag.value();
            Some((
                ValueAt::Flag(&given.flag.name),
                names,
                given.value.as_deref()?,
            ))
        });
        let positionals = self.positionals.iter().enumerate();
        flags.chain(positionals.map(|(nth, positional)| {
            (
                ValueAt::Positional,
                self.leaf.positional(nth),
                positional.text.as_str(),
            )
        }))
    }

    /// Every host that argv itself names, as gh reads it, in lower case, those in flags first.  Unknown and oddly written hosts are among them.
    ///
    /// Looks at each value that, by the row of its flag or command, can name a host: `-R`, `--hostname`, repositories and URLs.
    pub fn hosts_named(&self) -> Vec<String> {
        let mut hosts: Vec<String> = self
            .values()
            .flat_map(|(_, names, value)| hosts_in(names, value))
            .collect();
        hosts.dedup();
        hosts
    }

    /// The organization or the account that this call works on in place of a repository, whatever `-R` says: secrets, variables and rulesets
    /// (gh 2.92.0 and 2.103.3).  `None` for any other call; gh ignores an empty `--org`.
    pub fn beside_repository(&self) -> Option<Beside<'_>> {
        self.leaf.row.filter(|row| row.beside)?;
        if let Some(org) = self.value("org").filter(|org| !org.is_empty()) {
            return Some(Beside::Organization(org));
        }
        let user = self.flag("user")?;
        (user.flag.arity == Arity::Nothing && self.is_on("user")).then_some(Beside::User)
    }
}

/// Where a value stands in argv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueAt<'a> {
    /// The flag of this name.
    Flag(&'a str),
    /// A positional.
    Positional,
}

/// The thing that a call works on in place of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside<'a> {
    /// A whole organization.
    Organization(&'a str),
    /// The account itself.
    User,
}

/// The hosts in `value`, read as the kind of thing that `names` says.
fn hosts_in(names: Names, value: &str) -> Vec<String> {
    let of_each = |of: fn(&str) -> Option<String>| {
        // gh splits this list at commas, and a URL may hold a comma: the hosts of both readings count.
        let whole = of_url_with_comma(value);
        whole
            .into_iter()
            .chain(value.split(',').filter_map(of))
            .collect()
    };
    match names {
        Names::Host => vec![host::canonical(value)],
        Names::Repository => of_each(host::of_repository),
        Names::Item => of_each(host::of_url),
        Names::Endpoint => host::of_url(value).into_iter().collect(),
        Names::Nothing | Names::Account | Names::Ref | Names::File | Names::Word | Names::Text => {
            Vec::new()
        }
    }
}

/// The host of a URL that holds a comma.
fn of_url_with_comma(value: &str) -> Option<String> {
    value.contains(',').then(|| host::of_url(value)).flatten()
}
