//! A reply to a review thread and its resolution, from the arguments to the result; a script stands in gh's place.
//! Included by `src/gh/tools/pr_thread/mod.rs`; test/lisp/thread-tests.el has the real gh and a person's keys.

use serde_json::json;

use super::*;
use crate::gate::{Class, Outcome};

use crate::gh::tools::errand::tests::{Home, field, shown as texts};
use crate::gh::tools::script::approved;

const LOOK: &str = "query ReviewThread";
const WRITE: &str = "mutation AnswerReviewThread";

fn bad_arguments(args: &Value) -> Refusal {
    ThreadErrand::new(args).expect_err("the arguments are wrong")
}

fn errand(args: &Value) -> Arc<dyn Errand> {
    Arc::new(ThreadErrand::new(args).expect("the arguments are right"))
}

/// GitHub's answer to the look-up, with `changes` merged into the thread.
fn looked(changes: &Value) -> Value {
    let mut node = json!({
        "__typename": "PullRequestReviewThread", "isResolved": false, "isOutdated": false, "path": "src/a.rs", "line": 12,
        "originalLine": 10, "resolvedBy": null, "viewerCanReply": true, "viewerCanResolve": true, "viewerCanUnresolve": false,
        "pullRequest": {"number": 3, "title": "Sort rows", "state": "OPEN", "headRefName": "sort", "headRepositoryOwner": {"login": "o"},
                        "repository": {"nameWithOwner": "o/r"}},
        "comments": {"totalCount": 4, "nodes": [
            {"author": {"login": "mona"}, "createdAt": "2026-05-01T10:00:00Z", "body": "Why twice?", "whole": 10},
            {"author": null, "createdAt": "2026-05-02T10:00:00+02:00", "body": "I\u{202e}see […]", "whole": 9000},
        ]},
    });
    for (name, value) in changes.as_object().into_iter().flatten() {
        node[name] = value.clone();
    }
    json!({"data": {"viewer": {"login": "octo"}, "repository": {"nameWithOwner": "o/r"}, "node": node}})
}

fn both() -> Arc<dyn Errand> {
    errand(&json!({"thread_id": "PRRT_1", "number": "3", "body": "Done.\nThanks", "resolve": true}))
}

const URL: &str = "https://github.com/o/r/pull/3#discussion_r7";

fn done() -> Value {
    json!({"data": {"reply": {"comment": {"url": URL, "state": "SUBMITTED"}}, "settle": {"thread": {"isResolved": true}}}})
}

#[test]
fn wrong_arguments_are_told_before_anything_is_read() {
    let long = "x".repeat(70_000);
    let wide = "日".repeat(50_000);
    let longest = "P".repeat(257);
    for (args, words) in [
        (
            json!({"thread_id": "PRRT_1", "number": "-R", "body": "x"}),
            "`number' begins with a dash",
        ),
        (json!({"body": "x"}), "`thread_id' is no id"),
        (
            json!({"thread_id": "", "body": "x"}),
            "`thread_id' is no id",
        ),
        (
            json!({"thread_id": "PRRT 1", "body": "x"}),
            "`thread_id' is no id",
        ),
        (
            json!({"thread_id": "PRRT_\u{202e}1", "body": "x"}),
            "`thread_id' is no id",
        ),
        (
            json!({"thread_id": "PRRT_1\n", "body": "x"}),
            "`thread_id' is no id",
        ),
        (
            json!({"thread_id": longest, "body": "x"}),
            "`thread_id' is no id",
        ),
        (
            json!({"thread_id": "https://github.com/o/r/pull/3#discussion_r1", "body": "x"}),
            "from gh_pr_threads",
        ),
        (
            json!({"thread_id": "PRRT_1"}),
            "neither `body' nor `resolve'",
        ),
        (
            json!({"thread_id": "PRRT_1", "body": " \n"}),
            "neither `body' nor `resolve'",
        ),
        (
            json!({"thread_id": "PRRT_1", "body": long}),
            "has 70,000 characters, and GitHub takes 65,536",
        ),
        (
            json!({"thread_id": "PRRT_1", "body": wide}),
            "has 150,000 bytes",
        ),
        (
            json!({"thread_id": "PRRT_1", "body": "a\0b"}),
            "holds a NUL character",
        ),
    ] {
        let refusal = bad_arguments(&args);
        assert_eq!(refusal.kind, ErrorKind::BadArgument);
        assert!(refusal.message.contains(words), "{}", refusal.message);
        assert_eq!(refusal.message.lines().count(), 2, "{}", refusal.message);
    }
}

#[test]
fn a_reply_and_a_resolution_are_one_document_and_one_question() {
    let home = Home::new(&[(LOOK, looked(&json!({})), 0), (WRITE, done(), 0)]);
    let plan = home.write(&both());
    let info = plan.info();
    assert_eq!(info.class, Class::Write);
    assert_eq!(info.command, "pr thread");
    // As for a comment, a person can give a lease.
    assert_eq!(info.no_lease, None);
    assert_eq!(
        info.question.sentence,
        "Reply to and resolve the thread on src/a.rs:12 of pull request #3 in o/r, as octo"
    );
    assert_eq!(
        texts(info),
        [
            ("mona, 2026-05-01 10:00 UTC", "Why twice?"),
            (
                "ghost, 2026-05-02 08:00 UTC",
                "I<U+202E>see […]\n[cut; the whole remark has 9,000 characters]"
            ),
            ("Reply", "Done.\nThanks"),
        ]
        .map(|(label, text)| (label.to_owned(), text.to_owned()))
    );
    assert_eq!(
        field(info, "query"),
        "mutation AnswerReviewThread($thread:ID!,$body:String!){reply:addPullRequestReviewThreadReply(input:{pullRequestReviewThreadId:$thread,body:$body}){comment{url state}} \
         settle:resolveReviewThread(input:{threadId:$thread}){thread{isResolved}}}"
    );
    assert_eq!(field(info, "thread"), "PRRT_1");
    assert_eq!(field(info, "body"), "Done.\nThanks");
    // No field may be one that reads files or guesses types.
    assert!(
        !info
            .argv
            .iter()
            .any(|word| word == "-F" || word == "--field")
    );
    let target = info.target.as_ref().expect("a target");
    assert_eq!(
        (target.to_string().as_str(), target.account.as_deref()),
        ("github.com/o/r", Some("octo"))
    );
    let outcome = approved(plan);
    assert_eq!(outcome.kind, None, "{}", outcome.text);
    assert_eq!(
        outcome.text.trim_end(),
        format!("Replied to and resolved the thread on src/a.rs:12 of pull request #3.\n{URL}")
    );
    assert_eq!(home.asked().len(), 3, "{:?}", home.asked());
}

/// Checks the sentence of a call with `args` on a thread with `changes`, and that the document has the mutations `names` and no other.
fn check(args: &Value, changes: &Value, sentence: &str, names: &[&str]) {
    let mut args = args.clone();
    args["thread_id"] = json!("PRRT_1");
    args["number"] = json!("3");
    let home = Home::new(&[(LOOK, looked(changes), 0)]);
    let plan = home.write(&errand(&args));
    assert_eq!(plan.refusal(), None);
    let info = plan.info();
    assert!(
        info.question.sentence.starts_with(sentence),
        "{}",
        info.question.sentence
    );
    for name in [
        "addPullRequestReviewThreadReply",
        "unresolveReviewThread",
        ":resolveReviewThread",
    ] {
        assert_eq!(
            field(info, "query").contains(name),
            names.contains(&name),
            "{name}"
        );
    }
}

#[test]
fn only_what_changes_something_is_sent() {
    check(
        &json!({"body": "x"}),
        &json!({}),
        "Reply to the thread on src/a.rs:12",
        &["addPullRequestReviewThreadReply"],
    );
    check(
        &json!({"resolve": true}),
        &json!({}),
        "Resolve the thread on",
        &[":resolveReviewThread"],
    );
    let resolved = json!({"isResolved": true, "resolvedBy": {"login": "mona"}, "viewerCanResolve": false, "viewerCanUnresolve": true});
    check(
        &json!({"resolve": false}),
        &resolved,
        "Re-open the thread on",
        &["unresolveReviewThread"],
    );
    check(
        &json!({"resolve": false, "body": "x"}),
        &resolved,
        "Reply to and re-open the thread on",
        &["addPullRequestReviewThreadReply", "unresolveReviewThread"],
    );
    // The thread is resolved already, so there is a reply alone.
    check(
        &json!({"resolve": true, "body": "x"}),
        &resolved,
        "Reply to the thread on",
        &["addPullRequestReviewThreadReply"],
    );
    check(
        &json!({"resolve": true}),
        &json!({"path": "a b\u{1b}[31m.rs", "line": null, "originalLine": null}),
        "Resolve the thread on “a b^[[31m.rs” of",
        &[":resolveReviewThread"],
    );
    check(
        &json!({"body": "x"}),
        &json!({"viewerCanReply": null, "line": null}),
        "Reply to the thread on src/a.rs:10",
        &["addPullRequestReviewThreadReply"],
    );
}

#[test]
fn what_github_would_refuse_is_refused_without_a_question() {
    let pull = |number: u64, repository: &str| {
        json!({"pullRequest": {"number": number, "title": "x", "state": "OPEN", "headRefName": "sort", "headRepositoryOwner": {"login": "o"},
                               "repository": {"nameWithOwner": repository}}})
    };
    let resolved = json!({"isResolved": true, "resolvedBy": {"login": "mona"}});
    for (args, changes, kind, words) in [
        (
            json!({"resolve": true}),
            resolved,
            ErrorKind::BadArgument,
            "on src/a.rs:12 is already resolved, by mona.",
        ),
        (
            json!({"resolve": false}),
            json!({}),
            ErrorKind::BadArgument,
            "is already open.",
        ),
        (
            json!({"body": "x"}),
            json!({"viewerCanReply": false}),
            ErrorKind::NoAccess,
            "octo may not reply to this thread",
        ),
        (
            json!({"resolve": true}),
            json!({"viewerCanResolve": false}),
            ErrorKind::NoAccess,
            "octo may not resolve this thread",
        ),
        (
            json!({"resolve": false}),
            json!({"isResolved": true, "viewerCanUnresolve": false}),
            ErrorKind::NoAccess,
            "octo may not re-open this thread",
        ),
        (
            json!({"body": "x"}),
            pull(4, "o/r"),
            ErrorKind::BadArgument,
            "belongs to pull request #4 in o/r, not",
        ),
        (
            json!({"body": "x"}),
            pull(3, "evil/r"),
            ErrorKind::BadArgument,
            "belongs to pull request #3 in evil/r, not",
        ),
        (
            json!({"body": "x"}),
            pull(3, "o/r2"),
            ErrorKind::BadArgument,
            "belongs to pull request #3 in o/r2, not",
        ),
    ] {
        let mut args = args;
        args["thread_id"] = json!("PRRT_1");
        args["number"] = json!("3");
        let home = Home::new(&[(LOOK, looked(&changes), 0)]);
        let refusal = home.refused(&errand(&args));
        assert_eq!(refusal.kind, kind, "{}", refusal.message);
        assert!(refusal.message.contains(words), "{}", refusal.message);
        assert_eq!(refusal.message.lines().count(), 2, "{}", refusal.message);
    }
}

#[test]
fn names_are_compared_without_regard_to_case_and_after_a_move() {
    for (repository, now) in [("O/R", "o/r"), ("new/name", "new/name")] {
        let mut answer = looked(&json!({}));
        answer["data"]["node"]["pullRequest"]["repository"]["nameWithOwner"] = json!(repository);
        answer["data"]["repository"]["nameWithOwner"] = json!(now);
        let home = Home::new(&[(LOOK, answer, 0)]);
        assert_eq!(home.write(&both()).refusal(), None, "{repository}");
    }
}

#[test]
fn a_branch_names_the_pull_request_of_its_owner() {
    for (branch, refused) in [
        ("sort", false),
        ("O:sort", false),
        ("mona:sort", true),
        ("other", true),
    ] {
        let home = Home::new(&[(LOOK, looked(&json!({})), 0)]);
        let call = errand(&json!({"thread_id": "PRRT_1", "number": branch, "body": "x"}));
        assert_eq!(home.write(&call).refusal().is_some(), refused, "{branch}");
    }
}

/// The refusal of the look-up to which gh prints `answer`.
fn not_looked(answer: Value, exit: u8) -> Outcome {
    Home::new(&[(LOOK, answer, exit)]).look_up(&both())
}

#[test]
fn an_id_of_something_else_is_told_with_the_tool_that_has_the_right_one() {
    let mut answer = looked(&json!({}));
    answer["data"]["node"] = json!({"__typename": "PullRequestReviewComment"});
    let outcome = not_looked(answer.clone(), 0);
    assert_eq!(outcome.kind, Some(ErrorKind::BadArgument));
    assert!(
        outcome
            .text
            .contains("that of a PullRequestReviewComment, not of a review thread"),
        "{}",
        outcome.text
    );
    assert!(outcome.text.contains("gh_pr_threads"));
    answer["data"]["node"] = Value::Null;
    answer["errors"] =
        json!([{"type": "NOT_FOUND", "path": ["node"], "message": "Could not resolve to a node"}]);
    let outcome = not_looked(answer.clone(), 1);
    assert_eq!(outcome.kind, Some(ErrorKind::NotFound));
    assert!(
        outcome.text.contains("knows no review thread of this id"),
        "{}",
        outcome.text
    );
    answer["data"]["repository"] = Value::Null;
    assert!(not_looked(answer, 1).kind.is_some());
    assert_eq!(not_looked(json!({"data": {"repository": {"nameWithOwner": "o/r"}, "node": {"__typename": "PullRequestReviewThread"}}}), 0).kind, Some(ErrorKind::Failed));
    assert_eq!(not_looked(json!("x"), 0).kind, Some(ErrorKind::Failed));
}

#[test]
fn a_failed_look_up_refuses_the_write_under_its_own_name() {
    let home = Home::new(&[]);
    let refusal = Refusal::new(ErrorKind::NotFound, "Nothing.\nLook.");
    let plan = home.failed(&both(), refusal.clone());
    assert_eq!(plan.refusal(), Some(refusal));
    assert_eq!(
        (plan.info().class, plan.info().command.as_str()),
        (Class::Write, "pr thread")
    );
    assert_eq!(
        plan.info()
            .target
            .as_ref()
            .map(ToString::to_string)
            .as_deref(),
        Some("github.com/o/r")
    );
    assert!(home.asked().is_empty());
}

/// The outcome of a reply and a resolution to which gh prints `answer`.
fn sent(answer: Value, exit: u8) -> Outcome {
    let home = Home::new(&[(LOOK, looked(&json!({})), 0), (WRITE, answer, exit)]);
    approved(home.write(&both()))
}

#[test]
fn a_partial_success_tells_exactly_what_happened() {
    let error = |field: &str| json!([{"type": "FORBIDDEN", "path": [field], "message": "Not \u{1b}[1mallowed."}]);
    let mut answer = done();
    answer["data"]["settle"] = Value::Null;
    answer["errors"] = error("settle");
    let outcome = sent(answer, 1);
    assert_eq!(outcome.kind, Some(ErrorKind::NoAccess));
    assert!(
        outcome.text.contains(&format!("The reply was sent ({URL}), but the thread was not resolved: Not ^[[1mallowed.\nDo not send the reply again")),
        "{}",
        outcome.text
    );
    let mut answer = done();
    answer["data"]["reply"] = Value::Null;
    answer["errors"] = error("reply");
    let outcome = sent(answer, 1);
    assert_eq!(outcome.kind, Some(ErrorKind::NoAccess));
    assert!(
        outcome
            .text
            .contains("The thread was resolved, but the reply was not sent: Not"),
        "{}",
        outcome.text
    );
    // Both fail, or nobody knows.
    let outcome = sent(
        json!({"data": {"reply": null, "settle": null}, "errors": error("reply")}),
        1,
    );
    assert!(outcome.kind.is_some());
    let outcome = sent(json!({}), 0);
    assert_eq!(outcome.kind, Some(ErrorKind::Failed));
    assert!(
        outcome.text.contains("before trying again"),
        "{}",
        outcome.text
    );
    let mut answer = done();
    answer["data"]["settle"]["thread"]["isResolved"] = json!(false);
    assert_eq!(sent(answer, 0).kind, Some(ErrorKind::Failed));
}

#[test]
fn a_reply_in_a_pending_review_is_told() {
    let mut answer = done();
    answer["data"]["reply"]["comment"]["state"] = json!("PENDING");
    let outcome = sent(answer, 0);
    assert_eq!(outcome.kind, None);
    assert!(
        outcome.text.contains("waits in a pending review"),
        "{}",
        outcome.text
    );
}

#[test]
fn a_person_can_change_the_reply_and_nothing_else() {
    let home = Home::new(&[(LOOK, looked(&json!({})), 0), (WRITE, done(), 0)]);
    let errand = both();
    let argv = home.write(&errand).info().argv.clone();
    let with = |from: &str, to: &str| -> Vec<String> {
        argv.iter().map(|word| word.replace(from, to)).collect()
    };
    let plan = home
        .changed(&errand, with("Done.\nThanks", "@/etc/passwd"))
        .expect("a reply can be changed");
    assert_eq!(plan.refusal(), None);
    assert_eq!(field(plan.info(), "body"), "@/etc/passwd");
    assert_eq!(
        texts(plan.info()).last().map(|(_, text)| text.as_str()),
        Some("@/etc/passwd")
    );
    assert_eq!(approved(plan).kind, None);
    for (from, to) in [
        ("PRRT_1", "PRRT_2"),
        (":resolveReview", ":unresolveReview"),
        ("Done.\nThanks", ""),
        ("github.com", "ghe.example.com"),
        ("body=", "nody="),
    ] {
        let refusal = home
            .changed(&errand, with(from, to))
            .err()
            .expect("the change is refused");
        assert_eq!(refusal.kind, ErrorKind::BadArgument, "{}", refusal.message);
    }
    let mut more = argv.clone();
    more.push("--paginate".into());
    assert!(home.changed(&errand, more).is_err());
    // Two writes: neither the refused changes nor the first plan ran.
    assert_eq!(
        home.asked()
            .iter()
            .filter(|line| line.contains("mutation"))
            .count(),
        1
    );
}

#[test]
fn a_reply_that_holds_a_secret_does_not_go_out() {
    let secret = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    let home = Home::new(&[(LOOK, looked(&json!({})), 0)]);
    let call =
        errand(&json!({"thread_id": "PRRT_1", "number": "3", "body": format!("use {secret}")}));
    let refusal = home.refused(&call);
    assert_eq!(refusal.kind, ErrorKind::PolicyBlocked);
    assert!(
        refusal.message.contains("what looks like a secret"),
        "{}",
        refusal.message
    );
}
