//! The traces that a call leaves: an intent in the audit log before a call that may change something runs, and a record and an audit
//! line at the end of every call.

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
/// How long the gate waits for the audit line of a call for which no program ran.  Such calls mostly end on Emacs's own thread, which
/// must stay responsive.
pub(in crate::gate) const SHORT_PATIENCE: Duration = Duration::from_micros(500);

/// Writes the intent of `call` to the audit log, if the call may change something.
///
/// # Errors
/// The log cannot be written, and the user's settings require the log for such calls.
pub(in crate::gate) fn announce(log: &audit::LogSettings, call: &Call) -> Result<(), Refusal> {
    if !audit::wants_intent(call.info.class) {
        return Ok(());
    }
    let entry = audit::Entry::start(&call.info, call.approved, &record::argv(&call.argv));
    match audit::enqueue(log, entry, PATIENCE) {
        audit::LineState::Off if log.required => Err(Refusal::new(
            ErrorKind::PolicyBlocked,
            "There is no audit log, and without it no call that may change something runs (`cj/gh-tool-audit-log-required').\nNothing was run; tell the person, who can look at `cj/gh-tool-audit-log-enabled' and at the log's folder, which must be on this machine.",
        )),
        audit::LineState::Failed | audit::LineState::Late if log.required => {
            let why = audit::state()
                .trouble
                .unwrap_or_else(|| "the disk does not answer".into());
            Err(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "The audit log cannot be written ({why}), and without it no call that may change something runs (`cj/gh-tool-audit-log-required').\nNothing was run; tell the person."
                ),
            ))
        }
        _ => Ok(()),
    }
}

/// Keeps the record of `call`, and writes its audit line, for which this function waits at most for `patience`.
///
/// The record never holds the exact argv, only the redacted one, and only the beginning of each long text.
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
    audit::enqueue(log, entry, patience);
}
