//! A Plan for gh: parse, classify, pin, decide.  Everything about one call is settled here, and nothing runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::fill::{Filled, fill};
use super::followup::Again;
use crate::foreign::Foreign;
use crate::gate::call::question::Fact;
use crate::gate::call::shell;
use crate::gate::decide::{cwd, policy};
use crate::gate::result::budget;
use crate::gate::result::secrets_held::secrets_held;
use crate::gate::{
    self, Answer, Cleaner, Cwd, Draft, ErrorKind, MAX_CAP, MAX_TIMEOUT_S, Plan, Refusal,
};
use crate::gh::catalog::Catalog;
use crate::gh::child::environment::{
    ByEnvironment, Credential, Given, NO_CHECKOUT, for_gh, token_names,
};
use crate::gh::child::floor::Floor;
use crate::gh::child::installed::{Installed, Needs, Standing};
use crate::gh::judge::classify::classify_for;
use crate::gh::parse::{Named, parse};
use crate::gh::place::account::account;
use crate::gh::place::context::GitFacts;
use crate::gh::place::hosts::{Hosts, HostsFile, config_dir, known_hosts};
use crate::gh::place::pin::{Pinned, Reach, Wanted, pin};
use crate::gh::question::question;
use crate::gh::tools::download::{self, Download};
use crate::gh::tools::views::{Finisher, View};
use crate::run::{Keep, Limits};

/// What the caller asks for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The argv, with or without a leading `gh`.
    pub argv: Foreign<Vec<String>>,
    /// Where it is to run.
    pub cwd: Option<Cwd>,
    /// What git knows of the checkout there.
    pub facts: Option<GitFacts>,
    /// The argument `hostname`.
    pub hostname: Option<String>,
    /// The argument `repo`.
    pub repo: Option<String>,
    /// How long it may take; zero stands for a second.
    pub timeout: Option<Duration>,
    /// The same where neither the caller nor the user said anything: what its tool usually takes.
    pub usual_timeout: Option<Duration>,
    /// Bytes kept of standard output.
    pub cap: Option<usize>,
    /// Which part is kept.
    pub keep: Option<Keep>,
    /// How the result is rendered.
    pub view: View,
    /// Whether a person changed the call before it ran.
    pub edited: bool,
    /// The artifact that is to be downloaded, where argv asks for one.
    pub download: Option<Download>,
}

/// The user's options, as the Lisp layer passes them.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The gh program, absolute; none: not found.
    pub executable: Option<PathBuf>,
    /// The name that was looked for.
    pub executable_name: String,
    /// Emacs's global `process-environment`.
    pub environment: Foreign<Vec<String>>,
    /// Directories under which a call may run.
    pub roots: Vec<PathBuf>,
    /// Policies, all of which hold: the strictest answer counts.
    pub policies: Vec<policy::Layer>,
    /// `cj/gh-known-hosts`; none: gh's own.
    pub known_hosts: Option<Vec<String>>,
    /// `cj/gh-timeouts`: command and time, for the command and what lies below it.
    pub timeouts: Vec<(String, Duration)>,
    /// `cj/gate-result-budget`, in tokens; none: the default.
    pub result_budget: Option<usize>,
    /// `cj/gh-accounts`: host and login.
    pub accounts: Vec<(String, String)>,
    /// `cj/gh-default-host`.
    pub default_host: String,
    /// `cj/gh-artifact-directory`; none: not one of this machine.
    pub artifact_directory: Option<PathBuf>,
    /// `cj/gh-artifact-max-bytes`.
    pub artifact_bytes: u64,
}

/// The argv without a leading `gh`, checked for what no argv may be.
///
/// # Errors
/// `bad-argument`.
pub fn normalize(argv: &[String]) -> Result<Vec<String>, Refusal> {
    gate::decide::argv::check(argv)?;
    let argv = match argv {
        [first, rest @ ..] if first == "gh" => rest.to_vec(),
        _ => argv.to_vec(),
    };
    gate::decide::argv::check(&argv)?;
    Ok(argv)
}

/// Says what is wrong with a request before anything at all is run for it.
///
/// # Errors
/// `bad-argument`, `bad-cwd`, `no-executable`.
pub fn check(request: &Request, settings: &Settings) -> Result<(), Refusal> {
    normalize(request.argv.reveal())?;
    executable(settings)?;
    directory(request, settings)?;
    Ok(())
}

/// Makes the Plan.
///
/// # Errors
/// What is wrong with the request, the checkout or the set-up, with what to do.
pub fn plan(request: &Request, settings: &Settings) -> Result<Plan, Refusal> {
    Plan::new(match &request.download {
        Some(wanted) => download::draft(wanted, request, settings)?,
        None => draft(request, settings)?,
    })
}

/// What the Plan of `request` is made of, if it is no download.
pub(in crate::gh) fn draft(request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
    let argv = normalize(request.argv.reveal())?;
    let executable = executable(settings)?;
    let cwd = directory(request, settings)?;
    let installed = Installed::new(&executable, &cwd, &settings.environment);
    let verdict = classify_for(&argv, &|needs| installed.known(needs));
    let logins = logins(&settings.environment)?;
    let hosts = hosts(settings, &logins);
    let remote_cwd = match &request.cwd {
        Some(Cwd::Remote(name)) => Some(name.as_str()),
        _ => None,
    };
    let wanted = Wanted {
        hostname: request.hostname.as_deref(),
        repo: request.repo.as_deref(),
        facts: request.facts.as_ref(),
        remote_cwd,
    };
    let Pinned {
        argv,
        mut target,
        gh_host,
        gh_repo,
        reach,
    } = pin(verdict.parsed.as_ref(), &argv, wanted, &hosts)?;
    let given = verdict.parsed.as_ref();
    let Filled { argv, row } = fill(given, argv, wanted.facts, &target, &hosts)?;
    // Pinning adds flags, which the installed gh has to know as well.
    let needs = needs(&argv);
    let verdict = match &needs {
        Some(needs) => verdict.given(&installed.known(needs)),
        None => verdict,
    };
    let policy = policy::for_host(&settings.policies, &target.host);
    let account = account(&target.host, &settings.accounts, &logins)?;
    let by_environment = ByEnvironment {
        gh_host: gh_host.as_deref(),
        gh_repo: gh_repo.as_deref(),
        credential: account.credential,
    };
    let environment = for_gh(&settings.environment, &target.host, &logins, by_environment);
    // Whose a token of the environment is cannot be told.
    if account.credential != Credential::Usual || environment.token_variable().is_none() {
        target.account = account.login;
    }
    if reach == Reach::User || (target.repo.is_some() && target.owner.is_none()) {
        target.owner.clone_from(&target.account);
    }
    if target.owner.is_none() {
        // Of an account that is not known.
        target.repo = None;
    }
    let clean = cleaner(&settings.environment, &logins);
    let shown_environment = shown_environment(&by_environment, &target.host, settings, &clean);
    let finish = Finisher {
        view: request.view.clone(),
        command: verdict.command.clone(),
        host: target.host.clone(),
        token_variable: environment.token_variable(),
        again: Again::new(request, settings, &target),
        budget: settings.result_budget.unwrap_or(budget::DEFAULT),
    };
    let limits = limits(request, settings, &verdict.command);
    let floor = Floor::new(installed.within(limits.timeout), verdict.class, needs);
    let mut question = question(
        verdict.class,
        &verdict.command,
        &argv,
        &target,
        reach,
        &clean,
    );
    if row.is_some() {
        question.no_lease = Some("its texts come from commits, which are to be seen");
    }
    let row = row.map(|(label, text)| Fact::plain(label, text));
    question.rows.extend(row);
    Ok(Draft {
        program: "gh",
        class: verdict.class,
        command: verdict.command.clone(),
        reason: verdict.reason.clone(),
        argv: argv.into(),
        parts: Vec::new(),
        executable,
        cwd,
        environment: environment.pairs().to_vec(),
        target: Some(target),
        answer: policy.answer(verdict.class),
        question,
        leases: policy.leases(),
        edited: request.edited,
        complaints: policy.complaints,
        refusal: None,
        shown_environment,
        limits,
        finish: Arc::new(finish),
        guard: Some(Arc::new(floor)),
        clean,
    })
}

/// What `argv` needs of the installed gh; none where it names no command of the catalog.
fn needs(argv: &[String]) -> Option<Needs> {
    match parse(Catalog::get(), argv) {
        Named::Command(call) => Some(Needs::of(Catalog::get(), &call)),
        Named::Unknown { .. } => None,
    }
}

/// The installed gh, as it would be asked for the call of `request`.
///
/// # Errors
/// As [`check`].
pub fn installed(request: &Request, settings: &Settings) -> Result<Installed, Refusal> {
    let executable = executable(settings)?;
    let cwd = directory(request, settings)?;
    Ok(Installed::new(&executable, &cwd, &settings.environment))
}

/// The question about the installed gh that has to be answered before a Plan of `request` is made; none where the answer is known or
/// matters to nothing.
///
/// # Errors
/// As [`plan`].
pub fn before(
    request: &Request,
    settings: &Settings,
) -> Result<Option<(Installed, Needs)>, Refusal> {
    let argv = normalize(request.argv.reveal())?;
    let installed = installed(request, settings)?;
    let Some(needs) = needs(&argv) else {
        return Ok(None);
    };
    if installed.known(&needs) != Standing::Unasked {
        return Ok(None);
    }
    // What cannot be planned, or is refused anyway, is so before anything runs for it.
    if request.download.is_some() {
        return Ok(Some((installed, needs)));
    }
    let draft = draft(request, settings)?;
    let asked = draft.answer != Answer::Block;
    Ok(asked.then(|| (installed.within(draft.limits.timeout), needs)))
}

/// What stands before the line to reproduce: gh asks nothing, pages nothing, touches no checkout, and goes where this call went, as
/// whom it went.
fn shown_environment(
    by: &ByEnvironment<'_>,
    host: &str,
    settings: &Settings,
    clean: &Cleaner,
) -> String {
    let mut shown = format!("GH_PROMPT_DISABLED=1 GH_PAGER=cat NO_COLOR=1 GIT_DIR={NO_CHECKOUT}");
    let mut put = |name: &str, value: &str| {
        shown = format!("{shown} {name}={}", shell::words(&[value.to_owned()]));
    };
    match by.credential {
        Credential::Usual => {}
        // Else a token of the shell's environment would come before the login.
        Credential::ActiveLogin => {
            let given = Given::new(&settings.environment);
            let names = token_names(host).iter();
            for name in names.filter(|name| given.non_empty(name).is_some()) {
                put(name, "");
            }
        }
        Credential::Token(_) => put(token_names(host)[0], "[REDACTED:github-token]"),
    }
    for (name, value) in [("GH_HOST", by.gh_host), ("GH_REPO", by.gh_repo)] {
        if let Some(value) = value {
            put(name, &clean.text(value));
        }
    }
    shown
}

/// The cleaner that knows the secrets this process holds: those of the environment and of gh's own file.
pub fn cleaner(environment: &Foreign<Vec<String>>, logins: &HostsFile) -> Cleaner {
    let mut held = secrets_held(environment);
    held.extend(logins.tokens_to_redact());
    Cleaner::holding(&held)
}

/// gh's own file of logins.
///
/// # Errors
/// `auth` where it is there and cannot be read: gh itself would fail on it.
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

fn directory(request: &Request, settings: &Settings) -> Result<PathBuf, Refusal> {
    match &request.cwd {
        Some(Cwd::Local(dir)) => cwd::check_local(dir, &settings.roots),
        // Whether the call needs a checkout is known only after parsing; `pin' says so.
        Some(Cwd::Remote(_)) | None => cwd::first_root(&settings.roots),
    }
}

/// Leaves whose output may be long or slow to come: 60 seconds instead of 20.
const SLOW: &[&str] = &["pr diff", "run view", "search"];
/// Leaves of which the end matters as much as the beginning.
const BOTH_ENDS: &[&str] = &["pr diff", "run view"];

/// Seconds of a command that is not slow, and of one that is.
const USUAL: u64 = 20;
const LONG: u64 = 60;
/// The least that a call can be given: a program needs some time to come up.
const LEAST: Duration = Duration::from_millis(100);

fn limits(request: &Request, settings: &Settings, command: &str) -> Limits {
    let keep = if BOTH_ENDS.iter().any(|row| covers(row, command)) {
        Keep::HeadTail
    } else {
        Keep::Head
    };
    Limits {
        timeout: timeout(request, settings, command),
        cap: request.cap.unwrap_or(MAX_CAP).clamp(1, MAX_CAP),
        keep: request.keep.unwrap_or(keep),
        ..Limits::default()
    }
}

/// How long the call may take: what the caller says, else the user's most exact row, else what its tool or its command
/// usually takes; never more than the hard limit.
fn timeout(request: &Request, settings: &Settings, command: &str) -> Duration {
    let rows = settings.timeouts.iter();
    let row = rows
        .filter(|(row, _)| covers(row, command))
        .max_by_key(|(row, _)| row.len())
        .map(|(_, time)| *time);
    let slow = SLOW.iter().any(|row| covers(row, command));
    let usual = Duration::from_secs(if slow { LONG } else { USUAL });
    let wanted = request.timeout.or(row).or(request.usual_timeout);
    match wanted.unwrap_or(usual) {
        Duration::ZERO => Duration::from_secs(1),
        some => some.clamp(LEAST, Duration::from_secs(MAX_TIMEOUT_S)),
    }
}

/// Whether a row for `row` holds for `command`: `run view` does for `run view` and for what lies below it.
fn covers(row: &str, command: &str) -> bool {
    command
        .strip_prefix(row)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds that a call of `command` gets.
    fn check(command: &str, asked: Option<f64>, tool: Option<f64>, expect: f64) {
        let time = |seconds: &f64| Duration::from_secs_f64(*seconds);
        let request = Request {
            timeout: asked.as_ref().map(time),
            usual_timeout: tool.as_ref().map(time),
            ..Request::default()
        };
        let rows = [("pr", 30.0), ("pr checks", 45.0), ("api", 600.0)];
        let settings = Settings {
            timeouts: rows.map(|(row, s)| (row.to_owned(), time(&s))).to_vec(),
            ..Settings::default()
        };
        let got = timeout(&request, &settings, command).as_secs_f64();
        assert!((got - expect).abs() < 1e-9, "{command}: {got}");
    }

    #[test]
    fn a_timeout_is_neither_the_caller_s_nor_the_user_s_nor_the_usual_one() {
        check("issue list", None, None, 20.0);
        check("run view", None, None, 60.0);
        check("search code", None, None, 60.0);
        check("runner view", None, None, 20.0);
        // The user's rows, the most exact one first, and never past the hard limit.
        check("pr", None, None, 30.0);
        check("pr view", None, None, 30.0);
        check("pr checks", None, None, 45.0);
        check("prx", None, None, 20.0);
        check("api", None, None, 120.0);
        // A tool's own counts below the user's, the caller's above it.
        check("issue list", None, Some(90.0), 90.0);
        check("pr checks", None, Some(90.0), 45.0);
        check("pr checks", Some(7.0), Some(90.0), 7.0);
        check("issue list", Some(500.0), None, 120.0);
        check("issue list", Some(0.0), None, 1.0);
        check("issue list", Some(0.5), None, 0.5);
        check("issue list", Some(1e-6), None, 0.1);
    }
}
