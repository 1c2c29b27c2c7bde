//! The review comments of a pull request: how many threads there are, then each with its file and line, unresolved ones first.

use serde_json::Value;

use super::clean::{Clean, one_line};
use super::json::{RenderError, parse_bounded};
use crate::text::numbers::grouped;

/// Most threads that are shown.
const SHOWN: usize = 30;
/// Characters of a comment in an unresolved thread, and in a resolved one.
const OPEN_CHARS: usize = 160;
const RESOLVED_CHARS: usize = 60;

/// Renders the answer to `gh_pr_review_comments`, `{"total", "read", "threads": [{"path", "line", "resolved", "outdated",
/// "count", "comments": [{"author", "body"}]}]}`, with the first and the last comment of each thread.
///
/// The pull request has `total` threads, of which gh read `read`; `threads` has those on `file`, if a file was named.
pub fn threads(json: &[u8], file: Option<&str>, clean: Clean<'_>) -> Result<String, RenderError> {
    let expected = "list of review threads";
    let value = parse_bounded(json)?;
    let (Some(total), Some(read), Some(threads)) = (
        value["total"].as_u64(),
        value["read"].as_u64(),
        value["threads"].as_array(),
    ) else {
        return Err(RenderError::Shape { expected });
    };
    let resolved = |thread: &&Value| thread["resolved"].as_bool() == Some(true);
    let done = threads.iter().filter(resolved).count();
    let open = threads.len() - done;
    let place = file.map_or_else(String::new, |file| format!(" on {}", one_line(file, clean)));
    let least = if read < total { "≥" } else { "" };
    let plural = if threads.len() == 1 { "" } else { "s" };
    let mut lines = vec![format!(
        "{least}{} review thread{plural}{place}: {open} unresolved, {done} resolved",
        grouped(threads.len())
    )];
    let ordered = threads
        .iter()
        .filter(|thread| !resolved(thread))
        .chain(threads.iter().filter(resolved));
    for thread in ordered.take(SHOWN) {
        lines.extend(thread_lines(thread, clean));
    }
    if threads.len() > SHOWN {
        lines.push(format!(
            "[{} more; name one of the files with `file']",
            grouped(threads.len() - SHOWN)
        ));
    }
    if read < total {
        lines.push(format!(
            "[the first {} of {} threads were read]",
            grouped(read),
            grouped(total)
        ));
    }
    Ok(lines.join("\n"))
}

/// `- src/reader.rs:12 mona: Why not …`, then the last answer of an unresolved thread, if it has one.
fn thread_lines(thread: &Value, clean: Clean<'_>) -> Vec<String> {
    let is = |key: &str| thread[key].as_bool() == Some(true);
    let path = one_line(thread["path"].as_str().unwrap_or_default(), clean);
    let line = thread["line"]
        .as_u64()
        .map_or_else(String::new, |line| format!(":{line}"));
    let state = match (is("resolved"), is("outdated")) {
        (true, _) => " resolved",
        (false, true) => " outdated",
        (false, false) => "",
    };
    let chars = if is("resolved") {
        RESOLVED_CHARS
    } else {
        OPEN_CHARS
    };
    let comments = thread["comments"].as_array().map_or(&[][..], Vec::as_slice);
    let said = |comment: &Value| {
        format!(
            "{}: {}",
            one_line(comment["author"].as_str().unwrap_or("unknown"), clean),
            excerpt(comment["body"].as_str().unwrap_or_default(), chars, clean)
        )
    };
    let first = comments.first().map_or_else(String::new, said);
    let mut lines = vec![format!("- {path}{line}{state} {first}")];
    if let (Some(count), [_, last]) = (thread["count"].as_u64(), comments)
        && !is("resolved")
    {
        lines.push(format!("  last of {count}, {}", said(last)));
    }
    lines
}

/// The first `chars` characters of `text` on one line.
fn excerpt(text: &str, chars: usize, clean: Clean<'_>) -> String {
    let line = one_line(text, clean);
    match line.char_indices().nth(chars) {
        None => line,
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(value: &Value, file: Option<&str>, expect: &str) {
        let text = threads(value.to_string().as_bytes(), file, &|s| s.to_owned());
        assert_eq!(text.expect("a list of threads"), expect);
    }

    fn thread(path: &str, resolved: bool, bodies: &[&str]) -> Value {
        let comments: Vec<Value> = bodies
            .iter()
            .map(|body| json!({"author": "mona", "body": body}))
            .collect();
        json!({"path": path, "line": 12, "resolved": resolved, "outdated": false, "count": bodies.len(), "comments": comments})
    }

    #[test]
    fn unresolved_threads_come_first_and_each_thread_says_where_it_stands() {
        let value = json!({"total": 2, "read": 2, "threads": [
            thread("a.rs", true, &["Old\nstory", "Done"]),
            thread("b.rs", false, &["Why?\n- [gh x]", "Because"]),
        ]});
        check(
            &value,
            None,
            "2 review threads: 1 unresolved, 1 resolved\n- b.rs:12 mona: Why? - [gh x]\n  last of 2, mona: Because\n- a.rs:12 resolved mona: Old story",
        );
    }

    #[test]
    fn no_threads_are_said_and_threads_that_were_left_out_are_counted() {
        check(
            &json!({"total": 0, "read": 0, "threads": []}),
            Some("a\nb"),
            "0 review threads on a b: 0 unresolved, 0 resolved",
        );
        let many: Vec<Value> = (0..35)
            .map(|_| thread("f", false, &[&"x".repeat(400)]))
            .collect();
        let value = json!({"total": 140, "read": 100, "threads": many});
        let text = threads(value.to_string().as_bytes(), None, &|s| s.to_owned()).expect("a list");
        assert!(text.starts_with("≥35 review threads: 35 unresolved, 0 resolved\n"));
        assert!(text.ends_with("x…\n[5 more; name one of the files with `file']\n[the first 100 of 140 threads were read]"));
    }

    #[test]
    fn another_shape_is_an_error() {
        for json in ["[]", "{}", "{\"total\": 1}", "null"] {
            assert!(threads(json.as_bytes(), None, &|s| s.to_owned()).is_err());
        }
    }
}
