//! Branches, commits and comparisons from the bare repositories of a world's `gitRoot`.

use super::{not_found, page};
use crate::git::{self, Bare};
use crate::http::{Request, Response};
use crate::place::Place;
use crate::world::World;
use serde_json::{Value, json};

/// Answers a read of the path `below` the repository of `place`; `None` if it is no such path, or if there is no bare repository.
pub fn answer(world: &World, place: &Place, request: &Request, below: &[&str]) -> Option<Response> {
    if request.method != "GET" {
        return None;
    }
    let bare = Bare::open(world, place)?;
    let response = match below {
        ["git", "ref", rest @ ..] => {
            let name = format!("refs/{}", rest.join("/"));
            let found = bare.oid(&name);
            found.map(|oid| json!({ "ref": name, "node_id": format!("REF_{name}"), "object": { "sha": oid, "type": "commit" } }))
        }
        ["branches", rest @ ..] if !rest.is_empty() => {
            let name = rest.join("/");
            let Some(commit) = bare.object(&git::branch(&name)) else {
                let body = json!({ "message": "Branch not found", "documentation_url": "https://docs.github.com/rest", "status": "404" });
                return Some(Response::json(404, &body));
            };
            Some(json!({ "name": name, "commit": rendered(&commit), "protected": false }))
        }
        ["commits", name] => {
            let name = git::branch(name);
            let commit = bare
                .object(&name)
                .or_else(|| bare.object(below[1]))
                .filter(|object| object["__typename"] == "Commit");
            commit.as_ref().map(rendered)
        }
        ["compare", rest @ ..] => compare(world, place, &rest.join("/"), &request.query),
        _ => return None,
    };
    Some(response.map_or_else(not_found, |body| Response::json(200, &body)))
}

/// Returns a commit as REST names its members.
pub fn rendered(commit: &Value) -> Value {
    let parents = commit["parents"].as_array().into_iter().flatten();
    let parents: Vec<Value> = parents
        .map(|parent| json!({ "sha": parent["oid"] }))
        .collect();
    let person = |name: &str| json!({ "name": commit[name]["name"], "email": commit[name]["email"], "date": commit[name]["date"] });
    json!({
        "sha": commit["oid"], "node_id": "C_1", "author": null, "committer": null, "parents": parents,
        "commit": { "message": commit["message"], "author": person("author"), "committer": person("committer"), "tree": { "sha": commit["tree"]["oid"] } },
    })
}

/// Returns a changed file as REST names its members.
pub fn file(file: &Value) -> Value {
    let count = |name: &str| file[name].as_i64().unwrap_or(0);
    json!({
        "filename": file["path"], "status": file["status"], "additions": count("additions"), "deletions": count("deletions"),
        "changes": count("additions") + count("deletions"),
    })
}

/// Compares `BASE...HEAD`; each is a branch or commit, of a fork as `OWNER:BRANCH` or `OWNER:REPO:BRANCH`.
fn compare(world: &World, place: &Place, asked: &str, query: &str) -> Option<Value> {
    let (base, head) = asked.split_once("...")?;
    let side = |name: &str| {
        let mut at = place.clone();
        let parts: Vec<&str> = name.split(':').collect();
        if let [owner, middle @ .., _] = parts.as_slice() {
            at = world.fork_of(place, owner);
            if let [repo] = middle {
                (*repo).clone_into(&mut at.repo);
            }
        }
        let repo = Bare::open(world, &at)?;
        let name = parts.last()?;
        let oid = repo.oid(&git::branch(name)).or_else(|| repo.oid(name))?;
        Some((repo, oid))
    };
    let (from, onto) = side(base)?;
    let (to, tip) = side(head)?;
    let both = from.with(&to);
    let merge_base = both.merge_base(&onto, &tip)?;
    let (ahead, behind) = both.ahead_behind(&onto, &tip)?;
    let commits: Vec<Value> = both.between(&onto, &tip).iter().map(rendered).collect();
    let commits = if query.contains("page=") {
        page(commits, query)
    } else {
        commits.into_iter().take(250).collect()
    };
    let files: Vec<Value> = both.files(&onto, &tip).iter().map(file).take(300).collect();
    let commit = |oid: &str| both.object(oid).as_ref().map(rendered);
    Some(json!({
        "url": format!("{}/compare/{asked}", place.fill("{api}/repos/{owner}/{repo}")),
        "html_url": format!("{}/compare/{asked}", place.fill("{web}/{owner}/{repo}")),
        "base_commit": commit(&onto), "merge_base_commit": commit(&merge_base), "status": git::status(ahead, behind),
        "ahead_by": ahead, "behind_by": behind, "total_commits": ahead, "commits": commits, "files": files,
    }))
}
