//! From a finished child to the outcome of its call: the program's own code makes the result, the gate cleans it, and a result that is
//! too long goes on the shelf.

use std::sync::Arc;

use super::plan::{Finish, Reads};
use crate::gate::call::call::Call;
use crate::gate::decide::bounds::{MAX_CAP, MAX_TIMEOUT_S};
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::decide::stop;
use crate::gate::kept_files;
use crate::gate::result::budget::{self, Shows};
use crate::gate::result::cleaner::Cleaner;
use crate::gate::result::outcome::{Outcome, edited, failure_text, plain};
use crate::gate::result::shelf::{self, Kept, Place};
use crate::run::{Captured, Ended, MEMORY, SLACK};
use crate::text::tokens::count;

/// The outcome of a child that ran, or that could not be started.
pub(in crate::gate) fn settle(
    call: &Call,
    captured: &Captured,
    finish: &dyn Finish,
    clean: &Cleaner,
    reads: &mut dyn Reads,
) -> Outcome {
    let made = match own_verdict(call, captured) {
        Some(refusal) => Err(refusal),
        None => finish.finish(captured, clean, reads),
    };
    // A write has had its effect before its further reads, so cancelling those does not make the write fail.
    let made = if call.info.class == Class::Read && reads.cancelled() {
        own_verdict(call, &Captured::nothing(Ended::Cancelled)).map_or(made, Err)
    } else {
        made
    };
    // Neither a record nor the answer to Lisp holds megabytes.
    let stdout = if captured.stdout.head().len() > MAX_CAP + SLACK {
        clean.stream(&captured.stdout.ends(MAX_CAP))
    } else {
        clean.stream(&captured.stdout)
    };
    let told = if call.edited { count(&edited(call)) } else { 0 };
    let budget = finish.budget().saturating_sub(told);
    let (ended, cut) = match made {
        Ok(text) => {
            let log = reads.whole().map(|log| Whole::log(&clean.text(&log)));
            let whole = log.or_else(|| {
                let whole = finish.whole(captured, clean)?;
                Some(Whole::memory(clean.text(&whole)))
            });
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

/// The whole text behind an extract, and where the shelf keeps it.
struct Whole {
    text: Arc<str>,
    place: Place,
}

impl Whole {
    fn memory(text: String) -> Self {
        let text: Arc<str> = text.into();
        Self {
            place: Place::Memory(Arc::clone(&text)),
            text,
        }
    }

    /// The whole of one or more logs, clean: in a file, if there can be one.
    fn log(text: &str) -> Self {
        let text: Arc<str> = text.into();
        let place = match kept_files::keep(&text) {
            Some(file) => Place::Away(Arc::new(file)),
            None => Place::Memory(Arc::clone(&text)),
        };
        Self { text, place }
    }
}

/// Cuts `text` to `budget` tokens; returns it, and whether it is cut or is an extract of `whole`.  In both cases the shelf keeps the
/// whole text.
fn shown(
    call: &Call,
    text: String,
    whole: Option<Whole>,
    budget: usize,
    shows: Shows,
) -> (String, bool) {
    let tool = format!("{}_more", call.info.program);
    let keep = |place: Place| shelf::put(Kept::new(call, place));
    match (budget::fit(&text, budget, shows), whole) {
        (None, None) => (text, false),
        (Some(fit), None) => {
            // The note about the cut names the handle, so the text goes on the shelf first.
            let kept: Arc<str> = text.into();
            let handle = keep(Place::Memory(Arc::clone(&kept)));
            (fit.shown(&kept, &tool, &handle), true)
        }
        (fit, Some(whole)) => {
            let mut text = fit.map_or(text, |fit| fit.head + &fit.tail);
            if !text.ends_with('\n') {
                text.push('\n');
            }
            let handle = keep(whole.place);
            let note = budget::extract_note(&whole.text, &tool, &handle);
            (text + &note, true)
        }
    }
}

/// The gate's own refusal for the way a run ended; none where the program's own code decides.
fn own_verdict(call: &Call, captured: &Captured) -> Option<Refusal> {
    let refusal = |kind, message: String| Some(Refusal::new(kind, message));
    match &captured.ended {
        Ended::Deadline => refusal(
            ErrorKind::Timeout,
            format!(
                "The command ran longer than {} seconds and was ended.\nNarrow the query, or give a longer `timeout' (at most {} seconds).",
                call.timeout_s,
                MAX_TIMEOUT_S
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
                call.info.program
            ),
        ),
        Ended::WriteFailed(why) => refusal(
            ErrorKind::Failed,
            format!(
                "The output could not be written to the disk: {why}.\nTell the person, who can make room there; none of the output was kept."
            ),
        ),
        Ended::Signalled(signal) => refusal(
            ErrorKind::Failed,
            format!(
                "The program was ended by signal {signal}.\nTry again once; if it happens again, run the line below in a terminal."
            ),
        ),
        Ended::Exited(_) | Ended::Capped | Ended::ReadLimit => None,
    }
}

/// The refusal for a call that ran out of memory.  `what` begins its sentence: `The program`.  The runner's limit and the program's own
/// error give the same message.
pub fn out_of_memory(what: &str) -> Refusal {
    Refusal::new(
        ErrorKind::Failed,
        format!(
            "{what} ran out of the memory that a call may have ({} MiB).\nAsk for less at once: a limit, fewer fields, no expression that grows without end; if the call writes, look first whether it has.",
            MEMORY >> 20
        ),
    )
}
