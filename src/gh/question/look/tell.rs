//! Turns the answers to the reads about a subject into facts, one a line.
//!
//! Every text in an answer comes from outside: it is cleaned, and cut to one line.

use serde_json::Value;

use super::lacks;
use super::unread::{self, Errors};
use crate::gate::call::question::{Fact, Tone};
use crate::gate::{Answered, Cleaner, Target};
use crate::gh::question::concern::{Act, Aspect, Concern, Subject, Wants, Which};
use crate::text::numbers::grouped;

/// How many characters of a title, and of a comment, are shown.
pub(super) const TITLE: usize = 120;
const WORDS: usize = 200;
/// More characters than the longest secret that is known by its looks: a private key of RSA with 8192 bits has 6,400.
const LONGEST_SECRET: usize = 8_192;

/// What the answers tell.
#[derive(Default)]
pub(super) struct Told {
    /// Who the token belongs to.
    pub account: Option<String>,
    /// The kind of the thing, if the call does not tell: an issue or a pull request.
    pub kind: Option<&'static str>,
    /// The title or name of the thing.
    pub title: Option<String>,
    /// The commit at the head of a pull request.
    pub head: Option<String>,
    pub facts: Vec<Fact>,
    /// The texts that are there now.
    pub texts: Vec<(&'static str, String)>,
}

impl Told {
    pub fn fact(&mut self, label: &'static str, tone: Tone, text: impl Into<String>) {
        self.facts.push(Fact {
            label,
            text: text.into(),
            tone,
        });
    }

    /// Says, before all else, that the call changes nothing.
    pub fn nothing(&mut self, why: impl Into<String>) {
        let (label, text, tone) = ("Effect", why.into(), Tone::Bad);
        self.facts.insert(0, Fact { label, text, tone });
    }

    /// Says that something could not be read.
    pub fn unread(&mut self, what: &str, why: &str) {
        self.fact(
            "Unread",
            Tone::Warning,
            format!("{what} could not be read ({why})"),
        );
    }
}

/// What the `answers` to the reads of [`super::ask::reads`] tell, and whether another try, without the fields that the host
/// lacks, would tell more.
pub(super) fn told(
    concern: &Concern,
    target: &Target,
    answers: &[Answered],
    clean: &Cleaner,
) -> (Told, bool) {
    let mut told = Told::default();
    let graphql = unread::json(answers.first());
    let (answer, refused) = match &graphql {
        Ok(answer) => (answer, unread::refused(answer)),
        Err(why) => (&Value::Null, Some(why.clone())),
    };
    let lacking = lacks::note(&target.host, answer);
    let data = &answer["data"];
    let teller = Teller {
        clean,
        wants: concern.wants,
        act: concern.act,
        branch_too: concern.branch_too,
        or_new: concern.or_new,
        target,
        errors: Errors::of(answer),
    };
    let whole = || -> String {
        let why = refused.clone();
        why.or_else(|| teller.errors.whole().map(str::to_owned))
            .unwrap_or_else(|| "the answer is not what was asked for".to_owned())
    };
    told.account = teller.member(&data["viewer"], "login");
    let repository = &data["repository"];
    if data.is_object() {
        teller.subject(&concern.subject, data, &mut told);
    }
    teller.rest(&concern.subject, answers.get(1), &mut told);
    if let Some((owner, name)) = &concern.other {
        let named = format!("{owner}/{name}");
        if data.is_object() {
            teller.other(&named, &data["other"], &mut told);
        }
    }
    if concern.subject == Subject::NewRepository && data.is_object() {
        teller.new_repository(repository, &mut told);
    } else if target.repo.is_some() && data.is_object() {
        if repository.is_object() {
            teller.repository(repository, &mut told);
        } else {
            told.unread("the repository", &whole());
        }
    }
    if !data.is_object() {
        told.fact(
            "Unread",
            Tone::Warning,
            format!(
                "what this concerns could not be read ({}); decide by the arguments alone",
                whole()
            ),
        );
    }
    (told, lacking && !data.is_object())
}

/// Turns answers into facts.
pub(super) struct Teller<'a> {
    pub clean: &'a Cleaner,
    pub wants: Wants,
    pub act: Act,
    pub branch_too: bool,
    pub or_new: bool,
    pub target: &'a Target,
    pub errors: Errors,
}

impl Teller<'_> {
    /// Adds the facts about the thing that the answer of GraphQL tells.
    fn subject(&self, subject: &Subject, data: &Value, told: &mut Told) {
        let repository = &data["repository"];
        match subject {
            Subject::PullRequest(which) => {
                let (pull, name) = match which {
                    Which::Number(_) => (&repository["pullRequest"], "pullRequest"),
                    Which::Branch { owner, .. } => {
                        let all = &repository["pullRequests"]["nodes"];
                        (self.of_owner(all, owner.as_deref()), "pullRequests")
                    }
                };
                if pull.is_object() {
                    self.pull_request(pull, told);
                } else {
                    self.missing(name, "pull request", repository, told);
                }
            }
            Subject::NewPullRequest { base, head } if repository.is_object() => {
                self.new_pull_request(base.as_deref(), head.as_deref(), repository, told);
            }
            Subject::Item(_) => {
                let item = &repository["issueOrPullRequest"];
                if item.is_object() {
                    self.item(item, told);
                } else {
                    self.missing(
                        "issueOrPullRequest",
                        "issue or pull request",
                        repository,
                        told,
                    );
                }
            }
            Subject::Items(numbers) => {
                for (at, number) in numbers.iter().enumerate() {
                    let name = format!("t{at}");
                    match &repository[&name] {
                        item if item.is_object() => self.one_of_several(item, told),
                        _ => self.missing(&name, &format!("issue #{number}"), repository, told),
                    }
                }
            }
            Subject::Discussion(_) => self.discussion(repository, told),
            Subject::Label(name) => self.label(name, repository, told),
            Subject::Release { tag, target, makes } => {
                self.release(tag, target.as_deref(), *makes, repository, told);
            }
            Subject::Workflow { at, starts, .. } if *starts => {
                self.runs_at(at.as_deref(), repository, told);
            }
            Subject::Whole => self.whole(repository, told),
            Subject::Project { owner, number } => {
                self.project(owner.as_deref(), *number, data, told);
            }
            Subject::Nodes(ids) => self.nodes(ids.len(), data, told),
            _ => {}
        }
    }

    /// `text` on one line of at most `most` characters.
    ///
    /// The words between “ and ” are somebody else's, so these two signs are replaced within them: a title cannot end early and go
    /// on as our own words.
    pub fn line(&self, text: &str, most: usize) -> String {
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = self.clean.line(&joined).replace(['“', '”'], "\"");
        if line.chars().count() <= most {
            return line;
        }
        let cut: String = line.chars().take(most).collect();
        format!("{cut}…")
    }

    /// The member `name` of `value` on a line, if it is a text and not empty.
    pub fn member(&self, value: &Value, name: &str) -> Option<String> {
        let text = value[name].as_str()?;
        let line = self.line(text, TITLE);
        (!line.is_empty()).then_some(line)
    }

    /// Who wrote `value`.
    pub fn author(&self, value: &Value) -> String {
        self.member(&value["author"], "login")
            .unwrap_or_else(|| "a deleted account".into())
    }

    /// The day in the member `name`.
    pub fn day(&self, value: &Value, name: &str) -> Option<String> {
        let text = value[name].as_str()?;
        Some(self.line(text.get(..10).unwrap_or(text), 10))
    }

    /// Keeps `value`, the text that the thing has now, under `name`; of no value, the empty text.
    pub fn text(&self, name: &'static str, value: &Value, told: &mut Told) {
        if let Some(text) = value.as_str() {
            let text = text.replace("\r\n", "\n");
            told.texts.push((name, self.clean.text(&text)));
        } else if value.is_null() {
            told.texts.push((name, String::new()));
        }
    }

    /// Says that `what`, the member `name` of the repository, does not exist or could not be read.
    pub fn missing(&self, name: &str, what: &str, repository: &Value, told: &mut Told) {
        if !repository.is_object() {
            return;
        }
        match self.errors.at(name) {
            Some(why) if !why.starts_with("not found") => told.unread(&format!("the {what}"), why),
            _ => told.fact(
                "Missing",
                Tone::Bad,
                format!("there is no such {what} here, or this account may not see it"),
            ),
        }
    }

    /// Tells of an issue, or of a pull request the facts that issues have too.
    pub fn item(&self, item: &Value, told: &mut Told) {
        told.title = self.member(item, "title");
        told.kind = kind(item);
        if let Some(why) = self.changes_nothing(item) {
            told.nothing(why);
        }
        let (about, tone) = self.about(item);
        told.fact("About", tone, about);
        if self.wants == Wants::Texts {
            self.text("title", &item["title"], told);
            self.text("body", &item["body"], told);
        }
        self.last_words(item, told);
    }

    fn one_of_several(&self, item: &Value, told: &mut Told) {
        let title = self.member(item, "title").unwrap_or_default();
        let (about, tone) = self.about(item);
        told.fact("About", tone, format!("“{title}”, {about}"));
    }

    /// Kind, number, author and state of an issue or a pull request.
    fn about(&self, item: &Value) -> (String, Tone) {
        let kind = kind(item).unwrap_or("issue");
        let (state, tone) = self.state(item);
        let number = item["number"].as_u64().unwrap_or_default();
        let author = self.author(item);
        (format!("{kind} #{number} by {author}, {state}"), tone)
    }

    /// The state of an issue or a pull request, and how it bears on the call.
    fn state(&self, item: &Value) -> (&'static str, Tone) {
        let draft = item["isDraft"].as_bool() == Some(true);
        let (state, tone) = match item["state"].as_str() {
            Some("MERGED") => ("merged", self.act.tone(Aspect::IsClosed, Tone::Warning)),
            Some("OPEN" | "CLOSED") if self.act == Act::Revert => ("not merged", Tone::Plain),
            Some("OPEN") if draft => (
                "open, a draft",
                self.act.tone(Aspect::IsDraft, Tone::Warning),
            ),
            Some("OPEN") => ("open", Tone::Plain),
            Some("CLOSED") => ("closed", self.act.tone(Aspect::IsClosed, Tone::Warning)),
            _ => ("in a state that is not known", Tone::Warning),
        };
        match self.changes_nothing(item) {
            // The row “Effect” says so first.
            Some(_) => (state, Tone::Warning),
            None => (state, tone),
        }
    }

    /// Why the call would change nothing about an issue or a pull request; `None` if it would.
    fn changes_nothing(&self, item: &Value) -> Option<&'static str> {
        let state = item["state"].as_str()?;
        let draft = item["isDraft"].as_bool() == Some(true);
        (self.act).changes_nothing(state, draft, self.branch_too)
    }

    /// The text of the comment `said`, on a line of at most `most` characters. Of a text that was cut before it was masked, the end
    /// is dropped, as it may be a part of a secret.
    pub fn said(&self, said: &Value, most: usize) -> String {
        let text = said["body"].as_str().unwrap_or_default();
        if said["cut"].as_bool() != Some(true) {
            return self.line(text, most);
        }
        let whole = text.chars().count().saturating_sub(LONGEST_SECRET);
        let kept: String = text.chars().take(whole).collect();
        format!("{}…", self.line(&kept, most).trim_end_matches('…'))
    }

    /// Tells the account's last comment there, which the call replaces or deletes.
    fn own_last(&self, item: &Value, told: &mut Told) {
        let comments = &item["comments"];
        let Some(nodes) = comments["nodes"].as_array() else {
            let why = self.errors.at("comments").unwrap_or("GitHub did not tell");
            return told.unread("your last comment there", why);
        };
        let own = |one: &&Value| one["viewerDidAuthor"].as_bool() == Some(true);
        let all = comments["totalCount"].as_u64().unwrap_or(u64::MAX);
        match nodes.iter().rev().find(own) {
            Some(last) => {
                let when = self.day(last, "createdAt").unwrap_or_default();
                let words = self.said(last, WORDS);
                told.fact("Your last", Tone::Plain, format!("{when}: “{words}”"));
                self.text("comment", &last["body"], told);
            }
            None if all > 50 => told.unread(
                "your last comment there",
                "it is not among the last 50 comments",
            ),
            None if self.or_new => {
                told.fact(
                    "Your last",
                    Tone::Plain,
                    "you have none there: a new one is made",
                );
            }
            None => told.nothing("you have no comment there: nothing will change"),
        }
    }

    /// Tells the last comment, if the call asks for it.
    pub fn last_words(&self, item: &Value, told: &mut Told) {
        if self.wants == Wants::OwnLast {
            return self.own_last(item, told);
        }
        if self.wants != Wants::LastWords {
            return;
        }
        let comments = &item["comments"];
        if let (false, Some(why)) = (comments.is_object(), self.errors.at("comments")) {
            return told.unread("what was said there", why);
        }
        let last = &comments["nodes"][0];
        let (said, count) = if last.is_object() {
            (last, comments["totalCount"].as_u64().unwrap_or(1))
        } else {
            (item, 0)
        };
        let words = self.said(said, WORDS);
        let when = self.day(said, "createdAt").unwrap_or_default();
        let who = self.author(said);
        let text = match (count, words.is_empty()) {
            (0, true) => "nobody has commented, and it has no text".to_owned(),
            (0, false) => format!("{who}, {when}, in the description: “{words}”"),
            (_, true) => format!("{who}, {when}, in comment {}: nothing", grouped(count)),
            (_, false) => format!("{who}, {when}, in comment {}: “{words}”", grouped(count)),
        };
        told.fact("Last said", Tone::Plain, text);
    }

    /// Tells who can see the repository, and whether it is a fork, a fork's parent or archived.
    fn repository(&self, repository: &Value, told: &mut Told) {
        let (mut parts, mut tone) = (Vec::new(), Tone::Plain);
        if let Some(words) = visibility(repository) {
            parts.push(words.to_owned());
            if words.starts_with("public") {
                tone = Tone::Warning;
            }
        } else {
            parts.push("who can read it is not known".to_owned());
            tone = Tone::Warning;
        }
        if let Some(fork) = self.own_fork(repository) {
            parts.push(format!("the parent of {fork}, not the fork"));
            tone = Tone::Warning;
        }
        if repository["isFork"].as_bool() == Some(true) {
            let parent = self.member(&repository["parent"], "nameWithOwner");
            let parent = parent.unwrap_or_else(|| "a repository that is gone".into());
            parts.push(format!("a fork of {parent}"));
        }
        if repository["isArchived"].as_bool() == Some(true) {
            if self.act == Act::Unarchive {
                parts.push("archived".to_owned());
            } else {
                parts.push("archived: writes fail".to_owned());
                tone = tone.max(self.act.tone(Aspect::IsArchived, Tone::Warning));
            }
        }
        match (self.act, repository["isArchived"].as_bool()) {
            (Act::Archive, Some(true)) => told.nothing("already archived: nothing will change"),
            (Act::Unarchive, Some(false)) => told.nothing("not archived: nothing will change"),
            _ => {}
        }
        told.fact("Visibility", tone, parts.join("; "));
        self.moved(repository, told);
    }

    /// The viewer's fork of the repository, or one that the viewer works on.
    fn own_fork(&self, repository: &Value) -> Option<String> {
        let forks = repository["forks"]["nodes"].as_array()?;
        let named = |fork: &Value| self.member(fork, "nameWithOwner");
        forks.first().and_then(named)
    }

    /// Tells that GitHub knows the repository under another name, since it was renamed or moved.
    fn moved(&self, repository: &Value, told: &mut Told) {
        let (Some(owner), Some(repo)) = (&self.target.owner, &self.target.repo) else {
            return;
        };
        let asked = format!("{owner}/{repo}");
        if let Some(name) = self.member(repository, "nameWithOwner")
            && !name.eq_ignore_ascii_case(&asked)
        {
            told.fact("Moved", Tone::Warning, format!("{asked} is {name} by now"));
        }
    }

    /// Tells who can see the second repository of a call.
    fn other(&self, named: &str, other: &Value, told: &mut Told) {
        let named = self.line(named, TITLE);
        let Some(words) = visibility(other) else {
            let why = self.errors.at("other").unwrap_or("GitHub did not tell");
            return told.unread(&named, why);
        };
        let tone = if words.starts_with("public") {
            Tone::Warning
        } else {
            Tone::Plain
        };
        told.fact("Other", tone, format!("{named} is {words}"));
    }
}

/// Whether `item` is an issue or a pull request.
fn kind(item: &Value) -> Option<&'static str> {
    match item["__typename"].as_str()? {
        "PullRequest" => Some("pull request"),
        "Issue" => Some("issue"),
        _ => None,
    }
}

/// Who can read a repository, in words.
fn visibility(repository: &Value) -> Option<&'static str> {
    const PUBLIC: &str = "public: everybody can read it";
    match repository["visibility"].as_str() {
        Some("PUBLIC") => Some(PUBLIC),
        Some("INTERNAL") => Some("internal: all of the enterprise can read it"),
        Some("PRIVATE") => Some("private: only those with access can read it"),
        _ => match repository["isPrivate"].as_bool() {
            Some(true) => Some("private: only those with access can read it"),
            Some(false) => Some(PUBLIC),
            None => None,
        },
    }
}

/// A count with its noun: `1 commit`, `12 commits`.
pub(super) fn counted(n: u64, noun: &str) -> String {
    let end = if n == 1 { "" } else { "s" };
    format!("{} {noun}{end}", grouped(n))
}
