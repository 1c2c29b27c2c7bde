//! The trail of a call: an intent in the audit log before what may change something, a record and a line there at its end.

use std::time::Duration;

use super::audit;
use super::record::{self, Record};
use crate::gate::call::call::Call;
use crate::gate::call::info::Info;
use crate::gate::call::question::Question;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::result::outcome::Outcome;

/// How long a worker waits for a line of the audit log before it delivers an outcome, or starts a write, without it.
pub(in crate::gate) const PATIENCE: Duration = Duration::from_secs(1);
/// The same on Emacs's own thread, which never waits longer than a door may take.
pub(in crate::gate) const NO_PATIENCE: Duration = Duration::from_micros(500);

/// Says in the audit log that a call which may change something is about to run.
///
/// # Errors
/// The log cannot be written, and the user wants no such call without it.
pub(in crate::gate) fn announce(log: &audit::LogSettings, call: &Call) -> Result<(), Refusal> {
    if !audit::wants_intent(call.info.class) {
        return Ok(());
    }
    let entry = audit::Entry::start(&call.info, call.approved, &record::argv(&call.argv));
    match audit::note(log, entry, PATIENCE) {
        audit::Noted::Off if log.required => Err(Refusal::new(
            ErrorKind::PolicyBlocked,
            "There is no audit log, and without it nothing that may change something runs (`cj/gh-tool-audit-log-required').\nNothing was run; tell the person, who can look at `cj/gh-tool-audit-log-enabled' and at the log's folder, which must be on this machine.",
        )),
        audit::Noted::Failed | audit::Noted::Late if log.required => {
            let why = audit::state()
                .trouble
                .unwrap_or_else(|| "the disk does not answer".into());
            Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "The audit log cannot be written ({why}), and without it nothing that may change something runs (`cj/gh-tool-audit-log-required').\nNothing was run; tell the person."
                ),
            ))
        }
        _ => Ok(()),
    }
}

/// The record never holds the exact argv, only the redacted one, and of all that is long only the beginning.
/// The line of the audit log is waited for, for `patience` at most.
pub(in crate::gate) fn keep(
    call: &Call,
    approved: Option<ApprovedBy>,
    outcome: &Outcome,
    log: &audit::LogSettings,
    patience: Duration,
) {
    let record = Record {
        time: chrono::Local::now(),
        argv: record::argv(&call.argv),
        approved,
        outcome: record::outcome(outcome),
        info: Info {
            argv: Vec::new(),
            shown: Vec::new(),
            question: Question::default(),
            reproduce: record::line(&call.info.reproduce),
            ..call.info.clone()
        },
    };
    let entry = audit::Entry::end(&record);
    record::keep(record);
    audit::note(log, entry, patience);
}
