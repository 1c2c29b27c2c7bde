//! `gh_pr_review`: submits a review with its line comments, as one GraphQL document under one yes.
//!
//! gh's nested fields cannot send the comments to REST: gh reads all raw fields (`-f`) before the others (`-F`), so a line number by `-F`
//! lands in another comment, while a text by `-F` could name a file or pass for a number.  In the document, numbers are literals and texts
//! are variables.

mod comment;
mod lines;
mod look;

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;

use self::comment::Comment;
use self::lines::{Patch, Side};
use self::look::{Pull, PullLook};
use super::errand::{Errand, Findings, bad, changed_texts, fits, pull_request, text, there};
use super::view::{View, answer};
use crate::gate::call::question::{Fact, Quoted, Tone};
use crate::gate::{Cleaner, Draft, ErrorKind, Finish, Outgoing, Question, Reads, Refusal, Target};
use crate::gh::call::plain::Plain;
use crate::gh::call::plan::draft;
use crate::gh::call::request::{Request, Settings};
use crate::gh::question::sentence::{place_and_account, shown};
use crate::redact::neutral::neutral;
use crate::run::Captured;
use crate::text::numbers::grouped;

/// The verdict of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Comment,
    RequestChanges,
    Approve,
}

impl Event {
    /// Each with its name in the tool and in GraphQL.
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Comment, "comment", "COMMENT"),
        (Self::RequestChanges, "request_changes", "REQUEST_CHANGES"),
        (Self::Approve, "approve", "APPROVE"),
    ];

    fn graphql(self) -> &'static str {
        let row = Self::ALL.iter().find(|(event, ..)| *event == self);
        row.map_or("COMMENT", |(.., name)| name)
    }

    /// What cannot be undone.
    fn undo(self) -> &'static str {
        match self {
            Self::Comment => {
                "Watchers are notified at once; deleting the comments later does not take that back."
            }
            Self::RequestChanges => {
                "The review can be dismissed, but watchers are notified at once."
            }
            Self::Approve => "An approval can be dismissed, but watchers are notified at once.",
        }
    }
}

/// One call of the tool.
pub(super) struct ReviewErrand {
    /// The argv that names the pull request.
    named: Vec<String>,
    event: Event,
    body: Option<String>,
    comments: Vec<Comment>,
    found: Arc<Findings<Pull>>,
}

crate::foreign::debug_by_name!(ReviewErrand);

impl ReviewErrand {
    /// The errand for the arguments `args` of the tool.
    ///
    /// # Errors
    /// `bad-argument`.
    pub fn new(args: &Value) -> Result<Self, Refusal> {
        let named = text(args, "event").unwrap_or_default().to_ascii_lowercase();
        let row = Event::ALL.iter().find(|(_, name, _)| *name == named);
        let Some((event, ..)) = row.copied() else {
            return Err(bad(
                "event",
                "is no verdict of a review",
                "Give comment, request_changes or approve.",
            ));
        };
        let body = text(args, "body").filter(|body| !body.trim().is_empty());
        let comments = comment::read(args)?;
        if let Some(body) = &body {
            fits(body, "body")?;
        }
        if event == Event::Comment && body.is_none() && comments.is_empty() {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                "The review is empty: it has neither `body' nor `comments'.\nGive one of them.",
            ));
        }
        if event == Event::RequestChanges && body.is_none() {
            return Err(bad(
                "body",
                "is missing, and GitHub takes no request for changes without one",
                "Say in `body' what has to change.",
            ));
        }
        Ok(Self {
            named: pull_request(args)?,
            event,
            body,
            comments,
            found: Arc::default(),
        })
    }

    /// The names of the fields that hold texts, and the texts.
    fn texts(&self) -> Vec<(String, String)> {
        let body = self.body.iter().map(|body| ("body".into(), body.clone()));
        let numbered = self.comments.iter().enumerate();
        body.chain(numbered.map(|(n, comment)| (format!("body{n}"), comment.body.clone())))
            .collect()
    }
}

impl Errand for ReviewErrand {
    fn command(&self) -> &'static str {
        "pr review"
    }

    fn named(&self) -> Vec<String> {
        self.named.clone()
    }

    fn look_up(self: Arc<Self>) -> Arc<dyn View> {
        let mut wanted: Vec<String> = self.comments.iter().map(|c| c.path.clone()).collect();
        wanted.sort();
        wanted.dedup();
        Arc::new(PullLook {
            wanted,
            found: Arc::clone(&self.found),
        })
    }

    fn draft(&self, request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
        let (target, pull) = self.found.get()?;
        let texts = self.texts();
        let drafted = |texts: &[String]| self.drafted(texts, (&target, &pull), request, settings);
        let (names, texts): (Vec<String>, Vec<String>) = texts.into_iter().unzip();
        let draft = drafted(&texts)?;
        if !request.edited {
            return Ok(draft);
        }
        let texts = changed_texts(request, draft.argv.reveal(), &names)?;
        for (name, text) in names.iter().zip(&texts) {
            if text.trim().is_empty() {
                return Err(bad(name, "is empty", "Write a text, or decline the call."));
            }
            fits(text, name)?;
        }
        drafted(&texts)
    }
}

impl ReviewErrand {
    /// The Draft of the write; `texts` are the review's own text, if it has one, and those of its comments.
    fn drafted(
        &self,
        texts: &[String],
        (target, pull): (&Target, &Pull),
        request: &Request,
        settings: &Settings,
    ) -> Result<Draft, Refusal> {
        let argv = self.argv(texts, pull);
        let mut draft = draft(&there(request, target, argv), settings, &|plain, _| {
            Arc::new(Told {
                plain,
                event: self.event,
                comments: self.comment_count(),
                number: pull.number,
            })
        })?;
        // The document names an id alone, which the look-up has read from the target.
        draft.target = Some(Target {
            account: pull.viewer.clone().or(target.account.clone()),
            ..target.clone()
        });
        self.command().clone_into(&mut draft.command);
        let (quoted, misplaced) = self.places(pull, &draft.clean);
        draft.refusal = self.own(pull).or(draft.refusal).or(misplaced);
        let mut question = self.question(texts, pull, quoted, draft.target.as_ref(), &draft.clean);
        // What the gate says of the verdict itself stays.
        let verdict = draft.question.rows.into_iter();
        question
            .rows
            .extend(verdict.filter(|fact| fact.label == "Verdict"));
        draft.question = question;
        Ok(draft)
    }

    /// The argv of the one document.  No text stands in it: each is a variable.
    fn argv(&self, texts: &[String], pull: &Pull) -> Vec<String> {
        let mut declared = "$pull:ID!,$head:GitObjectID!".to_owned();
        let mut input = format!(
            "pullRequestId:$pull,commitOID:$head,event:{}",
            self.event.graphql()
        );
        let mut fields = vec![format!("pull={}", pull.id), format!("head={}", pull.head)];
        let mut texts = texts.iter();
        if self.body.is_some() {
            declared.push_str(",$body:String!");
            input.push_str(",body:$body");
            fields.extend(texts.next().map(|text| format!("body={text}")));
        }
        let mut threads = Vec::new();
        for (n, (comment, text)) in self.comments.iter().zip(texts).enumerate() {
            let _ = write!(declared, ",$path{n}:String!,$body{n}:String!");
            let side = match comment.side {
                Side::Left => "LEFT",
                Side::Right => "RIGHT",
            };
            let start = comment.start.map_or_else(String::new, |start| {
                format!(",startLine:{start},startSide:{side}")
            });
            threads.push(format!(
                "{{path:$path{n},line:{},side:{side}{start},body:$body{n}}}",
                comment.line
            ));
            fields.push(format!("path{n}={}", comment.path));
            fields.push(format!("body{n}={text}"));
        }
        if !threads.is_empty() {
            let _ = write!(input, ",threads:[{}]", threads.join(","));
        }
        let document = format!(
            "query=mutation Review({declared}){{review:addPullRequestReview(input:{{{input}}}){{pullRequestReview{{url state}}}}}}"
        );
        let mut argv: Vec<String> = ["api", "graphql", "-f", &document]
            .map(str::to_owned)
            .into();
        for field in fields {
            argv.extend(["-f".to_owned(), field]);
        }
        argv
    }

    /// The refusal of a verdict on the account's own pull request.
    fn own(&self, pull: &Pull) -> Option<Refusal> {
        (pull.own && self.event != Event::Comment).then(|| {
            Refusal::new(
                ErrorKind::BadArgument,
                "The pull request is of this account, and GitHub lets nobody approve, or request changes to, their own pull request.\nGive the event comment.",
            )
        })
    }

    /// The lines that each comment is about, and the refusal of comments at other places.
    fn places(&self, pull: &Pull, clean: &Cleaner) -> (Vec<Quoted>, Option<Refusal>) {
        let mut quoted = Vec::new();
        let mut wrong = Vec::new();
        for (n, comment) in self.comments.iter().enumerate() {
            match excerpt(comment, pull, clean) {
                Ok(text) => quoted.push(Quoted {
                    label: clean.line(&comment.place()),
                    text,
                }),
                Err(why) => wrong.push(format!(
                    "Comment {} ({}): {why}",
                    n + 1,
                    clean.line(&comment.place())
                )),
            }
        }
        let more = match wrong.len().saturating_sub(WRONG) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        wrong.truncate(WRONG);
        let refusal = (!wrong.is_empty()).then(|| {
            Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "{}{more}.\nGive lines of the diff (gh_pr_diff), or say it in `body'.",
                    wrong.join("; ")
                ),
            )
        });
        (quoted, refusal)
    }

    fn question(
        &self,
        texts: &[String],
        pull: &Pull,
        quoted: Vec<Quoted>,
        target: Option<&Target>,
        clean: &Cleaner,
    ) -> Question {
        let mut texts = texts.iter();
        let mut outgoing = Vec::new();
        if self.body.is_some() {
            outgoing.extend(texts.next().map(|text| Outgoing {
                label: "Body".to_owned(),
                text: neutral(text),
                ..Outgoing::default()
            }));
        }
        let mut quoted = quoted.into_iter();
        outgoing.extend(texts.enumerate().map(|(n, text)| Outgoing {
            label: format!("Comment {}", n + 1),
            text: neutral(text),
            above: quoted.next(),
            ..Outgoing::default()
        }));
        Question {
            sentence: target.map_or_else(String::new, |target| self.sentence(pull, target, clean)),
            undo: self.event.undo().to_owned(),
            texts: outgoing,
            rows: facts(pull, clean),
            no_lease: Some("a review has to be read whole"),
            ..Question::default()
        }
    }

    fn sentence(&self, pull: &Pull, target: &Target, clean: &Cleaner) -> String {
        let (verb, verdict) = match self.event {
            Event::Approve => ("Approve", ""),
            Event::RequestChanges => ("Request changes to", ""),
            Event::Comment => ("Review", " without a verdict"),
        };
        let with = self
            .comment_count()
            .map_or_else(String::new, |count| format!(", with {count}"));
        let title: String = clean.line(&pull.title).chars().take(TITLE).collect();
        let (place, who) = place_and_account(target, clean);
        format!(
            "{verb} pull request #{} “{}”{place}{verdict}{with}{who}",
            pull.number,
            title.replace(['“', '”'], "\"")
        )
    }

    /// The line comments in words; `None` where there are none.
    fn comment_count(&self) -> Option<String> {
        match self.comments.len() {
            0 => None,
            1 => Some("one line comment".to_owned()),
            many => Some(format!("{many} line comments")),
        }
    }
}

/// Comments at wrong lines that an error names.
const WRONG: usize = 3;
/// Paths that an error names.
const PATHS: usize = 10;
/// Characters of a title in the sentence.
const TITLE: usize = 80;

/// The lines of the diff that `comment` is about.
///
/// # Errors
/// What is wrong with the comment's place.
fn excerpt(comment: &Comment, pull: &Pull, clean: &Cleaner) -> Result<String, String> {
    let Some(file) = pull.files.iter().find(|file| file.path == comment.path) else {
        return Err(format!(
            "the pull request does not change this file; {}",
            other_paths(&comment.path, &pull.paths, clean)
        ));
    };
    let Some(patch) = &file.patch else {
        return Err(
            "GitHub shows no text of this file's diff (binary, renamed alone or too long)".into(),
        );
    };
    let text = Patch::read(patch).excerpt(comment.side, comment.start, comment.line)?;
    Ok(clean.text(&text))
}

/// The paths of the diff, those with the name of `path` first.
fn other_paths(path: &str, paths: &[String], clean: &Cleaner) -> String {
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let mut near: Vec<&String> = paths.iter().collect();
    near.sort_by_key(|other| name(other) != name(path));
    let shown: Vec<String> = near
        .iter()
        .take(PATHS)
        .map(|path| self::shown(path, clean))
        .collect();
    let more = match near.len().saturating_sub(PATHS) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more as u64)),
    };
    format!("its files: {}{more}", shown.join(", "))
}

fn facts(pull: &Pull, clean: &Cleaner) -> Vec<Fact> {
    let fact = |label, text: String, tone| Fact { label, text, tone };
    let mut facts = Vec::new();
    if let Some(author) = &pull.author {
        facts.push(Fact::plain("Author", clean.line(author)));
    }
    let head: String = pull.head.chars().take(10).collect();
    let text = format!("{head}, the commit that the review is about");
    facts.push(Fact::plain("Head", text));
    let state = match (&*pull.state, pull.draft) {
        ("OPEN", false) => return facts,
        ("OPEN", true) => "the pull request is a draft".to_owned(),
        (state, _) => format!("the pull request is {}", clean.line(state).to_lowercase()),
    };
    facts.push(fact("State", state, Tone::Warning));
    facts
}

/// Finishes the call.
struct Told {
    plain: Plain,
    event: Event,
    /// The line comments in words.
    comments: Option<String>,
    number: u64,
}

impl Finish for Told {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        _: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let answer = answer(captured).unwrap_or(Value::Null);
        let review = &answer["data"]["review"]["pullRequestReview"];
        if !review.is_object() {
            self.plain.diagnose(captured, clean)?;
            return Err(Refusal::new(
                ErrorKind::Failed,
                "GitHub's answer does not say that the review was submitted.\nRead the pull request's reviews before trying again.",
            ));
        }
        let verdict = match self.event {
            Event::Approve => "approved",
            Event::RequestChanges => "changes requested",
            Event::Comment => "commented",
        };
        let comments = self.comments.iter().map(|count| format!(", {count}"));
        let comments: String = comments.collect();
        let state = review["state"].as_str().unwrap_or_default();
        let pending = if state == "PENDING" {
            "\n[GitHub keeps it as a pending review; others see it once it is submitted]"
        } else {
            ""
        };
        Ok(format!(
            "Reviewed pull request #{}: {verdict}{comments}.\n{}{pending}",
            self.number,
            clean.line(review["url"].as_str().unwrap_or_default())
        ))
    }

    fn budget(&self) -> usize {
        self.plain.budget
    }
}

#[cfg(test)]
#[path = "../../../../test/rust/gh/pr_review.rs"]
mod tests;
