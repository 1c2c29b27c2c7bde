//! The data of the stand-in for GitHub, for each host: fixtures, and made-up values where there is no fixture.
//!
//! Members of `world.json`:
//!
//! | member | meaning |
//! |---|---|
//! | `viewer` | the account of the tokens |
//! | `types` | type → field → value, for any object of that type |
//! | `owners` | login → `User` or `Organization` |
//! | `repos` | `OWNER/NAME` → repository, or `false` for one that does not exist; `"*"` has the defaults of all |
//! | `schema` | what introspection answers |
//! | `lacks` | `TYPE.FIELD`: fields that the host does not know |
//! | `hosts` | host → the same members, for that host alone |
//!
//! The `pulls` and `issues` of a repository are lists of objects with a `number`, or objects with such `nodes` and a `totalCount`.
//! Strings may contain the `{…}` of [`crate::place`].

use crate::place::{Place, overlay};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

const EMBEDDED_WORLD: &str = include_str!("../../fixtures/github/world.json");
const EMBEDDED_REST: &str = include_str!("../../fixtures/github/rest.json");

/// Pull requests and issues with this number or a larger one exist only as fixtures; smaller ones are made up.
pub const NOT_FOUND_FROM: i64 = 9000;

/// The fixtures of all hosts.
#[derive(Debug, Clone)]
pub struct World {
    all: Value,
    rest: Vec<Value>,
}

/// The times at which world.json and rest.json were last written.
type Written = [Option<SystemTime>; 2];

/// The current [`World`], which is read again after one of its files was replaced.
#[derive(Debug)]
pub struct Worlds {
    dir: Option<PathBuf>,
    last: Mutex<(Written, Arc<World>)>,
}

impl Worlds {
    /// Loads the world with the fixtures of `dir`; an error if one of its files cannot be read.
    pub fn load(dir: Option<&Path>) -> Result<Self, String> {
        let first = (written(dir), Arc::new(World::load(dir)?));
        Ok(Self {
            dir: dir.map(Path::to_owned),
            last: Mutex::new(first),
        })
    }

    /// Returns the world by the files as they are, or the world of the call before if a file cannot be read or parsed.
    pub fn now(&self) -> Arc<World> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let written = written(self.dir.as_deref());
        if last.0 != written
            && let Ok(world) = World::load(self.dir.as_deref())
        {
            *last = (written, Arc::new(world));
        }
        Arc::clone(&last.1)
    }
}

fn written(dir: Option<&Path>) -> Written {
    let of = |name: &str| {
        let data = std::fs::metadata(dir?.join(name)).ok()?;
        data.modified().ok()
    };
    [of("world.json"), of("rest.json")]
}

/// The objects of a repository that have a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Pull,
    Issue,
}

impl Kind {
    /// Returns the name of the GraphQL type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pull => "PullRequest",
            Self::Issue => "Issue",
        }
    }

    fn list(self) -> &'static str {
        match self {
            Self::Pull => "pulls",
            Self::Issue => "issues",
        }
    }
}

impl World {
    /// Loads the embedded fixtures; world.json of `dir` overrides members of them, and the rows of its rest.json are tried first.
    pub fn load(dir: Option<&Path>) -> Result<Self, String> {
        let parse = |name: &str, text: &str| {
            serde_json::from_str::<Value>(text).map_err(|error| format!("{name}: {error}"))
        };
        let mut all = parse("the embedded world.json", EMBEDDED_WORLD)?;
        let mut rest = Vec::new();
        if let Some(dir) = dir {
            let read = |name: &str| match std::fs::read_to_string(dir.join(name)) {
                Ok(text) => parse(name, &text).map(Some),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(format!("{name}: {error}")),
            };
            if let Some(over) = read("world.json")? {
                all = overlay(&all, &over);
            }
            if let Some(Value::Array(rows)) = read("rest.json")? {
                rest = rows;
            }
        }
        if let Value::Array(rows) = parse("the embedded rest.json", EMBEDDED_REST)? {
            rest.extend(rows);
        }
        let mut rest = Value::Array(rest);
        expand(&mut all);
        expand(&mut rest);
        let Value::Array(rest) = rest else {
            unreachable!("expanding a list leaves a list")
        };
        Ok(Self { all, rest })
    }

    /// Returns the rows of rest.json, with those of `--fixtures` first.
    pub fn rest(&self) -> &[Value] {
        &self.rest
    }

    /// Returns the member `name` of the world, with the values for `host` merged in.
    fn member(&self, host: &str, name: &str) -> Value {
        let own = &self.all["hosts"][host][name];
        if own.is_null() {
            self.all[name].clone()
        } else {
            overlay(&self.all[name], own)
        }
    }

    /// Returns the account of the tokens for `host`.
    pub fn viewer(&self, host: &str) -> Value {
        self.member(host, "viewer")
    }

    /// Returns the value of `field` that all objects of the type `kind` have, if the fixtures name one.
    pub fn of_type(&self, host: &str, kind: &str, field: &str) -> Option<Value> {
        let own = self.all["hosts"][host]["types"][kind].get(field);
        own.or_else(|| self.all["types"][kind].get(field)).cloned()
    }

    /// Whether `host` rejects a query for `field` of the type `kind`, as an older GitHub Enterprise Server does.
    pub fn lacks(&self, host: &str, kind: &str, field: &str) -> bool {
        let lacks = self.member(host, "lacks");
        let name = format!("{kind}.{field}");
        lacks
            .as_array()
            .is_some_and(|all| all.contains(&json!(name)))
    }

    /// Returns the type of the account `login`, `User` or `Organization`.
    pub fn owner_type(&self, host: &str, login: &str) -> String {
        let owners = self.member(host, "owners");
        owners[login].as_str().unwrap_or("User").to_owned()
    }

    /// Whether the repository of `place` exists: every repository does, unless a fixture says `false`.
    pub fn has_repository(&self, place: &Place) -> bool {
        let repos = self.member(&place.host, "repos");
        repos[format!("{}/{}", place.owner, place.repo)] != json!(false)
    }

    /// Returns the members of the repository of `place` that the fixtures have.
    pub fn repository(&self, place: &Place) -> Value {
        let repos = self.member(&place.host, "repos");
        let own = &repos[format!("{}/{}", place.owner, place.repo)];
        let mut repo = if own.is_null() {
            repos["*"].clone()
        } else {
            overlay(&repos["*"], own)
        };
        repo["pullRequests"] = repo["pulls"].clone();
        repo
    }

    /// Returns the pull request or issue `number` of the repository of `place`: its fixture or, without one, a made-up object for a
    /// number below [`NOT_FOUND_FROM`] and `None` for a larger one.
    pub fn numbered(&self, kind: Kind, place: &Place, number: i64) -> Option<Value> {
        let made_up = || {
            (1..NOT_FOUND_FROM)
                .contains(&number)
                .then(|| json!({ "number": number }))
        };
        self.known(kind, place, number).or_else(made_up)
    }

    /// Returns the fixture of the pull request or issue `number`, if there is one.
    pub fn known(&self, kind: Kind, place: &Place, number: i64) -> Option<Value> {
        let repo = self.repository(place);
        let list = &repo[kind.list()];
        let list = list.as_array().or_else(|| list["nodes"].as_array())?;
        list.iter()
            .find(|item| item["number"] == json!(number))
            .cloned()
    }

    /// Returns the type and the fixture of the object with a node id that [`crate::scalar::id`] made; sets `place` to the object's place.
    pub fn node(&self, id: &str, place: &mut Place) -> Option<(String, Value)> {
        let (prefix, rest) = id.split_once('_')?;
        let (name, number) = rest.split_once('#').unwrap_or((rest, ""));
        let (owner, repo) = name.split_once('/')?;
        let kind = match prefix {
            "PR" => Kind::Pull,
            "I" => Kind::Issue,
            "R" => {
                (place.owner, place.repo) = (owner.to_owned(), repo.to_owned());
                return Some(("Repository".to_owned(), self.repository(place)));
            }
            _ => return None,
        };
        (place.owner, place.repo) = (owner.to_owned(), repo.to_owned());
        place.number = number.parse().ok()?;
        Some((
            kind.name().to_owned(),
            self.numbered(kind, place, place.number)?,
        ))
    }

    /// Returns the answer of introspection for the type `kind`: `{"name", "fields": […], "enumValues": […], …}`.
    pub fn schema(&self, host: &str, kind: &str) -> Value {
        let known = &self.member(host, "schema")[kind];
        let named = |key: &str| match known[key].as_array() {
            Some(names) => names.iter().map(|name| json!({ "name": name })).collect(),
            None => Value::Array(Vec::new()),
        };
        json!({ "name": kind, "fields": named("fields"), "enumValues": named("enumValues"), "inputFields": named("inputFields") })
    }
}

/// Replaces each `{"repeat": N, "from": F, "of": X}` by a list of N copies of X, in which `{n}` and `"{#n}"` count from F.
fn expand(value: &mut Value) {
    let counted = |name: &str| value.get(name).and_then(Value::as_i64);
    if let (Some(times), Some(from)) = (counted("repeat"), counted("from")) {
        let of = value["of"].take();
        *value = (from..from + times).map(|n| numbered(&of, n)).collect();
        return;
    }
    match value {
        Value::Array(list) => list.iter_mut().for_each(expand),
        Value::Object(map) => map.values_mut().for_each(expand),
        _ => {}
    }
}

fn numbered(value: &Value, n: i64) -> Value {
    match value {
        Value::String(text) if text == "{#n}" => json!(n),
        Value::String(text) => json!(text.replace("{n}", &n.to_string())),
        Value::Array(list) => list.iter().map(|item| numbered(item, n)).collect(),
        Value::Object(map) => Value::Object(
            map.iter()
                .map(|(key, item)| (key.clone(), numbered(item, n)))
                .collect(),
        ),
        other => other.clone(),
    }
}
