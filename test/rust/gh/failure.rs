//! The failure in job logs of real tools: fixtures/ci-logs, in both of gh's forms.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cj_gate::joblog::{extract, find};
use cj_gate::text::tokens::count;
use proptest::prelude::*;
use serde_json::Value;

/// The tokens that a result may have.
const BUDGET: usize = 600;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/ci-logs")
        .join(name)
}

/// One log in one form, and what must be found in it.
struct Case {
    name: String,
    log: String,
    expect: Value,
}

fn cases(name: &str) -> Vec<Case> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder(name)).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let file = path.to_string_lossy().into_owned();
        let Some(base) = file.strip_suffix(".expect.json") else {
            continue;
        };
        let expect: Value =
            serde_json::from_slice(&fs::read(&path).expect("it can be read")).expect("it is JSON");
        for form in ["raw", "ghfailed"] {
            if form == "ghfailed" && expect["only_in_raw"] == true {
                continue;
            }
            let log = fs::read(format!("{base}.{form}.log")).expect("each case has both forms");
            found.push(Case {
                name: format!("{} ({form})", base.rsplit('/').next().unwrap_or(base)),
                log: String::from_utf8_lossy(&log).into_owned(),
                expect: expect.clone(),
            });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The folders with logs of real runs.
const REAL: &[&str] = &[
    "made",
    "held",
    "unseen",
    "unseen-again",
    "unseen-last",
    "unseen-since",
    "fresh-a",
    "fresh-b",
    "fresh-c",
    "fresh-d",
    "fresh-e",
    "fresh-f",
];

/// Cases for which something is still wrong, each with the reason.
const STANDING: &[(&str, &str)] = &[
    ("f-dejagnu", "a count stands below the failed test"),
    ("chicken-scheme-error", "the interpreter says no place"),
    (
        "kubectl-bad-yaml",
        "what went well stands next to the cause",
    ),
    (
        "allowed-step-before-real",
        "the log does not say that the first step may fail",
    ),
    (
        "curl-404-download",
        "the words that mislead are in the step's own script",
    ),
    (
        "disk-full-b",
        "the words that mislead are in the step's own script",
    ),
    (
        "flake8-statistics",
        "of three commands the log does not say which one failed",
    ),
    ("msgfmt-check-format", "a count stands next to the cause"),
    (
        "mvn-parent-not-found",
        "the words that mislead are in the message itself",
    ),
    (
        "pylint-fail-on-errors",
        "lesser findings stand next to the cause",
    ),
    (
        "python-heredoc-keyerror",
        "the words that mislead are in the step's own script",
    ),
    (
        "rsync-missing-source",
        "the words that mislead are in the step's own script",
    ),
    (
        "two-steps-one-allowed",
        "the log does not say that the first step may fail",
    ),
];

impl Case {
    fn is(&self, name: &str) -> bool {
        self.name.split(' ').next() == Some(name)
    }
}

/// The samples, read once.
static SAMPLES: LazyLock<Vec<Case>> = LazyLock::new(|| cases("samples"));

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |one: &Value| squeezed(one.as_str().expect("a string"));
    list.iter().map(text).collect()
}

/// What is wrong with the result for `case`; empty where nothing is.
fn complaints(case: &Case) -> Vec<String> {
    let told = squeezed(&extract(&case.log, BUDGET));
    let mut wrong = Vec::new();
    for any in case.expect["must_contain_any"].as_array().expect("lists") {
        let any = texts(any);
        if !any.iter().any(|text| told.contains(text)) {
            wrong.push(format!("{}: none of {any:?}", case.name));
        }
    }
    for text in texts(&case.expect["must_not_be_claimed"]) {
        if told.contains(&text) {
            wrong.push(format!("{}: claims {text:?}", case.name));
        }
    }
    wrong
}

#[test]
fn cause_and_command_of_every_sample_are_told_and_nothing_else_is_claimed() {
    let cases = cases("samples");
    assert!(cases.len() >= 22, "only {} logs", cases.len());
    let wrong: Vec<String> = cases.iter().flat_map(complaints).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cause_and_command_of_real_runs_are_told_and_nothing_else_is_claimed() {
    let cases: Vec<Case> = REAL.iter().flat_map(|folder| cases(folder)).collect();
    let kinds: BTreeSet<String> = cases
        .iter()
        .map(|case| case.expect["kind"].to_string())
        .collect();
    assert!(
        cases.len() >= 1_640 && kinds.len() >= 300,
        "{} logs of {} kinds",
        cases.len(),
        kinds.len()
    );
    let (standing, others): (Vec<&Case>, Vec<&Case>) = cases
        .iter()
        .partition(|case| STANDING.iter().any(|(name, _)| case.is(name)));
    let wrong: Vec<String> = others.into_iter().flat_map(complaints).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (name, _) in STANDING {
        let mut forms = standing.iter().filter(|case| case.is(name));
        assert!(
            forms.any(|case| !complaints(case).is_empty()),
            "{name} is right now"
        );
    }
}

#[test]
fn a_failure_is_told_in_few_tokens() {
    let mut all: Vec<usize> = Vec::new();
    for folder in REAL.iter().chain(&["samples"]) {
        all.extend(
            cases(folder)
                .iter()
                .map(|case| count(&extract(&case.log, BUDGET))),
        );
    }
    let mean = all.iter().sum::<usize>() / all.len();
    assert!(mean <= 300, "{mean} tokens at the mean");
    assert!(all.iter().all(|tokens| *tokens <= BUDGET), "{all:?}");
}

#[test]
fn trouble_that_passed_is_not_told_as_the_cause() {
    let lines = [
        "attempt 1 of 3",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "attempt 1 failed, waiting 5 s",
        "attempt 2 of 3",
        "database is up",
        "scenario 17 (refund): balance is 90, expected 100",
        "39 passed, 1 failed",
        "##[error]Process completed with exit code 1.",
    ];
    let log = lines
        .map(|line| format!("2026-11-10T11:37:50.2503752Z {line}\n"))
        .concat();
    let told = extract(&log, BUDGET);
    assert!(
        told.contains("balance is 90") && !told.contains("ECONNREFUSED"),
        "{told}"
    );
}

/// `log` with lines put after the start of its last failed script, and before its end; none where no script failed.
fn with_noise(log: &str, after: &[String], before: &[String]) -> Option<String> {
    let lines: Vec<&str> = log.lines().collect();
    let end = lines
        .iter()
        .rposition(|line| line.contains("##[error]Process completed with exit code"))?;
    let start = lines[..end]
        .iter()
        .rposition(|line| line.contains("##[endgroup]"))?;
    let lead = &lines[end][..lines[end].find("Z ")? + 2];
    let stamped = |texts: &[String]| {
        let lines = texts.iter().map(|text| [lead, text].concat());
        lines.collect::<Vec<_>>()
    };
    let own = |part: &[&str]| part.iter().map(ToString::to_string).collect::<Vec<_>>();
    let parts = [
        own(&lines[..=start]),
        stamped(after),
        own(&lines[start + 1..end]),
        stamped(before),
        own(&lines[end..]),
    ];
    Some(parts.concat().join("\n"))
}

#[test]
fn neither_a_repeated_try_nor_a_clean_up_is_told_in_any_log() {
    let tries: Vec<String> = [
        "attempt 1 of 3",
        "curl: (7) Failed to connect to mirror.example.org port 443: Connection refused",
        "retrying in 5 s",
        "attempt 2 of 3",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain((0..5).map(|part| format!("fetched part {part}")))
    .collect();
    let clean_up: Vec<String> = std::iter::once("restoring work tree".to_owned())
        .chain((0..12).map(|part| format!("restored file src/part{part}.txt")))
        .chain(["removed lock of site (error: lock was not held)".to_owned()])
        .collect();
    let mut logs = 0;
    for folder in REAL {
        for case in cases(folder) {
            if !case.name.ends_with("(raw)") {
                continue;
            }
            let Some(log) = with_noise(&case.log, &tries, &clean_up) else {
                continue;
            };
            logs += 1;
            let told = extract(&log, BUDGET);
            for noise in ["mirror.example.org", "restored file", "lock was not held"] {
                assert!(
                    !told.contains(noise),
                    "{}: tells {noise:?}\n{told}",
                    case.name
                );
            }
        }
    }
    assert!(logs > 500, "{logs} logs");
}

#[test]
fn structure_has_step_command_and_exit_code_in_both_forms() {
    for case in cases("samples") {
        if !case.name.starts_with("make-linker-undefined") {
            continue;
        }
        let failure = find(&case.log, BUDGET);
        assert!(failure.marked);
        let [step] = &failure.steps[..] else {
            panic!("{}: {} steps", case.name, failure.steps.len());
        };
        assert_eq!(
            step.job.as_deref(),
            Some("build (gcc-12, static)"),
            "{}",
            case.name
        );
        assert_eq!(step.command, ["make -j2"], "{}", case.name);
        assert_eq!(step.exit_code, Some(2), "{}", case.name);
        assert!(step.anchored, "{}", case.name);
    }
}

#[test]
fn no_line_that_tells_is_said_to_be_none() {
    let log = "2026-11-10T11:37:50.2503752Z ##[group]Run ./x\n2026-11-10T11:37:50.2503752Z \u{1b}[36;1m./x\u{1b}[0m\n\
               2026-11-10T11:37:50.2503752Z shell: /usr/bin/bash -e {0}\n2026-11-10T11:37:50.2503752Z ##[endgroup]\n\
               2026-11-10T11:37:50.2503752Z step one\n2026-11-10T11:37:50.2503752Z step two\n\
               2026-11-10T11:37:50.2503752Z ##[error]Process completed with exit code 3.\n";
    let failure = find(log, BUDGET);
    assert!(!failure.steps[0].anchored);
    let told = extract(log, BUDGET);
    assert!(
        told.contains("No line says why") && told.contains("step two"),
        "{told}"
    );
    assert!(extract("", BUDGET).contains("log is empty"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic_and_within_the_budget(
        bytes in proptest::collection::vec(any::<u8>(), 0..4_000),
        budget in 0_usize..700,
    ) {
        let told = extract(&String::from_utf8_lossy(&bytes), budget);
        prop_assert!(count(&told) <= budget, "{} tokens for {budget}", count(&told));
    }

    #[test]
    fn any_order_of_real_lines_is_read_without_a_panic_and_within_the_budget(
        picks in proptest::collection::vec((0_usize..1_000_000, any::<bool>()), 0..200),
        budget in 0_usize..700,
    ) {
        let cases = &*SAMPLES;
        let mut log = String::new();
        for (pick, cut) in picks {
            let lines: Vec<&str> = cases[pick % cases.len()].log.lines().collect();
            let line = lines[pick % lines.len().max(1)];
            let end = if cut { line.len() / 2 } else { line.len() };
            let end = (0..=end).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
            log.push_str(&line[..end]);
            log.push('\n');
        }
        let told = extract(&log, budget);
        prop_assert!(count(&told) <= budget, "{} tokens for {budget}", count(&told));
    }
}
