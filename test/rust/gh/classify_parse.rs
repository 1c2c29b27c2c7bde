//! The parser against gh's own rules; each rule was observed on the real binary.

use cj_gate::gh::catalog::Catalog;
use cj_gate::gh::parse::{Beside, Named, Parsed, Problem, parse};

fn call(line: &str) -> Parsed {
    let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
    match parse(Catalog::get(), &argv) {
        Named::Command(call) => *call,
        Named::Unknown { group, word } => panic!("gh {line}: no `{word}` under `{group}`"),
    }
}

/// The parsed call `line` as one line: flags with values, then positionals.
fn said(line: &str) -> String {
    let call = call(line);
    let flags = call.flags.iter().map(|g| match &g.value {
        Some(value) => format!("--{}={value}", g.flag.name),
        None => format!("--{}", g.flag.name),
    });
    let positionals = call.positionals.iter().map(|p| p.text.clone());
    format!(
        "{}: {}",
        call.leaf.path,
        flags.chain(positionals).collect::<Vec<_>>().join(" ")
    )
}

#[test]
fn every_spelling_of_a_value_is_the_same_value() {
    for line in [
        "api x --method PUT",
        "api x --method=PUT",
        "api x -X PUT",
        "api x -XPUT",
        "api x -X=PUT",
        "api -X PUT x",
    ] {
        assert_eq!(said(line), "api: --method=PUT x", "{line}");
    }
    assert_eq!(said("api x -iXPUT"), "api: --include --method=PUT x");
    assert_eq!(said("api x -iX PUT"), "api: --include --method=PUT x");
    assert_eq!(said("api x -X="), "api: --method== x");
    assert_eq!(said("api x --method="), "api: --method= x");
}

#[test]
fn a_flag_that_needs_a_value_takes_whatever_comes_next() {
    assert_eq!(said("api x -q -XDELETE"), "api: --jq=-XDELETE x");
    assert_eq!(said("pr close 1 -c --help"), "pr close: --comment=--help 1");
    assert_eq!(said("pr list -R --"), "pr list: --repo=--");
    assert_eq!(
        call("pr list -R").problems,
        [Problem::MissingValue("-R".into())]
    );
}

#[test]
fn a_boolean_takes_a_value_only_after_an_equals_sign() {
    assert_eq!(said("pr view --web false"), "pr view: --web false");
    assert_eq!(said("pr view --web=false"), "pr view: --web=false");
    assert_eq!(said("pr view -w=f"), "pr view: --web=f");
    assert_eq!(
        call("pr view --web=maybe").problems,
        [Problem::BadBoolean("--web=maybe".into())]
    );
    assert!(!call("pr view --web --web=0").is_on("web"));
    assert!(call("pr view --web=0 --web").is_on("web"));
}

#[test]
fn an_optional_value_is_taken_only_when_attached() {
    assert_eq!(said("browse --commit abc"), "browse: --commit abc");
    assert_eq!(said("browse --commit=abc"), "browse: --commit=abc");
    assert_eq!(said("browse -c=abc"), "browse: --commit=abc");
    assert_eq!(
        call("workflow run x --json y").positionals.len(),
        2,
        "--json is a boolean there"
    );
}

#[test]
fn names_are_exact() {
    for flag in ["--we", "--Web", "--WEB"] {
        let line = format!("pr view 1 {flag}");
        assert_eq!(call(&line).problems, [Problem::UnknownFlag(flag.into())]);
    }
    assert_eq!(
        call("pr view ---web").problems,
        [Problem::BadSyntax("---web".into())]
    );
    assert_eq!(
        call("pr view --=x").problems,
        [Problem::BadSyntax("--=x".into())]
    );
    assert_eq!(
        call("pr view -é").problems,
        [Problem::UnknownFlag("-é".into())]
    );
}

#[test]
fn letters_after_an_unknown_one_are_still_looked_at() {
    let call = call("api x -zXDELETE");
    assert_eq!(call.problems, [Problem::UnknownFlag("-z".into())]);
    assert_eq!(call.value("method"), Some("DELETE"));
}

#[test]
fn flags_before_the_command_swallow_the_next_word() {
    assert_eq!(said("--squash 12 pr merge"), "pr merge: --squash 12");
    assert_eq!(said("-R o/r pr list"), "pr list: --repo=o/r");
    assert_eq!(
        said("pr -t status merge 1 -s"),
        "pr merge: --subject=status --squash 1"
    );
    assert_eq!(
        said("variable --org list delete X"),
        "variable delete: --org=list X"
    );
    assert_eq!(said("-Ro/r pr list"), "pr list: --repo=o/r");
    assert_eq!(said("--repo=o/r pr list"), "pr list: --repo=o/r");
    // `--web` swallows `pr`, so the command would be `view`.
    let argv = ["--web", "pr", "view"].map(str::to_owned);
    assert!(matches!(parse(Catalog::get(), &argv), Named::Unknown { word, .. } if word == "view"));
    // With fewer than two elements behind the flag, the search for the command ends.
    assert_eq!(said("-R pr"), ": pr");
}

#[test]
fn a_boolean_before_the_command_swallows_nothing() {
    assert!(call("--help pr view").help);
    assert!(call("pr --help view").help);
    assert_eq!(call("pr --help view").leaf.path, "pr view");
}

#[test]
fn two_dashes_end_the_flags_and_the_search() {
    assert_eq!(said("pr view -- --web"), "pr view: --web");
    assert_eq!(call("pr view -- --web").positionals.len(), 1);
    assert_eq!(call("pr -- merge 1").leaf.path, "pr");
    assert_eq!(call("-- pr view").leaf.path, "");
    assert_eq!(call("pr view 1 -- x").insert_at(), 3);
}

#[test]
fn empty_words_and_a_lone_dash_are_positionals() {
    let argv = ["", "pr", "", "view", "-"].map(str::to_owned);
    let Named::Command(call) = parse(Catalog::get(), &argv) else {
        panic!("known")
    };
    assert_eq!(call.leaf.path, "pr view");
    assert_eq!(
        call.positionals.iter().map(|p| p.index).collect::<Vec<_>>(),
        [0, 2, 4]
    );
}

#[test]
fn help_counts_once_and_the_last_one_wins() {
    assert!(call("pr merge --help").help);
    assert!(!call("pr merge --help --help=false").help);
    assert!(!call("pr merge --help=0").help);
    assert!(call("pr merge 1 -h").help);
    assert!(call("pr merge 1 -sh --nosuch").help, "gh stops at -h");
    assert!(!call("auth status -h ghe.example.com").help);
    assert!(!call("repo edit o/r -h x").help);
}

#[test]
fn aliases_lead_to_the_command() {
    for (alias, path) in [
        ("pr co", "pr checkout"),
        ("pr new", "pr create"),
        ("secret remove", "secret delete"),
        ("cs ls", "codespace list"),
        ("at verify", "attestation verify"),
        ("rs ls", "ruleset list"),
        ("ext ls", "extension list"),
        ("extensions list", "extension list"),
        ("agents list", "agent-task list"),
        ("skills show", "skill preview"),
    ] {
        assert_eq!(call(alias).leaf.path, path, "{alias}");
    }
}

#[test]
fn places_in_argv_are_kept() {
    let call = call("-R o/r pr view 7 --json=title -wq .x");
    let at: Vec<_> = call
        .flags
        .iter()
        .map(|g| (g.flag.name.as_str(), g.at.clone(), g.clustered))
        .collect();
    assert_eq!(
        at,
        [
            ("repo", 0..2, false),
            ("json", 5..6, false),
            ("web", 6..7, true),
            ("jq", 6..8, true)
        ]
    );
    assert_eq!(call.words, [2, 3]);
    assert_eq!(call.positionals[0].index, 4);
}

#[test]
fn hosts_named_in_argv_are_found_wherever_they_stand() {
    for (line, hosts) in [
        ("pr view 1", &[][..]),
        ("pr view 1 -R o/r", &[]),
        ("pr view 1 -R GHE.example.com/o/r", &["ghe.example.com"]),
        ("pr view 1 -R https://www.github.com/o/r", &["github.com"]),
        (
            "pr view 1 -R git@ghe.example.com:o/r.git",
            &["ghe.example.com"],
        ),
        (
            "pr view 1 -R ssh://git@ghe.example.com/o/r",
            &["ghe.example.com"],
        ),
        (
            "pr view 1 -R github.com@evil.example/o/r",
            &["github.com@evil.example"],
        ),
        ("pr view 1 -R github.com:443/o/r", &["github.com:443"]),
        (
            "pr view https://evil.example/o/r/pull/1 -R github.com/o/r",
            &["github.com", "evil.example"],
        ),
        ("issue transfer 1 ghe.example.com/o/r", &["ghe.example.com"]),
        (
            "issue develop 1 --branch-repo evil.example/o/r",
            &["evil.example"],
        ),
        ("repo view ghe.example.com/o/r", &["ghe.example.com"]),
        (
            "repo create evil.example/o/n -p other.example/o/t",
            &["other.example", "evil.example"],
        ),
        ("label clone evil.example/o/r", &["evil.example"]),
        ("api user --hostname ghe.example.com", &["ghe.example.com"]),
        ("api https://api.github.com/user", &["github.com"]),
        ("api https://evil.example/?d=x", &["evil.example"]),
        ("auth status -h ghe.example.com", &["ghe.example.com"]),
        ("config list -h ghe.example.com", &["ghe.example.com"]),
        ("search prs x -R o/r", &[]),
        ("search prs x -R o/r,evil.example/o/r", &["evil.example"]),
        ("pr view feature/a/b", &[]),
        (
            "issue close 1 --duplicate-of https://evil.example/o/r/issues/2",
            &["evil.example"],
        ),
        (
            "issue edit 1 --add-blocked-by 2,https://evil.example/o/r/issues/2",
            &["evil.example"],
        ),
        (
            "issue create -t t -b https://evil.example --parent HTTPS://EVIL.example/o/r/issues/2",
            &["evil.example"],
        ),
        (
            "project item-add 1 --url https://evil.example/o/r/issues/2",
            &["evil.example"],
        ),
        // A URL in a text that gh only sends is no host of the call.
        ("issue comment 1 -b https://evil.example/o/r/issues/2", &[]),
    ] {
        assert_eq!(call(line).hosts_named(), hosts, "{line}");
    }
}

#[test]
fn a_call_that_goes_to_an_organization_or_a_user_is_told_from_one_to_a_repository() {
    for (line, beside) in [
        ("secret list", None),
        (
            "secret list --org o -R h/o/r",
            Some(Beside::Organization("o")),
        ),
        ("secret list --org= -R h/o/r", None),
        ("secret list --user", Some(Beside::User)),
        ("secret list --user=false", None),
        ("secret list -u -R o/r", Some(Beside::User)),
        (
            "variable set X --org o --body v",
            Some(Beside::Organization("o")),
        ),
        ("variable get X -o o", Some(Beside::Organization("o"))),
        ("ruleset list --org o", Some(Beside::Organization("o"))),
        ("ruleset view 1 -o o", Some(Beside::Organization("o"))),
        // `--user` only filters here, and no codespace command goes to a repository.
        ("run list --user u", None),
        ("codespace list --org o", None),
    ] {
        assert_eq!(call(line).beside_repository(), beside, "{line}");
    }
}

#[test]
fn a_pinned_flag_replaces_every_spelling_of_it_and_changes_nothing_else() {
    for (line, pinned) in [
        ("pr view 1", "pr view 1 --repo h/o/r"),
        ("pr view -- 1", "pr view --repo h/o/r -- 1"),
        ("pr view 1 -R x/y", "pr view 1 -R h/o/r"),
        ("pr view 1 -Rx/y", "pr view 1 -R=h/o/r"),
        ("pr view 1 --repo=x/y", "pr view 1 --repo=h/o/r"),
        ("-R x/y pr view 1", "-R h/o/r pr view 1"),
        ("pr view 1 -cR x/y", "pr view 1 -cR x/y --repo h/o/r"),
    ] {
        let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let new = call(line).with_flag(&argv, "repo", "h/o/r").join(" ");
        assert_eq!(new, pinned);
        assert_eq!(call(&new).value("repo"), Some("h/o/r"));
    }
}
