//! Outcome: the end of a call, as text that may leave the core.
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

/// The end of a call.  Each text in it is clean.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The number of the call in this Emacs, from 1.
    pub call: u64,
    /// The first line for the model, without a line end.
    pub header: String,
    /// The text below the header.
    pub text: String,
    /// The child's exit code; none where nothing ran or a signal ended it.
    pub exit_code: Option<i32>,
    /// The child's standard output, cut at its limit.
    pub stdout: String,
    /// The child's standard error, cut at its limit.
    pub stderr: String,
    /// Whether part of the output is missing.
    pub truncated: bool,
    /// Milliseconds from spawn to end.
    pub duration_ms: u64,
    /// Bytes of standard output that were kept.
    pub bytes_captured: u64,
    /// Bytes of standard output that were read and dropped.
    pub bytes_dropped: u64,
    /// The kind of error; none on success.
    pub kind: Option<ErrorKind>,
    /// The argv, redacted.
    pub argv: Vec<String>,
    /// The target of the call.
    pub target: Option<Target>,
}

/// The outcome of a call that returns `slice`, a part of a result on the shelf, which was made `age` ago.
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

/// An outcome with a header and the clean text in `ended`, and empty values for everything that comes from a child.
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

/// The line that tells the model which command ran instead of the one that it asked for.
pub(in crate::gate) fn edited(call: &Call) -> String {
    let words = one_line(&neutral::neutral(&shell::words(&call.argv)));
    format!(
        "A person changed the call to: {} {words}",
        call.info.program
    )
}

/// The most bytes of the `Reproduce:` line in a result.  The model wrote the arguments itself, so a longer line would only cost tokens.
const MAX_REPRODUCE: usize = 1_024;

/// The message of `refusal`, with the line that repeats the call if running it again makes sense.
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

/// Whether a person could see this failure by running the line in a terminal.
const fn reproducible(kind: ErrorKind) -> bool {
    !matches!(
        kind,
        ErrorKind::Declined | ErrorKind::Cancelled | ErrorKind::BadArgument | ErrorKind::Module
    )
}
