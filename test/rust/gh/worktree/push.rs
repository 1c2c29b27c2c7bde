//! Pushing from the worktree of a pull request.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::ground::{Ground, gh, ghs, git, pull};
use crate::gate::ErrorKind;

/// Commits the file `name` in `worktree`, as a person does, and returns the commit.
pub fn commit(worktree: &Path, name: &str, message: &str) -> String {
    std::fs::write(worktree.join(name), "changed\n").expect("a file");
    git(worktree, &["add", "-A"]);
    git(worktree, &["commit", "-q", "-m", message]);
    git(worktree, &["rev-parse", "HEAD"]).trim().to_owned()
}

#[test]
fn commits_go_to_the_branch_of_the_pull_request_by_one_yes() {
    for gh in ghs() {
        let ground = Ground::new(&gh);
        ground
            .call("pr-checkout", json!({"numbers": ["1", "2"]}))
            .text();
        for (number, owner, branch) in [("1", "o", "feature"), ("2", "mona", "fix")] {
            let before = ground.remote_tip(owner, branch);
            let worktree = ground.worktree(&format!("pr-{number}"));
            commit(&worktree, "a.txt", "First of two");
            let tip = commit(&worktree, "b.txt", "Second of two");
            std::fs::write(worktree.join("c.txt"), "not committed\n").expect("a file");
            let requests = ground.requests().len();
            let came = ground.call("pr-push", json!({"number": number}));
            assert_eq!(
                came.info.as_ref().expect("a question").question.sentence,
                format!(
                    "Push 2 commits to {owner}/r:{branch}, the branch of pull request #{number} in o/r"
                )
            );
            assert_eq!(came.row("Changes"), ["2 files, +2 −0"]);
            assert_eq!(came.row("File"), ["a.txt +1 −0", "b.txt +1 −0"]);
            assert!(came.row("Commit")[0].contains("Second of two (Mona)"));
            assert_eq!(came.row("Drops"), Vec::<String>::new());
            assert_eq!(came.row("Not pushed").len(), 1);
            assert!(
                came.text().starts_with("Pushed 2 commits to "),
                "{}",
                came.text()
            );
            assert_eq!(ground.remote_tip(owner, branch), tip);
            assert_eq!(ground.requests().len(), requests + 1);
            assert_ne!(before, tip);
            let (kind, text) = ground.call("pr-push", json!({"number": number})).failure();
            assert_eq!(kind, ErrorKind::BadArgument);
            assert!(text.contains("Nothing is to be pushed"), "{text}");
        }
    }
}

#[test]
fn commits_on_github_are_dropped_only_with_a_lease_and_are_listed() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    let theirs = ground.commit("o", "feature", &[("theirs.txt", "x\n")], "Theirs\u{1b}[31m");
    let ours = commit(&worktree, "ours.txt", "Ours");
    let (kind, text) = ground.call("pr-push", json!({"number": "1"})).failure();
    assert_eq!(kind, ErrorKind::BadArgument);
    assert!(
        text.contains("Theirs") && text.contains("force_with_lease"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'));
    let came = ground.call("pr-push", json!({"number": "1", "force_with_lease": true}));
    let drops = came.row("Drops");
    assert_eq!(drops.len(), 1, "{drops:?}");
    assert!(drops[0].starts_with(&theirs[..7]), "{drops:?}");
    came.text();
    assert_eq!(ground.remote_tip("o", "feature"), ours);
}

#[test]
fn a_branch_that_moves_after_the_question_is_left_as_it_is() {
    let Some(gh) = gh() else { return };
    for force in [false, true] {
        let ground = Ground::new(&gh);
        ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
        let worktree = ground.worktree("pr-1");
        if force {
            ground.commit("o", "feature", &[("theirs.txt", "x\n")], "Theirs");
        }
        commit(&worktree, "ours.txt", "Ours");
        let mut moved = String::new();
        let args = json!({"number": "1", "force_with_lease": force});
        let came = ground.call_with("pr-push", args, &ground.settings(), |_| {
            moved = ground.commit("o", "feature", &[("late.txt", "x\n")], "Late");
            true
        });
        let (kind, text) = came.failure();
        assert_eq!(kind, ErrorKind::Failed, "{text}");
        let words = format!("is at {} now", &moved[..7]);
        assert!(text.contains(&words), "{text}");
        assert_eq!(ground.remote_tip("o", "feature"), moved);
    }
}

#[test]
fn a_push_that_github_declines_says_why() {
    let Some(gh) = gh() else { return };
    for (words, kind, expect) in [
        (
            "GH006: Protected branch update failed for refs/heads/feature.",
            ErrorKind::NoAccess,
            "The branch is protected",
        ),
        ("no such luck", ErrorKind::NoAccess, "no such luck"),
    ] {
        let ground = Ground::new(&gh);
        ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
        commit(&ground.worktree("pr-1"), "a.txt", "A");
        let hook = ground.dir.join("remotes/o/r.git/hooks/pre-receive");
        std::fs::create_dir_all(hook.parent().expect("hooks")).expect("a directory");
        std::fs::write(&hook, format!("#!/bin/sh\necho '{words}' >&2\nexit 1\n")).expect("a hook");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&hook, mode).expect("a mode");
        let before = ground.remote_tip("o", "feature");
        let (got, text) = ground.call("pr-push", json!({"number": "1"})).failure();
        assert_eq!(got, kind, "{text}");
        assert!(text.contains(expect), "{text}");
        assert_eq!(ground.remote_tip("o", "feature"), before);
    }
}

#[test]
fn nothing_is_pushed_where_the_pull_request_does_not_say_where_to() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    commit(&ground.worktree("pr-1"), "a.txt", "A");
    let with = |name: &str, value: Value| {
        let mut one = pull(1, "Add the feature", "o", "feature");
        one[name] = value;
        one
    };
    for (world, args, kind, words) in [
        (
            vec![with("state", json!("MERGED"))],
            json!({"number": "1"}),
            ErrorKind::BadArgument,
            "is merged",
        ),
        (
            vec![with("state", json!("CLOSED"))],
            json!({"number": "1"}),
            ErrorKind::BadArgument,
            "is closed",
        ),
        (
            vec![with("headRepository", Value::Null)],
            json!({"number": "1"}),
            ErrorKind::NotFound,
            "not there any more",
        ),
        (
            vec![],
            json!({"number": "2"}),
            ErrorKind::BadArgument,
            "is not checked out here",
        ),
        (
            vec![],
            json!({"number": "-1"}),
            ErrorKind::BadArgument,
            "begins with a dash",
        ),
        (
            vec![],
            json!({"number": "9999"}),
            ErrorKind::NotFound,
            "no pull request #9999",
        ),
    ] {
        ground.world(&world);
        let (got, text) = ground.call("pr-push", args.clone()).failure();
        assert_eq!(got, kind, "{args}: {text}");
        assert!(text.contains(words), "{args}: {text}");
    }
}

#[test]
fn the_target_of_a_push_is_what_github_says_whatever_is_written_here() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    let tip = commit(&worktree, "a.txt", "A");
    let store = ground.store();
    let evil = ground.dir.join("evil.git");
    git(
        &ground.dir,
        &["init", "-q", "--bare", &evil.display().to_string()],
    );
    let config = store.join("config");
    let canary = ground.dir.join("canary");
    let text = std::fs::read_to_string(&config).expect("a configuration");
    std::fs::remove_file(&config).expect("root may");
    std::fs::write(
        &config,
        format!(
            "{text}[remote \"origin\"]\n\turl = {0}\n\tpushurl = {0}\n[url \"{0}\"]\n\tpushInsteadOf = file://\n\tinsteadOf = file://\n[core]\n\tfsmonitor = touch {1}\n\tsshCommand = touch {1}\n",
            evil.display(),
            canary.display()
        ),
    )
    .expect("a configuration");
    let came = ground.call("pr-push", json!({"number": "1"}));
    assert!(came.text().contains("had been changed"), "{}", came.text());
    assert!(
        came.row("Mended")[0].contains("insteadOf"),
        "{:?}",
        came.row("Mended")
    );
    assert_eq!(ground.remote_tip("o", "feature"), tip);
    git(&worktree, &["status"]);
    assert!(!canary.exists());
    assert_eq!(git(&evil, &["for-each-ref"]), "");
}

#[test]
fn a_push_of_thousands_of_files_and_commits_is_counted_whole() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    many(&worktree, "pr-1", 4_000, 2_500);
    let came = ground.call("pr-push", json!({"number": "1"}));
    assert_eq!(
        came.info.as_ref().expect("a question").question.sentence,
        "Push 2,500 commits to o/r:feature, the branch of pull request #1 in o/r"
    );
    assert_eq!(came.row("Changes"), ["4,000 files, +4,000 −0"]);
    came.text();

    git(&worktree, &["reset", "-q", "--hard", "HEAD~2500"]);
    let ours = commit(&worktree, "ours.txt", "Ours");
    let came = ground.call("pr-push", json!({"number": "1", "force_with_lease": true}));
    let drops = came.row("Drops");
    assert_eq!(drops.last().expect("some"), "and 2,450 more commits");
    came.text();
    assert_eq!(ground.remote_tip("o", "feature"), ours);
}

/// Makes `files` files in `worktree`, on `branch`, and commits them, with `commits` commits in all.
pub fn many(worktree: &Path, branch: &str, files: usize, commits: usize) {
    let name = "a-name-of-some-length-".repeat(4);
    for nth in 1..files {
        std::fs::write(worktree.join(format!("{name}{nth}")), "x\n").expect("a file");
    }
    commit(worktree, "last.txt", "Many files");
    let mut script = String::new();
    for nth in 1..commits {
        let from = if nth == 1 {
            format!("from refs/heads/{branch}^0\n")
        } else {
            String::new()
        };
        let _ = write!(
            script,
            "commit refs/heads/{branch}\ncommitter M <m@example.com> {nth} +0000\ndata 5\nEmpty\n{from}\n"
        );
    }
    let import = ["fast-import", "--quiet", "--force"];
    super::scene::fed(worktree, &import, script.as_bytes());
}
