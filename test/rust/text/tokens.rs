//! The estimate of tokens against the real counts in fixtures/tokens/. The weights were fitted on other texts.

#![allow(clippy::print_stdout, reason = "--nocapture shows the figures")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cj_gate::text::tokens::count as count_tokens;
use proptest::prelude::*;
use serde_json::Value;

/// The kinds of text that the tools give a model. The kind `other` (other languages, emoji, drawn lines) has a test of its own.
const CORE: &[&str] = &["english", "code", "diffs", "logs", "json"];

struct Row {
    name: String,
    bytes: usize,
    off: f64,
}

fn row(line: &str) -> Row {
    let row: Value = serde_json::from_str(line).expect("a row is JSON");
    let text = row["text"].as_str().expect("a text");
    let real = row["tokens"].as_u64().expect("a count");
    let estimate = u64::try_from(count_tokens(text)).expect("a count");
    let real = i32::try_from(real).expect("the number is small");
    let estimate = i32::try_from(estimate).expect("the number is small");
    Row {
        name: row["name"].as_str().expect("a name").to_owned(),
        bytes: text.len(),
        off: f64::from(estimate) / f64::from(real) - 1.0,
    }
}

/// The rows of fixtures/tokens/`kind`.jsonl, the row with the smallest error first.
fn rows(kind: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/tokens/{kind}.jsonl"));
    let text = fs::read_to_string(path).expect("a fixture");
    sorted(text.lines().map(row).collect())
}

fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|a, b| a.off.abs().total_cmp(&b.off.abs()));
    rows
}

/// The error that `percent` of `rows` do not exceed: 0.1 is a tenth of the real count.
fn within(rows: &[Row], percent: usize) -> f64 {
    rows[(rows.len() * percent).div_ceil(100) - 1].off.abs()
}

fn describe(kind: &str, rows: &[Row]) {
    let (sum, count) = rows
        .iter()
        .fold((0.0, 0.0), |(s, n), r| (s + r.off, n + 1.0));
    let worst = rows.last().expect("a row");
    println!(
        "{kind:8} {:3} texts: p50 {:.3}, p90 {:.3}, p95 {:.3}, mean {:+.3}, worst {:+.3} ({})",
        rows.len(),
        within(rows, 50),
        within(rows, 90),
        within(rows, 95),
        sum / count,
        worst.off,
        worst.name
    );
}

#[test]
fn the_estimate_is_within_a_tenth_for_nineteen_texts_of_twenty() {
    let mut all = Vec::new();
    for kind in CORE {
        let found = rows(kind);
        describe(kind, &found);
        assert!(found.iter().all(|row| row.bytes >= 200), "{kind}");
        all.extend(found);
    }
    let all = sorted(all);
    describe("all", &all);
    assert!(all.len() >= 100, "{}", all.len());
    assert!(within(&all, 95) <= 0.10, "{}", within(&all, 95));
}

#[test]
fn other_languages_and_emoji_are_counted_within_three_tenths() {
    let found = rows("other");
    for row in &found {
        println!("{:+.3} {}", row.off, row.name);
        assert!(row.off.abs() <= 0.30, "{}: {:+.3}", row.name, row.off);
    }
    assert!(found.len() >= 12);
}

#[test]
fn short_texts_are_counted_within_one_token() {
    for (text, tokens) in [
        ("", 0),
        ("a", 1),
        ("hello", 1),
        (" hello world", 2),
        ("1234567", 3),
        ("\n", 1),
        ("   ", 1),
        ("don't", 2),
        ("HTMLParser", 2),
        ("fn main() {}\n", 5),
        ("é", 1),
    ] {
        let got = count_tokens(text);
        assert!(got.abs_diff(tokens) <= 1, "{text:?}: {got}, not {tokens}");
    }
    assert_eq!(count_tokens(""), 0);
}

/// Units that, repeated, make one very long piece or let every look into the table fail.
const HARD: &[&str] = &[
    "a", "A", "aZ", "zq", "-", "=", " ", "\n", " \n", "\t", "0", "é", "\u{301}", "字", "😀", "'s",
    "─", "\u{a0}", "x\u{301}", "qzjx", "~!@", "\r\n/", "'", "ǅ", "²",
];

#[test]
fn hard_texts_of_128_kib_are_counted_within_20_seconds() {
    for unit in HARD {
        let text = unit.repeat((1 << 17) / unit.len());
        let begun = Instant::now();
        let got = count_tokens(&text);
        // An unoptimised build on a busy machine needs far less; a quadratic step would take minutes.
        assert!(begun.elapsed() < Duration::from_secs(20), "{unit:?}");
        assert!(got > 0 && got <= text.len() * 3, "{unit:?}: {got}");
    }
}

proptest! {
    #[test]
    fn any_text_is_counted_and_costs_at_most_its_bytes(text in "(?s).{0,200}") {
        let got = count_tokens(&text);
        prop_assert!(got <= text.len());
        prop_assert_eq!(got == 0, text.is_empty());
    }

    #[test]
    fn two_texts_together_cost_about_the_sum_of_both(a in "(?s).{0,80}", b in "[a-z ]{0,80}") {
        let both = count_tokens(&format!("{a}\n{b}"));
        let alone = count_tokens(&a) + count_tokens(&b);
        prop_assert!(both.abs_diff(alone) <= 12, "{} and {}", both, alone);
    }
}
