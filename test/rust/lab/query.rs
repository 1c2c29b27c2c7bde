//! The stand-in GitHub without gh: the answer to a query has exactly the keys of its selection set, and requests have bounds.

use crate::lab::{self, Lab};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

#[test]
fn a_query_is_answered_with_exactly_its_own_keys() {
    let ask = |query: &str, variables: &str| -> Value {
        let ran = lab::lab(&["query", "--variables", variables], query);
        assert_eq!(ran.code, Some(0), "{query}: {}", ran.stderr);
        serde_json::from_str(&ran.stdout).expect("the answer is JSON")
    };
    let answer = ask(
        "query Q($n: Int!, $yes: Boolean = true) { repo: repository(owner: \"o\", name: \"r\") { ...R p: pullRequest(number: $n) { t: title ... on PullRequest { state } a: additions @include(if: $yes) d: deletions @skip(if: $yes) } } } fragment R on Repository { name }",
        "{\"n\": 1}",
    );
    let expected = json!({ "name": "r", "p": { "t": "Read quoted fields with line breaks", "state": "OPEN", "a": 84 } });
    assert_eq!(answer["data"]["repo"], expected);

    let answer = ask(
        "{ Repository: __type(name: \"Repository\") { fields(includeDeprecated: true) { name } } S: __type(name: \"SearchType\") { enumValues { name } } }",
        "{}",
    );
    let fields = answer["data"]["Repository"]["fields"]
        .as_array()
        .expect("a list of fields");
    assert!(fields.iter().all(|field| {
        field
            .as_object()
            .is_some_and(|field| field.keys().eq(["name"]))
    }));
    assert_eq!(
        answer["data"]["Repository"]
            .as_object()
            .map(serde_json::Map::len),
        Some(1)
    );
    assert!(
        answer["data"]["S"]["enumValues"]
            .as_array()
            .is_some_and(|list| list.contains(&json!({ "name": "ISSUE_ADVANCED" })))
    );

    let page = "query($after: String) { repository(owner: \"many\", name: \"r\") { pullRequests(first: 100, after: $after) { totalCount nodes { number } pageInfo { hasNextPage endCursor } } } }";
    let (mut after, mut numbers) = (Value::Null, Vec::new());
    loop {
        let answer = ask(page, &json!({ "after": after }).to_string());
        let list = &answer["data"]["repository"]["pullRequests"];
        assert_eq!(list["totalCount"], 250);
        numbers.extend(
            list["nodes"]
                .as_array()
                .expect("nodes")
                .iter()
                .map(|node| node["number"].as_i64()),
        );
        if list["pageInfo"]["hasNextPage"] == false {
            break;
        }
        after = list["pageInfo"]["endCursor"].clone();
    }
    assert!(
        numbers.iter().copied().eq((1..=250).map(Some)),
        "two pages overlap or leave a gap"
    );

    let answer = ask(
        "{ repository(owner: \"o\", name: \"r\") { pullRequest(number: 9999) { title } } }",
        "{}",
    );
    assert_eq!(answer["data"]["repository"]["pullRequest"], Value::Null);
    assert_eq!(answer["errors"][0]["type"], "NOT_FOUND");

    let answer = ask(
        "{ repository(owner: \"o\", name: \"r\") { pullRequest(number: 1) { commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 10) { nodes { __typename ... on CheckRun { name } ... on StatusContext { context } } } } } } } } } }",
        "{}",
    );
    let contexts = &answer["data"]["repository"]["pullRequest"]["commits"]["nodes"][0]["commit"]["statusCheckRollup"]
        ["contexts"]["nodes"];
    assert_eq!(
        contexts[0],
        json!({ "__typename": "CheckRun", "name": "build" })
    );
    assert_eq!(
        contexts[3],
        json!({ "__typename": "StatusContext", "context": "ci/external" })
    );
}

#[test]
fn a_query_that_is_too_deep_or_circular_is_refused() {
    let deep = format!("{}name{}", "{a ".repeat(200), "}".repeat(200));
    let circular = "{ repository(owner: \"o\", name: \"r\") { ...A } } fragment A on Repository { ...B } fragment B on Repository { ...A }";
    for query in [deep.as_str(), circular, "{", "query { ...Nowhere }", ""] {
        let ran = lab::lab(&["query"], query);
        assert_eq!(ran.code, Some(2), "{query}: {}", ran.stdout);
    }
}

#[test]
fn fixtures_of_a_test_go_before_the_embedded_ones() {
    let dir = lab::fresh_dir();
    let world = json!({ "repos": { "o/r": { "description": "mine at {host}" } } });
    let rest = json!([{ "path": "repos/{owner}/{repo}/odd", "status": 202, "body": { "who": "{owner}" } }, { "path": "user", "body": { "login": "me" } }]);
    std::fs::write(dir.join("world.json"), world.to_string()).expect("a fixture can be written");
    std::fs::write(dir.join("rest.json"), rest.to_string()).expect("a fixture can be written");
    let path = dir.to_str().expect("a plain path");
    let query = "{ repository(owner: \"o\", name: \"r\") { description pullRequest(number: 1) { number } } }";
    let ran = lab::lab(
        &["query", "--fixtures", path, "--host", "ghe.example.com"],
        query,
    );
    let answer: Value = serde_json::from_str(&ran.stdout).expect("the answer is JSON");
    let expected =
        json!({ "description": "mine at ghe.example.com", "pullRequest": { "number": 1 } });
    assert_eq!(answer["data"]["repository"], expected);

    let lab = Lab::start(&["--fixtures", path]);
    let mut wire = Wire::open(&lab);
    assert_eq!(
        wire.ask("GET", "/repos/o/r/odd", ""),
        (202, json!({ "who": "o" }))
    );
    assert_eq!(wire.ask("GET", "/user", "").1, json!({ "login": "me" }));
    assert_eq!(wire.ask("GET", "/repos/o/r/nothing", "").0, 404);
    let _ = std::fs::remove_dir_all(dir);
}

#[test]
fn a_connection_is_kept_and_a_body_beyond_bounds_is_refused() {
    let lab = Lab::start(&[]);
    let mut wire = Wire::open(&lab);
    for number in 1..=3 {
        let (status, body) = wire.ask("GET", &format!("/repos/o/r/pulls/{number}"), "");
        assert_eq!((status, &body["number"]), (200, &json!(number)));
    }
    let (status, _) = wire.ask("PATCH", "/repos/o/r", "{\"name\":\"x\"}");
    assert_eq!(status, 200);
    let last = lab.requests().pop().expect("a line for each request");
    assert_eq!(
        (&last["body"], &last["bytes"]),
        (&json!({ "name": "x" }), &json!(12))
    );
    let head = "POST /repos/o/r/issues HTTP/1.1\r\nHost: api.github.com\r\nContent-Length: 99999999\r\n\r\n";
    assert_eq!(wire.send(head).0, 413);
}

/// A kept connection to the stand-in GitHub.
struct Wire(BufReader<UnixStream>);

impl Wire {
    fn open(lab: &Lab) -> Self {
        let socket =
            UnixStream::connect(lab.dir.join("github.sock")).expect("the stand-in listens");
        Self(BufReader::new(socket))
    }

    fn ask(&mut self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let length = body.len();
        self.send(&format!("{method} {path} HTTP/1.1\r\nHost: api.github.com\r\nAuthorization: token x\r\nContent-Length: {length}\r\n\r\n{body}"))
    }

    fn send(&mut self, request: &str) -> (u16, Value) {
        self.0
            .get_mut()
            .write_all(request.as_bytes())
            .expect("the request goes out");
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).expect("a line of the head");
            let line = line.trim_end();
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().expect("a status");
            } else if let Some(rest) = line.strip_prefix("Content-Length: ") {
                length = rest.parse().expect("a length");
            } else if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).expect("the whole body");
        (
            status,
            serde_json::from_slice(&body).expect("the body is JSON"),
        )
    }
}
