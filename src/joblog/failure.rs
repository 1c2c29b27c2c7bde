//! The failure of a job's log, as data.

/// The failure of a job's log, or of the jobs of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The steps that failed, in the log's order; empty where the log has no line.
    pub steps: Vec<FailedStep>,
    /// How many failed steps are left out for want of room.
    pub left_out: usize,
    /// Whether the log itself says that a step failed.
    pub marked: bool,
}

/// One failed step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedStep {
    /// The job's name, where the log has it.
    pub job: Option<String>,
    /// The step's name, where the log has it.
    pub step: Option<String>,
    /// The step's script, or the action that it uses; empty where the log does not say.
    pub command: Vec<String>,
    /// The runner's sentence on how the step ended: `Process completed with exit code 2.`
    pub ended: Option<String>,
    /// The exit code in that sentence.
    pub exit_code: Option<i32>,
    /// The lines that tell the reason, in the log's order; empty where none does.
    pub certain: Vec<String>,
    /// Further lines that fill the budget, in the log's order: neighbours, and the last ones.
    pub fill: Vec<String>,
    /// Whether the log has no text that the step printed.
    pub bare: bool,
}
