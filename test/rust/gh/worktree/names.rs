//! Names of files that are more than names.

use serde_json::json;

use super::ground::git;
use super::scene::{
    Entry, assert_outside, assert_whole, blob, ground, half_done, head, look_around, of_head,
    outside, said, tree,
};

#[test]
fn names_that_a_file_system_takes_for_git_s_own_are_not_written() {
    let Some(ground) = ground() else { return };
    ground.world(&[of_head(11, "Names")]);
    let file = blob(&ground, b"[core]\n\tfsmonitor = /bin/false\n");
    let below = tree(&ground, &[("100644", b"config", &file)]);
    let long = "n".repeat(4_096);
    let rows: Vec<(&str, Vec<u8>, &str)> = vec![
        ("40000", b".git".to_vec(), &below),
        ("40000", b".GIT".to_vec(), &below),
        ("40000", b".gIt".to_vec(), &below),
        ("40000", b"git~1".to_vec(), &below),
        ("40000", b"GIT~1".to_vec(), &below),
        ("40000", ".g\u{200c}it".into(), &below),
        ("40000", b".git ".to_vec(), &below),
        ("40000", b".git.".to_vec(), &below),
        ("40000", b".git::$INDEX_ALLOCATION".to_vec(), &below),
        ("40000", b"..".to_vec(), &below),
        ("40000", b".".to_vec(), &below),
        ("100644", b"../../../../../home/x".to_vec(), &file),
        ("100644", b"/etc/x".to_vec(), &file),
        ("100644", b"a/../../x".to_vec(), &file),
        ("100644", b".git/hooks/post-checkout".to_vec(), &file),
        ("100644", b"".to_vec(), &file),
        ("100644", long.into_bytes(), &file),
    ];
    let before = outside(&ground);
    let before_objects = before.len();
    let mut refused = 0;
    for (mode, name, object) in rows {
        head(
            &ground,
            11,
            &tree(&ground, &[(mode, &name, object), ("100644", b"z", &file)]),
        );
        let before = outside(&ground);
        let came = ground.call("pr-checkout", json!({"numbers": ["11"]}));
        let shown: String = String::from_utf8_lossy(&name).chars().take(30).collect();
        let (kind, text) = said(&came);
        println!("{shown:?}: {kind:?} {text}\n");
        assert_outside(&ground, &before, &shown);
        assert!(kind.is_some(), "{shown}: {text}");
        assert!(text.lines().count() >= 2 && text.len() < 5_000, "{text}");
        assert!(
            !ground.worktree("pr-11").exists() && !ground.store().exists(),
            "{shown}"
        );
        assert_eq!(half_done(&ground), Vec::<String>::new(), "{shown}");
        refused += 1;
    }
    println!("{refused} names refused; {before_objects} files outside");
}

#[test]
fn odd_names_that_are_only_names_are_written_and_shown_safely() {
    let Some(ground) = ground() else { return };
    ground.world(&[of_head(11, "Odd names")]);
    let (one, two) = (blob(&ground, b"one\n"), blob(&ground, b"two\n"));
    let longest = "l".repeat(255);
    let entries: Vec<Entry<'_>> = vec![
        ("100644", b"\x1b[31mred\x1b[0m\x07", &one),
        ("100644", b"new\nline", &one),
        ("100644", b"tab\tcarriage\r", &one),
        ("100644", b"-rf", &one),
        ("100644", b"--upload-pack=x", &one),
        ("100644", b"$(touch fired)`x`;|&'\"<>*?", &one),
        ("100644", b" leading and trailing ", &one),
        ("100644", b"not-utf8-\xff\xfe", &one),
        ("100644", "right\u{202e}to-left".as_bytes(), &one),
        ("100644", b"CASE", &one),
        ("100644", b"case", &two),
        ("100644", b":(top)x", &two),
        ("100644", b"a\\..\\..\\b", &two),
        ("100644", longest.as_bytes(), &two),
        ("100755", b"program", &two),
    ];
    let sha = head(&ground, 11, &tree(&ground, &entries));
    let before = outside(&ground);
    let came = ground.call("pr-checkout", json!({"numbers": ["11"]}));
    assert!(came.text().contains("15 files"), "{}", came.text());
    assert_whole(&ground, 11, &sha);
    let worktree = ground.worktree("pr-11");
    look_around(&ground, &worktree);
    for name in ["-rf", "new\nline", "CASE", "case"] {
        assert!(worktree.join(name).is_file(), "{name}");
    }
    // The refusal names changed files.
    std::fs::write(worktree.join("\u{1b}[31mred\u{1b}[0m\u{7}"), "changed").expect("a file");
    let next = head(&ground, 11, &tree(&ground, &[("100644", b"x", &one)]));
    let came = ground.call("pr-checkout", json!({"numbers": ["11"], "force": true}));
    let (_, text) = said(&came);
    assert!(
        text.contains("has changes that were not committed") && !text.contains('\u{1b}'),
        "{text}"
    );
    git(&worktree, &["reset", "-q", "--hard"]);
    ground
        .call("pr-checkout", json!({"numbers": ["11"], "force": true}))
        .text();
    assert_whole(&ground, 11, &next);
    assert!(!ground.dir.join("fired").exists() && !before.contains_key(&ground.dir.join("fired")));
}

#[test]
fn thousands_of_changed_files_and_a_subject_of_100_kb_are_no_error() {
    let Some(ground) = ground() else { return };
    ground.world(&[of_head(11, "Many changes")]);
    let file = blob(&ground, b"one\n");
    head(&ground, 11, &tree(&ground, &[("100644", b"x", &file)]));
    let numbers = json!({"numbers": ["11"]});
    ground.call("pr-checkout", numbers.clone()).text();
    let worktree = ground.worktree("pr-11");
    let subject = "s".repeat(100_000);
    for _ in 0..12 {
        let more = ["commit", "-q", "--allow-empty", "-F", "-"];
        super::scene::fed(&worktree, &more, subject.as_bytes());
    }
    for nth in 0..3_000 {
        let name = format!("a-file-that-a-build-has-made-{nth}");
        std::fs::write(worktree.join(name), "").expect("a file");
    }
    let came = ground.call("pr-checkout", numbers);
    let (_, text) = said(&came);
    assert!(
        text.contains("with 12 commits that were not pushed"),
        "{text}"
    );
    let forced = json!({"numbers": ["11"], "force": true});
    let (_, text) = said(&ground.call("pr-checkout", forced));
    assert!(
        text.contains("has changes that were not committed") && text.len() < 2_000,
        "{text}"
    );
}
