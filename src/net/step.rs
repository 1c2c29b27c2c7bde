//! One program that a call runs: its command line, its time, and the Plan that it becomes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::settings::NetSettings;
use crate::foreign::Foreign;
use crate::gate::call::shell;
use crate::gate::{
    Answer, Class, Cleaner, Draft, ErrorKind, Finish, MAX_CAP, Plan, Question, Reads, Refusal,
    Target,
};
use crate::run::{self, Captured, Limits};

/// One program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name, one of [`PROGRAMS`](super::programs::PROGRAMS).
    pub program: &'static str,
    /// Its arguments.
    pub argv: Vec<String>,
    /// How long it may take.
    pub timeout: Duration,
}

impl Step {
    /// A program with its arguments.
    pub fn new(program: &'static str, argv: &[&str], timeout: Duration) -> Self {
        Self {
            program,
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            timeout,
        }
    }

    /// The line that does the same in a shell.
    pub fn line(&self) -> String {
        format!("{} {}", self.program, shell::words(&self.argv))
    }

    fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout,
            cap: MAX_CAP,
            ..Limits::default()
        }
    }

    /// The command, for facts alone: what serves a call is a Plan.
    pub(super) fn command(&self, settings: &NetSettings) -> Result<run::Command, Refusal> {
        let executable = settings.program(self.program)?;
        run::Command::new(
            executable,
            &self.argv,
            &environment(settings),
            Path::new("/"),
            self.limits(),
        )
        .map_err(|error| {
            Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "{} cannot be executed: {error}.\nRun `M-x cj/net-doctor'.",
                    self.program
                ),
            )
        })
    }

    /// The Plan of this step of a call that goes to `target`, and that was let through as a whole.
    pub(super) fn plan(
        &self,
        target: &Target,
        settings: &NetSettings,
        clean: &Cleaner,
    ) -> Result<Plan, Refusal> {
        Plan::new(Draft {
            program: "net",
            class: Class::Read,
            command: self.program.to_owned(),
            reason: "It is part of a call that was let through.".to_owned(),
            argv: self.argv.clone().into(),
            parts: Vec::new(),
            executable: settings.program(self.program)?.to_owned(),
            cwd: PathBuf::from("/"),
            environment: environment(settings),
            target: Some(target.clone()),
            // Its line was shown with the call, whoever let that through.
            answer: Answer::Auto,
            complaints: Vec::new(),
            refusal: None,
            question: Question::default(),
            edited: false,
            leases: false,
            shown_environment: "LC_ALL=C.UTF-8".to_owned(),
            limits: self.limits(),
            finish: Arc::new(AsPrinted),
            guard: None,
            clean: clean.clone(),
        })
    }
}

/// Names of the given environment that go along: how to reach the system's bus, for nmcli and resolvectl.
const PASSED_ON: &[&str] = &["DBUS_SYSTEM_BUS_ADDRESS"];

/// Without HOME no program finds a file of options (`.curlrc', `.digrc'); without proxies none goes another way.
fn environment(settings: &NetSettings) -> Vec<(String, Foreign<String>)> {
    let fixed = [
        ("LC_ALL", "C.UTF-8"),
        ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
    ];
    let mut pairs: Vec<(String, Foreign<String>)> = fixed
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned().into()))
        .collect();
    for entry in settings.environment.reveal() {
        if let Some((name, value)) = entry.split_once('=')
            && PASSED_ON.contains(&name)
            && !pairs.iter().any(|(known, _)| known == name)
        {
            pairs.push((name.to_owned(), value.to_owned().into()));
        }
    }
    pairs
}

/// A program's output as it is: what it means is for the call that it is part of to say.  Exit codes are part of that.
struct AsPrinted;

impl Finish for AsPrinted {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        _: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let out = clean.stream(&captured.stdout);
        Ok(if out.trim().is_empty() {
            clean.stream(&captured.stderr)
        } else {
            out
        })
    }

    /// It is read by the call that it is part of, and shown to nobody.
    fn budget(&self) -> usize {
        usize::MAX
    }
}
