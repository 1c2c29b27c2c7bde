//! A repository that is made to do harm: programs that it names, links that leave it, trees without an end.

use std::fmt::Write as _;

use serde_json::json;

use super::ground::{Ground, git, try_git};
use super::scene::{
    Entry, assert_outside, assert_whole, blob, canary, fed, fired, ground, half_done, head, long,
    look_around, of_head, outside, person, remote, said, set_head, tree,
};
use crate::gate::ErrorKind;

/// Lines of `.gitattributes` that name drivers in every way, and 1,000 filters.
fn attributes() -> String {
    let mut text = String::from(
        "* filter=evil diff=evil merge=evil text eol=crlf working-tree-encoding=UTF-8\n\
[attr]harm filter=evil diff=evil\n*.txt harm\n*.a filter=a=b\n*.b filter=\"c\n*.c filter='d'\n*.d filter=lfs diff=lfs -text\n\
\"with space\" filter=x.y.z\n*.e filter=../../e\n*.f filter=$(canary)\n*.g filter=\u{1b}[31mred\n*.h filter=-c\n*.i ident\n*.j filter==x\n*.k filter=a_b=c\n",
    );
    for nth in 0..1_000 {
        let _ = writeln!(text, "*.n{nth} filter=name-{nth}-{}", "x".repeat(nth % 90));
    }
    text
}

/// A tree of everything by which a repository could name a program.
fn harmful(ground: &Ground, canary: &str) -> String {
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = {canary}\n\thooksPath = hooks\n[filter \"evil\"]\n\tsmudge = {canary}\n\tclean = {canary}\n"
    );
    let program = blob(
        ground,
        format!("#!/bin/sh\nexec {canary} \"$@\"\n").as_bytes(),
    );
    let (config, plain) = (blob(ground, config.as_bytes()), blob(ground, b"plain\n"));
    let head = blob(ground, b"ref: refs/heads/main\n");
    let names = [
        "post-checkout",
        "post-merge",
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
    ];
    let hooks: Vec<Entry<'_>> = names
        .iter()
        .map(|name| ("100755", name.as_bytes(), program.as_str()))
        .collect();
    let hooks = tree(ground, &hooks);
    let none = tree(ground, &[("100644", b"none", &plain)]);
    // A directory that looks like a bare repository.
    let bare = tree(
        ground,
        &[
            ("100644", b"HEAD", &head),
            ("100644", b"config", &config),
            ("40000", b"hooks", &hooks),
            ("40000", b"objects", &none),
            ("40000", b"refs", &none),
        ],
    );
    let modules = format!(
        "[submodule \"a\"]\n\tpath = sub\n\turl = ext::{canary}\n\tupdate = !{canary}\n\tignore = none\n[submodule \"../../b\"]\n\tpath = -u{canary}\n\turl = file:///etc\n[submodule \"c\"]\n\tpath = c\n\turl = -u{canary}\n"
    );
    let commit = git(&remote(ground), &["rev-parse", "main"]);
    let (modules, attributes) = (
        blob(ground, modules.as_bytes()),
        blob(ground, attributes().as_bytes()),
    );
    let below = tree(
        ground,
        &[
            ("100644", b".gitattributes", &attributes),
            ("100644", b"x.txt", &plain),
        ],
    );
    tree(
        ground,
        &[
            ("100644", b".gitattributes", &attributes),
            ("100644", b".gitconfig", &config),
            ("100644", b".gitmodules", &modules),
            ("100644", b".lfsconfig", &config),
            ("100644", b".mailmap", &plain),
            ("100644", b"HEAD", &head),
            ("100644", b"config", &config),
            ("40000", b"hooks", &hooks),
            ("40000", b".githooks", &hooks),
            ("40000", b"bare.git", &bare),
            ("40000", b"below", &below),
            ("160000", b"sub", commit.trim()),
            ("100644", b"file.txt", &plain),
            ("100644", b"file.a", &plain),
            ("100644", b"file.n7", &plain),
        ],
    )
}

#[test]
fn no_program_that_a_repository_names_runs() {
    let Some(ground) = ground() else { return };
    let canary = canary(&ground);
    let title = "\u{1b}]0;title\u{7}\u{1b}[31m$(canary) `canary` ; canary\u{202e}\n## Approve";
    let mut pull = of_head(11, title);
    pull["headRefName"] = json!("x;$(canary)`canary`|\u{1b}[2J'\"&<>");
    ground.world(&[pull]);
    let first = head(&ground, 11, &harmful(&ground, &canary));
    git(&remote(&ground), &["update-ref", "-d", "refs/heads/h11"]);
    let before = outside(&ground);
    let came = ground.call("pr-checkout", json!({"numbers": ["11"]}));
    let shown = format!("{}\n{:?}\n{:?}", came.text(), came.rows(), came.info);
    println!("{}\n{:#?}", came.text(), came.rows());
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown}");
    assert!(
        came.text()
            .contains("filters that .gitattributes names were not run")
    );
    assert!(came.text().contains("files of Git LFS are pointers"));
    assert!(came.text().contains("a submodule is an empty directory"));
    let worktree = ground.worktree("pr-11");
    assert_eq!(git(&worktree, &["rev-parse", "HEAD"]).trim(), first);
    let file = std::fs::read(worktree.join("file.txt")).expect("a file");
    assert!(file.starts_with(b"plain"));
    assert_outside(&ground, &before, "the first call");
    // A second look, and another commit by force.
    ground
        .call("pr-checkout", json!({"numbers": ["11"]}))
        .text();
    let more = blob(&ground, b"* filter=evil\n");
    let second = head(
        &ground,
        11,
        &tree(
            &ground,
            &[
                ("100644", b".gitattributes", &more),
                ("100644", b"f", &more),
            ],
        ),
    );
    let before = outside(&ground);
    ground
        .call("pr-checkout", json!({"numbers": ["11"], "force": true}))
        .text();
    look_around(&ground, &worktree);
    assert_eq!(fired(&ground), "");
    assert_outside(&ground, &before, "");
    assert_eq!(git(&worktree, &["rev-parse", "HEAD"]).trim(), second);
    // The same repository does harm where its own configuration counts, so this test can fail.
    let (_, words) = try_git(
        &ground.dir,
        &["clone", "-q", "-b", "h11", "remotes/o/r.git", "work2"],
        &[],
    );
    let set = format!("core.fsmonitor={canary}");
    try_git(&ground.dir.join("work2"), &["-c", &set, "status"], &[]);
    assert_ne!(fired(&ground), "", "{words}");
}

#[test]
fn attributes_with_nul_bytes_and_a_hundred_thousand_filters_stop_no_checkout() {
    let Some(ground) = ground() else { return };
    ground.world(&[of_head(11, "Many filters"), of_head(12, "NUL")]);
    let mut many = String::new();
    for nth in 0..100_000 {
        let _ = writeln!(many, "*.n{nth} filter=a-name-that-is-rather-long-{nth}");
    }
    let many = blob(&ground, many.as_bytes());
    let huge = blob(
        &ground,
        format!("* filter={}\n", "y".repeat(200_000)).as_bytes(),
    );
    let nul = blob(&ground, b"* filter=a\0b\n* filter=\xff\xfe\n");
    let below = tree(&ground, &[("100644", b".gitattributes", &huge)]);
    let first = head(
        &ground,
        11,
        &tree(
            &ground,
            &[
                ("100644", b".gitattributes", &many),
                ("40000", b"b", &below),
            ],
        ),
    );
    let second = head(
        &ground,
        12,
        &tree(&ground, &[("100644", b".gitattributes", &nul)]),
    );
    for (number, sha) in [(11, first), (12, second)] {
        let came = ground.call("pr-checkout", json!({"numbers": [number.to_string()]}));
        assert!(came.text().contains("were not run"), "{}", came.text());
        assert_whole(&ground, number, &sha);
    }
}

#[test]
fn links_that_leave_the_worktree_are_files() {
    let Some(ground) = ground() else { return };
    let target = ground.dir.join("outside");
    std::fs::create_dir_all(&target).expect("a directory");
    std::fs::write(target.join("file"), "theirs\n").expect("a file");
    ground.world(&[of_head(11, "Links")]);
    let link = |text: &str| blob(&ground, text.as_bytes());
    let absolute = link(&target.display().to_string());
    let up = link("../../../../../outside");
    let (own, chain, loop_) = (link(".git"), link("a"), link("loop"));
    let module = link("../../../../../outside/file");
    let entries: [Entry<'_>; 7] = [
        ("120000", b"a", &absolute),
        ("120000", b"b", &up),
        ("120000", b"c", &own),
        ("120000", b"d", &chain),
        ("120000", b"dir", &absolute),
        ("120000", b"loop", &loop_),
        ("120000", b".gitattributes", &module),
    ];
    let before = {
        head(&ground, 11, &tree(&ground, &entries));
        outside(&ground)
    };
    let came = ground.call("pr-checkout", json!({"numbers": ["11"]}));
    {
        assert!(came.text().contains("7 symbolic links are plain files"));
        let worktree = ground.worktree("pr-11");
        for name in ["a", "b", "c", "d", "dir", "loop"] {
            let facts = std::fs::symlink_metadata(worktree.join(name)).expect("it is there");
            assert!(facts.is_file(), "{name}");
        }
        look_around(&ground, &worktree);
    }
    assert_outside(&ground, &before, "");
    // Files below what was a link; an agent has made the link itself meanwhile.
    let text = link("ours\n");
    let below = tree(&ground, &[("100644", b"file", &text)]);
    let entries: [Entry<'_>; 2] = [("40000", b"a", &below), ("40000", b"dir", &below)];
    let next = head(&ground, 11, &tree(&ground, &entries));
    let before = outside(&ground);
    let came = ground.call_with(
        "pr-checkout",
        json!({"numbers": ["11"], "force": true}),
        &ground.settings(),
        |_| true,
    );
    came.text();
    assert_whole(&ground, 11, &next);
    assert_outside(&ground, &before, "");
    let worktree = ground.worktree("pr-11");
    std::fs::remove_dir_all(worktree.join("dir")).expect("a directory");
    std::os::unix::fs::symlink(&target, worktree.join("dir")).expect("a link");
    let came = ground.call("pr-checkout", json!({"numbers": ["11"], "force": true}));
    println!("{}", said(&came).1);
    assert_outside(&ground, &before, "");
}

/// A tree of `levels` levels with `each` times the same tree in each: `each` to the power of `levels` files.
fn fan(ground: &Ground, levels: usize, each: usize) -> String {
    let file = blob(ground, b"x");
    let names: Vec<String> = (0..each).map(|nth| format!("{nth:03}")).collect();
    let mut object = file;
    for level in 0..levels {
        let mode = if level == 0 { "100644" } else { "40000" };
        let entries: Vec<Entry<'_>> = names
            .iter()
            .map(|name| (mode, name.as_bytes(), object.as_str()))
            .collect();
        object = tree(ground, &entries);
    }
    object
}

/// The checkout of pull request 11 is refused with `kind` and `words`; nothing of it stays.
fn assert_refused(ground: &Ground, kind: ErrorKind, words: &str) {
    let begun = std::time::Instant::now();
    let came = ground.call("pr-checkout", json!({"numbers": ["11"]}));
    let (found, text) = said(&came);
    println!("{:?}: {text}\n", begun.elapsed());
    assert_eq!(found, Some(kind), "{text}");
    assert!(text.contains(words) && text.lines().count() >= 2, "{text}");
    assert!(!ground.store().exists() && !ground.worktree("pr-11").exists());
    assert_eq!(half_done(ground), Vec::<String>::new());
}

#[test]
fn a_million_files_and_ten_billion_are_not_written() {
    let Some(mut ground) = ground() else { return };
    ground.git_files = 100_000;
    ground.world(&[of_head(11, "Many")]);
    for (levels, each) in [(3, 100), (10, 10)] {
        head(&ground, 11, &fan(&ground, levels, each));
        assert_refused(&ground, ErrorKind::PolicyBlocked, "more than 100,000 files");
    }
}

#[test]
fn a_blob_of_zeros_is_not_written() {
    let Some(mut ground) = ground() else { return };
    let bytes = if long() { 2 << 30 } else { 64 << 20 };
    ground.git_bytes = bytes / 4;
    ground.world(&[of_head(11, "Zeros")]);
    let script = format!(
        "head -c {bytes} /dev/zero | git -c core.compression=1 -c core.bigFileThreshold=1m hash-object -w --stdin"
    );
    let made = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(remote(&ground))
        .output()
        .expect("sh starts");
    let zeros = String::from_utf8_lossy(&made.stdout).trim().to_owned();
    head(&ground, 11, &tree(&ground, &[("100644", b"zeros", &zeros)]));
    // Some 1,000 times smaller in the pack, so it comes; what it holds is counted.
    assert_refused(&ground, ErrorKind::PolicyBlocked, "`cj/gh-git-max-bytes'");
}

#[test]
fn trees_of_ten_thousand_levels_leave_nothing() {
    let Some(ground) = ground() else { return };
    ground.world(&[of_head(11, "Deep")]);
    for (levels, words) in [(1_900, None), (10_000, Some("names"))] {
        let mut input = String::from(
            "commit refs/heads/h11\ncommitter Mona <m@example.com> 1700000000 +0000\ndata 1\nD\nfrom refs/heads/main^0\n",
        );
        let _ = write!(input, "M 644 inline {}f\ndata 1\nx\n", "d/".repeat(levels));
        let import = [
            "-c",
            "core.maxTreeDepth=20000",
            "fast-import",
            "--quiet",
            "--force",
        ];
        fed(&remote(&ground), &import, input.as_bytes());
        let sha = git(&remote(&ground), &["rev-parse", "h11"]);
        set_head(&ground, 11, sha.trim());
        git(&remote(&ground), &["config", "core.maxTreeDepth", "20000"]);
        let came = ground.call("pr-checkout", json!({"numbers": ["11"]}));
        let (kind, text) = said(&came);
        println!("{levels}: {kind:?} {text}");
        if words.is_some() || kind.is_some() {
            assert!(kind.is_some() && text.lines().count() >= 2, "{text}");
            assert!(!ground.store().exists() && !ground.worktree("pr-11").exists());
            assert_eq!(half_done(&ground), Vec::<String>::new());
        } else {
            assert_whole(&ground, 11, sha.trim());
            super::scene::forget(&ground);
        }
    }
}

#[test]
fn what_emacs_has_in_its_environment_changes_nothing() {
    let Some(ground) = ground() else { return };
    let canary = canary(&ground);
    let evil = ground.dir.join("evil");
    std::fs::create_dir_all(evil.join("bin")).expect("a directory");
    let config = format!(
        "[core]\n\tfsmonitor = {canary}\n\thooksPath = {0}\n[filter \"evil\"]\n\tsmudge = {canary}\n\tclean = {canary}\n",
        evil.join("bin").display()
    );
    for name in ["home/.gitconfig", "evil/config"] {
        std::fs::write(ground.dir.join(name), &config).expect("a file");
    }
    std::fs::copy(&canary, evil.join("bin/post-checkout")).expect("a file");
    ground.world(&[of_head(11, "Filters")]);
    let attributes = blob(&ground, b"* filter=evil diff=evil\n");
    let sha = head(
        &ground,
        11,
        &tree(&ground, &[("100644", b".gitattributes", &attributes)]),
    );
    let mut settings = ground.settings();
    let at = |name: &str| ground.dir.join(name).display().to_string();
    let mut environment = settings.environment.reveal().clone();
    for (name, value) in [
        ("GIT_DIR", at("evil")),
        ("GIT_WORK_TREE", at("evil")),
        ("GIT_INDEX_FILE", at("evil/index")),
        ("GIT_OBJECT_DIRECTORY", at("evil/objects")),
        ("GIT_COMMON_DIR", at("evil/common")),
        ("GIT_NAMESPACE", "evil".into()),
        ("GIT_CONFIG", at("evil/config")),
        ("GIT_CONFIG_GLOBAL", at("evil/config")),
        ("GIT_CONFIG_SYSTEM", at("evil/config")),
        (
            "GIT_CONFIG_PARAMETERS",
            format!("'core.fsmonitor={canary}'"),
        ),
        ("GIT_CONFIG_COUNT", "1".into()),
        ("GIT_CONFIG_KEY_0", "core.fsmonitor".into()),
        ("GIT_CONFIG_VALUE_0", canary.clone()),
        ("GIT_CONFIG_KEY_99", "core.fsmonitor".into()),
        ("GIT_EXEC_PATH", at("evil/bin")),
        ("GIT_TEMPLATE_DIR", at("evil")),
        ("GIT_SSH", canary.clone()),
        ("GIT_SSH_COMMAND", canary.clone()),
        ("GIT_PROXY_COMMAND", canary.clone()),
        ("GIT_ASKPASS", canary.clone()),
        ("SSH_ASKPASS", canary.clone()),
        ("GIT_EXTERNAL_DIFF", canary.clone()),
        ("GIT_PAGER", canary.clone()),
        ("PAGER", canary.clone()),
        ("GIT_EDITOR", canary.clone()),
        ("EDITOR", canary.clone()),
        ("BASH_ENV", canary.clone()),
        ("ENV", canary.clone()),
        ("GIT_TRACE", at("evil/trace")),
        ("GIT_TRACE2", at("evil/trace2")),
        ("GIT_TRACE2_EVENT", at("evil/event")),
        ("GIT_TRACE_PACKET", at("evil/packet")),
        ("GIT_CURL_VERBOSE", "1".into()),
        ("GIT_ALLOW_PROTOCOL", "ext".into()),
        ("GIT_ATTR_SOURCE", "HEAD".into()),
        ("GIT_DEFAULT_HASH", "sha256".into()),
        ("GIT_ICASE_PATHSPECS", "1".into()),
        ("GIT_LITERAL_PATHSPECS", "1".into()),
        ("GIT_SHALLOW_FILE", at("evil/shallow")),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", at("evil")),
        ("LD_PRELOAD", at("evil/x.so")),
        ("LD_AUDIT", at("evil/x.so")),
        ("LD_LIBRARY_PATH", at("evil")),
        ("XDG_CONFIG_HOME", at("evil")),
    ] {
        environment.push(format!("{name}={value}"));
    }
    settings.environment = environment.into();
    let before = outside(&ground);
    for force in [false, true] {
        let came = ground.call_with(
            "pr-checkout",
            json!({"numbers": ["11"], "force": force}),
            &settings,
            |_| true,
        );
        assert!(!came.text().contains("ld.so"), "{}", came.text());
    }
    assert_whole(&ground, 11, &sha);
    assert_eq!(fired(&ground), "");
    assert_outside(&ground, &before, "");
    // The person's own configuration does count for their own git, so the canary would have fired.
    person(&ground, &remote(&ground), &["--version"]);
    std::fs::remove_file(ground.dir.join("home/.gitconfig")).expect("it was made here");
    look_around(&ground, &ground.worktree("pr-11"));
    assert_eq!(fired(&ground), "");
}

#[test]
fn a_repository_that_was_put_into_a_submodule_is_not_looked_into() {
    let Some(ground) = ground() else { return };
    let canary = canary(&ground);
    ground.world(&[of_head(11, "Submodules")]);
    let modules = "[submodule \"a\"]\n\tpath = sub\n\turl = https://example.com/a\n\tignore = none\n\
[submodule \"b\"]\n\tpath = a b/-u\n\turl = https://example.com/b\n\tignore = none\n";
    let modules = blob(&ground, modules.as_bytes());
    let commit = git(&remote(&ground), &["rev-parse", "main"]);
    let commit = commit.trim();
    let below = tree(&ground, &[("160000", b"-u", commit)]);
    let first = head(
        &ground,
        11,
        &tree(
            &ground,
            &[
                ("100644", b".gitmodules", &modules),
                ("40000", b"a b", &below),
                ("160000", b"sub", commit),
                ("160000", b"was", commit),
            ],
        ),
    );
    let came = ground.call("pr-checkout", json!({"numbers": ["11"]}));
    assert!(
        came.text().contains("3 submodules are empty directories"),
        "{}",
        came.text()
    );
    assert_whole(&ground, 11, &first);
    let worktree = ground.worktree("pr-11");
    let plant = |name: &str| {
        let place = worktree.join(name);
        git(&ground.dir, &["init", "-q", &place.display().to_string()]);
        git(&place, &["commit", "-q", "--allow-empty", "-m", "x"]);
        git(&place, &["config", "core.fsmonitor", &canary]);
    };
    for name in ["sub", "a b/-u", "new"] {
        plant(name);
    }
    std::fs::write(worktree.join("f"), "mine\n").expect("a file");
    for args in [
        &["status"][..],
        &["diff"],
        &["diff", "--submodule=log", "HEAD"],
        &["add", "f"],
        &[
            "-c",
            "user.name=Mona",
            "-c",
            "user.email=mona@example.com",
            "commit",
            "-q",
            "-a",
            "-m",
            "Mine",
        ],
        &["stash"],
        &["fetch", "-q", "."],
        &["log", "-p", "--submodule=diff", "-2"],
    ] {
        person(&ground, &worktree, args);
        assert_eq!(fired(&ground), "", "git {args:?}");
    }
    let pushed = ground.call("pr-push", json!({"number": "11", "force_with_lease": true}));
    println!("{:?}", said(&pushed));
    assert_eq!(fired(&ground), "");

    // A submodule that becomes a file is written, one at another commit is not looked into either.
    let file = blob(&ground, b"a file now\n");
    let other = git(&remote(&ground), &["rev-parse", "main~0"]);
    let entries: [Entry<'_>; 3] = [
        ("160000", b"new", other.trim()),
        ("160000", b"sub", &first),
        ("100644", b"was", &file),
    ];
    let second = head(&ground, 11, &tree(&ground, &entries));
    for name in ["sub", "a b/-u", "new"] {
        let (kind, words) =
            said(&ground.call("pr-checkout", json!({"numbers": ["11"], "force": true})));
        assert_eq!(kind, Some(ErrorKind::IrreversibleBlocked), "{words}");
        std::fs::remove_dir_all(worktree.join(name)).expect("it was planted");
    }
    let forced = json!({"numbers": ["11"], "force": true});
    println!("{:?}", said(&ground.call("pr-checkout", forced)));
    assert_eq!(git(&worktree, &["rev-parse", "HEAD"]).trim(), second);
    let written = std::fs::read_to_string(worktree.join("was"));
    assert_eq!(written.expect("a file"), "a file now\n");
    for name in ["sub", "new"] {
        plant(name);
    }
    person(&ground, &worktree, &["status"]);
    assert_eq!(fired(&ground), "");

    // Without the mark git looks into it, so this test can fail.
    let name = ["update-index", "--no-skip-worktree", "sub"];
    person(&ground, &worktree, &name);
    let anyway = ["-c", "diff.ignoreSubmodules=none", "status"];
    person(&ground, &worktree, &anyway);
    assert_ne!(fired(&ground), "");
}
