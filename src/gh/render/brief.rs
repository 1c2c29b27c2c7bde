//! A pull request in a few lines: what it is, how large, what its reviewers and its checks say, and what keeps it from being merged.

use serde_json::{Map, Value};

use super::body::{BRIEF_BYTES, body_of};
use super::clean::{Clean, one_line};
use super::item::{login, remark_lines};
use super::json::RenderError;
use super::rollup::{self, Bucket};
use super::time::day;
use crate::text::numbers::grouped;

/// What is shown besides the brief itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BriefParts {
    /// The description, up to 1.7 KB.
    pub body: bool,
    /// The last comments.
    pub comments: bool,
    /// The last reviews.
    pub reviews: bool,
}

/// Most failing checks that are named.
const NAMED: usize = 6;
/// Most names of people in one line.
const PEOPLE: usize = 5;

/// Renders `pull`, an object of GitHub's GraphQL with the fields of the brief.  `unread` names the fields that GitHub could not answer.
///
/// # Errors
/// [`RenderError::Shape`] where `pull` is no object with a number.
pub fn brief(
    pull: &Value,
    parts: BriefParts,
    unread: &[String],
    clean: Clean<'_>,
) -> Result<String, RenderError> {
    let expected = "pull request";
    let map = pull.as_object().ok_or(RenderError::Shape { expected })?;
    let number = map
        .get("number")
        .and_then(Value::as_u64)
        .ok_or(RenderError::Shape { expected })?;
    let mut lines = vec![title(map, number, clean), origin(map, clean)];
    lines.push(branches(map, clean));
    lines.extend(people(map, clean));
    lines.push(review(map, clean));
    lines.push(checks(map, unread, clean));
    lines.extend(merge(map, clean));
    if !unread.is_empty() {
        let names: Vec<String> = unread.iter().map(|name| one_line(name, clean)).collect();
        lines.push(format!("GitHub gave no answer for: {}", names.join(", ")));
    }
    if parts.body {
        let text = map.get("body").and_then(Value::as_str).unwrap_or_default();
        let again = format!("gh pr view {number} --json body");
        lines.push(String::new());
        let total = map.get("bodyBytes").and_then(Value::as_u64).unwrap_or(0);
        let total = usize::try_from(total).unwrap_or(0);
        lines.push(body_of(text, total, Some(BRIEF_BYTES), &again, clean));
    }
    for (wanted, key, one) in [
        (parts.comments, "comments", "comment"),
        (parts.reviews, "reviews", "review"),
    ] {
        if wanted {
            let remarks = nodes(map, key);
            let total = map
                .get(key)
                .and_then(|list| list["totalCount"].as_u64())
                .and_then(|total| usize::try_from(total).ok());
            lines.push(String::new());
            lines.extend(remark_lines(one, remarks, total, clean));
        }
    }
    Ok(lines.join("\n"))
}

/// The entries of the connection `key`.
fn nodes<'a>(map: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    map.get(key)
        .and_then(|list| list["nodes"].as_array())
        .map_or(&[][..], Vec::as_slice)
}

/// ` +3` where the connection `key` has three entries beyond the `shown` ones.
fn more(map: &Map<String, Value>, key: &str, shown: usize) -> String {
    let total = map.get(key).and_then(|list| list["totalCount"].as_u64());
    match total.unwrap_or(0).saturating_sub(shown as u64) {
        0 => String::new(),
        more => format!(" +{}", grouped(more)),
    }
}

fn word<'a>(map: &'a Map<String, Value>, key: &str) -> &'a str {
    map.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// `#171 OPEN  Fix the widget`
fn title(map: &Map<String, Value>, number: u64, clean: Clean<'_>) -> String {
    let draft = map.get("isDraft").and_then(Value::as_bool) == Some(true);
    format!(
        "#{number} {}{}  {}",
        one_line(word(map, "state"), clean),
        if draft { " DRAFT" } else { "" },
        one_line(word(map, "title"), clean)
    )
}

/// `author alice · created 2026-05-16 · updated 2026-05-18 · url https://…`
fn origin(map: &Map<String, Value>, clean: Clean<'_>) -> String {
    let author = map.get("author").unwrap_or(&Value::Null);
    let mut parts = vec![format!("author {}", login(author, clean))];
    for (key, what) in [
        ("createdAt", "created"),
        ("updatedAt", "updated"),
        ("mergedAt", "merged"),
    ] {
        let stamp = word(map, key);
        if !stamp.is_empty() {
            parts.push(format!("{what} {}", day(&one_line(stamp, clean))));
        }
    }
    if let Some(by) = map.get("mergedBy").filter(|by| by.is_object()) {
        parts.push(format!("by {}", login(by, clean)));
    }
    parts.push(format!("url {}", one_line(word(map, "url"), clean)));
    parts.join(" · ")
}

/// `mona:fix → main, 3 behind · +120 −4 in 5 files, 2 commits`
fn branches(map: &Map<String, Value>, clean: Clean<'_>) -> String {
    let head = one_line(word(map, "headRefName"), clean);
    let cross = map.get("isCrossRepository").and_then(Value::as_bool) == Some(true);
    let owner = map.get("headRepositoryOwner").unwrap_or(&Value::Null);
    let from = match (cross, owner.is_object()) {
        (true, true) => format!("{}:{head}", login(owner, clean)),
        (true, false) => format!("{head} of a fork that is gone"),
        (false, _) => head,
    };
    let count = |key: &str| map.get(key).and_then(Value::as_u64).unwrap_or(0);
    let behind = map
        .get("baseRef")
        .and_then(|base| base["compare"]["behindBy"].as_u64())
        .filter(|_| word(map, "state") == "OPEN")
        .map(|behind| match behind {
            0 => ", not behind".to_owned(),
            behind => format!(", {} behind", grouped(behind)),
        })
        .unwrap_or_default();
    let commits = map
        .get("commits")
        .and_then(|commits| commits["totalCount"].as_u64())
        .map(|commits| format!(", {}", counted(commits, "commit")))
        .unwrap_or_default();
    format!(
        "{from} → {}{behind} · +{} -{} in {}{commits}",
        one_line(word(map, "baseRefName"), clean),
        grouped(count("additions")),
        grouped(count("deletions")),
        counted(count("changedFiles"), "file"),
    )
}

fn counted(count: u64, one: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {one}{plural}", grouped(count))
}

/// `labels: bug, size: S · assigned: mona · closes #12`
fn people(map: &Map<String, Value>, clean: Clean<'_>) -> Option<String> {
    let mut parts = Vec::new();
    let labels: Vec<String> = nodes(map, "labels")
        .iter()
        .filter_map(|label| Some(one_line(label["name"].as_str()?, clean)))
        .collect();
    if !labels.is_empty() {
        parts.push(format!(
            "labels: {}{}",
            labels.join(", "),
            more(map, "labels", labels.len())
        ));
    }
    let assigned = logins(nodes(map, "assignees").iter(), clean);
    if !assigned.is_empty() {
        parts.push(format!("assigned: {assigned}"));
    }
    let closes: Vec<String> = nodes(map, "closingIssuesReferences")
        .iter()
        .filter_map(|issue| Some(format!("#{}", issue["number"].as_u64()?)))
        .collect();
    if !closes.is_empty() {
        parts.push(format!("closes {}", closes.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// The logins of `people`, the first [`PEOPLE`].
fn logins<'a>(people: impl Iterator<Item = &'a Value>, clean: Clean<'_>) -> String {
    let all: Vec<String> = people.map(|person| login(person, clean)).collect();
    let more = all.len().saturating_sub(PEOPLE);
    let shown = all[..all.len() - more].join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} +{more}")
    }
}

/// `review: CHANGES_REQUESTED by alice; approved by bob; asked: carol · 3 of 10 threads unresolved · 12 comments`
fn review(map: &Map<String, Value>, clean: Clean<'_>) -> String {
    let by = |state: &str| {
        let reviews = nodes(map, "latestOpinionatedReviews").iter();
        logins(
            reviews
                .filter(|review| review["state"] == state)
                .map(|review| &review["author"]),
            clean,
        )
    };
    let mut said = Vec::new();
    let decision = word(map, "reviewDecision");
    if !decision.is_empty() {
        said.push(one_line(decision, clean));
    }
    for (state, words) in [
        ("CHANGES_REQUESTED", "changes wanted by"),
        ("APPROVED", "approved by"),
    ] {
        let by = by(state);
        if !by.is_empty() {
            said.push(format!("{words} {by}"));
        }
    }
    let asked: Vec<String> = nodes(map, "reviewRequests")
        .iter()
        .map(|request| &request["requestedReviewer"])
        .filter_map(|who| {
            let team = who["slug"].as_str().map(|slug| one_line(slug, clean));
            let person = who["login"].as_str().map(|name| one_line(name, clean));
            team.or(person)
        })
        .take(PEOPLE)
        .collect();
    if !asked.is_empty() {
        let more = more(map, "reviewRequests", asked.len());
        said.push(format!("waits for {}{more}", asked.join(", ")));
    }
    if said.is_empty() {
        said.push("none".to_owned());
    }
    let mut parts = vec![format!("review: {}", said.join("; "))];
    let threads = nodes(map, "reviewThreads");
    let open = threads
        .iter()
        .filter(|thread| thread["isResolved"] == false)
        .count();
    let total = map
        .get("reviewThreads")
        .and_then(|list| list["totalCount"].as_u64())
        .unwrap_or(0);
    if total > 0 {
        let least = if total > threads.len() as u64 {
            "≥"
        } else {
            ""
        };
        parts.push(format!(
            "{least}{} of {} threads unresolved",
            grouped(open),
            grouped(total)
        ));
    }
    parts.extend(comments(map, clean));
    parts.join(" · ")
}

/// `12 comments, the last by carol 2026-05-18`
fn comments(map: &Map<String, Value>, clean: Clean<'_>) -> Option<String> {
    let total = map.get("comments")?["totalCount"].as_u64()?;
    let last = nodes(map, "comments").last()?;
    let at = last["createdAt"].as_str().unwrap_or_default();
    let by = login(&last["author"], clean);
    let count = counted(total, "comment");
    (total > 0).then(|| format!("{count}, the last by {by} {}", day(&one_line(at, clean))))
}

/// `43 checks: 3 failed (lint, test (18), docs), 2 pending, 38 passed`
fn checks(map: &Map<String, Value>, unread: &[String], clean: Clean<'_>) -> String {
    let rollup = nodes(map, "commits")
        .first()
        .map_or(&Value::Null, |node| &node["commit"]["statusCheckRollup"]);
    let contexts = &rollup["contexts"];
    if !contexts["nodes"].is_array() {
        let hidden = ["commits", "commit", "statusCheckRollup", "contexts"];
        let unknown = !map.contains_key("commits")
            || unread.iter().any(|field| hidden.contains(&field.as_str()));
        return format!("checks: {}", if unknown { "unknown" } else { "none" });
    }
    let all = rollup::checks(contexts);
    let with = |wanted: Bucket| all.iter().filter(move |check| check.bucket == wanted);
    let failed: Vec<String> = with(Bucket::Fail)
        .map(|check| one_line(check.name, clean))
        .collect();
    let mut parts = Vec::new();
    if !failed.is_empty() {
        let more = failed.len().saturating_sub(NAMED);
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        parts.push(format!(
            "{} failed ({}{rest})",
            grouped(failed.len()),
            failed[..failed.len() - more].join(", ")
        ));
    }
    let unread = rollup::not_read(contexts);
    let total = all.len() as u64 + unread;
    for (count, what) in [
        (with(Bucket::Cancel).count() as u64, "cancelled"),
        (with(Bucket::Pending).count() as u64, "pending"),
        (with(Bucket::Pass).count() as u64, "passed"),
        (with(Bucket::Skip).count() as u64, "skipped"),
        (unread, "not read"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", grouped(count)));
        }
    }
    match total {
        0 => "checks: none".to_owned(),
        total => format!("{}: {}", counted(total, "check"), parts.join(", ")),
    }
}

/// `merge: BLOCKED, CONFLICTING`, for an open pull request.
fn merge(map: &Map<String, Value>, clean: Clean<'_>) -> Option<String> {
    if word(map, "state") != "OPEN" {
        return None;
    }
    let words: Vec<String> = ["mergeable", "mergeStateStatus"]
        .iter()
        .map(|key| one_line(word(map, key), clean))
        .filter(|word| !word.is_empty())
        .collect();
    (!words.is_empty()).then(|| format!("merge: {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(pull: &Value, unread: &[&str]) -> String {
        let unread: Vec<String> = unread.iter().map(|field| (*field).to_owned()).collect();
        brief(pull, BriefParts::default(), &unread, &|s| s.to_owned()).expect("a pull request")
    }

    #[test]
    fn checks_that_could_not_be_read_are_unknown_and_no_checks_are_none() {
        let pull = |rollup: Value| json!({"number": 1, "state": "OPEN", "commits": {"totalCount": 1, "nodes": [{"commit": {"statusCheckRollup": rollup}}]}});
        let none = text(&pull(Value::Null), &[]);
        assert!(none.contains("\nchecks: none"), "{none}");
        let hidden = text(&pull(Value::Null), &["statusCheckRollup"]);
        assert!(hidden.contains("\nchecks: unknown\n"), "{hidden}");
        assert!(
            hidden.ends_with("\nGitHub gave no answer for: statusCheckRollup"),
            "{hidden}"
        );
        let lacking = text(&json!({"number": 1, "state": "OPEN"}), &[]);
        assert!(lacking.contains("\nchecks: unknown"), "{lacking}");
    }

    #[test]
    fn checks_that_the_login_may_not_read_are_counted_as_not_read() {
        let pull = json!({"number": 1, "state": "OPEN", "commits": {"totalCount": 1, "nodes": [{"commit": {"statusCheckRollup": {
            "contexts": {"totalCount": 3, "nodes": [null, null, null]}}}}]}});
        let text = text(&pull, &["contexts"]);
        assert!(text.contains("\n3 checks: 3 not read\n"), "{text}");
    }

    #[test]
    fn labels_and_reviewers_beyond_those_that_are_shown_are_counted() {
        let asked: Vec<Value> = (0..7)
            .map(|n| json!({"requestedReviewer": {"login": format!("r{n}")}}))
            .collect();
        let pull = json!({"number": 1, "state": "OPEN", "labels": {"totalCount": 12, "nodes": [{"name": "bug"}]},
            "reviewRequests": {"totalCount": 7, "nodes": asked}});
        let text = text(&pull, &[]);
        assert!(text.contains("\nlabels: bug +11\n"), "{text}");
        assert!(text.contains("waits for r0, r1, r2, r3, r4 +2"), "{text}");
    }

    #[test]
    fn checks_beyond_those_that_were_read_are_counted() {
        let run = |name: &str, conclusion: &str| json!({"__typename": "CheckRun", "name": name, "status": "COMPLETED", "conclusion": conclusion});
        let nodes: Vec<Value> = (0..8)
            .map(|n| run(&format!("job {n}"), "FAILURE"))
            .chain([run("fine", "SUCCESS"), run("odd", "STALE")])
            .collect();
        let pull = json!({"number": 1, "state": "OPEN", "commits": {"totalCount": 1, "nodes": [{"commit": {"statusCheckRollup": {
            "contexts": {"totalCount": 120, "nodes": nodes}}}}]}});
        assert!(text(&pull, &[]).contains(
            "\n120 checks: 8 failed (job 0, job 1, job 2, job 3, job 4, job 5 and 2 more), 1 pending, 1 passed, 110 not read"
        ));
    }

    #[test]
    fn a_merged_pull_request_says_by_whom_and_not_what_keeps_it() {
        let pull = json!({"number": 1, "state": "MERGED", "title": "T", "mergedAt": "2026-01-05T10:00:00Z", "mergedBy": {"login": "mona"},
            "mergeable": "UNKNOWN", "baseRef": {"compare": {"behindBy": 3}}, "headRefName": "h", "baseRefName": "main",
            "isCrossRepository": true, "headRepositoryOwner": null});
        let text = text(&pull, &[]);
        assert!(
            text.starts_with("#1 MERGED  T\nauthor unknown · merged 2026-01-05 · by mona · url"),
            "{text}"
        );
        assert!(
            text.contains("\nh of a fork that is gone → main · +0 -0 in 0 files\n"),
            "{text}"
        );
        assert!(!text.contains("merge:"), "{text}");
        let none = brief(&json!([]), BriefParts::default(), &[], &|s| s.to_owned());
        assert!(none.is_err());
    }
}
