//! `gh_pr_thread`: replies to a review thread, resolves it, opens it again.
//!
//! An id says nothing about the thread's pull request, so the thread is read first and must belong to the target.  A reply and a
//! resolution are one GraphQL document, so that one yes covers both.

mod look;
mod told;

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;

use self::look::{Remark, Thread, ThreadLook};
use self::told::{Told, Wanted};
use super::errand::{Errand, Findings, bad, changed_texts, fits, pull_request, text, there};
use super::view::View;
use crate::gate::call::question::{Fact, Quoted, Tone};
use crate::gate::{Cleaner, Draft, ErrorKind, Outgoing, Question, Refusal, Target};
use crate::gh::call::plan::draft;
use crate::gh::call::request::{Request, Settings};
use crate::gh::question::sentence::{place_and_account, shown};
use crate::gh::rows;
use crate::redact::neutral::neutral;
use crate::text::numbers::grouped;

/// The longest id that is taken; GitHub's own have some 30 characters.
const LONGEST_ID: usize = 256;

/// One call of the tool.
pub(super) struct ThreadErrand {
    id: String,
    /// The argv that names the pull request.
    named: Vec<String>,
    body: Option<String>,
    resolve: Option<bool>,
    found: Arc<Findings<Thread>>,
}

crate::foreign::debug_by_name!(ThreadErrand, Thread);

impl ThreadErrand {
    /// The errand for the arguments `args` of the tool.
    ///
    /// # Errors
    /// `bad-argument`.
    pub fn new(args: &Value) -> Result<Self, Refusal> {
        let id = text(args, "thread_id").unwrap_or_default();
        let plain = id.bytes().all(|b| b.is_ascii_graphic()) && !id.contains("://");
        if id.is_empty() || id.len() > LONGEST_ID || !plain {
            return Err(bad(
                "thread_id",
                "is no id of a review thread",
                "Take the id (PRRT_…) from gh_pr_threads.",
            ));
        }
        let body = text(args, "body").filter(|body| !body.trim().is_empty());
        let resolve = args["resolve"].as_bool();
        if body.is_none() && resolve.is_none() {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                "There is nothing to do: neither `body' nor `resolve' is given.\nGive `body' to reply, `resolve' true to resolve the thread or false to open it again, or both.",
            ));
        }
        if let Some(body) = &body {
            fits(body, "body")?;
        }
        Ok(Self {
            id,
            named: pull_request(args)?,
            body,
            resolve,
            found: Arc::default(),
        })
    }
}

impl Errand for ThreadErrand {
    fn command(&self) -> &'static str {
        "pr thread"
    }

    fn named(&self) -> Vec<String> {
        self.named.clone()
    }

    fn look_up(self: Arc<Self>) -> Arc<dyn View> {
        Arc::new(ThreadLook {
            id: self.id.clone(),
            found: Arc::clone(&self.found),
        })
    }

    fn draft(&self, request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
        let (target, thread) = self.found.get()?;
        let drafted = |body| self.drafted(body, (&target, &thread), request, settings);
        let draft = drafted(self.body.as_deref())?;
        if !request.edited {
            return Ok(draft);
        }
        let names: Vec<String> = self.body.iter().map(|_| "body".to_owned()).collect();
        let texts = changed_texts(request, draft.argv.reveal(), &names)?;
        let body = texts.first();
        if let Some(body) = body {
            if body.trim().is_empty() {
                return Err(bad(
                    "body",
                    "is empty",
                    "Write a text, or decline the call.",
                ));
            }
            fits(body, "body")?;
        }
        drafted(body.map(String::as_str))
    }
}

impl ThreadErrand {
    /// The Draft of the write with the reply `body`.
    fn drafted(
        &self,
        body: Option<&str>,
        (target, thread): (&Target, &Thread),
        request: &Request,
        settings: &Settings,
    ) -> Result<Draft, Refusal> {
        let wanted = Wanted {
            reply: body.is_some(),
            // To resolve a thread that is resolved would do nothing.
            resolve: self.resolve.filter(|resolve| *resolve != thread.resolved),
        };
        let argv = argv(
            &self.id,
            body,
            wanted.resolve.or(self.resolve.filter(|_| body.is_none())),
        );
        let mut draft = draft(&there(request, target, argv), settings, &|plain, _| {
            Arc::new(Told {
                wanted,
                thread: format!(
                    "the thread on {} of pull request #{}",
                    neutral(&place(thread)).replace('\n', "^J"),
                    thread.number
                ),
                plain,
            })
        })?;
        // The document names an id alone; the look-up has found that the id belongs to the target.
        draft.target = Some(Target {
            account: thread.viewer.clone().or(target.account.clone()),
            ..target.clone()
        });
        self.command().clone_into(&mut draft.command);
        draft.refusal = draft
            .refusal
            .or_else(|| refusal(thread, body, self.resolve, &draft.clean));
        draft.question = question(thread, body, wanted, draft.target.as_ref(), &draft.clean);
        Ok(draft)
    }
}

/// The argv of the one document.  No text stands in it: each is a variable.
fn argv(id: &str, body: Option<&str>, resolve: Option<bool>) -> Vec<String> {
    let mut declared = "$thread:ID!".to_owned();
    let mut fields = String::new();
    if body.is_some() {
        declared.push_str(",$body:String!");
        fields.push_str(
            "reply:addPullRequestReviewThreadReply(input:{pullRequestReviewThreadId:$thread,body:$body}){comment{url state}}",
        );
    }
    if let Some(resolve) = resolve {
        let verb = if resolve { "resolve" } else { "unresolve" };
        let gap = if fields.is_empty() { "" } else { " " };
        let _ = write!(
            fields,
            "{gap}settle:{verb}ReviewThread(input:{{threadId:$thread}}){{thread{{isResolved}}}}"
        );
    }
    let document = format!("query=mutation AnswerReviewThread({declared}){{{fields}}}");
    let words = ["api", "graphql", "-f", &document, "-f"].map(str::to_owned);
    let mut argv: Vec<String> = words.into();
    argv.push(format!("thread={id}"));
    if let Some(body) = body {
        argv.extend(["-f".to_owned(), format!("body={body}")]);
    }
    argv
}

/// Where the thread stands: `src/a.rs:12`.
fn place(thread: &Thread) -> String {
    match thread.line {
        Some(line) => format!("{}:{line}", thread.path),
        None => thread.path.clone(),
    }
}

/// Why the write must not run.
fn refusal(
    thread: &Thread,
    body: Option<&str>,
    resolve: Option<bool>,
    clean: &Cleaner,
) -> Option<Refusal> {
    let refused = |kind, message: String| Some(Refusal::new(kind, message));
    if !thread.is_of_target() {
        return refused(
            ErrorKind::BadArgument,
            format!(
                "The thread belongs to pull request #{} in {}, not to the one that is named.\nTake the id from gh_pr_threads of that pull request, or name the thread's own with `number' and `repo'.",
                thread.number,
                clean.line(&thread.repository)
            ),
        );
    }
    let who = thread
        .viewer
        .as_deref()
        .map_or_else(|| "This account".to_owned(), |login| clean.line(login));
    let may_not = |what: &str| {
        refused(
            ErrorKind::NoAccess,
            format!(
                "{who} may not {what} this thread.\nThe conversation may be locked, or the account may not write here; tell the person."
            ),
        )
    };
    if body.is_some() && thread.can_reply == Some(false) {
        return may_not("reply to");
    }
    match resolve {
        Some(resolve) if resolve == thread.resolved => {
            let by = thread
                .resolved_by
                .as_deref()
                .map_or_else(String::new, |by| format!(", by {}", clean.line(by)));
            let is = if resolve {
                format!("is already resolved{by}")
            } else {
                "is already open".to_owned()
            };
            body.is_none()
                .then(|| {
                    refused(
                        ErrorKind::BadArgument,
                        format!(
                            "The thread on {} {is}.\nThere is nothing to do; give `body' to reply to it.",
                            clean.line(&place(thread))
                        ),
                    )
                })
                .flatten()
        }
        Some(true) if thread.can_resolve == Some(false) => may_not("resolve"),
        Some(false) if thread.can_reopen == Some(false) => may_not("re-open"),
        _ => None,
    }
}

fn question(
    thread: &Thread,
    body: Option<&str>,
    wanted: Wanted,
    target: Option<&Target>,
    clean: &Cleaner,
) -> Question {
    let verb = match (wanted.reply, wanted.resolve) {
        (true, Some(true)) => "Reply to and resolve",
        (true, Some(false)) => "Reply to and re-open",
        (true, None) => "Reply to",
        (false, Some(false)) => "Re-open",
        (false, _) => "Resolve",
    };
    let sentence = target.map_or_else(String::new, |target| {
        let (place, who) = place_and_account(target, clean);
        format!(
            "{verb} the thread on {} of pull request #{}{place}{who}",
            shown(&self::place(thread), clean),
            thread.number
        )
    });
    let mut undo = Vec::new();
    if wanted.reply {
        undo.extend(rows::leaf("pr comment").and_then(|row| row.undo));
    }
    undo.extend(wanted.resolve.map(|resolve| {
        if resolve {
            "The thread can be opened again."
        } else {
            "The thread can be resolved again."
        }
    }));
    Question {
        sentence,
        undo: undo.join(" "),
        quoted: thread.remarks.iter().map(|r| quoted(r, clean)).collect(),
        texts: body
            .map(|body| Outgoing {
                label: "Reply".to_owned(),
                text: neutral(body),
                ..Outgoing::default()
            })
            .into_iter()
            .collect(),
        rows: facts(thread, wanted, clean),
        ..Question::default()
    }
}

fn quoted(remark: &Remark, clean: &Cleaner) -> Quoted {
    let mut text = clean.text(&remark.body);
    if let Some(whole) = remark.whole {
        let _ = write!(
            text,
            "\n[cut; the whole remark has {} characters]",
            grouped(whole)
        );
    }
    Quoted {
        label: format!(
            "{}, {}",
            clean.line(&remark.author),
            time(&remark.at, clean)
        ),
        text,
    }
}

/// The time stamp `at` for a person: `2026-05-01 10:00 UTC`.
fn time(at: &str, clean: &Cleaner) -> String {
    match chrono::DateTime::parse_from_rfc3339(at) {
        Ok(time) => time.to_utc().format("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => clean.line(at),
    }
}

fn facts(thread: &Thread, wanted: Wanted, clean: &Cleaner) -> Vec<Fact> {
    let mut facts = vec![Fact::plain("Title", clean.line(&thread.title))];
    let fact = |label, text: String, tone| Fact { label, text, tone };
    if thread.state != "OPEN" {
        let text = format!(
            "the pull request is {}",
            clean.line(&thread.state).to_lowercase()
        );
        facts.push(fact("State", text, Tone::Warning));
    }
    let count = if thread.count == 1 {
        "one remark".to_owned()
    } else {
        format!("{} remarks", grouped(thread.count))
    };
    let above = match thread.remarks.len() as u64 {
        last if last < thread.count => format!(", the last {last} of them above"),
        _ => String::new(),
    };
    let by = |thread: &Thread| {
        let by = thread.resolved_by.as_deref();
        by.map_or_else(String::new, |by| format!(" by {}", clean.line(by)))
    };
    let (is, tone) = match thread.resolved {
        true if wanted.resolve.is_none() => {
            (format!("resolved already{}", by(thread)), Tone::Warning)
        }
        true => (format!("resolved{}", by(thread)), Tone::Plain),
        false => ("open".to_owned(), Tone::Plain),
    };
    facts.push(fact("Thread", format!("{is}, {count}{above}"), tone));
    if thread.outdated {
        let text = "its lines have changed since the first remark".to_owned();
        facts.push(fact("Outdated", text, Tone::Warning));
    }
    facts
}

#[cfg(test)]
#[path = "../../../../test/rust/gh/pr_thread.rs"]
mod tests;
