//! The line comments of a review, as the tool's arguments give them.

use serde_json::Value;

use super::lines::Side;
use crate::gate::decide::argv::MAX_TOTAL;
use crate::gate::{ErrorKind, Refusal};
use crate::gh::tools::errand::{bad, fits, text};
use crate::text::numbers::grouped;

/// Line comments that one review has at most: a person reads each before the yes, and gh gets four words for each.
const MOST: usize = 50;

/// Bytes of the comments together: the rest of the argv takes 10 kB, and the body 64 KiB.
const TEXTS: usize = MAX_TOTAL - 81_920;

/// One comment.
#[derive(Clone)]
pub(super) struct Comment {
    pub path: String,
    pub side: Side,
    /// The first line, where the comment is on several.
    pub start: Option<u64>,
    pub line: u64,
    pub body: String,
}

impl Comment {
    /// Where the comment stands: `src/a.rs:10-12`, `src/a.rs:12 (left)`.
    pub fn place(&self) -> String {
        let side = match self.side {
            Side::Left => " (left)",
            Side::Right => "",
        };
        match self.start {
            Some(start) => format!("{}:{start}-{}{side}", self.path, self.line),
            None => format!("{}:{}{side}", self.path, self.line),
        }
    }
}

/// The comments under `comments` in the arguments `args` of the tool.
///
/// # Errors
/// `bad-argument` that names the comment by its place, from 1.
pub(super) fn read(args: &Value) -> Result<Vec<Comment>, Refusal> {
    let given = match &args["comments"] {
        Value::Null => &[][..],
        Value::Array(all) => all.as_slice(),
        _ => {
            return Err(bad(
                "comments",
                "is no array",
                "Give objects with path, line and body.",
            ));
        }
    };
    if given.len() > MOST {
        return Err(bad(
            "comments",
            &format!("has {} entries, and a review {MOST} at most", given.len()),
            "Send the most important ones, or several reviews.",
        ));
    }
    let numbered = given.iter().enumerate();
    let comments = numbered.map(|(at, one)| comment(one, at + 1));
    let comments: Vec<Comment> = comments.collect::<Result<_, _>>()?;
    let bytes: usize = comments.iter().map(|c| c.body.len() + c.path.len()).sum();
    if bytes > TEXTS {
        return Err(bad(
            "comments",
            &format!(
                "has {} bytes of text, and a review {} at most",
                grouped(bytes as u64),
                grouped(TEXTS as u64)
            ),
            "Send several reviews.",
        ));
    }
    Ok(comments)
}

fn comment(one: &Value, number: usize) -> Result<Comment, Refusal> {
    let wrong = |what: &str, todo: &str| {
        Refusal::new(
            ErrorKind::BadArgument,
            format!("Comment {number} of `comments' {what}.\n{todo}"),
        )
    };
    let needs = "Each comment has path, line and body; side and start_line can be given.";
    let (Some(path), Some(body)) = (text(one, "path"), text(one, "body")) else {
        return Err(wrong("lacks its path or its body", needs));
    };
    if body.trim().is_empty() {
        return Err(wrong("has an empty body", needs));
    }
    fits(&body, &format!("comments[{number}].body"))?;
    if path.contains('\0') {
        return Err(wrong(
            "has a NUL character in its path",
            "Give the path as gh_pr_files shows it.",
        ));
    }
    let line = one["line"].as_u64().filter(|line| *line > 0);
    let Some(line) = line else {
        return Err(wrong("lacks its line, a number from 1", needs));
    };
    let start = one["start_line"].as_u64().filter(|start| *start != line);
    if start.is_some_and(|start| start == 0 || start > line) {
        return Err(wrong(
            "has a start_line that is not before its line",
            "Give the first line as start_line and the last as line.",
        ));
    }
    let side = match one["side"].as_str().map(str::to_ascii_lowercase).as_deref() {
        None | Some("right") => Side::Right,
        Some("left") => Side::Left,
        Some(_) => {
            return Err(wrong(
                "has a side that is neither left nor right",
                "Leave side out, or give left for a removed line.",
            ));
        }
    };
    Ok(Comment {
        path,
        side,
        start,
        line,
        body,
    })
}
