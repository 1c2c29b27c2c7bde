//! A call that was let through: the data that its run and its outcome need.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use super::fingerprint::fingerprint;
use super::info::Info;
use super::question::Question;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::policy::Answer;
use crate::gate::decide::stop;
use crate::gate::decide::target::Target;

static CALLS: AtomicU64 = AtomicU64::new(0);

/// The number of the next call of this Emacs.
pub(in crate::gate) fn next_number() -> u64 {
    CALLS.fetch_add(1, Ordering::Relaxed) + 1
}

/// A call that may run, and who approved it.
#[derive(Clone, Debug)]
pub(in crate::gate) struct Call {
    /// The request and the decision.
    pub info: Info,
    /// The number of the chat that asked for the call; 0 where no chat did.
    pub chat: u64,
    /// The redacted argv; for a call that consists of several commands, their command lines follow.
    pub argv: Vec<String>,
    /// The most seconds that the call may take.
    pub timeout_s: f64,
    /// Who approved the call.
    pub approved: ApprovedBy,
    /// Whether a person changed the call before it ran.
    pub edited: bool,
    /// How often the gate had been stopped when the call started.
    pub stops: u64,
}

impl Call {
    /// A call without a Plan: of `program`, with `argv`, which must be redacted already, approved by a rule; other fields are empty.
    pub fn bare(
        program: &'static str,
        class: Class,
        target: Option<Target>,
        argv: Vec<String>,
    ) -> Self {
        Self {
            info: Info {
                call: next_number(),
                program,
                class,
                act: None,
                command: String::new(),
                reason: String::new(),
                answer: Answer::Auto,
                complaints: Vec::new(),
                refusal: None,
                target,
                argv: argv.clone(),
                shown: argv.clone(),
                cwd: PathBuf::new(),
                digest: String::new(),
                argv_sha256: fingerprint(argv.iter().map(String::as_str)),
                reproduce: String::new(),
                question: Question::default(),
                no_lease: None,
            },
            chat: 0,
            argv,
            timeout_s: 0.0,
            approved: ApprovedBy::Rule,
            edited: false,
            stops: stop::stops(),
        }
    }
}
