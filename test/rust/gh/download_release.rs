//! The download of files of a release, from the list to the files; a script in gh's place prints them.

use std::os::unix::fs::PermissionsExt;

use super::*;

/// The list of a release as the filter of cj-gh-download.el prints it; `assets` are names, sizes and digests.
fn listed(assets: &[(&str, u64, Option<&str>)]) -> String {
    let assets: Vec<serde_json::Value> = (1..)
        .zip(assets)
        .map(|(id, (name, size, digest))| {
            serde_json::json!({ "id": id, "name": name, "size": size, "digest": digest })
        })
        .collect();
    serde_json::json!({ "tag": "v1/a", "total": assets.len(), "assets": assets }).to_string()
}

/// The call of the tool for the files `name` of the latest release, `listed`.
fn call(home: &Home, name: &str, listed: &str) -> ToolCall {
    let request = Request {
        argv: ["release", "download", "--pattern", name]
            .map(str::to_owned)
            .to_vec()
            .into(),
        cwd: Some(Cwd::Local(home.0.home.clone())),
        repo: Some("o/r".into()),
        ..Request::default()
    };
    let found = Release::read(listed, name);
    let download = Some(Download::Assets {
        tag: None,
        name: name.to_owned(),
        found,
    });
    ToolCall {
        download,
        ..request.into()
    }
}

fn made(home: &Home, name: &str, listed: &str) -> Plan {
    plan(&call(home, name, listed), &home.settings()).expect("a plan")
}

/// A script that prints the text `one` for the first asset, and ten bytes with a NUL and an escape for the second.
const TWO: &str = r#"case "$*" in
*assets/1*) printf one ;;
*assets/2*) printf '\000\033[31m1234' ;;
esac"#;

#[test]
fn files_of_a_release_are_asked_about_and_written_together() {
    let home = Home::new(TWO);
    let sum = hex_of(b"one");
    let digest = format!("sha256:{sum}");
    let list = listed(&[
        ("a.txt", 3, Some(&digest)),
        ("b.bin", 10, None),
        ("c.sig", 1, None),
    ]);
    let plan = made(&home, "[ab].*", &list);
    let info = plan.info();
    assert_eq!((info.class, info.answer), (Class::Write, Answer::Confirm));
    assert_eq!(info.command, "release download");
    let place = home.downloads().join("github.com/o/r/releases/v1_a");
    let shown = place.to_string_lossy().into_owned();
    let line = |id, name| {
        format!(
            "gh api --method GET --header 'Accept: application/octet-stream' repos/o/r/releases/assets/{id} --hostname github.com > {name}"
        )
    };
    let argv: Vec<&str> = info.argv.iter().map(String::as_str).collect();
    let expect = [
        "release",
        "download",
        "v1/a",
        "--pattern",
        "[ab].*",
        "--dir",
        &shown,
        "--repo",
    ];
    assert_eq!(argv[..8], expect);
    assert_eq!(argv[9..], [line(1, "a.txt"), line(2, "b.bin")]);
    let rows: Vec<String> = info
        .question
        .rows
        .iter()
        .map(|row| format!("{}: {}", row.label, row.text))
        .collect();
    assert_eq!(
        rows,
        [
            "Files: 2 of the 3 of release v1/a, 13 B".to_owned(),
            "File: a.txt 3 B".to_owned(),
            "File: b.bin 10 B, without a digest".to_owned(),
            format!("Writes: {shown}/"),
            "Limits: at most 1.0 MB; nothing is unpacked, executable or replaced".to_owned(),
        ]
    );
    assert!(info.no_lease.is_some());
    assert_eq!((home.asked(), home.left()), (String::new(), vec![]));

    let done = approved(plan);
    assert_eq!(done.kind, None, "{}", done.text);
    assert_eq!(
        done.text,
        format!(
            "2 files, 13 B, of release v1/a, in\n{shown}/\n- a.txt 3 B\n- b.bin 10 B\n\
             [GitHub has a sha256 of 1 of 2 files; the sizes of all agree]"
        )
    );
    assert_eq!(fs::read(place.join("a.txt")).expect("there"), b"one");
    assert_eq!(
        fs::read(place.join("b.bin")).expect("there"),
        b"\0\x1b[31m1234"
    );
    let mode = fs::metadata(place.join("b.bin"))
        .expect("there")
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
    assert_eq!(home.asked().lines().count(), 2);
    // A second download stands beside the first.
    let again = approved(made(&home, "a.txt", &list));
    assert!(again.text.contains("/releases/v1_a-2/\n"), "{}", again.text);
    assert!(!again.text.contains("sha256"), "{}", again.text);
}

#[test]
fn a_gh_that_refuses_escape_sequences_gets_the_flag_that_allows_them() {
    let home = Home::with_gh("2.103.3", TWO);
    let list = listed(&[("a.txt", 3, None)]);
    // Each gh is asked for its version once, before the first call.
    let asked = call(&home, "a.txt", &list);
    let question = crate::gh::tools::unasked(&asked, &home.settings()).expect("no refusal");
    let (send, receive) = mpsc::channel();
    let (installed, needs) = question.expect("gh was not asked");
    installed.start(needs, move |_| send.send(()).expect("the test waits"));
    receive.recv_timeout(HOUR).expect("gh answers");
    let line = made(&home, "a.txt", &list).info().argv.last().cloned();
    assert!(
        line.as_deref()
            .is_some_and(|line| line.contains(" --allow-escape-sequences ")),
        "{line:?}"
    );
}

/// Downloads two files with `script` in gh's place; the outcome must be of `kind`, hold `words` and leave no file.
fn check(script: &str, digest: Option<&str>, kind: ErrorKind, words: &str) {
    let home = Home::new(script);
    let list = listed(&[("a.txt", 3, None), ("b.bin", 10, digest)]);
    let got = approved(made(&home, "*", &list));
    assert_eq!(got.kind, Some(kind), "{script}: {}", got.text);
    assert!(got.text.contains(words), "{script}: {}", got.text);
    assert_eq!(home.left(), Vec::<String>::new(), "{script}");
}

#[test]
fn a_download_of_which_one_file_fails_says_which_and_leaves_nothing() {
    let second = |then: &str| format!("case \"$*\" in *assets/1*) printf one ;; *) {then} ;; esac");
    let gone = second("echo '{}'; echo 'gh: Not Found (HTTP 404)' >&2; exit 1");
    check(
        &gone,
        None,
        ErrorKind::NotFound,
        "The file b.bin of release v1/a is not there any more",
    );
    let size = "The file b.bin of release v1/a is not what GitHub lists: its size";
    check(&second("printf short"), None, ErrorKind::Failed, size);
    check(&second("cat /dev/zero"), None, ErrorKind::Failed, size);
    let forged = format!("sha256:{}", "0".repeat(64));
    check(
        TWO,
        Some(&forged),
        ErrorKind::Failed,
        "its sha256 is not the one",
    );
    let closed = second("echo 'gh: Bad credentials (HTTP 401)' >&2; exit 1");
    check(&closed, None, ErrorKind::Auth, "refused the login");
}

#[test]
fn hostile_names_large_files_and_foreign_argv_are_refused_before_gh_is_asked() {
    let home = Home::new("exit 9");
    let settings = home.settings();
    let refused = |call: &ToolCall, settings: &Settings| {
        let made = plan(call, settings);
        made.map_or_else(Some, |plan| plan.refusal())
            .expect("it is refused")
    };
    for (names, words) in [
        (vec!["../out"], "leaves its directory"),
        (vec!["/etc/passwd"], "is absolute"),
        (vec!["a/b"], "holds a slash"),
        (vec!["a/"], "holds a slash"),
        (vec!["a\\b"], "holds a backslash"),
        (vec![".git"], "is not safe"),
        (vec![".DIR-locals.el"], "is not safe"),
        (vec![""], "empty part"),
        (vec!["a", "a"], "`a' twice"),
        (vec!["Read.me", "read.ME"], "twice"),
    ] {
        let assets: Vec<_> = names.iter().map(|name| (*name, 1, None)).collect();
        let got = refused(&call(&home, "*", &listed(&assets)), &settings);
        assert_eq!(got.kind, ErrorKind::PolicyBlocked, "{names:?}: {got}");
        assert!(got.message.contains(words), "{names:?}: {got}");
    }
    // A name that acts on a reader is made visible, and taken.
    let plan_of = made(&home, "*", &listed(&[("a\u{202e}\u{1b}[31m.txt", 1, None)]));
    let file = &plan_of.info().question.rows[1].text;
    assert!(file.starts_with("a<U+202E>^[[31m.txt 1 B"), "{file}");

    let large = listed(&[("a", 600_000, None), ("b", 600_000, None)]);
    let got = refused(&call(&home, "*", &large), &settings);
    assert!(
        got.message
            .contains("the files have 1.2 MB, and at most 1.0 MB"),
        "{got}"
    );

    let one = listed(&[("a", 1, None)]);
    let mut other = call(&home, "a", &one);
    other.request.argv = ["release", "download", "--pattern", "b"]
        .map(str::to_owned)
        .to_vec()
        .into();
    assert!(
        refused(&other, &settings)
            .message
            .contains("cannot be changed")
    );
    let mut block = home.settings();
    block.policies = vec![policy::Layer {
        general: vec![("write".into(), "block".into())],
        hosts: Vec::new(),
    }];
    assert_eq!(
        refused(&call(&home, "a", &one), &block).kind,
        ErrorKind::PolicyBlocked
    );
    assert_eq!((home.asked(), home.left()), (String::new(), vec![]));
}

#[test]
fn a_name_is_exact_before_it_is_a_pattern_and_names_twenty_files_at_most() {
    let names = |name: &str, listed: &str| {
        Release::read(listed, name)
            .map(|release| -> Vec<String> { release.assets.into_iter().map(|a| a.name).collect() })
    };
    let list = listed(&[("a[1].txt", 1, None), ("a1.txt", 1, None), ("b", 1, None)]);
    assert_eq!(names("a[1].txt", &list), Ok(vec!["a[1].txt".to_owned()]));
    assert_eq!(names("a[12].txt", &list), Ok(vec!["a1.txt".to_owned()]));
    let none = names("*.zip", &list).expect_err("there is none");
    assert_eq!(none.kind, ErrorKind::NotFound);
    assert_eq!(none.message.lines().count(), 2);
    let many: Vec<String> = (0..21).map(|n| format!("f{n}")).collect();
    let many: Vec<_> = many.iter().map(|name| (&**name, 1, None)).collect();
    assert_eq!(
        names("*", &listed(&many[..20])).map(|all| all.len()),
        Ok(20)
    );
    let got = names("*", &listed(&many)).expect_err("there are too many");
    assert_eq!(got.kind, ErrorKind::BadArgument);
    assert!(got.message.starts_with("21 files"), "{got}");
    for broken in [
        "",
        "[]",
        "{}",
        "{\"tag\":\"v1\",\"total\":1,\"assets\":[{\"id\":-1}]}",
    ] {
        assert_eq!(
            names("*", broken).expect_err(broken).kind,
            ErrorKind::Failed
        );
    }
}

fn hex_of(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
