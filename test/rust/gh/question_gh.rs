//! The reads before a question, made by the real gh against the stand-in GitHub, on both hosts: a person is told what gh
//! prints. Where a host lacks a field, a person is told all the other fields.

use cj_gate::gate::{Answered, Class, Cleaner, Look, Seen};
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::question::question;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

use crate::lab::{self, Lab};

const GHE: &str = "ghe.example.com";

fn look(argv: &[&str]) -> Arc<dyn Look> {
    let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
    super::question::look(&argv).1
}

/// What `look` tells after `gh` has made its `reads` on `host`, as `cj/gate--look` makes them.
fn seen(lab: &Lab, gh: &Path, host: &str, look: &Arc<dyn Look>, reads: &[Vec<String>]) -> Seen {
    let answers: Vec<Answered> = reads
        .iter()
        .map(|read| {
            let verdict = classify(read);
            assert_eq!(verdict.class, Class::Read, "{read:?}: {}", verdict.reason);
            let mut words: Vec<&str> = read.iter().map(String::as_str).collect();
            words.extend(["--hostname", host]);
            let ran = lab.gh(gh, &words);
            if ran.stdout.is_empty() {
                Answered::Nothing("cut".into())
            } else {
                Answered::Output(ran.stdout)
            }
        })
        .collect();
    look.seen(&answers)
}

fn facts(seen: &Seen) -> String {
    let facts = seen.facts.iter();
    let lines: Vec<String> = facts
        .map(|fact| format!("{} {}: {}", fact.label, fact.tone.as_str(), fact.text))
        .collect();
    lines.join("\n")
}

/// Calls, and for each the words that its facts hold.
const CALLS: &[(&[&str], &[&str])] = &[
    (
        &["pr", "merge", "1", "--squash"],
        &["#1", "mona", "Checks", "Review", "Base", "Size", "public"],
    ),
    (
        &["pr", "merge", "quoted-fields", "--squash"],
        &["#1", "Base"],
    ),
    (&["pr", "comment", "1", "-b", "x"], &["Last said"]),
    (
        &["pr", "edit", "1", "--title", "x"],
        &["quoted-fields → main"],
    ),
    (
        &[
            "pr",
            "create",
            "-t",
            "x",
            "-b",
            "y",
            "--head",
            "quoted-fields",
        ],
        &["#1", "→ main"],
    ),
    (&["issue", "close", "2"], &["#2", "I can reproduce it."]),
    (&["issue", "comment", "1", "-b", "x"], &["pull request #1"]),
    (
        &["issue", "edit", "2", "5", "--add-label", "bug"],
        &["#2", "#5"],
    ),
    (&["label", "edit", "bug", "--name", "x"], &["exists"]),
    (
        &["release", "edit", "v1.0.0", "--title", "x"],
        &["Release", "Before it"],
    ),
    (
        &[
            "release", "create", "v9", "--notes", "x", "--target", "main",
        ],
        &["Tag", "Before it"],
    ),
    (&["run", "cancel", "1001"], &["run of"]),
    (
        &["workflow", "run", "ci.yml", "--ref", "main"],
        &["Branch", "workflow"],
    ),
    (&["secret", "set", "NEW_ONE", "-b", "x"], &["new"]),
    (
        &["discussion", "comment", "1", "-b", "x"],
        &["discussion #1"],
    ),
    (
        &["api", "-X", "PATCH", "repos/o/r/issues/2", "-f", "title=x"],
        &["#2"],
    ),
    (
        &[
            "api",
            "graphql",
            "-f",
            "query=mutation($i:ID!){closeIssue(input:{issueId:$i}){clientMutationId}}",
            "-f",
            "i=I_o/r#2",
        ],
        &["issue #2", "o/r"],
    ),
];

#[test]
fn the_real_gh_reads_the_facts_for_a_person_on_both_hosts() {
    let lab = Lab::start(&[]);
    for gh in lab::gh_binaries() {
        for host in ["github.com", GHE] {
            for (words, wanted) in CALLS {
                let repo = format!("{host}/o/r");
                let mut words = words.to_vec();
                if words[0] == "api" {
                    words.extend(["--hostname", host]);
                } else {
                    words.extend(["-R", &repo]);
                }
                let look = look(&words);
                let seen = seen(&lab, &gh, host, &look, &look.reads());
                let told = facts(&seen);
                let what = format!("{} {words:?}\n{told}", gh.display());
                assert!(wanted.iter().all(|word| told.contains(word)), "{what}");
                assert!(!told.contains("Unread") && seen.again.is_empty(), "{what}");
                assert!(seen.account.is_some(), "{what}");
            }
        }
    }
}

#[test]
fn a_host_that_lacks_a_field_tells_the_rest() {
    let dir = lab::fresh_dir();
    // A host that no other test asks: the fields that a host lacks are remembered for the whole process.
    let old = "old.ghe.com";
    let lacks = json!([
        "Repository.visibility",
        "Ref.compare",
        "PullRequest.mergeStateStatus",
        "Repository.forks",
    ]);
    let world = json!({"hosts": {old: {"lacks": lacks}}});
    std::fs::write(dir.join("world.json"), world.to_string()).expect("a fixture can be written");
    let lab = Lab::start(&["--fixtures", dir.to_str().expect("a plain path")]);
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    let (mut tries, mut again) = (0, Vec::new());
    let target = cj_gate::gate::Target {
        host: old.into(),
        owner: Some("o".into()),
        repo: Some("r".into()),
        account: None,
        source: cj_gate::gate::Source::ExplicitRepo,
    };
    let argv = ["pr", "merge", "1", "--squash"].map(str::to_owned);
    let question = question(
        Class::Write,
        "pr merge",
        &argv,
        &target,
        cj_gate::gh::place::pin::Reach::Target,
        &Cleaner::holding(&[]),
    );
    let look = question.look.expect("something can be read");
    let told = loop {
        let reads = if again.is_empty() {
            look.reads()
        } else {
            again
        };
        let read: Vec<&str> = reads[0].iter().map(String::as_str).collect();
        let ran = lab.gh(&gh, &[&read[..], &["--hostname", old]].concat());
        let seen = look.seen(&[Answered::Output(ran.stdout)]);
        tries += 1;
        if seen.again.is_empty() {
            break seen;
        }
        assert!(facts(&seen).contains("too old"), "{}", facts(&seen));
        assert!(tries < 6, "the reads do not end: {}", facts(&seen));
        again = seen.again;
    };
    let _ = std::fs::remove_dir_all(&dir);
    let facts = facts(&told);
    for line in [
        "About plain: pull request #1 by mona, open",
        "Base plain: could not be read (this GitHub is too old to tell)",
        "Visibility warning: public: everybody can read it",
        "Size plain: +84 −21 in 3 files",
    ] {
        assert!(facts.contains(line), "{line} is not in\n{facts}");
    }
    assert_eq!(
        told.supply.len(),
        2,
        "the head stays a condition of the merge"
    );
    assert!(tries > 1);
    // The next question leaves the missing fields out at once.
    let query = look.reads()[0].join(" ");
    for gone in [
        "visibility",
        "compare",
        "mergeStateStatus",
        "forks",
        "$head",
    ] {
        assert!(!query.contains(gone), "{gone} is in {query}");
    }
}

/// The ways in which GitHub fails (test/lab/trouble.rs), and the words for each.
const TROUBLES: &[(&str, &str)] = &[
    ("err401", "the login was not accepted"),
    ("err403-sso", "no access"),
    ("err403-scope", "lacks a scope"),
    ("err403-limit", "rate limited"),
    ("err403-secondary", "rate limited"),
    ("err403", "no access"),
    ("err404", "not found"),
    ("err429", "rate limited"),
    ("err500", "in trouble"),
    ("err502", "could not be read"),
    ("cut", "could not be read"),
    ("garbage", "could not be read"),
];

#[test]
fn a_fact_that_could_not_be_read_says_why() {
    let lab = Lab::start(&[]);
    let calls: &[&[&str]] = &[
        &["pr", "merge", "1", "--squash"],
        &["issue", "comment", "2", "-b", "x"],
        &["run", "cancel", "1001"],
        &["release", "create", "v1", "-n", "x"],
    ];
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    for (owner, why) in TROUBLES {
        for call in calls {
            let repo = format!("{owner}/r");
            let words = [call, &["-R", &repo][..]].concat();
            let look = look(&words);
            let seen = seen(&lab, &gh, "github.com", &look, &look.reads());
            let told = facts(&seen);
            assert!(told.contains("could not be read"), "{words:?}\n{told}");
            assert!(told.contains(why), "{words:?}: not {why}\n{told}");
            assert!(seen.supply.is_empty(), "{words:?}: {:?}", seen.supply);
        }
    }
}

#[test]
fn a_head_that_moved_since_it_was_shown_is_not_merged() {
    let dir = lab::fresh_dir();
    let shown = "1f2e3d4c5b6a79880123456789abcdef01234567";
    let pull = |now: &str| {
        json!({
            "number": 1, "title": "Read quoted fields", "state": "OPEN", "headRefOid": shown, "headNow": now, "baseRefName": "main",
            "headRefName": "quoted-fields", "mergeable": "MERGEABLE", "mergeStateStatus": "CLEAN", "isDraft": false,
        })
    };
    let moved = "ffffffffffffffffffffffffffffffffffffffff";
    let world =
        json!({"repos": {"o/r": {"pulls": [pull(moved)]}, "o/same": {"pulls": [pull(shown)]}}});
    std::fs::write(dir.join("world.json"), world.to_string()).expect("a fixture can be written");
    let lab = Lab::start(&["--fixtures", dir.to_str().expect("a plain path")]);
    for gh in lab::gh_binaries() {
        for (repo, merged) in [("o/r", false), ("o/same", true)] {
            let words = ["pr", "merge", "1", "--squash", "-R", repo];
            let look = look(&words);
            let seen = seen(&lab, &gh, "github.com", &look, &look.reads());
            assert_eq!(seen.supply, ["--match-head-commit", shown]);
            let supplied: Vec<&str> = seen.supply.iter().map(String::as_str).collect();
            let ran = lab.gh(&gh, &[&words[..], &supplied[..]].concat());
            let said = format!("{} {repo}: {:?} {}", gh.display(), ran.code, ran.stderr);
            assert_eq!(ran.code == Some(0), merged, "{said}");
            assert_eq!(
                ran.stderr.contains("Head branch was modified"),
                !merged,
                "{said}"
            );
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
}

const WHOLE: &str = "ghp_Zq7Rw3Xv9Lk2Np5Tc8Yd1Fh4Jm6Sb0GaUeIo";

#[test]
fn a_secret_in_a_long_comment_is_masked_or_cut_off_whole() {
    let dir = lab::fresh_dir();
    let issue = |number: u64, before: usize| {
        let body = format!("{}{WHOLE}{}", " ".repeat(before), " and so on".repeat(10));
        json!({
            "number": number, "title": "T", "state": "OPEN", "author": {"login": "kim"},
            "comments": {"totalCount": 1, "nodes": [{"author": {"login": "kim"}, "createdAt": "2026-03-01T00:00:00Z", "body": body}]},
        })
    };
    // The secret stands across byte 16,384, where the comment is cut, or far before the cut.
    let world = json!({"repos": {"o/r": {"issues": [issue(2, 390), issue(3, 16_374)]}}});
    std::fs::write(dir.join("world.json"), world.to_string()).expect("a fixture can be written");
    let lab = Lab::start(&["--fixtures", dir.to_str().expect("a plain path")]);
    for gh in lab::gh_binaries() {
        for number in ["2", "3"] {
            let look = look(&["issue", "comment", number, "-b", "x", "-R", "o/r"]);
            let told = facts(&seen(&lab, &gh, "github.com", &look, &look.reads()));
            let what = format!("{} #{number}\n{told}", gh.display());
            assert!(told.contains("Last said"), "{what}");
            assert!(!told.contains("ghp_"), "{what}");
            assert_eq!(told.contains("REDACTED"), number == "2", "{what}");
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn the_last_comment_of_the_account_is_read_whole_and_no_other_comes_with_it() {
    let dir = lab::fresh_dir();
    let long = "mine ".repeat(2_000);
    let comment = |own: bool, body: &str| {
        json!({
            "author": {"login": "kim"}, "viewerDidAuthor": own, "createdAt": "2026-03-01T00:00:00Z", "body": body,
        })
    };
    let nodes = [
        comment(true, "older"),
        comment(true, &long),
        comment(false, "theirs"),
    ];
    let issue = json!({
        "number": 2, "title": "T", "state": "OPEN", "author": {"login": "kim"}, "comments": {"totalCount": 3, "nodes": nodes},
    });
    let world = json!({"repos": {"o/r": {"issues": [issue]}}});
    std::fs::write(dir.join("world.json"), world.to_string()).expect("a fixture can be written");
    let lab = Lab::start(&["--fixtures", dir.to_str().expect("a plain path")]);
    for gh in lab::gh_binaries() {
        let look = look(&[
            "issue",
            "comment",
            "2",
            "--edit-last",
            "-b",
            "x",
            "-R",
            "o/r",
        ]);
        let seen = seen(&lab, &gh, "github.com", &look, &look.reads());
        let told = facts(&seen);
        assert_eq!(
            seen.texts,
            [("comment", long.clone())],
            "{} {told}",
            gh.display()
        );
        assert!(!told.contains("theirs"), "{told}");
    }
    let _ = std::fs::remove_dir_all(&dir);
}
