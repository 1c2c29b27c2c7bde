//! The commands of git, each a Plan: a read of a repository of ours, or a step that a person has approved.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::disk;
use super::environment::{
    FIXED_FOR_EVERY_GIT, FIXED_FOR_OUR_REPOSITORIES, SETTINGS_FOR_EVERY_GIT,
    SETTINGS_FOR_OUR_REPOSITORIES, numbered,
};
use super::trouble;
use crate::foreign::Foreign;
use crate::gate::{
    Answer, Class, Cleaner, Draft, ErrorKind, Finish, MAX_CAP, Plan, Question, Reads, Refusal,
    Target,
};
use crate::run::{self, Cancel, Captured, Ended, Limits};
use crate::text::numbers::size;

/// Bytes of memory that git may take: `index-pack` needs some 100 bytes for each object, and a large repository has millions.
const MEMORY: u64 = 2 << 30;

/// The credential for the one host that git may talk to.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The address that the credential is for: `https://github.com`.
    pub base: String,
    /// The helper's command line, as git's `credential.helper` takes it.
    pub helper: String,
    /// The variables that the helper needs.
    pub environment: Vec<(String, Foreign<String>)>,
}

/// Most bytes of a list that [`Git::read_all`] reads.
const MOST_PRINTED: u64 = 32_000_000;

/// git as it runs for one call.
#[derive(Clone, Debug)]
pub struct Git {
    /// The git program, as an absolute file name.
    pub executable: PathBuf,
    /// Variables of Emacs's own that git needs: PATH, proxies, certificate authorities.
    pub passed: Vec<(String, Foreign<String>)>,
    /// The protocol of [`Self::credential`]'s host: `https`, or `file` where the user has said so.
    pub protocol: &'static str,
    /// The credential for the host; `None`: for `file`.
    pub credential: Option<Credential>,
    /// Host and repository, for the header line and the record.
    pub target: Target,
    /// The most time for one command.
    pub timeout: Duration,
    /// The most bytes of one file that git writes.
    pub most_bytes: u64,
    /// Cleans what is shown.
    pub clean: Cleaner,
}

/// One command of git.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The words behind `git`.
    pub words: Vec<String>,
    /// The place of its objects, and further places that have objects.
    pub objects: Option<Objects>,
    /// Whether the command talks to the host.
    pub remote: bool,
    /// Names of filters that the command must not run, whatever a configuration says of them.
    pub filters: Vec<String>,
    /// Exit codes that are an answer: 1 of `merge-base --is-ancestor` says no.
    pub answers: &'static [i32],
}

/// Where a command finds objects besides its repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
    /// The directory that new objects are written into; `None`: the repository's own.
    pub write: Option<PathBuf>,
    /// Directories with further objects.
    pub read: Vec<PathBuf>,
}

impl Command {
    /// A command of the words `words`.
    pub fn new<W: AsRef<str>>(words: &[W]) -> Self {
        Self {
            words: words.iter().map(|word| word.as_ref().to_owned()).collect(),
            ..Self::default()
        }
    }

    /// A command of the words `words` on the repository `directory`.
    ///
    /// # Errors
    /// As [`utf8`].
    pub fn on<W: AsRef<str>>(directory: &Path, words: &[W]) -> Result<Self, Refusal> {
        let mut command = Self::new(words);
        let place = format!("--git-dir={}", utf8(directory)?);
        command.words.insert(0, place);
        Ok(command)
    }

    /// The name of the command: `fetch`.
    fn name(&self) -> &str {
        let mut words = self.words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == "-C" {
                words.next();
            } else if !word.starts_with('-') {
                return word;
            }
        }
        ""
    }

    /// This command, which talks to the host.
    #[must_use]
    pub fn remote(mut self) -> Self {
        self.remote = true;
        self
    }

    /// This command with the objects in `objects`.
    #[must_use]
    pub fn with_objects(mut self, objects: &Objects) -> Self {
        self.objects = Some(objects.clone());
        self
    }

    /// This command, whose exit codes `codes` are answers too.
    #[must_use]
    pub fn answering(mut self, codes: &'static [i32]) -> Self {
        self.answers = codes;
        self
    }

    /// This command without the filters `names`.
    #[must_use]
    pub fn without_filters(mut self, names: &[String]) -> Self {
        self.filters = names.to_vec();
        self
    }
}

/// The name of `path`, which becomes a word of a command line.
///
/// # Errors
/// `bad-cwd` where the name is not UTF-8.
pub fn utf8(path: &Path) -> Result<&str, Refusal> {
    path.to_str().ok_or_else(|| {
        Refusal::new(
            ErrorKind::BadCwd,
            "The directory for worktrees has a name that is not UTF-8.\nTell the person, who can choose another (`cj/gh-worktree-directory').",
        )
    })
}

impl Git {
    /// The Draft of `command`, which is of `class`.
    fn draft(&self, command: &Command, class: Class) -> Result<Draft, Refusal> {
        let name = command.name();
        Ok(Draft {
            program: "git",
            class,
            act: None,
            reason: "A command of git, of one call.".into(),
            argv: command.words.clone().into(),
            parts: Vec::new(),
            executable: self.executable.clone(),
            cwd: PathBuf::from("/"),
            environment: self.environment(command)?,
            target: Some(self.target.clone()),
            answer: if class == Class::Read {
                Answer::Auto
            } else {
                Answer::Confirm
            },
            complaints: Vec::new(),
            refusal: None,
            shown_environment: "GIT_TERMINAL_PROMPT=0".into(),
            question: Question::default(),
            leases: false,
            edited: false,
            limits: self.limits(),
            finish: Arc::new(self.printed(command, name)),
            guard: None,
            clean: self.clean.clone(),
            command: name.to_owned(),
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            timeout: self.timeout,
            cap: MAX_CAP,
            memory: MEMORY,
            file: Some(self.most_bytes),
            ..Limits::default()
        }
    }

    fn printed(&self, command: &Command, name: &str) -> Printed {
        Printed {
            command: name.to_owned(),
            answers: command.answers,
            target: self.target.clone(),
            most_bytes: self.most_bytes,
        }
    }

    /// Runs `command` on the calling thread, which must be a worker, without a Plan: for what a person does with a key of Emacs.  `cancel`
    /// ends the run.
    ///
    /// # Errors
    /// Each failure of git, and of starting it.
    pub(crate) fn run_here(&self, command: &Command, cancel: &Cancel) -> Result<Captured, Refusal> {
        let name = command.name();
        let failed = |kind, what: String, todo: &str| {
            let what = self.clean.line(&what);
            Refusal::new(kind, format!("{what}.\n{todo}"))
        };
        let child = run::Command::new(
            &self.executable,
            &command.words,
            &self.environment(command)?,
            "/",
            self.limits(),
        )
        .map_err(|error| {
            let what = format!("git {name} cannot be started: {error}");
            failed(ErrorKind::SpawnFailed, what, "Try again.")
        })?;
        let captured = run::run_here(&child, cancel);
        match &captured.ended {
            Ended::Deadline => Err(failed(
                ErrorKind::Timeout,
                format!("git {name} took longer than {} s", self.timeout.as_secs()),
                "Look with git in a terminal.",
            )),
            Ended::Cancelled => Err(failed(
                ErrorKind::Cancelled,
                format!("git {name} was ended"),
                "Try again.",
            )),
            Ended::SpawnFailed(why) => Err(failed(
                ErrorKind::SpawnFailed,
                format!("git {name} cannot be started: {why}"),
                "Try again.",
            )),
            _ => {
                self.printed(command, name).check(&captured, &self.clean)?;
                Ok(captured)
            }
        }
    }

    /// The command line of `command`, as a question shows it.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn line(&self, command: &Command) -> Result<String, Refusal> {
        Ok(self.draft(command, Class::Write)?.line())
    }

    /// Runs `command`, which changes nothing but files of ours that nobody sees.
    ///
    /// # Errors
    /// Each failure of git, and of starting it.
    pub fn read(&self, command: &Command, reads: &mut dyn Reads) -> Result<Captured, Refusal> {
        let plan = Plan::new(self.draft(command, Class::Read)?)?;
        reads
            .run(plan)
            .map_err(|refusal| self.told(command, &refusal))
    }

    /// Runs `command` as [`Self::read`] does, with its output, at most `most` bytes, in `file`.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_into(
        &self,
        command: &Command,
        (file, most): (&Arc<File>, u64),
        reads: &mut dyn Reads,
    ) -> Result<Captured, Refusal> {
        let plan = Plan::new(self.draft(command, Class::Read)?)?;
        let ran = reads.run_into(plan, file, most);
        ran.map_err(|refusal| self.told(command, &refusal))
    }

    /// Runs `command` as [`Self::read`] does; returns its output, of which there may be far more than a result has room for, and whether this
    /// is the whole: at most `most` bytes are kept.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_text(
        &self,
        command: &Command,
        most: u64,
        reads: &mut dyn Reads,
    ) -> Result<(String, bool), Refusal> {
        let file = memory_file()?;
        let whole = match self.read_into(command, (&file, most), reads) {
            Ok(_) => true,
            Err(refusal) if refusal.kind == ErrorKind::Truncated => false,
            Err(refusal) => return Err(refusal),
        };
        let mut file = file.as_ref();
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))
            .and_then(|_| file.take(most).read_to_end(&mut bytes))
            .map_err(|error| not_kept(&error))?;
        Ok((String::from_utf8_lossy(&bytes).into_owned(), whole))
    }

    /// Runs `command` as [`Self::read`] does; returns the whole of its output.
    ///
    /// # Errors
    /// As [`Self::read`], and `truncated` where the output is longer than 32 MB.
    pub fn read_all(&self, command: &Command, reads: &mut dyn Reads) -> Result<String, Refusal> {
        let (printed, whole) = self.read_text(command, MOST_PRINTED, reads)?;
        if whole {
            return Ok(printed);
        }
        Err(Refusal::new(
            ErrorKind::Truncated,
            format!(
                "git {} prints more than {}, so what would be done cannot be shown.\nTell the person, who can use git in a terminal.",
                command.name(),
                size(MOST_PRINTED)
            ),
        ))
    }

    /// The commit at the end of the branch `branch` of the repository `address` of the host; `None` where there is no such branch.
    ///
    /// # Errors
    /// Each failure of git.
    pub fn remote_tip(
        &self,
        address: &str,
        branch: &str,
        reads: &mut dyn Reads,
    ) -> Result<Option<String>, Refusal> {
        let refname = format!("refs/heads/{branch}");
        let command = Command::new(&["ls-remote", "--refs", address, &refname]).remote();
        let listed = self.read_all(&command, reads)?;
        // git also lists names that end so.
        Ok(listed.lines().find_map(|line| {
            let (sha, name) = line.split_once('\t')?;
            (name == refname).then(|| sha.to_owned())
        }))
    }

    /// Runs `command`, whose line a person has approved.
    ///
    /// # Errors
    /// Each failure of git, and `policy-blocked` where its line was not approved.
    pub fn step(&self, command: &Command, reads: &mut dyn Reads) -> Result<Captured, Refusal> {
        let plan = Plan::new(self.draft(command, Class::Write)?)?;
        reads
            .run(plan)
            .map_err(|refusal| self.told(command, &refusal))
    }

    /// `refusal` of `command` as the call tells it: the call has a line of its own for a terminal, and its own limit of time.
    fn told(&self, command: &Command, refusal: &Refusal) -> Refusal {
        if refusal.kind == ErrorKind::Timeout {
            return Refusal::new(
                ErrorKind::Timeout,
                format!(
                    "git {} did not come to its end within {} s, and was ended{}.\nTry again once; the person can raise `cj/gh-git-timeout'.",
                    command.name(),
                    self.timeout.as_secs(),
                    trouble::left(command.name())
                ),
            );
        }
        let lines = refusal.message.lines();
        let lines: Vec<&str> = lines
            .filter(|line| !line.starts_with("Reproduce: "))
            .collect();
        Refusal::new(refusal.kind, lines.join("\n"))
    }

    /// The refusal of a repository with more than [`Self::most_bytes`].
    pub fn too_large(&self) -> Refusal {
        let git = trouble::Failed {
            command: "fetch",
            code: 128,
            said: "File too large",
            target: &self.target,
            most_bytes: self.most_bytes,
        };
        trouble::refusal(&git, &self.clean)
    }

    fn environment(&self, command: &Command) -> Result<Vec<(String, Foreign<String>)>, Refusal> {
        let mut all = self.passed.clone();
        let mut set = |name: &str, value: &str| {
            all.retain(|(known, _)| known != name);
            all.push((name.to_owned(), value.into()));
        };
        for (name, value, _reason) in FIXED_FOR_EVERY_GIT.iter().chain(FIXED_FOR_OUR_REPOSITORIES) {
            set(name, value);
        }
        let mut settings: Vec<(String, String)> = SETTINGS_FOR_EVERY_GIT
            .iter()
            .chain(SETTINGS_FOR_OUR_REPOSITORIES)
            .map(|(key, value, _reason)| ((*key).to_owned(), (*value).to_owned()))
            .collect();
        for name in &command.filters {
            for (key, value) in [
                ("smudge", ""),
                ("clean", ""),
                ("process", ""),
                ("required", "false"),
            ] {
                settings.push((format!("filter.{name}.{key}"), value.to_owned()));
            }
        }
        if command.remote {
            set("GIT_ALLOW_PROTOCOL", self.protocol);
            if let Some(credential) = &self.credential {
                let key = format!("credential.{}.helper", credential.base);
                settings.push((key, credential.helper.clone()));
            }
        }
        if let Some(objects) = &command.objects {
            if let Some(write) = &objects.write {
                set("GIT_OBJECT_DIRECTORY", utf8(write)?);
            }
            let read = objects.read.iter().map(|path| utf8(path));
            // git takes the list apart at colons that do not stand in a quoted name.
            let quoted = |path: &str| {
                let path = path.replace('\\', "\\\\").replace('"', "\\\"");
                format!("\"{path}\"")
            };
            let read: Vec<String> = read
                .map(|path| Ok(quoted(path?)))
                .collect::<Result<_, Refusal>>()?;
            set("GIT_ALTERNATE_OBJECT_DIRECTORIES", &read.join(":"));
        }
        let pairs = settings
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()));
        for (name, value) in numbered(pairs) {
            set(&name, &value);
        }
        set("GIT_CONFIG_PARAMETERS", &quoted_settings(&settings));
        if command.remote
            && let Some(credential) = &self.credential
        {
            for (name, value) in &credential.environment {
                all.retain(|(known, _)| known != name);
                all.push((name.clone(), value.clone()));
            }
        }
        Ok(all)
    }
}

/// `settings` as git passes those of its own command line on.  git 2.30 does not know `GIT_CONFIG_COUNT`, and every git reads this variable; where
/// a key has an equals sign, as the name of a filter can, only the former has it right, and the latter fails.
fn quoted_settings(settings: &[(String, String)]) -> String {
    let settings = settings.iter().filter(|(key, _)| !key.contains('='));
    let quoted = settings.map(|(key, value)| {
        let setting = format!("{key}={value}").replace('\'', "'\\''");
        format!("'{setting}'")
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Finishes one command of git.
struct Printed {
    command: String,
    answers: &'static [i32],
    target: Target,
    most_bytes: u64,
}

impl Printed {
    /// Says no where the command failed.
    fn check(&self, captured: &Captured, clean: &Cleaner) -> Result<(), Refusal> {
        match captured.ended {
            Ended::Exited(0) => Ok(()),
            Ended::Exited(code) if self.answers.contains(&code) => Ok(()),
            Ended::Exited(code) => {
                let said = [&captured.stderr, &captured.stdout]
                    .map(|stream| String::from_utf8_lossy(stream.head().reveal()).into_owned())
                    .join("\n");
                let git = trouble::Failed {
                    command: &self.command,
                    code,
                    said: &said,
                    target: &self.target,
                    most_bytes: self.most_bytes,
                };
                Err(trouble::refusal(&git, clean))
            }
            _ => Err(Refusal::new(
                ErrorKind::Truncated,
                format!(
                    "The output of git {} is too long.\nReport it.",
                    self.command
                ),
            )),
        }
    }
}

impl Finish for Printed {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        _: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        self.check(captured, clean)?;
        Ok(clean.stream(&captured.stdout))
    }

    fn budget(&self) -> usize {
        usize::MAX
    }
}

/// A file for what git prints, in memory alone.
///
/// # Errors
/// `gh-exit` where the system gives none.
pub fn memory_file() -> Result<Arc<File>, Refusal> {
    let file = disk::in_memory().map_err(|error| not_kept(&error))?;
    Ok(Arc::new(file))
}

fn not_kept(error: &std::io::Error) -> Refusal {
    Refusal::new(
        ErrorKind::Failed,
        format!("What git prints cannot be kept: {error}.\nTry again."),
    )
}

/// What git printed, as text.
pub fn text(captured: &Captured) -> String {
    String::from_utf8_lossy(captured.stdout.head().reveal()).into_owned()
}

/// What git said on its standard error, as text.
pub fn complaint(captured: &Captured) -> String {
    String::from_utf8_lossy(captured.stderr.head().reveal()).into_owned()
}
