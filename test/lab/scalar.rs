//! A plausible value for a field without a fixture, by the field's name and the type of its object: `createdAt` gets a date.

use crate::place::Place;
use serde_json::{Value, json};

/// Values of fields by their exact names; these go before [`ENDS`] and [`STARTS`].
const NAMED: &[(&str, Named)] = &[
    ("id", Named::Id),
    ("number", Named::Number),
    ("additions", Named::Int(12)),
    ("deletions", Named::Int(3)),
    ("changedFiles", Named::Int(2)),
    ("databaseId", Named::Int(1001)),
    ("fullDatabaseId", Named::Text("1001")), // GitHub sends a BigInt as a string
    ("position", Named::Int(1)),
    ("line", Named::Int(1)),
    ("size", Named::Int(1024)),
    ("sizeInBytes", Named::Int(1024)),
    ("diskUsage", Named::Int(2048)),
    ("duration", Named::Int(60)),
    ("totalSize", Named::Int(4096)),
    ("completed", Named::Int(1)),
    ("total", Named::Int(2)),
    ("percentCompleted", Named::Int(50)),
    ("progressPercentage", Named::Float(50.0)),
    ("cost", Named::Int(1)),
    ("count", Named::Int(1)),
    ("aheadBy", Named::Int(1)),
    ("behindBy", Named::Int(0)),
    ("mode", Named::Int(0o100_644)),
    ("limit", Named::Int(5000)),
    ("remaining", Named::Int(4999)),
    ("used", Named::Int(1)),
    ("remote", Named::Bool(false)),
    ("public", Named::Bool(true)),
    ("locked", Named::Bool(false)),
    ("merged", Named::Bool(false)),
    ("closed", Named::Bool(false)),
    ("answered", Named::Bool(false)),
    ("archived", Named::Bool(false)),
    ("editable", Named::Bool(true)),
    ("email", Named::Text("someone@example.com")),
    ("state", Named::Text("OPEN")),
    ("stateReason", Named::Null),
    ("status", Named::Text("COMPLETED")),
    ("conclusion", Named::Text("SUCCESS")),
    ("visibility", Named::Text("PUBLIC")),
    ("mergeable", Named::Text("MERGEABLE")),
    ("mergeStateStatus", Named::Text("CLEAN")),
    ("reviewDecision", Named::Text("REVIEW_REQUIRED")),
    ("authorAssociation", Named::Text("MEMBER")),
    ("changeType", Named::Text("MODIFIED")),
    ("content", Named::Text("THUMBS_UP")),
    ("color", Named::Text("d73a4a")),
    ("viewerPermission", Named::Text("ADMIN")),
    ("viewerDefaultMergeMethod", Named::Text("MERGE")),
    ("viewerSubscription", Named::Text("SUBSCRIBED")),
    (
        "viewerDefaultCommitEmail",
        Named::Text("someone@example.com"),
    ),
    ("viewerMergeBodyText", Named::Text("")),
    ("viewerMergeHeadlineText", Named::Text("Merge")),
    ("mergeMethod", Named::Text("SQUASH")),
    ("dataType", Named::Text("TEXT")),
    ("activeLockReason", Named::Null),
    ("lockReason", Named::Null),
    ("lastEditedAt", Named::Null),
    ("closedAt", Named::Null),
    ("mergedAt", Named::Null),
    ("archivedAt", Named::Null),
    ("mirrorUrl", Named::Null),
    ("homepageUrl", Named::Text("https://example.com/")),
    ("cursor", Named::Text("c1")),
    ("endCursor", Named::Null),
    ("startCursor", Named::Null),
    ("login", Named::Text("octo")),
    ("path", Named::Text("src/main.rs")),
    ("baseRefName", Named::Text("main")),
    ("headRefName", Named::Text("topic")),
    ("tagName", Named::Text("v1.0.0")),
    ("maintainerCanModify", Named::Bool(true)),
    ("draft", Named::Bool(false)),
    ("default", Named::Bool(false)),
    ("nameWithOwner", Named::Text("{owner}/{repo}")),
    ("date", Named::Date),
    ("startDate", Named::Text("2026-01-01")),
];

/// Values of fields by the ends of their names, tried after [`NAMED`]; [`STARTS`] follows.
const ENDS: &[(&str, Named)] = &[
    ("DatabaseId", Named::Int(1001)),
    ("Emails", Named::Texts(&["octo@example.com"])),
    ("Count", Named::Int(1)),
    ("Number", Named::Int(1)),
    ("Oid", Named::Oid),
    ("At", Named::Date),
    ("On", Named::Date),
    ("Date", Named::Date),
    ("Url", Named::Url),
    ("URL", Named::Url),
    ("Uri", Named::Url),
    ("Enabled", Named::Bool(true)),
    ("Allowed", Named::Bool(true)),
    ("Required", Named::Bool(false)),
    ("OnMerge", Named::Bool(false)),
    ("Id", Named::Id),
];
const STARTS: &[(&str, Named)] = &[
    ("hasNextPage", Named::Bool(false)),
    ("hasPreviousPage", Named::Bool(false)),
    ("isCrossRepository", Named::Bool(false)),
    ("is", Named::Bool(false)),
    ("has", Named::Bool(true)),
    ("viewerCan", Named::Bool(true)),
    ("viewerHas", Named::Bool(false)),
    ("viewerDid", Named::Bool(false)),
    ("can", Named::Bool(true)),
    ("allow", Named::Bool(true)),
    ("include", Named::Bool(false)),
    ("includes", Named::Bool(false)),
    ("uses", Named::Bool(false)),
    ("require", Named::Bool(false)),
    ("requires", Named::Bool(false)),
];

#[derive(Clone, Copy)]
enum Named {
    Id,
    Number,
    Oid,
    Date,
    Url,
    Null,
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(&'static str),
    Texts(&'static [&'static str]),
}

/// Returns the value of `field` in an object of the type `kind` at `place`.
pub fn value(kind: &str, field: &str, place: &Place) -> Value {
    let named = NAMED.iter().find(|(name, _)| *name == field);
    let named = named.or_else(|| ENDS.iter().find(|(end, _)| field.ends_with(end)));
    let starts = |start: &str| {
        field
            .strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_uppercase))
    };
    let named = named.or_else(|| STARTS.iter().find(|(start, _)| starts(start)));
    match named.map(|(_, named)| *named) {
        Some(Named::Id) => json!(id(kind, place)),
        Some(Named::Number) => json!(place.number),
        Some(Named::Oid) => json!(oid(kind, place)),
        Some(Named::Date) => json!(date(place)),
        Some(Named::Url) => json!(url(kind, place)),
        Some(Named::Null) => Value::Null,
        Some(Named::Int(number)) => json!(number),
        Some(Named::Float(number)) => json!(number),
        Some(Named::Bool(yes)) => json!(yes),
        Some(Named::Texts(texts)) => json!(texts),
        Some(Named::Text(text)) => json!(place.fill(text)),
        None if field == "oid" || field == "sha" => json!(oid(kind, place)),
        None if field == "url" => json!(url(kind, place)),
        None if field == "resourcePath" => json!(format!("/{}/{}", place.owner, place.repo)),
        None => json!(format!("{field} of {kind} {}", place.index + 1)),
    }
}

/// Returns a node id, by which [`crate::world::World::node`] finds the object again: `PR_octo/demo#7`.
pub fn id(kind: &str, place: &Place) -> String {
    let (owner, repo, number) = (&place.owner, &place.repo, place.number);
    match kind {
        "PullRequest" => format!("PR_{owner}/{repo}#{number}"),
        "Issue" => format!("I_{owner}/{repo}#{number}"),
        "Repository" => format!("R_{owner}/{repo}"),
        _ => format!("{kind}_{}", place.index + 1),
    }
}

fn oid(kind: &str, place: &Place) -> String {
    // 40 hex digits that differ for different objects; a hash of the place gives them.
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in format!(
        "{kind}/{}/{}/{}/{}",
        place.owner, place.repo, place.number, place.index
    )
    .bytes()
    {
        state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!(
        "{state:016x}{:016x}{:08x}",
        state.rotate_left(17),
        state >> 32
    )
}

fn date(place: &Place) -> String {
    format!("2026-01-{:02}T12:00:00Z", place.index % 28 + 1)
}

fn url(kind: &str, place: &Place) -> String {
    let base = format!("https://{}/{}/{}", place.host, place.owner, place.repo);
    match kind {
        "Repository" => base,
        "PullRequest" => format!("{base}/pull/{}", place.number),
        "Issue" => format!("{base}/issues/{}", place.number),
        "User" | "Organization" => format!("https://{}/octo", place.host),
        _ => format!("{base}/{kind}/{}", place.index + 1),
    }
}
