//! The `--json` fields that the tools ask of gh's commands: the default ones, and those that a `fields` argument may name.

use thiserror::Error;

use crate::gh::catalog::Catalog;

/// The fields of one command.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// The command, `pr view`.
    pub leaf: &'static str,
    /// The fields asked for if the call names none, in this order.
    pub default: &'static [&'static str],
    /// Fields whose value can be long, each with what makes it long; one call may name one of them.
    pub heavy: &'static [(&'static str, &'static str)],
}

/// The long fields of a pull request or an issue.
const HEAVY: &[(&str, &str)] = &[
    ("comments", "every comment with its text"),
    ("commits", "a hundred commits with their messages"),
    ("files", "a hundred files"),
    ("latestReviews", "reviews with their text"),
    ("reviews", "every review with its text"),
    ("statusCheckRollup", "a hundred checks"),
    ("subIssues", "a hundred issues"),
];

/// The fields asked of one pull request or issue.
const ITEM: &[&str] = &[
    "number",
    "title",
    "state",
    "author",
    "createdAt",
    "url",
    "body",
];

/// The fields asked of a run; its view shows all of them.
pub(super) const RUN: &[&str] = &[
    "databaseId",
    "name",
    "status",
    "conclusion",
    "startedAt",
    "headBranch",
    "event",
    "url",
    "jobs",
];

/// The commands, one row each.  By the default fields a reader can decide whether to read on.
pub const FIELDS: &[Fields] = &[
    Fields {
        leaf: "repo view",
        default: &[
            "name",
            "nameWithOwner",
            "description",
            "defaultBranchRef",
            "url",
            "visibility",
        ],
        heavy: &[
            ("assignableUsers", "everybody with access"),
            ("labels", "a hundred labels"),
            ("mentionableUsers", "everybody who took part"),
            ("milestones", "a hundred milestones"),
            ("projects", "a hundred projects"),
            ("projectsV2", "a hundred projects"),
        ],
    },
    Fields {
        leaf: "pr view",
        default: ITEM,
        heavy: HEAVY,
    },
    Fields {
        leaf: "pr list",
        default: &[
            "number",
            "title",
            "state",
            "author",
            "createdAt",
            "headRefName",
        ],
        heavy: HEAVY,
    },
    // Unlike `run view', `pr checks' has no fields `status' and `conclusion' (gh 2.92.0 and 2.103.3).
    Fields {
        leaf: "pr checks",
        default: &["bucket", "name", "workflow", "state", "link", "description"],
        heavy: &[],
    },
    Fields {
        leaf: "issue view",
        default: ITEM,
        heavy: HEAVY,
    },
    Fields {
        leaf: "issue list",
        default: &["number", "title", "state", "author", "createdAt", "labels"],
        heavy: HEAVY,
    },
    // Only `jobs', which is among these fields, says what failed in a run.
    Fields {
        leaf: "run view",
        default: RUN,
        heavy: &[],
    },
    Fields {
        leaf: "run list",
        default: &[
            "databaseId",
            "name",
            "status",
            "conclusion",
            "startedAt",
            "headBranch",
        ],
        heavy: &[],
    },
];

/// Why a `fields` argument is refused; the second line of `Display` says what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldsError {
    /// No tool asks this command for fields.
    #[error("No tool asks `gh {0}' for fields.\nLeave the argument out.")]
    Leaf(String),
    /// The tool's view asks for no fields.
    #[error("This tool asks for no fields.\nLeave the argument out.")]
    View,
    /// The argument has no name in it.
    #[error(
        "The fields argument names no field.\nGive names apart by commas, such as number,title,labels."
    )]
    Empty,
    /// A name that gh does not know. The message shows it only if it has the form of a field's name.
    #[error("gh {leaf} has no field {name}.\nValid: {valid}.")]
    Unknown {
        /// The command.
        leaf: &'static str,
        /// The name, or words for it.
        name: String,
        /// The names that gh knows, apart by commas.
        valid: String,
    },
    /// More than one long list.
    #[error("The fields {0} and {1} are both long lists.\nAsk for one of them in a call.")]
    TwoHeavy(&'static str, &'static str),
}

/// The row of `leaf`.
fn row(leaf: &str) -> Result<&'static Fields, FieldsError> {
    FIELDS
        .iter()
        .find(|row| row.leaf == leaf)
        .ok_or_else(|| FieldsError::Leaf(shown(leaf)))
}

/// The names that gh knows for `leaf`, by the catalog of its versions.
fn known(leaf: &str) -> Vec<&'static str> {
    let mut node = &Catalog::get().root;
    for word in leaf.split(' ') {
        match node.child(word) {
            Some((child, _)) => node = child,
            None => return Vec::new(),
        }
    }
    node.leaf.json.iter().map(String::as_str).collect()
}

/// The fields to ask of `leaf`: the default ones, or those that `given` names, apart by commas.
///
/// Each name must be a field of the command, and at most one may be a long list. The result has them in the order given, each
/// once.
pub fn fields(leaf: &str, given: Option<&str>) -> Result<Vec<&'static str>, FieldsError> {
    let row = row(leaf)?;
    let Some(given) = given else {
        return Ok(row.default.to_vec());
    };
    let known = known(leaf);
    let mut fields: Vec<&'static str> = Vec::new();
    let mut long: Option<&'static str> = None;
    for word in given.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let Some(name) = known.iter().find(|name| **name == word) else {
            return Err(FieldsError::Unknown {
                leaf: row.leaf,
                name: shown(word),
                valid: known.join(", "),
            });
        };
        if fields.contains(name) {
            continue;
        }
        if row.heavy.iter().any(|(heavy, _)| heavy == name) {
            if let Some(first) = long {
                return Err(FieldsError::TwoHeavy(first, name));
            }
            long = Some(name);
        }
        fields.push(name);
    }
    if fields.is_empty() {
        return Err(FieldsError::Empty);
    }
    Ok(fields)
}

/// `word` if it has the form of a field's or a command's name, else words for it: a message never repeats arbitrary text.
fn shown(word: &str) -> String {
    let plain = word.len() <= 40
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_ ".contains(&b));
    if plain {
        word.to_owned()
    } else {
        "of that name".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_and_every_long_field_is_one_that_gh_knows() {
        for row in FIELDS {
            let known = known(row.leaf);
            assert!(!known.is_empty(), "{}", row.leaf);
            for name in row.default {
                assert!(known.contains(name), "{}: {name}", row.leaf);
            }
            assert!(
                row.heavy.iter().any(|(name, _)| known.contains(name)) || row.heavy.is_empty(),
                "{}",
                row.leaf
            );
            assert!(row.heavy.iter().all(|(_, why)| !why.is_empty()));
        }
    }

    #[test]
    fn the_defaults_of_a_pull_request_are_the_seven_that_decide_whether_to_read_on() {
        assert_eq!(
            fields("pr view", None).map(|f| f.join(",")),
            Ok("number,title,state,author,createdAt,url,body".into())
        );
    }

    #[test]
    fn each_name_is_taken_once_and_in_the_order_given() {
        assert_eq!(
            fields("pr view", Some(" labels, number,,labels ")),
            Ok(vec!["labels", "number"])
        );
    }

    #[test]
    fn two_long_lists_in_one_call_are_refused() {
        assert_eq!(
            fields("pr view", Some("reviews,comments,files")),
            Err(FieldsError::TwoHeavy("reviews", "comments"))
        );
        assert!(fields("pr view", Some("files,number")).is_ok());
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_list_and_repeated_only_if_it_is_plain() {
        let message = |given: &str| {
            fields("pr view", Some(given))
                .expect_err("not a field")
                .to_string()
        };
        assert!(message("number,status").starts_with("gh pr view has no field status.\nValid: "));
        assert!(message("number,status").contains("headRefName"));
        assert!(message("--web").starts_with("gh pr view has no field of that name."));
        assert!(!message("a\n[gh x]").contains("[gh"));
        assert_eq!(fields("pr view", Some(" , ")), Err(FieldsError::Empty));
        assert!(matches!(
            fields("pr merge", None),
            Err(FieldsError::Leaf(_))
        ));
    }
}
