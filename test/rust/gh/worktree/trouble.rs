//! What goes wrong between the question and the end: what is said, and that nothing half done stays.

use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::ground::{Came, Ground, git};
use super::scene::{
    assert_whole, blob, elsewhere, fed, forget, ground, half_done, head, is_elsewhere, of_head,
    remote, said, set_head, tree,
};
use crate::gate::ErrorKind;

/// Pull request 11 with a file of `bytes` bytes that cannot be made smaller; its commit.
fn with_noise(ground: &Ground, bytes: usize) -> String {
    ground.world(&[of_head(11, "Noise")]);
    let mut state = 88_172_645_463_325_252_u64;
    let noise = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    let noise: Vec<u8> = noise.take(bytes / 8).flatten().collect();
    let file = blob(ground, &noise);
    head(ground, 11, &tree(ground, &[("100644", b"noise", &file)]))
}

/// The call for pull request 11 fails with `kind` and each of `words`, and leaves no worktree, no branch and no store.
fn assert_refused(ground: &Ground, came: &Came, kind: ErrorKind, words: &[&str]) {
    let (found, text) = said(came);
    println!("{text}\n");
    assert_eq!(found, Some(kind), "{text}");
    for word in words {
        assert!(text.contains(word), "{text}");
    }
    assert!(text.lines().count() >= 2, "{text}");
    assert!(text.matches("Reproduce: ").count() <= 1, "{text}");
    assert!(
        !ground.store().exists(),
        "a store that this call made is gone"
    );
    assert!(!ground.worktree("pr-11").exists());
    assert_eq!(half_done(ground), Vec::<String>::new());
}

fn eleven() -> Value {
    json!({"numbers": ["11"]})
}

#[test]
fn a_head_that_moves_after_the_question_is_not_written() {
    let Some(ground) = ground() else { return };
    let first = with_noise(&ground, 800);
    let file = blob(&ground, b"other\n");
    let other = tree(&ground, &[("100644", b"noise", &file)]);
    // Once by a commit on top, once by a forced push.
    let on_top = fed(
        &remote(&ground),
        &["commit-tree", "-p", &first, "-m", "On top", &other],
        b"",
    );
    let beside = fed(
        &remote(&ground),
        &["commit-tree", "-p", "main", "-m", "Beside", &other],
        b"",
    );
    for next in [on_top, beside] {
        set_head(&ground, 11, &first);
        let came = ground.call_with("pr-checkout", eleven(), &ground.settings(), |_| {
            set_head(&ground, 11, &next);
            true
        });
        assert_refused(
            &ground,
            &came,
            ErrorKind::Failed,
            &[
                "has moved on GitHub",
                &first[..7],
                "Call it again; nothing was written",
            ],
        );
        ground.call("pr-checkout", eleven()).text();
        assert_whole(&ground, 11, &next);
        forget(&ground);
    }
}

#[test]
fn a_pull_request_or_a_repository_that_is_gone_after_the_question_is_said() {
    let Some(ground) = ground() else { return };
    with_noise(&ground, 800);
    let settings = ground.settings();
    let came = ground.call_with("pr-checkout", eleven(), &settings, |_| {
        git(&remote(&ground), &["update-ref", "-d", "refs/pull/11/head"]);
        true
    });
    assert_refused(
        &ground,
        &came,
        ErrorKind::NotFound,
        &["has no commits any more in github.com/o/r", "gh_pr_view"],
    );
    let came = ground.call_with("pr-checkout", json!({"numbers": ["1"]}), &settings, |_| {
        std::fs::rename(remote(&ground), ground.dir.join("away")).expect("it moves");
        true
    });
    assert_refused(
        &ground,
        &came,
        ErrorKind::NotFound,
        &["github.com/o/r is not there", "gh_repo_view"],
    );
}

#[test]
fn a_commit_with_too_many_files_or_bytes_is_not_written() {
    let Some(mut ground) = ground() else { return };
    ground.world(&[of_head(11, "Many")]);
    let file = blob(&ground, &[b'x'; 2_000]);
    let names: Vec<String> = (0..30).map(|nth| format!("f{nth}")).collect();
    let entries: Vec<_> = names
        .iter()
        .map(|name| ("100644", name.as_bytes(), file.as_str()))
        .collect();
    head(&ground, 11, &tree(&ground, &entries));
    ground.git_files = 29;
    let came = ground.call("pr-checkout", eleven());
    let words = [
        "more than 29 files",
        "`cj/gh-git-max-files'",
        "Tell the person",
    ];
    assert_refused(&ground, &came, ErrorKind::PolicyBlocked, &words);
    ground.git_files = 30;
    ground.git_bytes = 59_999;
    let came = ground.call("pr-checkout", eleven());
    let words = [
        "more than 59.9 KB",
        "`cj/gh-git-max-bytes'",
        "Tell the person",
    ];
    assert_refused(&ground, &came, ErrorKind::PolicyBlocked, &words);
    ground.git_bytes = 60_000;
    ground.call("pr-checkout", eleven()).text();
}

#[test]
fn a_fetch_ends_at_the_most_bytes() {
    let Some(mut ground) = ground() else { return };
    with_noise(&ground, 3_000_000);
    ground.git_bytes = 1_000_000;
    let came = ground.call("pr-checkout", eleven());
    let words = [
        "github.com/o/r is larger than 1.0 MB",
        "`cj/gh-git-max-bytes'",
        "Tell the person",
    ];
    assert_refused(&ground, &came, ErrorKind::PolicyBlocked, &words);
}

/// The settings of `ground` with a git that hangs at the command `command`.
fn hanging(ground: &Ground, command: &str) -> crate::gh::call::request::Settings {
    let path = ground.dir.join(format!("git-{command}"));
    let real = super::ground::the_git();
    let text = format!(
        "#!/bin/sh\ncase \" $* \" in *' {command} '*) {} \"$@\" >/dev/null 2>&1; sleep 60;; esac\nexec {} \"$@\"\n",
        real.display(),
        real.display()
    );
    std::fs::write(&path, text).expect("a file");
    let made = Command::new("chmod").arg("755").arg(&path).status();
    assert!(made.expect("chmod starts").success());
    let mut settings = ground.settings();
    settings.git = Some(path);
    settings
}

#[test]
fn a_git_that_does_not_end_is_ended_at_the_time_limit() {
    let Some(ground) = ground() else { return };
    with_noise(&ground, 800);
    for command in ["fetch", "reset"] {
        let mut settings = hanging(&ground, command);
        settings.git_timeout = Duration::from_secs(2);
        let begun = Instant::now();
        let came = ground.call_with("pr-checkout", eleven(), &settings, |_| true);
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert_refused(
            &ground,
            &came,
            ErrorKind::Timeout,
            &["within 2 s", "`cj/gh-git-timeout'"],
        );
    }
}

#[test]
fn a_call_that_is_cancelled_leaves_nothing() {
    let Some(ground) = ground() else { return };
    with_noise(&ground, 800);
    for command in ["fetch", "ls-tree", "reset"] {
        let settings = hanging(&ground, command);
        let (mut came, write) = ground.prepared("pr-checkout", &eleven(), &settings, |_| true);
        let (send, receive) = mpsc::channel();
        let handle = write
            .expect("a write")
            .start(move |outcome| send.send(outcome).expect("the test waits"))
            .expect("it may run");
        std::thread::sleep(Duration::from_millis(1_500));
        handle.cancel();
        let outcome = receive.recv_timeout(Duration::from_secs(20));
        came.outcome = Some(outcome.expect("it ends soon"));
        assert_refused(&ground, &came, ErrorKind::Cancelled, &["cancelled"]);
    }
    ground.call("pr-checkout", eleven()).text();
}

#[test]
fn a_waiting_call_can_be_cancelled() {
    let Some(ground) = ground() else { return };
    let sha = with_noise(&ground, 800);
    let settings = hanging(&ground, "fetch");
    let start = |settings| {
        let (_, write) = ground.prepared("pr-checkout", &eleven(), settings, |_| true);
        let (send, receive) = mpsc::channel();
        let handle = write
            .expect("a write")
            .start(move |outcome| send.send(outcome).expect("the test waits"))
            .expect("it may run");
        (handle, receive)
    };
    // Both are asked before either has made a store, so that the second waits for the lock with its write.
    let own = ground.settings();
    let (_, second) = ground.prepared("pr-checkout", &eleven(), &own, |_| true);
    let (first, of_first) = start(&settings);
    std::thread::sleep(Duration::from_millis(500));
    let (send, of_second) = mpsc::channel();
    let handle = second
        .expect("a write")
        .start(move |outcome| send.send(outcome).expect("the test waits"))
        .expect("it may run");
    std::thread::sleep(Duration::from_millis(200));
    handle.cancel();
    let outcome = of_second
        .recv_timeout(Duration::from_secs(5))
        .expect("it ends soon");
    assert_eq!(outcome.kind, Some(ErrorKind::Cancelled), "{}", outcome.text);
    first.cancel();
    of_first
        .recv_timeout(Duration::from_secs(20))
        .expect("it ends");
    ground.call("pr-checkout", eleven()).text();
    assert_whole(&ground, 11, &sha);
}

/// Runs the checkout with a disk of `size` at the directory for worktrees; what it said and what it left, `None` where this cannot be.
fn on_small_disk(ground: &Ground, name: &str, size: &str) -> Option<Value> {
    let test = elsewhere(ground, name, &eleven());
    let worktrees: PathBuf = ground.worktrees();
    std::fs::create_dir_all(&worktrees).expect("a directory");
    let script =
        format!("mount -t tmpfs -o size={size} tmpfs \"$0\" && echo mounted && exec \"$@\"");
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "sh", "-c", &script])
        .arg(worktrees);
    command.arg(test.get_program()).args(test.get_args());
    for (name, value) in test.get_envs() {
        command.env(name, value.expect("it is set"));
    }
    let output = command.output().expect("unshare starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if !printed.contains("mounted") {
        println!("skipped: no small disk can be made here (not root)");
        return None;
    }
    let line = printed.lines().find_map(|line| line.strip_prefix("ended "));
    Some(serde_json::from_str(line.unwrap_or_else(|| panic!("{printed}"))).expect("JSON"))
}

#[test]
fn a_full_disk_is_said_and_leaves_nothing() {
    if is_elsewhere() {
        return;
    }
    let Some(ground) = ground() else { return };
    let name = "trouble::a_full_disk_is_said_and_leaves_nothing";
    // 2 MB of noise: the disk is full while git fetches (1 MB), while it writes the files (3 MB), or while the gate makes a store (4 KB).
    with_noise(&ground, 2_000_000);
    for size in ["1m", "3m", "4k"] {
        let Some(came) = on_small_disk(&ground, name, size) else {
            return;
        };
        let text = came["text"].as_str().expect("words");
        println!(
            "{size}: {text}\n{}\n",
            came["left"].as_str().unwrap_or_default()
        );
        assert_ne!(came["kind"], Value::Null, "{came}");
        assert!(
            text.contains("disk is full") || text.contains("No space left"),
            "{text}"
        );
        assert!(text.lines().count() >= 2, "{text}");
        let left = came["left"].as_str().expect("a list");
        assert!(!left.contains("r.git") && !left.contains("pr-11"), "{left}");
    }
}
