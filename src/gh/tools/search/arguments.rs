//! The arguments of a search, as its tool got them.

/// The arguments of a search, as the tool got them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// Words and qualifiers for GitHub's search.
    pub query: Option<String>,
    /// The repository, `[HOST/]OWNER/REPO`, where one is given.
    pub repo: Option<String>,
    /// The earlier end of the time.
    pub since: Option<String>,
    /// The later end of the time.
    pub until: Option<String>,
    /// The date that `since` and `until` are about: `created` or `updated`.
    pub date_field: Option<String>,
    /// A login.
    pub author: Option<String>,
    /// A label, or several with commas.
    pub label: Option<String>,
    /// How many entries to show, a number.
    pub limit: Option<String>,
}

impl Arguments {
    /// The query, empty where none is given.
    pub(super) fn query(&self) -> &str {
        self.query.as_deref().unwrap_or_default()
    }

    /// Whether the dates are those of the last update.
    pub(super) fn by_update(&self) -> bool {
        self.date_field.as_deref() == Some("updated")
    }
}
