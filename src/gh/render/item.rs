//! One repository, pull request, issue or run as text: a line with its name or title, a line with its author and address, the
//! other fields that were asked for, the body.

use serde_json::{Map, Value};

use super::body::{BODY_BYTES, body};
use super::clean::{Clean, one_line};
use super::fields;
use super::json::{RenderError, parse_bounded};
use super::time::day;
use super::value::{compact, field_lines};
use crate::text::numbers::grouped;

/// The kind of thing that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// `repo view`.
    Repository,
    /// `pr view`.
    PullRequest,
    /// `issue view`.
    Issue,
    /// `run view`.
    Run,
}

impl Item {
    /// The command that shows the thing, and the noun for it.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Repository => ("repo view", "repository"),
            Self::PullRequest => ("pr view", "pull request"),
            Self::Issue => ("issue view", "issue"),
            Self::Run => ("run view", "run"),
        }
    }

    /// The fields that have a place of their own; any other field is written as `key: value`.
    const fn head(self) -> &'static [&'static str] {
        match self {
            Self::Repository => &[
                "name",
                "nameWithOwner",
                "visibility",
                "defaultBranchRef",
                "url",
                "description",
            ],
            Self::PullRequest | Self::Issue => &["author", "createdAt", "url", "body"],
            Self::Run => fields::RUN,
        }
    }
}

/// Most bytes of the fields that have no place of their own, together.
const EXTRA_BYTES: usize = 16_000;

/// Most characters of one comment or review.
const REMARK_CHARS: usize = 280;

/// Most comments or reviews that are shown: the last ones.
const REMARKS: usize = 8;

/// Most jobs that are named; those that did not succeed come first.
const JOBS: usize = 12;

/// Renders the JSON object that `gh … view --json …` prints.
///
/// `whole_body` shows the body up to [`super::BODY_BYTES`] instead of an excerpt.  `clean` is applied to each string before it
/// is cut.  Absent fields are left out; fields that have no place of their own stand as `key: value`.
pub fn item(
    item: Item,
    json: &[u8],
    whole_body: bool,
    clean: Clean<'_>,
) -> Result<String, RenderError> {
    let (command, expected) = item.words();
    let Value::Object(map) = parse_bounded(json)? else {
        return Err(RenderError::Shape { expected });
    };
    let mut lines = Vec::new();
    match item {
        Item::Repository => lines.extend(repository_lines(&map, clean)),
        Item::PullRequest | Item::Issue => {
            lines.extend(title_line(&map, clean));
            lines.extend(origin_line(&map, clean));
        }
        Item::Run => lines.extend(run_lines(&map, clean)),
    }
    lines.extend(extra_lines(item, &map, clean));
    if let (Item::PullRequest | Item::Issue, Some(text)) = (item, map.get("body")) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let number = map
            .get("number")
            .map(|n| format!(" {}", compact(n, clean)))
            .unwrap_or_default();
        lines.push(body(
            text.as_str().unwrap_or_default(),
            whole_body.then_some(BODY_BYTES),
            &format!("gh {command}{number} --json body"),
            clean,
        ));
    }
    for (key, one) in [("comments", "comment"), ("reviews", "review")] {
        if let Some(Value::Array(remarks)) = map.get(key) {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(remark_lines(one, remarks, None, clean));
        }
    }
    Ok(lines.join("\n"))
}

/// The string under `key`; `None` if it is absent or empty.
fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// `#171 OPEN  Fix the widget`; `None` if the number was not asked for, so that a title never begins a line.
fn title_line(map: &Map<String, Value>, clean: Clean<'_>) -> Option<String> {
    let number = map.get("number")?.as_u64()?;
    let mut line = format!("#{number}");
    if let Some(state) = map.get("state").and_then(Value::as_str) {
        line.push(' ');
        line.push_str(&one_line(state, clean));
    }
    if let Some(title) = map.get("title").and_then(Value::as_str) {
        line.push_str("  ");
        line.push_str(&one_line(title, clean));
    }
    Some(line)
}

/// `author alice · created 2026-05-16 · url https://…`
fn origin_line(map: &Map<String, Value>, clean: Clean<'_>) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(author) = map.get("author") {
        parts.push(format!("author {}", login(author, clean)));
    }
    if let Some(created) = map.get("createdAt").and_then(Value::as_str) {
        parts.push(format!("created {}", day(&one_line(created, clean))));
    }
    if let Some(url) = map.get("url").and_then(Value::as_str) {
        parts.push(format!("url {}", one_line(url, clean)));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// The login of a person; `unknown` if the account is gone.
pub(super) fn login(person: &Value, clean: Clean<'_>) -> String {
    let login = person
        .get("login")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let login = one_line(login, clean);
    if login.is_empty() {
        "unknown".to_owned()
    } else {
        login
    }
}

/// `o/r PUBLIC · default branch main · url https://…`, then the description.
fn repository_lines(map: &Map<String, Value>, clean: Clean<'_>) -> Vec<String> {
    let mut first = Vec::new();
    let name = text(map, "nameWithOwner").or_else(|| text(map, "name"));
    if let Some(name) = name {
        let visibility = text(map, "visibility")
            .map(|v| format!(" {}", one_line(v, clean)))
            .unwrap_or_default();
        first.push(format!("{}{visibility}", one_line(name, clean)));
    } else if let Some(visibility) = text(map, "visibility") {
        first.push(format!("visibility {}", one_line(visibility, clean)));
    }
    if let Some(branch) = map.get("defaultBranchRef") {
        let branch = branch.get("name").and_then(Value::as_str).unwrap_or("none");
        first.push(format!("default branch {}", one_line(branch, clean)));
    }
    if let Some(url) = text(map, "url") {
        first.push(format!("url {}", one_line(url, clean)));
    }
    let mut lines = Vec::new();
    if !first.is_empty() {
        lines.push(first.join(" · "));
    }
    if let Some(description) = map.get("description") {
        let words = one_line(description.as_str().unwrap_or_default(), clean);
        lines.push(if words.is_empty() {
            "no description".to_owned()
        } else {
            format!("description: {words}")
        });
    }
    lines
}

/// `run 1001 completed failure  CI · push on main · started 2026-05-16 · url https://…`, then the jobs.
fn run_lines(map: &Map<String, Value>, clean: Clean<'_>) -> Vec<String> {
    let mut first = String::new();
    if let Some(id) = map.get("databaseId") {
        first = format!("run {}", compact(id, clean));
    }
    for key in ["status", "conclusion"] {
        if let Some(word) = text(map, key) {
            if !first.is_empty() {
                first.push(' ');
            }
            first.push_str(&one_line(word, clean));
        }
    }
    let mut parts = Vec::new();
    if let Some(name) = text(map, "name") {
        let gap = if first.is_empty() { "name " } else { "  " };
        first.push_str(gap);
        first.push_str(&one_line(name, clean));
    }
    if !first.is_empty() {
        parts.push(first);
    }
    let on = text(map, "headBranch").map(|branch| one_line(branch, clean));
    match (text(map, "event"), on) {
        (Some(event), Some(on)) => parts.push(format!("{} on {on}", one_line(event, clean))),
        (Some(event), None) => parts.push(format!("event {}", one_line(event, clean))),
        (None, Some(on)) => parts.push(format!("branch {on}")),
        (None, None) => {}
    }
    if let Some(started) = text(map, "startedAt") {
        parts.push(format!("started {}", day(&one_line(started, clean))));
    }
    if let Some(url) = text(map, "url") {
        parts.push(format!("url {}", one_line(url, clean)));
    }
    let mut lines = Vec::new();
    if !parts.is_empty() {
        lines.push(parts.join(" · "));
    }
    if let Some(Value::Array(jobs)) = map.get("jobs") {
        lines.extend(job_lines(jobs, clean));
    }
    lines
}

/// `jobs: 40 success, 2 failure, 1 in_progress`, then the jobs that did not succeed, with their ids and the step that failed.
fn job_lines(jobs: &[Value], clean: Clean<'_>) -> Vec<String> {
    let state = |job: &Value| {
        let word = ["conclusion", "status"]
            .iter()
            .find_map(|key| job.get(*key)?.as_str().filter(|word| !word.is_empty()));
        one_line(word.unwrap_or("unknown"), clean)
    };
    let mut counts: Vec<(String, usize)> = Vec::new();
    for job in jobs {
        let state = state(job);
        match counts.iter_mut().find(|(known, _)| *known == state) {
            Some((_, count)) => *count += 1,
            None => counts.push((state, 1)),
        }
    }
    let counted: Vec<String> = counts
        .iter()
        .map(|(state, count)| format!("{} {state}", grouped(*count)))
        .collect();
    let mut lines = vec![format!(
        "jobs: {}",
        if counted.is_empty() {
            "none".to_owned()
        } else {
            counted.join(", ")
        }
    )];
    let notable: Vec<&Value> = jobs
        .iter()
        .filter(|job| !matches!(state(job).as_str(), "success" | "skipped" | "neutral"))
        .collect();
    for job in notable.iter().take(JOBS) {
        let name = one_line(
            job.get("name").and_then(Value::as_str).unwrap_or("unnamed"),
            clean,
        );
        let id = job
            .get("databaseId")
            .map(|id| format!(" · job {}", compact(id, clean)))
            .unwrap_or_default();
        let steps = job.get("steps").and_then(Value::as_array);
        let failed = steps
            .into_iter()
            .flatten()
            .find(|step| step.get("conclusion").and_then(Value::as_str) == Some("failure"));
        let step = failed
            .and_then(|step| step.get("name")?.as_str())
            .map(|name| format!(" · step {}", one_line(name, clean)))
            .unwrap_or_default();
        lines.push(format!("{}  {name}{step}{id}", state(job)));
    }
    if notable.len() > JOBS {
        lines.push(format!("and {} more", grouped(notable.len() - JOBS)));
    }
    lines
}

/// `12 comments, the last 8:`, then a line for each of the last.  `total` is how many there are where `remarks` has only the last ones.
pub(super) fn remark_lines(
    one: &str,
    remarks: &[Value],
    total: Option<usize>,
    clean: Clean<'_>,
) -> Vec<String> {
    let count = total.unwrap_or(remarks.len()).max(remarks.len());
    let at_least = if total.is_none() && count >= 100 && count.is_multiple_of(100) {
        "≥"
    } else {
        ""
    };
    let plural = if count == 1 { "" } else { "s" };
    let skipped = remarks.len().saturating_sub(REMARKS);
    let shown = remarks.len() - skipped;
    let last = if shown < count {
        format!(", the last {shown}")
    } else {
        String::new()
    };
    if count == 0 {
        return vec![format!("no {one}s")];
    }
    let mut lines = vec![format!("{at_least}{} {one}{plural}{last}:", grouped(count))];
    for remark in &remarks[skipped..] {
        let who = remark
            .get("author")
            .map_or_else(|| "unknown".to_owned(), |author| login(author, clean));
        let when = ["createdAt", "submittedAt"]
            .iter()
            .find_map(|key| remark.get(*key)?.as_str())
            .map(|stamp| format!(" {}", day(&one_line(stamp, clean))))
            .unwrap_or_default();
        let state = remark
            .get("state")
            .and_then(Value::as_str)
            .map(|state| format!(" {}", one_line(state, clean)))
            .unwrap_or_default();
        let said = one_line(
            remark
                .get("body")
                .and_then(Value::as_str)
                .unwrap_or_default(),
            clean,
        );
        let said = match said.char_indices().nth(REMARK_CHARS) {
            Some((at, _)) => format!(
                "{}… (+{} characters)",
                said[..at].trim_end(),
                grouped(said[at..].chars().count())
            ),
            None => said,
        };
        let said = if said.is_empty() {
            String::new()
        } else {
            format!(": {said}")
        };
        lines.push(format!("- {who}{when}{state}{said}"));
    }
    lines
}

/// The fields that have no place of their own, as `key: value`, up to [`EXTRA_BYTES`].
fn extra_lines(item: Item, map: &Map<String, Value>, clean: Clean<'_>) -> Vec<String> {
    let numbered = map.get("number").is_some_and(Value::is_u64);
    let in_head = |key: &str| match (item, key) {
        (Item::PullRequest | Item::Issue, "number" | "title" | "state") => numbered,
        (Item::PullRequest | Item::Issue, "comments" | "reviews") => true,
        (_, key) => item.head().contains(&key),
    };
    let extra = map.iter().filter(|(key, _)| !in_head(key));
    let all: Vec<String> = extra
        .flat_map(|(key, value)| field_lines(key, value, clean))
        .collect();
    let mut size = 0;
    let fits = all
        .iter()
        .take_while(|line| {
            size += line.len() + 1;
            size <= EXTRA_BYTES
        })
        .count();
    let cut = all.len() - fits;
    let mut lines: Vec<String> = all.into_iter().take(fits).collect();
    if cut > 0 {
        lines.push(format!(
            "[fields cut: {} more lines; ask for fewer fields]",
            grouped(cut)
        ));
    }
    lines
}
