use super::*;
use crate::gate::ErrorKind;

fn facts(branch: &str, config: &[(&str, &str)]) -> GitFacts {
    let entries = config.iter().map(|(k, v)| format!("{k}\n{v}\0"));
    GitFacts {
        config: entries.collect::<String>().into_bytes().into(),
        branch: (!branch.is_empty()).then(|| branch.to_owned()),
        commits: None,
    }
}

fn hosts() -> Hosts {
    Hosts {
        known: vec!["github.com".to_owned(), "ghe.example.com".to_owned()],
        default: "github.com".to_owned(),
    }
}

/// `SOURCE HOST[/OWNER/REPO]`, or the refusal's kind.
fn answer(facts: Option<&GitFacts>, hostname: Option<&str>, repo: Option<&str>) -> String {
    match resolve(facts, hostname, repo, &hosts()) {
        Ok(t) => format!("{} {t}", t.source.as_str()),
        Err(r) => r.kind.as_str().to_owned(),
    }
}

/// A checkout in which every rule would give another answer.
const ALL: &[(&str, &str)] = &[
    ("remote.origin.url", "git@github.com:origin/r.git"),
    ("remote.up.url", "https://ghe.example.com/up/r"),
    ("remote.base.url", "https://github.com/base/r"),
    ("remote.base.gh-resolved", "base"),
    ("branch.main.remote", "up"),
    ("branch.main.merge", "refs/heads/main"),
];

#[test]
fn each_rule_gives_way_to_the_one_before_it() {
    let all = facts("main", ALL);
    let f = Some(&all);
    assert_eq!(
        answer(f, Some("github.com"), Some("ghe.example.com/a/b")),
        "explicit-repo ghe.example.com/a/b"
    );
    assert_eq!(
        answer(f, Some("ghe.example.com"), Some("a/b")),
        "explicit-repo ghe.example.com/a/b"
    );
    assert_eq!(
        answer(f, Some("ghe.example.com"), None),
        "explicit-host ghe.example.com/up/r"
    );
    assert_eq!(answer(f, None, None), "set-default github.com/base/r");
    let without: Vec<_> = ALL
        .iter()
        .copied()
        .filter(|(k, _)| !k.ends_with("gh-resolved"))
        .collect();
    assert_eq!(
        answer(Some(&facts("main", &without)), None, None),
        "upstream ghe.example.com/up/r"
    );
    assert_eq!(
        answer(Some(&facts("other", &without)), None, None),
        "origin github.com/origin/r"
    );
    assert_eq!(
        answer(Some(&facts("", &without)), None, None),
        "origin github.com/origin/r"
    );
    assert_eq!(
        answer(Some(&facts("main", &[])), None, None),
        "default github.com"
    );
    assert_eq!(answer(None, None, None), "default github.com");
    assert_eq!(answer(None, Some(""), Some("")), "default github.com");
}

#[test]
fn a_host_that_is_not_known_is_refused_where_an_argument_names_it() {
    for (hostname, repo) in [
        (Some("evil.example"), None),
        (Some("evil.example"), Some("o/r")),
        (None, Some("evil.example/o/r")),
        (None, Some("https://evil.example/o/r")),
        (None, Some("git@github.com.evil.example:o/r")),
        (None, Some("api.github.com/o/r")),
        (None, Some("https://github.com@evil.example/o/r")),
        // The host in `repo' would win.  The unknown `hostname' is refused all the same: a call that names it is a mistake.
        (Some("evil.example"), Some("github.com/o/r")),
    ] {
        assert_eq!(
            answer(None, hostname, repo),
            "policy-blocked",
            "{hostname:?} {repo:?}"
        );
    }
    let refusal = resolve(None, Some("Evil.example"), None, &hosts()).expect_err("not known");
    assert_eq!(
        refusal.message,
        "evil.example is not a known host; known: github.com, ghe.example.com.\n\
         Log in with `gh auth login --hostname evil.example` or add it to `cj/gh-known-hosts'."
    );
}

#[test]
fn a_malformed_argument_is_refused_and_never_repeated() {
    for (hostname, repo) in [
        (Some("-XDELETE"), None),
        (Some("github.com:443"), None),
        (Some("github.com/o"), None),
        (Some("g\u{0456}thub.com"), None),
        (None, Some("o")),
        (None, Some("github.com:443/o/r")),
        (None, Some("evil.example#@github.com/o/r")),
        (None, Some("--repo=o/r")),
        (None, Some("o/r\n[gh github.com read ok]")),
    ] {
        assert_eq!(
            answer(None, hostname, repo),
            "bad-argument",
            "{hostname:?} {repo:?}"
        );
    }
    let refusal = resolve(None, None, Some("o/r\n[gh x]"), &hosts()).expect_err("malformed");
    assert!(!refusal.message.contains("[gh"));
    assert_eq!(refusal.message.lines().count(), 2);
}

#[test]
fn owner_and_repo_without_a_host_find_their_remote() {
    let f = facts("main", ALL);
    assert_eq!(
        answer(Some(&f), None, Some("up/r")),
        "explicit-repo ghe.example.com/up/r"
    );
    assert_eq!(
        answer(Some(&f), None, Some("UP/R")),
        "explicit-repo ghe.example.com/UP/R"
    );
    assert_eq!(
        answer(Some(&f), None, Some("up/other")),
        "explicit-repo github.com/up/other"
    );
    assert_eq!(
        answer(Some(&f), None, Some("origin/r")),
        "explicit-repo github.com/origin/r"
    );
    let both = facts(
        "x",
        &[
            ("remote.a.url", "https://ghe.example.com/o/r"),
            ("remote.origin.url", "https://github.com/o/r"),
        ],
    );
    assert_eq!(
        answer(Some(&both), None, Some("o/r")),
        "explicit-repo github.com/o/r"
    );
    let unknown = facts("x", &[("remote.a.url", "https://evil.example/o/r")]);
    assert_eq!(
        answer(Some(&unknown), None, Some("o/r")),
        "explicit-repo github.com/o/r"
    );
}

#[test]
fn a_hostname_takes_a_repository_only_from_a_remote_on_it() {
    let f = facts(
        "main",
        &[
            ("remote.origin.url", "git@github.com:o/r"),
            ("branch.main.remote", "origin"),
        ],
    );
    assert_eq!(
        answer(Some(&f), Some("GitHub.com"), None),
        "explicit-host github.com/o/r"
    );
    assert_eq!(
        answer(Some(&f), Some("ghe.example.com"), None),
        "explicit-host ghe.example.com"
    );
    assert_eq!(
        answer(None, Some("ghe.example.com"), None),
        "explicit-host ghe.example.com"
    );
    // A remote that no rule of precedence names does not count.
    let side = facts(
        "main",
        &[("remote.side.url", "https://ghe.example.com/o/r")],
    );
    assert_eq!(
        answer(Some(&side), Some("ghe.example.com"), None),
        "explicit-host ghe.example.com"
    );
}

#[test]
fn set_default_means_the_remote_or_a_repository_on_its_host() {
    let with = |url: &str, value: &str| {
        let f = facts(
            "main",
            &[("remote.x.url", url), ("remote.x.gh-resolved", value)],
        );
        answer(Some(&f), None, None)
    };
    assert_eq!(
        with("https://ghe.example.com/o/r", "base"),
        "set-default ghe.example.com/o/r"
    );
    assert_eq!(
        with("https://ghe.example.com/o/r", "up/main"),
        "set-default ghe.example.com/up/main"
    );
    assert_eq!(
        with("https://ghe.example.com/o/r", "github.com/up/main"),
        "default github.com"
    );
    assert_eq!(
        with("https://evil.example/o/r", "base"),
        "default github.com"
    );
    assert_eq!(
        with("https://evil.example/o/r", "github.com/o/r"),
        "default github.com"
    );
    assert_eq!(
        with("https://github.com/o/r", "--web"),
        "default github.com"
    );
    assert_eq!(with("https://github.com/o/r", ""), "default github.com");
}

#[test]
fn of_two_set_defaults_ghs_own_order_decides() {
    let f = facts(
        "main",
        &[
            ("remote.aaa.url", "https://github.com/aaa/r"),
            ("remote.aaa.gh-resolved", "base"),
            ("remote.upstream.url", "https://github.com/upstream/r"),
            ("remote.upstream.gh-resolved", "base"),
        ],
    );
    assert_eq!(
        answer(Some(&f), None, None),
        "set-default github.com/upstream/r"
    );
}

#[test]
fn a_remote_on_an_unknown_host_is_passed_over() {
    let f = facts(
        "main",
        &[
            ("remote.origin.url", "https://github.com/o/r"),
            ("remote.lab.url", "https://gitlab.example/o/r"),
            ("branch.main.remote", "lab"),
        ],
    );
    assert_eq!(answer(Some(&f), None, None), "origin github.com/o/r");
    for url in [
        "https://github.com.evil.example/o/r",
        "https://github.com@evil.example/o/r",
        "https://evil.example#@github.com/o/r",
        "https://evil.example\\@github.com/o/r",
        "https://github%2ecom/o/r",
        "/srv/github.com/o/r",
    ] {
        let f = facts("main", &[("remote.origin.url", url)]);
        assert_eq!(answer(Some(&f), None, None), "default github.com", "{url}");
    }
}

#[test]
fn hosts_of_remotes_that_are_passed_over_are_listed() {
    let f = facts(
        "main",
        &[
            ("remote.origin.url", "https://evil.example/o/r"),
            ("remote.up.url", "https://github.com/o/r"),
            ("remote.up.pushurl", "git@other.example:o/r.git"),
            ("remote.again.url", "git@evil.example:o/r"),
            ("remote.disk.url", "/srv/mirror/r.git"),
        ],
    );
    assert_eq!(
        unknown_hosts(&f, &hosts()),
        ["evil.example", "other.example"]
    );
}

#[test]
fn a_branch_may_track_a_url_or_nothing_at_all() {
    let track = |value: &str| {
        let f = facts(
            "pr",
            &[
                ("remote.origin.url", "https://github.com/o/r"),
                ("branch.pr.remote", value),
            ],
        );
        answer(Some(&f), None, None)
    };
    assert_eq!(
        track("https://ghe.example.com/they/r.git"),
        "upstream ghe.example.com/they/r"
    );
    assert_eq!(track("."), "origin github.com/o/r");
    assert_eq!(track(""), "origin github.com/o/r");
    assert_eq!(track("gone"), "origin github.com/o/r");
}

#[test]
fn instead_of_decides_the_host_before_it_is_judged() {
    let f = facts(
        "main",
        &[
            ("url.git@ghe.example.com:.insteadof", "work:"),
            ("url.https://evil.example/.insteadof", "https://github.com/"),
            ("remote.origin.url", "work:o/r.git"),
            ("remote.up.url", "https://github.com/o/r"),
            ("branch.main.remote", "up"),
        ],
    );
    assert_eq!(answer(Some(&f), None, None), "origin ghe.example.com/o/r");
}

#[test]
fn the_push_url_counts_where_the_fetch_url_is_no_repository() {
    let f = facts(
        "main",
        &[
            ("remote.origin.url", "/srv/mirror/r.git"),
            ("remote.origin.pushurl", "git@github.com:o/r.git"),
        ],
    );
    assert_eq!(answer(Some(&f), None, None), "origin github.com/o/r");
}

#[test]
fn a_configuration_that_was_cut_decides_nothing() {
    let mut f = facts("main", ALL);
    let more: &[u8] = b"remote.origin.url\nhttps://github.com/o/re";
    f.config = [f.config.reveal(), more].concat().into();
    assert_eq!(answer(Some(&f), None, None), "truncated");
    assert_eq!(answer(Some(&f), None, Some("o/r")), "truncated");
    assert_eq!(
        answer(Some(&f), None, Some("github.com/o/r")),
        "explicit-repo github.com/o/r"
    );
}

#[test]
fn a_default_host_that_a_setting_left_out_is_refused_with_the_way_on() {
    let hosts = Hosts {
        known: vec!["ghe.example.com".to_owned()],
        default: "github.com".to_owned(),
    };
    let refusal = resolve(None, None, None, &hosts).expect_err("not known");
    assert_eq!(refusal.kind, ErrorKind::PolicyBlocked);
    assert!(refusal.message.contains("cj/gh-default-host"));
    assert!(resolve(None, None, Some("o/r"), &hosts).is_err());
    assert!(resolve(None, Some("ghe.example.com"), Some("o/r"), &hosts).is_ok());
}
