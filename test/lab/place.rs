//! The host, owner, repository and number that an answer is about, and the `{…}` by which strings of fixtures name them.

use serde_json::{Value, json};

/// The objects that enclose a value of an answer.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The host as gh names it: `github.com`, `ghe.example.com`, `x.ghe.com`.
    pub host: String,
    /// The base of REST addresses, without a trailing slash.
    pub api: String,
    pub owner: String,
    pub repo: String,
    /// The number of the pull request, issue or run that encloses the value; 1 outside of any.
    pub number: i64,
    /// The index of the value in its list, from 0.
    pub index: usize,
    /// The part of the path that `{asked}` or `{rest}` matched, or the query string of a search, for fixtures that repeat it.
    pub asked: String,
}

impl Place {
    /// Returns `template` with `{web} {host} {api} {owner} {repo} {number} {i} {asked}` replaced; other braces stay.
    pub fn fill(&self, template: &str) -> String {
        if !template.contains('{') {
            return template.to_owned();
        }
        let mut out = template.to_owned();
        for (name, value) in [
            ("{web}", format!("https://{}", self.host)),
            ("{host}", self.host.clone()),
            ("{api}", self.api.clone()),
            ("{owner}", self.owner.clone()),
            ("{repo}", self.repo.clone()),
            ("{number}", self.number.to_string()),
            ("{i}", self.index.to_string()),
            ("{asked}", self.asked.clone()),
        ] {
            if out.contains(name) {
                out = out.replace(name, &value);
            }
        }
        out
    }

    /// Returns `value` with every string filled by [`Place::fill`]; `"{#number}"` and `"{#i}"` become numbers.
    pub fn fill_all(&self, value: &Value) -> Value {
        match value {
            Value::String(text) if text == "{#number}" => json!(self.number),
            Value::String(text) if text == "{#i}" => json!(self.index),
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(list) => list.iter().map(|item| self.fill_all(item)).collect(),
            Value::Object(map) => {
                let pairs = map
                    .iter()
                    .map(|(key, item)| (key.clone(), self.fill_all(item)));
                Value::Object(pairs.collect())
            }
            other => other.clone(),
        }
    }
}

/// Merges `over` into `under`: objects member by member; any other value of `over` replaces that of `under`.
pub fn overlay(under: &Value, over: &Value) -> Value {
    match (under, over) {
        (Value::Object(low), Value::Object(high)) => {
            let mut out = low.clone();
            for (key, value) in high {
                let merged = low
                    .get(key)
                    .map_or_else(|| value.clone(), |under| overlay(under, value));
                out.insert(key.clone(), merged);
            }
            Value::Object(out)
        }
        _ => over.clone(),
    }
}
