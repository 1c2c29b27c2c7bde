//! Plan: one call, judged and pinned, that may run at most once.
//!
//! A Plan is the only way to a child process.  It is made by a program's own code (`gh::plan`) from a [`Draft`], shown through
//! [`Plan::info`], approved by [`Plan::approve`] with the digest that a person saw, and used up by [`Plan::start`] or [`Plan::close`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::draft::{Draft, fingerprint};
use super::panic_report::broken;
use super::progress::Live;
use super::reads::{Reads, Runner};
use crate::gate::call::info::Info;
use crate::gate::call::question::Question;
use crate::gate::decide::lease::{self, Lease, Scope};
use crate::gate::decide::policy::Answer;
use crate::gate::decide::stop;
use crate::gate::record::log_call::{NO_PATIENCE, PATIENCE, announce, keep};
use crate::gate::record::{audit, written};
use crate::gate::result::outcome::{self, Call, Cleaner, Finish, Outcome};
use crate::gate::{Class, ErrorKind, Refusal, Target};
use crate::redact::neutral;
use crate::run;

/// The longest timeout that a call may ask for, in seconds.
pub const MAX_TIMEOUT_S: u64 = 120;
/// The most that is kept of a stream, in bytes.
pub const MAX_CAP: usize = 65_536;

/// Who let a call run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovedBy {
    /// The policy says that this class runs by itself.
    Rule,
    /// A person pressed the key for exactly this call.
    Person,
    /// A person allowed this leaf on this repository for some minutes.
    Lease,
}

impl ApprovedBy {
    /// The word for it in the record and in the log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Person => "person",
            Self::Lease => "lease",
        }
    }
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

/// Checked on the worker thread before the first child of a program: a version floor, for example.
pub trait Guard: Send + Sync {
    /// Runs what it must through `run` and says whether the program may be used.
    ///
    /// # Errors
    /// The refusal that ends the call.
    fn check(&self, run: &mut dyn FnMut(&run::Command) -> run::Captured) -> Result<(), Refusal>;
}

/// One call that may run at most once.
pub struct Plan {
    info: Info,
    made: Instant,
    /// Who approved, and how often the gate had been stopped by then.
    approved: Option<(ApprovedBy, u64)>,
    /// None in one that is used up, and in one that is made of further Plans.
    command: Option<run::Command>,
    timeout: Duration,
    used: bool,
    /// It serves a question to a person, and does not wait for the calls that run.
    aside: bool,
    scope: Option<Scope>,
    finish: Arc<dyn Finish>,
    guard: Option<Arc<dyn Guard>>,
    clean: Cleaner,
    call: Call,
    audit: Arc<audit::Settings>,
}

static CALLS: AtomicU64 = AtomicU64::new(0);

/// The number of the next call of this Emacs.
pub(crate) fn next_call() -> u64 {
    CALLS.fetch_add(1, Ordering::Relaxed) + 1
}

impl Plan {
    /// Makes the Plan of `draft`.
    ///
    /// An argv in which the redactor finds a secret is refused here, whatever its class: a call that carries a secret leaks it.
    ///
    /// # Errors
    /// `bad-argument` where the operating system could not take the arguments as they are.
    pub(crate) fn new(draft: Draft) -> Result<Self, Refusal> {
        let secret = draft.secret();
        let digest = draft.digest();
        let mut refusal = draft.refusal.clone();
        if let Some(kind) = secret {
            refusal = Some(Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "The arguments hold what looks like a secret ({kind}).\nLeave it out; the program has its own login."
                ),
            ));
        }
        let mut redacted = draft.clean.argv(draft.argv.reveal());
        let command = if draft.parts.is_empty() {
            Some(draft.command_of()?)
        } else {
            None
        };
        let reproduce = draft.reproduce(&redacted);
        let cwd = draft.shown_cwd();
        let scope = if secret.is_some() || draft.refusal.is_some() {
            Err("the call is refused".into())
        } else {
            draft.scope()
        };
        redacted.extend(draft.parts.iter().map(|part| draft.clean.text(part)));
        let id = next_call();
        let (argv, target) = if secret.is_some() {
            // Such a call never runs; header and record name its target all the same.
            let mask = |name: String| draft.clean.text(&name);
            let masked = draft.target.map(|t| Target {
                owner: t.owner.map(mask),
                repo: t.repo.map(mask),
                ..t
            });
            (redacted.clone(), masked)
        } else {
            let words = draft.argv.reveal().iter().chain(&draft.parts);
            (words.cloned().collect(), draft.target)
        };
        let info = Info {
            call: id,
            program: draft.program,
            class: draft.class,
            // Both can hold words of argv.
            command: draft.clean.line(&draft.command),
            reason: draft.clean.line(&draft.reason),
            answer: draft.answer,
            // The user's own options and folders can hold one too.
            complaints: (draft.complaints.iter())
                .map(|complaint| draft.clean.line(complaint))
                .collect(),
            refusal,
            target: target.clone(),
            shown: argv.iter().map(|word| neutral::neutral(word)).collect(),
            argv,
            cwd,
            digest,
            argv_sha256: fingerprint(draft.argv.reveal().iter().map(String::as_str)),
            reproduce: reproduce.clone(),
            // A call with a secret never runs, and nobody is asked about it.
            question: if secret.is_some() {
                Question::default()
            } else {
                draft.question
            },
            no_lease: scope.as_ref().err().cloned(),
        };
        let call = Call {
            id,
            chat: 0,
            program: draft.program,
            class: draft.class,
            target,
            argv: redacted,
            reproduce,
            timeout_s: draft.limits.timeout.as_secs_f64(),
            approved: ApprovedBy::Rule,
            edited: draft.edited,
            stops: stop::stops(),
        };
        Ok(Self {
            info,
            made: Instant::now(),
            approved: None,
            command,
            timeout: draft.limits.timeout,
            used: false,
            aside: false,
            scope: scope.ok(),
            finish: draft.finish,
            guard: draft.guard,
            clean: draft.clean,
            call,
            audit: audit::settings(),
        })
    }

    /// What may be shown of it.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The refusal that a run would meet: the program's own, or the policy's; none where it may run or be asked about.
    pub fn refusal(&self) -> Option<Refusal> {
        if let Some(refusal) = &self.info.refusal {
            return Some(refusal.clone());
        }
        let Info {
            class,
            command,
            reason,
            ..
        } = &self.info;
        match (self.info.answer, class) {
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
        if digest != self.info.digest {
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
                self.info
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
        Ok(lease::give(scope, Duration::from_secs(minutes * 60)))
    }

    /// Whether a lease lets it run now.
    pub fn leased(&self) -> bool {
        !self.used && self.refusal().is_none() && self.scope.as_ref().is_some_and(lease::covers)
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
        match (approved, self.info.answer) {
            (Some((by, _)), _) => Ok(by),
            (None, Answer::Auto) => Ok(ApprovedBy::Rule),
            (None, Answer::Confirm) if self.leased() => Ok(ApprovedBy::Lease),
            (None, _) => Err(PlanError::Denied("A person has not approved this call.\nIt waits in the approval buffer, `M-x cj/gate-approvals'.".into())),
        }
    }

    /// What it is, for those who look on while it runs.
    pub fn live(&self) -> Live {
        Live::new(
            self.call.clone(),
            self.info.command.clone(),
            self.clean.clone(),
        )
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
        self.aside = self.info.class == Class::Read;
    }

    /// Uses the Plan up and runs it; `done` gets the outcome on a worker thread, exactly once.
    ///
    /// # Errors
    /// `Used`, or `Denied` where it is neither automatic nor approved, or the gate is stopped.
    pub fn start(
        &mut self,
        done: impl FnOnce(Outcome) + Send + 'static,
    ) -> Result<run::Handle, PlanError> {
        let approved = self.may_run()?;
        // It may have ended this very moment.
        if approved == ApprovedBy::Lease && !self.scope.as_ref().is_some_and(lease::take) {
            return Err(PlanError::Denied(
                "The lease for this call has just ended.\nIt has to be approved for itself.".into(),
            ));
        }
        self.used = true;
        written::note(&self.info, approved);
        let (command, timeout) = (self.command.take(), self.timeout);
        let mut call = self.call.clone();
        call.approved = approved;
        call.stops = stop::stops();
        let (info, finish, guard, clean, log) = (
            self.info.clone(),
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
                    .and_then(|()| announce(&log, &info, approved, &call.argv));
                match checked {
                    Ok(()) => {
                        let begun = Instant::now();
                        let captured = match &command {
                            Some(command) => run::run_here(command, cancel),
                            None => run::Captured::nothing(run::Ended::Exited(0)),
                        };
                        let left = timeout.saturating_sub(begun.elapsed());
                        let mut reads =
                            Reads::new(left, &mut run).under(cancel).for_chat(call.chat);
                        let mut outcome =
                            outcome::settle(&call, &captured, finish.as_ref(), &clean, &mut reads);
                        if command.is_none() {
                            outcome.duration_ms =
                                u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                        }
                        outcome
                    }
                    Err(refusal) => outcome::refused(&call, &refusal, &clean),
                }
            }));
            // Whoever waits gets an answer all the same.
            let outcome = ran.unwrap_or_else(|_| outcome::refused(&call, &broken(), &clean));
            keep(info, Some(approved), &outcome, &call.argv, &log, PATIENCE);
            done(outcome);
        })))
    }

    /// Checks on a worker thread whether the program may be used, without running the call.
    ///
    /// So that a person is never asked about a call that then turns out to be impossible.
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

    /// What came of a further read, which is recorded on its own.
    pub(in crate::gate) fn settled(
        &self,
        captured: &run::Captured,
        run: &mut Runner<'_>,
    ) -> Outcome {
        let mut none = Reads::new(Duration::ZERO, run);
        let outcome = outcome::settle(
            &self.call,
            captured,
            self.finish.as_ref(),
            &self.clean,
            &mut none,
        );
        keep(
            self.info.clone(),
            Some(ApprovedBy::Rule),
            &outcome,
            &self.call.argv,
            &self.audit,
            PATIENCE,
        );
        outcome
    }

    /// Uses the Plan up without running it: refused, declined, cancelled.
    pub fn close(&mut self, refusal: &Refusal) -> Outcome {
        self.used = true;
        self.command = None;
        let outcome = outcome::refused(&self.call, refusal, &self.clean);
        keep(
            self.info.clone(),
            None,
            &outcome,
            &self.call.argv,
            &self.audit,
            NO_PATIENCE,
        );
        outcome
    }
}

#[cfg(test)]
#[path = "../../../test/rust/plan.rs"]
mod tests;
