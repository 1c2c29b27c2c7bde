//! What a call is about: the pull request, issue, release, run or workflow that it names, read before a person is asked.
//!
//! One `gh api graphql` query gives the account, the repository and the thing (`gh pr view --json` has neither how far a branch is behind
//! nor the repository's visibility); what only the REST API has, as runs, workflows, secrets and other endpoints, takes a second read
//! beside it. `find.rs` says what a call is about, `bears.rs` what speaks against it, `ask.rs` what is read, `tell.rs` what a person is told of it, with `pulls.rs` for pull
//! requests, `releases.rs` for releases, `things.rs` for the rest and `unread.rs` for what could not be read; `lacks.rs` knows hosts that lack a field.

mod ask;
mod bears;
mod find;
mod lacks;
mod pulls;
mod releases;
mod tell;
mod things;
mod unread;

pub use bears::Act;

use super::sentence::Sentence;
use crate::gate::call::question::{Fact, Tone};
use crate::gate::{Answered, Class, Cleaner, Look, Seen, Target};
use crate::gh::judge::api;
use crate::gh::parse::Parsed;

/// What a call is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A repository, an organization or the account, and nothing below it.
    Place,
    /// A repository as a whole: how many people it concerns counts.
    Whole,
    /// A repository that is to be made.
    NewRepository,
    /// A pull request.
    PullRequest(Which),
    /// A pull request that is to be opened, by its branches.
    NewPullRequest {
        /// The branch that it goes into; none: the default one.
        base: Option<String>,
        /// The branch that it comes from, `OWNER:BRANCH` for one of a fork.
        head: Option<String>,
    },
    /// An issue, or a pull request by the number that it has as an issue.
    Item(u64),
    /// Several of them.
    Items(Vec<u64>),
    /// A discussion.
    Discussion(u64),
    /// A label.
    Label(String),
    /// A release.
    Release {
        /// Its tag.
        tag: String,
        /// The branch or commit that a tag is made at.
        target: Option<String>,
        /// Whether it is to be made.
        makes: bool,
    },
    /// A workflow run, by its id.
    Run(u64),
    /// A job of a workflow run, by its id.
    Job(u64),
    /// A workflow.
    Workflow {
        /// The name of its file, its id or its name.
        name: String,
        /// The branch or tag that it is to run on; none: the default branch.
        at: Option<String>,
        /// Whether it is to run.
        starts: bool,
    },
    /// A project of an organization or a user; without an owner, of the account.
    Project {
        /// The login.
        owner: Option<String>,
        /// Its number there.
        number: u64,
    },
    /// A secret or a variable.
    Setting {
        /// `secret`, `variable`.
        what: &'static str,
        /// Its endpoint in the REST API.
        endpoint: String,
    },
    /// A gist, by its id.
    Gist(String),
    /// A codespace, by its name.
    Codespace(String),
    /// What an endpoint of the REST API gives.
    Endpoint(String),
    /// What the ids of a GraphQL mutation stand for.
    Nodes(Vec<String>),
}

/// Which pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// By number.
    Number(u64),
    /// By its head branch, perhaps in a fork of `owner`.
    Branch {
        /// Whose fork the branch is in; none: the repository's own.
        owner: Option<String>,
        /// The branch's name.
        branch: String,
    },
}

/// What is asked for about a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// What it is, and its state.
    State,
    /// What one merges by: branches, checks, reviews, conflicts, size.
    Merge,
    /// The last words said there.
    LastWords,
    /// Its texts, whole, since the call may replace some.
    Texts,
    /// The last comment there of the account that the call acts as, whole, since the call replaces or deletes it.
    OwnLast,
}

/// What a call is about, and what is asked for about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concern {
    /// The thing itself.
    pub subject: Subject,
    /// What is asked for about it.
    pub wants: Wants,
    /// A second repository that the call names: owner and name.
    pub other: Option<(String, String)>,
    /// What the call does with it.
    pub act: Act,
    /// Whether it deletes the branch of a pull request too.
    pub branch_too: bool,
    /// Whether a comment is made where there is none to replace.
    pub or_new: bool,
}

impl Concern {
    /// What `call`, which goes to `target`, is about.
    pub fn of(call: &Parsed, target: &Target) -> Self {
        find::concern(call, target)
    }
}

/// The look at what a call is about.
#[derive(Debug)]
pub struct Brief {
    concern: Concern,
    target: Target,
    sentence: Sentence,
    /// How the head that is shown becomes a condition of the merge; none where it does not.
    condition: Option<Condition>,
    /// Whether what is put behind the arguments is read as a flag: no `--` stands among them.
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

impl Brief {
    /// The look for `call`, of `class`, which goes to `target` and is about `concern`; none where there is nothing to read.
    /// `replaced` are the texts that it replaces.
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

    /// The arguments by which the call does what was shown, or nothing.
    fn supply(&self, head: Option<String>, facts: &mut Vec<Fact>) -> Vec<String> {
        let tells = |text: &str| Fact {
            label: "Head",
            text: text.into(),
            tone: Tone::Bad,
        };
        match (self.condition, head) {
            (None, _) => Vec::new(),
            (Some(_), Some(_)) if !self.takes_flags => {
                facts.push(tells(
                    "not made a condition, since the arguments end with “--”: commits newer than this may be merged too",
                ));
                Vec::new()
            }
            (Some(Condition::Flag), Some(head)) => vec!["--match-head-commit".to_owned(), head],
            (Some(Condition::Field), Some(head)) => {
                vec!["--raw-field".to_owned(), format!("sha={head}")]
            }
            (Some(_), None) => {
                facts.push(tells(
                    "not read: commits that nobody has looked at may be merged too",
                ));
                Vec::new()
            }
        }
    }
}

/// Whether `call` merges `subject`, and is not tied to a head already.
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

impl Look for Brief {
    fn reads(&self) -> Vec<Vec<String>> {
        ask::reads(&self.concern, &self.target)
    }

    fn seen(&self, answers: &[Answered]) -> Seen {
        let (mut told, again) = tell::told(&self.concern, &self.target, answers, &self.clean);
        let account = told.account.take();
        let sentence = self
            .sentence
            .with(told.kind, told.title.as_deref(), account.as_deref());
        let supply = self.supply(told.head.take(), &mut told.facts);
        told.texts.retain(|(name, _)| self.replaced.contains(name));
        Seen {
            sentence: Some(sentence),
            facts: told.facts,
            texts: told.texts,
            supply,
            account,
            again: if again { self.reads() } else { Vec::new() },
        }
    }
}

#[cfg(test)]
mod tests;
