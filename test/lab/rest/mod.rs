//! REST answers from rows of path patterns.  Without a row for its path a read gets 404, and a write below one of [`ROOTS`] succeeds.
//!
//! The first row of rest.json that matches a request answers it.  Members of a row:
//!
//! | member | meaning |
//! |---|---|
//! | `path` | `{owner} {repo} {number} {asked}` match one segment each, a final `{rest}` matches all segments that are left |
//! | `body`, `text`, `hex` or `zip` | the answer: JSON; a text or bytes as hexadecimal digits, whose media type is `type`; or an archive (file name → text) |
//! | `headers` | further headers of the answer (name → value) |
//! | `method`, `status` | GET and 200 by default |
//! | `accept` | a part of the Accept header, which the request must have |
//! | `query` | words, each of which the query string must contain |
//! | `like` | `pull` or `issue`: title and body come from the pull request or issue of world.json that the path numbers |
//! | `pages` | a member of `body` that is a list; the answer has one page of this list, as the request names it |
//!
//! Pull requests and reviews that were made, and the branches of a world's `gitRoot`, go before the embedded rows, after those of `--fixtures`.

mod bare;
mod pulls;

use crate::http::{Request, Response, percent_decoded};
use crate::place::{Place, overlay};
use crate::world::{Kind, World};
use crate::zip;
use serde_json::{Value, json};

/// A write below one of these roots succeeds without a row, since tests look at the log of writes, not at their answers.
const ROOTS: &[&str] = &[
    "repos",
    "orgs",
    "user",
    "users",
    "gists",
    "notifications",
    "projects",
    "enterprises",
];

/// Returns the answer to `request`, and the log's word for how the answer was made.  `path` is the path of the request without the prefix of the
/// host, `/api/v3`; `place` has owner and repository.
pub fn answer(
    world: &World,
    place: &Place,
    request: &Request,
    path: &str,
) -> (Response, &'static str) {
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    let (own, embedded) = world.rest();
    if let Some(response) = by_rows(world, own, place, request, &segments) {
        return (response, "row");
    }
    let decoded: Vec<String> = segments
        .iter()
        .map(|segment| percent_decoded(segment))
        .collect();
    let decoded: Vec<&str> = decoded.iter().map(String::as_str).collect();
    if let Some(below) = decoded.strip_prefix(&["repos", &place.owner, &place.repo]) {
        if let Some(response) = pulls::write(world, place, request, below) {
            return (response, "write");
        }
        let read = || {
            pulls::read(world, place, request, below)
                .or_else(|| bare::answer(world, place, request, below))
        };
        if let Some(response) = read() {
            return (response, "live");
        }
    }
    if let Some(response) = by_rows(world, embedded, place, request, &segments) {
        return (response, "row");
    }
    let method = request.method.as_str();
    let root = segments.first().copied().unwrap_or("");
    match method {
        "GET" | "HEAD" => (not_found(), "unknown"),
        _ if !ROOTS.contains(&root) => (not_found(), "unknown"),
        "DELETE" => (Response::new(204, "application/json", ""), "write"),
        "POST" => (Response::json(201, &made(place, path)), "write"),
        _ => (Response::json(200, &made(place, path)), "write"),
    }
}

/// Returns the answer of the first of `rows` that matches `request`, whose path has these `segments`.
fn by_rows(
    world: &World,
    rows: &[Value],
    place: &Place,
    request: &Request,
    segments: &[&str],
) -> Option<Response> {
    let method = request.method.as_str();
    // Every word of a row's `query` must stand in the query string.
    let asked = percent_decoded(&request.query);
    for row in rows {
        let wanted = row["method"].as_str().unwrap_or("GET");
        if wanted != method && !(method == "HEAD" && wanted == "GET") {
            continue;
        }
        let Some(place) = row["path"]
            .as_str()
            .and_then(|pattern| matches(pattern, segments, place))
        else {
            continue;
        };
        if let Some(accept) = row["accept"].as_str()
            && !request
                .header("accept")
                .is_some_and(|given| given.contains(accept))
        {
            continue;
        }
        let words = row["query"].as_str().unwrap_or("");
        if !words.split_whitespace().all(|word| asked.contains(word)) {
            continue;
        }
        let mut response = from_row(world, row, &place, &asked);
        for (name, value) in row["headers"].as_object().into_iter().flatten() {
            let value = place.fill(value.as_str().unwrap_or(""));
            response.headers.push((name.clone(), value));
        }
        return Some(response);
    }
    None
}

/// GitHub's own 404.
pub fn not_found() -> Response {
    Response::json(
        404,
        &json!({ "message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404" }),
    )
}

/// The body of a successful write: the members of a new or changed object that gh prints.
fn made(place: &Place, path: &str) -> Value {
    let web = place.fill("{web}/{owner}/{repo}");
    json!({
        "id": 1001, "node_id": "LAB_1001", "number": place.number, "name": place.asked, "login": place.owner, "state": "open",
        "url": format!("{}{path}", place.api), "html_url": web, "full_name": place.fill("{owner}/{repo}"),
        "owner": { "login": place.owner, "id": 1 }, "tag_name": "v1.0.0", "upload_url": format!("{}{path}/assets{{?name,label}}", place.api),
        "merged": true, "message": "done",
    })
}

fn from_row(world: &World, row: &Value, place: &Place, asked: &str) -> Response {
    let status = row["status"]
        .as_u64()
        .and_then(|status| u16::try_from(status).ok())
        .unwrap_or(200);
    if let Some(text) = row["text"].as_str() {
        let kind = row["type"].as_str().unwrap_or("text/plain; charset=utf-8");
        return Response::new(status, kind, place.fill(text));
    }
    if let Some(digits) = row["hex"].as_str() {
        let kind = row["type"].as_str().unwrap_or("application/octet-stream");
        return Response::new(status, kind, bytes(digits));
    }
    if let Some(files) = row["zip"].as_object() {
        let files = files
            .iter()
            .map(|(name, text)| (name.as_str(), place.fill(text.as_str().unwrap_or(""))));
        return Response::new(status, "application/zip", zip::stored(files));
    }
    let mut body = place.fill_all(&row["body"]);
    if let Some(Value::Array(list)) = row["pages"].as_str().map(|name| body[name].take()) {
        let name = row["pages"].as_str().unwrap_or_default();
        body[name] = page(list, asked);
    }
    // `like`: title and body of the same pull request or issue in world.json.
    let kind = match row["like"].as_str() {
        Some("pull") => Some(Kind::Pull),
        Some("issue") => Some(Kind::Issue),
        _ => None,
    };
    if let Some(known) = kind.map(|kind| world.numbered(kind, place, place.number)) {
        let Some(known) = known else {
            return not_found();
        };
        for name in ["title", "body"] {
            if let Some(text) = known[name].as_str() {
                body[name] = json!(place.fill(text));
            }
        }
        if kind == Some(Kind::Pull) && pulls::is_live(world, place) {
            body = overlay(&body, &pulls::rendered(world, place, &known));
        }
    }
    if row["path"] == "repos/{owner}/{repo}" {
        body = overlay(&body, &pulls::fork(world, place));
    }
    Response::json(status, &body)
}

/// Returns the bytes of `digits`, two hexadecimal digits a byte.
fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            std::str::from_utf8(pair)
                .ok()
                .and_then(|pair| u8::from_str_radix(pair, 16).ok())
                .expect("a fixture has hexadecimal digits")
        })
        .collect()
}

/// Returns the page of `list` that the query string `asked` names, with 30 entries by default (REST documentation, "Using pagination").
fn page(list: Vec<Value>, asked: &str) -> Value {
    let number = |name: &str| {
        asked
            .split('&')
            .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
    };
    let each: usize = number("per_page").unwrap_or(30);
    let page: usize = number("page").unwrap_or(1);
    list.into_iter()
        .skip(each * page.saturating_sub(1))
        .take(each)
        .collect()
}

/// Returns `place` with `{owner} {repo} {number} {asked}` of `pattern` set from `segments`, or `None` if they do not match.  A final
/// `{rest}` matches all segments that are left.
fn matches(pattern: &str, segments: &[&str], place: &Place) -> Option<Place> {
    let mut place = place.clone();
    let mut left = segments.iter();
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        if part == "{rest}" {
            place.asked = left.copied().collect::<Vec<_>>().join("/");
            return (!place.asked.is_empty()).then_some(place);
        }
        let segment = *left.next()?;
        match part {
            "{owner}" => segment.clone_into(&mut place.owner),
            "{repo}" => segment.clone_into(&mut place.repo),
            "{number}" => place.number = segment.parse().ok()?,
            "{asked}" => segment.clone_into(&mut place.asked),
            plain if plain == segment => {}
            _ => return None,
        }
    }
    left.next().is_none().then_some(place)
}
