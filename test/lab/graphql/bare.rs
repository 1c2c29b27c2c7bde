//! The fields whose values come from bare repositories, where the world has a `gitRoot`: branches, commits, and what a pull request changes.

use super::Run;
use crate::git::{self, Bare};
use crate::place::Place;
use graphql_parser::query::Field;
use serde_json::{Value, json};

/// Fields of a pull request that a fixture decides where it has them, since it knows more of them than git: checks, for example.
const OF_FIXTURE_FIRST: &[&str] = &["commits", "files", "additions", "deletions", "changedFiles"];

impl Run<'_, '_> {
    /// Returns the value of `field` in an object of the type `kind` at `place` by the bare repositories; `known` is the object's fixture.
    /// `None` leaves the field to the fixtures.
    pub(super) fn git_value(
        &self,
        kind: &str,
        known: Option<&Value>,
        field: &Field<'static, String>,
        place: &Place,
    ) -> Option<Value> {
        if !matches!(kind, "Repository" | "PullRequest" | "Ref") {
            return None;
        }
        let repo = Bare::open(self.world, place)?;
        let known = known.unwrap_or(&Value::Null);
        let name = field.name.as_str();
        match kind {
            "Repository" => {
                let arguments = self.arguments(field);
                let text = |name: &str| arguments[name].as_str();
                match name {
                    "ref" => Some(reference(&repo, text("qualifiedName")?)),
                    "defaultBranchRef" => {
                        let known = &self.world.repository(place)[name]["name"];
                        Some(reference(&repo, known.as_str().unwrap_or("main")))
                    }
                    "object" => Some(
                        repo.object(text("oid").or(text("expression"))?)
                            .unwrap_or(Value::Null),
                    ),
                    _ => None,
                }
            }
            "Ref" if name == "compare" => {
                let head = self.arguments(field)["headRef"].as_str()?.to_owned();
                self.compare(&repo, known["name"].as_str()?, &head, place)
            }
            "PullRequest" if OF_FIXTURE_FIRST.contains(&name) && known.get(name).is_some() => None,
            "PullRequest" => self.of_pull(&repo, known, name, place),
            _ => None,
        }
    }

    fn of_pull(&self, repo: &Bare, pull: &Value, name: &str, place: &Place) -> Option<Value> {
        let base = pull["baseRefName"].as_str().unwrap_or("main");
        match name {
            "baseRefOid" => repo.oid(&git::branch(base)).map(Value::String),
            "baseRef" => {
                let mut found = reference(repo, base);
                if let (Some(compare), true) = (pull["baseRef"].get("compare"), found.is_object()) {
                    found["compare"] = compare.clone();
                }
                Some(found)
            }
            "headRefOid" => git::head_of(self.world, place, pull).map(Value::String),
            "headRef" => {
                let found = git::head_branch(place, pull).and_then(|(at, branch)| {
                    Some(reference(&Bare::open(self.world, &at)?, &branch))
                });
                Some(found.unwrap_or(Value::Null))
            }
            name if OF_FIXTURE_FIRST.contains(&name) => {
                let head = git::head_of(self.world, place, pull)?;
                let onto = repo.oid(&git::branch(base))?;
                let both =
                    git::head_branch(place, pull).and_then(|(at, _)| Bare::open(self.world, &at));
                let repo = both.map_or(repo.clone(), |fork| repo.with(&fork));
                Some(match name {
                    "commits" => repo
                        .between(&onto, &head)
                        .into_iter()
                        .map(|commit| json!({ "commit": commit }))
                        .collect(),
                    "files" => files(&repo.files(&onto, &head)),
                    "changedFiles" => json!(repo.files(&onto, &head).len()),
                    _ => json!(
                        repo.files(&onto, &head)
                            .iter()
                            .filter_map(|file| file[name].as_i64())
                            .sum::<i64>()
                    ),
                })
            }
            _ => None,
        }
    }

    /// Returns the `Comparison` of the branch `base` with `head`, which is `BRANCH` or `OWNER:BRANCH`.
    fn compare(&self, repo: &Bare, base: &str, head: &str, place: &Place) -> Option<Value> {
        let (owner, branch) = head.split_once(':').unwrap_or((&place.owner, head));
        let fork = self.world.fork_of(place, owner);
        let fork = Bare::open(self.world, &fork)?;
        let (onto, tip) = (
            repo.oid(&git::branch(base))?,
            fork.oid(&git::branch(branch))?,
        );
        let both = repo.with(&fork);
        let (ahead, behind) = both.ahead_behind(&onto, &tip)?;
        let status = git::status(ahead, behind).to_uppercase();
        Some(
            json!({ "aheadBy": ahead, "behindBy": behind, "status": status, "commits": both.between(&onto, &tip) }),
        )
    }
}

/// Returns the `Ref` with the name `name`, a branch or a full name, or null.
fn reference(repo: &Bare, name: &str) -> Value {
    let full = if name.starts_with("refs/") {
        name.to_owned()
    } else {
        git::branch(name)
    };
    let Some(target) = repo.object(&full) else {
        return Value::Null;
    };
    let mut prefixes = ["refs/heads/", "refs/tags/", "refs/"].iter();
    let (prefix, short) = prefixes
        .find_map(|prefix| Some((*prefix, full.strip_prefix(prefix)?)))
        .unwrap_or(("", &full));
    json!({ "__typename": "Ref", "id": format!("REF_{full}"), "name": short, "prefix": prefix, "target": target })
}

fn files(files: &[Value]) -> Value {
    let change = |file: &Value| match file["status"].as_str() {
        Some("added") => "ADDED",
        Some("removed") => "DELETED",
        _ => "MODIFIED",
    };
    let typed = files.iter().map(|file| {
        json!({ "path": file["path"], "additions": file["additions"], "deletions": file["deletions"], "changeType": change(file) })
    });
    typed.collect()
}
