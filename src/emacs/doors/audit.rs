//! The doors of the audit log: its settings, its state, and questions about its lines.

use std::time::Duration;

use emacs::{Env, Result, Value, defun};

use crate::emacs::answer;
use crate::emacs::edge::convert;
use crate::emacs::edge::doorbell::{self, Finished, WorkKind};
use crate::emacs::edge::plist;
use crate::emacs::gate::audit;
use crate::gate::record::audit as log;
use crate::gate::record::audit::answer::LogAnswer;
use crate::gate::{self, Cleaner, Refusal};
use crate::run;

/// Set how calls are kept from now on.
/// OPTIONS is a plist: `:folder` (bytes; nil: no audit log), `:days` (how long files are kept), `:required` (non-nil: no call that
/// may change something runs without the log) and `:records` (how many records are kept in memory).
#[defun]
fn audit_configure<'e>(env: &'e Env, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        log::configure(audit::settings_of(env, options)?);
        let records = audit::count(env, options, ":records")?;
        gate::keep_records(records.map_or(gate::RECORDS_KEPT, |n| n as usize));
        Ok(())
    })
}

/// The state of the audit log: a plist with `:written`, `:waiting` and `:lost`, numbers of lines, and `:trouble`, a string or nil.
/// `:trouble` also names a fault of the folder before the first line is written.
#[defun]
fn audit_state(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        let mut state = log::state();
        if let (None, Some(folder)) = (&state.trouble, &log::settings().folder) {
            state.trouble = log::folder::check(folder).err().map(|why| why.to_string());
        }
        Ok(audit::state(env, &state)?)
    })
}

/// Why the audit log cannot be written, on the first call after that trouble began; else nil.
#[defun]
fn audit_trouble(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        Ok(log::unsaid_trouble().map(|why| Cleaner::latest().line(&why)))
    })
}

/// Wait until the log's thread has tried every line, at most MILLISECONDS; return non-nil if it has.
#[defun]
fn audit_flush(milliseconds: u64) -> Result<bool> {
    Ok(log::flush(Duration::from_millis(milliseconds.min(10_000))))
}

/// Read the audit log of OPTIONS in the background for QUESTION; return a ticket.
/// QUESTION is `search`, `by-host` or `verify`; the ticket's value is a plist.
#[defun]
fn audit_ask<'e>(env: &'e Env, question: Value<'e>, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let wanted = audit::wanted(env, options)?;
        let question = convert::symbol_name(env, question)?;
        let clean = Cleaner::latest();
        let ticket = doorbell::start_work(WorkKind::Log, |report| {
            Ok::<_, Refusal>(run::start_aside(Box::new(move |cancel| {
                let go_on = || !cancel.cancelled();
                let made = match question.as_str() {
                    "verify" => {
                        let own = log::head(&wanted.folder);
                        let report = log::verify::verify(&wanted.folder, own.as_ref(), &go_on);
                        LogAnswer::Verified(report)
                    }
                    "by-host" => {
                        let (sums, found) = log::search::by_host(&wanted.folder, &clean, &go_on);
                        LogAnswer::ByHost(sums, found)
                    }
                    _ => LogAnswer::Found(log::search::search(&wanted, &clean, &go_on)),
                };
                report(Finished::Audit(Box::new(made)));
            })))
        })?;
        Ok(plist::number(ticket))
    })
}
