//! Fields that a host's GraphQL lacks: an older GitHub Enterprise Server rejects a whole query for one unknown field.
//!
//! A field that was rejected once is left out of every later query to that host as long as this process lives, and the person
//! is told that its value is unknown. Only fields that a query can do without are ever left out.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// The fields that a query can do without.
pub const OPTIONAL: &[&str] = &[
    "affiliations",
    "aheadBy",
    "behindBy",
    "closed",
    "compare",
    "conclusions",
    "discussion",
    "event",
    "forks",
    "isAnswered",
    "isArchived",
    "isPrerelease",
    "latestOpinionatedReviews",
    "mergeStateStatus",
    "object",
    "projectV2",
    "releases",
    "resolvedBy",
    "reviewDecision",
    "statusCheckRollup",
    "statuses",
    "steps",
    "subjectType",
    "viewerCanReply",
    "viewerCanResolve",
    "viewerCanUnresolve",
    "visibility",
];

/// The hosts, in small letters, with the fields that each lacks.
static LACKS: Mutex<BTreeSet<(String, &'static str)>> = Mutex::new(BTreeSet::new());

/// Whether `host` is known to lack `field`.
pub fn lacks(host: &str, field: &str) -> bool {
    let lacks = LACKS.lock().unwrap_or_else(PoisonError::into_inner);
    lacks
        .iter()
        .any(|(lacking, name)| lacking.eq_ignore_ascii_case(host) && *name == field)
}

/// Remembers the optional fields that `host` rejects in `answer`; returns whether it rejects any.
///
/// A field that was remembered before counts too: two queries sent at once are both rejected for one field, and both are to be
/// asked again.
///
/// GitHub names a rejected field in `extensions` (`undefinedField`, `argumentNotAccepted`) and in the message, "Field
/// 'compare' doesn't exist on type 'Ref'".
pub fn remember(host: &str, answer: &Value) -> bool {
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
        let named = [
            error["extensions"]["argumentName"].as_str(),
            error["extensions"]["fieldName"].as_str(),
        ];
        let found = OPTIONAL.iter().find(|field| {
            named.contains(&Some(**field)) || message.contains(&format!("'{field}'"))
        });
        if let Some(field) = found {
            let mut lacks = LACKS.lock().unwrap_or_else(PoisonError::into_inner);
            lacks.insert((host.to_ascii_lowercase(), field));
            any = true;
        }
    }
    any
}
