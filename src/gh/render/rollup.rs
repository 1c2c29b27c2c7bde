//! The checks of a commit as GitHub rolls them up, each once and in one of gh's buckets.
//!
//! Of checks that ran more than once, the one that started last counts, as in `gh pr checks` (2.92.0 and 2.103.3, which tell repeated
//! runs by name, workflow and event); unlike there, one that is queued again counts as waiting.

use std::collections::BTreeMap;

use serde_json::Value;

/// The fields of the contexts of a `StatusCheckRollup` that tell how many checks stand how; for `EVENT` stands `event`, which older hosts
/// lack.
pub const CONTEXTS: &str = "totalCount nodes{__typename ...on CheckRun{name status conclusion startedAt checkSuite{workflowRun{EVENT workflow{name}}}} \
...on StatusContext{context state createdAt}}";

/// The fields that [`checks`] reads: those, and the addresses.
pub const LINKED: &str = "totalCount nodes{__typename ...on CheckRun{name status conclusion startedAt detailsUrl checkSuite{workflowRun{EVENT workflow{name}}}} \
...on StatusContext{context state createdAt targetUrl description}}";

/// How a check stands (`gh pr checks --help`: "pass, fail, pending, skipping, cancel").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bucket {
    Fail,
    Cancel,
    Pending,
    Pass,
    Skip,
}

impl Bucket {
    /// gh's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Cancel => "cancel",
            Self::Pending => "pending",
            Self::Pass => "pass",
            Self::Skip => "skipping",
        }
    }

    /// The bucket for a state, a conclusion or a status of GraphQL (`StatusState`, `CheckConclusionState`, `CheckStatusState`).
    fn of(state: &str) -> Self {
        match state {
            "SUCCESS" => Self::Pass,
            "SKIPPED" | "NEUTRAL" => Self::Skip,
            "ERROR" | "FAILURE" | "TIMED_OUT" | "ACTION_REQUIRED" | "STARTUP_FAILURE" => Self::Fail,
            "CANCELLED" => Self::Cancel,
            _ => Self::Pending,
        }
    }
}

/// Sorts after each time stamp.
const LATER: &str = "~";

/// One check, with its texts as they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check<'a> {
    pub bucket: Bucket,
    pub name: &'a str,
    pub workflow: &'a str,
    pub link: &'a str,
    pub description: &'a str,
}

/// How many checks `contexts` counts and does not give: those beyond the first page, and those that the login may not read.
pub(super) fn not_read(contexts: &Value) -> u64 {
    let nodes = contexts["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let given = nodes.iter().filter(|node| node.is_object()).count() as u64;
    let total = contexts["totalCount"].as_u64().unwrap_or(0);
    total.max(nodes.len() as u64).saturating_sub(given)
}

/// The checks in `contexts`, the contexts of a `StatusCheckRollup`, in GitHub's order.
pub(super) fn checks(contexts: &Value) -> Vec<Check<'_>> {
    let nodes = contexts["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let mut newest: BTreeMap<(bool, &str, &str, &str), (&str, usize)> = BTreeMap::new();
    // A check that the login may not read is null.
    let readable = nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.is_object());
    for (nth, node) in readable {
        let run = &node["checkSuite"]["workflowRun"];
        let key = (
            // A status and a check of one name are two checks.
            node.get("context").is_some(),
            text(node, "name").or(text(node, "context")).unwrap_or(""),
            text(&run["workflow"], "name").unwrap_or(""),
            text(run, "event").unwrap_or(""),
        );
        let at = text(node, "startedAt").or(text(node, "createdAt"));
        // A check that waits for its start is newer than each one that has started.
        let waits = text(node, "status").is_some_and(|status| status != "COMPLETED");
        let at = at.unwrap_or(if waits { LATER } else { "" });
        // Stamps of one form sort as text; of equal ones the later in GitHub's list counts.
        match newest.get_mut(&key) {
            Some(known) if known.0 > at => {}
            Some(known) => *known = (at, nth),
            None => {
                newest.insert(key, (at, nth));
            }
        }
    }
    let mut kept: Vec<usize> = newest.into_values().map(|(_, nth)| nth).collect();
    kept.sort_unstable();
    kept.into_iter().map(|nth| check(&nodes[nth])).collect()
}

fn check(node: &Value) -> Check<'_> {
    let state = match text(node, "state") {
        Some(state) => state,
        None if text(node, "status") == Some("COMPLETED") => {
            text(node, "conclusion").unwrap_or_default()
        }
        None => "PENDING",
    };
    Check {
        bucket: Bucket::of(state),
        name: text(node, "name")
            .or(text(node, "context"))
            .unwrap_or("unnamed"),
        workflow: text(&node["checkSuite"]["workflowRun"]["workflow"], "name").unwrap_or_default(),
        link: text(node, "detailsUrl")
            .or(text(node, "targetUrl"))
            .unwrap_or_default(),
        description: text(node, "description").unwrap_or_default(),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_repeated_runs_the_one_that_started_last_counts() {
        let run = |conclusion: &str, at: &str, event: &str| {
            json!({"name": "test", "status": "COMPLETED", "conclusion": conclusion, "startedAt": at,
            "checkSuite": {"workflowRun": {"event": event, "workflow": {"name": "CI"}}}})
        };
        let contexts = json!({"nodes": [
            run("FAILURE", "2026-01-05T10:00:00Z", "push"),
            run("SUCCESS", "2026-01-05T11:00:00Z", "push"),
            run("CANCELLED", "2026-01-05T09:00:00Z", "pull_request"),
        ]});
        let buckets: Vec<Bucket> = checks(&contexts).iter().map(|one| one.bucket).collect();
        assert_eq!(buckets, [Bucket::Pass, Bucket::Cancel]);
    }

    #[test]
    fn a_check_that_is_queued_again_waits_and_a_status_of_its_name_is_another_check() {
        let contexts = json!({"nodes": [
            {"name": "ci", "status": "QUEUED", "conclusion": null, "startedAt": null},
            {"name": "ci", "status": "COMPLETED", "conclusion": "SUCCESS", "startedAt": "2026-01-05T10:00:00Z"},
            {"context": "ci", "state": "SUCCESS", "createdAt": "2026-01-05T10:00:00Z"},
        ]});
        let buckets: Vec<Bucket> = checks(&contexts).iter().map(|one| one.bucket).collect();
        assert_eq!(buckets, [Bucket::Pending, Bucket::Pass]);
    }

    #[test]
    fn checks_that_the_login_may_not_read_are_not_pending() {
        let contexts =
            json!({"totalCount": 3, "nodes": [null, null, {"context": "ci", "state": "SUCCESS"}]});
        assert_eq!(checks(&contexts).len(), 1);
        assert_eq!(not_read(&contexts), 2);
    }

    #[test]
    fn each_state_has_the_bucket_that_gh_gives_it() {
        for (node, bucket) in [
            (json!({"context": "ci", "state": "ERROR"}), Bucket::Fail),
            (
                json!({"context": "ci", "state": "EXPECTED"}),
                Bucket::Pending,
            ),
            (
                json!({"name": "a", "status": "IN_PROGRESS", "conclusion": null}),
                Bucket::Pending,
            ),
            (
                json!({"name": "a", "status": "COMPLETED", "conclusion": "NEUTRAL"}),
                Bucket::Skip,
            ),
            (
                json!({"name": "a", "status": "COMPLETED", "conclusion": "STALE"}),
                Bucket::Pending,
            ),
            (
                json!({"name": "a", "status": "COMPLETED", "conclusion": "TIMED_OUT"}),
                Bucket::Fail,
            ),
        ] {
            let contexts = json!({"nodes": [node]});
            assert_eq!(checks(&contexts)[0].bucket, bucket, "{contexts}");
        }
        assert!(checks(&Value::Null).is_empty());
    }
}
