//! The doors of the network tools besides their calls: validators, facts, programs.

use emacs::{Env, Result, Value, defun};

use crate::emacs::answer;
use crate::emacs::edge::convert;
use crate::emacs::edge::doorbell::{self, Finished, WorkKind};
use crate::emacs::edge::plist::{self, Plist};
use crate::emacs::net::settings;
use crate::gate::{ErrorKind, Refusal};
use crate::net;
use crate::net::ask::Ask;
use crate::net::validate::{self, Check, Input};

/// See `cj/net-validate`.
/// CHECK is a symbol; INPUT a string, a number, or for a target a plist; RESOLVED a list of strings.
#[defun]
fn net_validate<'e>(
    env: &'e Env,
    check: Value<'e>,
    input: Value<'e>,
    resolved: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let name = convert::symbol_name(env, check)?;
        let check = Check::named(&name).ok_or_else(|| {
            Refusal::new(
                ErrorKind::BadArgument,
                "There is no validator of this name.\nUse target, subnet, ports, dns-type, dns-server or dns-name.",
            )
        })?;
        let resolved = convert::strings(env, resolved)?;
        let is = |predicate: &str, value| -> Result<bool> {
            Ok(env.call(predicate, [value])?.is_not_nil())
        };
        let (text, external) = if check == Check::Target && is("consp", input)? {
            let get = |key: &str| env.call("plist-get", (input, env.intern(key)?));
            (get(":host")?, get(":external")? == env.intern("t")?)
        } else {
            (input, false)
        };
        // A string that is not valid Unicode becomes `Input::Other`, which every validator refuses.
        let string = text.into_rust::<String>().ok();
        let input = match (&string, check) {
            (Some(text), Check::Target) => Input::Host(text, external),
            (Some(text), _) => Input::Text(text),
            (None, _) => match text.into_rust::<i64>() {
                Ok(number) => Input::Number(number),
                Err(_) => Input::Other,
            },
        };
        let answer = validate::validate(check, input, &resolved);
        Ok(Plist::new(env)
            .put_symbol(":verdict", Some(answer.verdict.as_str()))?
            .put(":reason", answer.reason)?
            .put(":pinned", answer.pinned)?
            .list()?)
    })
}

/// Collect the facts by which a network call of ARGV is judged, such as the addresses of a name; return a ticket.
#[defun]
fn net_facts<'e>(env: &'e Env, argv: Value<'e>, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let ask = Ask::read(&convert::argv(env, argv)?)?;
        let options = settings(env, options)?;
        let ticket = doorbell::start_work(WorkKind::NetFacts, |report| {
            net::look_up::collect(&ask, &options, |facts| report(Finished::NetFacts(facts)))
        })?;
        Ok(plist::number(ticket))
    })
}

/// The programs that the network tools use: a list of (NAME WHAT DEBIAN FEDORA ARCH), strings.
/// The last three name the package in each distribution.
#[defun]
fn net_programs(env: &Env) -> Result<Value<'_>> {
    answer(env, || {
        let mut rows = Vec::new();
        for (name, what, [debian, fedora, arch]) in net::programs::PROGRAMS {
            rows.push(env.list((*name, *what, *debian, *fedora, *arch))?);
        }
        Ok(env.call("list", &rows[..])?)
    })
}
