//! The audit log's settings and questions from Lisp, and its findings and rows as property lists.

use std::path::PathBuf;

use emacs::{Env, Result, Value};

use crate::emacs::edge::arguments::path;
use crate::emacs::edge::convert;
use crate::emacs::edge::fault::Fault;
use crate::emacs::edge::plist::{Plist, number};
use crate::gate::record::audit::answer::LogAnswer;
use crate::gate::record::audit::search::{self, FoundLines, LogQuery, Row, Sum};
use crate::gate::record::audit::verify::{Flaw, Report};
use crate::gate::record::audit::{LogSettings, State};
use crate::gate::{ErrorKind, Refusal};

/// The folder under `:folder` in `options`.
///
/// # Errors
/// `bad-argument` without a folder.
pub fn folder(env: &Env, options: Value<'_>) -> std::result::Result<PathBuf, Fault> {
    convert::get::<Vec<u8>>(env, options, ":folder")?
        .map(path)
        .ok_or_else(|| {
            Refusal::new(
                ErrorKind::BadArgument,
                "No folder was given.\nSet `cj/gh-tool-audit-log-directory'.",
            )
            .into()
        })
}

/// The settings in `options`: `:folder`, `:days`, `:required`.
pub fn settings_of(env: &Env, options: Value<'_>) -> std::result::Result<LogSettings, Fault> {
    Ok(LogSettings {
        folder: convert::get::<Vec<u8>>(env, options, ":folder")?.map(path),
        days: count(env, options, ":days")?,
        required: convert::get::<Value<'_>>(env, options, ":required")?.is_some(),
    })
}

/// The search in `options`: `:folder`, `:regexp`, `:fold`, `:host`, `:skip`, `:most`.
pub fn wanted(env: &Env, options: Value<'_>) -> std::result::Result<LogQuery, Fault> {
    let regexp = convert::get::<String>(env, options, ":regexp")?;
    let fold = convert::get::<Value<'_>>(env, options, ":fold")?.is_some();
    let pattern = regexp
        .map(|text| search::compile(&text, fold))
        .transpose()
        .map_err(|error| Refusal::new(ErrorKind::BadArgument, error.to_string()))?;
    let size = |key| -> std::result::Result<usize, Fault> {
        Ok(count(env, options, key)?.map_or(0, |n| n as usize))
    };
    Ok(LogQuery {
        folder: folder(env, options)?,
        pattern,
        host: convert::get::<String>(env, options, ":host")?,
        skip: size(":skip")?,
        most: size(":most")?,
    })
}

/// The number under `key` in `plist`, or none; a number below zero counts as 0.
pub fn count(
    env: &Env,
    plist: Value<'_>,
    key: &'static str,
) -> std::result::Result<Option<u32>, Fault> {
    let number = convert::get::<i64>(env, plist, key)?;
    Ok(number.map(|n| u32::try_from(n.max(0)).unwrap_or(u32::MAX)))
}

/// The state of the log, as `cj/gate--mod-audit-state` returns it.
pub fn state<'e>(env: &'e Env, state: &State) -> Result<Value<'e>> {
    Plist::new(env)
        .put(":written", number(state.written))?
        .put(":waiting", number(state.waiting as u64))?
        .put(":lost", number(state.lost))?
        .put(":trouble", state.trouble.as_deref())?
        .list()
}

/// The answer to a question about the log, as a plist.
pub fn answer<'e>(env: &'e Env, answer: &LogAnswer) -> Result<Value<'e>> {
    match answer {
        LogAnswer::Found(found) => {
            let rows = list(env, &found.rows, row)?;
            counted(env, found)?.put(":rows", rows)?.list()
        }
        LogAnswer::ByHost(sums, found) => {
            let rows = list(env, sums, sum)?;
            counted(env, found)?.put(":rows", rows)?.list()
        }
        LogAnswer::Verified(report) => verified(env, report),
    }
}

fn counted<'e>(env: &'e Env, found: &FoundLines) -> Result<Plist<'e>> {
    Plist::new(env)
        .put(":matched", number(found.matched))?
        .put(":lines", number(found.lines))?
        .put_strings(":unread", &found.unread)?
        .put(":cancelled", found.cancelled)
}

fn list<'e, T>(
    env: &'e Env,
    items: &[T],
    each: impl Fn(&'e Env, &T) -> Result<Value<'e>>,
) -> Result<Value<'e>> {
    let values = items
        .iter()
        .map(|item| each(env, item))
        .collect::<Result<Vec<_>>>()?;
    env.call("list", &values[..])
}

/// A row as a plist: `:file`, `:line`, `:words` (the argv), and a key for each value; `:text` has a line of another form.
fn row<'e>(env: &'e Env, row: &Row) -> Result<Value<'e>> {
    let mut plist = Plist::new(env)
        .put(":file", row.file.as_str())?
        .put(":line", number(row.line))?
        .put_strings(":words", &row.words)?;
    for (key, value) in &row.values {
        let key = if *key == "line" {
            ":text".to_owned()
        } else {
            format!(":{key}")
        };
        plist = plist.put_by(env.intern(&key)?, value.as_str())?;
    }
    plist.list()
}

fn sum<'e>(env: &'e Env, sum: &Sum) -> Result<Value<'e>> {
    Plist::new(env)
        .put(":host", sum.host.as_str())?
        .put(":calls", number(sum.calls))?
        .put(":reads", number(sum.reads))?
        .put(":by-rule", number(sum.by_rule))?
        .put(":by-person", number(sum.by_person))?
        .put(":by-lease", number(sum.by_lease))?
        .put(":refused", number(sum.refused))?
        .put(":failed", number(sum.failed))?
        .put(":last", sum.last.as_str())?
        .list()
}

fn verified<'e>(env: &'e Env, report: &Report) -> Result<Value<'e>> {
    let finding = |env: &'e Env, finding: &Flaw| {
        Plist::new(env)
            .put(":file", finding.file.as_str())?
            .put(":line", number(finding.line))?
            .put_symbol(":wrong", Some(finding.wrong.as_str()))?
            .put(":words", finding.words.as_str())?
            .list()
    };
    let findings = list(env, &report.findings, finding)?;
    let notes = list(env, &report.notes, finding)?;
    Plist::new(env)
        .put(":findings", findings)?
        .put(":more", number(report.more))?
        .put(":notes", notes)?
        .put(":files", number(report.files))?
        .put(":lines", number(report.lines))?
        .put(":whole", number(report.whole))?
        .put(":writers", number(report.writers))?
        .put(":cancelled", report.cancelled)?
        .list()
}
