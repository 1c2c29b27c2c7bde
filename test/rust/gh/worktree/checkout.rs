//! Checking pull requests out.

use std::path::Path;

use serde_json::json;

use super::ground::{Ground, gh, ghs, git};
use super::push::commit;
use crate::gate::{Class, ErrorKind};

#[test]
fn a_pull_request_of_the_repository_and_one_of_a_fork_are_checked_out_by_one_yes() {
    for gh in ghs() {
        let ground = Ground::new(&gh);
        let came = ground.call("pr-checkout", json!({"numbers": ["1", "#2"]}));
        let text = came.text();
        assert!(
            text.contains("#1 “Add the feature” is checked out in\n"),
            "{text}"
        );
        assert!(text.contains(", of mona/r:fix; 3 files, 13 B"), "{text}");
        let info = came.info.as_ref().expect("a question");
        assert_eq!(
            info.question.sentence,
            "Check out pull requests #1, #2 in o/r"
        );
        // One fetch for both, and a command for each worktree.
        assert_eq!(
            info.shown
                .iter()
                .filter(|word| word.starts_with("git "))
                .count(),
            3
        );
        assert_eq!(ground.requests().len(), 1);
        for (number, file, owner, branch) in [
            (1, "feature.txt", "o", "feature"),
            (2, "fix.txt", "mona", "fix"),
        ] {
            let worktree = ground.worktree(&format!("pr-{number}"));
            assert_eq!(git(&worktree, &["status", "--porcelain"]), "");
            assert!(worktree.join(file).is_file());
            assert_eq!(
                git(&worktree, &["rev-parse", "HEAD"]).trim(),
                ground.remote_tip(owner, branch)
            );
            assert_eq!(
                git(&worktree, &["symbolic-ref", "--short", "HEAD"]).trim(),
                format!("pr-{number}")
            );
        }
        git(&ground.store(), &["fsck", "--strict"]);
        // The remotes on this machine are all that was read; the home is empty.
        let home = std::fs::read_dir(ground.dir.join("home")).expect("a home");
        assert_eq!(home.count(), 0);
    }
}

#[test]
fn a_pull_request_that_is_checked_out_is_reused_without_a_question() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    std::fs::write(ground.worktree("pr-1").join("mine.txt"), "x").expect("a file");
    for name in ["1", "https://github.com/o/r/pull/1", "o/r#1", "feature"] {
        let came = ground.call("pr-checkout", json!({"numbers": [name], "force": true}));
        assert_eq!(came.info.as_ref().map(|info| info.class), Some(Class::Read));
        assert!(
            came.text().contains("is checked out already in"),
            "{}",
            came.text()
        );
    }
    assert!(ground.worktree("pr-1").join("mine.txt").is_file());
    // One that is there and one that is not are one question about the second.
    let came = ground.call("pr-checkout", json!({"numbers": ["1", "2"]}));
    assert_eq!(came.row("There").len(), 1);
    assert_eq!(came.row("Writes").len(), 1);
    came.text();
    // A worktree that somebody has removed is made again.
    std::fs::remove_dir_all(ground.worktree("pr-2")).expect("it is there");
    let came = ground.call("pr-checkout", json!({"numbers": ["2"]}));
    assert!(
        came.row("Writes")[0].contains("for the branch pr-2 that is there"),
        "{:?}",
        came.rows()
    );
    came.text();
    assert!(ground.worktree("pr-2").join("fix.txt").is_file());
}

#[test]
fn a_branch_at_another_commit_is_set_only_by_force_and_what_is_dropped_is_shown() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    let mine = commit(&worktree, "mine.txt", "Mine");
    let new = ground.commit("o", "feature", &[("more.txt", "y\n")], "More");
    let (kind, words) = ground
        .call("pr-checkout", json!({"numbers": ["1"]}))
        .failure();
    assert_eq!(kind, ErrorKind::BadArgument);
    assert!(
        words.contains("with a commit that was not pushed"),
        "{words}"
    );
    // Changes that were not committed are never dropped.
    std::fs::write(worktree.join("README"), "changed\n").expect("a file");
    let force = json!({"numbers": ["1"], "force": true});
    let (kind, words) = ground.call("pr-checkout", force.clone()).failure();
    assert_eq!(kind, ErrorKind::IrreversibleBlocked);
    assert!(words.contains("not committed: README"), "{words}");
    git(&worktree, &["checkout", "-q", "README"]);
    std::fs::write(worktree.join("new.txt"), "x\n").expect("a file");
    let (_, words) = ground.call("pr-checkout", force.clone()).failure();
    assert!(words.contains("not committed: new.txt"), "{words}");
    std::fs::remove_file(worktree.join("new.txt")).expect("a file");
    let came = ground.call("pr-checkout", force);
    assert_eq!(came.row("Drops"), [format!("{} Mine (Mona)", &mine[..7])]);
    assert_eq!(came.row("Sets").len(), 1);
    came.text();
    assert_eq!(git(&worktree, &["rev-parse", "HEAD"]).trim(), new);
    assert_eq!(git(&worktree, &["status", "--porcelain"]), "");
    assert!(worktree.join("more.txt").is_file() && !worktree.join("mine.txt").exists());
}

#[test]
fn a_worktree_on_another_branch_and_a_place_that_is_taken_are_left_alone() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    std::fs::create_dir_all(ground.worktree("pr-2")).expect("a directory");
    std::fs::write(ground.worktree("pr-2").join("mine.txt"), "x").expect("a file");
    let (kind, words) = ground
        .call("pr-checkout", json!({"numbers": ["2"]}))
        .failure();
    assert_eq!(kind, ErrorKind::BadCwd);
    assert!(
        words.contains("is there already and is no worktree"),
        "{words}"
    );
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let (_, words) = ground
        .call("pr-checkout", json!({"numbers": ["2"], "force": true}))
        .failure();
    assert!(words.contains("is there already"), "{words}");
    assert!(ground.worktree("pr-2").join("mine.txt").is_file());
    let worktree = ground.worktree("pr-1");
    git(&worktree, &["switch", "-q", "-c", "topic"]);
    for force in [false, true] {
        let args = json!({"numbers": ["1"], "force": force});
        let (kind, words) = ground.call("pr-checkout", args).failure();
        assert_eq!(kind, ErrorKind::BadArgument);
        assert!(
            words.contains("is on the branch topic and not on pr-1"),
            "{words}"
        );
    }
}

/// Arguments that name nothing, or too much; no worktree is made and no commit fetched.
#[test]
fn wrong_names_are_refused_and_nothing_is_made() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let many: Vec<String> = (1..=9).map(|number| number.to_string()).collect();
    for (args, kind, words) in [
        (
            json!({"numbers": many}),
            ErrorKind::BadArgument,
            "names 9 pull requests",
        ),
        (
            json!({"numbers": ["-1"]}),
            ErrorKind::BadArgument,
            "begins with a dash",
        ),
        (
            json!({"numbers": ["1", "--force"]}),
            ErrorKind::BadArgument,
            "begins with a dash",
        ),
        (
            json!({"numbers": ["1", "o/other#2"]}),
            ErrorKind::BadArgument,
            "several repositories",
        ),
        (
            json!({"numbers": ["1", "https://github.com/o/other/pull/2"]}),
            ErrorKind::BadArgument,
            "several repositories",
        ),
        (
            json!({"numbers": ["1", "https://github.com/o/r/actions/runs/5"]}),
            ErrorKind::BadArgument,
            "no pull request",
        ),
        (
            json!({"numbers": ["1", "9999"]}),
            ErrorKind::NotFound,
            "no pull request #9999",
        ),
        (
            json!({"numbers": ["nobranch"]}),
            ErrorKind::NotFound,
            "no pull request from the branch nobranch",
        ),
        (
            json!({"numbers": ["a b"]}),
            ErrorKind::BadArgument,
            "names no pull request",
        ),
        (
            json!({"numbers": ["1"], "repo": "evil.example/o/r"}),
            ErrorKind::PolicyBlocked,
            "evil.example",
        ),
    ] {
        let (got, text) = ground.call("pr-checkout", args.clone()).failure();
        assert_eq!(got, kind, "{args}: {text}");
        assert!(text.contains(words), "{args}: {text}");
        assert!(!ground.worktrees().exists(), "{args}");
    }
}

/// A person's own git works in a worktree as in any other.
#[test]
fn a_person_commits_branches_and_fetches_in_a_worktree() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    commit(&worktree, "a.txt", "A");
    git(&worktree, &["fetch", "-q", "origin"]);
    git(&worktree, &["stash", "list"]);
    git(&worktree, &["switch", "-q", "-c", "topic"]);
    git(&worktree, &["rebase", "-q", "origin/main"]);
    git(&worktree, &["switch", "-q", "pr-1"]);
    git(&worktree, &["branch", "-q", "-D", "topic"]);
    git(&worktree, &["tag", "mine"]);
    let came = ground.call("pr-push", json!({"number": "1"}));
    assert!(
        came.text().starts_with("Pushed 1 commit to o/r:feature"),
        "{}",
        came.text()
    );
    assert_eq!(came.row("Mended"), Vec::<String>::new());
}

/// The names of `directory`, sorted.
fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_declined_checkout_and_one_under_a_strict_policy_make_nothing() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let args = json!({"numbers": ["1"]});
    let settings = ground.settings();
    let came = ground.call_with("pr-checkout", args.clone(), &settings, |_| false);
    assert!(came.outcome.is_none());
    let mut strict = ground.settings();
    strict.policies = vec![crate::gate::decide::policy::Layer {
        general: vec![("write".into(), "block".into())],
        hosts: Vec::new(),
    }];
    let came = ground.call_with("pr-checkout", args, &strict, |_| true);
    assert_eq!(came.failure().0, ErrorKind::PolicyBlocked);
    assert!(!ground.worktrees().exists());
}

#[test]
fn a_checkout_says_what_it_left_out() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n";
    ground.commit(
        "o",
        "feature",
        &[
            (
                ".gitattributes",
                "*.bin filter=lfs diff=lfs merge=lfs -text\n*.txt filter=evil\n",
            ),
            ("a.bin", lfs),
        ],
        "Large files",
    );
    let came = ground.call("pr-checkout", json!({"numbers": ["1"]}));
    let text = came.text();
    assert!(text.contains("files of Git LFS are pointers"), "{text}");
    assert!(
        text.contains("filters that .gitattributes names were not run"),
        "{text}"
    );
    let bin = ground.worktree("pr-1").join("a.bin");
    assert_eq!(std::fs::read_to_string(bin).expect("a pointer"), lfs);
    assert_eq!(
        names(&ground.worktrees().join("github.com/o")),
        [".r.lock", "r", "r.git"]
    );
}
