//! The stand-in for GitHub.  All hosts share one unix socket and are told apart by the Host header; each request is logged before its answer.
//!
//! A line of the log is a JSON object:
//!
//! | member | meaning |
//! |---|---|
//! | `n`, `at_ms` | count from 1, milliseconds since the start |
//! | `server` | `github` (`model` in the other log) |
//! | `host`, `http_host`, `known` | the host as gh names it, the Host header, whether the stand-in plays that host |
//! | `method`, `path`, `query`, `bytes` | the request's method, its path, the text after `?`, the size of its body |
//! | `token` | the label of the token; `sha256:` and 12 hex digits for a token without a label; null without a token |
//! | `graphql` | `operation` (name or null), `kind` (`query`, `mutation`), `fields` (top level), `variables`; with `--log-queries` the text as `query` |
//! | `body` | the body of a REST write, as JSON if it is JSON, else as a string |
//! | `status` | the status of the answer; null if the answer is no whole response |
//! | `answer` | how the answer was made: by a GraphQL query's `selection`, a `row` of rest.json, a REST `write` without a row, what is `live` (made, or in a bare repository), a path that is `unknown` (404), an `error` in the query, a `trouble` of trouble.rs (`late` for a slow answer), `no token`, `expired token`, `unknown host` |

use crate::graphql;
use crate::http::{Answer, Request, Response, Service, percent_decoded};
use crate::log::Log;
use crate::place::Place;
use crate::rest;
use crate::tokens::Tokens;
use crate::trouble::{self, Trouble};
use crate::world::{World, Worlds};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The state of the stand-in, shared by its connections.
pub struct GitHub {
    pub worlds: Worlds,
    /// The enterprise hosts that the stand-in plays, besides github.com and `*.ghe.com`.
    pub enterprise: Vec<String>,
    pub log: Log,
    pub tokens: Tokens,
    /// Whether no write changes anything.
    pub forget: bool,
    /// Whether the log holds the text of each GraphQL query.
    pub log_queries: bool,
}

/// Where a request goes, by its Host header and path.
struct Route {
    /// The host as gh names it.
    host: String,
    /// False for a host that nobody configured: it is logged, and answered with 404.
    known: bool,
    /// The path without `/api/v3`.
    path: String,
    graphql: bool,
    /// The base of REST addresses, without a trailing slash.
    api: String,
}

impl GitHub {
    fn route(&self, request: &Request) -> Route {
        let named = request.header("host").unwrap_or("").to_ascii_lowercase();
        let bare = named
            .strip_prefix("api.")
            .or_else(|| named.strip_prefix("uploads."))
            .unwrap_or(&named);
        let path = request.path.as_str();
        if bare == "github.com" || bare.ends_with(".ghe.com") {
            return Route {
                host: bare.to_owned(),
                known: true,
                path: path.to_owned(),
                graphql: named.starts_with("api.") && path.trim_end_matches('/') == "/graphql",
                api: format!("https://api.{bare}"),
            };
        }
        let below = path
            .strip_prefix("/api/v3")
            .or_else(|| path.strip_prefix("/api/uploads"));
        Route {
            known: self.enterprise.contains(&named),
            path: below.unwrap_or(path).to_owned(),
            graphql: path.trim_end_matches('/') == "/api/graphql",
            api: format!("https://{named}/api/v3"),
            host: named,
        }
    }
}

impl Service for GitHub {
    fn answer(&self, request: &Request) -> Answer {
        let route = self.route(request);
        let label = self.tokens.label(request.header("authorization"));
        let mut place = Place {
            host: route.host.clone(),
            api: route.api.clone(),
            number: 1,
            ..Place::default()
        };
        let mut line = json!({
            "server": "github", "host": route.host, "http_host": request.header("host"), "known": route.known,
            "method": request.method, "path": request.path, "query": request.query, "token": label, "bytes": request.body.len(),
        });
        let graphql = route.graphql && request.method == "POST";
        let body: Value = if graphql {
            serde_json::from_slice(&request.body).unwrap_or(Value::Null)
        } else {
            Value::Null
        };
        if graphql {
            owner_of(
                body["query"].as_str().unwrap_or(""),
                &body["variables"],
                &mut place,
            );
        } else {
            place_of(request, &route, &mut place);
        }
        let trouble = trouble::of(&place, route.graphql);
        let refused = !route.known
            || matches!(label.as_deref(), None | Some("expired"))
            || matches!(trouble, Some(Trouble::Instead(_)));
        let world = self.worlds.now();
        let world = if refused || self.forget {
            Arc::new(world.apart())
        } else {
            world
        };
        let usual = if graphql {
            self.graphql(&world, &body, &place, &mut line)
        } else {
            rest(&world, request, &route, &place, &mut line)
        };
        if !route.known {
            line["answer"] = json!("unknown host");
            line["status"] = json!(404);
            self.log.write(line);
            return Answer::Whole(rest::not_found());
        }
        let (answer, how) = if label.is_none() && !route.path.starts_with("/meta") {
            let body = json!({ "message": "Requires authentication", "documentation_url": "https://docs.github.com/rest" });
            (Answer::Whole(Response::json(401, &body)), "no token")
        } else if label.as_deref() == Some("expired") {
            let body = json!({ "message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401" });
            (Answer::Whole(Response::json(401, &body)), "expired token")
        } else {
            match trouble {
                Some(Trouble::Instead(answer)) => (answer, "trouble"),
                Some(Trouble::Late(delay)) => (Answer::Whole(late(usual.0, delay)), "late"),
                None => (Answer::Whole(usual.0), usual.1),
            }
        };
        let answer = match answer {
            Answer::Whole(response) => Answer::Whole(with_usual_headers(response, route.graphql)),
            other => other,
        };
        line["answer"] = json!(how);
        line["status"] = match &answer {
            Answer::Whole(response) => json!(response.status),
            _ => Value::Null,
        };
        self.log.write(line);
        answer
    }
}

impl GitHub {
    fn graphql(
        &self,
        world: &World,
        body: &Value,
        place: &Place,
        line: &mut Value,
    ) -> (Response, &'static str) {
        let Some(query) = body["query"].as_str() else {
            let body =
                json!({ "message": "A query attribute must be specified and must be a string." });
            return (Response::json(400, &body), "error");
        };
        let answered = graphql::answer(
            world,
            &Place {
                owner: String::new(),
                repo: String::new(),
                ..place.clone()
            },
            query,
            body["operationName"].as_str(),
            &body["variables"],
        );
        let (summary, reply, how) = match answered {
            Ok(answered) => {
                let mut reply = json!({ "data": answered.data });
                if !answered.errors.is_empty() {
                    reply["errors"] = Value::Array(answered.errors);
                }
                (answered.summary, reply, "selection")
            }
            Err(message) => (
                graphql::refused(query),
                json!({ "errors": [{ "message": message }] }),
                "error",
            ),
        };
        line["graphql"] = json!({ "operation": summary.operation, "kind": summary.kind, "fields": summary.fields, "variables": body["variables"] });
        if self.log_queries {
            line["graphql"]["query"] = json!(query);
        }
        (Response::json(200, &reply), how)
    }
}

/// Sets owner, repository and number of `place` for a REST request.
fn place_of(request: &Request, route: &Route, place: &mut Place) {
    let mut segments = route.path.split('/').filter(|segment| !segment.is_empty());
    match segments.next() {
        Some("repos") => {
            segments.next().unwrap_or("").clone_into(&mut place.owner);
            segments.next().unwrap_or("").clone_into(&mut place.repo);
            if let Some(number) = segments.nth(1).and_then(|number| number.parse().ok()) {
                place.number = number;
            }
        }
        Some("orgs" | "users") => segments.next().unwrap_or("").clone_into(&mut place.owner),
        Some("search") => {
            let text = percent_decoded(&request.query);
            if let Some(name) = text
                .split(['+', ' ', '&', '='])
                .find_map(|word| word.strip_prefix("repo:"))
            {
                let (owner, repo) = name.split_once('/').unwrap_or((name, ""));
                (place.owner, place.repo) = (owner.to_owned(), repo.to_owned());
            } else {
                (place.owner, place.repo) = ("o".to_owned(), "r".to_owned());
            }
            place.asked = text;
        }
        _ => {}
    }
}

fn rest(
    world: &World,
    request: &Request,
    route: &Route,
    place: &Place,
    line: &mut Value,
) -> (Response, &'static str) {
    if request.method != "GET" && !request.body.is_empty() {
        let body = serde_json::from_slice(&request.body);
        line["body"] = body.unwrap_or_else(|_| json!(String::from_utf8_lossy(&request.body)));
    }
    rest::answer(world, place, request, &route.path)
}

/// Sets owner and repository of `place` for a GraphQL request.  The owner is, in this order: a variable `owner` or `login`, the owner in a
/// node id, `repo:` in a search, or an argument `owner:` in the text.
fn owner_of(query: &str, variables: &Value, place: &mut Place) {
    let mut strings = Vec::new();
    strings_in(variables, &mut strings);
    let variable = ["owner", "login"]
        .iter()
        .find_map(|name| variables[*name].as_str());
    let node = strings.iter().find_map(|text| {
        ["PR_", "I_", "R_"]
            .iter()
            .find_map(|prefix| text.strip_prefix(prefix))
    });
    let search = strings
        .iter()
        .flat_map(|text| text.split_whitespace())
        .find_map(|word| word.strip_prefix("repo:"));
    let argument = query
        .split_once("owner:")
        .and_then(|(_, rest)| rest.trim_start().strip_prefix('"'));
    let found = variable.or(node).or(search).or(argument).unwrap_or("");
    let owner = found.split(['/', '"']).next().unwrap_or("");
    owner.clone_into(&mut place.owner);
    variables["name"]
        .as_str()
        .or(variables["repo"].as_str())
        .unwrap_or("")
        .clone_into(&mut place.repo);
}

fn strings_in<'v>(value: &'v Value, out: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(list) => list.iter().for_each(|item| strings_in(item, out)),
        Value::Object(map) => map.values().for_each(|item| strings_in(item, out)),
        _ => {}
    }
}

fn late(mut response: Response, delay: Duration) -> Response {
    response.delay = delay;
    response
}

/// Adds the headers that GitHub sends with every response, except those that `response` has already.
fn with_usual_headers(mut response: Response, graphql: bool) -> Response {
    let resource = if graphql { "graphql" } else { "core" };
    let usual = [
        (
            "X-OAuth-Scopes",
            "gist, project, read:org, repo, workflow".to_owned(),
        ),
        ("X-RateLimit-Limit", "5000".to_owned()),
        ("X-RateLimit-Remaining", "4999".to_owned()),
        ("X-RateLimit-Used", "1".to_owned()),
        ("X-RateLimit-Resource", resource.to_owned()),
        ("X-RateLimit-Reset", trouble::reset().to_string()),
        ("X-GitHub-Request-Id", "LAB:0:0:0:0".to_owned()),
    ];
    for (name, value) in usual {
        if !response.headers.iter().any(|(known, _)| known == name) {
            response.headers.push((name.to_owned(), value));
        }
    }
    response
}
