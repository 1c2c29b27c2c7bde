//! Pinning under attack: argvs in which gh sees another target than a simple search for `-R` or a URL does.
//!
//! gh 2.92.0 and 2.103.3 behave like this: a URL as a positional beats `-R`; the URL's scheme may be in capitals and its path
//! percent-encoded; the URL may stand behind other positionals; and an empty value of a flag counts as none.

use cj_gate::gate::ErrorKind;
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::place::context::GitFacts;
use cj_gate::gh::place::hosts::Hosts;
use cj_gate::gh::place::pin::{AsArguments, Pinned, pin};

fn checkout() -> GitFacts {
    GitFacts {
        config: b"remote.origin.url\nhttps://github.com/octo/demo.git\0"
            .to_vec()
            .into(),
        branch: Some("main".into()),
        commits: None,
    }
}

fn pinned(argv: &[&str], wanted: AsArguments<'_>) -> Result<Pinned, ErrorKind> {
    let hosts = Hosts {
        known: vec!["github.com".into(), "ghe.example.com".into()],
        default: "github.com".into(),
    };
    let argv: Vec<String> = argv.iter().map(|a| (*a).into()).collect();
    pin(classify(&argv).parsed.as_ref(), &argv, wanted, &hosts).map_err(|r| r.kind)
}

/// The target of `argv` in a checkout of octo/demo.
fn target(argv: &[&str]) -> Result<String, ErrorKind> {
    let facts = checkout();
    let wanted = AsArguments {
        facts: Some(&facts),
        ..AsArguments::default()
    };
    pinned(argv, wanted).map(|p| p.target.to_string())
}

#[test]
fn a_url_whose_repository_we_cannot_read_is_not_shown_under_the_checkouts_name() {
    for url in [
        "HTTPS://github.com/evil/repo/pull/1",
        "https://git@github.com/evil/repo/pull/1",
        "https://github.com/%65vil/repo/pull/1",
        "https://github.com/evil/re%70o/pull/1",
        "https://github.com/evil/repo?x/pull/1",
        "https:/evil/repo/pull/1",
    ] {
        match target(&["pr", "merge", url]) {
            Ok(shown) => assert_eq!(shown, "github.com/evil/repo", "{url}"),
            Err(kind) => assert_eq!(kind, ErrorKind::BadArgument, "{url}"),
        }
    }
}

#[test]
fn a_url_behind_other_positionals_counts_too() {
    let url = "https://github.com/evil/repo/issues/2";
    assert_eq!(
        target(&["issue", "edit", "1", url, "--title", "x"]),
        Ok("github.com/evil/repo".into())
    );
    assert_eq!(
        target(&["issue", "edit", "1", url, "-R", "octo/demo", "--title", "x"]),
        Err(ErrorKind::BadArgument)
    );
}

#[test]
fn an_empty_repo_flag_counts_as_missing() {
    let view = ["pr", "view", "1", "-R", ""];
    assert_eq!(
        pinned(&view, AsArguments::default()).map(|p| p.target.to_string()),
        Err(ErrorKind::BadArgument)
    );
    let there = pinned(
        &view,
        AsArguments {
            repo: Some("o/r"),
            ..AsArguments::default()
        },
    )
    .expect("the argument `repo' names the repository");
    assert_eq!(
        there.argv,
        ["pr", "view", "1", "-R", "github.com/o/r"].map(String::from)
    );
}

#[test]
fn a_flag_that_is_off_or_filters_leaves_the_repository_pinned() {
    for argv in [
        &["secret", "list", "--user=false"][..],
        &["secret", "list", "--org", ""],
        &["variable", "set", "X", "--body", "1", "--org="],
        &["run", "list", "--user", "octocat"],
    ] {
        assert_eq!(target(argv), Ok("github.com/octo/demo".into()), "{argv:?}");
    }
    assert_eq!(
        target(&["secret", "list", "--org", "acme"]),
        Ok("github.com/acme".into())
    );
    assert_eq!(
        target(&["secret", "list", "--user"]),
        Ok("github.com".into())
    );
}

#[test]
fn placeholders_need_a_repository_to_fill_them() {
    let argv = ["api", "-X", "POST", "repos/{owner}/{repo}/issues"];
    assert_eq!(
        pinned(&argv, AsArguments::default()).map(|p| p.gh_repo),
        Err(ErrorKind::BadArgument)
    );
    let facts = checkout();
    let here = AsArguments {
        facts: Some(&facts),
        ..AsArguments::default()
    };
    assert_eq!(
        pinned(&argv, here).map(|p| p.gh_repo),
        Ok(Some("github.com/octo/demo".into()))
    );
    let url = [
        "api",
        "https://ghe.example.com/api/v3/repos/{owner}/{repo}/issues",
    ];
    assert_eq!(
        pinned(&url, here).map(|p| p.gh_repo),
        Err(ErrorKind::BadArgument),
        "the checkout lies on another host"
    );
    let literal = ["api", "user", "-X", "POST", "-f", "bio=see :repo"];
    assert!(
        pinned(&literal, AsArguments::default()).is_ok(),
        "-f is literal"
    );
}

#[test]
fn the_repository_that_labels_are_cloned_from_is_not_the_target() {
    let argv = ["label", "clone", "evil/repo"];
    assert_eq!(target(&argv), Ok("github.com/octo/demo".into()));
    assert_eq!(
        target(&["label", "clone", "evil/repo", "-R", "o/r"]),
        Ok("github.com/o/r".into())
    );
}

#[test]
fn a_positional_without_an_owner_is_kept_and_a_missing_one_is_filled() {
    let facts = checkout();
    let here = AsArguments {
        facts: Some(&facts),
        ..AsArguments::default()
    };
    let view = pinned(&["repo", "view", "demo"], here).expect("a name alone is a repository");
    assert_eq!(view.argv, ["repo", "view", "demo"].map(String::from));
    // The owner is missing here; `plan' adds the account as the owner.
    assert_eq!(
        (view.target.owner, view.target.repo.as_deref()),
        (None, Some("demo"))
    );
    let fork = pinned(&["repo", "fork"], here).expect("the checkout names the repository");
    assert_eq!(
        fork.argv,
        ["repo", "fork", "github.com/octo/demo"].map(String::from)
    );
}
