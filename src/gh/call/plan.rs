//! Planning: parse, classify, pin, decide.  Everything about one call of gh is settled here, and nothing runs.

use std::sync::Arc;
use std::time::Duration;

use super::fill::{Filled, fill};
use super::plain::Plain;
use super::request::{Request, Settings, cleaner, directory, executable, hosts, logins, normalize};
use crate::gate::call::given::Given;
use crate::gate::call::question::Fact;
use crate::gate::call::shell;
use crate::gate::decide::policy;
use crate::gate::result::budget;
use crate::gate::{
    Answer, Cleaner, Cwd, Draft, ErrorKind, Finish, MAX_CAP, MAX_TIMEOUT_S, Policy, Refusal, Target,
};
use crate::gh::catalog::Catalog;
use crate::gh::child::environment::{ByEnvironment, NO_CHECKOUT, for_gh};
use crate::gh::installed::Installed;
use crate::gh::installed::guard::InstalledGuard;
use crate::gh::judge::approval::{ACTS, APPROVE, Approval};
use crate::gh::judge::classify::{Verdict, classify_for};
use crate::gh::needs::{Needs, Standing};
use crate::gh::parse::{Named, parse};
use crate::gh::place::account::account;
use crate::gh::place::credential::{Credential, token_names};
use crate::gh::place::pin::{AsArguments, Pinned, Reach, pin};
use crate::gh::question::question;
use crate::gh::rows;
use crate::run::{Keep, Limits};

/// Makes the value that finishes a call, from the plain way to finish the call and from its target.
pub type Finishing<'a> = &'a dyn Fn(Plain, &Target) -> Arc<dyn Finish>;

/// Makes the Draft of `request`, which a Plan is made from; `finishing` says how the result is finished.
///
/// # Errors
/// A refusal that says what is wrong with the request, the checkout or the settings, and what to do.
pub(in crate::gh) fn draft(
    request: &Request,
    settings: &Settings,
    finishing: Finishing<'_>,
) -> Result<Draft, Refusal> {
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
    let wanted = AsArguments {
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
    // The installed gh has to know the flags that pinning and filling added as well.
    let needs = needs(&argv);
    let verdict = match &needs {
        Some(needs) => verdict.given(&installed.known(needs)),
        None => verdict,
    };
    let policy = policy::for_host(&settings.policies, &target.host, ACTS);
    let account = account(&target.host, &settings.accounts, &logins)?;
    let by_environment = ByEnvironment {
        gh_host: gh_host.as_deref(),
        gh_repo: gh_repo.as_deref(),
        credential: account.credential,
    };
    let environment = for_gh(&settings.environment, &target.host, &logins, by_environment);
    // Nobody can tell which account a token from the environment belongs to.
    if account.credential != Credential::Usual || environment.token_variable().is_none() {
        target.account = account.login;
    }
    if reach == Reach::User || (target.repo.is_some() && target.owner.is_none()) {
        target.owner.clone_from(&target.account);
    }
    if target.owner.is_none() {
        // The argv names a repository without its owner, and the account that would own it is not known.
        target.repo = None;
    }
    let clean = cleaner(&settings.environment, &logins);
    let shown_environment = shown_environment(&by_environment, &target.host, settings, &clean);
    let plain = Plain {
        command: verdict.command.clone(),
        host: target.host.clone(),
        token_variable: environment.token_variable(),
        budget: settings.result_budget.unwrap_or(budget::DEFAULT),
    };
    let finish = finishing(plain, &target);
    let limits = limits(request, settings, &verdict.command);
    let guard = InstalledGuard::new(installed.within(limits.timeout), verdict.class, needs);
    let mut question = question(
        verdict.class,
        &verdict.command,
        &argv,
        &target,
        reach,
        &clean,
    );
    if row.is_some() {
        question.no_lease =
            Some("its title and body come from commits, so a person has to read them");
    }
    let row = row.map(|(label, text)| Fact::plain(label, text));
    question.rows.extend(row);
    Ok(Draft {
        program: "gh",
        class: verdict.class,
        act: verdict.approval.map(|_| APPROVE),
        command: verdict.command.clone(),
        reason: verdict.reason.clone(),
        argv: argv.into(),
        parts: Vec::new(),
        executable,
        cwd,
        environment: environment.pairs().to_vec(),
        target: Some(target),
        answer: policy.answer_to(verdict.class, verdict.approval.map(|_| APPROVE)),
        question,
        leases: policy.leases(),
        edited: request.edited,
        refusal: unapproving(&verdict, &policy),
        complaints: policy.complaints,
        shown_environment,
        limits,
        finish,
        guard: Some(Arc::new(guard)),
        clean,
    })
}

/// The refusal of a call that approves a pull request, or could, where that alone makes the policy refuse it.
fn unapproving(verdict: &Verdict, policy: &Policy) -> Option<Refusal> {
    let approval: Approval = verdict.approval?;
    let alone = policy.answer(verdict.class) != Answer::Block;
    (alone && policy.act(APPROVE) == Answer::Block).then(|| {
        Refusal::new(
            ErrorKind::PolicyBlocked,
            format!(
                "`{}' is refused by policy: it {}, and the row `approve' of `cj/gh-policy' lets no agent do that.\nA person can run it in a terminal, or allow it with (approve . confirm) there; the verdicts --comment and --request-changes work.",
                verdict.command,
                approval.does()
            ),
        )
    })
}

/// As [`draft`], for a call whose result is what gh prints.
///
/// # Errors
/// As [`draft`].
pub(super) fn draft_plain(request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
    draft(request, settings, &|plain, _| Arc::new(plain))
}

/// The words and flags of `argv` that the installed gh must have; `None` where `argv` names no command of the catalog.
fn needs(argv: &[String]) -> Option<Needs> {
    match parse(Catalog::get(), argv) {
        Named::Command(call) => Some(Needs::of(Catalog::get(), &call)),
        Named::Unknown { .. } => None,
    }
}

/// The installed gh, in the directory and with the environment of the call of `request`.
///
/// # Errors
/// As [`check`](super::request::check).
pub fn installed(request: &Request, settings: &Settings) -> Result<Installed, Refusal> {
    let executable = executable(settings)?;
    let cwd = directory(request, settings)?;
    Ok(Installed::new(&executable, &cwd, &settings.environment))
}

/// The installed gh and what a call of `request` needs of it, where gh has not been asked whether it has that; `None` where the answer is
/// known, or where the catalog does not know the command.
///
/// # Errors
/// As [`check`](super::request::check).
pub(in crate::gh) fn unasked(
    request: &Request,
    settings: &Settings,
) -> Result<Option<(Installed, Needs)>, Refusal> {
    let argv = normalize(request.argv.reveal())?;
    let installed = installed(request, settings)?;
    let needs = needs(&argv).filter(|needs| installed.known(needs) == Standing::Unasked);
    Ok(needs.map(|needs| (installed, needs)))
}

/// As [`unasked`], and `None` too for a call that policy blocks: a call that cannot run needs no answer, so no program is started for it.
///
/// # Errors
/// As [`draft`].
pub(in crate::gh) fn unasked_unless_blocked(
    request: &Request,
    settings: &Settings,
) -> Result<Option<(Installed, Needs)>, Refusal> {
    let Some((installed, needs)) = unasked(request, settings)? else {
        return Ok(None);
    };
    let draft = draft_plain(request, settings)?;
    let asked = draft.answer != Answer::Block;
    Ok(asked.then(|| (installed.within(draft.limits.timeout), needs)))
}

/// The variables before the command line that a person can run again: with them gh asks nothing, pages nothing, reads no checkout, and
/// acts on the host and as the account of this call.
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
        // An empty value keeps gh from using a token in the shell's environment in place of the login.
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

/// Seconds that a command gets without `slow` in its row, and with it (`run view --log` can take longer than 20 seconds).
const USUAL: u64 = 20;
const LONG: u64 = 60;
/// The shortest time that a call gets: a program needs some time to start.
const LEAST: Duration = Duration::from_millis(100);

fn limits(request: &Request, settings: &Settings, command: &str) -> Limits {
    let both_ends = rows::leaf(command).is_some_and(|row| row.both_ends);
    let keep = if both_ends {
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

/// How long the call may take: what the caller says, else the user's most exact row in `cj/gh-timeouts`, else the usual time of its tool or
/// of its command; never more than [`MAX_TIMEOUT_S`].
fn timeout(request: &Request, settings: &Settings, command: &str) -> Duration {
    let rows = settings.timeouts.iter();
    let row = rows
        .filter(|(row, _)| covers(row, command))
        .max_by_key(|(row, _)| row.len())
        .map(|(_, time)| *time);
    let slow = rows::leaf(command).is_some_and(|row| row.slow);
    let usual = Duration::from_secs(if slow { LONG } else { USUAL });
    let wanted = request.timeout.or(row).or(request.usual_timeout);
    match wanted.unwrap_or(usual) {
        Duration::ZERO => Duration::from_secs(1),
        some => some.clamp(LEAST, Duration::from_secs(MAX_TIMEOUT_S)),
    }
}

/// Whether the row for `row` in `cj/gh-timeouts` applies to `command`: `run` applies to `run` and to each command below it, as `run view`.
fn covers(row: &str, command: &str) -> bool {
    command
        .strip_prefix(row)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the seconds that a call of `command` gets.
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
    fn the_callers_timeout_beats_the_users_row_and_the_users_row_the_usual_time() {
        check("issue list", None, None, 20.0);
        check("run view", None, None, 60.0);
        check("search code", None, None, 60.0);
        check("runner view", None, None, 20.0);
        // The user's most exact row wins, and never passes the hard limit.
        check("pr", None, None, 30.0);
        check("pr view", None, None, 30.0);
        check("pr checks", None, None, 45.0);
        check("prx", None, None, 20.0);
        check("api", None, None, 120.0);
        // A tool's usual time gives way to the user's row, and that to what the caller says.
        check("issue list", None, Some(90.0), 90.0);
        check("pr checks", None, Some(90.0), 45.0);
        check("pr checks", Some(7.0), Some(90.0), 7.0);
        check("issue list", Some(500.0), None, 120.0);
        check("issue list", Some(0.0), None, 1.0);
        check("issue list", Some(0.5), None, 0.5);
        check("issue list", Some(1e-6), None, 0.1);
    }
}
