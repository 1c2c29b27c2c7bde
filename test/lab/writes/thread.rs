//! Replies to review threads, resolves them and opens them again.

use super::{Refused, authored, viewer};
use crate::place::Place;
use crate::world::World;
use serde_json::{Map, Value, json};

pub fn resolve(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    set(world, place, input, true)
}

pub fn unresolve(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    set(world, place, input, false)
}

fn set(world: &World, place: &mut Place, input: &Value, resolved: bool) -> Result<Value, Refused> {
    let id = input["threadId"].as_str().unwrap_or("");
    find(world, place, id)?;
    let by = if resolved {
        viewer(world, place)
    } else {
        Value::Null
    };
    let members = [
        ("isResolved", json!(resolved)),
        ("isCollapsed", json!(resolved)),
        ("resolvedBy", by),
        ("viewerCanResolve", json!(!resolved)),
        ("viewerCanUnresolve", json!(resolved)),
    ];
    let members: Map<String, Value> = members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    world.memory().change(place, place.number, |changes| {
        changes
            .thread_members
            .entry(id.to_owned())
            .or_default()
            .extend(members);
    });
    Ok(json!({ "thread": find(world, place, id)? }))
}

/// Adds a comment to a thread.  Unlike GitHub it begins no review for the reply.
pub fn reply(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    let id = input["pullRequestReviewThreadId"]
        .as_str()
        .or(input["threadId"].as_str())
        .unwrap_or("");
    let thread = find(world, place, id)?;
    if input["body"]
        .as_str()
        .is_none_or(|body| body.trim().is_empty())
    {
        return Err(Refused::unprocessable("Body can't be blank"));
    }
    let mut comment = authored(world, place, "PRRC", &input["body"]);
    comment["__typename"] = json!("PullRequestReviewComment");
    comment["path"] = thread["path"].clone();
    comment["url"] = json!(format!(
        "{{web}}/{{owner}}/{{repo}}/pull/{{number}}#discussion_r{}",
        comment["databaseId"]
    ));
    world.memory().change(place, place.number, |changes| {
        changes
            .replies
            .entry(id.to_owned())
            .or_default()
            .push(comment.clone());
    });
    Ok(json!({ "comment": comment }))
}

/// Returns the thread `id`; sets `place` to its place.
fn find(world: &World, place: &mut Place, id: &str) -> Result<Value, Refused> {
    let mut thread = world
        .thread(id, place)
        .ok_or_else(|| Refused::no_node(id))?;
    thread["__typename"] = json!("PullRequestReviewThread");
    Ok(thread)
}
