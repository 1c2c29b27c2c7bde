//! Judges the rows of a file of your own: `REDACT_ROWS=rows.jsonl cargo test --no-default-features --test suite redact::judge -- --nocapture`.
//!
//! The rows have the form of fixtures/redact.jsonl. Every row is also cut at every place, and redacted a second time.
//! Without the variable no row is judged; the rows of the repository have tests of their own.

use cj_gate::gh::judge::roles::GhRoles;
use cj_gate::redact::Redactor;

use super::rows::{Input, Row, leaks_and_losses, output, parsed};

/// The faults of `row` when its text is cut into a stream, and when its result `out` is redacted again.
fn unstable(row: &Row, out: &str) -> Vec<String> {
    let redactor = Redactor::new(&row.known);
    let mut wrong = Vec::new();
    match &row.input {
        Input::Argv(argv) => {
            let once = redactor.argv(argv, Some(&GhRoles));
            if redactor.argv(&once, Some(&GhRoles)) != once {
                wrong.push("a second redaction changes the arguments".to_owned());
            }
        }
        Input::Text(text) => {
            if redactor.text(out) != out {
                wrong.push(format!(
                    "a second redaction changes the text: {:?}",
                    redactor.text(out)
                ));
            }
            let cuts: Vec<usize> = (0..=text.len())
                .filter(|at| text.is_char_boundary(*at))
                .collect();
            let step = cuts.len() / 4096 + 1;
            for at in cuts.into_iter().step_by(step) {
                let (head, tail) = text.split_at(at);
                let pieces = [head.to_owned(), tail.to_owned()];
                if redactor.chunks(&pieces).concat() != out {
                    wrong.push(format!("another text when cut at {at}"));
                    break;
                }
            }
        }
    }
    wrong
}

#[test]
fn the_rows_that_the_environment_names_are_judged() {
    let Some(path) = std::env::var_os("REDACT_ROWS") else {
        return;
    };
    let text = std::fs::read_to_string(&path).expect("REDACT_ROWS names a file that can be read");
    let rows = parsed(&text);
    let (mut positives, mut caught, mut negatives, mut damaged, mut lossy) = (0, 0, 0, 0, 0);
    let mut failures = Vec::new();
    for row in &rows {
        let out = output(row);
        let before = match &row.input {
            Input::Text(text) => text.clone(),
            Input::Argv(argv) => argv.join("\n"),
        };
        let (leaks, lost) = leaks_and_losses(row, &out);
        let changed = !row.positive && out != before;
        if row.positive {
            positives += 1;
            caught += usize::from(leaks.is_empty());
            lossy += usize::from(!lost.is_empty());
        } else {
            negatives += 1;
            damaged += usize::from(changed || !lost.is_empty());
        }
        let unstable = unstable(row, &out);
        if !leaks.is_empty() || !lost.is_empty() || changed || !unstable.is_empty() {
            failures.push(format!(
                "{} {}: leaks {leaks:?} lost {lost:?} {unstable:?}\n  in  {before:?}\n  out {out:?}",
                row.id, row.family
            ));
        }
    }
    let report = format!(
        "recall {caught}/{positives}, damaged {damaged}/{negatives}, innocent text lost beside a secret {lossy}/{positives}, rows that fail {}/{}",
        failures.len(),
        rows.len()
    );
    #[expect(clippy::print_stdout, reason = "shown with --nocapture")]
    {
        println!("{}\n{report}", failures.join("\n"));
    }
    assert!(failures.is_empty(), "{report}");
}
