//! Listing worktrees, making them safe to visit, and removing them.

use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::ground::{Ground, gh, git, try_git};
use crate::gate::{ErrorKind, Refusal};
use crate::gh::tools::worktree::list::{Asked, Came, start};
use crate::gh::tools::worktree::rows::{Name, Row, State, Work};
use crate::git::place::Place;

type Answer = Result<(Came, Vec<String>), Refusal>;

fn ask(ground: &Ground, asked: Asked) -> Answer {
    let (send, receive) = mpsc::channel();
    start(asked, &ground.settings(), move |came| {
        send.send(came).expect("the test waits");
    })
    .expect("git and the directory are there");
    receive
        .recv_timeout(Duration::from_secs(60))
        .expect("the command ends")
}

/// The rows, and what was set aside.
fn list(ground: &Ground) -> (Vec<Row>, Vec<String>) {
    match ask(ground, Asked::List) {
        Ok((Came::Listed(rows), told)) => (rows, told),
        other => panic!("{other:?}"),
    }
}

/// The row of the worktree called `name`.
pub fn row(ground: &Ground, name: &str) -> Row {
    let (rows, _) = list(ground);
    let found = rows.iter().find(|row| row.name.worktree == name);
    found.unwrap_or_else(|| panic!("{name}: {rows:#?}")).clone()
}

pub fn work(row: &Row) -> &Work {
    match &row.state {
        State::Read(work) => work,
        other => panic!("{other:?}"),
    }
}

fn name(worktree: &str) -> Name {
    Name {
        repository: ["github.com", "o", "r"].map(str::to_owned),
        worktree: worktree.to_owned(),
    }
}

fn remove(ground: &Ground, worktree: &str, seen: Option<&str>) -> Answer {
    let seen = seen.map(str::to_owned);
    ask(ground, Asked::Remove(name(worktree), seen))
}

fn removed(answer: Answer) -> String {
    match answer {
        Ok((Came::Removed(more), _)) => more,
        other => panic!("{other:?}"),
    }
}

fn kept(answer: Answer) -> Row {
    match answer {
        Ok((Came::Kept(row), _)) => *row,
        other => panic!("{other:?}"),
    }
}

/// The ground with the worktrees `numbers`; `None` without a gh.
fn ground(numbers: &[&str]) -> Option<Ground> {
    let ground = Ground::new(&gh()?);
    ground
        .call("pr-checkout", json!({"numbers": numbers}))
        .text();
    Some(ground)
}

/// Adds a commit with the file `file` to the worktree in `directory`.
fn commit(directory: &Path, file: &str, message: &str) {
    std::fs::write(directory.join(file), "own\n").expect("a file");
    git(directory, &["add", "-A"]);
    git(directory, &["commit", "-q", "-m", message]);
}

fn branches(ground: &Ground) -> String {
    let words = [
        "for-each-ref",
        "--format=%(refname)",
        "refs/heads",
        "refs/cj",
    ];
    git(&ground.store(), &words)
}

#[test]
fn nothing_is_listed_and_nothing_made_where_no_worktree_is() {
    let Some(gh) = gh() else { return };
    let ground = Ground::new(&gh);
    assert_eq!(list(&ground), (vec![], vec![]));
    assert!(!ground.worktrees().exists());
    let missing = remove(&ground, "pr-1", None).expect_err("it is not there");
    assert_eq!(missing.kind, ErrorKind::NotFound);
    assert!(!ground.worktrees().exists());
}

#[test]
fn each_worktree_is_listed_with_its_commits_files_and_age() {
    let Some(ground) = ground(&["1", "2"]) else {
        return;
    };
    let (rows, told) = list(&ground);
    assert_eq!(told, [""; 0]);
    assert_eq!(rows.len(), 2);
    for (row, number) in rows.iter().zip([1, 2]) {
        assert_eq!(row.what, format!("#{number}"));
        assert_eq!(row.directory, ground.worktree(&format!("pr-{number}")));
        assert_eq!(row.seen, "");
        assert!(row.changed_at.is_some_and(|time| time > 1_000_000_000));
        let clean = Work {
            directory: true,
            ..Work::default()
        };
        assert_eq!(*work(row), clean);
    }
    let one = ground.worktree("pr-1");
    commit(&one, "a.txt", "Add \u{1b}[31m a \u{202e}file");
    commit(&one, "b.txt", "Add another");
    std::fs::write(one.join("README"), "changed\n").expect("a file");
    std::fs::write(one.join("new\u{1b}[1m.txt"), "new\n").expect("a file");
    git(&ground.worktree("pr-2"), &["switch", "-q", "--detach"]);
    commit(&ground.worktree("pr-2"), "c.txt", "On no branch");
    let one = row(&ground, "pr-1");
    let found = work(&one);
    assert_eq!((found.unpushed, found.changed), (2, 2));
    assert!(
        found.commits[0].ends_with("Add another (Mona)"),
        "{found:?}"
    );
    assert_eq!(found.files[0], "README");
    let all = format!("{:?}", (&found.commits, &found.files));
    assert!(!all.contains(['\u{1b}', '\u{202e}']), "{all}");
    assert_ne!(one.seen, "");
    let two = row(&ground, "pr-2");
    assert_eq!(work(&two).elsewhere.as_deref(), Some(""));
    assert_eq!(work(&two).unpushed, 1);
}

#[test]
fn a_clean_worktree_goes_at_once_and_the_last_one_takes_the_store_along() {
    let Some(ground) = ground(&["1", "2"]) else {
        return;
    };
    assert_eq!(removed(remove(&ground, "pr-1", None)), "");
    assert!(!ground.worktree("pr-1").exists());
    assert!(!ground.store().join("worktrees/pr-1").exists());
    assert_eq!(branches(&ground), "refs/cj/pr-2\nrefs/heads/pr-2\n");
    git(&ground.store(), &["fsck", "--strict"]);
    assert_eq!(list(&ground).0.len(), 1);
    let more = removed(remove(&ground, "pr-2", None));
    assert!(more.contains("its store is gone"), "{more}");
    assert!(!ground.store().exists());
    assert!(!ground.worktrees().join("github.com/o/r").exists());
    assert_eq!(list(&ground), (vec![], vec![]));
    // The same pull request can be checked out anew.
    ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
    assert_eq!(list(&ground).0.len(), 1);
}

#[test]
fn a_worktree_with_work_goes_only_with_a_yes_to_exactly_this_work() {
    let Some(ground) = ground(&["1", "2"]) else {
        return;
    };
    let one = ground.worktree("pr-1");
    std::fs::write(one.join("mine.txt"), "mine\n").expect("a file");
    let first = kept(remove(&ground, "pr-1", None));
    assert_eq!(work(&first).files, ["mine.txt"]);
    // A yes to one file is none to two, and one to a file none to a commit.
    std::fs::write(one.join("more.txt"), "more\n").expect("a file");
    let second = kept(remove(&ground, "pr-1", Some(&first.seen)));
    assert_eq!(work(&second).files, ["mine.txt", "more.txt"]);
    commit(&one, "more.txt", "Add more");
    let third = kept(remove(&ground, "pr-1", Some(&second.seen)));
    assert_eq!((work(&third).unpushed, work(&third).changed), (1, 0));
    // Nor does a yes to one commit hold for another.
    git(&one, &["commit", "-q", "--amend", "-m", "Add much more"]);
    let fourth = kept(remove(&ground, "pr-1", Some(&third.seen)));
    assert!(work(&fourth).commits[0].contains("Add much more"));
    assert!(one.join("mine.txt").exists());
    removed(remove(&ground, "pr-1", Some(&fourth.seen)));
    assert!(!one.exists());
    assert_eq!(branches(&ground), "refs/cj/pr-2\nrefs/heads/pr-2\n");
}

#[test]
fn ignored_files_are_no_work_and_are_told() {
    let Some(ground) = ground(&["1"]) else { return };
    let one = ground.worktree("pr-1");
    for (file, contents) in [(".gitignore", "*\n"), ("mine.txt", "mine\n")] {
        std::fs::write(one.join(file), contents).expect("a file");
    }
    let found = row(&ground, "pr-1");
    assert_eq!(work(&found).ignored_files, [".gitignore", "mine.txt"]);
    assert_eq!((work(&found).ignored, found.seen.as_str()), (2, ""));
    removed(remove(&ground, "pr-1", None));
}

#[test]
fn commits_that_were_pushed_from_the_worktree_are_no_work() {
    let Some(ground) = ground(&["1"]) else { return };
    let one = ground.worktree("pr-1");
    commit(&one, "a.txt", "Add a file");
    assert_eq!(work(&row(&ground, "pr-1")).unpushed, 1);
    git(&one, &["push", "-q", "origin", "HEAD:feature"]);
    assert_eq!(work(&row(&ground, "pr-1")).unpushed, 0);
}

#[test]
fn a_store_in_which_a_call_works_is_told_as_busy_within_seconds() {
    let Some(ground) = ground(&["1"]) else { return };
    let place = Place::new(
        &ground.worktrees(),
        ["github.com", "o", "r"],
        "https://github.com",
    )
    .expect("a place");
    let lock = place.lock(&mut || Ok(())).expect("nobody works there");
    let begun = Instant::now();
    assert_eq!(row(&ground, "pr-1").state, State::Busy);
    let answer = remove(&ground, "pr-1", None).expect_err("a call works there");
    assert!(answer.message.contains("A call is at work"), "{answer}");
    ask(&ground, Asked::Visit(name("pr-1"))).expect_err("a call works there");
    assert!(begun.elapsed() < Duration::from_secs(20));
    drop(lock);
    assert!(ground.worktree("pr-1").is_dir());
    removed(remove(&ground, "pr-1", None));
}

/// A program that writes `file` when it runs, as git's configuration names programs.
fn canary(ground: &Ground, file: &Path) -> PathBuf {
    let program = ground.dir.join("canary");
    let script = format!("#!/bin/sh\ntouch '{}'\n", file.display());
    std::fs::write(&program, script).expect("a program");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).expect("a program");
    program
}

#[test]
fn nothing_that_was_written_into_a_store_runs_when_it_is_listed_or_visited() {
    let Some(ground) = ground(&["1"]) else { return };
    let fired = ground.dir.join("fired");
    let program = canary(&ground, &fired);
    let attack = || {
        std::fs::set_permissions(ground.store(), PermissionsExt::from_mode(0o700)).expect("open");
        let config = ground.store().join("config");
        let mut text = std::fs::read_to_string(&config).expect("a configuration");
        let _ = write!(
            text,
            "[core]\n\tfsmonitor = {0}\n\thooksPath = {1}\n[filter \"x\"]\n\tclean = {0}\n\tsmudge = {0}\n",
            program.display(),
            ground.store().join("hooks").display(),
        );
        std::fs::remove_file(&config).expect("it is there");
        std::fs::write(&config, text).expect("a configuration");
        let hooks = ground.store().join("hooks");
        std::fs::create_dir_all(&hooks).expect("a directory");
        std::fs::copy(&program, hooks.join("post-checkout")).expect("a hook");
        std::fs::write(
            ground.worktree("pr-1").join(".gitattributes"),
            "* filter=x\n",
        )
        .expect("attributes");
        std::fs::write(ground.worktree("pr-1").join("README"), "other\n").expect("a file");
    };
    // The canary does sing where nobody mends.
    attack();
    try_git(&ground.worktree("pr-1"), &["status"], &[]);
    assert!(fired.exists());
    std::fs::remove_file(&fired).expect("it is there");

    let (rows, told) = list(&ground);
    assert_eq!(work(&rows[0]).changed, 2);
    assert!(
        told.iter().any(|line| line.contains("fsmonitor")),
        "{told:?}"
    );
    attack();
    let answer = ask(&ground, Asked::Visit(name("pr-1"))).expect("it is there");
    assert_eq!(answer.0, Came::Ready(ground.worktree("pr-1")));
    assert!(answer.1.iter().any(|line| line.contains("fsmonitor")));
    // What magit or vc runs next is the person's own git.
    git(&ground.worktree("pr-1"), &["status"]);
    git(&ground.worktree("pr-1"), &["diff"]);
    assert!(!fired.exists());
}

#[test]
fn a_symbolic_link_leads_no_removal_elsewhere() {
    let Some(ground) = ground(&["1"]) else { return };
    let precious = ground.dir.join("precious");
    std::fs::create_dir(&precious).expect("a directory");
    std::fs::write(precious.join("mine"), "mine\n").expect("a file");
    let worktree = ground.worktree("pr-1");
    std::fs::rename(&worktree, ground.dir.join("moved")).expect("it is there");
    symlink(&precious, &worktree).expect("a link");
    let found = row(&ground, "pr-1");
    let State::Broken(why) = &found.state else {
        panic!("{found:?}")
    };
    assert!(why.contains("is a symbolic link"), "{why}");
    for seen in [None, Some(found.seen.as_str())] {
        let answer = remove(&ground, "pr-1", seen).expect_err("a link is in the way");
        assert_eq!(answer.kind, ErrorKind::BadCwd);
    }
    assert_eq!(
        std::fs::read_dir(&precious).expect("it is there").count(),
        1
    );
    // A whole host, owner or store by way of a link is none of ours.
    std::fs::rename(ground.worktrees(), ground.dir.join("real")).expect("it is there");
    std::fs::create_dir(ground.worktrees()).expect("a directory");
    symlink(
        ground.dir.join("real/github.com"),
        ground.worktrees().join("github.com"),
    )
    .expect("a link");
    assert_eq!(list(&ground), (vec![], vec![]));
}

#[test]
fn a_name_in_a_store_leads_to_no_file_outside() {
    let Some(ground) = ground(&["1"]) else { return };
    let precious = ground.dir.join("precious");
    std::fs::write(&precious, "mine\n").expect("a file");
    // As the branch `../../../../../../precious' below refs/heads of the store.
    let evil = "%2E.+..+..+..+..+..+precious";
    std::fs::create_dir(ground.store().join("worktrees").join(evil)).expect("a directory");
    std::fs::write(ground.store().join("cj-unfinished").join(evil), "new").expect("a note");
    let (rows, _) = list(&ground);
    assert_eq!(rows.len(), 1, "{rows:#?}");
    for name in [evil, "", "..", "%2E.", "../../x"] {
        remove(&ground, name, None).expect_err("there is no such worktree");
        ask(&ground, Asked::Visit(self::name(name))).expect_err("there is no such worktree");
    }
    assert!(precious.exists());
    assert!(ground.worktree("pr-1").is_dir());
}

#[test]
fn a_branch_whose_directory_is_gone_is_listed_and_removed_and_packed_refs_go_too() {
    let Some(ground) = ground(&["1", "2"]) else {
        return;
    };
    commit(&ground.worktree("pr-1"), "a.txt", "Add a file");
    std::fs::remove_dir_all(ground.worktree("pr-1")).expect("it is there");
    std::fs::set_permissions(ground.store(), PermissionsExt::from_mode(0o700)).expect("open");
    git(&ground.store(), &["pack-refs", "--all", "--prune"]);
    let found = row(&ground, "pr-1");
    assert!(!work(&found).directory);
    assert_eq!(work(&found).unpushed, 1);
    let answer = ask(&ground, Asked::Visit(name("pr-1"))).expect_err("it is gone");
    assert_eq!(answer.kind, ErrorKind::NotFound);
    kept(remove(&ground, "pr-1", None));
    removed(remove(&ground, "pr-1", Some(&found.seen)));
    assert_eq!(branches(&ground), "refs/cj/pr-2\nrefs/heads/pr-2\n");
}

#[test]
fn a_store_stays_as_long_as_something_in_it_was_not_pushed() {
    let Some(ground) = ground(&["1"]) else { return };
    let one = ground.worktree("pr-1");
    // A branch of one's own, and a stash, beside the branch of the worktree.
    git(&one, &["switch", "-q", "-c", "idea"]);
    commit(&one, "idea.txt", "Have an idea");
    std::fs::write(one.join("README"), "stashed\n").expect("a file");
    git(&one, &["stash", "-q"]);
    let found = row(&ground, "pr-1");
    assert_eq!(work(&found).elsewhere.as_deref(), Some("idea"));
    assert_eq!(work(&found).unpushed, 1);
    removed(remove(&ground, "pr-1", Some(&found.seen)));
    assert!(!one.exists());
    let idea = row(&ground, "idea");
    assert_eq!(work(&idea).unpushed, 1);
    let more = removed(remove(&ground, "idea", Some(&idea.seen)));
    assert!(more.contains("its store stays"), "{more}");
    let empty = row(&ground, "");
    assert_eq!(empty.state, State::Empty(true));
    kept(remove(&ground, "", None));
    removed(remove(&ground, "", Some(&empty.seen)));
    assert!(!ground.store().exists());
}

#[test]
fn a_worktree_that_was_half_set_or_cannot_be_read_says_so() {
    let Some(ground) = ground(&["1", "2"]) else {
        return;
    };
    let note = ground.store().join("cj-unfinished/pr-1");
    std::fs::write(note, "reset").expect("a note");
    assert!(work(&row(&ground, "pr-1")).half_reset);
    let index = ground.store().join("worktrees/pr-2/index");
    std::fs::write(index, "no index").expect("an index");
    let found = row(&ground, "pr-2");
    assert!(matches!(found.state, State::Broken(_)), "{found:?}");
    let again = kept(remove(&ground, "pr-2", None));
    assert_eq!(again.seen, found.seen);
    removed(remove(&ground, "pr-2", Some(&found.seen)));
    assert!(!ground.worktree("pr-2").exists());
}

#[test]
fn a_worktree_that_a_person_made_elsewhere_stays() {
    let Some(ground) = ground(&["1"]) else { return };
    let elsewhere = ground.dir.join("elsewhere");
    let words = ["worktree", "add", "-q", "--detach"];
    git(
        &ground.store(),
        &[&words[..], &[&elsewhere.display().to_string(), "pr-1"]].concat(),
    );
    let found = row(&ground, "elsewhere");
    assert!(matches!(found.state, State::Foreign(_)), "{found:?}");
    let answer = remove(&ground, "elsewhere", Some(&found.seen)).expect_err("it is not ours");
    assert!(answer.message.contains("git worktree remove"), "{answer}");
    // With it the store stays, too.
    assert_eq!(removed(remove(&ground, "pr-1", None)), "");
    git(&elsewhere, &["status"]);
}
