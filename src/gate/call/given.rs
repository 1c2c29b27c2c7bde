//! The environment that Emacs gives for a call: its global `process-environment`, which the gate reads and never changes.

use crate::foreign::Foreign;

/// Entries `NAME=VALUE` as in Emacs's `process-environment`: the first entry of a name wins, an entry `NAME` without `=` unsets it.
#[derive(Clone, Copy)]
pub struct Given<'a>(&'a [String]);

impl<'a> Given<'a> {
    /// Wraps a list of entries.
    pub fn new(entries: &'a Foreign<Vec<String>>) -> Self {
        Self(entries.reveal())
    }

    /// The value of `name`; `None` when no entry sets `name`, or the first one unsets it.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.0
            .iter()
            .find_map(|entry| match entry.strip_prefix(name)? {
                "" => Some(None),
                rest => rest.strip_prefix('=').map(Some),
            })
            .flatten()
    }

    /// The value of `name` as [`Given::get`] returns it; `None` also for an empty value.
    pub fn non_empty(&self, name: &str) -> Option<&'a str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// The set names that begin with `prefix`, each once, with their values.
    pub fn with_prefix(&self, prefix: &str) -> Vec<(&'a str, &'a str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        for entry in self.0 {
            let name = entry.split_once('=').map_or(entry.as_str(), |(n, _)| n);
            let new = name.starts_with(prefix) && found.iter().all(|(n, _)| *n != name);
            if let Some(value) = self.get(name).filter(|_| new) {
                found.push((name, value));
            }
        }
        found
    }

    /// Every entry with a value, also an entry that an earlier one overrides.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter_map(|entry| entry.split_once('='))
    }
}
