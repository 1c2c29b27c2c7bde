//! Calls for which no program runs: calls that could not be planned, and parts of earlier results.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::panic_report::broken;
use crate::gate::call::call::Call;
use crate::gate::call::fingerprint::fingerprint;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::bounds::MAX_CAP;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::Refusal;
use crate::gate::decide::policy::{Answer, Policy};
use crate::gate::decide::target::Target;
use crate::gate::decide::{argv as words, stop};
use crate::gate::record::audit;
use crate::gate::record::log_call::{SHORT_PATIENCE, keep};
use crate::gate::result::cleaner::Cleaner;
use crate::gate::result::outcome::{Outcome, refused, sliced};
use crate::gate::result::shelf;
use crate::gate::result::slices::{self, SliceRequest};
use crate::run;

/// Records a call that could not be planned, and returns its outcome.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "only a door of the module calls this")
)]
pub(crate) fn unplanned(
    program: &'static str,
    class: Class,
    command: &str,
    argv: &[String],
    refusal: &Refusal,
    clean: &Cleaner,
) -> Outcome {
    let mut call = Call::bare(program, class, None, clean.argv(&within_reason(argv)));
    call.info.command = clean.line(command);
    call.info.reason = clean.line(refusal.message.lines().next().unwrap_or_default());
    call.info.answer = Answer::Block;
    call.info.refusal = Some(refusal.clone());
    call.info.argv_sha256 = fingerprint(argv.iter().map(String::as_str));
    let outcome = refused(&call, refusal, clean);
    keep(&call, None, &outcome, &audit::settings(), SHORT_PATIENCE);
    outcome
}

/// Returns the present policy for a target, or the reason why nothing about the target may be read.
pub(crate) type Judge = dyn Fn(Option<&Target>) -> Result<Policy, Refusal> + Send;

/// The chat that asks for a slice.
pub(crate) struct Asker {
    /// The number of the chat.
    pub chat: u64,
    /// Judges a target by the chat's present settings.
    pub judge: Box<Judge>,
}

/// Cuts a slice from the text kept under `handle`, for `asker`, on a worker thread; `done` gets the outcome, exactly once.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "only a door of the module calls this")
)]
pub(crate) fn start_more(
    program: &'static str,
    handle: String,
    ask: SliceRequest,
    asker: Asker,
    done: impl FnOnce(Outcome) + Send + 'static,
) -> run::Handle {
    run::start_task(Box::new(move |_| {
        let clean = Cleaner::latest();
        let made = catch_unwind(AssertUnwindSafe(|| {
            more(program, &handle, &ask, &asker, &clean)
        }));
        let failed = |_| {
            let argv = ask.argv(&handle);
            unplanned(program, Class::Read, "more", &argv, &broken(), &clean)
        };
        done(made.unwrap_or_else(failed));
    }))
}

/// Cuts the slice, and records this as a call.  No program runs, but the present policy judges the slice like the call that made the
/// whole result.
fn more(
    program: &'static str,
    handle: &str,
    ask: &SliceRequest,
    asker: &Asker,
    clean: &Cleaner,
) -> Outcome {
    // The stop is checked first, so that every handle, known or not, gets the same answer while the gate is stopped.
    let kept = stop::check().and_then(|()| shelf::get(program, asker.chat, handle));
    let (target, age) = match &kept {
        Ok(kept) => (kept.target.clone(), Some(kept.age())),
        Err(_) => (None, None),
    };
    let mut answer = Answer::Auto;
    let judged = kept.and_then(|kept| {
        let policy = (asker.judge)(target.as_ref()).inspect_err(|_| answer = Answer::Block)?;
        answer = kept.answer(&policy);
        kept.may_be_read(answer)?;
        kept.text()
    });
    let refusal = judged.as_ref().err().cloned();
    let slice = judged.and_then(|text| slices::slice(&text, ask));
    let argv = clean.argv(&within_reason(&ask.argv(handle)));
    let mut call = Call::bare(program, Class::Read, target, argv);
    call.info.command = "more".into();
    call.info.reason = "gives a part of an earlier result, which was kept.".into();
    call.info.answer = answer;
    let age = age.filter(|_| refusal.is_none());
    let approved = refusal.is_none().then_some(ApprovedBy::Rule);
    call.info.refusal = refusal;
    let outcome = sliced(&call, slice, age, clean);
    keep(
        &call,
        approved,
        &outcome,
        &audit::settings(),
        SHORT_PATIENCE,
    );
    outcome
}

/// `argv` without its very large words, each replaced by its size, `[300000 bytes]`: an argv may have been refused for its size, and
/// redacting megabytes would take long.
fn within_reason(argv: &[String]) -> Vec<String> {
    let mut left = MAX_CAP;
    let mut out: Vec<String> = Vec::new();
    for word in argv.iter().take(words::MAX_COUNT) {
        if word.len() > left {
            out.push(format!("[{} bytes]", word.len()));
        } else {
            left -= word.len();
            out.push(word.clone());
        }
    }
    out
}
