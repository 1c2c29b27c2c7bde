//! The answer of a REST endpoint: as GitHub gives it, or where it is long without the addresses and ids by which programs find their way.

use serde_json::{Map, Value};

use super::view::{Around, View};
use crate::gate::Refusal;
use crate::gh::call::plain::cut;
use crate::run::Captured;
use crate::text::json::parse_bounded;
use crate::text::tokens;

/// Tokens up to which an answer is shown as it is: below the 800 that a result has by default (`gate::result::budget`).
const WHOLE: usize = 700;

/// Addresses that people and `gh` use.
const KEPT: &[&str] = &["html_url", "browser_download_url", "clone_url"];

/// Renders the answer of `gh api`.
#[derive(Debug)]
pub(super) struct ApiGetView;

impl View for ApiGetView {
    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        if captured.stdout.truncated {
            return Err(cut(captured.stdout.shown_head));
        }
        let text = around.clean.stream(&captured.stdout);
        if text.trim().is_empty() {
            return Ok("Done; gh printed nothing.".to_owned());
        }
        if tokens::count(&text) <= WHOLE {
            return Ok(text);
        }
        let Ok(answer) = parse_bounded(text.as_bytes()) else {
            return Ok(text);
        };
        let slim = written(&slim(answer));
        if slim.len() >= text.len() {
            return Ok(text);
        }
        around.reads.made_from(text);
        Ok(slim)
    }
}

/// `value` without node ids, without addresses of the API, and with people by their login alone.
fn slim(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(slim).collect(),
        Value::Object(map) if is_account(&map) => {
            let login = map.into_iter().filter(|(key, _)| key == "login");
            Value::Object(login.collect())
        }
        Value::Object(map) => {
            let has_page = map.contains_key("html_url");
            let kept = map
                .into_iter()
                .filter(|(key, value)| !is_noise(key, value, has_page));
            Value::Object(kept.map(|(key, value)| (key, slim(value))).collect())
        }
        other => other,
    }
}

/// Whether `map` is a user or an organization (REST documentation, "Simple User").
fn is_account(map: &Map<String, Value>) -> bool {
    map.get("login").is_some_and(Value::is_string) && map.contains_key("avatar_url")
}

/// Whether the member `key` only leads elsewhere in the API; `has_page`: the object has the address of a web page.
fn is_noise(key: &str, value: &Value, has_page: bool) -> bool {
    let address = value.is_string() || value.is_null();
    match key {
        "node_id" | "gravatar_id" => true,
        "url" => has_page && address,
        key => key.ends_with("_url") && address && !KEPT.contains(&key),
    }
}

/// `value` as JSON in which the lists and objects of an object stand behind its other members: a result that is cut loses them first.
fn written(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(map) => {
            let nested = |value: &Value| value.is_array() || value.is_object();
            let flat = map.iter().filter(|(_, value)| !nested(value));
            let deep = map.iter().filter(|(_, value)| nested(value));
            let members: Vec<String> = flat
                .chain(deep)
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), written(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_leads_elsewhere_in_the_api_goes_and_everything_else_stays() {
        let answer = json!([{"id": 1, "node_id": "X", "url": "https://api.github.com/x", "html_url": "https://github.com/x", "upload_url": null,
            "author": {"login": "mona", "id": 5, "avatar_url": "https://a", "type": "User"},
            "assets": [{"name": "a.zip", "url": "https://api.github.com/a", "browser_download_url": "https://github.com/a.zip"}],
            "homepage_url": {"not": "an address"}, "body": "whole"}]);
        assert_eq!(
            slim(answer),
            json!([{"id": 1, "html_url": "https://github.com/x", "author": {"login": "mona"},
                "assets": [{"name": "a.zip", "url": "https://api.github.com/a", "browser_download_url": "https://github.com/a.zip"}],
                "homepage_url": {"not": "an address"}, "body": "whole"}])
        );
        assert_eq!(slim(json!("text")), json!("text"));
        assert_eq!(
            written(&json!({"assets": [{"a": null}], "body": "x\n", "z": 1})),
            r#"{"body":"x\n","z":1,"assets":[{"a":null}]}"#
        );
    }
}
