//! A person's own work in a store and its worktrees: the gate neither loses it nor is led astray by it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::ground::{Ground, git, try_git};
use super::push::commit;
use super::scene::{Entry, assert_sound, blob, ground, head, of_head, person, said, tree};
use crate::gate::ErrorKind;
use crate::gh::call::request::Settings;

fn eleven() -> Value {
    json!({"numbers": ["11"]})
}

fn forced() -> Value {
    json!({"numbers": ["11"], "force": true})
}

/// Pull request 11 with the files `files`, checked out.
fn checked_out(files: &[(&str, &str)]) -> Option<Ground> {
    let ground = ground()?;
    ground.world(&[of_head(11, "Work"), of_head(12, "Other work")]);
    with_files(&ground, 11, files);
    with_files(&ground, 12, files);
    ground.call("pr-checkout", eleven()).text();
    Some(ground)
}

/// Sets the head of pull request `number` to a commit of the files `files`.
fn with_files(ground: &Ground, number: u64, files: &[(&str, &str)]) -> String {
    let blobs: Vec<String> = files
        .iter()
        .map(|(_, text)| blob(ground, text.as_bytes()))
        .collect();
    let entries: Vec<Entry<'_>> = files
        .iter()
        .zip(&blobs)
        .map(|((name, _), sha)| ("100644", name.as_bytes(), sha.as_str()))
        .collect();
    head(ground, number, &tree(ground, &entries))
}

/// The settings of `ground` with a git that first runs the shell line `line` at the command `command`.
fn meanwhile(ground: &Ground, command: &str, line: &str) -> Settings {
    let path = ground.dir.join("git-meanwhile");
    let real = super::ground::the_git();
    let text = format!(
        "#!/bin/sh\ncase \" $* \" in *' {command} '*) {line};; esac\nexec {} \"$@\"\n",
        real.display()
    );
    fs::write(&path, text).expect("a file");
    let made = Command::new("chmod").arg("755").arg(&path).status();
    assert!(made.expect("chmod starts").success());
    let mut settings = ground.settings();
    settings.git = Some(path);
    settings
}

#[test]
fn branches_of_which_one_is_below_the_other_are_refused_and_break_nothing() {
    let Some(ground) = checked_out(&[("f", "1\n")]) else {
        return;
    };
    for branch in ["pr-12/fix", "dev/x", "pr-11/fix", "dev"] {
        // The host cannot have `dev' beside `dev/x', either.
        if branch == "dev" {
            git(&super::scene::remote(&ground), &["branch", "-D", "dev/x"]);
        }
        ground.branch("o", branch, "main");
        let came = ground.call("repo-clone", json!({"repo": "o/r", "branch": branch}));
        let (kind, words) = said(&came);
        if branch == "pr-12/fix" || branch == "dev/x" {
            assert_eq!(kind, None, "{words}");
        } else {
            assert_eq!(kind, Some(ErrorKind::BadArgument), "{branch}: {words}");
            let other = if branch == "dev" { "dev/x" } else { "pr-11" };
            assert!(
                words.contains(&format!("beside the branch {other}")),
                "{words}"
            );
        }
    }
    let (kind, words) = said(&ground.call("pr-checkout", json!({"numbers": ["12"]})));
    assert_eq!(kind, Some(ErrorKind::BadArgument), "{words}");
    assert!(words.contains("beside the branch pr-12/fix"), "{words}");
    // Packed references count too, and a branch that came after the question is told by git itself.
    person(&ground, &ground.worktree("pr-11"), &["pack-refs", "--all"]);
    let (_, words) = said(&ground.call("pr-checkout", json!({"numbers": ["12"]})));
    assert!(words.contains("beside the branch pr-12/fix"), "{words}");
    let (kind, words) = person(
        &ground,
        &ground.worktree("pr-11"),
        &["branch", "-D", "pr-12/fix"],
    );
    assert!(!kind && words.contains("pr-12+fix"), "{words}");
    let settings = ground.settings();
    git(&ground.store(), &["update-ref", "-d", "refs/heads/dev/x"]);
    let came = ground.call_with(
        "repo-clone",
        json!({"repo": "o/r", "branch": "dev"}),
        &settings,
        |_| {
            git(&ground.store(), &["branch", "dev/y", "pr-11"]);
            true
        },
    );
    let (kind, words) = said(&came);
    assert!(kind.is_some(), "{words}");
    let (kind, words) = said(&ground.call("pr-checkout", eleven()));
    assert_eq!(kind, None, "{words}");
    assert_sound(&ground);
}

#[test]
fn a_worktree_that_a_person_made_keeps_its_name() {
    let Some(ground) = checked_out(&[("f", "1\n")]) else {
        return;
    };
    let theirs = ground.dir.join("home/main");
    let place = theirs.display().to_string();
    let words = ["worktree", "add", "-q", "--detach", &place, "pr-11"];
    git(&ground.store(), &words);
    let own = commit(&theirs, "own.txt", "Mine");
    fs::write(theirs.join("staged.txt"), "staged\n").expect("a file");
    git(&theirs, &["add", "staged.txt"]);
    let clone = json!({"repo": "o/r", "branch": "main"});
    let (kind, words) = said(&ground.call("repo-clone", clone.clone()));
    assert_eq!(kind, Some(ErrorKind::BadCwd), "{words}");
    assert!(
        words.contains(&place) && words.contains("git worktree remove"),
        "{words}"
    );
    assert_eq!(git(&theirs, &["rev-parse", "HEAD"]).trim(), own);
    assert_eq!(git(&theirs, &["status", "--porcelain"]), "A  staged.txt\n");
    // Nor does it go where it is made between the question and the end.
    git(&ground.store(), &["worktree", "remove", "--force", &place]);
    let came = ground.call_with("repo-clone", clone.clone(), &ground.settings(), |_| {
        git(&ground.store(), &words_of(&place));
        commit(&theirs, "own.txt", "Mine");
        true
    });
    let (kind, words) = said(&came);
    assert_eq!(kind, Some(ErrorKind::BadCwd), "{words}");
    assert_eq!(git(&theirs, &["log", "-1", "--format=%s"]), "Mine\n");
    // One whose branch it is is no place for a second worktree.
    git(&theirs, &["checkout", "-q", "-b", "dev"]);
    git(
        &ground.store(),
        &["worktree", "move", &place, &format!("{place}-2")],
    );
    ground.branch("o", "dev", "main");
    let (kind, words) = said(&ground.call("repo-clone", json!({"repo": "o/r", "branch": "dev"})));
    assert_eq!(kind, Some(ErrorKind::BadArgument), "{words}");
    assert!(
        words.contains(&format!("checked out already, in {place}-2")),
        "{words}"
    );
}

fn words_of(place: &str) -> [&str; 6] {
    ["worktree", "add", "-q", "--detach", place, "pr-11"]
}

#[test]
fn a_file_that_was_a_submodule_is_seen_and_what_is_in_a_submodule_is_work() {
    let Some(ground) = checked_out(&[("f", "1\n")]) else {
        return;
    };
    let main = git(&super::scene::remote(&ground), &["rev-parse", "main"]);
    let module = [("160000", &b"lib"[..], main.trim())];
    head(&ground, 11, &tree(&ground, &module));
    ground.call("pr-checkout", forced()).text();
    let lib = ground.worktree("pr-11").join("lib");
    fs::write(lib.join("mine.c"), "mine\n").expect("a file");
    with_files(&ground, 11, &[("lib", "a file\n")]);
    let (kind, words) = said(&ground.call("pr-checkout", forced()));
    assert_eq!(kind, Some(ErrorKind::IrreversibleBlocked), "{words}");
    assert!(words.contains("lib"), "{words}");
    let rows = super::list::row(&ground, "pr-11");
    assert_eq!(super::list::work(&rows).files, ["lib"]);
    assert_ne!(rows.seen, "");
    fs::remove_file(lib.join("mine.c")).expect("it is there");
    let sha = with_files(&ground, 11, &[("lib", "a file\n")]);
    ground.call("pr-checkout", forced()).text();
    super::scene::assert_whole(&ground, 11, &sha);
    fs::write(&lib, "changed\n").expect("a file");
    let (_, status) = person(
        &ground,
        &ground.worktree("pr-11"),
        &["status", "--porcelain"],
    );
    assert_eq!(status, " M lib\n");
}

/// Gives the commit `of` in the commit-graph of `repository` the parent `parent`.
fn lie(repository: &Path, of: &str, parent: &str) {
    git(repository, &["commit-graph", "write", "--reachable"]);
    let path = repository.join("objects/info/commit-graph");
    let mut bytes = fs::read(&path).expect("a commit-graph");
    let number = |at: usize, size: usize| {
        bytes[at..at + size]
            .iter()
            .fold(0, |all, byte| all << 8 | usize::from(*byte))
    };
    let chunk = |name: &[u8]| {
        let ids = (8..).step_by(12);
        let at = ids.into_iter().find(|at| &bytes[*at..*at + 4] == name);
        number(at.expect("a chunk") + 4, 8)
    };
    let (names, data) = (chunk(b"OIDL"), chunk(b"CDAT"));
    let count = number(chunk(b"OIDF") + 255 * 4, 4);
    let place = |sha: &str| {
        let wanted: Vec<u8> = (0..20)
            .map(|at| u8::from_str_radix(&sha[2 * at..2 * at + 2], 16).expect("digits"))
            .collect();
        let at = (0..count).find(|at| bytes[names + 20 * at..names + 20 * at + 20] == wanted[..]);
        at.expect("the commit")
    };
    let (of, parent) = (place(of), u32::try_from(place(parent)).expect("few"));
    let at = data + 36 * of + 20;
    bytes[at..at + 4].copy_from_slice(&parent.to_be_bytes());
    fs::remove_file(&path).expect("it is there");
    fs::write(&path, bytes).expect("a file");
}

#[test]
fn a_commit_graph_that_lies_makes_no_push_drop_commits_unseen() {
    let Some(gh) = super::ground::gh() else {
        return;
    };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    let base = git(&worktree, &["rev-parse", "HEAD~1"]);
    let theirs = git(&worktree, &["rev-parse", "HEAD"]);
    git(&worktree, &["reset", "-q", "--hard", base.trim()]);
    let first = commit(&worktree, "a.txt", "First");
    commit(&worktree, "b.txt", "Second");
    // The person's git has the commit of the branch on the host.
    lie(&ground.store(), &first, theirs.trim());
    let said = try_git(
        &worktree,
        &["merge-base", "--is-ancestor", theirs.trim(), "HEAD"],
        &[],
    );
    assert!(said.0, "git believes it, so this test can fail");
    let (kind, text) = ground.call("pr-push", json!({"number": "1"})).failure();
    assert_eq!(kind, ErrorKind::BadArgument, "{text}");
    assert!(
        text.contains("has commits on GitHub that the worktree lacks"),
        "{text}"
    );
    assert_eq!(ground.remote_tip("o", "feature"), theirs.trim());
}

#[test]
fn work_that_begins_while_commits_are_fetched_is_not_overwritten() {
    let Some(ground) = checked_out(&[("f", "1\n")]) else {
        return;
    };
    with_files(&ground, 11, &[("f", "2\n")]);
    let file = ground.worktree("pr-11").join("f");
    let settings = meanwhile(
        &ground,
        "ls-tree",
        &format!("echo mine >> {}", file.display()),
    );
    let came = ground.call_with("pr-checkout", forced(), &settings, |_| true);
    let (kind, words) = said(&came);
    assert_eq!(kind, Some(ErrorKind::Failed), "{words}");
    assert!(
        words.contains("has changed since the person was asked"),
        "{words}"
    );
    let text = fs::read_to_string(&file).expect("a file");
    assert!(text.starts_with("1\nmine\n"), "{text}");
}

#[test]
fn a_note_of_an_unfinished_call_removes_no_worktree_in_which_work_went_on() {
    let Some(ground) = checked_out(&[("f", "1\n")]) else {
        return;
    };
    let worktree = ground.worktree("pr-11");
    fs::write(worktree.join("f"), "mine\n").expect("a file");
    for word in ["new", "again", "reset"] {
        let note = ground.store().join("cj-unfinished/pr-11");
        fs::write(&note, word).expect("a note");
        // The look-up of another pull request mends the store.
        ground
            .call("pr-checkout", json!({"numbers": ["12"]}))
            .text();
        assert_eq!(
            fs::read_to_string(worktree.join("f")).expect("a file"),
            "mine\n"
        );
        // From now on the lock is somebody else's.
        let lock = ground.store().join("worktrees/pr-11/index.lock");
        fs::write(&lock, "").expect("a lock");
        ground
            .call("pr-checkout", json!({"numbers": ["12"]}))
            .text();
        assert!(lock.exists(), "{word}");
        fs::remove_file(&lock).expect("it is there");
        let came = ground.call_with("pr-checkout", eleven(), &ground.settings(), |_| false);
        assert_eq!(came.row("Unfinished").len(), 1, "{word}");
        assert_eq!(came.row("Loses"), ["1 file with changes: f"], "{word}");
    }
    assert_eq!(
        fs::read_to_string(worktree.join("f")).expect("a file"),
        "mine\n"
    );
    assert_eq!(
        git(&worktree, &["rev-parse", "--abbrev-ref", "HEAD"]),
        "pr-11\n"
    );
}

#[test]
fn a_worktree_that_is_away_for_a_while_goes_on_when_it_is_back() {
    let Some(ground) = checked_out(&[("f", "1\n")]) else {
        return;
    };
    let (worktree, away) = (ground.worktree("pr-11"), ground.dir.join("away"));
    git(&worktree, &["checkout", "-q", "--detach"]);
    let own = commit(&worktree, "own.txt", "Mine");
    fs::rename(&worktree, &away).expect("it moves");
    ground
        .call("pr-checkout", json!({"numbers": ["12"]}))
        .text();
    let (kind, words) = said(&ground.call("pr-checkout", eleven()));
    assert_eq!(kind, Some(ErrorKind::BadArgument), "{words}");
    fs::rename(&away, &worktree).expect("it moves");
    assert_eq!(git(&worktree, &["rev-parse", "HEAD"]).trim(), own);
    assert_eq!(git(&worktree, &["status", "--porcelain"]), "");
    assert_eq!(git(&worktree, &["reflog", "-1", "--format=%H"]).trim(), own);
}

#[test]
fn an_ignored_file_is_not_overwritten_by_one_of_the_pull_request() {
    let Some(ground) = checked_out(&[(".gitignore", "local.cfg\n"), ("f", "1\n")]) else {
        return;
    };
    let local = ground.worktree("pr-11").join("local.cfg");
    fs::write(&local, "mine\n").expect("a file");
    let files = [
        (".gitignore", "local.cfg\n"),
        ("f", "2\n"),
        ("local.cfg", "theirs\n"),
    ];
    let sha = with_files(&ground, 11, &files);
    let (kind, words) = said(&ground.call("pr-checkout", forced()));
    assert_eq!(kind, Some(ErrorKind::IrreversibleBlocked), "{words}");
    assert!(words.contains("local.cfg"), "{words}");
    assert_eq!(fs::read_to_string(&local).expect("a file"), "mine\n");
    fs::remove_file(&local).expect("it is there");
    ground.call("pr-checkout", forced()).text();
    super::scene::assert_whole(&ground, 11, &sha);
}

#[test]
fn a_branch_that_is_gone_when_the_push_begins_is_not_made_again() {
    let Some(gh) = super::ground::gh() else {
        return;
    };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    commit(&ground.worktree("pr-1"), "a.txt", "A");
    let came = ground.call_with(
        "pr-push",
        json!({"number": "1"}),
        &ground.settings(),
        |_| {
            git(&super::scene::remote(&ground), &["branch", "-D", "feature"]);
            true
        },
    );
    let (kind, text) = came.failure();
    assert_eq!(kind, ErrorKind::Failed, "{text}");
    assert!(
        text.contains("is not there any more") && text.contains("nothing was pushed"),
        "{text}"
    );
    let (there, _) = try_git(
        &super::scene::remote(&ground),
        &["rev-parse", "--verify", "feature"],
        &[],
    );
    assert!(!there);
}

#[test]
fn commits_on_another_branch_of_the_worktree_are_not_passed_over() {
    let Some(gh) = super::ground::gh() else {
        return;
    };
    let ground = Ground::new(&gh);
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    let worktree = ground.worktree("pr-1");
    git(&worktree, &["checkout", "-q", "-b", "topic"]);
    commit(&worktree, "a.txt", "A");
    let (kind, text) = ground.call("pr-push", json!({"number": "1"})).failure();
    assert_eq!(kind, ErrorKind::BadArgument, "{text}");
    assert!(
        text.contains("is on the branch topic and not on pr-1"),
        "{text}"
    );
}

/// What a person does in a worktree, as a user to whom the modes of directories apply.
const SESSION: &str = r#"
set -e
cd "$1"
git config --global user.name Mona
git config --global user.email mona@example.com
git config --global core.editor true
echo ours > f; git commit -qam Ours
git branch base HEAD~1; git switch -q base
echo theirs > f; git commit -qam Theirs
git switch -q pr-11
git rebase base && exit 9
echo both > f; git add f; git rebase --continue
test ! -e "$(git rev-parse --git-path CHERRY_PICK_HEAD)"
git switch -q -c topic; echo more >> f; git commit -qam More --author 'Kim <kim@example.com>'
test "$(git log -1 --format=%an)" = Kim
git switch -q pr-11; git cherry-pick topic; git commit -q --amend -m Amended
echo stash >> f; git stash -q; git stash pop -q; test -z "$(git stash list)"
git checkout -q f
git tag one; git tag -d one
git branch -D topic base || true
test -z "$(git for-each-ref refs/stash refs/tags refs/heads/topic refs/heads/base)"
git status
"#;

#[test]
fn a_person_s_git_works_in_a_worktree() {
    let Some(ground) = checked_out(&[("f", "1\n")]) else {
        return;
    };
    let worktree = ground.worktree("pr-11");
    let root = nix::unistd::geteuid().is_root();
    let mut shell = if root {
        // Modes do not apply to root.
        let given = Command::new("chown")
            .args(["-R", "65534:65534"])
            .args([ground.worktrees(), ground.dir.join("home")])
            .status();
        assert!(given.expect("chown starts").success());
        let mut shell = Command::new("setpriv");
        shell.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh"]);
        shell
    } else {
        Command::new("sh")
    };
    let output = shell
        .args(["-c", SESSION, "sh"])
        .arg(&worktree)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", ground.dir.join("home"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(!text.contains("packed-refs.lock"), "{text}");
    assert!(
        text.contains("nothing to commit, working tree clean"),
        "{text}"
    );
    if root {
        let given = Command::new("chown")
            .args(["-R", "0:0"])
            .args([ground.worktrees(), ground.dir.join("home")])
            .status();
        assert!(given.expect("chown starts").success());
    }
    assert_sound(&ground);
}
