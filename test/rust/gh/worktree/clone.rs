//! Cloning a branch of a repository.

use serde_json::json;

use super::ground::{Ground, gh, ghs, git};
use crate::gate::{Class, ErrorKind};

#[test]
fn a_branch_is_cloned_by_one_yes_and_reused_without_one() {
    for gh in ghs() {
        let ground = Ground::new(&gh);
        let came = ground.call("repo-clone", json!({}));
        assert!(
            came.text().contains("The branch main is checked out in\n"),
            "{}",
            came.text()
        );
        assert_eq!(ground.requests().len(), 1);
        let main = ground.worktree("main");
        assert_eq!(
            git(&main, &["status", "--porcelain", "--branch"]),
            "## main...origin/main [gone]\n"
        );
        assert_eq!(
            git(&main, &["remote", "get-url", "origin"]).trim(),
            format!("file://{}/remotes/o/r.git", ground.dir.display())
        );
        let again = ground.call("repo-clone", json!({"branch": "main"}));
        assert_eq!(
            again.info.as_ref().map(|info| info.class),
            Some(Class::Read)
        );
        assert!(
            again.text().contains("is checked out already in"),
            "{}",
            again.text()
        );
        let other = ground.call("repo-clone", json!({"branch": "feature"}));
        assert!(other.text().contains("; 3 files, 14 B"), "{}", other.text());
        assert!(ground.worktree("feature").join("feature.txt").is_file());
    }
}

#[test]
fn a_clone_that_cannot_be_made_says_why_and_leaves_nothing() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    for (args, kind, words) in [
        (
            json!({"branch": "none"}),
            ErrorKind::NotFound,
            "no branch none",
        ),
        (
            json!({"branch": "pr-1"}),
            ErrorKind::BadArgument,
            "gh_pr_checkout",
        ),
        (
            json!({"branch": "--upload-pack=x"}),
            ErrorKind::BadArgument,
            "names no branch",
        ),
        (
            json!({"branch": "a..b"}),
            ErrorKind::BadArgument,
            "names no branch",
        ),
    ] {
        let (got, text) = ground.call("repo-clone", args.clone()).failure();
        assert_eq!(got, kind, "{args}: {text}");
        assert!(text.contains(words), "{args}: {text}");
        assert!(!ground.worktrees().exists(), "{args}");
    }
}

#[test]
fn a_branch_that_has_moved_is_set_to_its_new_commit_only_by_force() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    ground.call("repo-clone", json!({})).text();
    let sha = ground.commit("o", "main", &[("more.txt", "x\n")], "More");
    let (kind, text) = ground.call("repo-clone", json!({})).failure();
    assert_eq!(kind, ErrorKind::BadArgument);
    assert!(text.contains("Give `force': true"), "{text}");
    let came = ground.call("repo-clone", json!({"force": true}));
    assert_eq!(came.row("Drops"), Vec::<String>::new());
    came.text();
    assert_eq!(
        git(&ground.worktree("main"), &["rev-parse", "HEAD"]).trim(),
        sha
    );
}
