//! The network tools as a program: their calls and options from Lisp.

use emacs::{Env, Value};

use super::edge::arguments::path;
use super::edge::convert::{argv, get, sequence, strings};
use super::edge::fault::Fault;
use super::edge::values;
use super::gate::settings::{environment, policies, result_budget};
use super::program::{LispCall, Program};
use crate::gate::decide::policy;
use crate::gate::{Class, Judge, Plan};
use crate::net;
use crate::net::ask::Ask;
use crate::net::settings::NetSettings;

/// The network tools as a [`Program`].
pub struct Net;

impl Program for Net {
    fn name(&self) -> &'static str {
        "net"
    }

    fn check(&self, call: &LispCall<'_>) -> Result<(), Fault> {
        Ask::read(&argv(call.env, call.argv)?)?;
        Ok(())
    }

    fn plan(&self, call: &LispCall<'_>) -> Result<Plan, Fault> {
        let facts = get::<Value<'_>>(call.env, call.keys, ":facts")?
            .map(values::net_facts)
            .transpose()?;
        Ok(net::plan::plan(
            &argv(call.env, call.argv)?,
            &facts.unwrap_or_default(),
            get::<Value<'_>>(call.env, call.keys, ":edited")?.is_some(),
            &settings(call.env, call.options)?,
        )?)
    }

    fn unplanned(&self, argv: &[String]) -> (Class, String) {
        (Class::Read, argv.first().cloned().unwrap_or_default())
    }

    fn judge(&self, env: &Env, options: Value<'_>) -> Result<Box<Judge>, Fault> {
        let policies = settings(env, options)?.policies;
        Ok(Box::new(move |target| {
            let host = target.map_or("", |t| &t.host);
            Ok(policy::for_host(&policies, host, &[]))
        }))
    }
}

/// The settings in `plist`, which `cj/net--settings` makes.
pub fn settings(env: &Env, plist: Value<'_>) -> Result<NetSettings, Fault> {
    let mut programs = Vec::new();
    if let Some(rows) = get::<Value<'_>>(env, plist, ":programs")? {
        for row in sequence(env, rows)? {
            programs.push((row.car::<String>()?, path(row.cdr::<Vec<u8>>()?)));
        }
    }
    Ok(NetSettings {
        programs,
        environment: environment(env, plist)?,
        policies: policies(env, plist)?,
        result_budget: result_budget(env, plist)?,
        trusted: get::<Value<'_>>(env, plist, ":trusted")?
            .map(|list| strings(env, list))
            .transpose()?
            .unwrap_or_default(),
    })
}
