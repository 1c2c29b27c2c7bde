//! Creates a pull request, and refuses what GitHub refuses: a second one for the same branches, and one without commits.

use super::{Refused, viewer};
use crate::git::{self, Bare};
use crate::place::Place;
use crate::world::{Kind, World};
use serde_json::{Value, json};

/// Creates a pull request by `createPullRequest`, whose `headRefName` is `BRANCH` or `OWNER:BRANCH`.
pub fn create(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    let id = input["repositoryId"].as_str().unwrap_or("");
    match world.node(id, place) {
        Some((kind, _)) if kind == "Repository" => {}
        _ => return Err(Refused::no_node(id)),
    }
    let text = |name: &str| input[name].as_str().unwrap_or("");
    if text("title").trim().is_empty() {
        return Err(Refused::unprocessable("Title can't be blank"));
    }
    let head = Head::of(world, place, input);
    let base = text("baseRefName");
    if is_open(world, place, base, &head) {
        return Err(Refused::unprocessable(format!(
            "A pull request already exists for {}:{}.",
            head.place.owner, head.branch
        )));
    }
    has_commits(world, place, base, &head)?;
    place.number = next_number(world, place);
    let created = made(world, place, input, &head);
    world.memory().change(place, place.number, |changes| {
        changes.created = Some(created);
    });
    if let (Some(base), Some(from)) = (Bare::open(world, place), Bare::open(world, &head.place)) {
        base.take_head(&from, &head.branch, place.number);
    }
    let pull = world.numbered(Kind::Pull, place, place.number);
    Ok(json!({ "pullRequest": pull }))
}

/// The branch from which a pull request comes.
struct Head {
    /// The place of the repository.
    place: Place,
    branch: String,
    crosses: bool,
}

impl Head {
    /// Returns the head that `input` names: in the repository `headRepositoryId`, else in the fork of the owner before the colon.
    fn of(world: &World, base: &Place, input: &Value) -> Self {
        let named = input["headRefName"].as_str().unwrap_or("");
        let (owner, branch) = named.split_once(':').unwrap_or((&base.owner, named));
        let mut place = base.clone();
        if world
            .node(input["headRepositoryId"].as_str().unwrap_or(""), &mut place)
            .is_none()
        {
            place = world.fork_of(base, owner);
        }
        Self {
            crosses: (&place.owner, &place.repo) != (&base.owner, &base.repo),
            branch: branch.to_owned(),
            place,
        }
    }
}

/// Whether the repository of `place` has an open pull request of `head` into `base`.
fn is_open(world: &World, place: &Place, base: &str, head: &Head) -> bool {
    let repo = world.repository(place);
    let pulls = repo["pulls"]
        .as_array()
        .or_else(|| repo["pulls"]["nodes"].as_array());
    pulls.into_iter().flatten().any(|pull| {
        let owner = pull["headRepositoryOwner"]["login"]
            .as_str()
            .map_or(place.owner.clone(), |owner| place.fill(owner));
        pull["state"].as_str().unwrap_or("OPEN") == "OPEN"
            && pull["headRefName"] == head.branch
            && pull["baseRefName"].as_str().unwrap_or("main") == base
            && owner == head.place.owner
    })
}

/// An error if the bare repositories, where the world has some, show that `head` has no commits that `base` lacks.
fn has_commits(world: &World, place: &Place, base: &str, head: &Head) -> Result<(), Refused> {
    let Some(repo) = Bare::open(world, place) else {
        return Ok(());
    };
    let names = if head.crosses {
        (
            format!("{}:{base}", place.owner),
            format!("{}:{}", head.place.owner, head.branch),
        )
    } else {
        (base.to_owned(), head.branch.clone())
    };
    let none = format!("No commits between {} and {}", names.0, names.1);
    let from = Bare::open(world, &head.place).unwrap_or_else(|| repo.clone());
    let tip = from.oid(&git::branch(&head.branch));
    let onto = repo.oid(&git::branch(base));
    let (Some(tip), Some(onto)) = (&tip, &onto) else {
        let missing = [
            (&tip, "Head sha can't be blank"),
            (&onto, "Base sha can't be blank"),
        ];
        let mut said: Vec<&str> = missing
            .iter()
            .filter(|(oid, _)| oid.is_none())
            .map(|(_, text)| *text)
            .collect();
        said.push(&none);
        if tip.is_none() {
            said.push("Head ref must be a branch");
        }
        if onto.is_none() {
            said.push("Base ref must be a branch");
        }
        return Err(Refused::unprocessable(said.join(", ")));
    };
    match repo.with(&from).ahead_behind(onto, tip) {
        Some((0, _)) => Err(Refused::unprocessable(none)),
        _ => Ok(()),
    }
}

/// Returns one more than the largest number of a pull request or issue of `place`, in the fixtures or made.
fn next_number(world: &World, place: &Place) -> i64 {
    let repo = world.repository(place);
    let lists = ["pulls", "issues"].iter();
    let lists = lists.filter_map(|name| {
        repo[*name]
            .as_array()
            .or_else(|| repo[*name]["nodes"].as_array())
    });
    let largest = lists
        .flatten()
        .filter_map(|one| one["number"].as_i64())
        .max();
    largest.unwrap_or(0).max(world.memory().largest(place)) + 1
}

fn made(world: &World, place: &Place, input: &Value, head: &Head) -> Value {
    let name = format!("{}/{}", head.place.owner, head.place.repo);
    let owner = json!({ "login": head.place.owner, "id": format!("U_{}", head.place.owner), "name": head.place.owner });
    let mut pull = json!({
        "number": place.number, "title": input["title"], "body": input["body"].as_str().unwrap_or(""), "state": "OPEN",
        "closed": false, "merged": false, "isDraft": input["draft"] == true, "author": viewer(world, place), "viewerDidAuthor": true,
        "baseRefName": input["baseRefName"], "headRefName": head.branch, "isCrossRepository": head.crosses,
        "headRepository": { "id": format!("R_{name}"), "name": head.place.repo, "nameWithOwner": name, "owner": owner },
        "headRepositoryOwner": owner, "maintainerCanModify": input["maintainerCanModify"].as_bool().unwrap_or(true),
        "createdAt": "2026-06-01T12:00:00Z", "updatedAt": "2026-06-01T12:00:00Z", "autoMergeRequest": null, "mergedBy": null,
        "mergeCommit": null, "milestone": null, "closedAt": null, "mergedAt": null, "mergeStateStatus": "CLEAN",
    });
    for name in [
        "labels",
        "assignees",
        "assignedActors",
        "reviewRequests",
        "reviews",
        "latestReviews",
        "latestOpinionatedReviews",
        "reviewThreads",
        "comments",
        "projectItems",
        "closingIssuesReferences",
        "reactionGroups",
    ] {
        pull[name] = json!([]);
    }
    pull
}
