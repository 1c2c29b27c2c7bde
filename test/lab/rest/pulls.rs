//! Creates and reviews pull requests by REST, and shows by REST those that a write changed or whose branches are in a bare repository.

use super::bare;
use super::not_found;
use crate::git::{self, Bare};
use crate::http::{Request, Response, percent_decoded};
use crate::place::Place;
use crate::scalar;
use crate::world::{Kind, World};
use crate::writes::{self, Refused, review};
use serde_json::{Value, json};

/// Carries out a write of the path `below` the repository of `place`; `None` if it is none that is remembered.
pub fn write(world: &World, place: &Place, request: &Request, below: &[&str]) -> Option<Response> {
    if request.method != "POST" {
        return None;
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
    let mut place = place.clone();
    match below {
        ["pulls"] => {
            let fork = body["head_repo"].as_str().map(|name| {
                let owner = body["head"]
                    .as_str()
                    .and_then(|head| head.split(':').next())
                    .unwrap_or(&place.owner);
                format!("R_{owner}/{name}")
            });
            let input = json!({
                "repositoryId": scalar::id("Repository", &place), "baseRefName": body["base"], "headRefName": body["head"],
                "headRepositoryId": fork, "title": body["title"], "body": body["body"], "draft": body["draft"],
                "maintainerCanModify": body["maintainer_can_modify"],
            });
            let made = writes::carry_out(world, &mut place, "createPullRequest", &input)?;
            Some(made.map_or_else(
                |refused| refusal(&refused),
                |payload| Response::json(201, &rendered(world, &place, &payload["pullRequest"])),
            ))
        }
        ["pulls", number, "reviews"] => {
            place.number = number.parse().ok()?;
            let Some(pull) = world.numbered(Kind::Pull, &place, place.number) else {
                return Some(not_found());
            };
            let threads = body["comments"].as_array().into_iter().flatten().map(|comment| {
                json!({
                    "path": comment["path"], "body": comment["body"], "side": comment["side"], "startLine": comment["start_line"],
                    "startSide": comment["start_side"], "line": comment.get("line").or(comment.get("position")),
                })
            });
            let input = json!({
                "event": body["event"], "body": body["body"], "commitOID": body["commit_id"], "threads": threads.collect::<Vec<_>>(),
            });
            if let Some(refused) = writes::failure(world, &place, "addPullRequestReview", &input) {
                return Some(refusal(&refused));
            }
            let _whole = world.memory().write();
            let made = review::submit(world, &place, &pull, &input);
            Some(made.map_or_else(
                |refused| refusal(&refused),
                |review| Response::json(200, &rendered_review(&place, &review)),
            ))
        }
        _ => None,
    }
}

/// GitHub's answer to a write that it refuses.
fn refusal(refused: &Refused) -> Response {
    let (status, message) = match refused.kind.as_str() {
        "NOT_FOUND" => return not_found(),
        "FORBIDDEN" => (403, refused.message.as_str()),
        _ => (422, "Validation Failed"),
    };
    let mut body = json!({ "message": message, "documentation_url": "https://docs.github.com/rest", "status": status.to_string() });
    if status == 422 {
        body["errors"] =
            json!([{ "resource": "PullRequest", "code": "custom", "message": refused.message }]);
    }
    Response::json(status, &body)
}

/// Whether REST must show the pull request of `place` as it is now, not as an embedded row has it.
pub fn is_live(world: &World, place: &Place) -> bool {
    world.memory().has(place, place.number) || Bare::open(world, place).is_some()
}

/// Answers a read of the path `below` the repository of `place`; `None` leaves it to the embedded rows.
pub fn read(world: &World, place: &Place, request: &Request, below: &[&str]) -> Option<Response> {
    if request.method != "GET" {
        return None;
    }
    let query = percent_decoded(&request.query);
    let list = match below {
        ["pulls"] if world.memory().largest(place) > 0 || Bare::open(world, place).is_some() => {
            pulls(world, place, &query)
        }
        ["pulls", number, what] => {
            let place = Place {
                number: number.parse().ok()?,
                ..place.clone()
            };
            if !is_live(world, &place) {
                return None;
            }
            let pull = world.numbered(Kind::Pull, &place, place.number)?;
            match *what {
                "reviews" => list(&pull["reviews"])
                    .iter()
                    .map(|review| rendered_review(&place, review))
                    .collect(),
                "comments" => list(&pull["reviewThreads"])
                    .iter()
                    .flat_map(|thread| rendered_thread(&place, thread))
                    .collect(),
                "commits" | "files" => changed(world, &place, &pull, what)?,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Response::json(200, &super::page(list, &query)))
}

fn list(value: &Value) -> Vec<Value> {
    value
        .as_array()
        .or_else(|| value["nodes"].as_array())
        .cloned()
        .unwrap_or_default()
}

/// Returns the pull requests of `place` that pass the filters `state` (`open` by default), `head` (`OWNER:BRANCH`) and `base` of `query`.
fn pulls(world: &World, place: &Place, query: &str) -> Vec<Value> {
    let filter = |name: &str| {
        query
            .split('&')
            .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    };
    let state = filter("state").unwrap_or("open");
    let all = list(&world.repository(place)["pulls"])
        .into_iter()
        .map(|pull| {
            let place = Place {
                number: pull["number"].as_i64().unwrap_or(1),
                ..place.clone()
            };
            rendered(world, &place, &pull)
        });
    let fits = |pull: &Value| {
        (state == "all" || pull["state"] == state)
            && filter("head").is_none_or(|head| pull["head"]["label"] == head)
            && filter("base").is_none_or(|base| pull["base"]["ref"] == base)
    };
    all.filter(fits).collect()
}

/// Returns the commits or files of `pull` by its bare repositories.
fn changed(world: &World, place: &Place, pull: &Value, what: &str) -> Option<Vec<Value>> {
    let base = Bare::open(world, place)?;
    let head = git::head_of(world, place, pull)?;
    let fork = git::head_branch(place, pull).and_then(|(at, _)| Bare::open(world, &at));
    let both = fork.map_or(base.clone(), |fork| base.with(&fork));
    let onto = base.oid(&git::branch(pull["baseRefName"].as_str().unwrap_or("main")))?;
    Some(if what == "commits" {
        both.between(&onto, &head)
            .iter()
            .map(bare::rendered)
            .collect()
    } else {
        both.files(&onto, &head).iter().map(bare::file).collect()
    })
}

/// Returns `pull`, the pull request of `place`, as REST names its members.
pub fn rendered(world: &World, place: &Place, pull: &Value) -> Value {
    let filled = place.fill_all(pull);
    let state = filled["state"].as_str().unwrap_or("OPEN");
    let user = |one: &Value| json!({ "login": one["login"], "id": 1, "type": "User" });
    let users = |name: &str| list(&filled[name]).iter().map(user).collect::<Vec<_>>();
    let labels = list(&filled["labels"]);
    let labels: Vec<Value> = labels.iter().map(|label| json!({ "id": 1, "node_id": label["id"], "name": label["name"], "color": label["color"], "description": label["description"] })).collect();
    let asked = list(&filled["reviewRequests"]);
    let (teams, people): (Vec<&Value>, Vec<&Value>) = asked
        .iter()
        .map(|one| &one["requestedReviewer"])
        .partition(|one| one["__typename"] == "Team");
    let teams: Vec<Value> = teams
        .iter()
        .map(|team| json!({ "name": team["name"], "slug": team["slug"] }))
        .collect();
    let side = |at: &Place, name: &str, oid: Option<String>| {
        json!({
            "ref": name, "label": format!("{}:{name}", at.owner), "sha": oid, "user": { "login": at.owner },
            "repo": { "name": at.repo, "full_name": format!("{}/{}", at.owner, at.repo), "node_id": scalar::id("Repository", at), "owner": { "login": at.owner }, "fork": *at.owner != place.owner },
        })
    };
    let base = filled["baseRefName"].as_str().unwrap_or("main");
    let base_oid = Bare::open(world, place).and_then(|bare| bare.oid(&git::branch(base)));
    let head_oid = git::head_of(world, place, pull);
    let or_known = |oid: Option<String>, name: &str| {
        oid.or_else(|| filled[name].as_str().map(str::to_owned))
            .or_else(|| {
                scalar::value("PullRequest", name, place)
                    .as_str()
                    .map(str::to_owned)
            })
    };
    let head = git::head_branch(place, pull)
        .map(|(at, name)| side(&at, &name, or_known(head_oid, "headRefOid")));
    let mut out = json!({
        "id": 3000 + place.number, "node_id": scalar::id("PullRequest", place), "number": place.number, "title": filled["title"],
        "body": filled["body"], "state": if state == "OPEN" { "open" } else { "closed" }, "draft": filled["isDraft"] == true,
        "merged": state == "MERGED", "locked": filled["locked"] == true, "user": user(&filled["author"]), "labels": labels,
        "assignees": users("assignees"), "requested_reviewers": people.into_iter().map(user).collect::<Vec<_>>(), "requested_teams": teams,
        "maintainer_can_modify": filled["maintainerCanModify"].as_bool().unwrap_or(true), "head": head,
        "base": side(place, base, or_known(base_oid, "baseRefOid")), "created_at": filled["createdAt"],
        "url": place.fill("{api}/repos/{owner}/{repo}/pulls/{number}"), "html_url": place.fill("{web}/{owner}/{repo}/pull/{number}"),
    });
    // A made-up pull request has no title: the row's own stays.
    for name in ["title", "body", "created_at"] {
        if out[name].is_null() {
            out.as_object_mut().expect("made above").remove(name);
        }
    }
    if out["user"]["login"].is_null() {
        out.as_object_mut().expect("made above").remove("user");
    }
    out
}

fn rendered_review(place: &Place, review: &Value) -> Value {
    let review = place.fill_all(review);
    json!({
        "id": review["databaseId"], "node_id": review["id"], "user": { "login": review["author"]["login"] }, "body": review["body"],
        "state": review["state"], "html_url": review["url"], "submitted_at": review["submittedAt"], "commit_id": review["commit"]["oid"],
    })
}

/// Returns the comments of `thread`, a fixture or one that a review began.
fn rendered_thread(place: &Place, thread: &Value) -> Vec<Value> {
    let thread = place.fill_all(thread);
    let comments = list(&thread["comments"]);
    let first = comments
        .first()
        .map(|comment| comment["databaseId"].clone());
    let rendered = comments.iter().enumerate().map(|(index, comment)| {
        json!({
            "id": comment["databaseId"], "node_id": comment["id"], "user": { "login": comment["author"]["login"] }, "body": comment["body"],
            "path": thread["path"], "line": thread["line"], "side": thread["diffSide"], "start_line": thread["startLine"],
            "start_side": thread["startDiffSide"], "created_at": comment["createdAt"], "html_url": comment["url"],
            "in_reply_to_id": first.clone().filter(|_| index > 0),
        })
    });
    rendered.collect()
}

/// Returns the members of a repository in REST that say whether it is a fork, and what the viewer may do, where its fixture has them.
pub fn fork(world: &World, place: &Place) -> Value {
    let repo = place.fill_all(&world.repository(place));
    let mut out = json!({});
    if repo["isFork"] == true {
        out["fork"] = json!(true);
        if let Some(name) = repo["parent"]
            .as_str()
            .or(repo["parent"]["nameWithOwner"].as_str())
        {
            let (owner, repo) = name.split_once('/').unwrap_or(("", name));
            out["parent"] = json!({ "full_name": name, "name": repo, "owner": { "login": owner }, "default_branch": "main" });
            out["source"] = out["parent"].clone();
        }
    }
    let rank = ["READ", "TRIAGE", "WRITE", "MAINTAIN", "ADMIN"]
        .iter()
        .position(|name| repo["viewerPermission"] == *name);
    if let Some(rank) = rank.filter(|rank| *rank < 4) {
        out["permissions"] = json!({ "pull": true, "triage": rank >= 1, "push": rank >= 2, "maintain": rank >= 3, "admin": false });
    }
    out
}
