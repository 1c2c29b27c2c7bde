//! The writes that the stand-in remembers, by the name of their mutation; REST writes call the same functions.
//!
//! A write changes [`crate::memory`], so that every later answer shows it.  A mutation without a row in [`ROWS`] is answered with made-up
//! values and changes nothing.  A world's `fails` makes a mutation fail: `{"resolveReviewThread": {"type": "FORBIDDEN", "message": "…"}}`,
//! with `"of": "PRRT_2"` for one thread alone.

pub mod create;
pub mod metadata;
pub mod review;
mod thread;

use crate::place::Place;
use crate::world::World;
use serde_json::{Value, json};

/// Carries out a mutation with the argument `input`; sets the place to that of the changed object.  The value has the members of the payload.
type Write = fn(&World, &mut Place, &Value) -> Result<Value, Refused>;

const ROWS: &[(&str, Write)] = &[
    ("addAssigneesToAssignable", metadata::add_assignees),
    ("addLabelsToLabelable", metadata::add_labels),
    ("addPullRequestReview", review::add),
    ("addPullRequestReviewThreadReply", thread::reply),
    ("createPullRequest", create::create),
    ("removeLabelsFromLabelable", metadata::remove_labels),
    ("replaceActorsForAssignable", metadata::replace_actors),
    ("requestReviews", metadata::request_reviews),
    ("requestReviewsByLogin", metadata::request_reviews),
    ("resolveReviewThread", thread::resolve),
    ("unresolveReviewThread", thread::unresolve),
    ("updatePullRequest", metadata::update),
];

/// GitHub's refusal of a write: the `type` and the `message` of its error object.
#[derive(Debug)]
pub struct Refused {
    pub kind: String,
    pub message: String,
}

impl Refused {
    fn unprocessable(message: impl Into<String>) -> Self {
        Self {
            kind: "UNPROCESSABLE".to_owned(),
            message: message.into(),
        }
    }

    /// The refusal of a node id that no object has.
    pub fn no_node(id: &str) -> Self {
        Self {
            kind: "NOT_FOUND".to_owned(),
            message: format!("Could not resolve to a node with the global id of '{id}'"),
        }
    }
}

/// Carries out the mutation `name`; `None` if the stand-in does not remember such a mutation.
pub fn carry_out(
    world: &World,
    place: &mut Place,
    name: &str,
    input: &Value,
) -> Option<Result<Value, Refused>> {
    if let Some(refused) = failure(world, place, name, input) {
        return Some(Err(refused));
    }
    let (_, write) = ROWS.iter().find(|(row, _)| *row == name)?;
    let _whole = world.memory().write();
    Some(write(world, place, input))
}

/// Returns the refusal that the world wants for the mutation `name`, if it wants one.
pub fn failure(world: &World, place: &Place, name: &str, input: &Value) -> Option<Refused> {
    let failure = world.failure(&place.host, name, input)?;
    let text = |member: &str, default: &str| failure[member].as_str().unwrap_or(default).to_owned();
    Some(Refused {
        kind: text("type", "UNPROCESSABLE"),
        message: text("message", "The world says so."),
    })
}

/// Returns the account of the token.
fn viewer(world: &World, place: &Place) -> Value {
    let mut viewer = world.viewer(&place.host);
    viewer["__typename"] = json!("User");
    viewer
}

/// Returns a new object of a review or thread: an id, the viewer as its author, and a time that grows with each.
fn authored(world: &World, place: &Place, prefix: &str, body: &Value) -> Value {
    let number = world.memory().number();
    let at = format!("2026-06-01T{:02}:{:02}:00Z", number / 60 % 24, number % 60);
    json!({
        "id": format!("{prefix}_{number}"), "databaseId": number, "author": viewer(world, place), "authorAssociation": "MEMBER",
        "body": body.as_str().unwrap_or(""), "createdAt": at, "submittedAt": at, "viewerDidAuthor": true,
    })
}

/// Returns the pull request whose node id is `id`; sets `place` to its place.
fn pull(world: &World, place: &mut Place, id: &Value) -> Result<Value, Refused> {
    let id = id.as_str().unwrap_or("");
    match world.node(id, place) {
        Some((kind, pull)) if kind == "PullRequest" => Ok(pull),
        _ => Err(Refused::no_node(id)),
    }
}
