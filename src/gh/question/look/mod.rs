//! Reads what a call is about before a person is asked.
//!
//! One `gh api graphql` query gives the account, the repository and the thing (`gh pr view --json` has neither how far a branch
//! is behind nor the repository's visibility). Runs, workflows, secrets and other things that only the REST API has take a
//! second read. `ask.rs` makes the reads; `report.rs` turns the answers into facts for a person, with `pulls.rs` for pull requests,
//! `releases.rs` for releases, `things.rs` for the rest and `unread.rs` for failed reads. [`crate::gh::graphql`] writes the query and
//! remembers which fields a host lacks.

mod ask;
mod pulls;
mod releases;
mod report;
mod things;
mod unread;

use super::concern::{Concern, Subject};
use super::sentence::Sentence;
use crate::gate::call::question::{Fact, Tone};
use crate::gate::{Answered, Class, Cleaner, Look, Seen, Target};
use crate::gh::judge::api;
use crate::gh::parse::Parsed;

/// The look at what a call is about.
#[derive(Debug)]
pub struct SubjectLook {
    concern: Concern,
    target: Target,
    sentence: Sentence,
    /// How the call makes the shown head a condition of its merge; `None` if the call merges nothing or has such a condition already.
    condition: Option<Condition>,
    /// Whether a flag can be added behind the arguments: no `--` stands among them.
    takes_flags: bool,
    /// The texts that the call replaces, by the names of [`crate::gate::Outgoing::field`].
    replaced: Vec<&'static str>,
    clean: Cleaner,
}

/// How a merge is tied to the head that was shown.
#[derive(Clone, Copy, Debug)]
enum Condition {
    /// `gh pr merge --match-head-commit OID`.
    Flag,
    /// `gh api -X PUT …/merge --raw-field sha=OID` ("Merge a pull request" in the REST API).
    Field,
}

impl SubjectLook {
    /// The look for `call`, which is of `class`, goes to `target` and is about `concern`; `None` if there is nothing to read.
    /// `replaced` names the texts that the call replaces.
    pub fn new(
        call: &Parsed,
        class: Class,
        target: &Target,
        concern: &Concern,
        sentence: &Sentence,
        replaced: Vec<&'static str>,
        clean: &Cleaner,
    ) -> Option<Self> {
        if class == Class::Read {
            return None;
        }
        let nothing = concern.subject == Subject::Place && concern.other.is_none();
        if nothing && target.repo.is_none() && target.account.is_some() {
            return None;
        }
        Some(Self {
            condition: condition(call, &concern.subject),
            takes_flags: call.dashes.is_none(),
            concern: concern.clone(),
            target: target.clone(),
            sentence: sentence.clone(),
            replaced,
            clean: clean.clone(),
        })
    }

    /// The arguments that tie the merge to `head`, the commit that was shown. Where a merge gets none, adds a fact that says why.
    fn supply(&self, head: Option<String>, facts: &mut Vec<Fact>) -> Vec<String> {
        let untied = |text: &str| Fact {
            label: "Head",
            text: text.into(),
            tone: Tone::Bad,
        };
        match (self.condition, head) {
            (None, _) => Vec::new(),
            (Some(_), Some(_)) if !self.takes_flags => {
                facts.push(untied(
                    "not made a condition, since “--” ends the flags: commits newer than this may be merged too",
                ));
                Vec::new()
            }
            (Some(Condition::Flag), Some(head)) => vec!["--match-head-commit".to_owned(), head],
            (Some(Condition::Field), Some(head)) => {
                vec!["--raw-field".to_owned(), format!("sha={head}")]
            }
            (Some(_), None) => {
                facts.push(untied(
                    "not read: commits that nobody has looked at may be merged too",
                ));
                Vec::new()
            }
        }
    }
}

/// How `call` can be tied to the head of `subject`; `None` if the call does not merge it, or names the head itself.
fn condition(call: &Parsed, subject: &Subject) -> Option<Condition> {
    if !matches!(subject, Subject::PullRequest(_)) {
        return None;
    }
    match call.leaf.path.as_str() {
        "pr merge" => {
            let free = !call.is_on("disable-auto") && call.value("match-head-commit").is_none();
            free.then_some(Condition::Flag)
        }
        "api" => {
            let endpoint = call.positionals.first()?.text.trim_end_matches('/');
            let merges = api::method(call) == "PUT" && endpoint.ends_with("/merge");
            let free = !api::fields(call).any(|(key, _)| key == "sha");
            (merges && free).then_some(Condition::Field)
        }
        _ => None,
    }
}

impl Look for SubjectLook {
    fn reads(&self) -> Vec<Vec<String>> {
        ask::reads(&self.concern, &self.target)
    }

    fn seen(&self, answers: &[Answered]) -> Seen {
        let (mut report, again) = report::report(&self.concern, &self.target, answers, &self.clean);
        let account = report.account.take();
        let sentence = self
            .sentence
            .with(report.kind, report.title.as_deref(), account.as_deref());
        let supply = self.supply(report.head.take(), &mut report.facts);
        report
            .texts
            .retain(|(name, _)| self.replaced.contains(name));
        Seen {
            sentence: Some(sentence),
            facts: report.facts,
            texts: report.texts,
            supply,
            account,
            again: if again { self.reads() } else { Vec::new() },
        }
    }
}

#[cfg(test)]
mod tests;
