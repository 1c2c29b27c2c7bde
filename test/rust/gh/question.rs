//! The facts that a person reads before a call, about the pull request, issue or run of the call: fixtures/gh-question.jsonl, row by row.
//!
//! A row has `argv`, the `answers` to the reads (JSON as GitHub gives it, `{"output": TEXT}`, or `{"nothing": KIND}`), and what a person is then told:
//! `sentence`, `facts` (label, tone, text), `supply` (arguments that are added) and `texts` (the texts that GitHub has now).

use std::sync::Arc;

use super::each_row;
use cj_gate::gate::{Answered, Class, Cleaner, Look};
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::place::hosts::Hosts;
use cj_gate::gh::place::pin::{AsArguments, pin};
use cj_gate::gh::question::question;
use serde_json::{Value, json};

const ROWS: &str = include_str!("../../../fixtures/gh-question.jsonl");

fn answer(value: &Value) -> Answered {
    match (value["output"].as_str(), value["nothing"].as_str()) {
        (Some(text), _) => Answered::Output(text.to_owned()),
        (_, Some(kind)) => Answered::Nothing(kind.to_owned()),
        _ => Answered::Output(value.to_string()),
    }
}

/// The class of the call `argv`, and the reads for the question about that call.
pub fn look(argv: &[String]) -> (Class, Arc<dyn Look>) {
    let hosts = Hosts {
        known: vec!["github.com".into(), "ghe.example.com".into()],
        default: "github.com".into(),
    };
    let verdict = classify(argv);
    let pinned = pin(
        verdict.parsed.as_ref(),
        argv,
        AsArguments::default(),
        &hosts,
    )
    .expect("a target");
    let question = question(
        verdict.class,
        &verdict.command,
        &pinned.argv,
        &pinned.target,
        pinned.reach,
        &Cleaner::holding(&[]),
    );
    (verdict.class, question.look.expect("something can be read"))
}

/// The sentence, facts, added arguments and texts that a person is told about the call of `row`.
fn told(row: &Value) -> Value {
    let words = row["argv"].as_array().expect("a list");
    let argv: Vec<String> = words
        .iter()
        .map(|word| word.as_str().expect("a string").to_owned())
        .collect();
    let (class, look) = look(&argv);
    // A call that only a newer gh has is unknown as long as the installed version is not known.
    assert!(matches!(class, Class::Write | Class::Unknown), "{argv:?}");
    let answers: Vec<Answered> = row["answers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(answer)
        .collect();
    let reads = look.reads();
    assert_eq!(reads.len(), answers.len(), "{reads:?}");
    for read in &reads {
        assert_eq!(classify(read).class, Class::Read, "{read:?}");
    }
    let seen = look.seen(&answers);
    let facts: Vec<Value> = seen
        .facts
        .iter()
        .map(|fact| json!([fact.label, fact.tone.as_str(), fact.text]))
        .collect();
    let mut told = json!({"sentence": seen.sentence, "facts": facts});
    if !seen.supply.is_empty() {
        told["supply"] = json!(seen.supply);
    }
    if !seen.texts.is_empty() {
        told["texts"] = json!(seen.texts);
    }
    told
}

#[test]
fn a_person_is_told_the_deciding_facts_in_each_state() {
    each_row(ROWS, |row| {
        let told = told(row);
        (told != row["told"])
            .then(|| format!("{}\n  told {told}\n  not  {}", row["why"], row["told"]))
    });
}
