//! What a host's GraphQL does not know: an older GitHub Enterprise Server rejects a whole query for one field.
//!
//! A field that was rejected once is left out of every later query to that host, as long as this process lives, and what it would have
//! told is said to be unknown. Only fields that a query can do without are ever left out.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The fields that a query can do without.
pub(super) const OPTIONAL: &[&str] = &[
    "affiliations",
    "aheadBy",
    "behindBy",
    "closed",
    "compare",
    "discussion",
    "forks",
    "isAnswered",
    "isArchived",
    "isPrerelease",
    "mergeStateStatus",
    "object",
    "projectV2",
    "releases",
    "reviewDecision",
    "statusCheckRollup",
    "visibility",
];

static LACKS: Mutex<BTreeSet<(String, &'static str)>> = Mutex::new(BTreeSet::new());

/// Whether `host` is known to lack `field`.
pub(super) fn lacks(host: &str, field: &str) -> bool {
    let lacks = LACKS.lock().unwrap_or_else(PoisonError::into_inner);
    lacks
        .iter()
        .any(|(lacking, name)| lacking.eq_ignore_ascii_case(host) && *name == field)
}

/// Whether `answer` of `host` says that it does not know some of the optional fields; they are known to be lacking from now on.
///
/// Of two queries that were sent at once both hear of the same field, so it says so of one that was known by then, too.
///
/// GitHub tells them by `extensions` (`undefinedField`, `argumentNotAccepted`) and by the message, "Field 'compare' doesn't exist on type 'Ref'".
pub(super) fn note(host: &str, answer: &Value) -> bool {
    let mut any = false;
    for error in answer["errors"].as_array().into_iter().flatten() {
        let message = error["message"].as_str().unwrap_or_default();
        let unknown = matches!(
            error["extensions"]["code"].as_str(),
            Some("undefinedField" | "argumentNotAccepted")
        ) || message.contains("doesn't exist on type")
            || message.contains("doesn't accept argument");
        if !unknown {
            continue;
        }
        let told = [
            error["extensions"]["argumentName"].as_str(),
            error["extensions"]["fieldName"].as_str(),
        ];
        let found = OPTIONAL
            .iter()
            .find(|field| told.contains(&Some(**field)) || message.contains(&format!("'{field}'")));
        if let Some(field) = found {
            let mut lacks = LACKS.lock().unwrap_or_else(PoisonError::into_inner);
            lacks.insert((host.to_ascii_lowercase(), field));
            any = true;
        }
    }
    any
}
