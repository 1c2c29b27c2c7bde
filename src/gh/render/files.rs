//! The files of a pull request: how many are shown of how many, and how many lines were added and removed in each.

use serde_json::Value;

use super::clean::{Clean, one_line};
use super::json::{RenderError, parse_bounded};
use crate::text::numbers::grouped;

/// GitHub's kinds of change, with the letter that git has for each.
const CHANGES: &[(&str, char)] = &[
    ("ADDED", 'A'),
    ("CHANGED", 'T'),
    ("COPIED", 'C'),
    ("DELETED", 'D'),
    ("MODIFIED", 'M'),
    ("RENAMED", 'R'),
];

/// Renders the JSON of `gh pr view --json files,changedFiles,additions,deletions`. gh lists the first hundred files only;
/// `changedFiles` says how many there are.
pub fn files(json: &[u8], clean: Clean<'_>) -> Result<String, RenderError> {
    let expected = "pull request's files";
    let Value::Object(map) = parse_bounded(json)? else {
        return Err(RenderError::Shape { expected });
    };
    let Some(Value::Array(files)) = map.get("files") else {
        return Err(RenderError::Shape { expected });
    };
    let number = |value: Option<&Value>| value.and_then(Value::as_u64);
    let count = match number(map.get("changedFiles")) {
        Some(total) => format!("{}/{total}", files.len()),
        None if files.len() >= 100 => format!("≥{}", files.len()),
        None => files.len().to_string(),
    };
    let sum = |key: &str| number(map.get(key)).map_or_else(String::new, grouped);
    let mut lines = vec![format!(
        "{count} files, +{} -{}",
        sum("additions"),
        sum("deletions")
    )];
    for file in files {
        let change = file.get("changeType").and_then(Value::as_str);
        let letter = change
            .and_then(|change| CHANGES.iter().find(|(name, _)| *name == change))
            .map_or('?', |(_, letter)| *letter);
        let path = file.get("path").and_then(Value::as_str).unwrap_or_default();
        lines.push(format!(
            "{letter} {} +{} -{}",
            one_line(path, clean),
            number(file.get("additions")).unwrap_or(0),
            number(file.get("deletions")).unwrap_or(0)
        ));
    }
    Ok(lines.join("\n"))
}
