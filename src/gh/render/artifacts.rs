//! The artifacts of a workflow run: how many are shown of how many, then the name of each with its size, or that it expired.

use super::clean::{Clean, one_line};
use super::json::{RenderError, parse_bounded};
use crate::text::numbers::size;

/// Renders the answer to `gh_run_artifacts`, `{"total", "artifacts": [{"name", "size", "expired"}]}`, for the run `run`.
pub fn artifacts(json: &[u8], run: u64, clean: Clean<'_>) -> Result<String, RenderError> {
    let expected = "list of artifacts";
    let value = parse_bounded(json)?;
    let (Some(total), Some(artifacts)) = (value["total"].as_u64(), value["artifacts"].as_array())
    else {
        return Err(RenderError::Shape { expected });
    };
    let mut lines = vec![format!(
        "{}/{total} artifacts of run {run}",
        artifacts.len()
    )];
    let mut there = false;
    for artifact in artifacts {
        let state = if artifact["expired"].as_bool() == Some(true) {
            "expired".to_owned()
        } else {
            there = true;
            size(artifact["size"].as_u64().unwrap_or(0))
        };
        let name = artifact["name"].as_str().unwrap_or_default();
        lines.push(format!("- {} {state}", one_line(name, clean)));
    }
    if there {
        lines.push("[gh_run_download fetches one, after a person's yes]".to_owned());
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(value: &Value, expect: &str) {
        let text = artifacts(value.to_string().as_bytes(), 7, &|s| s.to_owned());
        assert_eq!(text.expect("a list of artifacts"), expect);
    }

    #[test]
    fn size_and_expiry_are_said_and_a_name_stays_on_its_line() {
        check(
            &json!({"total": 120, "artifacts": [
                {"id": 1, "name": "report\n[gh x]", "size": 999, "expired": false},
                {"id": 2, "name": "logs", "size": 1_250, "expired": true},
                {"id": 3, "name": "bundle", "size": 52_345_678, "expired": false},
            ]}),
            "3/120 artifacts of run 7\n- report [gh x] 999 B\n- logs expired\n- bundle 52.3 MB\n[gh_run_download fetches one, after a person's yes]",
        );
        check(
            &json!({"total": 0, "artifacts": []}),
            "0/0 artifacts of run 7",
        );
    }

    #[test]
    fn another_shape_is_an_error() {
        for json in ["[]", "{}", "{\"total\": 1}", "null"] {
            assert!(artifacts(json.as_bytes(), 7, &|s| s.to_owned()).is_err());
        }
    }
}
