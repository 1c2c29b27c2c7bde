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
//! | `gitRoot` | a directory of bare repositories `OWNER/NAME.git`, from which branches and commits are read: [`crate::git`] |
//! | `fails` | mutation → `{"type", "message"}`, with which it fails; with `of` only where its input has that value: [`crate::writes`] |
//!
//! The `pulls` and `issues` of a repository are lists of objects with a `number`, or objects with such `nodes` and a `totalCount`.
//! A repository in a repository or pull request (`parent`, `headRepository`, `baseRepository`) is an object with `nameWithOwner` and the
//! members that differ from that repository, or the name alone; a fork has `isFork` and `parent`.
//! Strings may contain the `{…}` of [`crate::place`].
//!
//! Writes are remembered while the lab runs, whatever becomes of the files ([`crate::memory`]).

use crate::memory::{Memory, entries};
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
    all: Arc<Value>,
    rest: Arc<Vec<Value>>,
    /// How many rows of `rest`, from the first, came from `--fixtures`.
    own_rows: usize,
    memory: Arc<Memory>,
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
            && let Ok(mut world) = World::load(self.dir.as_deref())
        {
            world.memory = Arc::clone(&last.1.memory);
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
        let own_rows = rest.len();
        if let Value::Array(rows) = parse("the embedded rest.json", EMBEDDED_REST)? {
            rest.extend(rows);
        }
        let mut rest = Value::Array(rest);
        expand(&mut all);
        expand(&mut rest);
        let Value::Array(rest) = rest else {
            unreachable!("expanding a list leaves a list")
        };
        Ok(Self {
            all: Arc::new(all),
            rest: Arc::new(rest),
            own_rows,
            memory: Arc::default(),
        })
    }

    /// Returns the rows of rest.json of `--fixtures`, and the embedded rows.
    pub fn rest(&self) -> (&[Value], &[Value]) {
        self.rest.split_at(self.own_rows)
    }

    /// Returns the changes by the writes that the lab answered.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the same world with a memory of its own, for a request that is refused: what it writes is forgotten.
    pub fn apart(&self) -> Self {
        Self {
            memory: Arc::new(self.memory.copy()),
            ..self.clone()
        }
    }

    /// Returns the failure of the mutation `name` with the arguments `input`, if the fixtures have one.
    pub fn failure(&self, host: &str, name: &str, input: &Value) -> Option<Value> {
        let failure = self.member(host, "fails")[name].clone();
        let of = &failure["of"];
        let applies = of.is_null()
            || input
                .as_object()
                .is_some_and(|input| input.values().any(|value| value == of));
        (failure.is_object() && applies).then_some(failure)
    }

    /// Returns the directory of the bare repositories of `host`, if the fixtures name one.
    pub fn git_root(&self, host: &str) -> Option<PathBuf> {
        self.member(host, "gitRoot").as_str().map(PathBuf::from)
    }

    /// Returns the repositories of `host` that the fixtures name.
    pub fn repositories(&self, host: &str) -> Vec<String> {
        let repos = self.member(host, "repos");
        let names = repos
            .as_object()
            .into_iter()
            .flat_map(serde_json::Map::keys);
        names.filter(|name| name.contains('/')).cloned().collect()
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
        self.memory.lay_over(place, &mut repo["pulls"]);
        repo["pullRequests"] = repo["pulls"].clone();
        // GitHub lets the viewer take what they may write.
        let viewer = self.viewer(&place.host);
        if let Some(users) = repo["assignableUsers"].as_array_mut()
            && users.iter().all(|user| user["login"] != viewer["login"])
        {
            users.push(viewer);
        }
        repo
    }

    /// Returns the place of the repository of `base` that belongs to `owner`: itself, the fork whose `parent` it is, or one of the same name.
    pub fn fork_of(&self, base: &Place, owner: &str) -> Place {
        let at = |owner: &str, repo: &str| Place {
            owner: owner.to_owned(),
            repo: repo.to_owned(),
            ..base.clone()
        };
        if owner == base.owner {
            return base.clone();
        }
        let parent = format!("{}/{}", base.owner, base.repo);
        let names = self.repositories(&base.host);
        let fork = names
            .iter()
            .filter_map(|name| name.split_once('/'))
            .find(|(login, repo)| {
                let known = &self.repository(&at(login, repo))["parent"];
                *login == owner && (known == &parent || known["nameWithOwner"] == parent)
            });
        at(owner, fork.map_or(&base.repo, |(_, repo)| repo))
    }

    /// Returns the pull request or issue `number` of the repository of `place`: its fixture or, without one, a made-up object for a
    /// number below [`NOT_FOUND_FROM`] and `None` for a larger one.
    pub fn numbered(&self, kind: Kind, place: &Place, number: i64) -> Option<Value> {
        let made_up = || {
            (1..NOT_FOUND_FROM).contains(&number).then(|| {
                let bare = json!({ "number": number });
                if kind == Kind::Pull {
                    self.memory.over(place, number, &bare)
                } else {
                    bare
                }
            })
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
        if id.starts_with("PRRT_") {
            return Some((
                "PullRequestReviewThread".to_owned(),
                self.thread(id, place)?,
            ));
        }
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

    /// Returns the review thread `id`; sets `place` to the place of its pull request.
    ///
    /// An id of the fixtures names no repository, and the defaults of all repositories have threads too.  So the thread is looked for where
    /// the fixtures name the repository and its pull requests, then in the repositories of earlier writes and requests, then in `o/r`.
    pub fn thread(&self, id: &str, place: &mut Place) -> Option<Value> {
        let repos = self.member(&place.host, "repos");
        let mut names = self.repositories(&place.host);
        names.retain(|name| !repos[name]["pulls"].is_null());
        names.extend(self.memory.repositories(&place.host));
        names.push("o/r".to_owned());
        for name in names {
            let Some((owner, repo)) = name.split_once('/') else {
                continue;
            };
            let mut at = Place {
                owner: owner.to_owned(),
                repo: repo.to_owned(),
                ..place.clone()
            };
            let mut pulls = self.repository(&at)["pulls"].take();
            for number in self.memory.unlisted(&at) {
                entries(&mut pulls).extend(self.numbered(Kind::Pull, &at, number));
            }
            for pull in entries(&mut pulls) {
                at.number = pull["number"].as_i64().unwrap_or(1);
                let threads = entries(&mut pull["reviewThreads"]);
                if let Some(thread) = threads
                    .iter()
                    .find(|one| one["id"].as_str().is_some_and(|own| at.fill(own) == id))
                {
                    *place = at;
                    return Some(thread.clone());
                }
            }
        }
        None
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
