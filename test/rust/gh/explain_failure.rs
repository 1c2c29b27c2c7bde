//! Why the lines of a failure were chosen: the reasons belong to the lines that are told, and add up to their scores.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use cj_gate::gh::explain_failure::{Explanation, Reason, explain_failure};
use cj_gate::joblog::{extract, find, unstamped};
use cj_gate::redact::Redactor;
use regex::Regex;

const BUDGET: usize = 600;

/// The colours in a log, as bytes or in caret form.
static COLOUR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\x1b|\^\[)\[[0-9;]*[mK]").expect("a pattern"));

/// The job logs of fixtures/ci-logs/samples in both of gh's forms.
fn samples() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ci-logs/samples");
    let files = fs::read_dir(root).expect("the folder is there");
    let logs: Vec<_> = files
        .map(|file| {
            let file = file.expect("it can be read").path();
            let text = fs::read_to_string(&file).expect("a log is text");
            (file.display().to_string(), text)
        })
        .collect();
    assert!(logs.len() >= 22, "only {} logs", logs.len());
    logs
}

/// Each line that is told, with its reasons.
fn lines(explained: &Explanation) -> Vec<(&String, &Reason)> {
    let steps = explained.failure.steps.iter().zip(&explained.steps);
    let lines = steps.flat_map(|(told, (certain, fill))| {
        assert_eq!(
            (told.certain.len(), told.fill.len()),
            (certain.len(), fill.len())
        );
        let texts = told.certain.iter().chain(&told.fill);
        texts.zip(certain.iter().chain(fill))
    });
    lines.collect()
}

#[test]
fn the_explained_lines_are_those_that_are_told() {
    for (name, text) in samples() {
        let explained = explain_failure(&text, BUDGET);
        let told = extract(&text, BUDGET);
        let mut rest = told.lines().map(str::trim);
        let all = lines(&explained);
        assert_eq!(all.is_empty(), text.is_empty(), "{name}");
        for (line, _) in all {
            assert!(
                rest.any(|told| told == line.trim()),
                "{name}: {line:?} is not told here"
            );
        }
        let budget = 100;
        let explained = explain_failure(&text, budget);
        assert_eq!(explained.failure, find(&text, budget), "{name}");
    }
}

#[test]
fn the_number_of_a_line_is_that_in_the_log() {
    for (name, text) in samples() {
        let text = COLOUR.replace_all(&text, "");
        let plain: Vec<&str> = text.split('\n').collect();
        for (line, reason) in lines(&explain_failure(&text, BUDGET)) {
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let there = squeezed(&unstamped(plain[reason.line - 1]));
            let start: String = squeezed(line).chars().take(9).collect();
            assert!(there.contains(&start), "{name}: {line:?} is not {there:?}");
        }
    }
}

#[test]
fn the_weights_of_a_line_and_what_was_carried_add_up_to_its_score() {
    for (name, text) in samples() {
        for (line, reason) in lines(&explain_failure(&text, BUDGET)) {
            let own: f32 = reason.features.iter().map(|row| row.weight).sum();
            let carried = reason.above.iter().chain(&reason.below);
            let sum = own + carried.map(|carried| carried.score).sum::<f32>();
            assert!((sum - reason.score).abs() < 1e-3, "{name}: {line:?}: {sum}");
            assert!(reason.above.iter().all(|above| above.line < reason.line));
            assert!(reason.below.iter().all(|below| below.line > reason.line));
        }
    }
}

#[test]
fn a_private_key_above_a_line_does_not_change_its_number() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n".repeat(6);
    let log = format!(
        "one\n-----BEGIN PRIVATE KEY-----\n{body}-----END PRIVATE KEY-----\ntwo\n\
         error: no such file: a.txt\n##[error]Process completed with exit code 2.\n"
    );
    let redacted = Redactor::new(&[]).text(&log);
    assert!(redacted.lines().count() < log.lines().count());
    let mut explained = explain_failure(&redacted, BUDGET);
    explained.number_by(&log, &redacted);
    let all = lines(&explained);
    let (_, reason) = all
        .iter()
        .find(|(line, _)| line.contains("a.txt"))
        .expect("the cause is told");
    assert_eq!(
        log.lines().nth(reason.line - 1),
        Some("error: no such file: a.txt")
    );
    assert!(
        reason
            .above
            .iter()
            .chain(&reason.below)
            .all(|carried| carried.line <= log.lines().count())
    );
}
