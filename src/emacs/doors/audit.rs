//! The audit log: how it is kept, how it is doing, what stands in it.

use std::time::Duration;

use emacs::{Env, Result, Value, defun};

use crate::emacs::answer;
use crate::emacs::edge::convert;
use crate::emacs::edge::doorbell as door;
use crate::emacs::edge::doorbell::{Finished, What};
use crate::emacs::edge::plist;
use crate::emacs::gate::audit;
use crate::gate::record::audit as log;
use crate::gate::record::audit::answer::LogAnswer;
use crate::gate::{self, Cleaner, Refusal};
use crate::run;

/// Say how calls are kept from now on, by OPTIONS: `:folder` (bytes; nil: no audit log), `:days`, `:required`, `:records`.
#[defun]
fn audit_configure<'e>(env: &'e Env, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        log::configure(audit::settings_of(env, options)?);
        let records = audit::count(env, options, ":records")?;
        gate::keep_records(records.map_or(gate::RECORDS_KEPT, |n| n as usize));
        Ok(())
    })
}

/// How the audit log is doing: a plist with `:written`, `:waiting`, `:lost` and `:trouble`, what is wrong with its folder included.
#[defun]
fn audit_state(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        let mut state = log::state();
        if let (None, Some(folder)) = (&state.trouble, &log::settings().folder) {
            state.trouble = log::folder::look(folder).err().map(|why| why.to_string());
        }
        Ok(audit::state(env, &state)?)
    })
}

/// Why the audit log cannot be written, the first time that this is asked; else nil.
#[defun]
fn audit_trouble(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        Ok(log::unsaid_trouble().map(|why| Cleaner::latest().line(&why)))
    })
}

/// Wait until every line has been tried, at most MILLISECONDS; whether all have.
#[defun]
fn audit_flush(milliseconds: u64) -> Result<bool> {
    Ok(log::flush(Duration::from_millis(milliseconds.min(10_000))))
}

/// Read the audit log of OPTIONS in the background for QUESTION; return a ticket.
/// QUESTION is `search`, `by-host` or `verify`; what comes of it is a plist.
#[defun]
fn audit_ask<'e>(env: &'e Env, question: Value<'e>, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let wanted = audit::wanted(env, options)?;
        let question = convert::symbol_name(env, question)?;
        let clean = Cleaner::latest();
        let ticket = door::admit(What::Log, |report| {
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
