//! Any JSON value as short text: scalars as they are, people and labels by their name, objects as `key=value`, long lists cut.

use serde_json::{Map, Value};

use super::clean::{Clean, one_line};
use crate::text::numbers::grouped;

/// Longest string in a field's line, in characters.
const MAX_TEXT: usize = 200;

/// Most entries of a list that are shown.
const MAX_ITEMS: usize = 20;

/// Keys whose value names an object, the best first.
const NAMES: &[&str] = &["login", "name", "title", "nameWithOwner", "oid"];

/// Keys that tell a reader nothing beside a name, each with the reason.
const NOISE: &[(&str, &str)] = &[
    ("id", "a node id"),
    ("__typename", "GraphQL's own"),
    ("databaseId", "another id"),
    ("is_bot", "the login says it (app/…)"),
    ("color", "a label's colour"),
    ("description", "a label's description"),
    ("name", "the person's full name beside the login"),
];

/// Lines for one field: `key: value`, and for a list of objects one line each below it.
pub(super) fn field_lines(key: &str, value: &Value, clean: Clean<'_>) -> Vec<String> {
    let key = one_line(key, clean);
    if let Value::Array(items) = value
        && items
            .iter()
            .any(|item| item.is_object() && named(item).is_none())
    {
        // gh asks for the first hundred of some lists and does not say so.
        let at_least = if items.len() >= 100 { "≥" } else { "" };
        let mut lines = vec![format!("{key}: {at_least}{}", grouped(items.len()))];
        let shown = items.iter().take(MAX_ITEMS);
        lines.extend(shown.map(|item| format!("- {}", compact(item, clean))));
        if items.len() > MAX_ITEMS {
            lines.push(format!("- and {} more", grouped(items.len() - MAX_ITEMS)));
        }
        return lines;
    }
    vec![format!("{key}: {}", compact(value, clean))]
}

/// A value on one line.
pub(super) fn compact(value: &Value, clean: Clean<'_>) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(n) => n.to_string(),
        Value::String(s) => text(s, clean),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => {
            let shown: Vec<String> = items
                .iter()
                .take(MAX_ITEMS)
                .map(|i| inner(i, clean))
                .collect();
            match items.len().saturating_sub(MAX_ITEMS) {
                0 => shown.join(", "),
                more => format!("{}, and {} more", shown.join(", "), grouped(more)),
            }
        }
        Value::Object(map) if map.is_empty() => "none".to_owned(),
        Value::Object(map) => match named(value) {
            Some(name) => text(name, clean),
            None => pairs(map, clean),
        },
    }
}

/// A value within another: lists, and objects without a name, stand in parentheses.
fn inner(value: &Value, clean: Clean<'_>) -> String {
    let text = compact(value, clean);
    let plain = !value.is_object() || named(value).is_some();
    if plain && !value.is_array() {
        text
    } else {
        format!("({text})")
    }
}

/// The members of an object as `key=value`, without empty ones and ids.
fn pairs(map: &Map<String, Value>, clean: Clean<'_>) -> String {
    let says = |value: &Value| match value {
        Value::Null => false,
        Value::String(s) => !s.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    let noise = |key: &str| matches!(key, "id" | "__typename" | "databaseId");
    let pairs: Vec<String> = map
        .iter()
        .filter(|(key, value)| says(value) && !noise(key))
        .map(|(key, value)| format!("{}={}", one_line(key, clean), inner(value, clean)))
        .collect();
    if pairs.is_empty() {
        "none".to_owned()
    } else {
        pairs.join(" ")
    }
}

/// The name of an object that has only a name and keys of [`NOISE`]; `None` for any other value.
fn named(value: &Value) -> Option<&str> {
    let map = value.as_object()?;
    let (key, name) = NAMES
        .iter()
        .find_map(|&key| Some((key, map.get(key)?.as_str().filter(|n| !n.is_empty())?)))?;
    let only = map
        .keys()
        .all(|k| k == key || NOISE.iter().any(|(noise, _)| noise == k));
    only.then_some(name)
}

/// A string on one line; a long one is cut, and the number of characters left out is added.
fn text(raw: &str, clean: Clean<'_>) -> String {
    let line = one_line(raw, clean);
    let count = line.chars().count();
    if count <= MAX_TEXT {
        return line;
    }
    let head: String = line.chars().take(MAX_TEXT).collect();
    format!(
        "{}… (+{} characters)",
        head.trim_end(),
        grouped(count - MAX_TEXT)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(value: &Value, expect: &str) {
        let lines = field_lines("k", value, &|s| s.to_owned());
        assert_eq!(lines.join("\n"), expect);
    }

    #[test]
    fn scalars_stand_as_they_are() {
        check(&json!(null), "k: none");
        check(&json!(true), "k: yes");
        check(&json!(-3), "k: -3");
        check(&json!("a\r\n\u{2028}b\tc"), "k: a b c");
        check(&json!([]), "k: none");
        check(&json!({}), "k: none");
    }

    #[test]
    fn people_and_labels_go_by_their_name() {
        check(
            &json!({"id": "x", "is_bot": false, "login": "alice", "name": "Alice A."}),
            "k: alice",
        );
        check(
            &json!([{"id": "x", "name": "bug", "color": "f00", "description": "d"}, {"name": "ui"}]),
            "k: bug, ui",
        );
        check(&json!({"oid": "0123abc"}), "k: 0123abc");
    }

    #[test]
    fn other_objects_are_pairs_without_braces() {
        check(
            &json!([{"author": {"login": "a"}, "state": "APPROVED", "id": "x", "body": ""}]),
            "k: 1\n- author=a state=APPROVED",
        );
        check(&json!({"a": {"b": 1, "c": [1, 2]}}), "k: a=(b=1 c=(1, 2))");
    }

    #[test]
    fn long_lists_and_texts_say_how_much_is_left_out() {
        let numbers: Vec<u32> = (0..25).collect();
        check(
            &json!(numbers),
            "k: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, and 5 more",
        );
        let files: Vec<Value> = (0..30)
            .map(|n| json!({"path": format!("f{n}"), "additions": n}))
            .collect();
        let lines = field_lines("files", &json!(files), &|s| s.to_owned());
        assert_eq!(lines.len(), 22);
        assert_eq!(lines[0], "files: 30");
        assert_eq!(lines[21], "- and 10 more");
        let files = vec![json!({"path": "f", "additions": 1}); 100];
        assert_eq!(
            field_lines("files", &json!(files), &|s| s.to_owned())[0],
            "files: ≥100"
        );
        check(
            &json!("x".repeat(1_300)),
            &format!("k: {}… (+1,100 characters)", "x".repeat(200)),
        );
    }
}
