//! The catalog against the binaries of gh, and the rows by which the classifier judges against the catalog.

use std::collections::{BTreeMap, BTreeSet};

use super::pinned;
use cj_gate::gate::Class;
use cj_gate::gh::catalog::{Arity, BUILT_IN, Catalog, Leaf};
use cj_gate::gh::judge::classify::{classify, classify_in};
use cj_gate::gh::rows::{Effect, FLAGS, LEAVES, Names};
use serde_json::Value;

fn words(path: &str) -> Vec<String> {
    path.split(' ').map(str::to_owned).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the counts are figures of the release")]
fn every_leaf_and_flag_of_both_versions_is_decided() {
    for (version, text) in BUILT_IN {
        let catalog = Catalog::merge(&[text]).expect("the committed catalog is read");
        let leaves = catalog.leaves().count();
        let flags: usize = catalog.leaves().map(|l| l.flags.len()).sum();
        let undecided = catalog.undecided();
        println!(
            "gh {version}: {leaves} leaves and {flags} flags, {} without a decided row",
            undecided.len()
        );
        assert!(
            leaves >= 202 && flags > 1_000,
            "the catalog is cut short: {leaves} leaves, {flags} flags"
        );
        assert!(undecided.is_empty(), "nobody decided: {undecided:#?}");
    }
    assert!(Catalog::get().undecided().is_empty());
}

#[test]
fn a_made_up_leaf_or_flag_is_unknown_and_found_by_the_test_above() {
    let (_, text) = BUILT_IN[0];
    let leaf = r#""commands": [{"path": "", "runs": false}, {"path": "pr frobnicate", "runs": true, "flags": [{"name": "help", "takes": "nothing"}]},"#;
    let with_leaf = text.replacen("\"commands\": [", leaf, 1);
    let with_both = with_leaf.replacen(
        "{\"name\": \"add-topic\", \"takes\": \"value\"}",
        "{\"name\": \"add-topic\", \"takes\": \"value\"}, {\"name\": \"frob\", \"takes\": \"nothing\"}",
        1,
    );
    let catalog: &'static Catalog =
        Box::leak(Box::new(Catalog::merge(&[&with_both]).expect("still JSON")));
    assert_eq!(catalog.undecided(), ["pr frobnicate", "repo edit --frob"]);
    assert_eq!(
        classify_in(catalog, &words("pr frobnicate 1")).class,
        Class::Unknown
    );
    assert_eq!(
        classify_in(catalog, &words("repo edit o/r --frob")).class,
        Class::Unknown
    );
    assert_eq!(classify_in(catalog, &words("pr view 1")).class, Class::Read);
}

#[test]
fn every_row_names_a_catalogued_leaf_or_flag_and_decides_it_once() {
    let catalog = Catalog::get();
    let paths: BTreeSet<&str> = catalog.leaves().map(|l| l.path.as_str()).collect();
    let names: BTreeSet<&str> = catalog
        .leaves()
        .flat_map(|l| &l.flags)
        .map(|f| f.name.as_str())
        .collect();
    for row in LEAVES {
        assert!(paths.contains(row.path), "no leaf `{}`", row.path);
    }
    for row in FLAGS {
        for path in row.on {
            assert!(paths.contains(path), "no leaf `{path}`");
        }
        for name in row.names {
            assert!(names.contains(name), "no flag --{name}");
            let rows = FLAGS
                .iter()
                .filter(|r| r.names.contains(name) && r.on == row.on)
                .count();
            assert_eq!(rows, 1, "--{name} is decided twice for {:?}", row.on);
        }
    }
    let once: BTreeSet<&str> = LEAVES.iter().map(|r| r.path).collect();
    assert_eq!(once.len(), LEAVES.len(), "a leaf is decided twice");
}

/// Compares the columns that say what a value names (a host, a file …) with gh's help pages.
#[test]
fn the_value_columns_agree_with_the_help_pages() {
    for (version, text) in BUILT_IN {
        let catalog = Catalog::merge(&[text]).expect("the committed catalog is read");
        for leaf in catalog.leaves() {
            for flag in &leaf.flags {
                let takes = flag.arity != Arity::Nothing;
                // `--json` of `workflow run` is a boolean, and a flag may take a value in one leaf and none in another.
                let shared = catalog.leaves().flat_map(|l| &l.flags).any(|other| {
                    other.name == flag.name
                        && (other.arity == Arity::Nothing) == takes
                        && std::ptr::eq(
                            other.row.expect("each leaf has a row"),
                            flag.row.expect("each leaf has a row"),
                        )
                });
                assert!(
                    shared || takes == (flag.value() != Names::Nothing),
                    "gh {version}: {} --{} names {:?}",
                    leaf.path,
                    flag.name,
                    flag.value()
                );
            }
        }
        let value: Value = serde_json::from_str(text).expect("the text is JSON");
        for command in value["commands"].as_array().expect("a list") {
            let path = command["path"].as_str().expect("a string");
            let Some(leaf) = catalog.leaves().find(|leaf| leaf.path == path) else {
                continue;
            };
            let named = leaf.row.expect("each leaf has a row").positionals;
            let host = named.iter().any(|names| names.has_host());
            match command["positionals"].as_str().unwrap_or("text") {
                // `gh extension exec` hands every word that follows to the extension.
                "none" if !leaf.parses_flags => {}
                // `project item-edit` takes a number since 2.103.
                "none" if version != BUILT_IN[1].0 => {}
                "none" => assert!(named.is_empty(), "gh {version}: {path} takes no positional"),
                "url" => assert!(
                    named.contains(&Names::Item),
                    "gh {version}: {path} takes a URL"
                ),
                "repository" => assert!(
                    named.first() == Some(&Names::Repository),
                    "gh {version}: {path} takes a repository"
                ),
                "url-then-repository" => {
                    assert_eq!(
                        named,
                        [Names::Item, Names::Repository],
                        "gh {version}: {path}"
                    );
                }
                _ => assert!(
                    !host || ["api", "co", "gist clone"].contains(&path),
                    "gh {version}: the help page of {path} names no URL"
                ),
            }
        }
    }
}

/// Puts a URL of another host and one of the same host into every value: the call is refused where the column has no
/// host, and the host is found where the column has one.
#[test]
#[expect(clippy::print_stdout, reason = "the counts are figures of the release")]
fn a_url_is_refused_wherever_no_host_belongs() {
    let (mut refused, mut found, mut text) = (0, 0, 0);
    // The words after `gh help` name a command, so none of them is a URL.
    let judged = |leaf: &&Leaf| leaf.parses_flags && leaf.path != "help";
    for leaf in Catalog::get().leaves().filter(judged) {
        let flags = leaf.flags.iter().filter(|f| f.arity != Arity::Nothing);
        let flags = flags.map(|f| (f.value(), Some(f.name.as_str())));
        let positionals = leaf.row.expect("each leaf has a row").positionals;
        for (names, flag) in flags.chain(positionals.iter().map(|names| (*names, None))) {
            for url in [
                "https://evil.example/x/y/issues/5",
                "HTTP://u:p@ghe.example.com/x/y/pull/5",
                "git@evil.example:x/y.git",
            ] {
                let mut argv = words(&leaf.path);
                if let Some(flag) = flag {
                    argv.push(format!("--{flag}={url}"));
                } else {
                    let nth = positionals.iter().position(|other| *other == names);
                    argv.resize(argv.len() + nth.unwrap_or_default(), "1".to_owned());
                    argv.push(url.to_owned());
                }
                let verdict = classify(&argv);
                let call = verdict.parsed.as_ref().expect("it is in the catalog");
                let hosts = call.hosts_named();
                if names.has_host() {
                    assert!(!hosts.is_empty(), "no host found in {argv:?}");
                    found += 1;
                } else if names == Names::Text {
                    assert!(hosts.is_empty(), "{hosts:?} found in {argv:?}");
                    text += 1;
                } else {
                    assert_eq!(
                        verdict.class,
                        Class::Blocked,
                        "{argv:?}: {}",
                        verdict.reason
                    );
                    refused += 1;
                }
            }
        }
    }
    println!("{refused} URLs refused, {found} whose host is found, {text} that are text");
    assert!(refused > 1_000 && found > 300 && text > 300);
}

#[test]
#[expect(clippy::print_stdout, reason = "the list is a figure of the release")]
fn every_read_only_leaf_is_a_read_in_its_plain_form() {
    let mut unknown = Vec::new();
    for leaf in Catalog::get().leaves() {
        let mut argv = words(&leaf.path);
        if leaf.path == "api" {
            argv.push("user".into());
        }
        let verdict = classify(&argv);
        let does = leaf.row.expect("each leaf has a row").does;
        if verdict.class == Class::Unknown {
            unknown.push(leaf.path.as_str());
        } else if does == Effect::Reads {
            assert_eq!(verdict.class, Class::Read, "{}", verdict.reason);
        }
        if verdict.class == Class::Read {
            assert_eq!(does, Effect::Reads, "gh {}", leaf.path);
        }
    }
    println!(
        "{} leaves are unknown by decision: {}",
        unknown.len(),
        unknown.join(", ")
    );
    assert!(
        unknown.len() <= 40,
        "too many leaves are left undecided: {unknown:?}"
    );
}

#[test]
fn the_tree_knows_the_commands_that_only_one_version_has() {
    let everywhere = |path: &str| {
        Catalog::get()
            .leaves()
            .find(|l| l.path == path)
            .expect("a leaf")
            .everywhere
    };
    assert!(everywhere("pr view"));
    assert!(!everywhere("discussion list"));
    assert!(!everywhere("repo garden"), "gone in 2.103.3");
    let alias = Catalog::get()
        .root
        .child("extension")
        .and_then(|(n, _)| n.child("uninstall"));
    assert!(!alias.expect("an alias of 2.103.3").1.everywhere);
}

#[test]
fn json_fields_are_those_of_the_binaries() {
    let fields = |path: &str| {
        &Catalog::get()
            .leaves()
            .find(|l| l.path == path)
            .expect("a leaf")
            .json
    };
    let checks = [
        "bucket",
        "completedAt",
        "description",
        "event",
        "link",
        "name",
        "startedAt",
        "state",
        "workflow",
    ];
    assert_eq!(*fields("pr checks"), checks);
    assert!(fields("pr view").iter().any(|f| f == "files"));
    assert!(
        fields("issue view").iter().any(|f| f == "subIssues"),
        "2.103.3's fields are in"
    );
    for (version, text) in BUILT_IN {
        let value: Value = serde_json::from_str(text).expect("the text is JSON");
        let with_json = value["commands"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|c| c["json"].is_array())
            .count();
        assert!(
            with_json >= 35,
            "gh {version}: {with_json} leaves with --json"
        );
    }
}

/// The commands of `gh help reference` with their own flags, as `-X, --name`.
fn reference(page: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut commands: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut path = String::new();
    for line in page.lines() {
        if let Some((_, usage)) = line.split_once("# gh ") {
            let words = usage
                .split(' ')
                .take_while(|w| w.starts_with(|c: char| c.is_ascii_lowercase()));
            path = words.collect::<Vec<_>>().join(" ");
            commands.entry(path.clone()).or_default();
        } else if line.starts_with("  ") && line.trim_start().starts_with('-') {
            let (letter, rest) = line.trim_start().split_once("--").unwrap_or_default();
            let name = rest.split(' ').next().unwrap_or_default();
            commands
                .entry(path.clone())
                .or_default()
                .insert(format!("{letter}--{name}"));
        }
    }
    commands
}

/// Compares the committed catalogs with `gh help reference` of the pinned binaries that `make deps` fetches.
/// `make catalog` asks for every page and proves the kind of every flag, which takes minutes.
#[test]
fn the_committed_catalogs_match_the_pinned_binaries() {
    for (version, text) in BUILT_IN {
        let Some(gh) = pinned(version) else {
            continue;
        };
        let banner = gh.say(&words("--version")).expect("gh can be started");
        assert!(
            banner.starts_with(&format!("gh version {version} ")),
            "{banner}"
        );
        let mut said = reference(&gh.say(&words("help reference")).expect("gh can be started"));
        said.remove("reference");
        // The reference leaves out the commands that it calls additional, and names `co` without its flags.
        said.remove("co");
        let committed: Value = serde_json::from_str(text).expect("the text is JSON");
        for command in committed["commands"].as_array().expect("a list") {
            let path = command["path"].as_str().expect("a string");
            let own: BTreeSet<String> = command["flags"]
                .as_array()
                .map(Vec::as_slice)
                .unwrap_or_default()
                .iter()
                .filter(|f| f["hidden"] != true && f["inherited"] != true)
                .map(|f| {
                    let name = f["name"].as_str().expect("a string");
                    f["short"]
                        .as_str()
                        .map_or(format!("--{name}"), |short| format!("-{short}, --{name}"))
                })
                .collect();
            let Some(said) = said.remove(path) else {
                let unlisted = command["hidden"] == true || path.is_empty() || matches!(path, "co");
                assert!(unlisted, "gh {version} has no `{path}`: run `make catalog`");
                continue;
            };
            let stale = format!("gh {version} {path}: the catalog is stale, run `make catalog`");
            let missing: Vec<_> = said.difference(&own).filter(|f| *f != "--help").collect();
            assert!(missing.is_empty(), "{stale}: {missing:?}");
            // A flag that the commands below inherit stands in the reference of pure groups only.
            let gone: Vec<_> = own
                .difference(&said)
                .filter(|f| *f != "-R, --repo")
                .collect();
            assert!(gone.is_empty(), "{stale}: {gone:?}");
        }
        assert!(
            said.is_empty(),
            "gh {version} has new commands, run `make catalog`: {said:?}"
        );
    }
}
