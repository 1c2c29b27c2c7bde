//! The facts about a release: whether the release and its tag exist, where the tag would be made, and which release came before.

use serde_json::Value;

use super::pulls::{commit, tagged};
use super::report::{Report, Reporter, TITLE};
use crate::gate::call::question::Tone;
use crate::gh::graphql::lacks::lacks;
use crate::gh::question::concern::Wants;

impl Reporter<'_> {
    pub(super) fn release(
        &self,
        tag: &str,
        target: Option<&str>,
        makes: bool,
        repository: &Value,
        report: &mut Report,
    ) {
        if !repository.is_object() {
            return;
        }
        let release = &repository["release"];
        if release.is_object() {
            let draft = release["isDraft"].as_bool() == Some(true);
            let mut kind = if draft { "a draft" } else { "published" }.to_owned();
            if let (false, Some(day)) = (draft, self.day(release, "publishedAt")) {
                kind.extend([" on ", day.as_str()]);
            }
            let name = self.member(release, "name");
            let named = name
                .as_ref()
                .map_or_else(String::new, |name| format!(" “{name}”,"));
            let (verb, tone) = if makes {
                ("exists already:", Tone::Bad)
            } else {
                ("exists:", Tone::Plain)
            };
            report.title = name.filter(|_| !makes);
            report.fact("Release", tone, format!("{verb}{named} {kind}"));
            if self.wants == Wants::Texts {
                self.text("name", &release["name"], report);
                self.text("body", &release["description"], report);
            }
        } else {
            match self.errors.at("release") {
                Some(why) if !why.starts_with("not found") => report.unread("the release", why),
                _ if makes => report.fact("Release", Tone::Plain, "none of this tag so far"),
                _ => report.fact(
                    "Missing",
                    Tone::Bad,
                    "there is no release of this tag here, or this account may not see it",
                ),
            }
        }
        self.tag(tag, target, makes, repository, report);
        let before = self.before(tag, repository);
        report.fact("Before it", Tone::Plain, before);
    }

    /// Reports whether the tag exists, or where it would be made.
    fn tag(
        &self,
        tag: &str,
        target: Option<&str>,
        makes: bool,
        repository: &Value,
        report: &mut Report,
    ) {
        let tag = self.line(tag, TITLE);
        let there = &repository["ref"]["target"];
        if let Some(at) = tagged(there) {
            return report.fact("Tag", Tone::Plain, format!("{tag} exists, at {at}"));
        }
        if there.is_object() {
            let text = format!("{tag} exists; its commit was not read");
            return report.fact("Tag", Tone::Plain, text);
        }
        if !makes {
            return report.fact("Tag", Tone::Plain, format!("{tag} does not exist"));
        }
        let branch = &repository["defaultBranchRef"];
        let head = self.member(branch, "name").unwrap_or_default();
        let (place, tone) = match target {
            None => (
                match commit(&branch["target"], "oid") {
                    Some(at) => format!("at the head of {head} ({at})"),
                    None => format!("at the head of {head}"),
                },
                Tone::Warning,
            ),
            Some(target) => {
                let target = self.line(target, TITLE);
                match tagged(&repository["object"]) {
                    Some(at) => (format!("at {target} ({at})"), Tone::Warning),
                    None if lacks(&self.target.host, "object") => {
                        (format!("at {target}"), Tone::Warning)
                    }
                    None if repository["object"].is_object() => (
                        format!("at {target}, whose commit was not read"),
                        Tone::Warning,
                    ),
                    None => (format!("at {target}, which is not there"), Tone::Bad),
                }
            }
        };
        report.fact(
            "Tag",
            tone,
            format!("{tag} does not exist; it would be made {place}"),
        );
    }

    /// The release before the one of `tag`, in words.
    fn before(&self, tag: &str, repository: &Value) -> String {
        let listed = repository["releases"]["nodes"].as_array();
        let published = listed.into_iter().flatten().filter(|release| {
            release["isDraft"].as_bool() != Some(true) || release["tagName"].as_str() == Some(tag)
        });
        let all: Vec<&Value> = published.collect();
        let own = all
            .iter()
            .position(|release| release["tagName"].as_str() == Some(tag));
        let latest = &repository["latestRelease"];
        let found = match own {
            Some(own) => all.get(own + 1).copied(),
            None => all.first().copied(),
        };
        let found = found.or((latest["tagName"].as_str() != Some(tag)).then_some(latest));
        let words = found.and_then(|release| {
            let name = self.member(release, "tagName")?;
            Some(match self.day(release, "publishedAt") {
                Some(day) => format!("{name}, of {day}"),
                None => name,
            })
        });
        match (words, self.errors.at("releases")) {
            (Some(words), _) => words,
            (None, Some(why)) => format!("could not be read ({why})"),
            (None, None) => "no release".into(),
        }
    }
}
