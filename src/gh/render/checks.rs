//! The checks of a pull request: how many of each kind, then only those that fail or wait, with the ids of their jobs.

use serde_json::{Value, json};

use super::clean::{Clean, one_line};
use super::json::RenderError;
use super::list::entries;
use super::rollup;
use crate::text::numbers::grouped;

/// gh's buckets in the order in which they are shown, each with the word for it and whether its checks are named
/// (`gh pr checks --help`, 2.92.0 and 2.103.3: "pass, fail, pending, skipping, cancel").
const BUCKETS: &[(&str, &str, bool)] = &[
    ("fail", "failed", true),
    ("cancel", "cancelled", true),
    ("pending", "pending", true),
    ("pass", "passed", false),
    ("skipping", "skipped", false),
];

/// Most checks that are named.
const NAMED: usize = 30;

/// Renders the JSON list of `gh pr checks --json bucket,name,workflow,state,link,description`.
pub fn checks(json: &[u8], clean: Clean<'_>) -> Result<String, RenderError> {
    Ok(listed(&entries(json)?, clean))
}

/// Renders the checks of `contexts`, the contexts of a `StatusCheckRollup`, as [`checks`] does.
pub fn rolled_up(contexts: &Value, clean: Clean<'_>) -> String {
    let all: Vec<Value> = rollup::checks(contexts)
        .iter()
        .map(|check| {
            json!({"bucket": check.bucket.word(), "name": check.name, "workflow": check.workflow, "link": check.link,
                "description": check.description})
        })
        .collect();
    listed(&all, clean)
}

fn listed(checks: &[Value], clean: Clean<'_>) -> String {
    let bucket = |check: &Value| {
        let word = check
            .get("bucket")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let known = BUCKETS.iter().find(|(name, ..)| *name == word);
        known.map_or_else(
            || {
                (
                    one_line(if word.is_empty() { "unknown" } else { word }, clean),
                    true,
                )
            },
            |(_, said, named)| ((*said).to_owned(), *named),
        )
    };
    let mut counts: Vec<(String, usize)> = BUCKETS
        .iter()
        .map(|(_, said, _)| ((*said).to_owned(), 0))
        .collect();
    for check in checks {
        let (said, _) = bucket(check);
        match counts.iter_mut().find(|(known, _)| *known == said) {
            Some((_, count)) => *count += 1,
            None => counts.push((said, 1)),
        }
    }
    counts.retain(|(_, count)| *count > 0);
    if checks.is_empty() {
        return "no checks".to_owned();
    }
    let counted: Vec<String> = counts
        .iter()
        .map(|(said, count)| format!("{} {said}", grouped(*count)))
        .collect();
    let plural = if checks.len() == 1 { "" } else { "s" };
    let mut lines = vec![format!(
        "{} check{plural}: {}",
        grouped(checks.len()),
        counted.join(", ")
    )];
    let mut left_out = 0;
    for (said, _) in &counts {
        for check in checks
            .iter()
            .filter(|check| bucket(check) == (said.clone(), true))
        {
            if lines.len() > NAMED {
                left_out += 1;
            } else {
                lines.push(line(said, check, clean));
            }
        }
    }
    if left_out > 0 {
        lines.push(format!("and {} more like these", grouped(left_out)));
    }
    lines.join("\n")
}

/// `failed  build (ubuntu) · CI · job 4711`; a check of another service has its description and its link instead of a job.
fn line(said: &str, check: &Value, clean: Clean<'_>) -> String {
    let text = |key: &str| {
        let text = check.get(key).and_then(Value::as_str).unwrap_or_default();
        one_line(text, clean)
    };
    let mut parts = vec![format!("{said}  {}", text("name"))];
    let workflow = text("workflow");
    if !workflow.is_empty() {
        parts.push(workflow);
    }
    let link = text("link");
    match job(&link) {
        Some(job) => parts.push(format!("job {job}")),
        None => parts.extend(
            [text("description"), link]
                .into_iter()
                .filter(|t| !t.is_empty()),
        ),
    }
    parts.join(" · ")
}

/// The id of the job in `https://HOST/O/R/actions/runs/RUN/job/JOB`.
fn job(link: &str) -> Option<&str> {
    let (_, rest) = link.split_once("/actions/runs/")?;
    let (_, rest) = rest.split_once("/job/")?;
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}
