//! Opening a pull request, with a push before it and without.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::ground::{Came, Ground, gh, ghs, git, try_git};
use super::push::{commit, many};
use crate::gate::{Cwd, ErrorKind};
use crate::gh::place::context::GitFacts;

/// A user's checkout of `o/r` with a branch `menu` of two commits, and the facts that git has of it.
fn checkout(ground: &Ground, origin: &str) -> PathBuf {
    let checkout = ground.dir.join("home/checkout");
    let _ = std::fs::remove_dir_all(&checkout);
    let remote = ground.dir.join("remotes/o/r.git").display().to_string();
    git(
        &ground.dir,
        &[
            "clone",
            "-q",
            "--no-local",
            &remote,
            &checkout.display().to_string(),
        ],
    );
    git(&checkout, &["remote", "set-url", "origin", origin]);
    git(&checkout, &["checkout", "-q", "-b", "menu"]);
    commit(&checkout, "menu.txt", "Add a menu\n\nIt has entries.");
    commit(&checkout, "entry.txt", "Add an entry");
    checkout
}

fn facts(checkout: &Path) -> GitFacts {
    let (_, config) = try_git(
        checkout,
        &[
            "config",
            "-z",
            "--get-regexp",
            crate::gh::place::context::CONFIG_PATTERN,
        ],
        &[],
    );
    GitFacts {
        config: config.into_bytes().into(),
        branch: Some(
            git(checkout, &["symbolic-ref", "--short", "HEAD"])
                .trim()
                .to_owned(),
        ),
        commits: None,
    }
}

fn call(ground: &Ground, checkout: &Path, args: Value) -> Came {
    let settings = ground.settings();
    ground.call_from(
        "pr-create",
        args,
        &settings,
        (Cwd::Local(checkout.to_owned()), facts(checkout)),
        |_| true,
    )
}

/// The texts that go out, label and text.
fn texts(came: &Came) -> Vec<(String, String)> {
    let texts = &came.info.as_ref().expect("a question").question.texts;
    texts
        .iter()
        .map(|one| (one.label.clone(), one.text.clone()))
        .collect()
}

fn mutations(ground: &Ground) -> Vec<Value> {
    let mut all = ground.requests();
    all.retain(|request| request["graphql"]["kind"] == "mutation");
    all
}

#[test]
fn a_branch_is_pushed_and_its_pull_request_opened_by_one_yes() {
    for gh in ghs() {
        let ground = Ground::new(&gh);
        let checkout = checkout(&ground, "https://github.com/o/r.git");
        let before = listing(&checkout);
        let body = "Two\nlines with `code` and $(dangers) 'and' \"quotes\".";
        let came = call(
            &ground,
            &checkout,
            json!({"title": "A menu", "body": body, "push": true, "draft": true,
            "reviewers": ["kim"], "labels": ["bug"], "assignees": ["octo"]}),
        );
        let info = came.info.as_ref().expect("a question");
        assert_eq!(
            info.question.sentence,
            "Push menu and open a draft pull request from menu into main in o/r, as whoever the token belongs to"
        );
        assert_eq!(
            texts(&came),
            [
                ("Title".to_owned(), "A menu".to_owned()),
                ("Body".to_owned(), body.to_owned())
            ]
        );
        assert_eq!(came.row("Changes"), ["2 files, +2 −0"]);
        assert_eq!(came.row("Commit").len(), 2);
        assert!(
            came.row("Pushes")[0].starts_with("o/r:menu, a new branch at "),
            "{:?}",
            came.row("Pushes")
        );
        let text = came.text();
        assert!(
            text.starts_with("Pushed o/r:menu and opened https://github.com/o/r/pull/"),
            "{text}"
        );
        assert!(text.contains("A menu"), "{text}");
        assert_eq!(
            ground.remote_tip("o", "menu"),
            git(&checkout, &["rev-parse", "HEAD"]).trim()
        );
        let made = &mutations(&ground)[0]["graphql"]["variables"]["input"];
        assert_eq!(made["body"], body);
        assert_eq!(made["draft"], true);
        // The user's checkout is as it was, and nothing of ours is left.
        assert_eq!(listing(&checkout), before);
        let left: Vec<_> = std::fs::read_dir(ground.worktrees())
            .expect("it was made")
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// Each file below `directory`, with its size and time.
fn listing(directory: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let entry = entry.expect("an entry");
            let facts = entry.metadata().expect("its facts");
            all.push(format!(
                "{} {} {:?}",
                entry.path().display(),
                facts.len(),
                facts.modified().ok()
            ));
            if facts.is_dir() {
                left.push(entry.path());
            }
        }
    }
    all.sort();
    all
}

#[test]
fn a_branch_that_is_on_github_is_compared_there() {
    for gh in ghs() {
        let ground = Ground::new(&gh);
        let checkout = checkout(&ground, "https://github.com/o/r.git");
        ground.branch("mona", "branch/tidy", "fix");
        ground.commit("mona", "branch/tidy", &[("tidy.txt", "a\nb\n")], "Tidy up");
        let came = call(
            &ground,
            &checkout,
            json!({"title": "Tidy", "head": "mona:branch/tidy"}),
        );
        assert_eq!(
            came.row("Fork"),
            ["mona/r is a fork of o/r; the pull request goes to that parent"]
        );
        assert_eq!(came.row("Changes"), ["2 files, +3 −0"]);
        assert!(
            came.row("Commit")[0].contains("Tidy up (Mona)"),
            "{:?}",
            came.row("Commit")
        );
        let text = came.text();
        assert!(
            text.starts_with("Opened https://github.com/o/r/pull/"),
            "{text}"
        );
        assert_eq!(mutations(&ground).len(), 1);
        let input = &mutations(&ground)[0]["graphql"]["variables"]["input"];
        assert_eq!(input["headRefName"], "mona:branch/tidy");
    }
}

#[test]
fn title_and_body_are_taken_from_the_commits() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    let came = call(&ground, &checkout, json!({"fill": true, "push": true}));
    let body = "- **Add a menu**\n- **Add an entry**\n";
    assert_eq!(
        texts(&came),
        [
            ("Title".to_owned(), "menu".to_owned()),
            ("Body".to_owned(), body.to_owned())
        ]
    );
    came.text();
    ground.branch("mona", "tidy", "fix");
    ground.commit(
        "mona",
        "tidy",
        &[("tidy.txt", "a\n")],
        "Tidy up\n\nAll of it.",
    );
    git(
        &ground.dir.join("remotes/mona/r.git"),
        &["update-ref", "refs/heads/fix", "main"],
    );
    let came = call(
        &ground,
        &checkout,
        json!({"fill": true, "head": "mona:tidy"}),
    );
    assert_eq!(came.row("Texts").len(), 1);
    let body = "- **Fix it**\n- **Tidy up**\n";
    assert_eq!(texts(&came)[1].1, body);
}

#[test]
fn what_the_checkout_has_and_github_lacks_is_said() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    let remote = ground.dir.join("remotes/o/r.git").display().to_string();
    git(
        &checkout,
        &["push", "-q", &remote, "HEAD~1:refs/heads/menu"],
    );
    let came = call(&ground, &checkout, json!({"title": "A menu"}));
    assert_eq!(came.row("Commit").len(), 1);
    assert!(
        came.row("Not pushed")[0].contains("`push' would push first"),
        "{:?}",
        came.rows()
    );
    // With a push the branch goes on from there.
    let came = call(&ground, &checkout, json!({"title": "A menu", "push": true}));
    let (kind, words) = came.failure();
    assert_eq!(kind, ErrorKind::BadArgument, "{words}");
    assert!(
        words.contains("is open from menu into main already"),
        "{words}"
    );
}

#[test]
fn a_clone_of_a_repository_that_may_only_be_read_goes_to_the_fork() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    let fork = ground.dir.join("remotes/octo/r.git").display().to_string();
    git(
        &ground.dir,
        &[
            "clone",
            "-q",
            "--bare",
            "--no-local",
            &ground.dir.join("remotes/o/r.git").display().to_string(),
            &fork,
        ],
    );
    ground.change_world(|world| {
        world["repos"]["o/r"]["viewerPermission"] = json!("READ");
        world["repos"]["octo/r"] = json!({"isFork": true, "parent": {"nameWithOwner": "o/r"}, "viewerPermission": "ADMIN"});
    });
    let came = call(&ground, &checkout, json!({"title": "A menu", "push": true}));
    assert!(
        came.row("Pushes")[0].starts_with("octo/r:menu, a new branch"),
        "{:?}",
        came.rows()
    );
    assert_eq!(came.row("Fork").len(), 1);
    assert!(
        came.text().starts_with("Pushed octo/r:menu and opened "),
        "{}",
        came.text()
    );
    assert_eq!(
        ground.remote_tip("octo", "menu"),
        git(&checkout, &["rev-parse", "HEAD"]).trim()
    );
}

#[test]
fn a_pull_request_that_fails_after_its_push_says_what_was_done() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    ground.change_world(|world| {
        world["fails"] = json!({"createPullRequest": {"type": "UNPROCESSABLE", "message": "Something is wrong"}});
    });
    let (_, words) = call(&ground, &checkout, json!({"title": "A menu", "push": true})).failure();
    assert!(
        words.contains("was pushed, but no pull request was opened"),
        "{words}"
    );
    assert!(words.contains("Something is wrong"), "{words}");
    assert_eq!(
        ground.remote_tip("o", "menu"),
        git(&checkout, &["rev-parse", "HEAD"]).trim()
    );
}

#[test]
fn a_branch_with_other_commits_on_github_is_not_pushed_over() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    ground.branch("o", "menu", "feature");
    let before = ground.remote_tip("o", "menu");
    let (kind, words) =
        call(&ground, &checkout, json!({"title": "A menu", "push": true})).failure();
    assert_eq!(kind, ErrorKind::BadArgument);
    assert!(words.contains("pushes without force"), "{words}");
    assert_eq!(ground.remote_tip("o", "menu"), before);
}

/// Arguments, and the kind and words of their error.
#[test]
fn wrong_arguments_are_refused_before_anything_is_asked() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    let long = "x".repeat(131_001);
    for (args, words) in [
        (json!({}), "`title' is missing"),
        (json!({"title": "  "}), "`title' is missing"),
        (
            json!({"fill": true, "title": "A"}),
            "`fill' takes title and body",
        ),
        (
            json!({"fill": true, "body": "A"}),
            "`fill' takes title and body",
        ),
        (
            json!({"fill": true, "body": ""}),
            "`fill' takes title and body",
        ),
        (json!({"title": "A", "body": long}), "is too long"),
        (
            json!({"title": "A", "base": "-x"}),
            "`base' names no branch",
        ),
        (
            json!({"title": "A", "base": "o:main"}),
            "`base' names no branch",
        ),
        (
            json!({"title": "A", "head": "a b"}),
            "`head' names no branch",
        ),
        (
            json!({"title": "A", "head": "-o:fix"}),
            "`head' names no branch",
        ),
        (
            json!({"title": "A", "labels": ["a", ""]}),
            "`labels' has an entry",
        ),
        (
            json!({"title": "A", "reviewers": ["--web"]}),
            "`reviewers' has an entry",
        ),
    ] {
        let (kind, got) = call(&ground, &checkout, args.clone()).failure();
        assert_eq!(kind, ErrorKind::BadArgument, "{args}");
        assert!(got.contains(words), "{args}: {got}");
        assert!(ground.requests().is_empty());
    }
}

#[test]
fn what_github_or_the_checkout_does_not_have_is_refused_before_anything_is_written() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    ground.change_world(|world| world["repos"]["nobody/r"] = json!(false));
    for (args, kind, words) in [
        (
            json!({"title": "A"}),
            ErrorKind::BadArgument,
            "Give `push': true",
        ),
        (
            json!({"title": "A", "push": true, "base": "none"}),
            ErrorKind::NotFound,
            "no branch none",
        ),
        (
            json!({"title": "A", "head": "main"}),
            ErrorKind::BadArgument,
            "is the base itself",
        ),
        (
            json!({"title": "A", "head": "nobody:fix"}),
            ErrorKind::NotFound,
            "has no repository r",
        ),
        (
            json!({"title": "A", "head": "mona:fix"}),
            ErrorKind::BadArgument,
            "#2 is open from fix into main",
        ),
        (
            json!({"title": "A", "head": "elsewhere", "push": true}),
            ErrorKind::BadArgument,
            "no branch elsewhere",
        ),
        (
            json!({"title": "A", "push": true, "body": "my token is ghp_x7Kq2LmZp9Rt4VbN8sYw3HdJf6Ga1Cu5EoQi"}),
            ErrorKind::PolicyBlocked,
            "looks like a secret",
        ),
    ] {
        let came = call(&ground, &checkout, args.clone());
        let (got, text) = came.failure();
        assert_eq!(got, kind, "{args}: {text}");
        assert!(text.contains(words), "{args}: {text}");
        assert!(mutations(&ground).is_empty(), "{args}");
    }
    let remote = ground.dir.join("remotes/o/r.git");
    assert!(!try_git(&remote, &["rev-parse", "--verify", "menu"], &[]).0);
}

#[test]
fn a_directory_without_a_branch_of_its_own_makes_no_pull_request() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    // No checkout on a branch.
    let settings = ground.settings();
    let nowhere = (Cwd::Local(ground.dir.join("home")), GitFacts::default());
    let came = ground.call_from(
        "pr-create",
        json!({"title": "A"}),
        &settings,
        nowhere,
        |_| true,
    );
    assert!(came.failure().1.contains("no checkout on a branch"));
    // The worktree of a pull request has one already.
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    let came = call(&ground, &worktree, json!({"title": "A", "push": true}));
    assert!(
        came.failure().1.contains("is that of pull request #1"),
        "{came:?}"
    );
}

#[test]
fn a_pull_request_of_thousands_of_files_and_commits_is_counted_whole() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    many(&checkout, "menu", 4_000, 2_500);
    let came = call(
        &ground,
        &checkout,
        json!({"title": "Many", "body": "", "push": true}),
    );
    assert_eq!(came.row("Changes"), ["4,002 files, +4,002 −0"]);
    let commits = came.row("Commit");
    assert_eq!(commits.last().expect("some"), "and 2,452 more commits");
    came.text();
}

#[test]
fn the_configuration_of_a_checkout_hides_nothing_that_a_pull_request_has() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    std::fs::create_dir(checkout.join("sub")).expect("a directory");
    let third = commit(&checkout, "sub/three.txt", "Größe\n\nThird");
    for (key, value) in [
        ("diff.relative", "true"),
        ("diff.noprefix", "true"),
        ("i18n.logOutputEncoding", "IBM1047"),
        ("log.showRoot", "false"),
    ] {
        git(&checkout, &["config", key, value]);
    }
    // A file that says that the last commit has no parent.
    let grafts = checkout.join(".git/info/grafts");
    std::fs::create_dir_all(grafts.parent().expect("a directory")).expect("a directory");
    std::fs::write(&grafts, format!("{third}\n")).expect("a file");
    let came = call(
        &ground,
        &checkout.join("sub"),
        json!({"title": "Three", "push": true}),
    );
    assert_eq!(came.row("Changes"), ["3 files, +3 −0"]);
    assert_eq!(
        came.row("File"),
        ["entry.txt +1 −0", "menu.txt +1 −0", "sub/three.txt +1 −0"]
    );
    let commits = came.row("Commit");
    assert_eq!(commits.len(), 3, "{commits:?}");
    assert!(commits[0].contains("Größe (Mona)"), "{commits:?}");
    came.text();
}

#[test]
fn a_branch_that_somebody_makes_after_the_question_is_not_pushed_over() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    let came = ground.call_from(
        "pr-create",
        json!({"title": "A menu", "push": true}),
        &ground.settings(),
        (Cwd::Local(checkout.clone()), facts(&checkout)),
        |_| {
            ground.branch("o", "menu", "main");
            true
        },
    );
    let (kind, text) = came.failure();
    assert_eq!(kind, ErrorKind::Failed, "{text}");
    assert!(
        text.contains("o/r:menu has changed on the host")
            || text.contains("nothing was pushed or opened"),
        "{text}"
    );
    assert_eq!(
        ground.remote_tip("o", "menu"),
        ground.remote_tip("o", "main")
    );
    assert_eq!(mutations(&ground).len(), 0);
}

#[test]
fn a_checkout_of_another_user_is_said() {
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    let checkout = checkout(&ground, "https://github.com/o/r.git");
    let facts = facts(&checkout);
    let given = std::process::Command::new("chown")
        .args(["-R", "65534:65534"])
        .arg(&checkout)
        .status();
    assert!(given.expect("chown starts").success());
    let settings = ground.settings();
    let (kind, text) = ground
        .call_from(
            "pr-create",
            json!({"title": "A menu", "push": true}),
            &settings,
            (Cwd::Local(checkout), facts),
            |_| true,
        )
        .failure();
    assert_eq!(kind, ErrorKind::BadCwd, "{text}");
    assert!(text.contains("belongs to another user"), "{text}");
}
