//! Starting a Plan on a worker, and the check of its program before a person is asked.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::panic_report::broken;
use super::plan::{Plan, PlanError};
use super::progress::Live;
use super::reads::Serving;
use super::settle::settle;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::kind::Refusal;
use crate::gate::decide::stop;
use crate::gate::record::log_call::{PATIENCE, announce, keep};
use crate::gate::record::{leases, written};
use crate::gate::result::outcome::{Outcome, refused};
use crate::run;

impl Plan {
    /// The call for a person who watches it run.
    pub fn live(&self) -> Live {
        Live::new(self.call.clone(), self.clean.clone())
    }

    /// Uses the Plan up and runs it; `done` gets the outcome on a worker thread, exactly once.
    ///
    /// # Errors
    /// `Used`, or `Denied` where the call is refused, or neither automatic nor approved, or the gate is stopped.
    pub fn start(
        &mut self,
        done: impl FnOnce(Outcome) + Send + 'static,
    ) -> Result<run::Handle, PlanError> {
        let approved = self.may_run()?;
        // The lease may have ended since `may_run`.
        if approved == ApprovedBy::Lease && !self.scope.as_ref().is_some_and(leases::take) {
            return Err(PlanError::Denied(
                "The lease for this call has just ended.\nA person has to approve the call.".into(),
            ));
        }
        self.used = true;
        written::remember(&self.call.info, approved);
        let (command, timeout) = (self.command.take(), self.timeout);
        // A rule approves reads alone, and a read has no steps.
        let mut steps = std::mem::take(&mut self.steps);
        if approved == ApprovedBy::Rule {
            steps.clear();
        }
        let mut call = self.call.clone();
        call.approved = approved;
        call.stops = stop::stops();
        let (finish, guard, clean, log) = (
            Arc::clone(&self.finish),
            self.guard.clone(),
            self.clean.clone(),
            Arc::clone(&self.audit),
        );
        let start = if self.aside {
            run::start_aside
        } else {
            run::start_task
        };
        Ok(start(Box::new(move |cancel| {
            let mut run = |commands: &[&run::Command]| run::run_together(commands, cancel);
            let ran = catch_unwind(AssertUnwindSafe(|| {
                let checked = guard
                    .map_or(Ok(()), |guard| {
                        guard.check(&mut |question| run::run_here(question, cancel))
                    })
                    .and_then(|()| announce(&log, &call));
                match checked {
                    Ok(()) => {
                        let begun = Instant::now();
                        let captured = match &command {
                            Some(command) => run::run_here(command, cancel),
                            None => run::Captured::nothing(run::Ended::Exited(0)),
                        };
                        let left = timeout.saturating_sub(begun.elapsed());
                        let mut reads = Serving::new(left, &mut run)
                            .under(cancel)
                            .for_chat(call.chat)
                            .with_steps(approved, steps);
                        let mut outcome =
                            settle(&call, &captured, finish.as_ref(), &clean, &mut reads);
                        if command.is_none() {
                            outcome.duration_ms =
                                u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                        }
                        outcome
                    }
                    Err(refusal) => refused(&call, &refusal, &clean),
                }
            }));
            // The caller gets an outcome after a panic, too.
            let outcome = ran.unwrap_or_else(|_| refused(&call, &broken(), &clean));
            keep(&call, Some(approved), &outcome, &log, PATIENCE);
            done(outcome);
        })))
    }

    /// Checks on a worker thread whether the program may be used, without running the call.
    ///
    /// With this check a person is never asked about a call that cannot run, for example because gh is too old.
    pub fn preflight(
        &self,
        done: impl FnOnce(Result<(), Refusal>) + Send + 'static,
    ) -> run::Handle {
        let guard = self.guard.clone();
        run::start_aside(Box::new(move |cancel| {
            let checked = catch_unwind(AssertUnwindSafe(|| {
                guard.map_or(Ok(()), |guard| {
                    guard.check(&mut |question| run::run_here(question, cancel))
                })
            }));
            done(checked.unwrap_or_else(|_| Err(broken())));
        }))
    }
}
