//! The suites of src/gh/.  A suite without a `mod` line here is included by the source that it tests; its first lines say which.

use serde_json::Value;
use std::path::Path;

mod approve;
#[path = "../../../tools/catalog/ask.rs"]
#[expect(
    clippy::disallowed_methods,
    reason = "it starts the real gh, as the catalog generator does"
)]
#[allow(dead_code, reason = "the generator uses more of it than the suites")]
mod ask;
mod attack_pin;
mod classify;
mod classify_api;
mod classify_baseline;
mod classify_catalog;
mod classify_parse;
mod classify_props;
mod conformance;
mod context;
mod errors;
mod explain_failure;
mod failure;
mod fill;
mod job_log;
mod pin;
mod question;
mod question_blind;
mod question_gh;
mod render;
mod render_views;
mod reproduce;
mod scope;

/// The catalogued gh of `version`; none, with a printed line that the check is skipped, where that gh is missing.
#[expect(clippy::print_stdout, reason = "a skipped check says so")]
fn pinned(version: &str) -> Option<ask::Gh> {
    let gh = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(".deps/gh")
        .join(version)
        .join("gh");
    if !gh.exists() {
        println!("skipped: no gh {version} under .deps (make deps brings it)");
        return None;
    }
    Some(ask::Gh::new(&gh).expect("a scratch home can be made"))
}

/// Asserts that `wrong`, which returns a fault as text, finds none in any of `rows` (JSON values, one a line).
fn each_row(rows: &str, wrong: impl Fn(&Value) -> Option<String>) {
    let failed: Vec<String> = rows
        .lines()
        .filter_map(|line| wrong(&serde_json::from_str(line).expect("each line is JSON")))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
