//! The argvs to run: each leaf as in fixtures/conformance/leaves.jsonl, each of its flags in each spelling, and the labelled samples.

use crate::place::Login;
use crate::values;
use cj_gate::gate::Class;
use cj_gate::gh::catalog::{Arity, Catalog, Flag, Leaf};
use cj_gate::gh::judge::classify::classify;
use serde_json::Value;

const ROWS: &str = include_str!("../../fixtures/conformance/leaves.jsonl");
const SAMPLES: &str = include_str!("../../fixtures/gh-classify.jsonl");

/// The sign by which a leaf is known to have done its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A part of a request that it sent.
    Sent(String),
    /// A part of the text that it prints after a success.
    Printed(String),
    /// A part of an effect on this machine (a file changed, a program started), for a leaf that prints nothing.
    Did(String),
}

/// Where an argv comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    Leaf,
    Keyring,
    Flag,
    Sample,
    Generated,
}

/// One argv to run.
#[derive(Clone, Debug)]
pub struct Case {
    pub source: Source,
    /// The leaf of the argv; empty for gh itself and for an argv that names no leaf.
    pub leaf: String,
    pub argv: Vec<String>,
    pub proof: Option<Proof>,
    pub login: Login,
    /// Whether the argv is also run pinned, as the product would run it.
    pub pin: bool,
}

/// A row of leaves.jsonl.
#[derive(Clone, Debug)]
pub struct Row {
    pub leaf: String,
    pub argv: Vec<String>,
    pub class: Class,
    pub proof: Option<Proof>,
    pub login: Login,
    /// Why the leaf cannot do its work here.
    pub cannot: Option<String>,
}

/// The rows whose leaf is in `catalog`.
pub fn rows(catalog: &Catalog) -> Vec<Row> {
    let known: Vec<&str> = catalog.leaves().map(|leaf| leaf.path.as_str()).collect();
    let rows = ROWS.lines().map(|line| {
        let value: Value = serde_json::from_str(line).expect("each line of leaves.jsonl is JSON");
        let argv: Vec<String> = words(&value["argv"]).expect("argv is a list of strings");
        let verdict = classify(&argv);
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        Row {
            leaf: verdict.command,
            class: verdict.class,
            proof: text("last")
                .map(Proof::Sent)
                .or(text("text").map(Proof::Printed))
                .or(text("did").map(Proof::Did)),
            login: match value["login"].as_str() {
                Some("both") => Login::Both,
                _ => Login::Stored,
            },
            cannot: text("cannot"),
            argv,
        }
    });
    rows.filter(|row| known.contains(&row.leaf.as_str()))
        .collect()
}

/// Each row twice: with its own login, and with a login whose token gh cannot reach.
pub fn leaves(rows: &[Row]) -> Vec<Case> {
    let plain = rows.iter().map(|row| Case {
        source: Source::Leaf,
        leaf: row.leaf.clone(),
        argv: row.argv.clone(),
        proof: row.proof.clone(),
        login: row.login,
        pin: true,
    });
    let keyring = rows.iter().map(|row| Case {
        source: Source::Keyring,
        leaf: row.leaf.clone(),
        argv: row.argv.clone(),
        proof: None,
        login: Login::Keyring,
        pin: row.class == Class::Read,
    });
    plain.chain(keyring).collect()
}

/// Every flag of every leaf of `catalog`, added to the leaf's first row: in each spelling where the result is a read, in one
/// spelling otherwise.
pub fn flags(catalog: &Catalog, rows: &[Row]) -> Vec<Case> {
    let mut out = Vec::new();
    for leaf in catalog.leaves() {
        let Some(row) = rows.iter().find(|row| row.leaf == leaf.path) else {
            continue;
        };
        for (nth, flag) in leaf.flags.iter().enumerate() {
            let values = values_of(leaf, flag);
            for (index, value) in values.iter().enumerate() {
                let spellings = spellings(flag, value);
                let mut argvs: Vec<Vec<String>> = spellings
                    .into_iter()
                    .map(|words| [row.argv.clone(), companions(leaf, flag), words].concat())
                    .collect();
                let read = argvs.iter().any(|argv| classify(argv).class == Class::Read);
                if index > 0 && (!read || (flag.name == "jq" && index > 2 && leaf.path != "api")) {
                    // Only reads are tried with further values, and `--jq` with three, except on `gh api`.
                    continue;
                }
                if !read || index > 0 {
                    // One spelling suffices for a call that a person is asked about, and for a second value.
                    argvs = vec![argvs.swap_remove((nth + index) % argvs.len())];
                }
                out.extend(argvs.into_iter().enumerate().map(|(spelling, argv)| Case {
                    source: Source::Flag,
                    leaf: leaf.path.clone(),
                    argv,
                    proof: None,
                    login: Login::Both,
                    // One spelling is run pinned: pinning adds flags, which do not change how gh reads the other spellings.
                    pin: read && spelling == 0,
                }));
            }
        }
    }
    out
}

/// The labelled cases that the classifier is measured by.
pub fn samples() -> Vec<Case> {
    let lines = SAMPLES.lines().map(|line| {
        let value: Value = serde_json::from_str(line).expect("each line is JSON");
        words(&value["argv"])
    });
    lines
        .flatten()
        .map(|argv| {
            argv.strip_prefix(&["gh".to_owned()])
                .map_or(argv.clone(), <[String]>::to_vec)
        })
        // The kernel would not start gh with a NUL or a word of 100,000 bytes or more.
        .filter(|argv| {
            argv.iter()
                .all(|word| !word.contains('\0') && word.len() < 100_000)
        })
        .map(|argv| (classify(&argv), argv))
        .map(|(verdict, argv)| Case {
            source: Source::Sample,
            leaf: verdict.command,
            argv,
            proof: None,
            login: Login::Both,
            pin: verdict.class == Class::Read,
        })
        .collect()
}

/// Values that make sense for `flag` of `leaf`; for a boolean, one empty value.
pub fn values_of(leaf: &Leaf, flag: &Flag) -> Vec<String> {
    if flag.arity == Arity::Nothing {
        return vec![String::new()];
    }
    if flag.name == "json" && !leaf.json.is_empty() {
        let some: Vec<&str> = leaf.json.iter().take(3).map(String::as_str).collect();
        return vec![some.join(","), leaf.json.join(",")];
    }
    values::of(&leaf.path, &flag.name)
        .iter()
        .map(|value| (*value).to_owned())
        .collect()
}

/// The words without which `flag` has no effect: `--jq` needs `--json`.
pub fn companions(leaf: &Leaf, flag: &Flag) -> Vec<String> {
    if matches!(flag.name.as_str(), "jq" | "template") && !leaf.json.is_empty() {
        let some: Vec<&str> = leaf.json.iter().take(3).map(String::as_str).collect();
        return vec!["--json".to_owned(), some.join(",")];
    }
    if matches!(flag.name.as_str(), "jq" | "template") && leaf.flag("format").is_some() {
        return vec!["--format".to_owned(), "json".to_owned()];
    }
    Vec::new()
}

/// Every spelling of `flag` with `value` that gh accepts.
pub fn spellings(flag: &Flag, value: &str) -> Vec<Vec<String>> {
    let name = &flag.name;
    let mut out = match flag.arity {
        Arity::Nothing => vec![
            vec![format!("--{name}")],
            vec![format!("--{name}=true")],
            vec![format!("--{name}=0")],
        ],
        Arity::Value => vec![
            vec![format!("--{name}"), value.to_owned()],
            vec![format!("--{name}={value}")],
        ],
        Arity::Optional => vec![vec![format!("--{name}")], vec![format!("--{name}={value}")]],
    };
    if let Some(short) = flag.short {
        if flag.arity == Arity::Value {
            out.push(vec![format!("-{short}"), value.to_owned()]);
            out.push(vec![format!("-{short}{value}")]);
            out.push(vec![format!("-{short}={value}")]);
        } else {
            out.push(vec![format!("-{short}")]);
        }
    }
    out
}

fn words(value: &Value) -> Option<Vec<String>> {
    let list = value.as_array()?;
    list.iter()
        .map(|word| word.as_str().map(str::to_owned))
        .collect()
}
