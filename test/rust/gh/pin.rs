//! Pinning: gh is told its target in full, so that gh has nothing left to choose.

use cj_gate::gate::{ErrorKind, Source};
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::place::context::GitFacts;
use cj_gate::gh::place::hosts::Hosts;
use cj_gate::gh::place::pin::{AsArguments, Pinned, pin};

/// A checkout of octo/demo on github.com, on the branch `topic`, which is pushed to a fork.
fn checkout() -> GitFacts {
    let config = [
        "remote.origin.url\nhttps://github.com/octo/demo.git",
        "remote.fork.url\ngit@github.com:mona/demo.git",
        "branch.topic.remote\norigin",
        "branch.topic.pushremote\nfork",
        "branch.topic.merge\nrefs/heads/main",
    ];
    GitFacts {
        config: config
            .map(|entry| format!("{entry}\0"))
            .concat()
            .into_bytes()
            .into(),
        branch: Some("topic".into()),
        commits: None,
    }
}

fn hosts() -> Hosts {
    Hosts {
        known: vec!["github.com".into(), "ghe.example.com".into()],
        default: "github.com".into(),
    }
}

struct Case<'a> {
    argv: &'a str,
    wanted: AsArguments<'a>,
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(String::from).collect()
}

fn run(case: &Case<'_>) -> Result<Pinned, (ErrorKind, String)> {
    let argv = words(case.argv);
    let verdict = classify(&argv);
    pin(verdict.parsed.as_ref(), &argv, case.wanted, &hosts()).map_err(|r| (r.kind, r.message))
}

/// Asserts that `argv`, pinned with `wanted`, becomes `expect`, and that the header names `target`.
#[track_caller]
fn becomes(argv: &str, wanted: AsArguments<'_>, expect: &str, target: &str) -> Pinned {
    let pinned = run(&Case { argv, wanted }).unwrap_or_else(|e| panic!("{argv}: {e:?}"));
    assert_eq!(pinned.argv, words(expect), "{argv}");
    assert_eq!(pinned.target.to_string(), target, "{argv}");
    pinned
}

#[track_caller]
fn refused(argv: &str, wanted: AsArguments<'_>, kind: ErrorKind, words: &str) {
    let (got, message) = run(&Case { argv, wanted }).expect_err(argv);
    assert_eq!(got, kind, "{argv}: {message}");
    assert!(message.contains(words), "{argv}: {message}");
    assert!(
        message.contains('\n'),
        "{argv}: a second line says what to do: {message}"
    );
}

fn repo(repo: &str) -> AsArguments<'_> {
    AsArguments {
        repo: Some(repo),
        ..AsArguments::default()
    }
}

#[test]
fn a_leaf_with_the_repo_flag_is_told_host_owner_and_repo() {
    becomes(
        "pr view 1",
        repo("o/r"),
        "pr view 1 --repo github.com/o/r",
        "github.com/o/r",
    );
    becomes(
        "pr view 1",
        repo("ghe.example.com/o/r"),
        "pr view 1 --repo ghe.example.com/o/r",
        "ghe.example.com/o/r",
    );
    becomes(
        "pr view 1 -R o/r",
        AsArguments::default(),
        "pr view 1 -R github.com/o/r",
        "github.com/o/r",
    );
    becomes(
        "pr view 1 -Ro/r",
        AsArguments::default(),
        "pr view 1 -R=github.com/o/r",
        "github.com/o/r",
    );
    becomes(
        "pr view 1 --repo=o/r",
        repo("github.com/o/r"),
        "pr view 1 --repo=github.com/o/r",
        "github.com/o/r",
    );
    becomes(
        "issue list -- x",
        repo("o/r"),
        "issue list --repo github.com/o/r -- x",
        "github.com/o/r",
    );
    let facts = checkout();
    let here = AsArguments {
        facts: Some(&facts),
        ..AsArguments::default()
    };
    let pinned = becomes(
        "issue list",
        here,
        "issue list --repo github.com/octo/demo",
        "github.com/octo/demo",
    );
    assert_eq!(pinned.target.source, Source::Upstream);
}

#[test]
fn a_hostname_alone_never_sends_a_call_to_the_checkouts_host() {
    let facts = checkout();
    let elsewhere = AsArguments {
        facts: Some(&facts),
        hostname: Some("ghe.example.com"),
        ..AsArguments::default()
    };
    refused(
        "issue list",
        elsewhere,
        ErrorKind::BadArgument,
        "needs a repository",
    );
    becomes(
        "api user",
        elsewhere,
        "api user --hostname ghe.example.com",
        "ghe.example.com",
    );
}

#[test]
fn two_names_for_the_target_that_disagree_are_refused() {
    refused(
        "pr view 1 -R o/r",
        repo("o/other"),
        ErrorKind::BadArgument,
        "twice",
    );
    refused(
        "pr view 1 -R github.com/o/r",
        repo("ghe.example.com/o/r"),
        ErrorKind::BadArgument,
        "twice",
    );
    let ghe = AsArguments {
        hostname: Some("ghe.example.com"),
        ..AsArguments::default()
    };
    refused(
        "api user --hostname github.com",
        ghe,
        ErrorKind::BadArgument,
        "twice",
    );
    refused(
        "pr view https://ghe.example.com/o/r/pull/1 -R github.com/o/r",
        AsArguments::default(),
        ErrorKind::BadArgument,
        "twice",
    );
    refused(
        "pr view https://github.com/o/r/pull/1",
        repo("o/other"),
        ErrorKind::BadArgument,
        "twice",
    );
}

#[test]
fn a_host_that_is_not_known_is_refused_wherever_it_is_named() {
    for argv in [
        "pr view 1 -R evil.example/o/r",
        "pr view 1 --repo=https://evil.example/o/r",
        "api user --hostname evil.example",
        "api https://evil.example/x",
        "pr view https://evil.example/o/r/pull/1",
        "repo view evil.example/o/r",
        "pr view 1 -R github.com.evil.example/o/r",
        "pr view 1 -R github.com@evil.example/o/r",
        "api user --hostname=GITHUB.com.evil.example",
    ] {
        let (kind, message) = run(&Case {
            argv,
            wanted: repo("o/r"),
        })
        .expect_err(argv);
        assert!(
            matches!(kind, ErrorKind::PolicyBlocked | ErrorKind::BadArgument),
            "{argv}: {message}"
        );
    }
    refused(
        "pr view 1",
        repo("evil.example/o/r"),
        ErrorKind::PolicyBlocked,
        "evil.example",
    );
    let foreign = AsArguments {
        hostname: Some("evil.example"),
        ..AsArguments::default()
    };
    refused(
        "api user",
        foreign,
        ErrorKind::PolicyBlocked,
        "evil.example",
    );
}

#[test]
fn a_url_is_the_target_and_gh_gets_no_other() {
    becomes(
        "pr view https://ghe.example.com/o/r/pull/1",
        AsArguments::default(),
        "pr view https://ghe.example.com/o/r/pull/1 --repo ghe.example.com/o/r",
        "ghe.example.com/o/r",
    );
}

#[test]
fn the_pull_request_of_the_branch_is_supplied_where_gh_would_no_longer_find_it() {
    let facts = checkout();
    let here = AsArguments {
        facts: Some(&facts),
        ..AsArguments::default()
    };
    becomes(
        "pr view",
        here,
        "pr view mona:topic --repo github.com/octo/demo",
        "github.com/octo/demo",
    );
    becomes(
        "pr checks --json name",
        here,
        "pr checks mona:topic --json name --repo github.com/octo/demo",
        "github.com/octo/demo",
    );
    becomes(
        "pr create --title x --body y",
        here,
        "pr create --title x --body y --head mona:topic --repo github.com/octo/demo",
        "github.com/octo/demo",
    );
    refused(
        "pr view",
        repo("o/r"),
        ErrorKind::BadArgument,
        "pull request",
    );
}

#[test]
fn a_repository_that_would_come_from_another_machine_is_refused() {
    let away = AsArguments {
        remote_cwd: Some("/ssh:h:/src/"),
        ..AsArguments::default()
    };
    refused("pr view 1", away, ErrorKind::RemoteCwd, "another machine");
    refused("repo view", away, ErrorKind::RemoteCwd, "another machine");
    refused(
        "api repos/{owner}/{repo}",
        away,
        ErrorKind::RemoteCwd,
        "another machine",
    );
    becomes(
        "api user",
        away,
        "api user --hostname github.com",
        "github.com",
    );
    let named = AsArguments {
        repo: Some("o/r"),
        ..away
    };
    becomes(
        "pr view 1",
        named,
        "pr view 1 --repo github.com/o/r",
        "github.com/o/r",
    );
}

#[test]
fn a_leaf_without_the_repo_flag_is_told_by_positional_or_environment() {
    let pinned = becomes(
        "repo view",
        repo("o/r"),
        "repo view github.com/o/r",
        "github.com/o/r",
    );
    assert_eq!(pinned.gh_host.as_deref(), Some("github.com"));
    let pinned = becomes("gist list", repo("o/r"), "gist list", "github.com");
    assert_eq!(pinned.gh_repo, None, "a list of gists is no repository's");
    let pinned = becomes(
        "api repos/{owner}/{repo}/issues",
        repo("ghe.example.com/o/r"),
        "api repos/{owner}/{repo}/issues --hostname ghe.example.com",
        "ghe.example.com/o/r",
    );
    assert_eq!(pinned.gh_repo.as_deref(), Some("ghe.example.com/o/r"));
}

#[test]
fn names_that_gh_would_read_as_something_else_are_refused() {
    for bad in [
        "-XDELETE/r",
        "o/-r",
        "o/r#1",
        "o/r@x",
        "../../user",
        "o/..",
        "o/r/x/y",
        "o",
        "/",
        "o/",
        "\u{43e}/r",
        "o/r\n",
    ] {
        let (kind, _) = run(&Case {
            argv: "pr view 1",
            wanted: repo(bad),
        })
        .expect_err(bad);
        assert!(
            matches!(kind, ErrorKind::BadArgument | ErrorKind::PolicyBlocked),
            "{bad}"
        );
    }
}
