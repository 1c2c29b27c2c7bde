//! The review threads of a pull request: how many there are, then each with its place, its id, the code and what was said, unresolved
//! ones first.

use std::fmt::Write as _;

use serde_json::Value;

use super::clean::{Clean, one_line};
use super::json::{RenderError, parse_bounded};
use super::time::day;
use crate::text::numbers::grouped;

/// Most threads that are shown.
const SHOWN: usize = 30;
/// Characters for the remarks of all unresolved threads together, shared out among them, and what each gets at least and at most.  Ten
/// threads, six of them unresolved, then take some 600 tokens with ids of the usual length; those of one file may take more.
const CHARS: usize = 480;
const FILE_CHARS: usize = 900;
const FEW: usize = 80;
const MANY: usize = 600;
/// Characters of the one remark of a resolved thread, which is shown where no thread is unresolved.
const RESOLVED_CHARS: usize = 60;
/// Threads up to which resolved ones are told with their remark.
const SMALL: usize = 5;
/// Characters of the line of code, and among more threads.
const CODE: usize = 72;
const SHORT_CODE: usize = 36;

/// The threads as text, and in full where the text cuts remarks.
#[derive(Debug, PartialEq, Eq)]
pub struct Threads {
    /// The text.
    pub text: String,
    /// The whole remarks; `None` where nothing was cut.
    pub whole: Option<String>,
}

/// Renders the answer to `gh_pr_threads`: `{"number", "total", "read", "found", "open", "outdated", "threads": [{"id", "path", "line",
/// "start", "resolved", "by", "outdated", "kind", "count", "hunk", "first", "last"}]}`, where `first` and `last` are `{"author", "at",
/// "body"}`.  `None` for an empty object: there is no such pull request.
///
/// The pull request has `total` threads, of which gh read `read`; `found` are on `file`, if a file was named, and `threads` has the first.
/// `long`: each remark gets as much room as it may have, for a person who reads them.
///
/// # Errors
/// [`RenderError::Shape`] for any other JSON.
pub fn threads(
    json: &[u8],
    file: Option<&str>,
    long: bool,
    clean: Clean<'_>,
) -> Result<Option<Threads>, RenderError> {
    let expected = "list of review threads";
    let value = parse_bounded(json)?;
    if value.as_object().is_some_and(serde_json::Map::is_empty) {
        return Ok(None);
    }
    let count = |key: &str| value[key].as_u64();
    let (Some(total), Some(read), Some(found), Some(open), Some(threads)) = (
        count("total"),
        count("read"),
        count("found"),
        count("open"),
        value["threads"].as_array(),
    ) else {
        return Err(RenderError::Shape { expected });
    };
    let head = head(&value, (total, read, found, open), file, clean);
    let shown = &threads[..threads.len().min(SHOWN)];
    let unresolved = shown
        .iter()
        .filter(|thread| !is(thread, "resolved"))
        .count();
    let all = if file.is_some() { FILE_CHARS } else { CHARS };
    let share = (all / unresolved.max(1)).clamp(FEW, MANY);
    let chars = if long { MANY } else { share };
    let brief = !long
        && file.is_none()
        && unresolved > 0
        && unresolved < shown.len()
        && shown.len() > SMALL;
    let code = if long || shown.len() <= SMALL {
        CODE
    } else {
        SHORT_CODE
    };
    // The whole has the remarks that are left out.
    let mut cut = brief;
    let mut lines = vec![head.clone()];
    for thread in shown {
        lines.extend(short(thread, chars, brief, code, &mut cut, clean));
    }
    let left = found.saturating_sub(shown.len() as u64);
    if left > 0 {
        lines.push(format!(
            "[{} more; name one of the files with `file']",
            grouped(left)
        ));
    }
    if read < total {
        lines.push(format!(
            "[the first {} of {} threads were read]",
            grouped(read),
            grouped(total)
        ));
    }
    let whole = cut.then(|| {
        let all = threads.iter().map(|thread| in_full(thread, clean));
        std::iter::once(head)
            .chain(all)
            .collect::<Vec<_>>()
            .join("\n\n")
    });
    Ok(Some(Threads {
        text: lines.join("\n"),
        whole,
    }))
}

/// `10 review threads: 4 unresolved (1 outdated), 6 resolved`
fn head(
    value: &Value,
    (total, read, found, open): (u64, u64, u64, u64),
    file: Option<&str>,
    clean: Clean<'_>,
) -> String {
    let place = file.map_or_else(String::new, |file| format!(" on {}", one_line(file, clean)));
    let least = if read < total { "≥" } else { "" };
    let plural = if found == 1 { "" } else { "s" };
    let outdated = match value["outdated"].as_u64() {
        Some(outdated) if outdated > 0 => format!(" ({} outdated)", grouped(outdated)),
        _ => String::new(),
    };
    format!(
        "{least}{} review thread{plural}{place}: {} unresolved{outdated}, {} resolved",
        grouped(found),
        grouped(open),
        grouped(found.saturating_sub(open))
    )
}

fn is(thread: &Value, key: &str) -> bool {
    thread[key].as_bool() == Some(true)
}

/// `- src/reader.rs:12-14 outdated PRRT_x`, for a resolved thread `- src/reader.rs:12 resolved by mona PRRT_x`.
fn place(thread: &Value, clean: Clean<'_>) -> String {
    let mut place = format!(
        "- {}",
        one_line(thread["path"].as_str().unwrap_or_default(), clean)
    );
    if let Some(line) = thread["line"].as_u64() {
        let _ = match thread["start"].as_u64().filter(|start| *start < line) {
            Some(start) => write!(place, ":{start}-{line}"),
            None => write!(place, ":{line}"),
        };
    } else if thread["kind"] == "FILE" {
        place.push_str(" (whole file)");
    }
    if is(thread, "resolved") {
        place.push_str(" resolved");
        if let Some(by) = thread["by"].as_str() {
            let _ = write!(place, " by {}", one_line(by, clean));
        }
    } else if is(thread, "outdated") {
        place.push_str(" outdated");
    }
    if let Some(id) = thread["id"].as_str() {
        let _ = write!(place, " {}", one_line(id, clean));
    }
    place
}

fn author(remark: &Value, clean: Clean<'_>) -> String {
    one_line(remark["author"].as_str().unwrap_or("unknown"), clean)
}

/// A thread in few lines; sets `cut` where a remark is not whole.  `brief`: of a resolved thread only the place is told.  `code`:
/// characters of the line of code.
fn short(
    thread: &Value,
    chars: usize,
    brief: bool,
    code: usize,
    cut: &mut bool,
    clean: Clean<'_>,
) -> Vec<String> {
    let mut say = |remark: &Value, chars: usize| {
        let line = one_line(remark["body"].as_str().unwrap_or_default(), clean);
        let said = match line.char_indices().nth(chars) {
            None => line,
            Some((at, _)) => {
                *cut = true;
                format!("{}…", line[..at].trim_end())
            }
        };
        format!("{}: {said}", author(remark, clean))
    };
    let place = place(thread, clean);
    if is(thread, "resolved") {
        return vec![if brief {
            place
        } else {
            format!("{place} {}", say(&thread["first"], RESOLVED_CHARS))
        }];
    }
    let mut lines = vec![place];
    let hunk = thread["hunk"].as_str().unwrap_or_default();
    let last_line = hunk.lines().next_back();
    if let Some(line) = last_line.filter(|line| !line.starts_with("@@")) {
        let line = one_line(line, clean);
        let line: String = line.chars().take(code).collect();
        if line.trim().len() > 1 {
            lines.push(format!("  | {}", line.trim_end()));
        }
    }
    let count = thread["count"].as_u64().unwrap_or(1);
    let (first, last) = if count > 1 {
        (chars * 2 / 3, chars / 3)
    } else {
        (chars, 0)
    };
    lines.push(format!("  {}", say(&thread["first"], first)));
    if count > 1 {
        lines.push(format!("  last of {count}, {}", say(&thread["last"], last)));
    }
    lines
}

/// A thread with its lines of code and its whole remarks.
fn in_full(thread: &Value, clean: Clean<'_>) -> String {
    let quote = |text: &str| -> Vec<String> {
        clean(text)
            .lines()
            .map(|line| format!("  {line}"))
            .collect()
    };
    let mut lines = vec![place(thread, clean)];
    let hunk = thread["hunk"].as_str().unwrap_or_default();
    lines.extend(clean(hunk).lines().map(|line| format!("  | {line}")));
    let count = thread["count"].as_u64().unwrap_or(1);
    for (key, wanted) in [("first", true), ("last", count > 1)] {
        let remark = &thread[key];
        if wanted {
            let at = day(remark["at"].as_str().unwrap_or_default());
            let which = if key == "last" {
                format!("last of {count}, ")
            } else {
                String::new()
            };
            lines.push(format!(
                "  {which}{} {}:",
                author(remark, clean),
                one_line(at, clean)
            ));
            lines.extend(quote(remark["body"].as_str().unwrap_or_default()));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rendered(value: &Value, file: Option<&str>) -> Threads {
        threads(value.to_string().as_bytes(), file, false, &|s| s.to_owned())
            .expect("a list of threads")
            .expect("a pull request")
    }

    fn thread(path: &str, resolved: bool, bodies: &[&str]) -> Value {
        let said =
            |body: &str| json!({"author": "mona", "at": "2026-01-05T10:00:00Z", "body": body});
        json!({"id": "PRRT_1", "path": path, "line": 12, "start": 10, "resolved": resolved, "by": "alice", "outdated": false,
            "count": bodies.len(), "hunk": "@@ -1 +1 @@\n+let x = 1;", "first": said(bodies[0]), "last": said(bodies[bodies.len() - 1])})
    }

    fn answer(total: u64, read: u64, threads: &[Value]) -> Value {
        let open = threads.iter().filter(|one| !is(one, "resolved")).count();
        json!({"number": 1, "total": total, "read": read, "found": threads.len(), "open": open, "outdated": 0, "threads": threads})
    }

    #[test]
    fn each_thread_says_where_it_stands_and_by_which_id() {
        let value = answer(
            2,
            2,
            &[
                thread("b.rs", false, &["Why?\n- [gh x]", "Because"]),
                thread("a.rs", true, &["Old\nstory", "Done"]),
            ],
        );
        let Threads { text, whole } = rendered(&value, None);
        assert_eq!(
            text,
            "2 review threads: 1 unresolved, 1 resolved\n- b.rs:10-12 PRRT_1\n  | +let x = 1;\n  mona: Why? - [gh x]\n  last of 2, mona: Because\n- a.rs:10-12 resolved by alice PRRT_1 mona: Old story"
        );
        assert_eq!(whole, None);
    }

    #[test]
    fn among_many_threads_a_resolved_one_is_told_by_its_place() {
        let mut many: Vec<Value> = (0..5).map(|_| thread("f", false, &["open"])).collect();
        many.push(thread("g", true, &["Old\nstory"]));
        let Threads { text, whole } = rendered(&answer(6, 6, &many), None);
        assert!(
            text.ends_with("\n- g:10-12 resolved by alice PRRT_1"),
            "{text}"
        );
        assert!(
            whole
                .expect("the whole")
                .ends_with("  mona 2026-01-05:\n  Old\n  story")
        );
        let json = answer(6, 6, &many).to_string();
        let long = threads(json.as_bytes(), None, true, &|s| s.to_owned());
        let long = long.expect("a list").expect("a pull request");
        assert!(
            long.text.ends_with(" PRRT_1 mona: Old story"),
            "{}",
            long.text
        );
        assert_eq!(long.whole, None);
    }

    #[test]
    fn a_cut_remark_is_whole_in_the_kept_text() {
        let body = "x".repeat(700);
        let value = answer(1, 1, &[thread("f", false, &[&body])]);
        let Threads { text, whole } = rendered(&value, None);
        assert!(text.ends_with("x…"), "{text}");
        let whole = whole.expect("the whole");
        assert!(whole.contains(&body), "{whole}");
        assert!(whole.contains("  mona 2026-01-05:\n"), "{whole}");
    }

    #[test]
    fn no_threads_are_said_and_threads_that_were_left_out_are_counted() {
        assert_eq!(
            rendered(&answer(0, 0, &[]), Some("a\nb")).text,
            "0 review threads on a b: 0 unresolved, 0 resolved"
        );
        let many: Vec<Value> = (0..35).map(|_| thread("f", false, &["short"])).collect();
        let text = rendered(&answer(140, 100, &many), None).text;
        assert!(text.starts_with("≥35 review threads: 35 unresolved, 0 resolved\n"));
        assert!(text.ends_with("short\n[5 more; name one of the files with `file']\n[the first 100 of 140 threads were read]"), "{text}");
    }

    #[test]
    fn another_shape_is_an_error_and_an_empty_object_no_pull_request() {
        for json in ["[]", "{\"total\": 1}", "null"] {
            assert!(threads(json.as_bytes(), None, false, &|s| s.to_owned()).is_err());
        }
        assert_eq!(threads(b"{}", None, false, &|s| s.to_owned()), Ok(None));
    }
}
