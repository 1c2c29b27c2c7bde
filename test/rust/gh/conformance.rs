//! The part of the conformance sweep that is short enough for each test run, and tests that the sweep notices a false read.
#![allow(clippy::disallowed_methods, clippy::print_stderr)] // the tests start their programs themselves: they do not test the runner

use crate::lab::binary;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

#[path = "../../../tools/conformance/trace.rs"]
#[allow(dead_code, reason = "the sweep uses more of it than the suite")]
mod trace;

/// Runs the sweep with the arguments `words`; returns its exit code and output, or none where there is no gh.
fn sweep(name: &str, words: &[&str]) -> Option<(i32, String)> {
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = Command::new(binary().with_file_name("conformance"))
        .args(words)
        .arg("--report")
        .arg(&report)
        .stdin(Stdio::null())
        .output()
        .expect("`cargo test' has built the sweep");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let code = output.status.code().expect("the sweep ends by itself");
    if code == 3 {
        eprintln!("skipped: there is no gh under .deps/gh; `make deps' gets it");
        return None;
    }
    assert_ne!(code, 2, "{}", String::from_utf8_lossy(&output.stderr));
    Some((code, text))
}

#[test]
fn a_call_judged_read_does_nothing_but_read_in_the_real_gh() {
    if let Some((code, text)) = sweep("quick", &["--quick"]) {
        assert_eq!(code, 0, "{text}");
    }
}

/// The sweep checks its own canaries (programs that report that they were run) and fails where too few of them can fire.
#[test]
fn nothing_that_a_stranger_wrote_into_a_repository_is_run() {
    if let Some((code, text)) = sweep("hostile", &["--hostile", "--quick"]) {
        eprintln!("{text}");
        assert_eq!(code, 0, "{text}");
        assert_eq!(text.matches(", 0 canaries fired").count(), 2, "{text}");
        assert!(text.contains("starts git: issue develop"), "{text}");
    }
}

#[test]
fn a_url_in_any_value_of_any_leaf_reaches_no_foreign_host() {
    if let Some((code, text)) = sweep("foreign", &["--foreign", "--quick"]) {
        assert_eq!(code, 0, "{text}");
        // Each version tries far more values than a list written by hand would have.
        let versions = text.lines().filter(|line| line.starts_with("gh "));
        let values = versions.filter_map(|line| {
            let (_, rest) = line.split_once(" forms: ")?;
            rest.split(' ').next()?.parse::<usize>().ok()
        });
        assert!(values.clone().all(|values| values > 1_000), "{text}");
        assert!(values.count() > 0, "{text}");
    }
}

#[test]
fn the_sweep_finds_a_value_that_reaches_a_foreign_host() {
    let words = ["--foreign", "--quick", "--raw", "--gh", "2.92.0"];
    let leaves = ["--only", "issue close", "--only", "pr create"];
    let Some((code, text)) = sweep("foreign-raw", &[&words[..], &leaves].concat()) else {
        return;
    };
    assert_eq!(code, 1, "{text}");
    for reached in [
        "REACHED evil.example by issue close --duplicate-of",
        "REACHED evil.example by pr create --head",
        "REACHED evil.example by issue close positional 1",
    ] {
        assert!(text.contains(reached), "no `{reached}' in\n{text}");
    }
}

#[test]
fn the_sweep_finds_a_false_read_of_each_kind() {
    let leaves = [
        ("issue close", "sent mutation IssueClose"),
        ("label delete", "sent DELETE /repos/o/r/labels/bug"),
        ("extension exec", "started"),
        ("auth token", "printed the token of github.com"),
    ];
    // Effects that only strace shows.
    let traced = [
        ("alias set", "config.yml"),
        ("release upload", "opened"),
        ("config set", "changed"),
    ];
    let mut words = vec!["--suspect", "--generated", "0", "--gh", "2.92.0"];
    for (leaf, _) in leaves.iter().chain(&traced) {
        words.extend(["--only", leaf]);
    }
    let Some((code, text)) = sweep("suspect", &words) else {
        return;
    };
    assert_eq!(code, 1, "{text}");
    let watched = !text.contains("There is no strace");
    for (leaf, harm) in leaves.iter().chain(traced.iter().filter(|_| watched)) {
        if *leaf == "extension exec" && !watched {
            continue;
        }
        assert!(text.contains(harm), "{leaf}: no `{harm}' in\n{text}");
    }
}

#[test]
fn a_trace_tells_the_effects_of_gh_from_those_of_git() {
    let text = r#"10 execve("/opt/gh", ["gh"], 0x1) = 0
10 openat(AT_FDCWD</w>, "notes.txt", O_RDONLY|O_CLOEXEC) = 3</w/notes.txt>
11 openat(AT_FDCWD</w>, "/home/c", O_RDWR|O_CREAT|O_CLOEXEC, 0600 <unfinished ...>
10 mkdirat(AT_FDCWD</w>, "/home/d", 0755) = -1 EEXIST (File exists)
10 openat(AT_FDCWD</w>, "/no", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)
11 <... openat resumed>) = 4</home/c>
10 clone3({flags=CLONE_VFORK}, 88) = 12
12 execve("/usr/bin/git", ["git", "status"], 0x1) = 0
12 openat(AT_FDCWD</w>, ".git/config", O_RDONLY) = 3</w/.git/config>
12 renameat(AT_FDCWD</w>, "a \"b", 5</x/y>, "../c") = 0
12 connect(3<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path="/s"}, 5) = 0
10 connect(5<TCP:[2]>, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 EINPROGRESS (Operation now in progress)
"#;
    let traced = trace::read(text, Path::new("/w"));
    let paths = |set: &BTreeSet<std::path::PathBuf>| -> Vec<String> {
        set.iter().map(|path| path.display().to_string()).collect()
    };
    assert_eq!(paths(&traced.changed), ["/home/c", "/w/a \"b", "/x/c"]);
    assert_eq!(paths(&traced.opened), ["/w/notes.txt"]);
    assert_eq!(traced.programs.iter().collect::<Vec<_>>(), ["/usr/bin/git"]);
    assert_eq!(traced.connected.len(), 1);
    assert!(
        traced
            .connected
            .iter()
            .all(|address| address.contains("192.0.2.1"))
    );
}
