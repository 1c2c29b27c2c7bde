//! Plans, outcomes, progress, records and leases as Lisp property lists.

use std::path::Path;

use emacs::{Env, Result, Value};

use crate::emacs::edge::plist::{Plist, milliseconds, number, strings};
use crate::emacs::edge::symbols::symbol;
use crate::gate::call::question::{Fact, Quoted};
use crate::gate::decide::lease::Lease;
use crate::gate::record::written;
use crate::gate::result::cleaner::one_line;
use crate::gate::{Live, Outcome, Outgoing, PlanInfo, Progress, Record, Seen, Target};
use crate::redact::neutral;
use crate::run::State;

/// A target as `:host :owner :repo :account :source`.
pub fn target<'e>(env: &'e Env, target: &Target) -> Result<Value<'e>> {
    Plist::new(env).put_target(Some(target))?.list()
}

/// An outcome, as `cj/gate-run` passes it to its callback.
pub fn outcome<'e>(env: &'e Env, outcome: &Outcome) -> Result<Value<'e>> {
    let context = match &outcome.target {
        Some(t) => Some(target(env, t)?),
        None => None,
    };
    Plist::new(env)
        .put(":exit-code", outcome.exit_code.map(i64::from))?
        .put(":stdout", outcome.stdout.as_str())?
        .put(":stderr", outcome.stderr.as_str())?
        .put(":text", outcome.text.as_str())?
        .put(":header", outcome.header.as_str())?
        .put(":truncated", outcome.truncated)?
        .put(":duration-ms", number(outcome.duration_ms))?
        .put(":bytes-captured", number(outcome.bytes_captured))?
        .put(":bytes-dropped", number(outcome.bytes_dropped))?
        .put_symbol(
            ":error-kind",
            outcome.kind.map(crate::gate::ErrorKind::as_str),
        )?
        .put_strings(":argv", &outcome.argv)?
        .put(":context", context)?
        .put(":call", number(outcome.call))?
        .list()
}

/// The parts of a Plan that may be shown, as `cj/gate-plan-info` returns them.
pub fn info<'e>(
    env: &'e Env,
    info: &PlanInfo,
    refusal: Option<&crate::gate::Refusal>,
    leased: bool,
) -> Result<Value<'e>> {
    Plist::new(env)
        .put_symbol(":class", Some(info.class.as_str()))?
        .put_symbol(":act", info.act)?
        .put(":command", info.command.as_str())?
        .put(":reason", info.reason.as_str())?
        .put_symbol(":policy", Some(info.answer.as_str()))?
        .put_strings(":complaints", &info.complaints)?
        .put_target(info.target.as_ref())?
        .put_strings(":argv", &info.argv)?
        .put_strings(":shown", &info.shown)?
        .put(":digest", info.digest.as_str())?
        .put(":reproduce", info.reproduce.as_str())?
        .put(":program", info.program)?
        .put(":cwd", place(&info.cwd))?
        .put(":call", number(info.call))?
        .put_symbol(":refusal", refusal.map(|r| r.kind.as_str()))?
        .put(":refusal-message", refusal.map(|r| r.message.as_str()))?
        .put(":undo", info.question.undo.as_str())?
        .put(":quoted", quoted(env, &info.question.quoted)?)?
        .put(":texts", outgoing(env, &info.question.texts)?)?
        .put(":rows", facts(env, &info.question.rows)?)?
        .put(":sentence", info.question.sentence.as_str())?
        .put(":looks", looks(env, info)?)?
        .put(":first-write", written::is_first(info))?
        .put(":no-lease", info.no_lease.as_deref())?
        .put(":leased", leased)?
        .list()
}

/// The argv of each read to make before the person is asked, a list of lists of strings.
fn looks<'e>(env: &'e Env, info: &PlanInfo) -> Result<Value<'e>> {
    let reads = info.question.look.as_ref().map(|look| look.reads());
    argvs(env, &reads.unwrap_or_default())
}

fn argvs<'e>(env: &'e Env, argvs: &[Vec<String>]) -> Result<Value<'e>> {
    let lists = argvs
        .iter()
        .map(|argv| strings(env, argv))
        .collect::<Result<Vec<_>>>()?;
    symbol(env, "list")?.call(&lists[..])
}

/// The facts from the reads before a question, as `cj/gate--mod-seen` returns them.
pub fn seen<'e>(env: &'e Env, seen: &Seen) -> Result<Value<'e>> {
    let texts: Vec<(&str, String)> = seen.texts.clone();
    Plist::new(env)
        .put(":sentence", seen.sentence.as_deref())?
        .put(":facts", facts(env, &seen.facts)?)?
        .put(":texts", rows(env, &texts)?)?
        .put_strings(":supply", &seen.supply)?
        .put(":account", seen.account.as_deref())?
        .put(":again", argvs(env, &seen.again)?)?
        .list()
}

/// The facts by which a person decides, each a plist `:label :text :tone`.
fn facts<'e>(env: &'e Env, facts: &[Fact]) -> Result<Value<'e>> {
    let plists = facts
        .iter()
        .map(|fact| {
            Plist::new(env)
                .put(":label", fact.label)?
                .put(":text", fact.text.as_str())?
                .put_symbol(":tone", Some(fact.tone.as_str()))?
                .list()
        })
        .collect::<Result<Vec<_>>>()?;
    symbol(env, "list")?.call(&plists[..])
}

/// The texts with their names, an alist of strings.
fn rows<'e>(env: &'e Env, rows: &[(&str, String)]) -> Result<Value<'e>> {
    let pairs = rows
        .iter()
        .map(|(label, line)| env.cons(*label, line.as_str()))
        .collect::<Result<Vec<_>>>()?;
    env.call("list", &pairs[..])
}

/// The texts that are there already, a list of plists `:label :text`.
fn quoted<'e>(env: &'e Env, texts: &[Quoted]) -> Result<Value<'e>> {
    let plists = texts
        .iter()
        .map(|text| {
            Plist::new(env)
                .put(":label", text.label.as_str())?
                .put(":text", text.text.as_str())?
                .list()
        })
        .collect::<Result<Vec<_>>>()?;
    symbol(env, "list")?.call(&plists[..])
}

/// The texts that a call sends, a list of plists.
fn outgoing<'e>(env: &'e Env, texts: &[Outgoing]) -> Result<Value<'e>> {
    let mut lists = Vec::new();
    for text in texts {
        lists.push(
            Plist::new(env)
                .put(":label", text.label.as_str())?
                .put(":text", text.text.as_str())?
                .put(":replaces", text.replaces)?
                .put(":field", text.field)?
                .put(":above", quoted(env, text.above.as_slice())?)?
                .list()?,
        );
    }
    symbol(env, "list")?.call(&lists[..])
}

/// The leases, a list of plists.
pub fn leases<'e>(env: &'e Env, leases: &[Lease]) -> Result<Value<'e>> {
    let mut lists = Vec::new();
    for lease in leases {
        let scope = &lease.scope;
        lists.push(
            Plist::new(env)
                .put(":number", number(lease.number))?
                .put(":program", scope.program)?
                .put(":command", scope.command.as_str())?
                .put(":host", scope.host.as_str())?
                .put(":owner", scope.owner.as_str())?
                .put(":repo", scope.repo.as_str())?
                .put(":account", scope.account.as_deref())?
                .put(":cwd", scope.cwd.to_string_lossy().into_owned())?
                .put(":seconds", number(lease.left().as_secs()))?
                .put(":uses", number(lease.uses))?
                .list()?,
        );
    }
    symbol(env, "list")?.call(&lists[..])
}

/// The progress of a call, as a progress function gets it.
pub fn progress<'e>(env: &'e Env, live: &Live, progress: &Progress) -> Result<Value<'e>> {
    Plist::new(env)
        .put(":call", number(live.number()))?
        .put_symbol(":state", Some(state(progress.state)))?
        .put(":elapsed-ms", milliseconds(progress.elapsed))?
        .put(":bytes", number(progress.bytes))?
        .put(":last-line", progress.last_line.as_str())?
        .list()
}

/// A record of a call, as `cj/gate--mod-record` returns it.
pub fn record<'e>(env: &'e Env, record: &Record) -> Result<Value<'e>> {
    let Record { info, outcome, .. } = record;
    Plist::new(env)
        .put(":call", number(info.call))?
        .put(
            ":time",
            record.time.format("%Y-%m-%dT%H:%M:%S%z").to_string(),
        )?
        .put(":program", info.program)?
        .put_target(info.target.as_ref())?
        .put(":cwd", place(&info.cwd))?
        .put(":command", info.command.as_str())?
        .put_strings(":argv", &record.argv)?
        .put(":argv-sha256", info.argv_sha256.as_str())?
        .put_symbol(":class", Some(info.class.as_str()))?
        .put(":reason", info.reason.as_str())?
        .put_symbol(":policy", Some(info.answer.as_str()))?
        .put_symbol(
            ":approved-by",
            record.approved.map(crate::gate::ApprovedBy::as_str),
        )?
        .put(":exit-code", outcome.exit_code.map(i64::from))?
        .put(":duration-ms", number(outcome.duration_ms))?
        .put(":bytes-captured", number(outcome.bytes_captured))?
        .put(":bytes-dropped", number(outcome.bytes_dropped))?
        .put(":truncated", outcome.truncated)?
        .put_symbol(
            ":error-kind",
            outcome.kind.map(crate::gate::ErrorKind::as_str),
        )?
        .put(":header", outcome.header.as_str())?
        .put(":text", outcome.text.as_str())?
        .put(":reproduce", info.reproduce.as_str())?
        .list()
}

/// The path `dir` as one clean line: a directory's name can contain line ends and escapes.
fn place(dir: &Path) -> String {
    one_line(&neutral::neutral(&dir.to_string_lossy()))
}

/// The name of `state` in Lisp.  Work that is done stays `running` until `drain` has returned it.
pub const fn state(state: State) -> &'static str {
    match state {
        State::Queued => "queued",
        State::Running | State::Done => "running",
    }
}
