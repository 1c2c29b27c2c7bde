//! Whatever the answers are, a look does not panic, each of its facts is one line, and the only value that it adds to the arguments is the
//! name of a commit.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::gate::call::question::Tone;
use crate::gate::{Answered, Class, Cleaner, Look, Seen, Source, Target};
use crate::gh::graphql::lacks;
use crate::gh::place::pin::Reach;
use crate::gh::question::question;

fn target(host: &str) -> Target {
    Target {
        host: host.into(),
        owner: Some("acme".into()),
        repo: Some("tables".into()),
        account: None,
        source: Source::ExplicitRepo,
    }
}

fn look_on(host: &str, words: &[&str]) -> Arc<dyn Look> {
    let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let class = Class::Write;
    let command = format!("{} {}", words[0], words[1]);
    let command = if words[0] == "api" { "api" } else { &command };
    let clean = Cleaner::holding(&[]);
    let question = question(class, command, &argv, &target(host), Reach::Target, &clean);
    question.look.expect("the call has a look")
}

fn look(words: &[&str]) -> Arc<dyn Look> {
    look_on("github.com", words)
}

/// One call for each kind of subject.
const CALLS: &[&[&str]] = &[
    &["pr", "merge", "1", "--squash"],
    &["pr", "merge", "zoe:topic", "--squash"],
    &[
        "pr", "create", "--head", "a", "--base", "b", "--title", "t", "--body", "b",
    ],
    &["pr", "edit", "1", "--title", "x", "--body", "y"],
    &["issue", "comment", "2", "--body", "x"],
    &["issue", "edit", "2", "3", "--add-label", "x"],
    &["issue", "transfer", "2", "acme/other"],
    &["discussion", "comment", "5", "--body", "x"],
    &["label", "create", "bug"],
    &["release", "create", "v1", "--target", "dev", "--notes", "x"],
    &["release", "edit", "v1", "--notes", "x"],
    &["run", "cancel", "42"],
    &["run", "rerun", "--job", "42"],
    &["workflow", "run", "Deploy it", "--ref", "dev"],
    &["secret", "set", "A", "--body", "x"],
    &["variable", "set", "A", "--body", "x"],
    &["repo", "edit", "acme/tables", "--description", "x"],
    &["repo", "create", "acme/tables", "--public"],
    &["project", "close", "1", "--owner", "acme"],
    &["gist", "rename", "abc", "a", "b"],
    &["codespace", "stop", "-c", "fluffy"],
    &[
        "api",
        "-XPATCH",
        "repos/acme/tables/milestones/1",
        "-ftitle=x",
    ],
    &["api", "-XPUT", "repos/acme/tables/pulls/1/merge"],
    &[
        "api",
        "graphql",
        "-f",
        "query=mutation($i:ID!){closeIssue(input:{issueId:$i}){clientMutationId}}",
        "-f",
        "i=I_x",
    ],
];

/// Checks that nothing in `seen` can pass for anything but text on a line.
fn is_tame(seen: &Seen) -> Result<(), String> {
    let wild = |text: &str| {
        text.chars().any(|c| {
            c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
        })
    };
    let lines = seen.facts.iter().map(|fact| fact.text.as_str());
    for line in lines
        .chain(seen.sentence.as_deref())
        .chain(seen.account.as_deref())
    {
        if wild(line) {
            return Err(format!("{line:?} is more than a line"));
        }
        if line.chars().count() > 2_000 {
            return Err(format!("{} characters", line.chars().count()));
        }
        if line.contains("ghp_Zq7Rw3Xv9Lk2") {
            return Err(format!("{line:?} holds a secret"));
        }
    }
    for (_, text) in &seen.texts {
        let rest: String = text.chars().filter(|c| !matches!(c, '\n' | '\t')).collect();
        if wild(&rest) {
            return Err(format!("{text:?} holds an invisible character"));
        }
    }
    let plain = |word: &String| {
        word == "--match-head-commit"
            || word == "--raw-field"
            || word
                .trim_start_matches("sha=")
                .bytes()
                .all(|b| b.is_ascii_hexdigit())
    };
    match seen.supply.iter().find(|word| !plain(word)) {
        Some(word) => Err(format!("{word:?} becomes an argument")),
        None => Ok(()),
    }
}

/// The members that the reads ask for, so that made-up answers have some of them.
const NAMES: &[&str] = &[
    "data",
    "viewer",
    "login",
    "repository",
    "other",
    "nameWithOwner",
    "visibility",
    "isPrivate",
    "isFork",
    "isArchived",
    "parent",
    "forks",
    "nodes",
    "pullRequest",
    "pullRequests",
    "issueOrPullRequest",
    "t0",
    "t1",
    "n0",
    "__typename",
    "number",
    "title",
    "state",
    "author",
    "isDraft",
    "headRefOid",
    "headRefName",
    "baseRefName",
    "headRepositoryOwner",
    "isCrossRepository",
    "commits",
    "commit",
    "statusCheckRollup",
    "contexts",
    "totalCount",
    "name",
    "status",
    "conclusion",
    "context",
    "reviewDecision",
    "mergeable",
    "mergeStateStatus",
    "baseRef",
    "compare",
    "behindBy",
    "aheadBy",
    "comments",
    "body",
    "createdAt",
    "release",
    "releases",
    "ref",
    "target",
    "oid",
    "tagName",
    "label",
    "discussion",
    "projectV2",
    "repositoryOwner",
    "errors",
    "type",
    "path",
    "message",
    "extensions",
    "workflows",
    "display_title",
    "head_branch",
    "updated_at",
    "value",
    "files",
    "public",
    "base",
    "object",
    "defaultBranchRef",
];

fn hostile_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        Just("a\n  Class     read\n".to_owned()),
        Just("\u{202e}txet\u{200b}\u{1b}[2J\u{7}".to_owned()),
        Just("ghp_Zq7Rw3Xv9Lk2Np5Tc8Yd1Fh4Jm6Sb0GaUeIo".to_owned()),
        Just("--admin".to_owned()),
        Just("1f2e3d4c5b6a79880123456789abcdef01234567".to_owned()),
        Just("OPEN".to_owned()),
        Just("PullRequest".to_owned()),
        Just("PUBLIC".to_owned()),
        Just("NOT_FOUND".to_owned()),
        Just("é".repeat(3_000)),
    ]
}

fn hostile() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        hostile_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 120, 8, |inner| {
        let name = prop_oneof![
            8 => proptest::sample::select(NAMES).prop_map(str::to_owned),
            1 => hostile_text(),
        ];
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            4 => proptest::collection::btree_map(name, inner, 0..8)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// An answer of the right shape, with `thing` and `text` as its values.
fn shaped(thing: &Value, text: &str) -> Value {
    let commit = json!({"statusCheckRollup": {"contexts": {"totalCount": 300, "nodes": [{"name": text, "status": "COMPLETED", "conclusion": text}, thing]}}});
    let item = json!({
        "__typename": text, "number": 1, "title": text, "state": text, "author": {"login": text}, "body": text, "createdAt": text,
        "headRefOid": text, "headRefName": text, "baseRefName": text, "headRepositoryOwner": {"login": "zoe"},
        "isCrossRepository": true, "mergeable": "CONFLICTING", "comments": {"totalCount": 3, "nodes": [{"body": text, "author": {"login": text}, "createdAt": text}]},
        "commits": {"nodes": [{"commit": commit}]}, "repository": {"nameWithOwner": text}, "category": {"name": text}, "path": text,
    });
    json!({
        "data": {
            "viewer": {"login": text, "projectV2": {"title": text}},
            "repositoryOwner": {"projectV2": {"title": text, "public": true}},
            "other": {"visibility": text, "isPrivate": false},
            "n0": item,
            "repository": {
                "nameWithOwner": text, "visibility": text, "forks": {"nodes": [{"nameWithOwner": text}]}, "isFork": true, "parent": thing,
                "pullRequest": item, "issueOrPullRequest": item, "t0": item, "t1": thing, "discussion": item,
                "pullRequests": {"nodes": [item, thing]}, "base": {"name": text, "compare": thing},
                "label": {"description": text, "color": text}, "release": {"name": text, "description": text, "publishedAt": text},
                "releases": {"nodes": [{"tagName": text, "publishedAt": text}]}, "ref": {"target": {"oid": text}},
                "object": {"oid": text}, "defaultBranchRef": {"name": text, "target": {"oid": text}}, "description": text,
            },
        },
        "errors": [thing, {"type": text, "path": [text], "message": text}],
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_answer_becomes_lines_of_clean_text(
        first in hostile(), second in hostile(), text in hostile_text(), cut in any::<String>(),
    ) {
        let shaped = shaped(&second, &text);
        let rest = json!({
            "name": text, "path": text, "state": text, "title": text, "body": text, "display_title": text, "head_branch": text,
            "status": text, "conclusion": text, "value": text, "updated_at": text, "description": text, "login": text,
            "files": [text], "repository": text, "branch": text, "workflows": [second],
        });
        for words in CALLS {
            let look = look(words);
            for (graphql, other) in [
                (first.to_string(), second.to_string()),
                (shaped.to_string(), rest.to_string()),
                (cut.clone(), cut.clone()),
            ] {
                let answers = [Answered::Output(graphql), Answered::Output(other)];
                // There may be fewer answers than reads.
                for answers in [&answers[..], &answers[..1], &[]] {
                    let seen = look.seen(answers);
                    prop_assert_eq!(is_tame(&seen), Ok(()), "{:?}", words);
                }
            }
        }
    }

    #[test]
    fn every_call_that_a_look_makes_is_a_read(text in hostile_text(), word in "[-a-zA-Z0-9_./:#@{}?%]{1,20}") {
        use crate::gh::judge::classify::classify;
        for given in [text.as_str(), word.as_str()] {
            for words in [
                vec!["pr", "merge", given], vec!["issue", "comment", given, "--body", "x"], vec!["label", "create", given],
                vec!["release", "create", given, "--target", given, "--notes", "x"], vec!["workflow", "run", given, "--ref", given],
                vec!["secret", "set", given, "--body", "x", "--env", given], vec!["variable", "set", given, "--body", "x", "--org", given],
                vec!["gist", "rename", given, "a", "b"], vec!["codespace", "stop", "--codespace", given],
                vec!["project", "close", "1", "--owner", given], vec!["api", "-XPUT", given, "-fa=b"],
                vec!["issue", "transfer", "1", given], vec!["pr", "create", "--head", given, "--base", given],
            ] {
                let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
                let clean = Cleaner::holding(&[]);
                let asked = question(Class::Write, words[0], &argv, &target("github.com"), Reach::Target, &clean);
                let Some(look) = asked.look else { continue };
                for read in look.reads() {
                    let verdict = classify(&read);
                    prop_assert_eq!(verdict.class, Class::Read, "{:?}: {}", read, verdict.reason);
                    // An argument is a value of its own, never a part of the query.
                    prop_assert!(read[0] == "api" && (read[1] == "graphql" || !read[1].starts_with('-')));
                }
                prop_assert!(!asked.sentence.chars().any(char::is_control), "{:?}", asked.sentence);
            }
        }
    }
}

#[test]
fn a_host_that_lacks_a_field_is_asked_without_it_from_then_on() {
    let host = "lacking.example";
    let words = ["pr", "merge", "1", "--squash"];
    let rejected = |field: &str, kind: &str| {
        json!({"errors": [{
            "message": format!("Field '{field}' doesn't exist on type '{kind}'"),
            "extensions": {"code": "undefinedField", "typeName": kind, "fieldName": field},
        }]})
    };
    let look = look_on(host, &words);
    let answer = |value: &Value| look.seen(&[Answered::Output(value.to_string())]);
    let seen = answer(&rejected("compare", "Ref"));
    assert!(seen.facts[0].text.contains("too old"), "{:?}", seen.facts);
    assert_eq!(seen.again.len(), 1);
    let query = seen.again[0].join(" ");
    assert!(
        !query.contains("compare") && !query.contains("$head"),
        "{query}"
    );
    assert!(query.contains("visibility"), "{query}");
    // A second query that was sent at the same time is rejected too, and is asked again in the same way.
    assert_eq!(answer(&rejected("compare", "Ref")).again, seen.again);
    assert_eq!(look.reads(), seen.again);
    // A field that no query can do without is never left out.
    assert!(answer(&rejected("title", "PullRequest")).again.is_empty());
    // A field that one host lacks is still asked of another.
    assert!(
        look_on("other.example", &words).reads()[0]
            .join(" ")
            .contains("compare")
    );
    assert!(
        lacks::lacks("LACKING.example", "compare") && !lacks::lacks("other.example", "compare")
    );
}

#[test]
fn a_title_with_quotes_in_it_stays_within_its_own_quotes() {
    let item = json!({
        "__typename": "Issue", "number": 2, "state": "OPEN",
        "title": "Fix” in acme/safe, as bob. Comment on #3 “x",
        "author": {"login": "zoe"},
        "body": "no” or “yes", "comments": {"totalCount": 0, "nodes": []},
    });
    let answer = json!({"data": {"viewer": {"login": "octo"}, "repository": {
        "nameWithOwner": "acme/tables", "isPrivate": true, "issueOrPullRequest": item,
    }}});
    let look = look(&["issue", "comment", "2", "--body", "x"]);
    let seen = look.seen(&[Answered::Output(answer.to_string())]);
    assert_eq!(
        seen.sentence.as_deref(),
        Some(
            "Comment on issue #2 “Fix\" in acme/safe, as bob. Comment on #3 \"x” in acme/tables, as octo"
        )
    );
    let said = seen.facts.iter().find(|fact| fact.label == "Last said");
    assert!(said.is_some_and(|fact| fact.text.ends_with("“no\" or \"yes”")));
}

#[test]
fn the_number_of_an_issue_is_read_behind_the_repository_in_its_address() {
    for (address, number) in [
        ("https://github.com/acme/tables/issues/2", "number=2"),
        (
            "https://github.com/acme/tables/pull/3/files#diff-9",
            "number=3",
        ),
        ("https://github.com/issues/5/issues/2", "number=2"),
        ("https://github.com/acme/pull/pull/4", "number=4"),
    ] {
        let read = look(&["issue", "comment", address, "--body", "x"]).reads();
        assert!(
            read[0].iter().any(|word| word == number),
            "{address}: {read:?}"
        );
    }
}

#[test]
fn an_error_about_a_part_stands_in_the_fact_about_that_part() {
    let pull = json!({"number": 1, "title": "T", "state": "OPEN", "headRefOid": "a".repeat(40)});
    let forbidden = |path: &[&str]| json!({"type": "FORBIDDEN", "path": path, "message": "Resource not accessible"});
    let answer = json!({
        "data": {"viewer": {"login": "octo"}, "repository": {"nameWithOwner": "acme/tables", "isPrivate": true, "pullRequest": pull}},
        "errors": [
            forbidden(&["repository", "pullRequest", "commits", "statusCheckRollup"]),
            forbidden(&["repository", "pullRequest", "reviewDecision"]),
            forbidden(&["repository", "pullRequest", "baseRef", "compare"]),
        ],
    });
    let look = look(&["pr", "merge", "1", "--squash"]);
    let seen = look.seen(&[Answered::Output(answer.to_string())]);
    for label in ["Checks", "Review", "Base"] {
        let fact = seen.facts.iter().find(|fact| fact.label == label);
        let fact = fact.expect("the fact is shown");
        assert!(fact.text.contains("no access"), "{fact:?}");
        assert_ne!(fact.tone, Tone::Good);
    }
    assert_eq!(seen.supply.len(), 2);
}

#[test]
fn the_parent_of_a_fork_in_an_organization_is_marked_too() {
    let look = look(&["issue", "comment", "2", "--body", "x"]);
    let query = look.reads()[0].join(" ");
    assert!(query.contains("ORGANIZATION_MEMBER"), "{query}");
    let answer = json!({"data": {"viewer": {"login": "octo"}, "repository": {
        "nameWithOwner": "acme/tables", "isPrivate": true, "forks": {"nodes": [{"nameWithOwner": "team/tables"}]},
    }}});
    let seen = look.seen(&[Answered::Output(answer.to_string())]);
    let fact = seen.facts.iter().find(|fact| fact.label == "Visibility");
    let fact = fact.expect("the fact is shown");
    assert!(
        fact.text
            .ends_with("the parent of team/tables, not the fork")
    );
    assert_eq!(fact.tone, Tone::Warning);
}
