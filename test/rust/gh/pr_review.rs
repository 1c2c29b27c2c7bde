//! A review with its line comments, from the arguments to the result; a script stands in gh's place.
//! Included by `src/gh/tools/pr_review/mod.rs`; test/lisp/review-tests.el has the real gh and a person's keys.

use serde_json::json;

use super::*;
use crate::gate::{Class, Outcome};

use crate::gh::tools::errand::tests::{Home, field, shown as texts};
use crate::gh::tools::script::approved;

const LOOK: &str = "query ReviewedPull";
const FILES: &str = "pulls/3/files";
const WRITE: &str = "mutation Review(";
const HEAD: &str = "0123456789abcdef0123456789abcdef01234567";
const PATCH: &str =
    "@@ -10,3 +10,4 @@ fn main() {\n ten\n-eleven\n+ELEVEN \u{202e}\n+twelve\n thirteen";

fn errand(args: &Value) -> Arc<dyn Errand> {
    let mut args = args.clone();
    args["number"] = json!("3");
    Arc::new(ReviewErrand::new(&args).expect("the arguments are right"))
}

fn looked(changes: &Value) -> Value {
    let mut pull = json!({
        "id": "PR_3", "number": 3, "title": "Sort “rows”", "state": "OPEN", "isDraft": false, "headRefOid": HEAD, "changedFiles": 2,
        "viewerDidAuthor": false, "author": {"login": "mona"}, "viewer": "octo",
    });
    for (name, value) in changes.as_object().into_iter().flatten() {
        pull[name] = value.clone();
    }
    pull
}

fn files() -> Value {
    json!({"paths": ["src/a.rs", "logo.png"], "files": [
        {"path": "src/a.rs", "patch": PATCH, "head": HEAD}, {"path": "logo.png", "patch": null, "head": HEAD},
    ]})
}

fn home() -> Home {
    Home::new(&[
        (LOOK, looked(&json!({})), 0),
        (FILES, files(), 0),
        (WRITE, done("COMMENTED"), 0),
    ])
}

const URL: &str = "https://github.com/o/r/pull/3#pullrequestreview-9";

fn done(state: &str) -> Value {
    json!({"data": {"review": {"pullRequestReview": {"url": URL, "state": state}}}})
}

fn on(path: &str, line: u64, body: &str) -> Value {
    json!({"path": path, "line": line, "body": body})
}

#[test]
fn wrong_arguments_are_told_before_anything_is_read() {
    let comments = |comments: Value| json!({"event": "comment", "comments": comments});
    let one = |comment: Value| comments(json!([comment]));
    let long: Value = (0..5).map(|_| on("a", 1, &"x".repeat(40_000))).collect();
    let many: Value = (0..51).map(|_| on("a", 1, "x")).collect();
    for (args, words) in [
        (
            json!({"number": "-R", "event": "comment", "body": "x"}),
            "`number' begins with a dash",
        ),
        (json!({"body": "x"}), "`event' is no verdict"),
        (
            json!({"event": "merge", "body": "x"}),
            "`event' is no verdict",
        ),
        (json!({"event": "comment"}), "neither `body' nor `comments'"),
        (
            json!({"event": "comment", "body": " ", "comments": []}),
            "neither `body' nor `comments'",
        ),
        (json!({"event": "request_changes"}), "`body' is missing"),
        (
            json!({"event": "request_changes", "comments": [on("a", 1, "x")]}),
            "`body' is missing",
        ),
        (
            json!({"event": "comment", "body": "x".repeat(65_537)}),
            "has 65,537 characters",
        ),
        (comments(json!("x")), "`comments' is no array"),
        (comments(many), "has 51 entries, and a review 50 at most"),
        (
            comments(long),
            "has 200,005 bytes of text, and a review 180,224 at most",
        ),
        (
            one(json!("x")),
            "Comment 1 of `comments' lacks its path or its body",
        ),
        (
            one(json!({"line": 1, "body": "x"})),
            "Comment 1 of `comments' lacks its path",
        ),
        (
            comments(json!([on("a", 1, "x"), {"path": "a", "line": 1}])),
            "Comment 2 of `comments' lacks its path or its body",
        ),
        (one(on("a", 1, " ")), "has an empty body"),
        (one(on("a", 1, "a\0")), "`comments[1].body' holds a NUL"),
        (one(on("a\0", 1, "a")), "has a NUL character in its path"),
        (
            one(on("a", 1, &"日".repeat(45_000))),
            "`comments[1].body' has 135,000 bytes",
        ),
        (one(json!({"path": "a", "body": "x"})), "lacks its line"),
        (one(on("a", 0, "x")), "lacks its line"),
        (
            one(json!({"path": "a", "line": -3, "body": "x"})),
            "lacks its line",
        ),
        (
            one(json!({"path": "a", "line": "12", "body": "x"})),
            "lacks its line",
        ),
        (
            one(json!({"path": "a", "line": 3, "start_line": 4, "body": "x"})),
            "start_line that is not before",
        ),
        (
            one(json!({"path": "a", "line": 3, "start_line": 0, "body": "x"})),
            "start_line that is not before",
        ),
        (
            one(json!({"path": "a", "line": 3, "side": "both", "body": "x"})),
            "neither left nor right",
        ),
    ] {
        let refusal = ReviewErrand::new(&args).expect_err("the arguments are wrong");
        assert_eq!(refusal.kind, ErrorKind::BadArgument);
        assert!(refusal.message.contains(words), "{}", refusal.message);
        assert_eq!(refusal.message.lines().count(), 2, "{}", refusal.message);
    }
}

#[test]
fn each_comment_is_shown_at_its_line_and_all_are_one_document() {
    let home = home();
    let plan = home.write(&errand(
        &json!({"event": "comment", "body": "Two\nthings", "comments": [
            {"path": "src/a.rs", "line": 12, "start_line": 11, "body": "@/etc/passwd"},
            {"path": "src/a.rs", "line": 11, "side": "left", "body": "true"},
        ]}),
    ));
    let info = plan.info();
    assert_eq!(
        (info.class, info.command.as_str()),
        (Class::Write, "pr review")
    );
    assert_eq!(plan.refusal(), None);
    assert_eq!(
        info.question.sentence,
        "Review pull request #3 “Sort \"rows\"” in o/r without a verdict, with 2 line comments, as octo"
    );
    assert_eq!(
        texts(info),
        [
            ("Body", "Two\nthings"),
            (
                "src/a.rs:11-12",
                "     10   ten\n     11 - eleven\n>    11 + ELEVEN <U+202E>\n>    12 + twelve\n     13   thirteen"
            ),
            ("Comment 1", "@/etc/passwd"),
            ("src/a.rs:11 (left)", "     10   ten\n>    11 - eleven\n     11 + ELEVEN <U+202E>"),
            ("Comment 2", "true"),
        ]
        .map(|(label, text)| (label.to_owned(), text.to_owned()))
    );
    assert_eq!(
        field(info, "query"),
        "mutation Review($pull:ID!,$head:GitObjectID!,$body:String!,$path0:String!,$body0:String!,$path1:String!,$body1:String!)\
         {review:addPullRequestReview(input:{pullRequestId:$pull,commitOID:$head,event:COMMENT,body:$body,threads:[\
         {path:$path0,line:12,side:RIGHT,startLine:11,startSide:RIGHT,body:$body0},{path:$path1,line:11,side:LEFT,body:$body1}]})\
         {pullRequestReview{url state}}}"
    );
    // The head that was shown is pinned, and no field is of the kind that reads files or guesses types.
    assert_eq!((field(info, "pull"), field(info, "head")), ("PR_3", HEAD));
    assert_eq!(
        (field(info, "body0"), field(info, "body1")),
        ("@/etc/passwd", "true")
    );
    assert!(
        !info
            .argv
            .iter()
            .any(|word| word == "-F" || word == "--field")
    );
    assert!(
        info.no_lease
            .as_deref()
            .is_some_and(|why| why.contains("read whole"))
    );
    let outcome = approved(plan);
    assert_eq!(outcome.kind, None, "{}", outcome.text);
    assert_eq!(
        outcome.text.trim_end(),
        format!("Reviewed pull request #3: commented, 2 line comments.\n{URL}")
    );
    assert_eq!(home.asked().len(), 4, "{:?}", home.asked());
}

#[test]
fn the_verdict_stands_in_the_document_and_in_the_sentence() {
    for (event, body, literal, words) in [
        (
            "approve",
            Value::Null,
            "event:APPROVE}",
            "Approve pull request #3 “Sort \"rows\"” in o/r, as octo",
        ),
        (
            "Request_Changes",
            json!("x"),
            "event:REQUEST_CHANGES,",
            "Request changes to pull request #3",
        ),
        (
            "comment",
            json!("x"),
            "event:COMMENT,",
            "Review pull request #3 “Sort \"rows\"” in o/r without a verdict, as octo",
        ),
    ] {
        let home = home();
        let plan = home.write(&errand(&json!({"event": event, "body": body})));
        let info = plan.info();
        assert!(field(info, "query").contains(literal), "{:?}", info.argv);
        assert!(
            info.question.sentence.starts_with(words),
            "{}",
            info.question.sentence
        );
        // Without comments no list of files is read.
        assert_eq!(home.asked().len(), 1, "{:?}", home.asked());
    }
}

/// Checks the refusal of a review with `args`, after a look-up that found `pull` and `files`.
fn check(args: &Value, pull: &Value, files: Value, words: &[&str]) {
    let home = Home::new(&[(LOOK, looked(pull), 0), (FILES, files, 0)]);
    let refusal = home.refused(&errand(args));
    assert_eq!(refusal.kind, ErrorKind::BadArgument);
    for words in words {
        assert!(refusal.message.contains(words), "{}", refusal.message);
    }
    assert_eq!(refusal.message.lines().count(), 2, "{}", refusal.message);
}

#[test]
fn what_github_would_refuse_is_refused_without_a_question() {
    let comment = |comment: Value| json!({"event": "comment", "comments": [on("src/a.rs", 12, "fine"), comment]});
    let none = || json!({});
    check(
        &comment(on("src/a.rs", 99, "x")),
        &none(),
        files(),
        &[
            "Comment 2 (src/a.rs:99): line 99 is no part of the diff; the nearest on the right side: 10-13",
            "gh_pr_diff",
        ],
    );
    check(
        &comment(json!({"path": "src/a.rs", "line": 13, "side": "left", "body": "x"})),
        &none(),
        files(),
        &[
            "Comment 2 (src/a.rs:13 (left)): line 13 is no part of the diff; the nearest on the left side: 10-12",
        ],
    );
    check(
        &comment(on("a.rs", 12, "x")),
        &none(),
        json!({"paths": ["logo.png", "src/a.rs"], "files": files()["files"]}),
        &[
            "Comment 2 (a.rs:12): the pull request does not change this file; its files: src/a.rs, logo.png",
        ],
    );
    check(
        &comment(on("logo.png", 1, "x")),
        &none(),
        files(),
        &["Comment 2 (logo.png:1): GitHub shows no text of this file's diff"],
    );
    let five: Value = (100..105).map(|line| on("src/a.rs", line, "x")).collect();
    check(
        &json!({"event": "comment", "comments": five}),
        &none(),
        files(),
        &["Comment 3 (src/a.rs:102)", "; and 2 more."],
    );
    for event in ["approve", "request_changes"] {
        for pull in [
            json!({"viewerDidAuthor": true}),
            json!({"author": {"login": "octo"}}),
        ] {
            check(
                &json!({"event": event, "body": "x"}),
                &pull,
                files(),
                &["GitHub lets nobody approve, or request changes to, their own pull request"],
            );
        }
    }
    let own = home();
    let plan = own.write(&errand(&json!({"event": "comment", "body": "x"})));
    assert_eq!(plan.refusal(), None);
}

#[test]
fn a_head_that_moves_during_the_look_up_is_not_reviewed() {
    let mut moved = files();
    moved["files"][0]["head"] = json!("f".repeat(40));
    let home = Home::new(&[(LOOK, looked(&json!({})), 0), (FILES, moved, 0)]);
    let outcome = home.look_up(&errand(
        &json!({"event": "comment", "comments": [on("src/a.rs", 12, "x")]}),
    ));
    assert_eq!(outcome.kind, Some(ErrorKind::Failed));
    assert!(
        outcome.text.contains("moved while it was read"),
        "{}",
        outcome.text
    );
}

#[test]
fn the_pages_of_files_are_read_up_to_the_last_file_that_is_needed() {
    let page = |n: usize, found: bool| {
        let files = if found {
            files()["files"].clone()
        } else {
            json!([])
        };
        (
            format!("per_page=100&page={n}"),
            json!({"paths": [format!("{n}.rs")], "files": files}),
        )
    };
    let pages = [page(1, false), page(2, true), page(3, false)];
    let mut prints = vec![(LOOK, looked(&json!({"changedFiles": 250})), 0)];
    prints.extend(
        pages
            .iter()
            .map(|(name, page)| (name.as_str(), page.clone(), 0)),
    );
    let home = Home::new(&prints);
    let call = errand(
        &json!({"event": "comment", "comments": [on("src/a.rs", 12, "x"), on("logo.png", 1, "x")]}),
    );
    home.refused(&call);
    assert_eq!(home.asked().len(), 3, "{:?}", home.asked());
    let home = Home::new(&prints);
    let call = errand(&json!({"event": "comment", "comments": [on("none.rs", 12, "x")]}));
    // What the list has beside what was asked for does not count.
    let refusal = home.refused(&call);
    assert!(
        refusal.message.contains("its files: 1.rs, 2.rs"),
        "{}",
        refusal.message
    );
}

#[test]
fn an_answer_without_a_pull_request_or_a_head_is_an_error_of_the_look_up() {
    let call = errand(&json!({"event": "comment", "body": "x"}));
    for (answer, kind) in [
        (json!({}), ErrorKind::NotFound),
        (looked(&json!({"headRefOid": "main"})), ErrorKind::Failed),
        (looked(&json!({"id": null})), ErrorKind::Failed),
        (json!([]), ErrorKind::Failed),
    ] {
        let outcome = Home::new(&[(LOOK, answer, 0)]).look_up(&call);
        assert_eq!(outcome.kind, Some(kind), "{}", outcome.text);
    }
}

#[test]
fn a_closed_pull_request_or_a_draft_is_marked() {
    for (pull, words) in [
        (json!({"state": "MERGED"}), "the pull request is merged"),
        (
            json!({"state": "CLOSED", "isDraft": true}),
            "the pull request is closed",
        ),
        (json!({"isDraft": true}), "the pull request is a draft"),
    ] {
        let home = Home::new(&[(LOOK, looked(&pull), 0)]);
        let plan = home.write(&errand(&json!({"event": "comment", "body": "x"})));
        let rows = &plan.info().question.rows;
        let state = rows
            .iter()
            .find(|row| row.label == "State")
            .expect("a row on the state");
        assert_eq!((state.text.as_str(), state.tone), (words, Tone::Warning));
    }
}

/// The outcome of a review to which gh prints `answer`.
fn sent(answer: Value, exit: u8) -> Outcome {
    let home = Home::new(&[(LOOK, looked(&json!({})), 0), (WRITE, answer, exit)]);
    approved(home.write(&errand(&json!({"event": "comment", "body": "x"}))))
}

#[test]
fn what_came_of_the_review_is_told() {
    assert!(sent(done("COMMENTED"), 0).text.contains("#3: commented.\n"));
    assert!(sent(done("PENDING"), 0).text.contains("pending review"));
    let outcome = sent(
        json!({"data": {"review": null}, "errors": [{"message": "Review Can not approve"}]}),
        1,
    );
    assert!(outcome.kind.is_some(), "{}", outcome.text);
    let outcome = sent(json!({"data": {"review": null}}), 0);
    assert_eq!(outcome.kind, Some(ErrorKind::Failed));
    assert!(
        outcome.text.contains("before trying again"),
        "{}",
        outcome.text
    );
}

#[test]
fn a_person_can_change_the_texts_and_nothing_else() {
    let home = home();
    let call = errand(
        &json!({"event": "comment", "body": "Two", "comments": [on("src/a.rs", 12, "first"), on("src/a.rs", 13, "second")]}),
    );
    let argv = home.write(&call).info().argv.clone();
    let with = |from: &str, to: &str| -> Vec<String> {
        argv.iter().map(|word| word.replace(from, to)).collect()
    };
    let plan = home
        .changed(&call, with("second", "third\nline"))
        .expect("a text can be changed");
    assert_eq!(plan.refusal(), None);
    assert_eq!(
        texts(plan.info()).last().map(|(_, text)| text.as_str()),
        Some("third\nline")
    );
    assert_eq!(
        (field(plan.info(), "body"), field(plan.info(), "body0")),
        ("Two", "first")
    );
    for (from, to) in [
        ("event:COMMENT", "event:APPROVE"),
        ("line:12", "line:13"),
        (HEAD, "f"),
        ("path0=src/a.rs", "path0=b"),
        ("first", ""),
        ("body0=", "body1="),
    ] {
        let refusal = home
            .changed(&call, with(from, to))
            .err()
            .expect("the change is refused");
        assert_eq!(refusal.kind, ErrorKind::BadArgument, "{}", refusal.message);
    }
    assert!(!home.asked().iter().any(|line| line.contains("mutation")));
}
