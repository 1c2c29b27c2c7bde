//! Labelled rows: fixtures/redact.jsonl, redact-own.jsonl, and redact-fresh.jsonl, whose author had not read the rules. Every
//! secret is masked whole, and no innocent text is damaged.

use cj_gate::gh::judge::roles::GhRoles;
use cj_gate::redact::Redactor;
use serde_json::Value;

/// One row of the fixture.
pub struct Row {
    pub id: String,
    pub family: String,
    pub input: Input,
    /// Pieces of secrets that the output must not have.
    pub gone: Vec<String>,
    /// Innocent pieces that the output must have.
    pub kept: Vec<String>,
    /// Secrets that the process holds.
    pub known: Vec<String>,
    /// `true`: the input holds a secret. `false`: the output must equal the input.
    pub positive: bool,
}

/// A text, or an argument list.
pub enum Input {
    Text(String),
    Argv(Vec<String>),
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().map_or_else(Vec::new, |list| {
        list.iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    })
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/");
    let read = |name: &str| {
        std::fs::read_to_string(format!("{folder}{name}")).expect("fixtures are in the repository")
    };
    parsed(&(read("redact.jsonl") + &read("redact-own.jsonl") + &read("redact-fresh.jsonl")))
}

/// The rows of `text`, one a line.
pub fn parsed(text: &str) -> Vec<Row> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let row: Value = serde_json::from_str(line).expect("a row is JSON");
            let input = match &row["input"] {
                Value::String(text) => Input::Text(text.clone()),
                list => Input::Argv(strings(list)),
            };
            let of = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            Row {
                id: of("id"),
                family: of("type"),
                input,
                gone: strings(&row["must_not_contain"]),
                kept: strings(&row["must_contain"]),
                known: strings(&row["known"]),
                positive: of("class") == "pos",
            }
        })
        .collect()
}

/// The redacted input of `row`; an argument list is joined by line breaks.
pub fn output(row: &Row) -> String {
    let redactor = Redactor::new(&row.known);
    match &row.input {
        Input::Text(text) => redactor.text(text),
        Input::Argv(argv) => redactor.argv(argv, Some(&GhRoles)).join("\n"),
    }
}

/// The secrets of `row` that `out` still shows, and the innocent pieces that it lacks.
pub fn leaks_and_losses<'r>(row: &'r Row, out: &str) -> (Vec<&'r String>, Vec<&'r String>) {
    let leaks = row.gone.iter().filter(|piece| out.contains(*piece));
    let lost = row.kept.iter().filter(|piece| !out.contains(*piece));
    (leaks.collect(), lost.collect())
}

#[test]
fn no_row_leaks_and_none_is_damaged() {
    let rows = rows();
    let (mut positives, mut caught, mut negatives, mut damaged) = (0, 0, 0, 0);
    let mut failures = Vec::new();
    for row in &rows {
        let out = output(row);
        let (leaks, lost) = leaks_and_losses(row, &out);
        let fine = leaks.is_empty() && lost.is_empty();
        if row.positive {
            positives += 1;
            caught += usize::from(leaks.is_empty());
        } else {
            negatives += 1;
            let whole = match &row.input {
                Input::Text(text) => *text == out,
                Input::Argv(argv) => argv.join("\n") == out,
            };
            damaged += usize::from(!whole);
        }
        if !fine || (!row.positive && out.contains("[REDACTED:")) {
            let shown: String = out.chars().take(400).collect();
            failures.push(format!(
                "{} {}: leaks {leaks:?} lost {lost:?}\n  {shown}",
                row.id, row.family
            ));
        }
    }
    let report = format!("recall {caught}/{positives}, damaged {damaged}/{negatives}");
    assert!(failures.is_empty(), "{report}\n{}", failures.join("\n"));
}
