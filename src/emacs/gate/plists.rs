//! The core's values as Lisp property lists.

use std::path::Path;
use std::time::Duration;

use emacs::{Env, IntoLisp, Result, Value};

use super::edge::doorbell::{What, Work};
use super::edge::symbols::symbol;
use crate::gate::call::question::Fact;
use crate::gate::decide::lease::Lease;
use crate::gate::record::written;
use crate::gate::result::cleaner::one_line;
use crate::gate::{Live, Outcome, Outgoing, PlanInfo, Progress, Record, Seen, Target};
use crate::gh::drift::sweep::Report;
use crate::redact::neutral;
use crate::run::State;

/// A plist under construction.
pub struct Plist<'e> {
    env: &'e Env,
    items: Vec<Value<'e>>,
}

impl<'e> Plist<'e> {
    /// An empty plist.
    pub fn new(env: &'e Env) -> Self {
        Self {
            env,
            items: Vec::with_capacity(32),
        }
    }

    /// Adds KEY (with its colon) and a value.
    pub fn put(self, key: &'static str, value: impl IntoLisp<'e>) -> Result<Self> {
        let key = symbol(self.env, key)?;
        self.put_by(key, value)
    }

    /// The same for a key that is a symbol already.
    pub fn put_by(mut self, key: Value<'e>, value: impl IntoLisp<'e>) -> Result<Self> {
        self.items.push(key);
        self.items.push(value.into_lisp(self.env)?);
        Ok(self)
    }

    /// Adds KEY and a symbol; nil for none.
    pub fn put_symbol(self, key: &'static str, name: Option<&'static str>) -> Result<Self> {
        let env = self.env;
        match name {
            Some(name) => {
                let value = symbol(env, name)?;
                self.put(key, value)
            }
            None => self.put(key, ()),
        }
    }

    /// Adds KEY and a list of strings.
    pub fn put_strings(self, key: &'static str, words: &[String]) -> Result<Self> {
        let list = strings(self.env, words)?;
        self.put(key, list)
    }

    /// Adds all of TARGET under `:host :owner :repo :account :source`.
    pub fn put_target(self, target: Option<&Target>) -> Result<Self> {
        self.put(":host", target.map(|t| t.host.as_str()))?
            .put(":owner", target.and_then(|t| t.owner.as_deref()))?
            .put(":repo", target.and_then(|t| t.repo.as_deref()))?
            .put(":account", target.and_then(|t| t.account.as_deref()))?
            .put_symbol(":source", target.map(|t| t.source.as_str()))
    }

    /// The finished list.
    pub fn list(self) -> Result<Value<'e>> {
        symbol(self.env, "list")?.call(&self.items[..])
    }
}

/// A Lisp list of strings.
pub fn strings<'e>(env: &'e Env, words: &[String]) -> Result<Value<'e>> {
    let values = words
        .iter()
        .map(|w| w.into_lisp(env))
        .collect::<Result<Vec<_>>>()?;
    symbol(env, "list")?.call(&values[..])
}

/// A target as `:host :owner :repo :account :source`.
pub fn target<'e>(env: &'e Env, target: &Target) -> Result<Value<'e>> {
    Plist::new(env).put_target(Some(target))?.list()
}

/// An outcome, as `cj/gate-run` hands it to its callback.
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

/// What may be shown of a Plan, as `cj/gate-plan-info` gives it.
pub fn info<'e>(
    env: &'e Env,
    info: &PlanInfo,
    refusal: Option<&crate::gate::Refusal>,
    leased: bool,
) -> Result<Value<'e>> {
    Plist::new(env)
        .put_symbol(":class", Some(info.class.as_str()))?
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
        .put(":texts", outgoing(env, &info.question.texts)?)?
        .put(":rows", facts(env, &info.question.rows)?)?
        .put(":sentence", info.question.sentence.as_str())?
        .put(":looks", looks(env, info)?)?
        .put(":first-write", written::is_first(info))?
        .put(":no-lease", info.no_lease.as_deref())?
        .put(":leased", leased)?
        .list()
}

/// The argv of each read that is to come before a person is asked, a list of lists of strings.
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

/// What the reads before a question gave, as `cj/gate--mod-seen` gives it.
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

/// Lines that a person decides by, each a plist of a label, a text and how it bears on the call.
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

/// Texts by their names, an alist of strings.
fn rows<'e>(env: &'e Env, rows: &[(&str, String)]) -> Result<Value<'e>> {
    let pairs = rows
        .iter()
        .map(|(label, line)| env.cons(*label, line.as_str()))
        .collect::<Result<Vec<_>>>()?;
    env.call("list", &pairs[..])
}

/// Texts that a call sends, a list of plists.
fn outgoing<'e>(env: &'e Env, texts: &[Outgoing]) -> Result<Value<'e>> {
    let mut lists = Vec::new();
    for text in texts {
        lists.push(
            Plist::new(env)
                .put(":label", text.label.as_str())?
                .put(":text", text.text.as_str())?
                .put(":replaces", text.replaces)?
                .put(":field", text.field)?
                .list()?,
        );
    }
    symbol(env, "list")?.call(&lists[..])
}

/// Leases, a list of plists.
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

/// Work that is queued or under way, as `cj/gate--mod-runs` lists it.
pub fn work<'e>(env: &'e Env, ticket: u64, work: &Work) -> Result<Value<'e>> {
    let (what, live) = match &work.what {
        What::Call(live) => ("call", Some(live)),
        What::Check(live) => ("check", Some(live)),
        What::Version => ("check", None),
        What::Facts => ("facts", None),
        What::Drift => ("drift", None),
        What::Slice => ("slice", None),
        What::Log => ("log", None),
    };
    let list = Plist::new(env)
        .put(":ticket", number(ticket))?
        .put_symbol(":what", Some(what))?
        .put_symbol(":state", Some(state(work.handle.state())))?
        .put(":elapsed-ms", milliseconds(work.handle.elapsed()))?
        .put(":bytes", number(work.handle.bytes()))?;
    let Some(live) = live else {
        return list.list();
    };
    list.put(":call", number(live.number()))?
        .put(":program", live.program())?
        .put(":command", live.command())?
        .put_symbol(":class", Some(live.class().as_str()))?
        .put_target(live.target())?
        .put_strings(":argv", live.argv())?
        .list()
}

/// How far a call is, as a progress function gets it.
pub fn progress<'e>(env: &'e Env, live: &Live, progress: &Progress) -> Result<Value<'e>> {
    Plist::new(env)
        .put(":call", number(live.number()))?
        .put_symbol(":state", Some(state(progress.state)))?
        .put(":elapsed-ms", milliseconds(progress.elapsed))?
        .put(":bytes", number(progress.bytes))?
        .put(":last-line", progress.last_line.as_str())?
        .list()
}

/// One that is done has not been fetched yet: for Lisp it still runs.
const fn state(state: State) -> &'static str {
    match state {
        State::Queued => "queued",
        State::Running | State::Done => "running",
    }
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// A record, as `cj/gh-tool-last-error` shows it.
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

/// How an installed gh differs from the catalog, as `cj/gate--mod-drift` reports it.
pub fn drift<'e>(env: &'e Env, report: &Report) -> Result<Value<'e>> {
    let drift = &report.drift;
    Plist::new(env)
        .put(":version", report.version.as_str())?
        .put(":leaves", count(drift.leaves))?
        .put(":flags", count(drift.flags))?
        .put_strings(":unknown-leaves", &drift.unknown_leaves)?
        .put_strings(":unknown-flags", &drift.unknown_flags)?
        .put_strings(":changed", &drift.changed)?
        .put(":lacking", count(drift.lacking))?
        .put_strings(":extensions", &drift.extensions)?
        .put_strings(":aliases", &drift.aliases)?
        .put_strings(":unread", &drift.unread)?
        .list()
}

/// A length as a Lisp integer.
pub fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// A directory as one line that can be shown: whoever makes directories chooses their names.
fn place(dir: &Path) -> String {
    one_line(&neutral::neutral(&dir.to_string_lossy()))
}

/// A count as a Lisp integer; Emacs has no unsigned 64-bit ones.
pub fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
