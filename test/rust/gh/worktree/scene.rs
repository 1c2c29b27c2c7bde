//! What the hard tests share: commits that no git would make, a canary, a person's own git, and calls in a process that may die.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::ground::{Came, Ground, gh, git, pull};
use crate::gate::ErrorKind;

/// An entry of a tree: mode, name and object.
pub type Entry<'a> = (&'a str, &'a [u8], &'a str);

/// Runs git in `dir` with `input`; it must succeed.  Returns what it prints, without the end of the line.
pub fn fed(dir: &Path, args: &[&str], input: &[u8]) -> String {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(dir)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", "/nonexistent")
        .envs([
            ("GIT_AUTHOR_NAME", "Mona"),
            ("GIT_AUTHOR_EMAIL", "mona@example.com"),
            ("GIT_COMMITTER_NAME", "Mona"),
            ("GIT_COMMITTER_EMAIL", "mona@example.com"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git starts");
    let mut stdin = child.stdin.take().expect("it was asked for");
    stdin.write_all(input).expect("git reads");
    drop(stdin);
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "git {args:?}");
    String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_owned()
}

/// The bare repository that plays the host's `o/r`.
pub fn remote(ground: &Ground) -> PathBuf {
    ground.dir.join("remotes/o/r.git")
}

/// A blob in `o/r`.
pub fn blob(ground: &Ground, bytes: &[u8]) -> String {
    fed(&remote(ground), &["hash-object", "-w", "--stdin"], bytes)
}

/// A tree in `o/r`, whatever the names are.
pub fn tree(ground: &Ground, entries: &[Entry<'_>]) -> String {
    let mut entries = entries.to_vec();
    let key = |entry: &Entry<'_>| {
        let end: &[u8] = if entry.0 == "40000" { b"/" } else { b"" };
        [entry.1, end].concat()
    };
    entries.sort_by_key(key);
    let mut bytes = Vec::new();
    for (mode, name, object) in entries {
        bytes.extend([mode.as_bytes(), b" ", name, b"\0"].concat());
        let digits: Vec<char> = object.chars().collect();
        for pair in digits.chunks(2) {
            let pair: String = pair.iter().collect();
            bytes.push(u8::from_str_radix(&pair, 16).expect("hexadecimal"));
        }
    }
    fed(
        &remote(ground),
        &["hash-object", "-t", "tree", "--literally", "-w", "--stdin"],
        &bytes,
    )
}

/// Makes the commit of `tree` on main the head of pull request `number` of `o/r`.
pub fn head(ground: &Ground, number: u64, tree: &str) -> String {
    let remote = remote(ground);
    let sha = fed(
        &remote,
        &["commit-tree", "-p", "main", "-m", "A head", tree],
        b"",
    );
    set_head(ground, number, &sha);
    sha
}

/// Makes `sha` the head of pull request `number`.
pub fn set_head(ground: &Ground, number: u64, sha: &str) {
    for name in [
        format!("refs/heads/h{number}"),
        format!("refs/pull/{number}/head"),
    ] {
        git(&remote(ground), &["update-ref", &name, sha]);
    }
}

/// The pull request `number` in a world, of the branch that [`set_head`] sets.
pub fn of_head(number: u64, title: &str) -> Value {
    pull(number, title, "o", &format!("h{number}"))
}

/// A head of pull request `number` with `count` files of 2,000 bytes beside those of main; `salt` makes other contents.
pub fn many_files(ground: &Ground, number: u64, count: usize, salt: &str) -> String {
    let mut input = format!(
        "commit refs/heads/h{number}\ncommitter Mona <mona@example.com> 1700000000 +0000\ndata 4\nMany\nfrom refs/heads/main^0\n"
    );
    for nth in 0..count {
        let line = format!("{salt} {nth} {}\n", nth.wrapping_mul(7_919) % 10_007);
        let text = line.repeat(2_000 / line.len());
        write!(
            input,
            "M 644 inline d{}/f{nth}.txt\ndata {}\n{text}\n",
            nth % 40,
            text.len()
        )
        .expect("a string grows");
    }
    fed(
        &remote(ground),
        &["fast-import", "--quiet", "--force"],
        input.as_bytes(),
    );
    let sha = git(&remote(ground), &["rev-parse", &format!("h{number}")]);
    set_head(ground, number, sha.trim());
    sha.trim().to_owned()
}

/// A program that notes that it ran.
pub fn canary(ground: &Ground) -> String {
    let path = ground.dir.join("canary");
    let fired = ground.dir.join("fired");
    let text = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", fired.display());
    std::fs::write(&path, text).expect("a canary");
    git(&ground.dir, &["--version"]);
    let made = Command::new("chmod").arg("755").arg(&path).status();
    assert!(made.expect("chmod starts").success());
    path.display().to_string()
}

/// What the canary has noted; the note is removed.
pub fn fired(ground: &Ground) -> String {
    let path = ground.dir.join("fired");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    text
}

/// Each file of the ground outside the directory for worktrees, with its size and time, but for those of the stand-in and of gh.
pub fn outside(ground: &Ground) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut left = vec![ground.dir.clone()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(&ground.dir).expect("below it");
            if ["lab", "wt", "cache", "world", "work"]
                .iter()
                .any(|known| name == Path::new(known))
            {
                continue;
            }
            let facts = std::fs::symlink_metadata(&path).expect("it is there");
            if facts.is_dir() {
                left.push(path.clone());
                all.insert(path, "a directory".into());
            } else {
                all.insert(path, format!("{} {:?}", facts.len(), facts.modified()));
            }
        }
    }
    all
}

/// Nothing outside has changed since `before`.
pub fn assert_outside(ground: &Ground, before: &BTreeMap<PathBuf, String>, what: &str) {
    let now = outside(ground);
    let differs = |one: &BTreeMap<PathBuf, String>, other: &BTreeMap<PathBuf, String>| {
        let differs = one
            .iter()
            .filter(|(path, facts)| other.get(*path) != Some(facts));
        differs.map(|(path, _)| path.clone()).collect::<Vec<_>>()
    };
    let found = (differs(before, &now), differs(&now, before));
    assert_eq!(found, (Vec::new(), Vec::new()), "{what}");
}

/// Runs a person's git in `dir`, with a home and nothing set for it.
pub fn person(ground: &Ground, dir: &Path, args: &[&str]) -> (bool, String) {
    let home = ground.dir.join("home");
    let output = Command::new(super::ground::the_git())
        .args(args)
        .current_dir(dir)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git starts");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

/// What a person does first in a worktree: status, diff, log.
pub fn look_around(ground: &Ground, worktree: &Path) {
    for args in [
        &["status"][..],
        &["diff"],
        &["diff", "HEAD~1"],
        &["log", "-p", "-3"],
        &["log", "--stat", "-3"],
    ] {
        let (ok, said) = person(ground, worktree, args);
        assert!(ok, "git {args:?}: {said}");
    }
}

/// As [`look_around`], where parts of the repository may be gone.
pub fn look_around_anyway(ground: &Ground, worktree: &Path) {
    for args in [
        &["status"][..],
        &["diff"],
        &["diff", "HEAD~1"],
        &["log", "-p", "-3"],
    ] {
        person(ground, worktree, args);
    }
}

/// The worktree `pr-NUMBER` is whole: at `sha`, on its branch, without changes.
pub fn assert_whole(ground: &Ground, number: u64, sha: &str) {
    let worktree = ground.worktree(&format!("pr-{number}"));
    assert_eq!(git(&worktree, &["rev-parse", "HEAD"]).trim(), sha);
    assert_eq!(
        git(&worktree, &["symbolic-ref", "HEAD"]).trim(),
        format!("refs/heads/pr-{number}")
    );
    let status = git(&worktree, &["status", "--porcelain"]);
    let mut changes = status.lines().filter(|line| !line.starts_with("warning:"));
    assert_eq!(changes.next(), None);
    git(&worktree, &["diff-index", "--quiet", "HEAD"]);
}

/// git finds no fault in the store.
pub fn assert_sound(ground: &Ground) {
    let (ok, said) = super::ground::try_git(&ground.store(), &["fsck", "--no-progress"], &[]);
    let faults: Vec<&str> = said
        .lines()
        .filter(|line| {
            ["error", "missing", "broken", "invalid", "fatal"]
                .iter()
                .any(|word| line.contains(word))
        })
        .collect();
    assert_eq!(faults, [""; 0], "{said}");
    assert!(ok, "{said}");
}

/// The names below the directory for worktrees that only a call in the middle of its work has.
pub fn half_done(ground: &Ground) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![ground.worktrees()];
    while let Some(directory) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = directory == ground.store().join("cj-unfinished");
            let lock = name.rsplit('.').next() == Some("lock")
                && !(name.starts_with('.') && directory.ends_with("o"));
            if ours
                || lock
                || name.starts_with("cj-incoming")
                || name == "FETCH_HEAD"
                || name.ends_with(".cj-new")
                || name.ends_with(".git.new")
                || name.starts_with("tmp_")
            {
                found.push(path.display().to_string());
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(path);
            }
        }
    }
    found
}

/// Removes the directory for worktrees.
pub fn forget(ground: &Ground) {
    let _ = Command::new("chmod")
        .arg("-R")
        .arg("u+rwX")
        .arg(ground.worktrees())
        .output();
    let _ = std::fs::remove_dir_all(ground.worktrees());
}

/// What a call in another process is to do.
const PURPOSE: &str = "CJ_GATE_PURPOSE";

/// The command that starts this test program again for the test `name`, which then makes one checkout on the ground with `args`.
pub fn elsewhere(ground: &Ground, name: &str, args: &Value) -> Command {
    let purpose = json!({
        "dir": ground.dir.display().to_string(), "gh": ground.gh.display().to_string(), "args": args,
        "bytes": ground.git_bytes,
    });
    let mut command = Command::new(std::env::current_exe().expect("a test knows its own file"));
    let name = format!("gh::tools::worktree::tests::{name}");
    command.args([
        &name,
        "--exact",
        "--nocapture",
        "--test-threads=1",
        "--include-ignored",
    ]);
    command
        .env(PURPOSE, purpose.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// In a process that [`elsewhere`] has started: makes the checkout, prints what came of it, and returns true.
pub fn is_elsewhere() -> bool {
    let Ok(purpose) = std::env::var(PURPOSE) else {
        return false;
    };
    let Ok(purpose) = serde_json::from_str::<Value>(&purpose) else {
        return false;
    };
    let path = |name: &str| PathBuf::from(purpose[name].as_str().expect("a path"));
    let mut ground = Ground::attached(&path("dir"), &path("gh"));
    ground.git_bytes = purpose["bytes"].as_u64().expect("a number");
    println!("\nbegun");
    let came = ground.call("pr-checkout", purpose["args"].clone());
    let (kind, text) = said(&came);
    let tree = Command::new("find")
        .arg(ground.worktrees())
        .output()
        .expect("find starts");
    let left = String::from_utf8_lossy(&tree.stdout).into_owned();
    println!(
        "\nended {}",
        json!({"kind": kind.map(ErrorKind::as_str), "text": text, "left": left})
    );
    true
}

/// The kind and the words of what came.
pub fn said(came: &Came) -> (Option<ErrorKind>, String) {
    match &came.outcome {
        Some(outcome) if outcome.kind.is_none() => (None, outcome.text.clone()),
        _ => {
            let (kind, text) = came.failure();
            (Some(kind), text)
        }
    }
}

/// Reads the output of `child` until a line begins with `word`; returns the rest of that line.
pub fn line_of(child: &mut BufReader<std::process::ChildStdout>, word: &str) -> Option<String> {
    let mut line = String::new();
    while child.read_line(&mut line).expect("output") > 0 {
        if let Some(rest) = line.trim_end().strip_prefix(word) {
            return Some(rest.to_owned());
        }
        line.clear();
    }
    None
}

/// The processes below `child`, and their programs' names; `child` itself is none of them.
pub fn below(child: &Child) -> Vec<(i32, String)> {
    let stats: Vec<(i32, i32, String)> = std::fs::read_dir("/proc")
        .expect("a list of processes")
        .flatten()
        .filter_map(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let (front, rest) = stat.rsplit_once(')')?;
            let (pid, name) = front.split_once(" (")?;
            let parent = rest.split_whitespace().nth(1)?.parse().ok()?;
            Some((pid.parse().ok()?, parent, name.to_owned()))
        })
        .collect();
    let mut known = vec![i32::try_from(child.id()).expect("a number of a process")];
    let mut found = Vec::new();
    let mut nth = 0;
    while nth < known.len() {
        for (pid, parent, name) in &stats {
            if *parent == known[nth] && !known.contains(pid) {
                known.push(*pid);
                found.push((*pid, name.clone()));
            }
        }
        nth += 1;
    }
    found
}

/// Ends `pid` at once.
pub fn kill(pid: i32) {
    let _ = nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(pid),
        nix::sys::signal::Signal::SIGKILL,
    );
}

/// Whether long forms of the tests run: `CJ_LONG` is set.
pub fn long() -> bool {
    std::env::var_os("CJ_LONG").is_some()
}

/// The ground for the newest gh; none, and a word, where `make deps` has not fetched it.
pub fn ground() -> Option<Ground> {
    let Some(gh) = gh() else {
        println!("skipped: no gh (make deps)");
        return None;
    };
    Some(Ground::new(&gh))
}
