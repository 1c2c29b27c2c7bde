//! Further reads: calls that a result needs besides its own call, each a Plan that is judged, limited and recorded like any other.
//!
//! The total of a list or the log of a failed job takes a second call.  A program's [`Finish`](super::plan::Finish) may make such calls
//! through [`Reads`], on the worker of the first call: one after the other or side by side, within the first call's own time.  Only
//! reads that run without a question are made, and the steps of a call that consists of several commands: a person has seen their command
//! lines and said yes.  Any other call is refused here, and no person is asked.

use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::plan::{MAX_READS, MAX_WHOLE, Plan, PlanError, Reads};
use super::settle::settle;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::bounds::MAX_CAP;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::record::log_call::{PATIENCE, keep};
use crate::gate::result::outcome::Outcome;
use crate::run::{self, Cancel, Captured, Ended, Stream};

/// A function that runs commands side by side, and returns the captured output of each, in the order of the commands.
pub(in crate::gate) type Runner<'a> = dyn FnMut(&[&run::Command]) -> Vec<Captured> + 'a;

/// Runs the further reads of one call, on the worker of that call.
pub(super) struct Serving<'a> {
    run: &'a mut Runner<'a>,
    /// When the time of the call is over.
    ends: Instant,
    /// How many further reads the call may still make.
    left: usize,
    /// Whether one of the further reads was cancelled.
    cancelled: bool,
    /// The text that [`Reads::made_from`] noted.
    whole: Option<String>,
    cancel: Option<&'a Cancel>,
    chat: u64,
    /// Who approved the call, and the command lines of its steps that have not run.
    steps: (ApprovedBy, Vec<String>),
}

impl<'a> Serving<'a> {
    /// Serves a call that has `time` left; `run` runs its children.
    pub(in crate::gate) fn new(time: Duration, run: &'a mut Runner<'_>) -> Self {
        Self {
            run,
            ends: Instant::now() + time,
            left: MAX_READS,
            cancelled: false,
            whole: None,
            cancel: None,
            chat: 0,
            steps: (ApprovedBy::Rule, Vec::new()),
        }
    }

    /// Makes [`Reads::go_on`] fail once `cancel` is set.
    pub(in crate::gate) fn under(mut self, cancel: &'a Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Sets the chat of the further reads: only the chat with the number `chat` can read their kept results.
    pub(in crate::gate) fn for_chat(mut self, chat: u64) -> Self {
        self.chat = chat;
        self
    }

    /// Lets each of `steps`, command lines of a call that `by` has approved, run once.
    pub(in crate::gate) fn with_steps(mut self, by: ApprovedBy, steps: Vec<String>) -> Self {
        self.steps = (by, steps);
        self
    }

    /// Records the outcome of `plan`, and returns `captured`.
    ///
    /// # Errors
    /// The failure that the program's own code finds in `captured`.
    fn record(&mut self, plan: &Plan, captured: Captured) -> Result<Captured, Refusal> {
        let by = match plan.info().class {
            Class::Read => ApprovedBy::Rule,
            _ => self.steps.0,
        };
        match recorded(plan, &captured, by, self.run) {
            Outcome { kind: None, .. } => Ok(captured),
            Outcome {
                kind: Some(kind),
                text,
                ..
            } => {
                let words = text.strip_prefix("Error: ").unwrap_or(&text);
                Err(Refusal::new(kind, words.to_owned()))
            }
        }
    }

    /// Uses `plan` up, and returns it with its command.
    ///
    /// # Errors
    /// The refusal with which `plan` was closed.
    fn admit(&mut self, mut plan: Plan, time: Duration) -> Result<(Plan, run::Command), Refusal> {
        plan.belongs_to(self.chat);
        let denied = |error: PlanError| Refusal::new(ErrorKind::PolicyBlocked, error.to_string());
        let checked = match plan.info().class {
            Class::Read => plan.may_run().map_err(denied).map(drop),
            _ => plan.may_run_as_step(&self.steps.1).map_err(denied),
        };
        let checked = checked.and_then(|()| {
            plan.guarded(&mut |question| {
                (self.run)(&[question])
                    .pop()
                    .expect("one command gives one result")
            })
        });
        let checked = checked.and_then(|()| {
            if time.is_zero() {
                return Err(Refusal::new(
                    ErrorKind::Timeout,
                    "No time was left for a further read.\nGive a longer `timeout'.",
                ));
            }
            if self.left == 0 && plan.info().class == Class::Read {
                return Err(Refusal::new(
                    ErrorKind::BadArgument,
                    format!(
                        "The call needs more than {MAX_READS} further reads.\nAsk for less at once."
                    ),
                ));
            }
            plan.take_command(time).ok_or_else(|| {
                Refusal::new(
                    ErrorKind::Module,
                    "A further read itself consists of several commands.\nReport it.",
                )
            })
        });
        match checked {
            Ok(command) => {
                if plan.info().class == Class::Read {
                    self.left -= 1;
                } else {
                    let step = self.steps.1.iter().position(|line| *line == plan.line);
                    self.steps
                        .1
                        .swap_remove(step.expect("may_run_as_step found it"));
                }
                Ok((plan, command))
            }
            Err(refusal) => {
                plan.close(&refusal);
                Err(refusal)
            }
        }
    }
}

impl Reads for Serving<'_> {
    fn go_on(&self) -> Result<(), Refusal> {
        if self.cancel.is_some_and(Cancel::cancelled) {
            return Err(Refusal::new(
                ErrorKind::Cancelled,
                "The call was cancelled.\nAsk the person before trying again.",
            ));
        }
        if Instant::now() >= self.ends {
            return Err(Refusal::new(
                ErrorKind::Timeout,
                "The call has used up its time.\nGive a longer `timeout'.",
            ));
        }
        Ok(())
    }

    fn run_all(&mut self, plans: Vec<Plan>) -> Vec<Result<Captured, Refusal>> {
        let left = self.ends.saturating_duration_since(Instant::now());
        let admitted: Vec<_> = plans
            .into_iter()
            .map(|plan| self.admit(plan, left))
            .collect();
        let commands: Vec<&run::Command> = admitted
            .iter()
            .filter_map(|one| one.as_ref().ok())
            .map(|(_, command)| command)
            .collect();
        let captured = (self.run)(&commands);
        self.cancelled |= captured.iter().any(|one| one.ended == Ended::Cancelled);
        let mut captured = captured.into_iter();
        admitted
            .into_iter()
            .map(|one| {
                let (plan, _) = one?;
                let captured = captured.next().expect("every command gives a result");
                self.record(&plan, captured)
            })
            .collect()
    }

    fn run_into(&mut self, plan: Plan, file: &Arc<File>, most: u64) -> Result<Captured, Refusal> {
        let left = self.ends.saturating_duration_since(Instant::now());
        let (plan, command) = self.admit(plan, left)?;
        let command = command.into_file(Arc::clone(file), most);
        let captured = (self.run)(&[&command])
            .pop()
            .expect("one command gives one result");
        self.cancelled |= captured.ended == Ended::Cancelled;
        self.record(&plan, captured)
    }

    fn run_whole(&mut self, plan: Plan) -> Result<(Captured, Stream), Refusal> {
        let left = self.ends.saturating_duration_since(Instant::now());
        let (plan, command) = self.admit(plan, left)?;
        let command = command.both_ends(MAX_WHOLE);
        let captured = (self.run)(&[&command])
            .pop()
            .expect("one command gives one result");
        self.cancelled |= captured.ended == Ended::Cancelled;
        // A record must not hold megabytes.
        let ends = Captured {
            stdout: captured.stdout.ends(MAX_CAP),
            ..captured.clone()
        };
        Ok((self.record(&plan, ends)?, captured.stdout))
    }

    fn made_from(&mut self, whole: String) {
        self.whole = Some(whole);
    }

    fn cancelled(&self) -> bool {
        self.cancelled
    }

    fn whole(&mut self) -> Option<String> {
        self.whole.take()
    }
}

/// Keeps a record of the further read or the step `plan`, which `by` has approved, and returns its outcome.
fn recorded(plan: &Plan, captured: &Captured, by: ApprovedBy, run: &mut Runner<'_>) -> Outcome {
    let mut none = Serving::new(Duration::ZERO, run);
    let call = &plan.call;
    let outcome = settle(call, captured, plan.finish.as_ref(), &plan.clean, &mut none);
    keep(call, Some(by), &outcome, &plan.audit, PATIENCE);
    outcome
}
