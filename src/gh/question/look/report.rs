//! The report on a subject: the answers to the reads about it, as facts of one line each.
//!
//! Every text in an answer comes from outside: it is cleaned, and cut to one line.

use serde_json::Value;

use super::unread::{self, Errors};
use crate::gate::call::question::{Fact, Tone};
use crate::gate::{Answered, Cleaner, Target};
use crate::gh::graphql::lacks;
use crate::gh::question::concern::{Act, Aspect, Concern, Subject, Wants, Which};
use crate::text::numbers::grouped;

/// How many characters of a title are shown.
pub(super) const TITLE: usize = 120;
/// How many characters of a comment are shown.
const COMMENT: usize = 200;
/// More characters than the longest secret that redaction recognises by its form: a private RSA key of 8192 bits has 6,400.
const LONGEST_SECRET: usize = 8_192;

/// What the answers say about the subject of a call.
#[derive(Default)]
pub(super) struct Report {
    /// The account that the token belongs to.
    pub account: Option<String>,
    /// Whether the thing is an issue or a pull request, where the answer says so.
    pub kind: Option<&'static str>,
    /// The title or name of the thing.
    pub title: Option<String>,
    /// The commit at the head of a pull request.
    pub head: Option<String>,
    pub facts: Vec<Fact>,
    /// The texts that are there now.
    pub texts: Vec<(&'static str, String)>,
}

impl Report {
    pub fn fact(&mut self, label: &'static str, tone: Tone, text: impl Into<String>) {
        self.facts.push(Fact {
            label,
            text: text.into(),
            tone,
        });
    }

    /// Adds, before all other facts, why the call would have no effect.
    pub fn no_effect(&mut self, why: impl Into<String>) {
        let (label, text, tone) = ("Effect", why.into(), Tone::Bad);
        self.facts.insert(0, Fact { label, text, tone });
    }

    /// Adds the fact that `what` could not be read.
    pub fn unread(&mut self, what: &str, why: &str) {
        self.fact(
            "Unread",
            Tone::Warning,
            format!("{what} could not be read ({why})"),
        );
    }
}

/// The report on the `answers` to the reads of [`super::ask::reads`], and whether another try without the fields that the host lacks
/// may get data.
pub(super) fn report(
    concern: &Concern,
    target: &Target,
    answers: &[Answered],
    clean: &Cleaner,
) -> (Report, bool) {
    let mut report = Report::default();
    let graphql = unread::json(answers.first());
    let (answer, refused) = match &graphql {
        Ok(answer) => (answer, unread::refused(answer)),
        Err(why) => (&Value::Null, Some(why.clone())),
    };
    let lacking = lacks::remember(&target.host, answer);
    let data = &answer["data"];
    let reporter = Reporter {
        clean,
        wants: concern.wants,
        act: concern.act,
        branch_too: concern.branch_too,
        or_new: concern.or_new,
        target,
        errors: Errors::of(answer),
    };
    let no_data = || -> String {
        let why = refused.clone();
        why.or_else(|| reporter.errors.whole().map(str::to_owned))
            .unwrap_or_else(|| "the answer is not what was asked for".to_owned())
    };
    report.account = reporter.member(&data["viewer"], "login");
    let repository = &data["repository"];
    if data.is_object() {
        reporter.subject(&concern.subject, data, &mut report);
    }
    reporter.rest_answer(&concern.subject, answers.get(1), &mut report);
    if let Some((owner, name)) = &concern.other {
        let named = format!("{owner}/{name}");
        if data.is_object() {
            reporter.other(&named, &data["other"], &mut report);
        }
    }
    if concern.subject == Subject::NewRepository && data.is_object() {
        reporter.new_repository(repository, &mut report);
    } else if target.repo.is_some() && data.is_object() {
        if repository.is_object() {
            reporter.repository(repository, &mut report);
        } else {
            report.unread("the repository", &no_data());
        }
    }
    if !data.is_object() {
        report.fact(
            "Unread",
            Tone::Warning,
            format!(
                "what this concerns could not be read ({}); decide by the arguments alone",
                no_data()
            ),
        );
    }
    (report, lacking && !data.is_object())
}

/// Adds the facts in an answer to a report.
pub(super) struct Reporter<'a> {
    pub clean: &'a Cleaner,
    pub wants: Wants,
    pub act: Act,
    pub branch_too: bool,
    pub or_new: bool,
    pub target: &'a Target,
    pub errors: Errors,
}

impl Reporter<'_> {
    /// Adds the facts about the subject that are in the answer of GraphQL.
    fn subject(&self, subject: &Subject, data: &Value, report: &mut Report) {
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
                    self.pull_request(pull, report);
                } else {
                    self.missing(name, "pull request", repository, report);
                }
            }
            Subject::NewPullRequest { base, head } if repository.is_object() => {
                self.new_pull_request(base.as_deref(), head.as_deref(), repository, report);
            }
            Subject::Item(_) => {
                let item = &repository["issueOrPullRequest"];
                if item.is_object() {
                    self.item(item, report);
                } else {
                    self.missing(
                        "issueOrPullRequest",
                        "issue or pull request",
                        repository,
                        report,
                    );
                }
            }
            Subject::Items(numbers) => {
                for (at, number) in numbers.iter().enumerate() {
                    let name = format!("t{at}");
                    match &repository[&name] {
                        item if item.is_object() => self.one_of_several(item, report),
                        _ => self.missing(&name, &format!("issue #{number}"), repository, report),
                    }
                }
            }
            Subject::Discussion(_) => self.discussion(repository, report),
            Subject::Label(name) => self.label(name, repository, report),
            Subject::Release { tag, target, makes } => {
                self.release(tag, target.as_deref(), *makes, repository, report);
            }
            Subject::Workflow { at, starts, .. } if *starts => {
                self.runs_at(at.as_deref(), repository, report);
            }
            Subject::Whole => self.whole(repository, report),
            Subject::Project { owner, number } => {
                self.project(owner.as_deref(), *number, data, report);
            }
            Subject::Nodes(ids) => self.nodes(ids.len(), data, report),
            _ => {}
        }
    }

    /// `text` on one line of at most `most` characters.
    ///
    /// A fact has text from outside between “ and ”, so these two signs are replaced within that text: no title can seem to end early and
    /// go on as words of the gate.
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

    /// Keeps `value`, the text that the thing has now, under `name`; null counts as the empty text.
    pub fn text(&self, name: &'static str, value: &Value, report: &mut Report) {
        if let Some(text) = value.as_str() {
            let text = text.replace("\r\n", "\n");
            report.texts.push((name, self.clean.text(&text)));
        } else if value.is_null() {
            report.texts.push((name, String::new()));
        }
    }

    /// Adds the fact that `what`, the member `name` of the repository, does not exist or could not be read.
    pub fn missing(&self, name: &str, what: &str, repository: &Value, report: &mut Report) {
        if !repository.is_object() {
            return;
        }
        match self.errors.at(name) {
            Some(why) if !why.starts_with("not found") => {
                report.unread(&format!("the {what}"), why);
            }
            _ => report.fact(
                "Missing",
                Tone::Bad,
                format!("there is no such {what} here, or this account may not see it"),
            ),
        }
    }

    /// Reports an issue, or those facts about a pull request that issues have too.
    pub fn item(&self, item: &Value, report: &mut Report) {
        report.title = self.member(item, "title");
        report.kind = kind(item);
        if let Some(why) = self.changes_nothing(item) {
            report.no_effect(why);
        }
        let (about, tone) = self.about(item);
        report.fact("About", tone, about);
        if self.wants == Wants::Texts {
            self.text("title", &item["title"], report);
            self.text("body", &item["body"], report);
        }
        self.last_comment(item, report);
    }

    fn one_of_several(&self, item: &Value, report: &mut Report) {
        let title = self.member(item, "title").unwrap_or_default();
        let (about, tone) = self.about(item);
        report.fact("About", tone, format!("“{title}”, {about}"));
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
            // The row “Effect”, above this one, says why the call would change nothing.
            Some(_) => (state, Tone::Warning),
            None => (state, tone),
        }
    }

    /// Why the call would change nothing about an issue or a pull request; `None` if it would change something.
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

    /// Reports the account's last comment on `item`, which the call replaces or deletes.
    fn own_last_comment(&self, item: &Value, report: &mut Report) {
        let comments = &item["comments"];
        let Some(nodes) = comments["nodes"].as_array() else {
            let why = self.errors.at("comments").unwrap_or("GitHub did not tell");
            return report.unread("your last comment there", why);
        };
        let own = |one: &&Value| one["viewerDidAuthor"].as_bool() == Some(true);
        let all = comments["totalCount"].as_u64().unwrap_or(u64::MAX);
        match nodes.iter().rev().find(own) {
            Some(last) => {
                let when = self.day(last, "createdAt").unwrap_or_default();
                let words = self.said(last, COMMENT);
                report.fact("Your last", Tone::Plain, format!("{when}: “{words}”"));
                self.text("comment", &last["body"], report);
            }
            None if all > 50 => report.unread(
                "your last comment there",
                "it is not among the last 50 comments",
            ),
            None if self.or_new => {
                report.fact(
                    "Your last",
                    Tone::Plain,
                    "you have none there: a new one is made",
                );
            }
            None => report.no_effect("you have no comment there: nothing will change"),
        }
    }

    /// Reports the last comment on `item`, if it was read.
    pub fn last_comment(&self, item: &Value, report: &mut Report) {
        if self.wants == Wants::OwnLastComment {
            return self.own_last_comment(item, report);
        }
        if self.wants != Wants::LastComment {
            return;
        }
        let comments = &item["comments"];
        if let (false, Some(why)) = (comments.is_object(), self.errors.at("comments")) {
            return report.unread("what was said there", why);
        }
        let last = &comments["nodes"][0];
        let (said, count) = if last.is_object() {
            (last, comments["totalCount"].as_u64().unwrap_or(1))
        } else {
            (item, 0)
        };
        let words = self.said(said, COMMENT);
        let when = self.day(said, "createdAt").unwrap_or_default();
        let who = self.author(said);
        let text = match (count, words.is_empty()) {
            (0, true) => "nobody has commented, and it has no text".to_owned(),
            (0, false) => format!("{who}, {when}, in the description: “{words}”"),
            (_, true) => format!("{who}, {when}, in comment {}: nothing", grouped(count)),
            (_, false) => format!("{who}, {when}, in comment {}: “{words}”", grouped(count)),
        };
        report.fact("Last said", Tone::Plain, text);
    }

    /// Reports who can see the repository, and whether it is a fork, a fork's parent or archived.
    fn repository(&self, repository: &Value, report: &mut Report) {
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
            (Act::Archive, Some(true)) => report.no_effect("already archived: nothing will change"),
            (Act::Unarchive, Some(false)) => report.no_effect("not archived: nothing will change"),
            _ => {}
        }
        report.fact("Visibility", tone, parts.join("; "));
        self.moved(repository, report);
    }

    /// The viewer's fork of the repository, or one that the viewer works on.
    fn own_fork(&self, repository: &Value) -> Option<String> {
        let forks = repository["forks"]["nodes"].as_array()?;
        let named = |fork: &Value| self.member(fork, "nameWithOwner");
        forks.first().and_then(named)
    }

    /// Reports the new name of a repository that was renamed or moved.
    fn moved(&self, repository: &Value, report: &mut Report) {
        let (Some(owner), Some(repo)) = (&self.target.owner, &self.target.repo) else {
            return;
        };
        let asked = format!("{owner}/{repo}");
        if let Some(name) = self.member(repository, "nameWithOwner")
            && !name.eq_ignore_ascii_case(&asked)
        {
            report.fact("Moved", Tone::Warning, format!("{asked} is {name} by now"));
        }
    }

    /// Reports who can see the second repository of a call.
    fn other(&self, named: &str, other: &Value, report: &mut Report) {
        let named = self.line(named, TITLE);
        let Some(words) = visibility(other) else {
            let why = self.errors.at("other").unwrap_or("GitHub did not tell");
            return report.unread(&named, why);
        };
        let tone = if words.starts_with("public") {
            Tone::Warning
        } else {
            Tone::Plain
        };
        report.fact("Other", tone, format!("{named} is {words}"));
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
