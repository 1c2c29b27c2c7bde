//! A query in the making: its variables, and the argv of `gh api graphql` that sends it.
//!
//! No text from outside becomes a part of a query: each value is a variable.

use super::lacks::lacks;

/// A query to one host.
pub struct Query<'a> {
    host: &'a str,
    /// The flag, the name, the type and the value of each variable.
    variables: Vec<(&'static str, String, &'static str, String)>,
}

impl<'a> Query<'a> {
    /// A query to `host`, without variables.
    pub fn new(host: &'a str) -> Self {
        Self {
            host,
            variables: Vec::new(),
        }
    }

    /// Adds a variable that is a text.
    pub fn text(&mut self, name: &str, kind: &'static str, value: impl Into<String>) {
        self.variables
            .push(("-f", name.to_owned(), kind, value.into()));
    }

    /// Adds the variable `number`.
    pub fn number(&mut self, value: u64) {
        self.integer("number", value);
    }

    /// Adds a variable that is a whole number.
    pub fn integer(&mut self, name: &str, value: u64) {
        self.variables
            .push(("-F", name.to_owned(), "Int!", value.to_string()));
    }

    /// Adds the variables `owner` and `repo`, for which gh fills in those of the call's target.
    pub fn repository(&mut self) {
        for (name, value) in [("owner", "{owner}"), ("repo", "{repo}")] {
            self.variables
                .push(("-F", name.to_owned(), "String!", value.to_owned()));
        }
    }

    /// Whether the host is known to lack `field`.
    pub fn lacks(&self, field: &str) -> bool {
        lacks(self.host, field)
    }

    /// `text`, unless the host lacks `field`.
    pub fn unless_lacking<'t>(&self, field: &str, text: &'t str) -> &'t str {
        if self.lacks(field) { "" } else { text }
    }

    /// The field of the last commit with the contexts of its checks; `contexts` names their fields.
    pub fn last_checks(&self, contexts: &str) -> String {
        let contexts = contexts.replace("EVENT", self.unless_lacking("event", "event"));
        format!(
            "commits(last:1){{totalCount nodes{{commit{{statusCheckRollup{{contexts(first:100){{{contexts}}}}}}}}}}}"
        )
    }

    /// The argv that sends the query called `name` with the fields `fields` of the root; `jq` filters the answer.
    pub fn argv(self, name: &str, fields: &str, jq: Option<&str>) -> Vec<String> {
        let declared: Vec<String> = self
            .variables
            .iter()
            .map(|(_, name, kind, _)| format!("${name}:{kind}"))
            .collect();
        let declared = if declared.is_empty() {
            String::new()
        } else {
            format!("({})", declared.join(","))
        };
        let gap = if name.is_empty() { "" } else { " " };
        let query = format!("query=query{gap}{name}{declared}{{{fields}}}");
        let mut argv: Vec<String> = ["api", "graphql", "-f", &query].map(Into::into).into();
        for (flag, name, _, value) in self.variables {
            argv.extend([flag.to_owned(), format!("{name}={value}")]);
        }
        if let Some(jq) = jq {
            argv.extend(["--jq".to_owned(), jq.to_owned()]);
        }
        argv
    }
}
