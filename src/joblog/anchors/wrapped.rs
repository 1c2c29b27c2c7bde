//! What some tools put around the text of their lines, and how the text is found.

use crate::text::terminal;

/// `text` without the letters `nl` that are left of a terminal sequence before a row of xcpretty: `nl** TEST FAILED **`.
/// Source: logs of Alamofire, with rows that begin with `nl` and a capital, a sign, two blanks or an escape.
pub(in crate::joblog) fn after_bare_nl(text: &str) -> &str {
    let sign = |next: char| !next.is_alphanumeric() && !next.is_whitespace() && next != ':';
    match text.strip_prefix("nl") {
        Some(row) if row.starts_with(char::is_uppercase) => row,
        Some(row) if row.starts_with("  ") || row.starts_with(" ->") => row,
        Some(row) if row.starts_with(sign) && !row.starts_with(['-', '.', '_', '/', '=']) => row,
        _ => text,
    }
}

/// The output in an event of `go test -json`; empty for an event without output, `None` if `text` is no such event.
/// Source: `go doc test2json`.
pub(in crate::joblog) fn event(text: &str) -> Option<String> {
    let begins = text.starts_with("{\"Time\":") || text.starts_with("{\"ImportPath\":");
    if !(begins && text.contains("\"Action\":\"")) {
        return None;
    }
    let event: serde_json::Value = serde_json::from_str(text).ok()?;
    match (event["Action"].as_str()?, event["Output"].as_str()) {
        ("output" | "build-output", Some(output)) => {
            Some(terminal::plain(output.trim_end()).replace(['\r', '\n'], " "))
        }
        (
            "start" | "run" | "pause" | "cont" | "pass" | "bench" | "fail" | "skip" | "build-fail",
            None,
        ) => Some(String::new()),
        _ => None,
    }
}

/// The length of the name of an Ant task before its output, padded to twelve bytes: `    [javac] `; 0 if there is none.
pub(in crate::joblog) fn task(text: &str) -> usize {
    let named = |head: &str| {
        let name = head.trim_start().strip_prefix('[')?.strip_suffix("] ")?;
        let level = [
            "error", "warn", "warning", "info", "debug", "fail", "failed", "fatal",
        ];
        let task = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !level.contains(&name);
        (head.starts_with(' ') && task).then_some(())
    };
    text.get(..12).and_then(named).map_or(0, |()| 12)
}
