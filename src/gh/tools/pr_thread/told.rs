//! What came of a reply and a resolution: both are mutations of one document, and GitHub may carry out one of them alone.

use serde_json::Value;

use crate::gate::{Cleaner, ErrorKind, Finish, Reads, Refusal};
use crate::gh::call::plain::Plain;
use crate::gh::tools::view::answer;
use crate::run::Captured;

/// What is to be done with a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub reply: bool,
    /// `true`: resolve, `false`: open again.
    pub resolve: Option<bool>,
}

/// Finishes the call.
pub(super) struct Told {
    pub plain: Plain,
    pub wanted: Wanted,
    /// The thread in words: `the thread on src/a.rs:12 of pull request #3`.
    pub thread: String,
}

impl Finish for Told {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        _: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let answer = answer(captured).unwrap_or(Value::Null);
        let data = &answer["data"];
        let reply = &data["reply"]["comment"];
        let replied = self.wanted.reply && reply.is_object();
        let settled = self.wanted.resolve.is_some_and(|resolve| {
            data["settle"]["thread"]["isResolved"].as_bool() == Some(resolve)
        });
        let words = words(self.wanted.resolve);
        let address = clean.line(reply["url"].as_str().unwrap_or_default());
        let (reply_missing, settle_missing) = (
            self.wanted.reply && !replied,
            self.wanted.resolve.is_some() && !settled,
        );
        match (reply_missing, settle_missing) {
            (false, false) => Ok(self.done(reply, &address)),
            (false, true) if replied => Err(Refusal::new(
                kind(&answer),
                format!(
                    "The reply was sent ({address}), but the thread was not {}: {}.\nDo not send the reply again; call gh_pr_thread with `resolve' and without `body', or tell the person.",
                    words.done,
                    why(&answer, "settle", clean)
                ),
            )),
            (true, false) if settled => Err(Refusal::new(
                kind(&answer),
                format!(
                    "The thread was {}, but the reply was not sent: {}.\nCall gh_pr_thread with `body' alone, or tell the person.",
                    words.done,
                    why(&answer, "reply", clean)
                ),
            )),
            _ => {
                self.plain.diagnose(captured, clean)?;
                Err(Refusal::new(
                    ErrorKind::Failed,
                    "GitHub's answer does not say that anything was done.\nRead the thread with gh_pr_threads before trying again.",
                ))
            }
        }
    }

    fn budget(&self) -> usize {
        self.plain.budget
    }
}

impl Told {
    /// The result where all that was asked for is done.
    fn done(&self, reply: &Value, address: &str) -> String {
        let did = match (self.wanted.reply, self.wanted.resolve) {
            (true, Some(resolve)) => format!("Replied to and {}", words(Some(resolve)).done),
            (true, None) => "Replied to".to_owned(),
            (false, resolve) => words(resolve).begins.to_owned(),
        };
        let waits = if reply["state"].as_str() == Some("PENDING") {
            "\n[the reply waits in a pending review of this account; others see it once that review is submitted]"
        } else {
            ""
        };
        let address = if address.is_empty() {
            String::new()
        } else {
            format!("\n{address}")
        };
        format!("{did} {}.{address}{waits}", self.thread)
    }
}

/// The words for a resolution or a re-opening.
struct Words {
    done: &'static str,
    begins: &'static str,
}

fn words(resolve: Option<bool>) -> Words {
    if resolve == Some(false) {
        Words {
            done: "re-opened",
            begins: "Re-opened",
        }
    } else {
        Words {
            done: "resolved",
            begins: "Resolved",
        }
    }
}

/// GitHub's error about the field `field` of the document, or its first one.
fn error<'a>(answer: &'a Value, field: Option<&str>) -> Option<&'a Value> {
    let errors = answer["errors"].as_array()?;
    let about = |error: &&Value| error["path"][0].as_str() == field;
    errors.iter().find(about).or_else(|| errors.first())
}

/// The kind of GitHub's first error.
fn kind(answer: &Value) -> ErrorKind {
    match error(answer, None).and_then(|error| error["type"].as_str()) {
        Some("FORBIDDEN") => ErrorKind::NoAccess,
        Some("NOT_FOUND") => ErrorKind::NotFound,
        Some("RATE_LIMITED") => ErrorKind::RateLimit,
        _ => ErrorKind::Failed,
    }
}

/// Why the field `field` was not carried out, in GitHub's words.
fn why(answer: &Value, field: &str, clean: &Cleaner) -> String {
    let message = error(answer, Some(field)).and_then(|error| error["message"].as_str());
    let message = clean.line(message.unwrap_or("GitHub does not say why"));
    message.trim_end_matches('.').to_owned()
}
