//! Outcome: what a call came to, as text that may leave the core.
//!
//! Everything in an [`Outcome`] is redacted and neutral: bytes of a child enter here and only clean text leaves.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use once_cell::sync::Lazy;

use super::budget::{self, Shows};
use super::shelf::{self, Kept};
use crate::foreign::Foreign;
use crate::gate::call::shell;
use crate::gate::decide::stop;
use crate::gate::plan::reads::Reads;
use crate::gate::{ApprovedBy, Class, ErrorKind, Refusal, Target};
use crate::redact::{Redactor, neutral};
use crate::run::{Captured, Ended, MEMORY, Stream};
use crate::text::tokens::count;

/// The last redactor made, with the secrets it knows.
type Held = Option<(Vec<Foreign<String>>, Arc<Redactor>)>;
static LAST: Lazy<Mutex<Held>> = Lazy::new(Mutex::default);

/// Makes text that may leave the core: redacted, escapes and invisible characters made visible.
#[derive(Clone)]
pub struct Cleaner {
    redactor: Arc<Redactor>,
}

impl Cleaner {
    /// A cleaner that also masks by value what this process holds.
    ///
    /// The last one is kept, since the secrets of an Emacs seldom change and making one costs more than a call.
    pub fn holding(secrets: &[Foreign<String>]) -> Self {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((held, redactor)) = last.as_ref()
            && held == secrets
        {
            return Self {
                redactor: Arc::clone(redactor),
            };
        }
        let plain: Vec<String> = secrets.iter().map(|s| s.reveal().clone()).collect();
        let redactor = Arc::new(Redactor::new(&plain));
        *last = Some((secrets.to_vec(), Arc::clone(&redactor)));
        Self { redactor }
    }

    /// The last one made; one that knows no value where there is none.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "the messages of conditions go through it")
    )]
    pub(crate) fn latest() -> Self {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
        last.map_or_else(|| Self::holding(&[]), |(_, redactor)| Self { redactor })
    }

    /// The redactor alone.
    pub fn redactor(&self) -> Arc<Redactor> {
        Arc::clone(&self.redactor)
    }

    /// Cleans a captured stream; a gap is marked with the bytes left out, a missing end with the cap.
    pub fn stream(&self, stream: &Stream) -> String {
        let (front, back) = stream.shown(|bytes| self.redactor.bytes(bytes));
        let text = neutral::of_bytes(&front);
        if !stream.truncated {
            return text;
        }
        // The line end before a mark is the mark's: what stands before it is exactly what was kept.
        if stream.tail().is_empty() {
            // How much more there was is not known: nobody read it.
            return format!("{text}\n[cut at {} bytes]", stream.shown_head);
        }
        let left_out = stream.dropped() + beyond(stream, &front, &back);
        let back = neutral::of_bytes(&back);
        format!("{text}\n[{left_out} bytes left out here]\n{back}")
    }

    /// Cleans text.
    pub fn text(&self, text: &str) -> String {
        neutral::neutral(&self.redactor.text(text))
    }

    /// Cleans text for one line of a person's buffer: a line end becomes `^J`, and what is overlong is cut.
    pub fn line(&self, text: &str) -> String {
        one_line(&self.text(text))
    }

    /// Cleans a child's bytes; one that is no UTF-8 becomes `<0x9B>`.
    pub fn bytes(&self, bytes: &[u8]) -> String {
        neutral::of_bytes(&self.redactor.bytes(bytes))
    }

    /// An argv as it may be shown and logged.
    pub fn argv(&self, argv: &[String]) -> Vec<String> {
        self.redactor.argv(argv)
    }

    /// The type of the first secret in `text`, if there is one.
    pub fn secret_in(&self, text: &str) -> Option<&'static str> {
        self.redactor.find(text)
    }
}

/// Bytes at the edges of the gap that were kept and are not shown either: half a character, or half a word that might be a secret.
///
/// Where something was masked, marks and bytes can't be set off against each other; then nothing is added.
fn beyond(stream: &Stream, front: &[u8], back: &[u8]) -> u64 {
    let mut more = 0;
    if stream.head().reveal().starts_with(front) {
        more += stream.shown_head.saturating_sub(front.len());
    }
    if stream.tail().reveal().ends_with(back) {
        more += stream.shown_tail.saturating_sub(back.len());
    }
    more as u64
}

/// Longest line that [`one_line`] gives, in bytes.
const MAX_LINE: usize = 400;

/// Clean text as one line, cut where it is overlong.
pub fn one_line(clean: &str) -> String {
    cut(&clean.replace('\n', "^J"), MAX_LINE)
}

/// The first `most` bytes of clean text, or a little less, and how many are missing.
pub(in crate::gate) fn cut(clean: &str, most: usize) -> String {
    if clean.len() <= most {
        return clean.to_owned();
    }
    let end = (0..=most)
        .rev()
        .find(|at| clean.is_char_boundary(*at))
        .unwrap_or(0);
    format!("{} [{} more bytes]", &clean[..end], clean.len() - end)
}

impl fmt::Debug for Cleaner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cleaner")
    }
}

/// What a program's own code makes of a finished child.
///
/// Called on a worker thread.  It gets the raw bytes, since cutting or masking first would break the form that it reads;
/// it passes every piece of them through the [`Cleaner`], and the result is cleaned once more.
/// What the result needs besides may be fetched through [`Reads`].
pub trait Finish: Send + Sync {
    /// The result as text, or the kind of failure with words for a person and the model.
    ///
    /// # Errors
    /// A refusal whose kind says how the program failed.
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        reads: &mut Reads<'_>,
    ) -> Result<String, Refusal>;

    /// Tokens that the result may take; what is beyond them stays on the shelf.
    fn budget(&self) -> usize {
        budget::DEFAULT
    }

    /// Which part of a result is shown that is longer than that.
    fn shows(&self) -> Shows {
        Shows::Head
    }

    /// What a result stands for that is an index or an extract: kept on the shelf in its place.
    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        let _ = (captured, clean);
        None
    }
}

/// How a call ended, as the header line says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Ran by rule.
    Ok,
    /// Ran after a person's key.
    Confirmed,
    /// Ran under a lease that a person gave.
    Leased,
    /// A person said no, or nobody could be asked.
    Declined,
    /// Refused by the gate.
    Blocked(ErrorKind),
    /// Ran, or tried to, and failed.
    Error(ErrorKind),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("ok"),
            Self::Confirmed => f.write_str("confirmed"),
            Self::Leased => f.write_str("leased"),
            Self::Declined => f.write_str("declined"),
            Self::Blocked(kind) => write!(f, "blocked {kind}"),
            Self::Error(kind) => write!(f, "error {kind}"),
        }
    }
}

impl Status {
    /// The status of a call that did not run, or failed, with `kind`.
    pub const fn of_failure(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Declined => Self::Declined,
            ErrorKind::PolicyBlocked | ErrorKind::IrreversibleBlocked => Self::Blocked(kind),
            _ => Self::Error(kind),
        }
    }

    const fn of_success(approved: ApprovedBy) -> Self {
        match approved {
            ApprovedBy::Rule => Self::Ok,
            ApprovedBy::Person => Self::Confirmed,
            ApprovedBy::Lease => Self::Leased,
        }
    }
}

/// The first line of every result: `[gh TARGET CLASS STATUS SIZE FLAGS]`.
///
/// `size` is the number of bytes of the text below; it is shown in KB of 1,000 bytes with one decimal.
/// An unknown target is shown as `-`.  `cut` says that something is missing, `age` that it is from memory, and for how long.
pub fn header(
    program: &str,
    target: Option<&Target>,
    class: Class,
    status: Status,
    size: usize,
    cut: bool,
    age: Option<Duration>,
) -> String {
    let target = target.map_or_else(|| "-".to_owned(), ToString::to_string);
    let mut flags = String::new();
    if cut {
        flags.push_str(" cut");
    }
    if let Some(age) = age {
        flags = format!("{flags} cached {}", age_words(age));
    }
    format!(
        "[{program} {target} {class} {status} {}{flags}]",
        kilobytes(size)
    )
}

/// An age in its largest unit: `40s`, `12m`, `3h`.
fn age_words(age: Duration) -> String {
    match age.as_secs() {
        s @ 0..=119 => format!("{s}s"),
        s @ 120..=7_199 => format!("{}m", s / 60),
        s => format!("{}h", s / 3_600),
    }
}

/// `bytes` in KB of 1,000 with one decimal, rounded half up: `4.3KB`.
pub fn kilobytes(bytes: usize) -> String {
    let tenths = bytes.saturating_add(50) / 100;
    format!("{}.{}KB", tenths / 10, tenths % 10)
}

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

/// What the outcome needs to know of the call it belongs to.
#[derive(Clone, Debug)]
pub(in crate::gate) struct Call {
    pub id: u64,
    /// The number of the chat that asked; 0 where none did.
    pub chat: u64,
    pub program: &'static str,
    pub class: Class,
    pub target: Option<Target>,
    pub argv: Vec<String>,
    pub reproduce: String,
    pub timeout_s: f64,
    pub approved: ApprovedBy,
    /// Whether a person changed the call before it ran.
    pub edited: bool,
    /// How often the gate had been stopped when it started.
    pub stops: u64,
}

/// The outcome of a child that ran, or that could not be started.
pub(in crate::gate) fn settle(
    call: &Call,
    captured: &Captured,
    finish: &dyn Finish,
    clean: &Cleaner,
    reads: &mut Reads<'_>,
) -> Outcome {
    let made = match own_verdict(call, captured) {
        Some(refusal) => Err(refusal),
        None => finish.finish(captured, clean, reads),
    };
    // A write has had its effect by then, whatever became of the reads after it.
    let made = if call.class == Class::Read && reads.cancelled() {
        own_verdict(call, &Captured::nothing(Ended::Cancelled)).map_or(made, Err)
    } else {
        made
    };
    let stdout = clean.stream(&captured.stdout);
    let told = if call.edited { count(&edited(call)) } else { 0 };
    let budget = finish.budget().saturating_sub(told);
    let (ended, cut) = match made {
        Ok(text) => {
            let whole = reads.whole().or_else(|| finish.whole(captured, clean));
            let whole = whole.map(|whole| clean.text(&whole));
            let text = clean.text(&text);
            let (text, cut) = shown(call, text, whole, budget, finish.shows());
            (Ok(text), cut)
        }
        Err(refusal) => {
            let words = failure_text(call, &refusal, clean);
            let partial = matches!(refusal.kind, ErrorKind::Truncated | ErrorKind::Timeout)
                && !stdout.trim().is_empty();
            let (text, cut) = if partial {
                let left = budget.saturating_sub(count(&words));
                let (partial, cut) = shown(call, clean.text(&stdout), None, left, finish.shows());
                (format!("{partial}\n{words}"), cut)
            } else {
                (words, false)
            };
            (Err((refusal.kind, text)), cut)
        }
    };
    Outcome {
        exit_code: match captured.ended {
            Ended::Exited(code) => Some(code),
            _ => None,
        },
        stdout,
        stderr: clean.stream(&captured.stderr),
        duration_ms: u64::try_from(captured.duration.as_millis()).unwrap_or(u64::MAX),
        bytes_captured: captured.stdout.read - captured.stdout.dropped(),
        bytes_dropped: captured.stdout.dropped(),
        truncated: captured.stdout.truncated,
        ..plain(call, ended, captured.stdout.truncated || cut, None)
    }
}

/// `text` within `budget`, and whether it is cut or stands for more; then all of it is kept on the shelf.
fn shown(
    call: &Call,
    text: String,
    whole: Option<String>,
    budget: usize,
    shows: Shows,
) -> (String, bool) {
    let tool = format!("{}_more", call.program);
    let keep = |text: String| shelf::put(Kept::new(call, text));
    match (budget::fit(&text, budget, shows), whole) {
        (None, None) => (text, false),
        (Some(fit), None) => {
            // The words about the cut name the handle, so that comes first.
            let kept = text.clone();
            let handle = keep(text);
            (fit.shown(&kept, &tool, &handle), true)
        }
        (fit, Some(whole)) => {
            let mut text = fit.map_or(text, |fit| fit.head + &fit.tail);
            if !text.ends_with('\n') {
                text.push('\n');
            }
            let words = |handle: &str| budget::stands_for(&whole, &tool, handle);
            let handle = keep(whole.clone());
            (text + &words(&handle), true)
        }
    }
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
fn plain(
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
        call: call.id,
        header: header(
            call.program,
            call.target.as_ref(),
            call.class,
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
        target: call.target.clone(),
    }
}

/// Tells the model that what ran is not what it asked for.
fn edited(call: &Call) -> String {
    let words = one_line(&neutral::neutral(&shell::words(&call.argv)));
    format!("A person changed the call to: {} {words}", call.program)
}

/// What the gate itself says of a run's end, before the program's own code is asked.
fn own_verdict(call: &Call, captured: &Captured) -> Option<Refusal> {
    let refusal = |kind, message: String| Some(Refusal::new(kind, message));
    match &captured.ended {
        Ended::Deadline => refusal(
            ErrorKind::Timeout,
            format!(
                "The command ran longer than {} seconds and was ended.\nNarrow the query, or give a longer `timeout' (at most {} seconds).",
                call.timeout_s,
                crate::gate::MAX_TIMEOUT_S
            ),
        ),
        Ended::Memory => Some(out_of_memory("The program")),
        Ended::Cancelled if stop::stops() != call.stops => refusal(
            ErrorKind::Cancelled,
            "A person stopped the gate while the call ran, or waited to run; it may have had its effect.\nDo not retry; tell the person what is still to be done.".into(),
        ),
        Ended::Cancelled => refusal(
            ErrorKind::Cancelled,
            "The call was cancelled.\nAsk the person before trying again.".into(),
        ),
        Ended::SpawnFailed(why) => refusal(
            ErrorKind::SpawnFailed,
            format!(
                "The program could not be started: {why}.\nRun `M-x cj/{}-doctor'.",
                call.program
            ),
        ),
        Ended::WriteFailed(why) => refusal(
            ErrorKind::GhExit,
            format!(
                "What came could not be written to the disk: {why}.\nTell the person, who can make room there; nothing of it was kept."
            ),
        ),
        Ended::Signalled(signal) => refusal(
            ErrorKind::GhExit,
            format!(
                "The program was ended by signal {signal}.\nTry again once; if it happens again, run the line below in a terminal."
            ),
        ),
        Ended::Exited(_) | Ended::Capped | Ended::ReadLimit => None,
    }
}

/// What ran out of memory, WHAT ("The program"): the same words whether the runner or the program itself noticed.
pub fn out_of_memory(what: &str) -> Refusal {
    Refusal::new(
        ErrorKind::GhExit,
        format!(
            "{what} ran out of the memory that a call may have ({} MiB).\nAsk for less at once: a limit, fewer fields, no expression that grows without end; if the call writes, look first whether it has.",
            MEMORY >> 20
        ),
    )
}

/// Longest line to repeat a call with that goes to the model, in bytes: it wrote the arguments itself.
const MAX_REPRODUCE: usize = 1_024;

/// The words of a failure, and the line that repeats the call.
fn failure_text(call: &Call, refusal: &Refusal, clean: &Cleaner) -> String {
    let mut text = match refusal.kind {
        ErrorKind::Declined => refusal.message.clone(),
        _ => format!("Error: {}", refusal.message),
    };
    if !call.reproduce.is_empty() && reproducible(refusal.kind) {
        let line = if call.reproduce.len() <= MAX_REPRODUCE {
            call.reproduce.as_str()
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

#[cfg(test)]
mod tests {
    use super::kilobytes;

    #[test]
    fn a_size_is_thousands_of_bytes_with_one_decimal() {
        for (bytes, label) in [
            (0, "0.0KB"),
            (49, "0.0KB"),
            (50, "0.1KB"),
            (800, "0.8KB"),
            (949, "0.9KB"),
            (999, "1.0KB"),
            (12_400, "12.4KB"),
            (65_536, "65.5KB"),
        ] {
            assert_eq!(kilobytes(bytes), label, "{bytes}");
        }
        assert!(kilobytes(usize::MAX).ends_with("KB"));
    }
}
