//! The doors that explain gh's command lines, and find their targets, without a call.

use emacs::{Env, IntoLisp, Result, Value, defun};

use super::cleaner;
use crate::emacs::answer;
use crate::emacs::edge::arguments::path;
use crate::emacs::edge::doorbell::{self, Finished, WorkKind};
use crate::emacs::edge::plist::{self, Plist};
use crate::emacs::edge::{convert, values};
use crate::emacs::failure;
use crate::emacs::gate::{plists, settings as shared};
use crate::emacs::gh::{ErrandValue, request, settings};
use crate::gate::decide::cwd;
use crate::gate::{ErrorKind, Refusal};
use crate::gh;
use crate::gh::place::hosts::HostEntry;

/// How deep the arguments of a tool may be nested: an array of objects has three levels.
const ARGUMENTS_DEPTH: usize = 8;

/// See `cj/gh-classify`.
#[defun]
fn classify<'e>(env: &'e Env, argv: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let argv = gh::call::request::normalize(&convert::argv(env, argv)?)?;
        let verdict = gh::judge::classify::classify(&argv);
        Ok(Plist::new(env)
            .put_symbol(":class", Some(verdict.class.as_str()))?
            .put(":command", verdict.command)?
            .put(":reason", verdict.reason)?
            .put_strings(":argv", &argv)?
            .list()?)
    })
}

/// The errand NAME with the arguments ARGS of its tool, a property list.  The value is opaque.
#[defun]
fn errand<'e>(env: &'e Env, name: String, args: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let args = convert::json(env, args, ARGUMENTS_DEPTH)?;
        let errand = gh::tools::errands::named(&name, &args)?;
        Ok(Box::new(ErrandValue(errand)).into_lisp(env)?)
    })
}

/// How gh reads ARGV: a list of (TEXT . MEANING), both clean strings, for each part of the command line.
#[defun]
fn explain<'e>(env: &'e Env, argv: Value<'e>, environment: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let argv = gh::call::request::normalize(&convert::argv(env, argv)?)?;
        let clean = cleaner(env, environment)?;
        let mut parts = Vec::new();
        for part in gh::judge::explain::explain(&argv) {
            parts.push(env.cons(clean.text(&part.text), clean.text(&part.meaning))?);
        }
        Ok(env.call("list", &parts[..])?)
    })
}

/// See `cj/gate-git-facts`; return a ticket.  ARGV and KEYS belong to the call that needs the facts; without a call ARGV is nil.
#[defun]
fn facts<'e>(
    env: &'e Env,
    directory: Vec<u8>,
    options: Value<'e>,
    argv: Option<Value<'e>>,
    keys: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let commits = match argv {
            Some(argv) => {
                gh::call::fill::commit_range(request(env, argv, keys)?, settings(env, options)?)
            }
            None => None,
        };
        let roots = shared::roots(env, options)?;
        let cwd = cwd::check_local(&path(directory), &roots)?;
        let (git, environment) = (
            shared::git(env, options)?,
            shared::environment(env, options)?,
        );
        let ticket = doorbell::start_work(WorkKind::Facts, |report| {
            gh::child::facts::collect(git.as_deref(), &cwd, &environment, commits, |facts| {
                report(Finished::Facts(facts));
            })
        })?;
        Ok(plist::number(ticket))
    })
}

/// See `cj/gh-resolve-context`.
#[defun]
fn resolve<'e>(
    env: &'e Env,
    hostname: Option<String>,
    repo: Option<String>,
    facts: Option<Value<'e>>,
    options: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let options = settings(env, options)?;
        let facts = facts.map(values::facts).transpose()?;
        let hosts =
            gh::call::request::hosts(&options, &gh::call::request::logins(&options.environment)?);
        let target = gh::place::context::resolve(
            facts.as_ref(),
            hostname.as_deref(),
            repo.as_deref(),
            &hosts,
        )?;
        Ok(plists::target(env, &target)?)
    })
}

/// Compare the gh of OPTIONS with the catalog, in the background; return a ticket.
/// The ticket's value is a plist, or (KIND . MESSAGE).  A comparison that is under way is cancelled.
#[defun]
fn drift<'e>(env: &'e Env, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let options = settings(env, options)?;
        let gh = gh::call::request::executable(&options)?;
        let cwd = cwd::first_root(&options.roots)?;
        let ticket = doorbell::start_work(WorkKind::Drift, |report| {
            gh::drift::sweep::start(&gh, &cwd, &options.environment, |found| {
                report(Finished::Drift(found));
            })
        })?;
        Ok(plist::number(ticket))
    })
}

/// A sentence on what the version of the gh of OPTIONS means for the call of ARGV with KEYS; nil if the version is not known yet.
#[defun]
fn installed<'e>(
    env: &'e Env,
    argv: Value<'e>,
    keys: Value<'e>,
    options: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let request = request(env, argv, keys)?;
        let installed = gh::call::plan::installed(&request, &settings(env, options)?)?;
        Ok(installed.version_sentence().into_lisp(env)?)
    })
}

/// The hosts that calls may go to, a list of plists.
/// Each has `:host`, `:account` (the active one in gh's file of logins), `:accounts` (all in that file), `:logged-in`,
/// `:token-stored` (in that file) and `:token-variable` (the variable whose token a call uses instead of gh's own login, or nil).
/// The default host comes first, if it is in the list.
#[defun]
fn hosts<'e>(env: &'e Env, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let options = settings(env, options)?;
        let logins = gh::call::request::logins(&options.environment)?;
        let mut hosts = gh::call::request::hosts(&options, &logins);
        hosts.known.sort_by_key(|host| *host != hosts.default);
        let mut lists = Vec::new();
        for host in &hosts.known {
            let entry = logins.get(host);
            let call = gh::child::environment::for_gh(
                &options.environment,
                host,
                &logins,
                gh::child::environment::ByEnvironment::default(),
            );
            let list = Plist::new(env)
                .put(":host", host.as_str())?
                .put(":account", logins.account(host))?
                .put_strings(":accounts", entry.map_or(&[][..], |entry| &entry.users))?
                .put(":logged-in", entry.is_some_and(HostEntry::logged_in))?
                .put(":token-stored", entry.is_some_and(HostEntry::token_stored))?
                .put(":token-variable", call.token_variable())?
                .list()?;
            lists.push(list);
        }
        Ok(env.call("list", &lists[..])?)
    })
}

/// The unknown hosts to which a remote in FACTS points, a list of strings.
#[defun]
fn unknown_hosts<'e>(env: &'e Env, facts: Value<'e>, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let options = settings(env, options)?;
        let hosts =
            gh::call::request::hosts(&options, &gh::call::request::logins(&options.environment)?);
        let facts = values::facts(facts)?;
        Ok(plist::strings(
            env,
            &gh::place::context::unknown_hosts(&facts, &hosts),
        )?)
    })
}

/// The `--json` fields of VIEW, comma-separated.  FIELDS, comma-separated names, chooses them; nil stands for the default fields.
#[defun]
fn fields(env: &Env, view: String, fields: Option<String>) -> Result<Value<'_>> {
    answer(env, || {
        let names = gh::tools::views::fields(&view, fields.as_deref())
            .map_err(|e| Refusal::new(ErrorKind::BadArgument, e.to_string()))?;
        Ok(names.join(","))
    })
}

/// See `cj/gh-extract-failure`.
#[defun]
fn extract_failure<'e>(
    env: &'e Env,
    text: Vec<u8>,
    budget: usize,
    environment: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let clean = cleaner(env, environment)?;
        // Redact before cutting: the redactor cannot recognize half a secret.
        let text = clean.redactor().bytes(&text);
        let told = crate::joblog::extract(&String::from_utf8_lossy(&text), budget);
        Ok(clean.text(&told).into_lisp(env)?)
    })
}

/// See `cj/gh-explain-failure`; the value is a plist.  TEXT nil stands for the table alone.
#[defun]
fn explain_failure<'e>(
    env: &'e Env,
    text: Option<Vec<u8>>,
    budget: usize,
    environment: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let Some(text) = text else {
            return Ok(failure::table(env)?);
        };
        let clean = cleaner(env, environment)?;
        // The lines are those that `extract-failure` chooses only if the text is redacted as it is there.
        let redacted = clean.redactor().bytes(&text);
        let redacted = String::from_utf8_lossy(&redacted);
        let mut explained = gh::explain_failure::explain_failure(&redacted, budget);
        explained.number_by(&String::from_utf8_lossy(&text), &redacted);
        Ok(failure::explanation(env, &explained, &clean)?)
    })
}
