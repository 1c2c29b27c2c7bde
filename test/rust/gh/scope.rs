//! The target of a call, the lease that could cover it, and what the call makes public: fixtures/gh-scope.jsonl, row by row.
//!
//! A row has `argv`, perhaps the argument `repo`, and the expected values: `target` as in the header, `reach`, `lease` (whether the gh
//! side allows a lease), `public` and `also` (whether the question says so), `class`, `argv_becomes`, or `refused`: the kind of the
//! refusal, or `class` for a call that is blocked.

use super::each_row;
use cj_gate::gate::{Class, Cleaner};
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::place::hosts::Hosts;
use cj_gate::gh::place::pin::{AsArguments, Reach, pin};
use cj_gate::gh::question::question;
use serde_json::Value;

const ROWS: &str = include_str!("../../../fixtures/gh-scope.jsonl");

fn row_fails(row: &Value) -> Vec<String> {
    let argv: Vec<String> = row["argv"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|word| word.as_str().expect("a string").to_owned())
        .collect();
    let hosts = Hosts {
        known: vec!["github.com".into(), "ghe.example.com".into()],
        default: "github.com".into(),
    };
    let wanted = AsArguments {
        repo: row["repo"].as_str(),
        ..AsArguments::default()
    };
    let verdict = classify(&argv);
    let pinned = pin(verdict.parsed.as_ref(), &argv, wanted, &hosts);
    let got = match &pinned {
        _ if verdict.class == Class::Blocked => Err("class"),
        Ok(pinned) => Ok(pinned),
        Err(refusal) => Err(refusal.kind.as_str()),
    };
    let pinned = match (got, row["refused"].as_str()) {
        (Ok(pinned), None) => pinned,
        (Err(kind), Some(expect)) if kind == expect => return Vec::new(),
        (got, expect) => {
            return vec![format!("refused {:?}, not {expect:?}", got.err())];
        }
    };
    let mut fails = Vec::new();
    let mut hold = |what: &str, got: String, expect: Option<String>| {
        if expect.as_ref().is_some_and(|expect| *expect != got) {
            fails.push(format!("{what} {got}, not {}", expect.unwrap_or_default()));
        }
    };
    let text = |key: &str| row[key].as_str().map(str::to_owned);
    let yes = |key: &str| row[key].as_bool().map(|yes| yes.to_string());
    hold("class", verdict.class.as_str().into(), text("class"));
    hold("target", pinned.target.to_string(), text("target"));
    hold("argv", pinned.argv.join(" "), text("argv_becomes"));
    let reach = match pinned.reach {
        Reach::Target => "target",
        Reach::Organization => "organization",
        Reach::Owner => "owner",
        Reach::User => "user",
        Reach::Untold => "untold",
    };
    hold("reach", reach.into(), text("reach"));
    let asked = question(
        verdict.class,
        &verdict.command,
        &pinned.argv,
        &pinned.target,
        pinned.reach,
        &Cleaner::holding(&[]),
    );
    let has = |label: &str| asked.rows.iter().any(|row| row.label == label);
    hold("public", has("Audience").to_string(), yes("public"));
    hold("also", has("Also").to_string(), yes("also"));
    if verdict.class != Class::Read {
        let said = (reach != "target").to_string();
        hold(
            "said in the question:",
            has("Reach").to_string(),
            Some(said),
        );
    }
    let whole = pinned.target.repo.is_some();
    let lease = whole && asked.no_lease.is_none() && verdict.class == Class::Write;
    hold("lease", lease.to_string(), yes("lease"));
    fails
}

#[test]
fn a_call_goes_where_its_question_says_and_a_lease_covers_no_more() {
    each_row(ROWS, |row| {
        let fails = row_fails(row);
        (!fails.is_empty()).then(|| format!("{}: {}", row["argv"], fails.join("; ")))
    });
}
