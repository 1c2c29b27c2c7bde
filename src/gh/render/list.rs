//! Lists as text: how many entries are shown of how many, then a line for each.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::clean::{Clean, one_line};
use super::item::login;
use super::json::{RenderError, parse_bounded};
use super::time::age;
use super::value::compact;
use crate::text::numbers::grouped;

/// What is listed: the entries of a command, or what a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// `pr list`.
    PullRequests,
    /// `issue list`.
    Issues,
    /// `run list`.
    Runs,
    /// Pull requests that a search found: each with its repository, unless all have the same.
    FoundPullRequests,
    /// Issues that a search found.
    FoundIssues,
}

/// How many entries there are in all, those that are shown included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// Exactly this many.
    Exactly(u64),
    /// At least this many: the exact number could not be asked for.
    AtLeast(u64),
}

impl List {
    const fn noun(self) -> &'static str {
        match self {
            Self::PullRequests | Self::FoundPullRequests => "pull requests",
            Self::Issues | Self::FoundIssues => "issues",
            Self::Runs => "runs",
        }
    }
}

/// How many entries a result shows of how many: `10/8771`; `≥100` where the entries shown are all that is known of, `10/≥8771` where
/// there are more.
pub(super) fn counted(shown: usize, total: Total) -> String {
    match total {
        Total::Exactly(total) => format!("{shown}/{total}"),
        Total::AtLeast(least) if least > shown as u64 => format!("{shown}/≥{least}"),
        Total::AtLeast(least) => format!("≥{least}"),
    }
}

/// Most labels of a row; ten rows that a search found have room for fewer within 350 tokens (`make tokens`).
const LABELS: usize = 4;
const FOUND_LABELS: (usize, usize) = (1, 2);

/// Characters of a branch beside a title: enough to recognise the branch, as many branches repeat the title.
const BRANCH: usize = 20;

/// Most bytes of all rows together.
const ROWS_BYTES: usize = 48_000;

/// The entries of the JSON list that `gh … list --json …` prints.
pub fn entries(json: &[u8]) -> Result<Vec<Value>, RenderError> {
    match parse_bounded(json)? {
        Value::Array(entries) => Ok(entries),
        _ => Err(RenderError::Shape { expected: "list" }),
    }
}

/// Renders `entries`: `10/8771 open pull requests`, then a row for each, with its age at `now`.
///
/// `state` is the state that was asked for, such as `open`. A row says its own state only if the rows differ in their states.
/// If no state was asked for and all rows have the same one, the first line names it; where entries are left out, it names it of the rows
/// alone (`these open`), since the total may count entries in other states.
pub fn list(
    list: List,
    entries: &[Value],
    total: Total,
    state: Option<&str>,
    now: DateTime<Utc>,
    clean: Clean<'_>,
) -> String {
    let shown = entries.len();
    let count = counted(shown, total);
    let states = states(entries);
    let asked = state.filter(|state| *state != "all");
    let same = match states.as_slice() {
        [one] if asked.is_none() && list != List::Runs => Some(one.to_ascii_lowercase()),
        _ => None,
    };
    let all_shown = total == Total::Exactly(shown as u64);
    let word = |state: String| one_line(&state, clean);
    let said = match (asked, same) {
        (Some(state), _) => format!(" {} {}", word(state.to_ascii_lowercase()), list.noun()),
        (None, Some(state)) if all_shown => format!(" {} {}", word(state), list.noun()),
        (None, Some(state)) => format!(" {}, these {}", list.noun(), word(state)),
        (None, None) => format!(" {}", list.noun()),
    };
    let mut lines = vec![format!("{count}{said}")];
    let each = states.len() > 1;
    let mut size = 0;
    for (nth, entry) in entries.iter().enumerate() {
        let Value::Object(map) = entry else {
            lines.push(format!("- {}", compact(entry, clean)));
            continue;
        };
        let row = row(list, map, each, now, clean);
        size += row.len() + 1;
        if size > ROWS_BYTES {
            lines.push(format!(
                "[rows cut: {} more; ask for fewer, or for fewer fields]",
                grouped(shown - nth)
            ));
            break;
        }
        lines.push(row);
    }
    lines.join("\n")
}

/// The different states of `entries`.
fn states(entries: &[Value]) -> Vec<&str> {
    let mut states: Vec<&str> = Vec::new();
    for entry in entries {
        if let Some(state) = entry.get("state").and_then(Value::as_str)
            && !states.contains(&state)
        {
            states.push(state);
        }
    }
    states
}

/// One row: number (of a run, its id) and title, then the other fields apart by dots; fields that have no place of their own as `key=value`.
fn row(
    list: List,
    map: &Map<String, Value>,
    with_state: bool,
    now: DateTime<Utc>,
    clean: Clean<'_>,
) -> String {
    let text = |key: &str| {
        map.get(key)
            .and_then(Value::as_str)
            .filter(|t| !t.is_empty())
    };
    let mut first = String::new();
    if let Some(repository) = map.get("repository") {
        let name = repository.get("nameWithOwner").and_then(Value::as_str);
        first.push_str(&one_line(name.unwrap_or_default(), clean));
    }
    if let Some(number) = map.get("number").and_then(Value::as_u64)
        && list != List::Runs
    {
        let _ = write!(first, "#{number}");
    }
    if list == List::Runs {
        if let Some(id) = map.get("databaseId") {
            first.push_str(&compact(id, clean));
        }
        if let Some(word) = text("conclusion").or_else(|| text("status")) {
            let _ = write!(first, " {}", one_line(word, clean));
        }
    } else if with_state && let Some(state) = text("state") {
        let _ = write!(first, " {}", one_line(state, clean));
    }
    let first = first.trim().to_owned();
    // Text from outside never begins a line.
    let first = if first.is_empty() {
        "-".to_owned()
    } else {
        first
    };
    let mut parts = Vec::new();
    let title = match list {
        List::Runs => text("displayTitle").or_else(|| text("name")),
        _ => text("title"),
    };
    match title {
        Some(title) => parts.push(format!("{first} {}", one_line(title, clean))),
        None => parts.push(first),
    }
    if let Some(author) = map.get("author") {
        parts.push(login(author, clean));
    }
    if let Some(branch) = text("headRefName").or_else(|| text("headBranch")) {
        let branch = one_line(branch, clean);
        let most = if title.is_some() && list != List::Runs {
            BRANCH
        } else {
            usize::MAX
        };
        parts.push(match branch.char_indices().nth(most) {
            Some((at, _)) => format!("{}…", words(&branch[..at])),
            None => branch,
        });
    }
    if let Some(stamp) = text("createdAt").or_else(|| text("startedAt")) {
        parts.push(one_line(&age(stamp, now), clean));
    } else if let Some(stamp) = text("updatedAt") {
        parts.push(format!("updated {}", one_line(&age(stamp, now), clean)));
    }
    if let Some(Value::Array(labels)) = map.get("labels") {
        let most = match list {
            List::FoundPullRequests => FOUND_LABELS.0,
            List::FoundIssues => FOUND_LABELS.1,
            _ => LABELS,
        };
        parts.extend(label_part(labels, most, clean));
    }
    let placed = |key: &str| match key {
        "repository" | "author" | "headRefName" | "headBranch" | "createdAt" | "startedAt"
        | "labels" | "state" | "url" => true,
        "updatedAt" => !map.contains_key("createdAt") && !map.contains_key("startedAt"),
        "number" | "title" => list != List::Runs,
        "databaseId" | "conclusion" | "status" | "name" | "displayTitle" => list == List::Runs,
        _ => false,
    };
    for (key, value) in map {
        if !placed(key) {
            parts.push(format!(
                "{}={}",
                one_line(key, clean),
                compact(value, clean)
            ));
        }
    }
    parts.join(" · ")
}

/// The beginning of `name`, a branch's name that was cut, up to the end of its last whole word.
fn words(name: &str) -> &str {
    match name.rfind(['-', '/', '_', '.']) {
        Some(at) if at >= BRANCH / 2 => &name[..at],
        _ => name,
    }
}

/// `[bug, ui] +2`; `None` without labels.
fn label_part(labels: &[Value], most: usize, clean: Clean<'_>) -> Option<String> {
    let names: Vec<String> = labels
        .iter()
        .take(most)
        .filter_map(|label| Some(one_line(label.get("name")?.as_str()?, clean)))
        .collect();
    if names.is_empty() {
        return None;
    }
    let more = labels.len().saturating_sub(most);
    let more = if more > 0 {
        format!(" +{more}")
    } else {
        String::new()
    };
    Some(format!("[{}]{more}", names.join(", ")))
}
