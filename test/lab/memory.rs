//! What the writes of a running lab changed, by host and repository; [`crate::world::World`] lays it over the fixtures.
//!
//! The fixtures may be replaced while the lab runs.  So each change is kept as what was added or set, not as the object that came of it: a
//! thread that was resolved stays resolved when its fixture gets a further comment.

use crate::place::Place;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Numbers in the ids of made objects start here, above those of the fixtures.
const FIRST: u64 = 9001;

/// The changes of all repositories.
#[derive(Debug, Default)]
pub struct Memory {
    kept: Mutex<Kept>,
    /// Held for the whole of a write, so that two creations at once get two numbers.
    writing: Mutex<()>,
}

#[derive(Debug, Default, Clone)]
struct Kept {
    /// Host and `OWNER/NAME` → number → the changes of that pull request.
    repos: BTreeMap<(String, String), BTreeMap<i64, Changes>>,
    /// The repositories that requests named, the latest last.
    seen: Vec<(String, String)>,
    made: u64,
}

/// The changes of one pull request.
#[derive(Debug, Default, Clone)]
pub struct Changes {
    /// The pull request itself, if a write made it.
    pub created: Option<Value>,
    /// Members that replace those of the fixture.
    pub members: Map<String, Value>,
    pub reviews: Vec<Value>,
    /// Threads that reviews began.
    pub threads: Vec<Value>,
    /// By the id of a thread: members that replace its own.
    pub thread_members: BTreeMap<String, Map<String, Value>>,
    /// By the id of a thread: comments that are added to its own.
    pub replies: BTreeMap<String, Vec<Value>>,
}

impl Memory {
    /// Returns a guard for the whole of one write.
    pub fn write(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a memory with the same content, for a write whose outcome is thrown away.
    pub fn copy(&self) -> Self {
        Self {
            kept: Mutex::new(self.kept().clone()),
            writing: Mutex::default(),
        }
    }

    /// Returns a number for the id of a new object; each call returns another.
    pub fn number(&self) -> u64 {
        let mut kept = self.kept();
        kept.made += 1;
        FIRST - 1 + kept.made
    }

    /// Calls `change` with the changes of the pull request `number` of the repository of `place`.
    pub fn change(&self, place: &Place, number: i64, change: impl FnOnce(&mut Changes)) {
        let mut kept = self.kept();
        let repo = kept.repos.entry(key(place)).or_default();
        change(repo.entry(number).or_default());
    }

    /// Remembers that a request named the repository of `place`.
    pub fn see(&self, place: &Place) {
        let key = key(place);
        let mut kept = self.kept();
        kept.seen.retain(|known| *known != key);
        kept.seen.push(key);
    }

    /// Returns `OWNER/NAME` of the repositories of `host` that have changes or that requests named, the latter latest first.
    pub fn repositories(&self, host: &str) -> Vec<String> {
        let kept = self.kept();
        let changed = kept.repos.keys();
        let all = changed.chain(kept.seen.iter().rev());
        all.filter(|(own, _)| own == host)
            .map(|(_, name)| name.clone())
            .collect()
    }

    /// Returns the largest number of a pull request that was made in the repository of `place`, or 0.
    pub fn largest(&self, place: &Place) -> i64 {
        let kept = self.kept();
        let changes = kept.repos.get(&key(place)).into_iter().flatten();
        let made = changes.filter(|(_, changes)| changes.created.is_some());
        made.map(|(number, _)| *number).max().unwrap_or(0)
    }

    /// Whether a write changed the pull request `number` of the repository of `place`.
    pub fn has(&self, place: &Place, number: i64) -> bool {
        let kept = self.kept();
        kept.repos
            .get(&key(place))
            .is_some_and(|repo| repo.contains_key(&number))
    }

    /// Returns the numbers of the changed pull requests of `place` that no write made.  Some may be made up, so that no list has them.
    pub fn unlisted(&self, place: &Place) -> Vec<i64> {
        let kept = self.kept();
        let changes = kept.repos.get(&key(place)).into_iter().flatten();
        let found = changes.filter(|(_, changes)| changes.created.is_none());
        found.map(|(number, _)| *number).collect()
    }

    /// Lays the changes of the repository of `place` over its member `pulls`: the newest pull request comes first, as gh asks for them.
    pub fn lay_over(&self, place: &Place, pulls: &mut Value) {
        let kept = self.kept();
        let Some(changes) = kept.repos.get(&key(place)) else {
            return;
        };
        let mut made = Vec::new();
        for (number, changes) in changes.iter().rev() {
            let place = &Place {
                number: *number,
                ..place.clone()
            };
            if let Some(created) = &changes.created {
                made.push(changes.over(created, place));
            } else if let Some(pull) = entries(pulls)
                .iter_mut()
                .find(|pull| pull["number"] == json!(number))
            {
                *pull = changes.over(pull, place);
            }
        }
        if !made.is_empty() {
            add(pulls, &made);
            entries(pulls).rotate_right(made.len());
        }
    }

    /// Returns `pull`, the made-up pull request `number`, with its changes.
    pub fn over(&self, place: &Place, number: i64, pull: &Value) -> Value {
        let kept = self.kept();
        let changes = kept
            .repos
            .get(&key(place))
            .and_then(|repo| repo.get(&number));
        changes.map_or(pull.clone(), |changes| changes.over(pull, place))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(place: &Place) -> (String, String) {
    (
        place.host.clone(),
        format!("{}/{}", place.owner, place.repo),
    )
}

/// Returns the entries of `list`, a fixture's list: an array, or an object with `nodes`.  Anything else becomes an empty array.
pub fn entries(list: &mut Value) -> &mut Vec<Value> {
    let nodes = list.is_object();
    let list = if nodes { &mut list["nodes"] } else { list };
    if !list.is_array() {
        *list = json!([]);
    }
    list.as_array_mut().expect("an array, by the lines above")
}

/// Adds `more` to a fixture's list, whose `totalCount` grows.
fn add(list: &mut Value, more: &[Value]) {
    if more.is_empty() {
        return;
    }
    entries(list).extend(more.iter().cloned());
    if let Some(total) = list.get("totalCount").and_then(Value::as_u64) {
        list["totalCount"] = json!(total + more.len() as u64);
    }
}

impl Changes {
    /// Returns `pull` at `place` with these changes.
    fn over(&self, pull: &Value, place: &Place) -> Value {
        let mut out = pull.clone();
        for (name, value) in &self.members {
            out[name] = value.clone();
        }
        add(&mut out["reviewThreads"], &self.threads);
        // Indexing made the member where the fixture has none; without it the threads are made up.
        remove_null(&mut out, "reviewThreads");
        if out["reviewThreads"] != Value::Null {
            for thread in entries(&mut out["reviewThreads"]) {
                self.over_thread(thread, place);
            }
        }
        self.over_reviews(&mut out);
        out
    }

    fn over_thread(&self, thread: &mut Value, place: &Place) {
        let Some(id) = thread["id"].as_str().map(|id| place.fill(id)) else {
            return;
        };
        for (name, value) in self.thread_members.get(&id).into_iter().flatten() {
            thread[name] = value.clone();
        }
        if let Some(replies) = self.replies.get(&id) {
            add(&mut thread["comments"], replies);
        }
    }

    /// Adds the reviews.  A review takes the place of its author's earlier one, and its author is no longer asked to review.
    fn over_reviews(&self, out: &mut Value) {
        let submitted = self
            .reviews
            .iter()
            .filter(|review| review["state"] != "PENDING");
        let submitted: Vec<&Value> = submitted.collect();
        add(&mut out["reviews"], &self.reviews);
        if self.reviews.is_empty() {
            // Indexing made the member, which no fixture has.
            remove_null(out, "reviews");
        }
        if submitted.is_empty() {
            return;
        }
        let mut opinions: Vec<&Value> = submitted.clone();
        opinions.retain(|review| has_opinion(review));
        if !opinions.is_empty() {
            if out["latestOpinionatedReviews"].is_null() {
                let known = entries(&mut out["latestReviews"]).clone();
                out["latestOpinionatedReviews"] = known.into_iter().filter(has_opinion).collect();
            }
            replace_by_author(&mut out["latestOpinionatedReviews"], &opinions);
            let latest = entries(&mut out["latestOpinionatedReviews"]);
            let against = latest
                .iter()
                .any(|review| review["state"] == "CHANGES_REQUESTED");
            out["reviewDecision"] = json!(if against {
                "CHANGES_REQUESTED"
            } else {
                "APPROVED"
            });
        }
        replace_by_author(&mut out["latestReviews"], &submitted);
        if !out["reviewRequests"].is_null() {
            let done = |one: &Value| {
                submitted
                    .iter()
                    .any(|review| review["author"]["login"] == one["requestedReviewer"]["login"])
            };
            entries(&mut out["reviewRequests"]).retain(|one| !done(one));
        }
    }
}

fn has_opinion(review: &Value) -> bool {
    review["state"] == "APPROVED" || review["state"] == "CHANGES_REQUESTED"
}

/// Adds `reviews` to `list`, each in place of those that its author wrote before.
fn replace_by_author(list: &mut Value, reviews: &[&Value]) {
    for review in reviews {
        let list = entries(list);
        list.retain(|one| one["author"]["login"] != review["author"]["login"]);
        list.push((*review).clone());
    }
}

/// Removes the member `name` of `object` if it is null.
fn remove_null(object: &mut Value, name: &str) {
    if let Some(members) = object.as_object_mut()
        && members.get(name).is_some_and(Value::is_null)
    {
        members.remove(name);
    }
}
