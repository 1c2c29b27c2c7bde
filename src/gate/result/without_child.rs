//! Calls for which no program runs: those that could not be planned, and parts of earlier results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use super::outcome::{self, Call, Cleaner, Outcome};
use super::shelf;
use super::slices::{self, Ask};
use crate::gate::call::info::Info;
use crate::gate::call::question::Question;
use crate::gate::decide::policy::Answer;
use crate::gate::decide::{argv as words, stop};
use crate::gate::plan::draft::fingerprint;
use crate::gate::plan::panic_report::broken;
use crate::gate::plan::plan::{ApprovedBy, MAX_CAP, next_call};
use crate::gate::record::audit;
use crate::gate::record::log_call::{NO_PATIENCE, keep};
use crate::gate::{Class, Policy, Refusal, Target};
use crate::run;

/// The outcome of a call that could not even be planned, recorded like any other.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "called through a door of the module alone")
)]
pub(crate) fn unplanned(
    program: &'static str,
    class: Class,
    command: &str,
    argv: &[String],
    refusal: &Refusal,
    clean: &Cleaner,
) -> Outcome {
    let call = call(program, class, None, clean.argv(&within_reason(argv)));
    let outcome = outcome::refused(&call, refusal, clean);
    let info = Info {
        command: clean.line(command),
        reason: clean.line(refusal.message.lines().next().unwrap_or_default()),
        answer: Answer::Block,
        refusal: Some(refusal.clone()),
        argv_sha256: fingerprint(argv.iter().map(String::as_str)),
        ..info(&call)
    };
    record(&call, info, None, &outcome);
    outcome
}

/// What the policy of a target is now, or why nothing of it may be read at all.
pub(crate) type Judge = dyn Fn(Option<&Target>) -> Result<Policy, Refusal> + Send;

/// Who asks for a slice.
pub(crate) struct Asker {
    /// The number of the chat.
    pub chat: u64,
    /// What holds there now.
    pub judge: Box<Judge>,
}

/// Cuts a slice of what is kept under `handle` for `asker` on a worker thread; `done` gets the outcome, exactly once.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "called through a door of the module alone")
)]
pub(crate) fn start_more(
    program: &'static str,
    handle: String,
    ask: Ask,
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

/// The slice, recorded like any other call: no program runs for it, and all the same it is judged as its call would be now.
fn more(program: &'static str, handle: &str, ask: &Ask, asker: &Asker, clean: &Cleaner) -> Outcome {
    // First of all: while the gate is stopped every handle gets the same answer.
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
        Ok(kept)
    });
    let refusal = judged.as_ref().err().cloned();
    let slice = judged.and_then(|kept| slices::slice(&kept.text, ask));
    let argv = clean.argv(&within_reason(&ask.argv(handle)));
    let call = call(program, Class::Read, target, argv);
    let age = age.filter(|_| refusal.is_none());
    let outcome = outcome::sliced(&call, slice, age, clean);
    let approved = refusal.is_none().then_some(ApprovedBy::Rule);
    let info = Info {
        command: "more".into(),
        reason: "gives a part of an earlier result, from memory.".into(),
        answer,
        refusal,
        ..info(&call)
    };
    record(&call, info, approved, &outcome);
    outcome
}

/// A call of `program` with `argv`, redacted, as its outcome has to know it.
fn call(program: &'static str, class: Class, target: Option<Target>, argv: Vec<String>) -> Call {
    Call {
        id: next_call(),
        chat: 0,
        program,
        class,
        target,
        argv,
        reproduce: String::new(),
        timeout_s: 0.0,
        approved: ApprovedBy::Rule,
        edited: false,
        stops: stop::stops(),
    }
}

/// What is to be recorded of `call`, where it says no more: its redacted argv is the exact one, and it was let through.
fn info(call: &Call) -> Info {
    Info {
        call: call.id,
        program: call.program,
        class: call.class,
        command: String::new(),
        reason: String::new(),
        answer: Answer::Auto,
        complaints: Vec::new(),
        refusal: None,
        target: call.target.clone(),
        argv: call.argv.clone(),
        shown: call.argv.clone(),
        cwd: PathBuf::new(),
        digest: String::new(),
        argv_sha256: fingerprint(call.argv.iter().map(String::as_str)),
        reproduce: String::new(),
        question: Question::default(),
        no_lease: None,
    }
}

/// Records `call` with what came of it.
fn record(call: &Call, info: Info, approved: Option<ApprovedBy>, outcome: &Outcome) {
    let log = audit::settings();
    keep(info, approved, outcome, &call.argv, &log, NO_PATIENCE);
}

/// An argv that was refused for its size, without what makes it large: nobody needs it, and redacting it would take long.
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
