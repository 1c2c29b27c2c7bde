//! What may be shown of a Plan, and what is recorded of a call.

use std::path::PathBuf;

use super::question::Question;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::Refusal;
use crate::gate::decide::policy::Answer;
use crate::gate::decide::target::Target;

/// What may be shown of a Plan.
#[derive(Clone, Debug)]
pub struct Info {
    /// Number of the call.
    pub call: u64,
    /// The program's name, as in the header line.
    pub program: &'static str,
    /// The class.
    pub class: Class,
    /// The command path, `pr view`.
    pub command: String,
    /// Why it has this class, a sentence.
    pub reason: String,
    /// What the policy says.
    pub answer: Answer,
    /// Which of the user's policy rows were not accepted, a sentence each.
    pub complaints: Vec<String>,
    /// Why it will not run, if so.
    pub refusal: Option<Refusal>,
    /// Where it goes.
    pub target: Option<Target>,
    /// The exact argv, without the program, and behind it the command lines of a call that is made of several.
    /// Redacted where it holds a secret: such a call never runs.
    pub argv: Vec<String>,
    /// The same with invisible characters made visible, for a person to read.
    pub shown: Vec<String>,
    /// Where it runs.
    pub cwd: PathBuf,
    /// sha256 over program, argv, cwd, target and the names of the environment variables, in hexadecimal.
    pub digest: String,
    /// sha256 over the exact argv, in hexadecimal.
    pub argv_sha256: String,
    /// A line for a shell that repeats the call, redacted.
    pub reproduce: String,
    /// What the program's own code has to say to whoever is asked.
    pub question: Question,
    /// Why no lease can cover it; none where one can.
    pub no_lease: Option<String>,
}
