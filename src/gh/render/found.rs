//! What a search found: how many entries are shown of how many, then a line for each.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::clean::{Clean, one_line};
use super::json::{RenderError, parse_bounded};
use super::list::{List, Total, counted, list};
use super::time::age;
use crate::text::numbers::grouped;

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Pull requests.
    PullRequests,
    /// Issues.
    Issues,
    /// Files that hold some words.
    Code,
    /// Commits, by their messages.
    Commits,
    /// Repositories.
    Repositories,
}

impl Found {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::PullRequests,
        Self::Issues,
        Self::Code,
        Self::Commits,
        Self::Repositories,
    ];

    /// The noun for the entries.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::PullRequests => "pull requests",
            Self::Issues => "issues",
            Self::Code => "files",
            Self::Commits => "commits",
            Self::Repositories => "repositories",
        }
    }
}

/// Longest part of a file's line that is shown, in characters.
const LINE: usize = 160;

/// Characters of that line before the match where the match would not be shown otherwise.
const BEFORE: usize = 40;

/// Most bytes of all rows together.
const ROWS_BYTES: usize = 48_000;

/// Renders the JSON `{total, incomplete, items}` that the `--jq` filter of a search prints.
///
/// # Errors
/// Where the JSON cannot be read or has another shape.
pub fn found(
    kind: Found,
    json: &[u8],
    now: DateTime<Utc>,
    clean: Clean<'_>,
) -> Result<String, RenderError> {
    let answer = parse_bounded(json)?;
    let shape = RenderError::Shape {
        expected: "answer of a search",
    };
    let (Some(total), Some(items)) = (answer["total"].as_u64(), answer["items"].as_array()) else {
        return Err(shape);
    };
    // Entries can be added between GitHub's count and its list.
    let total = total.max(items.len() as u64);
    let total = if answer["incomplete"] == true {
        Total::AtLeast(total)
    } else {
        Total::Exactly(total)
    };
    let (items, of) = without_common_repository(items);
    let text = match kind {
        Found::PullRequests => list(List::FoundPullRequests, &items, total, None, now, clean),
        Found::Issues => list(List::FoundIssues, &items, total, None, now, clean),
        _ => rows(kind, &items, total, now, clean),
    };
    Ok(match of {
        None => text,
        Some(of) => {
            let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
            format!("{first}, all of {}\n{rest}", one_line(&of, clean))
        }
    })
}

/// `items` without their repository, and that repository, where all of several entries have the same one: it is said once.
fn without_common_repository(items: &[Value]) -> (Vec<Value>, Option<String>) {
    let of = |item: &Value| Some(item["repository"]["nameWithOwner"].as_str()?.to_owned());
    let mut items = items.to_vec();
    let common = items.first().and_then(of);
    let same = items.len() > 1 && common.is_some() && items.iter().all(|item| of(item) == common);
    if !same {
        return (items, None);
    }
    for item in &mut items {
        if let Some(item) = item.as_object_mut() {
            item.remove("repository");
        }
    }
    (items, common)
}

fn rows(
    kind: Found,
    items: &[Value],
    total: Total,
    now: DateTime<Utc>,
    clean: Clean<'_>,
) -> String {
    let mut lines = vec![format!("{} {}", counted(items.len(), total), kind.noun())];
    let mut size = 0;
    for (nth, item) in items.iter().enumerate() {
        let row = match kind {
            Found::Code => code(item, clean),
            Found::Commits => commit(item, now, clean),
            _ => repository(item, now, clean),
        };
        size += row.len() + 1;
        if size > ROWS_BYTES {
            lines.push(format!(
                "[rows cut: {} more; ask for fewer]",
                grouped(items.len() - nth)
            ));
            break;
        }
        lines.push(row);
    }
    lines.join("\n")
}

/// The member `key` of `item`, a text, on one line; `None` where it is absent or empty.
fn text(item: &Value, key: &str, clean: Clean<'_>) -> Option<String> {
    let text = one_line(item[key].as_str()?, clean);
    (!text.is_empty()).then_some(text)
}

/// `o/r`, where the entry names its repository.
fn place(item: &Value, clean: Clean<'_>) -> Option<String> {
    text(&item["repository"], "nameWithOwner", clean)
}

/// `- src/reader.rs@1f2e3d4 · o/r · fn read()`.
fn code(item: &Value, clean: Clean<'_>) -> String {
    let path = text(item, "path", clean).unwrap_or_default();
    let at = text(item, "commit", clean).map_or_else(String::new, |commit| format!("@{commit}"));
    let mut parts = vec![format!("- {path}{at}")];
    parts.extend(place(item, clean));
    let found = text(item, "match", clean).unwrap_or_default();
    parts.extend(text(item, "line", clean).map(|line| around(&line, &found)));
    parts.join(" · ")
}

/// The part of `line` that has the match `found`: its beginning where that holds the match.
fn around(line: &str, found: &str) -> String {
    let match_end = line.find(found).map_or(0, |at| at + found.len());
    let begin = if line[..match_end].chars().count() > LINE {
        let before = line[..match_end - found.len()].char_indices();
        before.rev().nth(BEFORE - 1).map_or(0, |(at, _)| at)
    } else {
        0
    };
    let (rest, opening) = (&line[begin..], if begin > 0 { "…" } else { "" });
    match rest.char_indices().nth(LINE) {
        Some((at, _)) => format!("{opening}{}…", &rest[..at]),
        None => format!("{opening}{rest}"),
    }
}

/// `- 1f2e3d4 Keep reading until the quote closes · mona · 3d · o/r`.
fn commit(item: &Value, now: DateTime<Utc>, clean: Clean<'_>) -> String {
    let mut first = format!("- {}", text(item, "commit", clean).unwrap_or_default());
    if let Some(title) = text(item, "title", clean) {
        first = format!("{first} {title}");
    }
    let mut parts = vec![first];
    parts.extend(text(item, "author", clean));
    parts.extend(
        item["date"]
            .as_str()
            .map(|date| one_line(&age(date, now), clean)),
    );
    parts.extend(place(item, clean));
    parts.join(" · ")
}

/// `- o/r Reads tables · Rust · 42 stars · 3 forks · 2 open issues · pushed 3d`, with what is unusual of it: private, archived, a fork.
fn repository(item: &Value, now: DateTime<Utc>, clean: Clean<'_>) -> String {
    let mut first = format!("- {}", text(item, "name", clean).unwrap_or_default());
    if let Some(description) = text(item, "description", clean) {
        first = format!("{first} {description}");
    }
    let mut parts = vec![first];
    parts.extend(text(item, "language", clean));
    for (key, noun) in [
        ("stars", "stars"),
        ("forks", "forks"),
        ("issues", "open issues"),
    ] {
        parts.extend(item[key].as_u64().map(|count| format!("{count} {noun}")));
    }
    parts.extend(text(item, "visibility", clean).filter(|word| word != "public"));
    for key in ["archived", "fork"] {
        parts.extend((item[key] == true).then(|| key.to_owned()));
    }
    let pushed = item["pushed"].as_str();
    parts.extend(pushed.map(|date| format!("pushed {}", one_line(&age(date, now), clean))));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(kind: Found, answer: &Value) -> String {
        let now = DateTime::parse_from_rfc3339("2026-01-08T12:00:00Z").expect("a time stamp");
        found(
            kind,
            answer.to_string().as_bytes(),
            now.into(),
            &str::to_owned,
        )
        .expect("an answer")
    }

    #[test]
    fn each_kind_has_its_rows() {
        let place = json!({"nameWithOwner": "o/r"});
        assert_eq!(
            shown(
                Found::Code,
                &json!({"total": 3, "incomplete": false, "items": [
                    {"path": "src/reader.rs", "commit": "1f2e3d4", "line": "\tfn read() {", "repository": place},
                    {"path": "README", "commit": "", "line": null},
                    {"path": "long", "commit": "1f2e3d4", "line": "x".repeat(200)},
                ]})
            ),
            format!(
                "3/3 files\n- src/reader.rs@1f2e3d4 · o/r · fn read() {{\n- README\n- long@1f2e3d4 · {}…",
                "x".repeat(LINE)
            )
        );
        assert_eq!(
            shown(
                Found::Commits,
                &json!({"total": 812, "incomplete": false, "items": [
                    {"commit": "1f2e3d4", "title": "Keep reading", "author": "mona", "date": "2026-01-04T12:00:00Z", "repository": place},
                ]})
            ),
            "1/812 commits\n- 1f2e3d4 Keep reading · mona · 4d · o/r"
        );
        assert_eq!(
            shown(
                Found::Repositories,
                &json!({"total": 2, "incomplete": true, "items": [
                    {"name": "o/r", "description": "Reads tables", "language": "Rust", "stars": 42, "forks": 3, "issues": 2, "visibility": "public", "archived": false, "fork": false, "pushed": "2026-01-05T12:00:00Z"},
                    {"name": "o/old", "description": "", "language": null, "stars": 0, "forks": 0, "issues": 0, "visibility": "private", "archived": true, "fork": true, "pushed": null},
                ]})
            ),
            "≥2 repositories\n\
             - o/r Reads tables · Rust · 42 stars · 3 forks · 2 open issues · pushed 3d\n\
             - o/old · 0 stars · 0 forks · 0 open issues · private · archived · fork"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_its_match() {
        let long = |before: usize| format!("{}read{}", "é".repeat(before), "z".repeat(300));
        assert_eq!(around("fn read()", "read"), "fn read()");
        assert_eq!(around("fn read()", "other"), "fn read()");
        assert_eq!(around(&long(10), "read").chars().count(), LINE + 1);
        let far = around(&long(200), "read");
        assert_eq!(
            far.find("read"),
            Some("…".len() + "é".len() * BEFORE),
            "{far}"
        );
        assert_eq!(far.chars().count(), LINE + 2);
    }

    #[test]
    fn a_count_that_github_cut_short_is_a_lower_bound() {
        let answer = json!({"total": 8771, "incomplete": true, "items": [{"number": 1, "title": "T", "state": "merged"}]});
        assert_eq!(
            shown(Found::PullRequests, &answer),
            "1/≥8771 pull requests, these merged\n#1 T"
        );
        let none = json!({"total": 0, "incomplete": false, "items": []});
        assert_eq!(shown(Found::Issues, &none), "0/0 issues");
    }

    #[test]
    fn another_shape_is_an_error() {
        let now = Utc::now();
        for text in [
            "{}",
            "[]",
            "{\"total\":1}",
            "{\"total\":\"1\",\"items\":[]}",
        ] {
            let answer = found(Found::Code, text.as_bytes(), now, &str::to_owned);
            assert!(matches!(answer, Err(RenderError::Shape { .. })), "{text}");
        }
    }
}
