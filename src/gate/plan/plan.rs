//! Plan: one call, judged and with a fixed target, that may run at most once.
//!
//! An argv from an agent reaches a child process only through a Plan.  A Plan is made from a [`Draft`](super::draft::Draft) of a
//! program's own code, shown through [`Plan::info`], approved by [`Plan::approve`] with the digest that a person saw, and used up by
//! [`Plan::start`] or [`Plan::close`].

use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::guard::Guard;
use crate::gate::call::call::Call;
use crate::gate::call::info::Info;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::decide::lease::{self, Lease, Scope};
use crate::gate::decide::policy::Answer;
use crate::gate::decide::stop;
use crate::gate::record::log_call::{SHORT_PATIENCE, keep};
use crate::gate::record::{audit, leases};
use crate::gate::result::budget::{self, Shows};
use crate::gate::result::cleaner::Cleaner;
use crate::gate::result::outcome::{Outcome, plain, refused};
use crate::run::{self, Captured, Stream};

/// The program's own code that turns a finished child into a result.
///
/// Runs on a worker thread.  The code gets the raw bytes, since cutting or masking them first would break their form (JSON, for
/// example).  The code passes every piece through the [`Cleaner`], and the gate cleans the result once more.
/// Further data for the result may be fetched through [`Reads`].
pub trait Finish: Send + Sync {
    /// The result as text, or the kind of failure with words for a person and the model.
    ///
    /// # Errors
    /// A refusal whose kind says how the program failed.
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal>;

    /// The most tokens of the result; the whole of a longer result stays on the shelf.
    fn budget(&self) -> usize {
        budget::DEFAULT
    }

    /// Which part of a longer result is shown.
    fn shows(&self) -> Shows {
        Shows::Head
    }

    /// The whole text behind a result that is only an index or an extract.  The shelf keeps this text instead of the result; none: the
    /// result itself is the whole text.
    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        let _ = (captured, clean);
        None
    }
}

/// The most further reads of one call, so that no single call starts reads without end.
pub const MAX_READS: usize = 32;

/// The most bytes of an output that [`Reads::run_whole`] keeps: hardly any job's log is longer.
pub const MAX_WHOLE: usize = 8 << 20;

/// Runs the further reads that a call's [`Finish`] needs, and the steps of a call that consists of several commands, each a Plan of its
/// own.
///
/// A step is a write whose command line is one of the approved call's own parts; each part runs once.
pub trait Reads {
    /// Checks that the call may go on, for long work between and after its reads.
    ///
    /// # Errors
    /// `cancelled`, or `timeout` where the call has no time left.
    fn go_on(&self) -> Result<(), Refusal>;

    /// Uses `plan` up, runs it and waits for its end, at most for the time that the call itself has left.
    ///
    /// # Errors
    /// The refusal of a Plan that is no read or does not run without a question, `timeout` where the call has no time left,
    /// `bad-argument` after [`MAX_READS`] reads, and the failure that the program's own code finds in the child's output.
    fn run(&mut self, plan: Plan) -> Result<Captured, Refusal> {
        self.run_all(vec![plan])
            .pop()
            .expect("one Plan has one answer")
    }

    /// Runs several Plans side by side, each as [`Reads::run`] does; the answers are in the order of `plans`.
    fn run_all(&mut self, plans: Vec<Plan>) -> Vec<Result<Captured, Refusal>>;

    /// Runs `plan` as [`Reads::run`] does, but writes its standard output to `file`.  After `most` bytes the child is ended
    /// ([`run::Ended::Capped`]).  Nothing of this output is kept in memory.
    ///
    /// # Errors
    /// As [`Reads::run`], and `gh-exit` where the file cannot be written.
    fn run_into(&mut self, plan: Plan, file: &Arc<File>, most: u64) -> Result<Captured, Refusal>;

    /// Runs `plan` as [`Reads::run`] does, but keeps up to [`MAX_WHOLE`] bytes of its standard output: the second value.  The first value
    /// has the two ends of it that [`Reads::run`] would return.
    ///
    /// # Errors
    /// As [`Reads::run`].
    fn run_whole(&mut self, plan: Plan) -> Result<(Captured, Stream), Refusal>;

    /// Notes that the result is an extract of `whole`, logs that further reads returned.  `whole` goes into a file, if there can be one,
    /// and else on the shelf.
    fn made_from(&mut self, whole: String);

    /// Whether one of the further reads was cancelled, so that a result made from them is not complete.
    fn cancelled(&self) -> bool;

    /// Takes the text that [`Reads::made_from`] noted; none on a second call.
    fn whole(&mut self) -> Option<String>;
}

/// Why a Plan cannot be approved or started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The Plan must not run, or must not be approved; the message says why.
    #[error("{0}")]
    Denied(String),
    /// The Plan has already run, or was closed.
    #[error("This plan has been used.\nMake a new one.")]
    Used,
}

impl From<Refusal> for PlanError {
    /// A refusal of the whole gate (the emergency stop) denies each Plan.
    fn from(refusal: Refusal) -> Self {
        Self::Denied(refusal.message)
    }
}

/// One call that may run at most once.
pub struct Plan {
    pub(super) made: Instant,
    /// Who approved, and how often the gate had been stopped by then.
    pub(super) approved: Option<(ApprovedBy, u64)>,
    /// The command; none once the Plan is used up, and none in a Plan that consists of further Plans.
    pub(super) command: Option<run::Command>,
    pub(super) timeout: Duration,
    pub(super) used: bool,
    /// Whether the Plan reads facts for a question to a person, and so does not queue behind the calls that run.
    pub(super) aside: bool,
    pub(super) scope: Option<Scope>,
    /// The command line, as a call that has this command as a step names it among its parts.
    pub(super) line: String,
    /// The command lines of the steps that a person's yes covers.
    pub(super) steps: Vec<String>,
    pub(super) finish: Arc<dyn Finish>,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(super) clean: Cleaner,
    pub(super) call: Call,
    pub(super) audit: Arc<audit::LogSettings>,
}

impl Plan {
    /// The parts of the Plan that may be shown.
    pub fn info(&self) -> &Info {
        &self.call.info
    }

    /// The refusal of the program's own code, or of the policy; none where the call may run or a person may be asked.
    pub fn refusal(&self) -> Option<Refusal> {
        if let Some(refusal) = &self.call.info.refusal {
            return Some(refusal.clone());
        }
        let Info {
            class,
            command,
            reason,
            ..
        } = &self.call.info;
        match (self.call.info.answer, class) {
            (Answer::Block, Class::Destructive) => Some(Refusal::new(
                ErrorKind::IrreversibleBlocked,
                format!(
                    "`{command}' is refused, since it cannot be undone: {reason}\nA person can run it in a terminal."
                ),
            )),
            (Answer::Block, _) => Some(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "`{command}' is refused by policy ({class}): {reason}\nA person can run it in a terminal."
                ),
            )),
            _ => None,
        }
    }

    /// Notes that a person approved exactly the call with the digest `digest`, which was shown.
    ///
    /// The caller must make sure that a person was really asked (`emacs::edge::person`).
    ///
    /// # Errors
    /// `Used`, or `Denied` where the gate is stopped, `digest` is not this Plan's, or the Plan is refused or older than `max_age`.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "only a door of the module calls this")
    )]
    pub(crate) fn approve(&mut self, digest: &str, max_age: Duration) -> Result<(), PlanError> {
        if self.used {
            return Err(PlanError::Used);
        }
        stop::check()?;
        if let Some(refusal) = self.refusal() {
            return Err(PlanError::Denied(refusal.message));
        }
        if digest != self.call.info.digest {
            return Err(PlanError::Denied(
                "What was shown is not what would run.\nDecline it and ask again.".into(),
            ));
        }
        if self.made.elapsed() > max_age {
            return Err(PlanError::Denied(format!(
                "The call has waited longer than {} seconds (`cj/gate-approval-max-age').\nDecline it and ask again.",
                max_age.as_secs()
            )));
        }
        self.approved = Some((ApprovedBy::Person, stop::stops()));
        Ok(())
    }

    /// Approves the call as [`Plan::approve`] does, and gives a lease: calls of the same scope may run for `minutes` without a question.
    ///
    /// # Errors
    /// As [`Plan::approve`], and `Denied` where no lease can cover the call or `minutes` is not 1 to 60; then the call is not approved
    /// either.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "only a door of the module calls this")
    )]
    pub(crate) fn lease(
        &mut self,
        digest: &str,
        max_age: Duration,
        minutes: u64,
    ) -> Result<Lease, PlanError> {
        let Some(scope) = self.scope.clone() else {
            return Err(PlanError::Denied(format!(
                "No lease can be given here: {}.\nApprove this call alone, or decline it.",
                self.call
                    .info
                    .no_lease
                    .as_deref()
                    .unwrap_or("the call is refused")
            )));
        };
        if !(1..=lease::MAX_MINUTES).contains(&minutes) {
            return Err(PlanError::Denied(format!(
                "A lease lasts 1 to {} minutes.\nGive such a number.",
                lease::MAX_MINUTES
            )));
        }
        self.approve(digest, max_age)?;
        Ok(leases::give(scope, Duration::from_secs(minutes * 60)))
    }

    /// Whether a lease covers the call now.
    pub fn leased(&self) -> bool {
        !self.used && self.refusal().is_none() && self.scope.as_ref().is_some_and(leases::covers)
    }

    /// Who would approve the call if [`Plan::start`] were called now.
    ///
    /// # Errors
    /// `Used`, or `Denied` where the gate is stopped, the Plan is refused, or nobody has approved it.
    pub fn may_run(&self) -> Result<ApprovedBy, PlanError> {
        if self.used {
            return Err(PlanError::Used);
        }
        stop::check()?;
        if let Some(refusal) = self.refusal() {
            return Err(PlanError::Denied(refusal.message));
        }
        let approved = self.approved.filter(|(_, stops)| *stops == stop::stops());
        match (approved, self.call.info.answer) {
            (Some((by, _)), _) => Ok(by),
            (None, Answer::Auto) => Ok(ApprovedBy::Rule),
            (None, Answer::Confirm) if self.leased() => Ok(ApprovedBy::Lease),
            (None, _) => Err(PlanError::Denied("A person has not approved this call.\nIt waits in the approval buffer, `M-x cj/gate-approvals'.".into())),
        }
    }

    /// Whether the Plan may run as one of `steps`, the command lines that were approved with another call: it is a write with exactly
    /// such a command line.
    ///
    /// # Errors
    /// `Used`, or `Denied` where the gate is stopped, the Plan is refused, or its command line is not among `steps`.
    pub(super) fn may_run_as_step(&self, steps: &[String]) -> Result<(), PlanError> {
        if self.used {
            return Err(PlanError::Used);
        }
        stop::check()?;
        if let Some(refusal) = self.refusal() {
            return Err(PlanError::Denied(refusal.message));
        }
        if self.call.info.class != Class::Write || !steps.contains(&self.line) {
            return Err(PlanError::Denied(
                "A further command was needed that the person has not approved.\nMake that call with the tool for any command."
                    .into(),
            ));
        }
        Ok(())
    }

    /// Sets the chat of the call: only the chat with the number `chat` can read the kept result.
    pub(crate) fn belongs_to(&mut self, chat: u64) {
        self.call.chat = chat;
    }

    /// Marks a read whose result is needed for a question to a person: the read will not queue behind the calls that run.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "only a door of the module calls this")
    )]
    pub(crate) fn serve_a_question(&mut self) {
        self.aside = self.call.info.class == Class::Read;
    }

    /// Checks, with commands run by `run`, whether the program may be used for a further read.
    ///
    /// # Errors
    /// The refusal of its guard.
    pub(in crate::gate) fn guarded(
        &self,
        run: &mut dyn FnMut(&run::Command) -> run::Captured,
    ) -> Result<(), Refusal> {
        self.guard.as_ref().map_or(Ok(()), |guard| guard.check(run))
    }

    /// Uses the Plan up and returns its command, which may run at most for `time`, as a further read of another call.
    /// None for a Plan that itself consists of several commands.
    pub(in crate::gate) fn take_command(&mut self, time: Duration) -> Option<run::Command> {
        self.used = true;
        Some(self.command.take()?.within(time))
    }

    /// Uses up the Plan of a read without running it, because `text`, from reads that were made before, is its result; records the call
    /// and returns its outcome.
    ///
    /// # Errors
    /// As [`Plan::may_run`], and `Denied` for a Plan that is no read or does not run without a question.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "only a door of the module calls this")
    )]
    pub(crate) fn answered(&mut self, text: &str) -> Result<Outcome, PlanError> {
        let by = self.may_run()?;
        if self.call.info.class != Class::Read || by != ApprovedBy::Rule {
            return Err(PlanError::Denied(
                "Only a read that runs without a question can be answered from earlier reads.\nReport it."
                    .into(),
            ));
        }
        self.used = true;
        self.command = None;
        let text = self.clean.text(text);
        let outcome = plain(&self.call, Ok(text), false, None);
        keep(&self.call, Some(by), &outcome, &self.audit, SHORT_PATIENCE);
        Ok(outcome)
    }

    /// Uses the Plan up without running it, because it was refused, declined or cancelled; records the call and returns its outcome.
    pub fn close(&mut self, refusal: &Refusal) -> Outcome {
        self.used = true;
        self.command = None;
        let outcome = refused(&self.call, refusal, &self.clean);
        keep(&self.call, None, &outcome, &self.audit, SHORT_PATIENCE);
        outcome
    }
}
