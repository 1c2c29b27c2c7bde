//! Outcome: what a call came to, as text that may leave the core.
//!
//! Everything in an [`Outcome`] is redacted and neutral: bytes of a child enter through a [`Cleaner`] and only clean text leaves.

use std::time::Duration;

use super::cleaner::{Cleaner, one_line};
use super::header::{Status, header};
use crate::gate::call::call::Call;
use crate::gate::call::shell;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::decide::target::Target;
use crate::redact::neutral;

/// What a call came to.  All text in it is clean.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Number of the call in this Emacs, from 1.
    pub call: u64,
    /// The first line for the model, without a line end.
    pub header: String,
    /// The text below it.
    pub text: String,
    /// The child's exit code; none where nothing ran or a signal ended it.
    pub exit_code: Option<i32>,
    /// The child's standard output, cut at the cap.
    pub stdout: String,
    /// The child's standard error, cut at its cap.
    pub stderr: String,
    /// Whether part of the output is missing.
    pub truncated: bool,
    /// Milliseconds from spawn to end.
    pub duration_ms: u64,
    /// Bytes of standard output that were kept.
    pub bytes_captured: u64,
    /// Bytes of standard output that were read and dropped.
    pub bytes_dropped: u64,
    /// Why there is no good result; none on success.
    pub kind: Option<ErrorKind>,
    /// The argv, redacted.
    pub argv: Vec<String>,
    /// Where the call went.
    pub target: Option<Target>,
}

/// The outcome of a call that gives a slice of what is kept on the shelf.
pub(in crate::gate) fn sliced(
    call: &Call,
    slice: Result<String, Refusal>,
    age: Option<Duration>,
    clean: &Cleaner,
) -> Outcome {
    let ended = match slice {
        Ok(text) => Ok(clean.text(&text)),
        Err(refusal) => Err((refusal.kind, failure_text(call, &refusal, clean))),
    };
    plain(call, ended, false, age)
}

/// The outcome of a call that ended before anything ran.
pub(in crate::gate) fn refused(call: &Call, refusal: &Refusal, clean: &Cleaner) -> Outcome {
    let text = failure_text(call, refusal, clean);
    plain(call, Err((refusal.kind, text)), false, None)
}

/// An outcome with its header and its clean text, and nothing that a child said or did.
pub(in crate::gate) fn plain(
    call: &Call,
    ended: Result<String, (ErrorKind, String)>,
    cut: bool,
    age: Option<Duration>,
) -> Outcome {
    let (kind, text) = match ended {
        Ok(text) => (None, text),
        Err((kind, text)) => (Some(kind), text),
    };
    let text = if call.edited {
        format!("{}\n{text}", edited(call))
    } else {
        text
    };
    let status = kind.map_or_else(|| Status::of_success(call.approved), Status::of_failure);
    Outcome {
        call: call.info.call,
        header: header(
            call.info.program,
            call.info.target.as_ref(),
            call.info.class,
            status,
            text.len(),
            cut,
            age,
        ),
        text,
        exit_code: None,
        stdout: String::new(),
        stderr: String::new(),
        truncated: cut,
        duration_ms: 0,
        bytes_captured: 0,
        bytes_dropped: 0,
        kind,
        argv: call.argv.clone(),
        target: call.info.target.clone(),
    }
}

/// Tells the model that what ran is not what it asked for.
pub(in crate::gate) fn edited(call: &Call) -> String {
    let words = one_line(&neutral::neutral(&shell::words(&call.argv)));
    format!(
        "A person changed the call to: {} {words}",
        call.info.program
    )
}

/// Longest line to repeat a call with that goes to the model, in bytes: it wrote the arguments itself.
const MAX_REPRODUCE: usize = 1_024;

/// The words of a failure, and the line that repeats the call.
pub(in crate::gate) fn failure_text(call: &Call, refusal: &Refusal, clean: &Cleaner) -> String {
    let mut text = match refusal.kind {
        ErrorKind::Declined => refusal.message.clone(),
        _ => format!("Error: {}", refusal.message),
    };
    if !call.info.reproduce.is_empty() && reproducible(refusal.kind) {
        let line = if call.info.reproduce.len() <= MAX_REPRODUCE {
            call.info.reproduce.as_str()
        } else {
            "too long to repeat here."
        };
        text = format!("{text}\nReproduce: {line}");
    }
    clean.text(&text)
}

/// Whether running the line again could show the same failure.
const fn reproducible(kind: ErrorKind) -> bool {
    !matches!(
        kind,
        ErrorKind::Declined | ErrorKind::Cancelled | ErrorKind::BadArgument | ErrorKind::Module
    )
}
