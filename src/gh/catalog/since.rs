//! Which releases of gh have each word and each flag of the catalog.
//!
//! The facts stand in `fixtures/gh-since.json`, written by `make catalog-since` from real releases.  A word that two asked releases have is in
//! each release between them.  Where one of two neighbours lacks the word, nobody knows about the releases between them; nor about releases
//! newer than the newest that was asked.

use std::collections::HashMap;

use once_cell::sync::OnceCell;
use serde_json::Value;

use super::version::{self, GhVersion, Version};

/// The releases that have a word or a flag: the first and the last of those that were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first release that has it.
    pub since: Version,
    /// The last one that has it.
    pub until: Version,
}

impl Span {
    /// No release.
    pub const NEVER: Self = Self {
        since: Version {
            major: u32::MAX,
            minor: 0,
            patch: 0,
        },
        until: Version {
            major: 0,
            minor: 0,
            patch: 0,
        },
    };
}

/// Whether a version of gh has a word or a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Had {
    /// The version has it.
    Yes,
    /// The version lacks it.
    No,
    /// The releases that were asked do not show it.
    Unknown,
}

/// The facts about the releases that were asked: the words and flags of each.
#[derive(Debug)]
pub struct Since {
    /// The releases that were asked, oldest first.
    versions: Vec<Version>,
    words: HashMap<String, Span>,
    flags: HashMap<String, Span>,
}

/// The facts cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the facts about releases of gh are not of the form that `make catalog-since` writes")]
pub struct BadFacts;

impl Since {
    /// The built-in facts, read at the first call and kept.
    ///
    /// # Panics
    /// Where the committed file cannot be read, which a test rules out.
    pub fn get() -> &'static Self {
        static SINCE: OnceCell<Since> = OnceCell::new();
        SINCE.get_or_init(|| {
            Self::read(include_str!("../../../fixtures/gh-since.json"))
                .expect("the committed facts are read by a test")
        })
    }

    /// Reads facts: the list `versions`, and in `words` and `flags` a row for each name that not every release has.  A row holds the first release
    /// with the name and, where the newest lacks it, the last one; it is empty where no release has the name.
    ///
    /// # Errors
    /// Where the text has another form.
    pub fn read(text: &str) -> Result<Self, BadFacts> {
        let value: Value = serde_json::from_str(text).map_err(|_| BadFacts)?;
        let versions: Vec<Version> = value["versions"]
            .as_array()
            .ok_or(BadFacts)?
            .iter()
            .map(release)
            .collect::<Result<_, _>>()?;
        let newest = *versions.last().ok_or(BadFacts)?;
        if !versions.is_sorted() {
            return Err(BadFacts);
        }
        let rows = |key: &str| -> Result<HashMap<String, Span>, BadFacts> {
            let rows = value[key].as_object().ok_or(BadFacts)?.iter();
            rows.map(|(name, row)| {
                if row.as_array().is_some_and(Vec::is_empty) {
                    return Ok((name.clone(), Span::NEVER));
                }
                let since = release(&row[0])?;
                let until = row.get(1).map_or(Ok(newest), release)?;
                Ok((name.clone(), Span { since, until }))
            })
            .collect()
        };
        Ok(Self {
            words: rows("words")?,
            flags: rows("flags")?,
            versions,
        })
    }

    /// The span of all releases that were asked.
    fn whole(&self) -> Span {
        Span {
            since: self.versions[0],
            until: self.newest(),
        }
    }

    /// The newest release that was asked.
    pub fn newest(&self) -> Version {
        self.versions[self.versions.len() - 1]
    }

    /// The releases that were asked, oldest first.
    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// The releases that have the word at the end of `path`, such as `pr ls`.
    pub fn word(&self, path: &str) -> Span {
        self.words
            .get(path)
            .copied()
            .unwrap_or_else(|| self.whole())
    }

    /// The releases that have the flag `name` of the command `path`, with the letter and the arity that the catalog has.
    pub fn flag(&self, path: &str, name: &str) -> Span {
        self.flags
            .get(format!("{path} --{name}").trim())
            .copied()
            .unwrap_or_else(|| self.whole())
    }

    /// Whether `version` has the word or flag whose span is `span`.
    pub fn had(&self, span: Span, version: Version) -> Had {
        if span.since <= version && version <= span.until {
            return Had::Yes;
        }
        let after = self.versions.iter().find(|v| **v >= version);
        let before = self.versions.iter().rev().find(|v| **v <= version);
        match (before, after) {
            // Neither neighbour has it, or `version' itself was asked and lacks it.
            (Some(before), Some(after))
                if before == after || (*after < span.since || span.until < *before) =>
            {
                Had::No
            }
            _ => Had::Unknown,
        }
    }
}

fn release(value: &Value) -> Result<Version, BadFacts> {
    let text = value.as_str().ok_or(BadFacts)?;
    match version::parse(&format!("gh version {text}\n")) {
        Ok(GhVersion::Numbered(version)) => Ok(version),
        _ => Err(BadFacts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Since {
        Since::read(
            r#"{"versions": ["2.46.0", "2.61.0", "2.70.0", "2.71.0"],
                "words": {"skill": ["2.70.0"], "repo garden": ["2.46.0", "2.61.0"], "co": ["2.61.0", "2.70.0"], "aw": []},
                "flags": {"pr list --app": ["2.61.0"], "--fast": ["2.71.0"]}}"#,
        )
        .expect("well formed")
    }

    fn version(text: &str) -> Version {
        release(&Value::from(text)).expect("a version")
    }

    #[test]
    fn a_word_of_both_neighbours_is_there_and_a_word_of_one_is_unknown() {
        let facts = facts();
        let had = |word: &str, v: &str| facts.had(facts.word(word), version(v));
        for (word, version, expect) in [
            ("pr", "2.46.0", Had::Yes),
            ("pr", "2.55.0", Had::Yes),
            ("pr", "2.71.0", Had::Yes),
            ("pr", "2.71.1", Had::Unknown),
            ("pr", "2.45.9", Had::Unknown),
            ("skill", "2.61.0", Had::No),
            ("skill", "2.55.0", Had::No),
            ("skill", "2.65.0", Had::Unknown),
            ("skill", "2.70.0", Had::Yes),
            ("skill", "2.72.0", Had::Unknown),
            ("repo garden", "2.61.0", Had::Yes),
            ("repo garden", "2.61.1", Had::Unknown),
            ("repo garden", "2.70.0", Had::No),
            ("repo garden", "2.70.3", Had::No),
            ("co", "2.46.0", Had::No),
            ("co", "2.50.0", Had::Unknown),
            ("co", "2.71.0", Had::No),
            ("aw", "2.61.0", Had::No),
            ("aw", "2.65.0", Had::No),
            ("aw", "2.72.0", Had::Unknown),
        ] {
            assert_eq!(had(word, version), expect, "{word} in {version}");
        }
        let flag = |path: &str, name: &str, v: &str| facts.had(facts.flag(path, name), version(v));
        assert_eq!(flag("pr list", "app", "2.46.0"), Had::No);
        assert_eq!(flag("pr list", "web", "2.46.0"), Had::Yes);
        assert_eq!(flag("", "fast", "2.70.0"), Had::No);
    }

    #[test]
    fn facts_of_another_form_are_refused() {
        for text in [
            "",
            "{}",
            r#"{"versions": [], "words": {}, "flags": {}}"#,
            r#"{"versions": ["2.9.0", "2.8.0"], "words": {}, "flags": {}}"#,
            r#"{"versions": ["2.9.0"], "words": {"a": null}, "flags": {}}"#,
            r#"{"versions": ["2.9.0"], "words": {"a": ["DEV"]}, "flags": {}}"#,
            r#"{"versions": ["2.9.0"], "words": {}}"#,
        ] {
            assert!(Since::read(text).is_err(), "{text}");
        }
        assert!(Since::get().versions().len() > 1);
    }
}
