//! A step: one program that a call runs, with its command line, its time, and the Plan that it becomes.

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
    /// The program's name, one of [`PROGRAMS`](super::programs::PROGRAMS).
    pub program: &'static str,
    /// The program's arguments.
    pub argv: Vec<String>,
    /// How long the program may take.
    pub timeout: Duration,
}

impl Step {
    /// A step that runs `program` with `argv`.
    pub fn new(program: &'static str, argv: &[&str], timeout: Duration) -> Self {
        Self {
            program,
            argv: argv.iter().map(|word| (*word).to_owned()).collect(),
            timeout,
        }
    }

    /// The step as a line for a shell.
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

    /// The step as a command without a Plan, for `look_up` alone; the steps of a call run as Plans ([`Step::plan`]).
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

    /// The Plan of this step, which is part of a call to `target` that was let through as a whole.
    pub(super) fn plan(
        &self,
        target: &Target,
        settings: &NetSettings,
        clean: &Cleaner,
    ) -> Result<Plan, Refusal> {
        Plan::new(Draft {
            program: "net",
            class: Class::Read,
            act: None,
            command: self.program.to_owned(),
            reason: "It is part of a call that was let through.".to_owned(),
            argv: self.argv.clone().into(),
            parts: Vec::new(),
            executable: settings.program(self.program)?.to_owned(),
            cwd: PathBuf::from("/"),
            environment: environment(settings),
            target: Some(target.clone()),
            // The step's line was shown with the call, and the call was let through.
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

/// Variables of Emacs's environment that programs get: nmcli and resolvectl find D-Bus's system bus by them.
const PASSED_ON: &[&str] = &["DBUS_SYSTEM_BUS_ADDRESS"];

/// The environment of every program.  Without HOME no program reads a file of options (`.curlrc`, `.digrc`); without variables for
/// proxies none connects by way of a proxy.
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

/// Lets a step succeed whatever the program's exit code: the tool that runs the step reads the output and the exit code itself.
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

    /// No limit: nobody is shown this text.
    fn budget(&self) -> usize {
        usize::MAX
    }
}
