//! Guesses the type of a field.  There is no schema, so the field's name and the query's fragments decide.

use super::selection::DEPTH;
use super::{Run, Set};
use graphql_parser::query::{Selection, TypeCondition};
use serde_json::Value;

/// Rows of a field and the type of its value (for a list or a connection, of its entries), where the field's name does not say the type.
const TYPES: &[(&str, &str)] = &[
    ("answerChosenBy", "User"),
    ("app", "App"),
    ("assignableUsers", "User"),
    ("assignedActors", "User"),
    ("assignees", "User"),
    ("author", "User"),
    ("authors", "User"),
    ("baseRef", "Ref"),
    ("baseRepository", "Repository"),
    ("blockedBy", "Issue"),
    ("blocking", "Issue"),
    ("checkRunCountsByState", "CheckRunStateCount"),
    ("closingIssuesReferences", "Issue"),
    ("commits", "PullRequestCommit"),
    ("committer", "User"),
    ("contexts", "CheckRun"),
    ("createdBy", "User"),
    ("creator", "User"),
    ("defaultBranchRef", "Ref"),
    ("enabledBy", "User"),
    ("files", "PullRequestChangedFile"),
    ("headRepository", "Repository"),
    ("headRepositoryOwner", "User"),
    ("history", "Commit"),
    ("issue", "Issue"),
    ("issueOrPullRequest", "Issue"),
    ("latestReviews", "PullRequestReview"),
    ("mentionableUsers", "User"),
    ("mergeCommit", "Commit"),
    ("mergedBy", "User"),
    ("owner", "User"),
    ("parent", "Issue"),
    ("potentialMergeCommit", "Commit"),
    ("projectItems", "ProjectV2Item"),
    ("projectsV2", "ProjectV2"),
    ("requestedReviewer", "User"),
    ("reviewThreads", "PullRequestReviewThread"),
    ("reviews", "PullRequestReview"),
    ("statusCheckRollup", "StatusCheckRollup"),
    ("statusContextCountsByState", "StatusContextStateCount"),
    ("subIssues", "Issue"),
    ("subIssuesSummary", "SubIssuesSummary"),
    ("suggestedActors", "User"),
    ("suggestedReviewerActors", "User"),
    ("target", "Commit"),
    ("thread", "PullRequestReviewThread"),
    ("user", "User"),
    ("viewer", "User"),
];

/// Fields whose value is a plain list of objects, not a connection.
pub(super) const LISTS: &[&str] = &[
    "checkRunCountsByState",
    "contactLinks",
    "contexts",
    "fundingLinks",
    "issueTemplates",
    "pullRequestTemplates",
    "reactionGroups",
    "statusContextCountsByState",
    "suggestedReviewers",
    "options",
    "iterations",
    "completedIterations",
    "discussionCategories",
    "entries", // of a Tree
    "files",   // of a Gist; a pull request's are a connection
];

/// Rows of an interface or union that gh's fragments name, and its types.
const INTERFACES: &[(&str, &[&str])] = &[
    ("Actor", &["User", "Organization", "Bot", "Mannequin"]),
    ("RepositoryOwner", &["User", "Organization"]),
    (
        "ProjectV2Owner",
        &["User", "Organization", "Issue", "PullRequest", "Repository"],
    ),
    ("ProfileOwner", &["User", "Organization"]),
    ("IssueOrPullRequest", &["Issue", "PullRequest"]),
    ("RequestedReviewer", &["User", "Team", "Bot", "Mannequin"]),
    ("GitObject", &["Commit", "Tree", "Blob", "Tag"]),
    (
        "ProjectV2FieldCommon",
        &[
            "ProjectV2Field",
            "ProjectV2IterationField",
            "ProjectV2SingleSelectField",
        ],
    ),
];

/// A selection set with one of these fields belongs to a connection.
const CONNECTION: &[&str] = &[
    "nodes",
    "edges",
    "pageInfo",
    "totalCount",
    "issueCount",
    "repositoryCount",
    "userCount",
    "discussionCount",
];

impl<'q> Run<'_, 'q> {
    /// Returns the type of the object, or of the entries, in the field `name`.
    pub(super) fn kind(
        &self,
        name: &str,
        parent: &str,
        known: Option<&Value>,
        sets: &[&'q Set],
    ) -> String {
        if let Some(said) = known.and_then(|known| known["__typename"].as_str()) {
            return said.to_owned();
        }
        let row = TYPES.iter().find(|(field, _)| *field == name);
        let (guess, sure) = match row {
            Some(("parent", _)) if parent == "Repository" => ("Repository".to_owned(), true),
            Some(("commits", _)) if parent == "Ref" => ("Commit".to_owned(), true),
            Some((_, kind)) => ((*kind).to_owned(), true),
            None => (singular(&pascal(name)), false),
        };
        self.choose(&guess, sure, sets)
    }

    /// Returns `guess`, or a type that the fragments in `sets` name if none of them fits `guess`.
    pub(super) fn choose(&self, guess: &str, sure: bool, sets: &[&'q Set]) -> String {
        let mut conditions = Vec::new();
        for set in sets {
            self.conditions(set, &mut conditions, 0);
        }
        if conditions.iter().any(|condition| fits(guess, condition)) {
            return guess.to_owned();
        }
        let first = conditions.iter().find(|condition| !is_interface(condition));
        match first {
            // If the type is sure, fragments that cannot apply to it are for other members of a union.
            Some(first) if !sure || selects_only_fragments(sets) => (*first).to_owned(),
            _ => guess.to_owned(),
        }
    }

    pub(super) fn conditions(&self, set: &'q Set, out: &mut Vec<&'q str>, depth: usize) {
        for item in &set.items {
            let (condition, inner) = match item {
                Selection::Field(_) => continue,
                Selection::InlineFragment(inline) => {
                    (inline.type_condition.as_ref(), &inline.selection_set)
                }
                Selection::FragmentSpread(spread) => match self.fragment(&spread.fragment_name) {
                    Some(fragment) => (Some(&fragment.type_condition), &fragment.selection_set),
                    None => continue,
                },
            };
            match condition {
                Some(TypeCondition::On(name)) => out.push(name),
                None if depth < DEPTH => self.conditions(inner, out, depth + 1),
                None => {}
            }
        }
    }
}

pub(super) fn fits(kind: &str, condition: &str) -> bool {
    let behind = INTERFACES.iter().find(|(name, _)| *name == condition);
    kind == condition
        || condition == "Node"
        || behind.is_some_and(|(_, kinds)| kinds.contains(&kind))
}

fn is_interface(condition: &str) -> bool {
    condition == "Node" || INTERFACES.iter().any(|(name, _)| *name == condition)
}

pub(super) fn pascal(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn singular(name: &str) -> String {
    for (end, instead) in [
        ("ies", "y"),
        ("sses", "ss"),
        ("ches", "ch"),
        ("xes", "x"),
        ("ss", "ss"),
        ("us", "us"),
        ("s", ""),
    ] {
        if let Some(stem) = name.strip_suffix(end) {
            return format!("{stem}{instead}");
        }
    }
    name.to_owned()
}

fn selects_only_fragments(sets: &[&Set]) -> bool {
    let field = |item: &Selection<'static, String>| matches!(item, Selection::Field(field) if field.name != "__typename");
    !sets.iter().any(|set| set.items.iter().any(field))
}

pub(super) fn is_connection(sets: &[&Set]) -> bool {
    sets.iter().any(|set| {
        set.items.iter().any(|item| match item {
            Selection::Field(field) => CONNECTION.contains(&field.name.as_str()),
            Selection::InlineFragment(inline) => {
                inline.type_condition.is_none() && is_connection(&[&inline.selection_set])
            }
            Selection::FragmentSpread(_) => false,
        })
    })
}
