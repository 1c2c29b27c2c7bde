//! Plan: one call, judged and pinned, that may run at most once.
//!
//! A Plan is the only way to a child process.  It is made by a program's own code (`gh::plan`) from a [`Draft`](super::draft::Draft), shown through
//! [`Plan::info`], approved by [`Plan::approve`] with the digest that a person saw, and used up by [`Plan::start`] or [`Plan::close`].

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
use crate::gate::record::log_call::{NO_PATIENCE, keep};
use crate::gate::record::{audit, leases};
use crate::gate::result::budget::{self, Shows};
use crate::gate::result::cleaner::Cleaner;
use crate::gate::result::outcome::{Outcome, refused};
use crate::run::{self, Captured};

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
        reads: &mut dyn Reads,
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

/// The most further reads of one call.
pub const MAX_READS: usize = 8;

/// The way of a call to its further reads: what its [`Finish`] may run besides, each a Plan of its own.
pub trait Reads {
    /// Whether the call that is served may go on: for work of its own between and after its reads.
    ///
    /// # Errors
    /// `cancelled`, and `timeout` where the call has no time left.
    fn go_on(&self) -> Result<(), Refusal>;

    /// Uses `plan` up, runs it and waits for its end, at most as long as the call itself has.
    ///
    /// # Errors
    /// The refusal of a Plan that does not run by itself as a read, `timeout` where the call has no time left, `bad-argument`
    /// after [`MAX_READS`], and whatever kind of failure the program's own code finds in what came back.
    fn run(&mut self, plan: Plan) -> Result<Captured, Refusal> {
        self.run_all(vec![plan])
            .pop()
            .expect("one Plan has one answer")
    }

    /// The same for several Plans, which run side by side; the answers are in their order.
    fn run_all(&mut self, plans: Vec<Plan>) -> Vec<Result<Captured, Refusal>>;

    /// Runs `plan` in the same way, with its standard output in `file`: at most `most` bytes, then it is ended
    /// ([`run::Ended::Capped`]).  Nothing of it is kept in memory.
    ///
    /// # Errors
    /// As [`Reads::run`], and `gh-exit` where the file cannot be written.
    fn run_into(&mut self, plan: Plan, file: &Arc<File>, most: u64) -> Result<Captured, Refusal>;

    /// Says that the result is an extract of `whole`, which further reads brought: it is kept on the shelf.
    fn made_from(&mut self, whole: String);

    /// Whether one of them was cancelled, so that what is made of them is no result.
    fn cancelled(&self) -> bool;

    /// What the result was made from, once.
    fn whole(&mut self) -> Option<String>;
}

/// Why a Plan does not do what it was asked to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Neither automatic nor approved, or refused by policy.
    #[error("{0}")]
    Denied(String),
    /// It has run, or was closed, already.
    #[error("This plan has been used.\nMake a new one.")]
    Used,
}

impl From<Refusal> for PlanError {
    /// What the gate as a whole refuses, no plan does.
    fn from(refusal: Refusal) -> Self {
        Self::Denied(refusal.message)
    }
}

/// One call that may run at most once.
pub struct Plan {
    pub(super) made: Instant,
    /// Who approved, and how often the gate had been stopped by then.
    pub(super) approved: Option<(ApprovedBy, u64)>,
    /// None in one that is used up, and in one that is made of further Plans.
    pub(super) command: Option<run::Command>,
    pub(super) timeout: Duration,
    pub(super) used: bool,
    /// It serves a question to a person, and does not wait for the calls that run.
    pub(super) aside: bool,
    pub(super) scope: Option<Scope>,
    pub(super) finish: Arc<dyn Finish>,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(super) clean: Cleaner,
    pub(super) call: Call,
    pub(super) audit: Arc<audit::LogSettings>,
}

impl Plan {
    /// What may be shown of it.
    pub fn info(&self) -> &Info {
        &self.call.info
    }

    /// The refusal that a run would meet: the program's own, or the policy's; none where it may run or be asked about.
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

    /// Notes that a person approved exactly what `digest` stands for.
    ///
    /// Whether a person could be asked at all is the caller's to know (`emacs::approve`).
    ///
    /// # Errors
    /// `Used`, or `Denied` where the gate is stopped, the digest is another's, the Plan is refused, or older than `max_age`.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "called through a door of the module alone")
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

    /// Notes the same, and that calls like this one may run for `minutes` without being asked about.
    ///
    /// # Errors
    /// As [`Plan::approve`], and `Denied` where no lease can cover the call or `minutes` is not 1 to 60; nothing is noted then.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "called through a door of the module alone")
    )]
    pub(crate) fn lease(
        &mut self,
        digest: &str,
        max_age: Duration,
        minutes: u64,
    ) -> Result<Lease, PlanError> {
        let Some(scope) = self.scope.clone() else {
            return Err(PlanError::Denied(format!(
                "No lease can be given here: {}.\nApprove the call for itself, or decline it.",
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

    /// Whether a lease lets it run now.
    pub fn leased(&self) -> bool {
        !self.used && self.refusal().is_none() && self.scope.as_ref().is_some_and(leases::covers)
    }

    /// Whether [`Plan::start`] would be let through now.
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

    /// What is kept of its result is kept for the chat of that number alone.
    pub(crate) fn belongs_to(&mut self, chat: u64) {
        self.call.chat = chat;
    }

    /// From now on it does not wait for the calls that run, if it is a read: a person is to be asked by what it gives.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "called through a door of the module alone")
    )]
    pub(crate) fn serve_a_question(&mut self) {
        self.aside = self.call.info.class == Class::Read;
    }

    /// Checks by `run` whether the program may be used for a further read.
    ///
    /// # Errors
    /// The refusal of its guard.
    pub(in crate::gate) fn guarded(
        &self,
        run: &mut dyn FnMut(&run::Command) -> run::Captured,
    ) -> Result<(), Refusal> {
        self.guard.as_ref().map_or(Ok(()), |guard| guard.check(run))
    }

    /// Uses the Plan up and gives its command, to be run at most for `time` as a further read of another call.
    /// None for a Plan that is itself made of several.
    pub(in crate::gate) fn take_command(&mut self, time: Duration) -> Option<run::Command> {
        self.used = true;
        Some(self.command.take()?.within(time))
    }

    /// Uses the Plan up without running it: refused, declined, cancelled.
    pub fn close(&mut self, refusal: &Refusal) -> Outcome {
        self.used = true;
        self.command = None;
        let outcome = refused(&self.call, refusal, &self.clean);
        keep(&self.call, None, &outcome, &self.audit, NO_PATIENCE);
        outcome
    }
}
