//! The stand-in GitHub remembers writes: what a write changed is there when the real gh looks again.

use crate::lab::{self, Lab, Ran};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A lab whose world has the members `world`, and the directory of that world.
pub struct Worldly {
    pub lab: Lab,
    pub fixtures: PathBuf,
}

impl Worldly {
    pub fn start(world: &Value) -> Self {
        let fixtures = lab::fresh_dir();
        let text = world.to_string();
        std::fs::write(fixtures.join("world.json"), text).expect("a world can be written");
        let dir = fixtures.display().to_string();
        Self {
            lab: Lab::start(&["--fixtures", &dir]),
            fixtures,
        }
    }

    /// Replaces the world by a rename, so that its file is whole at each moment.
    pub fn become_world(&self, world: &Value) {
        let new = self.fixtures.join("new.json");
        std::fs::write(&new, world.to_string()).expect("a world can be written");
        std::fs::rename(&new, self.fixtures.join("world.json")).expect("a file can be renamed");
    }

    /// Runs gh, which must exit with 0, and returns the JSON that it prints.
    pub fn json(&self, gh: &Path, args: &[&str]) -> Value {
        let ran = self.lab.gh(gh, args);
        assert_eq!(ran.code, Some(0), "{args:?}: {}{}", ran.stderr, ran.stdout);
        serde_json::from_str(&ran.stdout)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {}", ran.stdout))
    }

    /// Sends the document `query` by `gh api graphql`; the exit code is 1 where the answer has errors.
    pub fn graphql(&self, gh: &Path, query: &str) -> (Option<i32>, Value) {
        let Ran {
            code,
            stdout,
            stderr,
        } = self
            .lab
            .gh(gh, &["api", "graphql", "-f", &format!("query={query}")]);
        let value = serde_json::from_str(&stdout)
            .unwrap_or_else(|error| panic!("{query}: {error}: {stdout}{stderr}"));
        (code, value)
    }

    pub fn data(&self, gh: &Path, query: &str) -> Value {
        let (code, answer) = self.graphql(gh, query);
        assert_eq!(code, Some(0), "{query}: {answer}");
        answer["data"].clone()
    }
}

impl Drop for Worldly {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.fixtures);
    }
}

const THREADS: &str = "{ repository(owner: \"octo\", name: \"plot\") { pullRequest(number: 4) { reviewThreads(first: 9) { totalCount nodes { id isResolved resolvedBy { login } comments(last: 1) { totalCount nodes { author { login } body } } } } } } }";
const NODE: &str = "{ node(id: \"PRRT_A\") { ... on PullRequestReviewThread { id isResolved path line pullRequest { number title repository { nameWithOwner } } comments(first: 9) { totalCount nodes { body } } } } }";

fn thread(id: &str, body: &str) -> Value {
    json!({
        "id": id, "isResolved": false, "resolvedBy": null, "isOutdated": false, "path": "src/axis.rs", "line": 12,
        "comments": { "totalCount": 1, "nodes": [{ "author": { "login": "kim" }, "body": body }] },
    })
}

fn world() -> Value {
    json!({ "repos": { "octo/plot": { "pulls": [
        { "number": 4, "title": "Ticks", "state": "OPEN", "author": { "login": "mona" }, "headRefName": "ticks", "baseRefName": "main",
          "reviewThreads": { "totalCount": 2, "nodes": [thread("PRRT_A", "Why 12?"), thread("PRRT_B", "A typo.")] } },
    ] } } })
}

#[test]
fn a_resolved_thread_answers_resolved_and_a_reply_is_its_last_comment() {
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&world());
        let both = lab.data(
            &gh,
            "mutation { reply: addPullRequestReviewThreadReply(input: {pullRequestReviewThreadId: \"PRRT_A\", body: \"By the issue.\"}) { comment { body author { login } url } } done: resolveReviewThread(input: {threadId: \"PRRT_A\"}) { thread { id isResolved resolvedBy { login } pullRequest { number repository { nameWithOwner } } comments(last: 1) { totalCount nodes { body } } } } }",
        );
        assert_eq!(both["reply"]["comment"]["author"]["login"], "octo");
        assert!(
            both["reply"]["comment"]["url"].as_str().is_some_and(
                |url| url.starts_with("https://github.com/octo/plot/pull/4#discussion_r")
            ),
            "{both}"
        );
        let of_payload = json!({
            "id": "PRRT_A", "isResolved": true, "resolvedBy": { "login": "octo" },
            "pullRequest": { "number": 4, "repository": { "nameWithOwner": "octo/plot" } },
            "comments": { "totalCount": 2, "nodes": [{ "body": "By the issue." }] },
        });
        assert_eq!(both["done"]["thread"], of_payload);
        let read = lab.data(&gh, THREADS);
        let nodes = json!([
            { "id": "PRRT_A", "isResolved": true, "resolvedBy": { "login": "octo" },
              "comments": { "totalCount": 2, "nodes": [{ "author": { "login": "octo" }, "body": "By the issue." }] } },
            { "id": "PRRT_B", "isResolved": false, "resolvedBy": null,
              "comments": { "totalCount": 1, "nodes": [{ "author": { "login": "kim" }, "body": "A typo." }] } },
        ]);
        assert_eq!(
            read["repository"]["pullRequest"]["reviewThreads"],
            json!({ "totalCount": 2, "nodes": nodes })
        );
        lab.data(&gh, "mutation { unresolveReviewThread(input: {threadId: \"PRRT_A\"}) { thread { isResolved resolvedBy { login } } } }");
        let node = lab.data(&gh, NODE)["node"].clone();
        let opened = json!({
            "id": "PRRT_A", "isResolved": false, "path": "src/axis.rs", "line": 12,
            "pullRequest": { "number": 4, "title": "Ticks", "repository": { "nameWithOwner": "octo/plot" } },
            "comments": { "totalCount": 2, "nodes": [{ "body": "Why 12?" }, { "body": "By the issue." }] },
        });
        assert_eq!(node, opened);
    }
}

#[test]
fn what_was_remembered_lies_over_a_world_that_is_replaced() {
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&world());
        lab.data(
            &gh,
            "mutation { addPullRequestReviewThreadReply(input: {pullRequestReviewThreadId: \"PRRT_A\", body: \"Mine.\"}) { comment { id } } resolveReviewThread(input: {threadId: \"PRRT_A\"}) { thread { id } } }",
        );
        let mut later = world();
        let pull = &mut later["repos"]["octo/plot"]["pulls"][0];
        pull["title"] = json!("Ticks, again");
        pull["reviewThreads"]["nodes"][0]["comments"] =
            json!([{ "body": "Why 12?" }, { "body": "Still why?" }]);
        lab.become_world(&later);
        let node = lab.data(&gh, NODE)["node"].clone();
        assert_eq!(node["pullRequest"]["title"], "Ticks, again");
        assert_eq!(node["isResolved"], true);
        let bodies = json!([{ "body": "Why 12?" }, { "body": "Still why?" }, { "body": "Mine." }]);
        assert_eq!(node["comments"]["nodes"], bodies);
    }
}

#[test]
fn an_unknown_thread_is_not_found_and_a_thread_of_the_defaults_is_that_of_the_repository_asked_last()
 {
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&json!({}));
        let (code, answer) = lab.graphql(
            &gh,
            "{ a: node(id: \"PRRT_none\") { ... on PullRequestReviewThread { id } } nodes(ids: [\"PRRT_1\", \"PRRT_gone\"]) { ... on PullRequestReviewThread { path pullRequest { repository { nameWithOwner } } } } }",
        );
        assert_eq!(code, Some(1));
        let thread = json!({ "path": "src/reader.rs", "pullRequest": { "repository": { "nameWithOwner": "o/r" } } });
        assert_eq!(
            answer["data"],
            json!({ "a": null, "nodes": [thread, null] })
        );
        let told: Vec<Value> = answer["errors"]
            .as_array()
            .expect("errors")
            .iter()
            .map(|one| json!([one["type"], one["path"], one["message"]]))
            .collect();
        assert_eq!(
            told,
            [
                json!([
                    "NOT_FOUND",
                    ["a"],
                    "Could not resolve to a node with the global id of 'PRRT_none'"
                ]),
                json!([
                    "NOT_FOUND",
                    ["nodes", 1],
                    "Could not resolve to a node with the global id of 'PRRT_gone'"
                ]),
            ]
        );
        lab.data(
            &gh,
            "{ repository(owner: \"kim\", name: \"tables\") { id } }",
        );
        lab.data(
            &gh,
            "mutation { resolveReviewThread(input: {threadId: \"PRRT_1\"}) { thread { id } } }",
        );
        for (owner, resolved) in [("kim", true), ("lee", false)] {
            let read = format!(
                "{{ repository(owner: \"{owner}\", name: \"tables\") {{ pullRequest(number: 1) {{ reviewThreads(first: 9) {{ nodes {{ id isResolved }} }} }} }} }}"
            );
            let threads = lab.data(&gh, &read);
            assert_eq!(
                threads["repository"]["pullRequest"]["reviewThreads"]["nodes"][1],
                json!({ "id": "PRRT_1", "isResolved": resolved })
            );
        }
        let (code, answer) = lab.graphql(
            &gh,
            "mutation { resolveReviewThread(input: {threadId: \"PRRT_none\"}) { thread { id } } }",
        );
        assert_eq!(
            (code, &answer["errors"][0]["type"]),
            (Some(1), &json!("NOT_FOUND"))
        );
    }
}

#[test]
fn a_mutation_that_the_world_lets_fail_leaves_the_others_of_its_document() {
    let mut world = world();
    world["fails"] = json!({
        "resolveReviewThread": { "type": "FORBIDDEN", "message": "octo does not have the correct permissions", "of": "PRRT_A" },
        "addPullRequestReview": { "type": "UNPROCESSABLE", "message": "Review Threads Line could not be resolved" },
    });
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&world);
        let (code, answer) = lab.graphql(
            &gh,
            "mutation { reply: addPullRequestReviewThreadReply(input: {pullRequestReviewThreadId: \"PRRT_A\", body: \"Here.\"}) { comment { body } } first: resolveReviewThread(input: {threadId: \"PRRT_A\"}) { thread { isResolved } } second: resolveReviewThread(input: {threadId: \"PRRT_B\"}) { thread { isResolved } } }",
        );
        assert_eq!(code, Some(1));
        let data = json!({ "reply": { "comment": { "body": "Here." } }, "first": null, "second": { "thread": { "isResolved": true } } });
        assert_eq!(answer["data"], data);
        let errors = answer["errors"].as_array().expect("errors");
        assert_eq!(errors.len(), 1);
        assert_eq!(
            (&errors[0]["type"], &errors[0]["path"]),
            (&json!("FORBIDDEN"), &json!(["first"]))
        );
        let read = lab.data(&gh, THREADS);
        let nodes = &read["repository"]["pullRequest"]["reviewThreads"]["nodes"];
        assert_eq!(
            (&nodes[0]["isResolved"], &nodes[1]["isResolved"]),
            (&json!(false), &json!(true))
        );
        assert_eq!(nodes[0]["comments"]["totalCount"], 2);
        let ran = lab.lab.gh(
            &gh,
            &[
                "api",
                "repos/octo/plot/pulls/4/reviews",
                "-f",
                "event=COMMENT",
                "-f",
                "body=x",
            ],
        );
        assert!(ran.stderr.contains("HTTP 422"), "{}", ran.stderr);
        assert!(
            ran.stdout.contains("Line could not be resolved"),
            "{}",
            ran.stdout
        );
        assert_eq!(
            lab.json(
                &gh,
                &["pr", "view", "4", "-R", "octo/plot", "--json", "reviews"]
            )["reviews"][0]["state"],
            "APPROVED"
        ); // made up
    }
}

#[test]
fn a_refused_write_is_forgotten() {
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&world());
        let resolve = "query=mutation { resolveReviewThread(input: {threadId: \"PRRT_A\"}) { thread { id } } }";
        let unlabeled = [("GH_TOKEN", "")];
        let ran = lab
            .lab
            .gh_env(&gh, &["api", "graphql", "-f", resolve], &unlabeled);
        assert_ne!(ran.code, Some(0), "{}", ran.stdout);
        let err = "query=mutation($owner: String) { resolveReviewThread(input: {threadId: \"PRRT_A\", clientMutationId: $owner}) { thread { id } } }";
        let ran = lab
            .lab
            .gh(&gh, &["api", "graphql", "-f", err, "-f", "owner=err502"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stderr.contains("502"), "{}", ran.stderr);
        assert_eq!(lab.data(&gh, NODE)["node"]["isResolved"], false);
    }
}

#[test]
fn a_review_shows_in_reviews_decision_and_threads() {
    let view = [
        "pr",
        "view",
        "4",
        "-R",
        "octo/plot",
        "--json",
        "reviews,latestReviews,reviewDecision",
    ];
    let opinions = "{ repository(owner: \"octo\", name: \"plot\") { pullRequest(number: 4) { latestOpinionatedReviews(first: 9) { nodes { state author { login } } } } } }";
    let threads = "{ repository(owner: \"octo\", name: \"plot\") { pullRequest(number: 4) { reviewThreads(last: 1) { totalCount nodes { path line startLine diffSide startDiffSide isResolved comments(first: 1) { nodes { body author { login } } } } } } } }";
    for gh in lab::gh_binaries() {
        let mut world = world();
        world["repos"]["octo/plot"]["pulls"][0]["reviews"] = json!([]);
        world["repos"]["octo/plot"]["pulls"][0]["latestReviews"] =
            json!([{ "author": { "login": "kim" }, "state": "APPROVED", "body": "" }]);
        let lab = Worldly::start(&world);
        let ran = lab.lab.gh(
            &gh,
            &[
                "pr",
                "review",
                "4",
                "-R",
                "octo/plot",
                "--request-changes",
                "-b",
                "Not yet.",
            ],
        );
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let seen = lab.json(&gh, &view);
        assert_eq!(seen["reviewDecision"], "CHANGES_REQUESTED");
        assert_eq!(
            (
                &seen["reviews"][0]["state"],
                &seen["reviews"][0]["body"],
                &seen["reviews"][0]["author"]["login"]
            ),
            (
                &json!("CHANGES_REQUESTED"),
                &json!("Not yet."),
                &json!("octo")
            )
        );
        // By REST, with comments at lines.
        let body = lab.fixtures.join("review.json");
        let review = json!({ "event": "APPROVE", "body": "Now.", "comments": [{ "path": "a.rs", "line": 9, "start_line": 7, "side": "LEFT", "start_side": "LEFT", "body": "Nice." }] });
        std::fs::write(&body, review.to_string()).expect("a file can be written");
        let made = lab.json(
            &gh,
            &[
                "api",
                "repos/octo/plot/pulls/4/reviews",
                "--input",
                &body.display().to_string(),
            ],
        );
        assert_eq!(
            (&made["state"], &made["user"]["login"]),
            (&json!("APPROVED"), &json!("octo"))
        );
        let seen = lab.json(&gh, &view);
        assert_eq!(seen["reviewDecision"], "APPROVED");
        let latest: Vec<Value> = seen["latestReviews"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| json!([one["author"]["login"], one["state"]]))
            .collect();
        assert_eq!(
            latest,
            [json!(["kim", "APPROVED"]), json!(["octo", "APPROVED"])]
        );
        let read = lab.data(&gh, opinions)["repository"]["pullRequest"].clone();
        let nodes = json!([{ "state": "APPROVED", "author": { "login": "kim" } }, { "state": "APPROVED", "author": { "login": "octo" } }]);
        assert_eq!(read["latestOpinionatedReviews"]["nodes"], nodes);
        let thread = json!({ "path": "a.rs", "line": 9, "startLine": 7, "diffSide": "LEFT", "startDiffSide": "LEFT", "isResolved": false, "comments": { "nodes": [{ "body": "Nice.", "author": { "login": "octo" } }] } });
        assert_eq!(
            lab.data(&gh, threads)["repository"]["pullRequest"]["reviewThreads"],
            json!({ "totalCount": 3, "nodes": [thread] })
        );
        assert_eq!(
            lab.json(&gh, &["api", "repos/octo/plot/pulls/4/comments"])[2]["start_line"],
            7
        );
    }
}

#[test]
fn a_thread_that_a_review_began_is_resolved_by_the_id_that_it_got() {
    for gh in lab::gh_binaries() {
        let lab = Worldly::start(&world());
        let made = lab.data(&gh, "mutation { addPullRequestReview(input: {pullRequestId: \"PR_octo/plot#4\", event: COMMENT, body: \"\", threads: [{path: \"b.rs\", line: 3, body: \"And here?\"}]}) { pullRequestReview { state } pullRequest { reviewThreads(last: 1) { nodes { id path } } } } }");
        assert_eq!(
            made["addPullRequestReview"]["pullRequestReview"]["state"],
            "COMMENTED"
        );
        let id = made["addPullRequestReview"]["pullRequest"]["reviewThreads"]["nodes"][0]["id"]
            .as_str()
            .expect("an id")
            .to_owned();
        let done = lab.data(&gh, &format!("mutation {{ resolveReviewThread(input: {{threadId: \"{id}\"}}) {{ thread {{ isResolved path diffSide }} }} }}"));
        assert_eq!(
            done["resolveReviewThread"]["thread"],
            json!({ "isResolved": true, "path": "b.rs", "diffSide": "RIGHT" })
        );
        let (code, empty) = lab.graphql(&gh, "mutation { addPullRequestReview(input: {pullRequestId: \"PR_octo/plot#4\", event: COMMENT}) { clientMutationId } }");
        assert_eq!(
            (code, &empty["errors"][0]["type"]),
            (Some(1), &json!("UNPROCESSABLE"))
        );
    }
}
