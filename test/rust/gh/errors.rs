//! gh's error texts, recorded from gh 2.92.0 and 2.103.3, against the kind and the advice that each must give.

use cj_gate::gate::ErrorKind;
use cj_gate::gh::errors::{Run, diagnose};
use proptest::prelude::*;
use serde_json::Value;

const RECORDED: &str = include_str!("../../../fixtures/gh-errors.jsonl");

fn rows() -> Vec<Value> {
    let rows = RECORDED
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row is JSON"));
    rows.collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().expect("a row has its texts")
}

#[test]
fn every_recorded_failure_has_its_kind_and_says_what_to_do() {
    let mut wrong = Vec::new();
    for row in rows() {
        let code = i32::try_from(row["exit"].as_i64().expect("a code")).expect("a small code");
        let run = Run {
            command: text(&row, "command"),
            host: text(&row, "host"),
            token_variable: None,
            exit: code,
            has_output: !text(&row, "stdout").is_empty(),
            stderr: text(&row, "stderr"),
        };
        let failure = diagnose(&run, &|s| s.to_owned());
        let kind = failure.as_ref().map(|f| f.kind.as_str());
        let message = failure.map(|f| f.message).unwrap_or_default();
        let says = row["says"].as_array().expect("a list");
        let silent = |s: &&Value| !message.contains(s.as_str().expect("a text"));
        let lines_fit = kind.is_none() || message.lines().count() == 2;
        if kind != row["kind"].as_str() || says.iter().any(|s| silent(&s)) || !lines_fit {
            wrong.push(format!(
                "{} {} ({}): expected {} {}, got {kind:?}\n{message}\nstderr: {}",
                text(&row, "version"),
                text(&row, "name"),
                text(&row, "why"),
                row["kind"],
                row["says"],
                text(&row, "stderr").lines().next().unwrap_or_default(),
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

#[test]
fn the_record_holds_both_versions_and_every_kind_that_words_decide() {
    let rows = rows();
    for version in ["2.92.0", "2.103.3"] {
        assert!(rows.iter().any(|r| text(r, "version") == version));
    }
    for kind in [
        ErrorKind::Auth,
        ErrorKind::RateLimit,
        ErrorKind::NotFound,
        ErrorKind::NoAccess,
        ErrorKind::Network,
        ErrorKind::Usage,
        ErrorKind::Failed,
    ] {
        assert!(rows.iter().any(|r| r["kind"] == kind.as_str()), "{kind}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_two_lines_without_control_characters(stderr in "(?s).{0,600}", code in -1_i32..256) {
        let run = Run {
            command: "pr view",
            host: "github.com",
            token_variable: None,
            exit: code,
            has_output: true,
            stderr: &stderr,
        };
        match diagnose(&run, &|s| s.to_owned()) {
            None => prop_assert_eq!(code, 0),
            Some(f) => {
                prop_assert_eq!(f.message.split('\n').count(), 2);
                prop_assert!(!f.message.chars().any(|c| c.is_control() && c != '\n'));
                prop_assert!(f.message.chars().count() < 1_500);
            }
        }
    }

    #[test]
    fn a_quoted_name_never_makes_a_login_expired(name in r#"[^"\r\n]{0,80}"#) {
        let stderr = format!("no pull requests found for branch \"HTTP 401: {name} (https://x)\"\n");
        let run = Run {
            command: "pr view",
            host: "github.com",
            token_variable: None,
            exit: 1,
            has_output: false,
            stderr: &stderr,
        };
        let kind = diagnose(&run, &|s| s.to_owned()).map(|f| f.kind);
        prop_assert_eq!(kind, Some(ErrorKind::NotFound));
    }
}
