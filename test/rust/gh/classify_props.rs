//! Properties of every argv: the parser never panics, a flag never makes the class milder, spelling does not matter, and a value that
//! looks like a verb is still a value.
//!
//! `PROPTEST_CASES` sets the number of cases of each property; `make fuzz` sets 100,000.

use cj_gate::gate::Class;
use cj_gate::gh::catalog::{Arity, Catalog, Flag, Leaf};
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::rows::{Effect, FlagEffect};
use proptest::prelude::*;
use proptest::sample::{Index, select};

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        // Many picks are rejected, since some leaves have no flag of the wanted kind; a rejected pick costs little.
        max_global_rejects: u32::MAX,
        ..ProptestConfig::default()
    }
}

/// The leaves whose flags gh parses.
fn leaves() -> Vec<&'static Leaf> {
    Catalog::get()
        .leaves()
        .filter(|l| l.parses_flags && !l.path.is_empty())
        .collect()
}

/// A value for a flag: a plain one, or one that looks like a method, a file or a path.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec![
            "x",
            "1",
            "o/r",
            "main",
            "a=b",
            "k=@f",
            "GET",
            "DELETE",
            ".a",
            "env",
            "Accept:x",
            "query={a}",
            "../x",
            "h/o/r"
        ])
        .prop_map(str::to_owned),
        "[a-z]{1,8}",
    ]
}

/// Text that would mislead a classifier that looks for words.
fn verb() -> impl Strategy<Value = String> {
    let verbs = vec![
        "delete",
        "view",
        "list",
        "merge",
        "--web",
        "-w",
        "--help",
        "-h",
        "login",
        "repo delete",
        "--",
        "-XDELETE",
        "--yes",
        "api",
        "browse",
        "@f",
        "",
    ];
    select(verbs).prop_map(str::to_owned)
}

/// One flag of a leaf with a value for it.
#[derive(Clone, Debug)]
struct Choice {
    flag: Index,
    value: String,
    off: bool,
    spelling: u8,
}

fn choice() -> impl Strategy<Value = Choice> {
    (any::<Index>(), value(), any::<bool>(), any::<u8>()).prop_map(
        |(flag, value, off, spelling)| Choice {
            flag,
            value,
            off: off && spelling.is_multiple_of(4),
            spelling,
        },
    )
}

/// `flag` with `value` as one element of argv or two: `spelling` picks the form, `off` sets a boolean to false.
fn spell(flag: &Flag, value: &str, off: bool, spelling: u8) -> Vec<String> {
    let name = &flag.name;
    let short = flag.short.filter(|_| spelling % 2 == 1);
    match (flag.arity, short) {
        (Arity::Nothing, Some(letter)) if off => vec![format!("-{letter}=false")],
        (Arity::Nothing, None) if off => vec![format!("--{name}=false")],
        (Arity::Nothing, Some(letter)) if spelling % 3 == 1 => vec![format!("-{letter}=true")],
        (Arity::Nothing | Arity::Optional, Some(letter)) => vec![format!("-{letter}")],
        (Arity::Nothing, None) if spelling % 3 == 1 => vec![format!("--{name}=1")],
        (Arity::Nothing | Arity::Optional, None) => vec![format!("--{name}")],
        (Arity::Value, Some(letter)) => match spelling % 3 {
            0 if !value.is_empty() && !value.starts_with('=') => vec![format!("-{letter}{value}")],
            1 if !value.is_empty() => vec![format!("-{letter}={value}")],
            _ => vec![format!("-{letter}"), value.to_owned()],
        },
        (Arity::Value, None) if spelling.is_multiple_of(3) => vec![format!("--{name}={value}")],
        (Arity::Value, None) => vec![format!("--{name}"), value.to_owned()],
    }
}

/// Whether `flag` of `leaf` may make a call milder.
fn may_lower(leaf: &Leaf, flag: &Flag, off: bool) -> bool {
    // Help runs nothing; a boolean set to false undoes the same flag given before; the last `--method` wins; a list creates nothing;
    // a value in argv is not read from standard input.
    flag.name == "help"
        || off
        || (leaf.path == "api" && flag.name == "method")
        || (leaf.path == "issue develop" && flag.name == "list")
        || (flag.name == "body" && matches!(leaf.path.as_str(), "secret set" | "variable set"))
}

fn class(argv: &[String]) -> Class {
    classify(argv).class
}

/// The words of a leaf, then positionals.
fn words(leaf: &Leaf, positionals: &[String]) -> Vec<String> {
    leaf.path
        .split(' ')
        .map(str::to_owned)
        .chain(positionals.iter().cloned())
        .collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_argv_is_parsed_without_a_panic(argv in prop::collection::vec(prop_oneof![
        any::<String>(),
        select(vec!["pr", "view", "api", "graphql", "-R", "o/r", "-X", "--", "-", "", "--jq", "-f", "query={", "help", "codespace", "ports", "-h"])
            .prop_map(str::to_owned),
        "-{1,3}[a-zA-Z=é]{0,6}",
    ], 0..12)) {
        let verdict = classify(&argv);
        prop_assert!(!verdict.reason.is_empty());
        if let Some(call) = verdict.parsed {
            prop_assert!(call.insert_at() <= argv.len());
            prop_assert!(call.flags.iter().all(|g| g.at.end <= argv.len()));
            let pieces: usize = argv.iter().map(|word| 2 + word.matches(',').count()).sum();
            prop_assert!(call.hosts_named().len() <= pieces);
        }
    }

    #[test]
    fn every_jq_program_and_graphql_document_is_scanned_without_a_panic(text in any::<String>(), brackets in "[\"(){}\\[\\]\\\\#.$ env{}mutationquery\n\r]{0,200}") {
        for text in [text, brackets] {
            let _ = cj_gate::gh::judge::jq::judge(&text);
            let _ = cj_gate::gh::judge::graphql::judge(&text);
        }
    }

    #[test]
    fn adding_a_flag_never_lowers_the_risk(
        leaf in any::<Index>(), given in prop::collection::vec(choice(), 0..4), added in choice(), place in any::<Index>(),
        positionals in prop::collection::vec("[a-z]{1,6}", 0..3),
    ) {
        let all = leaves();
        let leaf = *leaf.get(&all);
        let mut argv = words(leaf, &positionals);
        let start = argv.len();
        for choice in &given {
            let flag = choice.flag.get(&leaf.flags);
            argv.extend(spell(flag, &choice.value, choice.off, choice.spelling));
        }
        let flag = added.flag.get(&leaf.flags);
        prop_assume!(!may_lower(leaf, flag, added.off));
        let before = class(&argv);
        let spelled = spell(flag, &added.value, false, added.spelling);
        // First, or last: in between it could come to stand behind a flag that takes it as its value.
        let at = if place.index(2) == 0 { start } else { argv.len() };
        argv.splice(at..at, spelled);
        prop_assert!(class(&argv).strictness() >= before.strictness(), "{argv:?}: {before} became {}", class(&argv));
    }

    #[test]
    fn an_unknown_flag_is_never_a_read(leaf in any::<Index>(), name in "[a-z]{3,9}-[xqz]{3}") {
        let all = leaves();
        let mut argv = words(leaf.get::<&Leaf>(&all), &[]);
        argv.push(format!("--{name}"));
        prop_assert_ne!(class(&argv), Class::Read);
    }

    #[test]
    fn every_spelling_of_a_call_has_the_same_class(
        leaf in any::<Index>(), given in prop::collection::vec(choice(), 0..5), other in prop::collection::vec(any::<u8>(), 5),
        positionals in prop::collection::vec("[a-z]{1,6}", 0..3), alias in any::<Index>(), early in any::<u8>(),
    ) {
        let all = leaves();
        let leaf = *leaf.get(&all);
        let pairs: Vec<_> = given.iter().map(|c| (c.flag.get(&leaf.flags), c)).collect();
        let mut canonical = words(leaf, &[]);
        for (flag, choice) in &pairs {
            canonical.extend(spell(flag, &choice.value, choice.off, 0));
        }
        canonical.extend(positionals.iter().cloned());

        // Words by an alias that every version has; flags in front as `--name=value`; the rest spelled otherwise, after the positionals.
        let mut respelled = Vec::new();
        let mut node = &Catalog::get().root;
        let mut path = Vec::new();
        for word in leaf.path.split(' ') {
            node = node.child(word).expect("a path of the tree").0;
            let same: Vec<&str> = node.words.iter().filter(|w| w.everywhere || w.text == word).map(|w| w.text.as_str()).collect();
            path.push((*alias.get(&same)).to_owned());
        }
        let mut rest = pairs.as_slice();
        while let Some(((flag, choice), after)) = rest.split_first() {
            if early & 1 == 0 || flag.arity != Arity::Value {
                break;
            }
            respelled.push(format!("--{}={}", flag.name, choice.value));
            rest = after;
        }
        respelled.extend(path);
        respelled.extend(positionals);
        for ((flag, choice), spelling) in rest.iter().zip(other) {
            respelled.extend(spell(flag, &choice.value, choice.off, spelling));
        }
        prop_assert_eq!(class(&canonical), class(&respelled), "{:?} and {:?}", canonical, respelled);
    }

    #[test]
    fn short_booleans_mean_the_same_in_a_cluster(leaf in any::<Index>(), picks in prop::collection::vec(any::<Index>(), 2..5), tail in any::<Index>()) {
        let all = leaves();
        let leaf = *leaf.get(&all);
        let bare: Vec<char> = leaf.flags.iter().filter(|f| f.arity == Arity::Nothing).filter_map(|f| f.short).collect();
        prop_assume!(!bare.is_empty());
        let letters: Vec<char> = picks.iter().map(|p| *p.get(&bare)).collect();
        let valued: Vec<char> = leaf.flags.iter().filter(|f| f.arity == Arity::Value).filter_map(|f| f.short).collect();
        let mut apart = words(leaf, &[]);
        apart.extend(letters.iter().map(|l| format!("-{l}")));
        let mut cluster: String = format!("-{}", letters.iter().collect::<String>());
        if !valued.is_empty() {
            let letter = *tail.get(&valued);
            apart.extend([format!("-{letter}"), "o/r".into()]);
            cluster.push(letter);
            cluster.push_str("o/r");
        }
        let mut together = words(leaf, &[]);
        together.push(cluster);
        prop_assert_eq!(class(&apart), class(&together), "{:?} and {:?}", apart, together);
    }

    #[test]
    fn a_value_that_looks_like_a_verb_changes_nothing(leaf in any::<Index>(), flag in any::<Index>(), verb in verb(), spelling in any::<u8>()) {
        let all = leaves();
        let leaf = *leaf.get(&all);
        let text: Vec<&Flag> = leaf
            .flags
            .iter()
            .filter(|f| f.arity == Arity::Value && f.row.is_some_and(|r| matches!(r.effect, FlagEffect::Plain | FlagEffect::Adds(_)) && !r.value.has_host()))
            .collect();
        prop_assume!(!text.is_empty());
        let flag = *flag.get(&text);
        // An empty value of a secret or variable is read from standard input.
        prop_assume!(!(verb.is_empty() && flag.name == "body"));
        let with = |value: &str, spelling: u8| {
            let mut argv = words(leaf, &[]);
            argv.extend(spell(flag, value, false, spelling));
            class(&argv)
        };
        prop_assert_eq!(with("x", 0), with(&verb, spelling), "gh {} --{} {:?}", leaf.path, flag.name, verb);
    }

    #[test]
    fn a_refused_call_stays_refused_with_another_positional(leaf in any::<Index>(), positionals in prop::collection::vec("[a-z]{1,9}", 1..5)) {
        let all = leaves();
        let leaf = *leaf.get(&all);
        let does = leaf.row.expect("each leaf has a row").does;
        let got = class(&words(leaf, &positionals));
        // `help`, `api` and `repo sync` say with their positionals what they do.
        prop_assume!(!matches!(leaf.path.as_str(), "help" | "api"));
        // A word after a group that also runs could be a subcommand.
        let floor = if leaf.path == "codespace ports" { Class::Write } else { does.class() };
        prop_assert!(got.strictness() >= floor.strictness(), "gh {} {positionals:?}: {got}", leaf.path);
        if does == Effect::Reads {
            prop_assert!(got == Class::Read || !leaf.everywhere, "gh {} {positionals:?}: {got}", leaf.path);
        }
    }
}
