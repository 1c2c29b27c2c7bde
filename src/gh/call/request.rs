//! A request and the user's options, from which a call is planned, and what is checked and read for them before the argv is parsed.

use std::path::PathBuf;
use std::time::Duration;

use crate::foreign::Foreign;
use crate::gate::decide::policy::Layer;
use crate::gate::decide::{argv, cwd};
use crate::gate::result::secrets_held::secrets_held;
use crate::gate::{Cleaner, Cwd, ErrorKind, Refusal};
use crate::gh::judge::roles::GhRoles;
use crate::gh::place::context::GitFacts;
use crate::gh::place::hosts::{Hosts, HostsFile, config_dir, known_hosts};
use crate::run::Keep;

/// The call that the caller asks for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The argv, with or without a leading `gh`.
    pub argv: Foreign<Vec<String>>,
    /// The directory to run in.
    pub cwd: Option<Cwd>,
    /// What git says about the checkout in that directory.
    pub facts: Option<GitFacts>,
    /// The argument `hostname`.
    pub hostname: Option<String>,
    /// The argument `repo`.
    pub repo: Option<String>,
    /// The caller's time limit; zero stands for one second.
    pub timeout: Option<Duration>,
    /// The tool's own time limit, which applies where neither the caller nor the user sets one.
    pub usual_timeout: Option<Duration>,
    /// Bytes of standard output that are kept.
    pub cap: Option<usize>,
    /// Which part of a longer output is kept.
    pub keep: Option<Keep>,
    /// Whether a person changed the call before it ran.
    pub edited: bool,
}

/// The user's options, as the Lisp layer passes them.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The gh program as an absolute file name; `None`: not found.
    pub executable: Option<PathBuf>,
    /// The name or path in `cj/gh-executable`.
    pub executable_name: String,
    /// Emacs's global `process-environment`.
    pub environment: Foreign<Vec<String>>,
    /// Directories in and below which a call may run.
    pub roots: Vec<PathBuf>,
    /// Policies.  All of them apply at once, and the strictest answer wins.
    pub policies: Vec<Layer>,
    /// `cj/gh-known-hosts`; `None`: github.com, the default host and the hosts of gh's own logins.
    pub known_hosts: Option<Vec<String>>,
    /// `cj/gh-timeouts`: a command and the time for it and for the commands below it.
    pub timeouts: Vec<(String, Duration)>,
    /// `cj/gate-result-budget`, in tokens; `None`: the default.
    pub result_budget: Option<usize>,
    /// `cj/gh-accounts`: a host and the login to act as there.
    pub accounts: Vec<(String, String)>,
    /// `cj/gh-default-host`.
    pub default_host: String,
    /// `cj/gh-artifact-directory`; `None`: the directory is on another machine.
    pub artifact_directory: Option<PathBuf>,
    /// `cj/gh-artifact-max-bytes`.
    pub artifact_bytes: u64,
    /// The git program as an absolute file name; `None`: not found.
    pub git: Option<PathBuf>,
    /// `cj/gh-worktree-directory`; `None`: the directory is on another machine.
    pub worktree_directory: Option<PathBuf>,
    /// `cj/gh-git-max-bytes`.
    pub git_bytes: u64,
    /// `cj/gh-git-max-files`.
    pub git_files: u64,
    /// `cj/gh-git-timeout`.
    pub git_timeout: Duration,
    /// `cj/gh-git-urls`: a host and the address that git uses for it.
    pub git_urls: Vec<(String, String)>,
}

/// The argv without a leading `gh`, after the checks that every argv must pass.
///
/// # Errors
/// `bad-argument`.
pub fn normalize(words: &[String]) -> Result<Vec<String>, Refusal> {
    argv::check(words)?;
    let words = match words {
        [first, rest @ ..] if first == "gh" => rest.to_vec(),
        _ => words.to_vec(),
    };
    argv::check(&words)?;
    Ok(words)
}

/// Checks a request before any program runs for it.
///
/// # Errors
/// `bad-argument` for the argv, `bad-cwd` for the directory, `no-executable` where gh was not found.
pub fn check(request: &Request, settings: &Settings) -> Result<(), Refusal> {
    normalize(request.argv.reveal())?;
    executable(settings)?;
    directory(request, settings)?;
    Ok(())
}

/// The cleaner that knows the secrets this process holds: those of the environment and of gh's own file.
pub fn cleaner(environment: &Foreign<Vec<String>>, logins: &HostsFile) -> Cleaner {
    let mut held = secrets_held(environment);
    held.extend(logins.tokens_to_redact());
    Cleaner::holding(&held).reading(&GhRoles)
}

/// gh's own file of logins.
///
/// # Errors
/// `auth` where the file exists and cannot be read: gh itself would fail on it.
pub fn logins(environment: &Foreign<Vec<String>>) -> Result<HostsFile, Refusal> {
    let Some(dir) = config_dir(environment) else {
        return Ok(HostsFile::default());
    };
    HostsFile::read(&dir).map_err(|error| {
        Refusal::new(
            ErrorKind::Auth,
            format!("gh's own file of logins cannot be read: {error}.\nMend or remove it, then run `gh auth login' in a terminal."),
        )
    })
}

/// The hosts that calls may go to.
pub fn hosts(settings: &Settings, logins: &HostsFile) -> Hosts {
    known_hosts(
        settings.known_hosts.as_deref(),
        &settings.default_host,
        logins,
    )
}

/// The gh program.
///
/// # Errors
/// `no-executable` where it was not found.
pub fn executable(settings: &Settings) -> Result<PathBuf, Refusal> {
    settings.executable.clone().ok_or_else(|| {
        Refusal::new(
            ErrorKind::NoExecutable,
            format!(
                "gh was not found (`cj/gh-executable' is {}).\nInstall it (Debian: apt install gh; Fedora: dnf install gh; Arch: pacman -S github-cli; macOS: brew install gh), or name it in `cj/gh-executable'.",
                settings.executable_name
            ),
        )
    })
}

/// The directory that the call runs in: the requested one, or the first root where none is requested or the requested one is on another
/// machine.
///
/// # Errors
/// `bad-cwd`.
pub(super) fn directory(request: &Request, settings: &Settings) -> Result<PathBuf, Refusal> {
    match &request.cwd {
        Some(Cwd::Local(dir)) => cwd::check_local(dir, &settings.roots),
        // Only parsing tells whether the call needs the checkout on the other machine; `pin' refuses a call that does.
        Some(Cwd::Remote(_)) | None => cwd::first_root(&settings.roots),
    }
}
