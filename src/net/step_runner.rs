//! Runs the steps of a call that was let through as a whole.

use super::settings::NetSettings;
use super::step::Step;
use crate::gate::{Cleaner, Reads, Refusal, Target};
use crate::run::Captured;

/// The result of a step: its output, or why it could not run.
pub(super) type StepResult = Result<Captured, Refusal>;

/// The data that all steps of a call share.
pub(super) struct StepRunner {
    pub target: Target,
    pub settings: NetSettings,
    pub clean: Cleaner,
    /// Whether a person had to be asked for a reason besides the policy.
    pub asked: bool,
}

impl StepRunner {
    /// Runs `steps` side by side, and returns their results in the order of `steps`.  The result of a step that cannot run is a
    /// refusal.
    pub fn run(&self, steps: &[Step], reads: &mut dyn Reads) -> Vec<StepResult> {
        let mut refusals = Vec::new();
        let mut plans = Vec::new();
        for step in steps {
            match step.plan(&self.target, &self.settings, &self.clean) {
                Ok(plan) => {
                    plans.push(plan);
                    refusals.push(None);
                }
                Err(refusal) => refusals.push(Some(refusal)),
            }
        }
        let mut answers = reads.run_all(plans).into_iter();
        refusals
            .into_iter()
            .map(|refusal| match refusal {
                Some(refusal) => Err(refusal),
                None => answers.next().expect("each Plan has an answer"),
            })
            .collect()
    }

    /// Runs one step.
    pub fn run_one(&self, step: &Step, reads: &mut dyn Reads) -> StepResult {
        self.run(std::slice::from_ref(step), reads)
            .pop()
            .expect("one step has one answer")
    }
}
