//! A call, as what comes of it needs to know it.

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

/// A call and who let it run.
#[derive(Clone, Debug)]
pub(in crate::gate) struct Call {
    /// What was asked and decided.
    pub info: Info,
    /// The number of the chat that asked; 0 where none did.
    pub chat: u64,
    /// The argv, redacted, and behind it the command lines of a call that is made of several.
    pub argv: Vec<String>,
    /// Seconds that it may take.
    pub timeout_s: f64,
    /// Who let it run.
    pub approved: ApprovedBy,
    /// Whether a person changed the call before it ran.
    pub edited: bool,
    /// How often the gate had been stopped when it started.
    pub stops: u64,
}

impl Call {
    /// A call of `program` with `argv`, redacted, about which nothing else is known: it was let through, and its redacted argv is the
    /// exact one.
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
