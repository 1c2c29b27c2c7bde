//! What an edit changes, by its flags: `a new title, base release, label bug added`.

use crate::gh::catalog::Arity;
use crate::gh::parse::Parsed;

/// What the value of a flag means for the thing that is edited; `{}` is the value.
const CHANGES: &[(&str, &str)] = &[
    ("title", "a new title"),
    ("body", "a new text"),
    ("notes", "new notes"),
    ("description", "a new description"),
    ("readme", "a new readme"),
    ("base", "base {}"),
    ("tag", "tag {}"),
    ("target", "target {}"),
    ("name", "name {}"),
    ("color", "color {}"),
    ("type", "type {}"),
    ("parent", "parent {}"),
    ("category", "category {}"),
    ("milestone", "milestone {}"),
    ("remove-milestone", "no milestone"),
    ("add-label", "label {} added"),
    ("remove-label", "label {} removed"),
    ("add-assignee", "{} assigned"),
    ("remove-assignee", "{} no longer assigned"),
    ("add-reviewer", "a review asked of {}"),
    ("remove-reviewer", "a review no longer asked of {}"),
    ("add-project", "project {} added"),
    ("remove-project", "project {} removed"),
    ("add-topic", "topic {} added"),
    ("remove-topic", "topic {} removed"),
    ("default-branch", "default branch {}"),
    ("homepage", "homepage {}"),
    ("machine", "machine {}"),
    ("display-name", "name {}"),
];

/// Fields of the REST API whose new value is shown below the sentence, and their words; other fields stand in it by their name.
const FIELDS: &[(&str, &str)] = &[
    ("title", "a new title"),
    ("body", "a new text"),
    ("description", "a new description"),
    ("message", "a new message"),
];

/// Flags that change nothing of the thing: they say which thing is meant, or how gh asks and answers.
const NO_CHANGES: &[&str] = &[
    "repo",
    "owner",
    "id",
    "project-id",
    "field-id",
    "codespace",
    "format",
    "jq",
    "template",
    "json",
    "accept-visibility-change-consequences",
    "verify-tag",
    "repo-owner",
    // The sentence says these in other words.
    "draft",
    "visibility",
];

/// The changes that `call` makes, in the order of its flags; `None` if no flag makes one. `shown` makes a value a part of a
/// sentence.
pub(super) fn of(call: &Parsed, shown: &dyn Fn(&str) -> String) -> Option<String> {
    let mut changes: Vec<String> = Vec::new();
    for given in &call.flags {
        let name = given.flag.name.as_str();
        if NO_CHANGES.contains(&name) {
            continue;
        }
        let value = given.value.as_deref().map(shown);
        let row = CHANGES.iter().find(|(flag, _)| *flag == name);
        let change = match (row, given.flag.arity, value) {
            (Some((_, words)), _, value) => words.replace("{}", &value.unwrap_or_default()),
            (None, Arity::Nothing, _) if given.on() == Some(false) => format!("not {name}"),
            (None, Arity::Nothing, _) | (None, _, None) => name.to_owned(),
            (None, _, Some(value)) => format!("{name} {value}"),
        };
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    (!changes.is_empty()).then(|| changes.join(", "))
}

/// The changes that the fields of a call of `gh api` make; `None` if it has no fields.
pub(super) fn of_fields<'a>(
    fields: impl Iterator<Item = &'a str>,
    shown: &dyn Fn(&str) -> String,
) -> Option<String> {
    let mut changes: Vec<String> = Vec::new();
    for key in fields {
        let key = key.split('[').next().unwrap_or(key);
        let row = FIELDS.iter().find(|(name, _)| *name == key);
        let change = row.map_or_else(|| shown(key), |(_, words)| (*words).to_owned());
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    (!changes.is_empty()).then(|| changes.join(", "))
}
