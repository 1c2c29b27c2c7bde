//! Changes title, text, state, labels, assignees and requested reviewers of a pull request, as gh does after it created or while it edits one.

use super::{Refused, pull, viewer};
use crate::place::Place;
use crate::world::World;
use serde_json::{Map, Value, json};

/// Sets the members that `updatePullRequest` names.
pub fn update(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    pull(world, place, &input["pullRequestId"])?;
    let mut members = Map::new();
    for name in [
        "title",
        "body",
        "baseRefName",
        "maintainerCanModify",
        "state",
    ] {
        if !input[name].is_null() {
            members.insert(name.to_owned(), input[name].clone());
        }
    }
    if input["state"].is_string() {
        members.insert("closed".to_owned(), json!(input["state"] == "CLOSED"));
    }
    if input["labelIds"].is_array() {
        members.insert(
            "labels".to_owned(),
            of_ids(world, place, "labels", &input["labelIds"]),
        );
    }
    if let Some(id) = input["milestoneId"].as_str() {
        let found = of_ids(world, place, "milestones", &json!([id]));
        members.insert("milestone".to_owned(), found[0].clone());
    }
    if input["assigneeIds"].is_array() {
        let users = of_ids(world, place, "assignableUsers", &input["assigneeIds"]);
        assign(&mut members, users);
    }
    change(world, place, &input["pullRequestId"], members)
}

/// Adds the labels of `addLabelsToLabelable` to a pull request; on an issue it changes nothing.
pub fn add_labels(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    let Ok(pull) = pull(world, place, &input["labelableId"]) else {
        return Ok(json!({}));
    };
    let more = of_ids(world, place, "labels", &input["labelIds"]);
    let labels = union(&pull["labels"], &more, |label| &label["name"]);
    change(
        world,
        place,
        &input["labelableId"],
        members("labels", labels),
    )
}

/// Removes labels from a pull request; on an issue it changes nothing.
pub fn remove_labels(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    let Ok(pull) = pull(world, place, &input["labelableId"]) else {
        return Ok(json!({}));
    };
    let gone = input["labelIds"].as_array().cloned().unwrap_or_default();
    let left = list(&pull["labels"])
        .into_iter()
        .filter(|label| !gone.contains(&label["id"]));
    change(
        world,
        place,
        &input["labelableId"],
        members("labels", left.collect()),
    )
}

/// Adds the users of `addAssigneesToAssignable` to a pull request; on an issue it changes nothing.
pub fn add_assignees(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    let Ok(pull) = pull(world, place, &input["assignableId"]) else {
        return Ok(json!({}));
    };
    let more = of_ids(world, place, "assignableUsers", &input["assigneeIds"]);
    let mut members = Map::new();
    assign(
        &mut members,
        union(&pull["assignees"], &more, |user| &user["login"]),
    );
    change(world, place, &input["assignableId"], members)
}

/// Sets the assignees of a pull request by `replaceActorsForAssignable`, which names logins or ids; on an issue it changes nothing.
pub fn replace_actors(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    if pull(world, place, &input["assignableId"]).is_err() {
        return Ok(json!({}));
    }
    let by_login = list(&input["actorLogins"])
        .into_iter()
        .map(|login| user(world, place, login.as_str().unwrap_or("")));
    let mut users: Vec<Value> = by_login.collect();
    users.extend(list(&of_ids(
        world,
        place,
        "assignableUsers",
        &input["actorIds"],
    )));
    let mut members = Map::new();
    assign(&mut members, Value::Array(users));
    change(world, place, &input["assignableId"], members)
}

/// Sets the requested reviewers by `requestReviewsByLogin` (`userLogins`, `botLogins`, `teamSlugs`) or `requestReviews` (`userIds`,
/// `teamIds`); with `union` they are added to the earlier ones.
pub fn request_reviews(world: &World, place: &mut Place, input: &Value) -> Result<Value, Refused> {
    let pull = pull(world, place, &input["pullRequestId"])?;
    let mut asked: Vec<Value> = Vec::new();
    for (name, kind) in [("userLogins", "User"), ("botLogins", "Bot")] {
        for login in list(&input[name]) {
            let mut one = user(world, place, login.as_str().unwrap_or(""));
            one["__typename"] = json!(kind);
            asked.push(one);
        }
    }
    asked.extend(list(&of_ids(
        world,
        place,
        "assignableUsers",
        &input["userIds"],
    )));
    for slug in list(&input["teamSlugs"])
        .iter()
        .chain(&list(&input["teamIds"]))
        .filter_map(Value::as_str)
    {
        let (organization, slug) = slug.split_once('/').unwrap_or((&place.owner, slug));
        asked.push(json!({ "__typename": "Team", "id": format!("T_{slug}"), "name": slug, "slug": slug, "organization": { "login": organization } }));
    }
    let asked: Value = asked
        .iter()
        .map(|one| json!({ "requestedReviewer": one }))
        .collect();
    let requests = if input["union"] == true {
        union(
            &pull["reviewRequests"],
            &asked,
            |one| &one["requestedReviewer"],
        )
    } else {
        asked
    };
    change(
        world,
        place,
        &input["pullRequestId"],
        members("reviewRequests", requests),
    )
}

/// Sets `members` of the pull request at `place`, whose node id is `id`.
fn change(
    world: &World,
    place: &mut Place,
    id: &Value,
    members: Map<String, Value>,
) -> Result<Value, Refused> {
    world.memory().change(place, place.number, |changes| {
        changes.members.extend(members);
    });
    let pull = pull(world, place, id)?;
    Ok(
        json!({ "actor": viewer(world, place), "pullRequest": pull, "assignable": typed(&pull), "labelable": typed(&pull) }),
    )
}

fn typed(pull: &Value) -> Value {
    let mut typed = pull.clone();
    typed["__typename"] = json!("PullRequest");
    typed
}

fn members(name: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value)])
}

/// Sets both members that name the assignees.
fn assign(members: &mut Map<String, Value>, users: Value) {
    members.insert("assignedActors".to_owned(), users.clone());
    members.insert("assignees".to_owned(), users);
}

/// Returns the entries of a fixture's list: an array, or an object with `nodes`.
fn list(value: &Value) -> Vec<Value> {
    value
        .as_array()
        .or_else(|| value["nodes"].as_array())
        .cloned()
        .unwrap_or_default()
}

/// Returns `old` and those of `new` whose `key` none of `old` has.
fn union(old: &Value, new: &Value, key: impl Fn(&Value) -> &Value) -> Value {
    let mut out = list(old);
    for one in list(new) {
        if !out.iter().any(|known| key(known) == key(&one)) {
            out.push(one);
        }
    }
    Value::Array(out)
}

/// Returns the entries of the repository's member `name` with these ids; an id of a user that no fixture has names its login.
fn of_ids(world: &World, place: &Place, name: &str, ids: &Value) -> Value {
    let known = list(&world.repository(place)[name]);
    let ids = list(ids);
    let found = ids.iter().filter_map(Value::as_str).filter_map(|id| {
        let known = known
            .iter()
            .find(|one| one["id"].as_str().is_some_and(|own| place.fill(own) == id));
        known
            .cloned()
            .or_else(|| Some(user(world, place, id.strip_prefix("U_")?)))
    });
    found.map(typed_user(name)).collect()
}

/// Returns what names the type of each entry of `name`, where entries are users.
fn typed_user(name: &str) -> impl Fn(Value) -> Value {
    let users = name == "assignableUsers";
    move |mut one| {
        if users {
            one["__typename"] = json!("User");
        }
        one
    }
}

/// Returns the account `login`: the viewer, a user of the repository's fixture, or a made-up one.
fn user(world: &World, place: &Place, login: &str) -> Value {
    let viewer = viewer(world, place);
    let known = list(&world.repository(place)["assignableUsers"]);
    let found = std::iter::once(viewer)
        .chain(known)
        .find(|user| user["login"] == login);
    let mut user = found
        .unwrap_or_else(|| json!({ "login": login, "id": format!("U_{login}"), "name": login }));
    user["__typename"] = json!("User");
    user
}
