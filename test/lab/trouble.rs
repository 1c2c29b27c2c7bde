//! Owners whose repositories always fail, each as GitHub fails: a test picks a failure by the owner that it names, such as `err404/demo`.
//!
//! A request fails if the owner in its path, its GraphQL variables or its search text is one of [`ROWS`].

use crate::http::{Answer, Response};
use crate::place::Place;
use serde_json::json;
use std::time::Duration;

/// Rows of an owner and the answer to requests for its repositories.  `slow-MS` and `hang` wait; the others answer at once.
pub const ROWS: &[(&str, &str)] = &[
    ("err401", "401 Bad credentials"),
    (
        "err403-sso",
        "403 with X-GitHub-SSO: the organization wants single sign-on",
    ),
    (
        "err403-scope",
        "403 with X-Accepted-OAuth-Scopes (REST), INSUFFICIENT_SCOPES (GraphQL): the token lacks a scope",
    ),
    (
        "err403-limit",
        "403 with X-RateLimit-Remaining: 0 (REST), RATE_LIMITED (GraphQL): the primary rate limit",
    ),
    (
        "err403-secondary",
        "403 with Retry-After: 60, the secondary rate limit",
    ),
    (
        "err403",
        "403 Resource not accessible by personal access token (REST), FORBIDDEN (GraphQL)",
    ),
    ("err404", "404 Not Found (REST), NOT_FOUND (GraphQL)"),
    ("err410", "410 Issues are disabled for this repo"),
    ("err422", "422 Validation Failed"),
    ("err429", "429 with Retry-After: 30"),
    ("err500", "500 with a JSON message"),
    ("err502", "502 with an HTML page"),
    ("err503", "503 with an HTML page"),
    ("cut", "200 whose body ends in the middle"),
    ("garbage", "200 whose body is no JSON"),
    ("hang", "no answer for an hour"),
    (
        "slow-MS",
        "the usual answer after MS milliseconds (`slow' alone: 2000)",
    ),
];

/// The failure of a request for a repository of one of these owners.
pub enum Trouble {
    /// The usual answer after this wait.
    Late(Duration),
    /// This answer instead of the usual one.
    Instead(Answer),
}

/// Returns the failure for the owner of `place`, if the owner is one of [`ROWS`].  `graphql` says whether the answer is for GraphQL or REST.
pub fn of(place: &Place, graphql: bool) -> Option<Trouble> {
    let owner = place.owner.as_str();
    if owner == "slow" {
        return Some(Trouble::Late(Duration::from_secs(2)));
    }
    if let Some(ms) = owner.strip_prefix("slow-") {
        return Some(Trouble::Late(Duration::from_millis(ms.parse().ok()?)));
    }
    let plain = |status: u16, message: &str| {
        Response::json(
            status,
            &json!({ "message": message, "documentation_url": "https://docs.github.com/rest", "status": status.to_string() }),
        )
    };
    // GitHub answers some failures of GraphQL with 200 and an error object.
    let typed = |kind: &str, message: &str| {
        Response::json(
            200,
            &json!({ "data": { "repository": null }, "errors": [{ "type": kind, "path": ["repository"], "locations": [{ "line": 1, "column": 1 }], "message": message }] }),
        )
    };
    let html = |status: u16| {
        Response::new(
            status,
            "text/html; charset=utf-8",
            "<html><body><h1>Unicorn!</h1><p>We had issues producing the response to your request.</p></body></html>",
        )
    };
    let response = match owner {
        "err401" => plain(401, "Bad credentials"),
        "err403-sso" => plain(403, "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.")
            .with("X-GitHub-SSO", format!("required; url=https://{}/orgs/err403-sso/sso?authorization_request=LAB", place.host)),
        "err403-scope" if graphql => typed("INSUFFICIENT_SCOPES", "Your token has not been granted the required scopes to execute this query. The 'name' field requires one of the following scopes: ['repo'], but your token has only been granted the: ['gist'] scopes.")
            .with("X-OAuth-Scopes", "gist"),
        "err403-scope" => plain(403, "Must have admin rights to Repository.")
            .with("X-OAuth-Scopes", "gist")
            .with("X-Accepted-OAuth-Scopes", "repo"),
        "err403-limit" if graphql => spent(typed("RATE_LIMITED", "API rate limit exceeded for user ID 1.")),
        "err403-limit" => spent(plain(403, "API rate limit exceeded for user ID 1.")),
        "err403-secondary" => plain(403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
            .with("Retry-After", "60"),
        "err403" if graphql => typed("FORBIDDEN", "Resource not accessible by personal access token"),
        "err403" => plain(403, "Resource not accessible by personal access token"),
        "err404" if graphql => typed("NOT_FOUND", &format!("Could not resolve to a Repository with the name '{}/{}'.", place.owner, place.repo)),
        "err404" => plain(404, "Not Found"),
        "err410" => plain(410, "Issues are disabled for this repo"),
        "err422" => Response::json(422, &json!({ "message": "Validation Failed", "errors": [{ "resource": "Issue", "field": "title", "code": "missing_field" }] })),
        "err429" => plain(429, "Too many requests. Please wait before you try again.").with("Retry-After", "30"),
        "err500" => plain(500, "Something went wrong while executing your query."),
        "err502" => html(502),
        "err503" => html(503),
        "cut" => return Some(Trouble::Instead(Answer::Raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4096\r\n\r\n{\"data\":{\"repository\":{\"na".to_vec()))),
        "garbage" => Response::new(200, "application/json", "this is no JSON"),
        "hang" => return Some(Trouble::Instead(Answer::Silence(Duration::from_secs(3600)))),
        _ => return None,
    };
    Some(Trouble::Instead(Answer::Whole(response)))
}

fn spent(response: Response) -> Response {
    response
        .with("X-RateLimit-Limit", "5000")
        .with("X-RateLimit-Remaining", "0")
        .with("X-RateLimit-Used", "5000")
        .with("X-RateLimit-Resource", "core")
        .with("X-RateLimit-Reset", reset().to_string())
}

/// Returns the time in half an hour, in seconds since the epoch: when the rate limit ends.
pub fn reset() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs()) + 1800
}
