//! Submits a review of a pull request, with its threads.

use super::{Refused, authored, pull};
use crate::place::Place;
use crate::world::World;
use serde_json::{Value, json};

/// Rows of a review's event and the state that it gives the review.
const STATES: &[(&str, &str)] = &[
    ("APPROVE", "APPROVED"),
    ("REQUEST_CHANGES", "CHANGES_REQUESTED"),
    ("COMMENT", "COMMENTED"),
];

/// Adds a review by `addPullRequestReview`.  A review without an event is pending.
pub fn add(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    let pull = pull(world, place, &input["pullRequestId"])?;
    let review = submit(world, place, &pull, input)?;
    Ok(
        json!({ "pullRequestReview": review, "pullRequest": super::pull(world, place, &input["pullRequestId"])? }),
    )
}

/// Adds the review `input` to `pull` at `place` and returns it.  Its `threads` have the members of `DraftPullRequestReviewThread`.
pub fn submit(world: &World, place: &Place, pull: &Value, input: &Value) -> Result<Value, Refused> {
    let event = input["event"].as_str().unwrap_or("");
    let drafts = ["threads", "comments"]
        .iter()
        .filter_map(|name| input[*name].as_array())
        .flatten();
    let drafts: Vec<&Value> = drafts.collect();
    let body = input["body"].as_str().unwrap_or("");
    if matches!(event, "COMMENT" | "REQUEST_CHANGES") && body.trim().is_empty() && drafts.is_empty()
    {
        return Err(Refused::unprocessable(
            "Review Can not submit an empty review",
        ));
    }
    let own = pull["author"]["login"].is_string()
        && pull["author"]["login"] == world.viewer(&place.host)["login"];
    if own && event == "APPROVE" {
        return Err(Refused::unprocessable(
            "Review Can not approve your own pull request",
        ));
    }
    if own && event == "REQUEST_CHANGES" {
        return Err(Refused::unprocessable(
            "Review Can not request changes on your own pull request",
        ));
    }
    let mut review = authored(world, place, "PRR", &input["body"]);
    let state = STATES
        .iter()
        .find(|(name, _)| *name == event)
        .map_or("PENDING", |(_, state)| state);
    review["__typename"] = json!("PullRequestReview");
    review["state"] = json!(state);
    review["url"] = json!(format!(
        "{{web}}/{{owner}}/{{repo}}/pull/{{number}}#pullrequestreview-{}",
        review["databaseId"]
    ));
    let commit = input
        .get("commitOID")
        .filter(|oid| oid.is_string())
        .or(pull.get("headRefOid"));
    if let Some(oid) = commit {
        review["commit"] = json!({ "oid": oid });
    }
    let threads: Vec<Value> = drafts
        .iter()
        .map(|draft| thread(world, place, draft))
        .collect();
    review["comments"] = threads
        .iter()
        .flat_map(|thread| thread["comments"].as_array().cloned().unwrap_or_default())
        .collect();
    world.memory().change(place, place.number, |changes| {
        changes.reviews.push(review.clone());
        changes.threads.extend(threads);
    });
    Ok(review)
}

/// Returns the thread of `draft`, a `DraftPullRequestReviewThread` or a comment of an older `comments`.
fn thread(world: &World, place: &Place, draft: &Value) -> Value {
    let mut comment = authored(world, place, "PRRC", &draft["body"]);
    comment["path"] = draft["path"].clone();
    comment["diffHunk"] = json!("");
    comment["url"] = json!(format!(
        "{{web}}/{{owner}}/{{repo}}/pull/{{number}}#discussion_r{}",
        comment["databaseId"]
    ));
    let line = draft
        .get("line")
        .or(draft.get("position"))
        .cloned()
        .unwrap_or(Value::Null);
    let start = draft["startLine"].clone();
    let side = |name: &str| draft.get(name).filter(|side| side.is_string()).cloned();
    let own_side = side("side").unwrap_or_else(|| json!("RIGHT"));
    let start_side = if start.is_null() {
        Value::Null
    } else {
        side("startSide").unwrap_or_else(|| own_side.clone())
    };
    json!({
        "id": format!("PRRT_{}", comment["databaseId"]), "isResolved": false, "resolvedBy": null, "isOutdated": false, "isCollapsed": false,
        "path": draft["path"], "line": line, "originalLine": line, "startLine": start, "originalStartLine": start,
        "diffSide": own_side, "startDiffSide": start_side, "subjectType": "LINE", "comments": [comment],
    })
}
