//! The doors of what the gate keeps of calls in memory: their records, and the whole results that were cut.

use emacs::{Env, Result, Value, defun};

use super::known;
use crate::emacs::answer;
use crate::emacs::edge::doorbell::{self, Finished, WorkKind};
use crate::emacs::edge::plist;
use crate::emacs::edge::{arguments::path, convert};
use crate::emacs::gate::{plists, settings};
use crate::gate::{self, Asker, Refusal, records_newest_first};

/// The record of CALL, a number; nil if it is not kept.
#[defun]
fn record(env: &Env, call: u64) -> Result<Value<'_>> {
    answer(env, || {
        let record = gate::record_of_call(call);
        Ok(record
            .map(|record| plists::record(env, &record))
            .transpose()?)
    })
}

/// The newest COUNT records, newest first; with BRIEF, without the text of their results.
#[defun]
fn records<'e>(env: &'e Env, count: u64, brief: Option<Value<'e>>) -> Result<Value<'e>> {
    answer(env, || {
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        let records = match brief {
            Some(_) => gate::record_heads_newest_first(wanted),
            None => records_newest_first(wanted),
        };
        let lists = records
            .iter()
            .map(|r| plists::record(env, r))
            .collect::<Result<Vec<_>>>()?;
        Ok(env.call("list", &lists[..])?)
    })
}

/// How many records are kept.
#[defun]
fn record_count() -> Result<i64> {
    Ok(i64::try_from(gate::record_count()).unwrap_or(i64::MAX))
}

/// Forget all records; return how many there were.
#[defun]
fn forget_records() -> Result<i64> {
    Ok(i64::try_from(gate::forget_records()).unwrap_or(i64::MAX))
}

/// See `cj/gate-more`; return a ticket.  OPTIONS are the settings of PROGRAM in the current buffer.
#[defun]
fn more<'e>(
    env: &'e Env,
    program: String,
    handle: String,
    keys: Value<'e>,
    options: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let program = known(&program)?;
        let ask = settings::slice_request(env, keys)?;
        let judge = program.judge(env, options)?;
        let asker = Asker {
            chat: settings::chat(env, keys)?,
            judge,
        };
        let ticket = doorbell::start_work(WorkKind::Slice, |report| {
            Ok::<_, Refusal>(gate::start_more(
                program.name(),
                handle,
                ask,
                asker,
                |outcome| {
                    report(Finished::Ran(Box::new(outcome)));
                },
            ))
        })?;
        Ok(plist::number(ticket))
    })
}

/// Set the directory for logs that are kept in files: `:folder` of OPTIONS, a plist (bytes; nil: none, logs stay in memory).
#[defun]
fn kept_configure<'e>(env: &'e Env, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let folder = convert::get::<Vec<u8>>(env, options, ":folder")?;
        gate::kept_files::configure(folder.map(path));
        Ok(env.intern("nil")?)
    })
}

/// How many results are kept in memory for `more`, and how many bytes they have: (RESULTS . BYTES).
#[defun]
fn kept(env: &Env) -> Result<Value<'_>> {
    let (results, bytes) = gate::result::shelf::holds();
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    env.cons(number(results), number(bytes))
}

/// Forget the kept results of the chat with the number CHAT.
#[defun]
fn forget_chat(chat: u64) -> Result<()> {
    gate::result::shelf::forget_chat(chat);
    Ok(())
}

/// Forget every kept result.
#[defun]
fn forget_kept() -> Result<()> {
    gate::result::shelf::clear();
    Ok(())
}
