//! The parts of a Plan that may be shown, and that the record of a call keeps.

use std::path::PathBuf;

use super::question::Question;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::Refusal;
use crate::gate::decide::policy::{Act, Answer};
use crate::gate::decide::target::Target;

/// The parts of a Plan that may be shown.
#[derive(Clone, Debug)]
pub struct Info {
    /// The number of the call.
    pub call: u64,
    /// The program's name, as in the header line.
    pub program: &'static str,
    /// The class.
    pub class: Class,
    /// The act that the call does, or could do, which has a row of its own in the program's policy.
    pub act: Option<Act>,
    /// The command path, `pr view`.
    pub command: String,
    /// Why the call has this class, a sentence.
    pub reason: String,
    /// The policy's answer.
    pub answer: Answer,
    /// The user's policy rows that were not accepted, a sentence for each.
    pub complaints: Vec<String>,
    /// Why the call will not run; none where it may run.
    pub refusal: Option<Refusal>,
    /// The host and repository that the call goes to.
    pub target: Option<Target>,
    /// The exact argv, without the program; for a call that consists of several commands, their command lines follow.
    /// Redacted where the argv holds a secret: such a call never runs.
    pub argv: Vec<String>,
    /// The argv with invisible characters made visible, for a person to read.
    pub shown: Vec<String>,
    /// The directory in which the call runs.
    pub cwd: PathBuf,
    /// SHA-256 over program, argv, cwd, target and the names of the environment variables, in hexadecimal.
    pub digest: String,
    /// SHA-256 over the exact argv, in hexadecimal.
    pub argv_sha256: String,
    /// The shell line that repeats the call, redacted.
    pub reproduce: String,
    /// The part of the question to the person that comes from the program's own code.
    pub question: Question,
    /// Why no lease can cover the call; none where a lease can.
    pub no_lease: Option<String>,
}
