//! A Draft: the data of one call from a program's own code, with everything decided and nothing run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::guard::Guard;
use super::plan::{Finish, Plan};
use crate::foreign::Foreign;
use crate::gate::call::call::{Call, next_number};
use crate::gate::call::fingerprint::fingerprint;
use crate::gate::call::info::Info;
use crate::gate::call::question::Question;
use crate::gate::call::shell;
use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::{ErrorKind, Refusal};
use crate::gate::decide::lease::Scope;
use crate::gate::decide::policy::{Act, Answer};
use crate::gate::decide::stop;
use crate::gate::decide::target::Target;
use crate::gate::record::audit;
use crate::gate::result::cleaner::Cleaner;
use crate::redact::neutral;
use crate::run;

/// The data of one call, from which a [`Plan`] is made.
pub(crate) struct Draft {
    pub program: &'static str,
    pub class: Class,
    /// The act with a row of its own in the program's policy that the call does, or could do.
    pub act: Option<Act>,
    pub command: String,
    pub reason: String,
    pub argv: Foreign<Vec<String>>,
    /// For a call that consists of several commands: their command lines, as [`Draft::line`] makes them.  `finish` runs each command as
    /// a Plan of its own, through its `Reads`; the argv only says what was asked for.  Empty where the argv is the one command.
    pub parts: Vec<String>,
    pub executable: PathBuf,
    pub cwd: PathBuf,
    pub environment: Vec<(String, Foreign<String>)>,
    pub target: Option<Target>,
    pub answer: Answer,
    pub complaints: Vec<String>,
    pub refusal: Option<Refusal>,
    pub shown_environment: String,
    pub question: Question,
    /// Whether the policy allows leases.
    pub leases: bool,
    /// Whether a person changed the call before it ran.
    pub edited: bool,
    pub limits: run::Limits,
    pub finish: Arc<dyn Finish>,
    pub guard: Option<Arc<dyn Guard>>,
    pub clean: Cleaner,
}

impl Draft {
    /// The type of the first secret in the texts that the call would send, if there is one.
    pub(in crate::gate) fn secret(&self) -> Option<&'static str> {
        let names = self
            .target
            .iter()
            .flat_map(|t| t.owner.iter().chain(&t.repo));
        let mut sent = self.argv.reveal().iter().chain(&self.parts).chain(names);
        sent.find_map(|word| self.clean.secret_in(word))
    }

    /// The scope of a lease for the call.
    ///
    /// # Errors
    /// Why no lease can cover the call.
    pub(in crate::gate) fn scope(&self) -> Result<Scope, String> {
        if self.class != Class::Write || self.answer != Answer::Confirm {
            return Err("only a write that waits for a key can have one".into());
        }
        if !self.leases {
            return Err("the policy of this host allows none".into());
        }
        if let Some(why) = self.question.no_lease {
            return Err(why.into());
        }
        if self.act.is_some() {
            return Err("the policy has a row of its own for what it does".into());
        }
        let target = self.target.as_ref();
        match target.and_then(|t| Some((t, t.owner.clone()?, t.repo.clone()?))) {
            Some((target, owner, repo)) => Ok(Scope {
                program: self.program,
                command: self.command.clone(),
                host: target.host.clone(),
                owner,
                repo,
                account: target.account.clone(),
                cwd: self.cwd.clone(),
            }),
            None => Err("the call is not about exactly one repository".into()),
        }
    }

    /// The directory in which the call runs, redacted.
    pub(in crate::gate) fn shown_cwd(&self) -> PathBuf {
        let cwd = self.cwd.to_string_lossy();
        let shown = self.clean.redactor().text(&cwd);
        if shown == cwd {
            self.cwd.clone()
        } else {
            PathBuf::from(shown)
        }
    }

    /// The shell line that repeats the call with the argv `redacted`.
    pub(in crate::gate) fn reproduce(&self, redacted: &[String]) -> String {
        if !self.parts.is_empty() {
            // A write that fails is followed by no other.
            let between = match self.class {
                Class::Read => "; ",
                _ => " && ",
            };
            return self.clean.text(&shell::parts(&self.parts, between));
        }
        let path = self.environment.iter().find(|(name, _)| name == "PATH");
        let found = self.executable.parent().is_some_and(|dir| {
            path.is_some_and(|(_, path)| {
                path.reveal()
                    .split(':')
                    .any(|entry| Path::new(entry) == dir)
            })
        }) && self.executable.file_name() == Some(self.program.as_ref());
        let program = if found {
            Path::new(self.program)
        } else {
            self.executable.as_path()
        };
        let line = shell::line(&self.cwd, &self.shown_environment, program, redacted);
        self.clean.text(&line)
    }

    /// The command line, as a call that has this command as a step names it among its parts: `git push …`.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.program, shell::words(self.argv.reveal()))
    }

    /// The command of the argv, ready to run.
    ///
    /// # Errors
    /// `bad-argument` where the operating system cannot execute these arguments.
    pub(in crate::gate) fn command_of(&self) -> Result<run::Command, Refusal> {
        run::Command::new(
            self.executable.as_path(),
            self.argv.reveal(),
            &self.environment,
            self.cwd.as_path(),
            self.limits.clone(),
        )
        .map_err(|error| {
            Refusal::new(
                ErrorKind::BadArgument,
                format!("The call cannot be executed: {error}.\nChange the arguments."),
            )
        })
    }

    /// SHA-256 over everything that decides what would run: program, argv, directory, target, names of the environment variables.
    pub(in crate::gate) fn digest(&self) -> String {
        let argv = self.argv.reveal();
        let environment = self.environment.iter().map(|(name, _)| name.as_str());
        // Without the count of arguments, a last argument `/home` could pass for the directory, which stands behind the argv.
        fingerprint(
            [
                self.executable.to_string_lossy().as_ref(),
                &argv.len().to_string(),
            ]
            .into_iter()
            .chain(argv.iter().chain(&self.parts).map(String::as_str))
            .chain([
                self.cwd.to_string_lossy().as_ref(),
                &target_line(self.target.as_ref()),
            ])
            .chain(environment),
        )
    }
}

fn target_line(target: Option<&Target>) -> String {
    target.map_or_else(String::new, |t| {
        format!("{t} {}", t.account.as_deref().unwrap_or_default())
    })
}

impl Plan {
    /// Makes the Plan of `draft`.
    ///
    /// An argv in which the redactor finds a secret is refused here, whatever its class: the call would send the secret.
    ///
    /// # Errors
    /// `bad-argument` where the operating system cannot execute these arguments.
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
        let line = draft.line();
        let steps = draft.parts.clone();
        let reproduce = draft.reproduce(&redacted);
        let cwd = draft.shown_cwd();
        let scope = if secret.is_some() || draft.refusal.is_some() {
            Err("the call is refused".into())
        } else {
            draft.scope()
        };
        redacted.extend(draft.parts.iter().map(|part| draft.clean.text(part)));
        let (argv, target) = if secret.is_some() {
            // A call with a secret never runs, but header and record still name its target, masked.
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
            call: next_number(),
            program: draft.program,
            class: draft.class,
            act: draft.act,
            // Command and reason can contain words of the argv.
            command: draft.clean.line(&draft.command),
            reason: draft.clean.line(&draft.reason),
            answer: draft.answer,
            // The user's own options and folder names can contain a secret, too.
            complaints: (draft.complaints.iter())
                .map(|complaint| draft.clean.line(complaint))
                .collect(),
            refusal,
            target,
            shown: argv.iter().map(|word| neutral::neutral(word)).collect(),
            argv,
            cwd,
            digest,
            argv_sha256: fingerprint(draft.argv.reveal().iter().map(String::as_str)),
            reproduce,
            // A call with a secret never runs, and nobody is asked about it.
            question: if secret.is_some() {
                Question::default()
            } else {
                draft.question
            },
            no_lease: scope.as_ref().err().cloned(),
        };
        let call = Call {
            info,
            chat: 0,
            argv: redacted,
            timeout_s: draft.limits.timeout.as_secs_f64(),
            approved: ApprovedBy::Rule,
            edited: draft.edited,
            stops: stop::stops(),
        };
        Ok(Self {
            made: Instant::now(),
            approved: None,
            command,
            timeout: draft.limits.timeout,
            used: false,
            aside: false,
            scope: scope.ok(),
            line,
            steps,
            finish: draft.finish,
            guard: draft.guard,
            clean: draft.clean,
            call,
            audit: audit::settings(),
        })
    }
}
