//! The plists that the Lisp layer passes: what is asked for, and the user's options.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use emacs::{Env, Value};

use super::Fault;
use super::edge::convert::{argv, get, rows, sequence, strings, symbol_name, utf8_strings};
use super::edge::values;
use crate::foreign::Foreign;
use crate::gate::decide::policy::Layer;
use crate::gate::result::budget;
use crate::gate::result::slices::Ask;
use crate::gate::{Cwd, ErrorKind, Refusal};
use crate::gh::call::request::{Request, Settings};
use crate::gh::tools::ToolCall;
use crate::gh::tools::download::{Artifact, Download};
use crate::gh::tools::view::{View, ViewOptions};
use crate::gh::tools::views;
use crate::net::settings::NetSettings;
use crate::run::Keep;

/// A file name, passed as the bytes that the system knows it by.
pub fn path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}

/// The environment entries under `:environment`.
pub fn environment(env: &Env, plist: Value<'_>) -> Result<Foreign<Vec<String>>, Fault> {
    match get::<Value<'_>>(env, plist, ":environment")? {
        Some(list) => Ok(utf8_strings(env, list)?.into()),
        None => Ok(Foreign::default()),
    }
}

/// The git program under `:git`.
pub fn git(env: &Env, plist: Value<'_>) -> Result<Option<PathBuf>, Fault> {
    Ok(get::<Vec<u8>>(env, plist, ":git")?.map(path))
}

/// The directories under `:roots`.
pub fn roots(env: &Env, plist: Value<'_>) -> Result<Vec<PathBuf>, Fault> {
    let Some(list) = get::<Value<'_>>(env, plist, ":roots")? else {
        return Ok(Vec::new());
    };
    let mut out = Vec::new();
    for element in sequence(env, list)? {
        out.push(path(element.into_rust::<Vec<u8>>()?));
    }
    Ok(out)
}

/// The layers of policy under `:policies`.
fn policies(env: &Env, plist: Value<'_>) -> Result<Vec<Layer>, Fault> {
    let mut policies = Vec::new();
    if let Some(layers) = get::<Value<'_>>(env, plist, ":policies")? {
        for layer in sequence(env, layers)? {
            policies.push(layer_of(env, layer)?);
        }
    }
    Ok(policies)
}

/// The options of `cj/net--settings`.
pub fn net_settings(env: &Env, plist: Value<'_>) -> Result<NetSettings, Fault> {
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

/// The options of `cj/gh--settings`.
pub fn settings(env: &Env, plist: Value<'_>) -> Result<Settings, Fault> {
    Ok(Settings {
        executable: get::<Vec<u8>>(env, plist, ":executable")?.map(path),
        executable_name: get::<String>(env, plist, ":executable-name")?.unwrap_or_default(),
        environment: environment(env, plist)?,
        roots: roots(env, plist)?,
        policies: policies(env, plist)?,
        known_hosts: get::<Value<'_>>(env, plist, ":known-hosts")?
            .map(|list| strings(env, list))
            .transpose()?,
        result_budget: result_budget(env, plist)?,
        accounts: get::<Value<'_>>(env, plist, ":accounts")?
            .map(|list| rows(env, list))
            .transpose()?
            .unwrap_or_default(),
        timeouts: get::<Value<'_>>(env, plist, ":timeouts")?
            .map(|list| timeouts(env, list))
            .transpose()?
            .unwrap_or_default(),
        default_host: get::<String>(env, plist, ":default-host")?
            .unwrap_or_else(|| "github.com".into()),
        artifact_directory: get::<Vec<u8>>(env, plist, ":artifact-directory")?.map(path),
        artifact_bytes: get::<i64>(env, plist, ":artifact-bytes")?
            .and_then(|bytes| u64::try_from(bytes).ok())
            .unwrap_or(0),
    })
}

/// The tokens under `:result-budget`, within what is allowed.
fn result_budget(env: &Env, plist: Value<'_>) -> Result<Option<usize>, Fault> {
    let tokens = get::<i64>(env, plist, ":result-budget")?;
    Ok(tokens.map(|tokens| {
        usize::try_from(tokens)
            .unwrap_or(0)
            .clamp(budget::LEAST, budget::MOST)
    }))
}

/// The number of the chat that a call belongs to, under `:chat`; 0 where none is said.
pub fn chat(env: &Env, keys: Value<'_>) -> Result<u64, Fault> {
    let chat = get::<i64>(env, keys, ":chat")?;
    Ok(chat.and_then(|chat| u64::try_from(chat).ok()).unwrap_or(0))
}

/// What is asked for of a kept result, under `:lines`, `:pattern`, `:file` and `:hunk`.
pub fn ask(env: &Env, keys: Value<'_>) -> Result<Ask, Fault> {
    Ok(Ask {
        lines: text(env, keys, ":lines", "lines")?,
        pattern: text(env, keys, ":pattern", "pattern")?,
        file: text(env, keys, ":file", "file")?,
        hunk: count(env, keys, ":hunk", "hunk")?,
    })
}

/// One layer of policy: a plist with `:general`, rows, and `:hosts`, an alist of host and rows.
fn layer_of(env: &Env, plist: Value<'_>) -> Result<Layer, Fault> {
    let general = get::<Value<'_>>(env, plist, ":general")?
        .map(|list| rows(env, list))
        .transpose()?;
    let mut hosts = Vec::new();
    if let Some(list) = get::<Value<'_>>(env, plist, ":hosts")? {
        for entry in sequence(env, list)? {
            hosts.push((entry.car::<String>()?, rows(env, entry.cdr()?)?));
        }
    }
    Ok(Layer {
        general: general.unwrap_or_default(),
        hosts,
    })
}

/// The keys of `cj/gate-plan`.
pub fn request(env: &Env, words: Value<'_>, keys: Value<'_>) -> Result<Request, Fault> {
    let facts = get::<Value<'_>>(env, keys, ":facts")?
        .map(|value| values::facts(value))
        .transpose()?;
    let local = get::<Vec<u8>>(env, keys, ":cwd").ok().flatten();
    let cwd = match get::<String>(env, keys, ":remote-cwd")? {
        Some(name) => Some(Cwd::Remote(name)),
        None => local.map(|bytes| Cwd::Local(path(bytes))),
    };
    Ok(Request {
        argv: argv(env, words)?.into(),
        cwd,
        facts,
        hostname: text(env, keys, ":hostname", "hostname")?,
        repo: text(env, keys, ":repo", "repo")?,
        timeout: seconds(env, keys, ":timeout")?,
        usual_timeout: seconds(env, keys, ":usual-timeout")?,
        cap: count(env, keys, ":cap", "cap")?.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
        keep: keep(env, keys)?,
        edited: get::<Value<'_>>(env, keys, ":edited")?.is_some(),
    })
}

/// The same with how the result is rendered and what is to be downloaded.
pub fn tool_call(env: &Env, words: Value<'_>, keys: Value<'_>) -> Result<ToolCall, Fault> {
    Ok(ToolCall {
        request: request(env, words, keys)?,
        view: view(env, keys)?,
        download: download(env, keys)?,
    })
}

/// The artifact under `:download`: `:run` and `:name`, and with them either `:id`, `:size` and `:digest` or `:kind` and `:message`.
fn download(env: &Env, keys: Value<'_>) -> Result<Option<Download>, Fault> {
    let Some(list) = get::<Value<'_>>(env, keys, ":download")? else {
        return Ok(None);
    };
    let found = match get::<Value<'_>>(env, list, ":kind")? {
        Some(kind) => {
            let name = symbol_name(env, kind)?;
            let kind = ErrorKind::ALL.iter().find(|kind| kind.as_str() == name);
            Err(Refusal::new(
                kind.copied().unwrap_or(ErrorKind::Module),
                text(env, list, ":message", "message")?.unwrap_or_default(),
            ))
        }
        None => Ok(Artifact {
            id: count(env, list, ":id", "id")?.unwrap_or(0),
            size: count(env, list, ":size", "size")?.unwrap_or(0),
            digest: text(env, list, ":digest", "digest")?,
        }),
    };
    Ok(Some(Download {
        run: count(env, list, ":run", "run_id")?.unwrap_or(0),
        name: text(env, list, ":name", "name")?.unwrap_or_default(),
        found,
    }))
}

fn bad(what: &str, wanted: &str) -> Fault {
    Fault::Refusal(Refusal::new(
        ErrorKind::BadArgument,
        format!("The argument `{what}' must be {wanted}.\nCall again with it."),
    ))
}

fn text(
    env: &Env,
    keys: Value<'_>,
    key: &'static str,
    name: &str,
) -> Result<Option<String>, Fault> {
    let text = get::<String>(env, keys, key).map_err(|_| bad(name, "a string"))?;
    if text.as_ref().is_some_and(|t| t.contains('\0')) {
        return Err(bad(name, "a string without NUL characters"));
    }
    Ok(text)
}

fn count(env: &Env, keys: Value<'_>, key: &'static str, name: &str) -> Result<Option<u64>, Fault> {
    let number = get::<i64>(env, keys, key).map_err(|_| bad(name, "a whole number"))?;
    number
        .map(|n| u64::try_from(n).map_err(|_| bad(name, "a whole number, zero or greater")))
        .transpose()
}

/// A number of seconds, whole or not.
fn seconds(env: &Env, keys: Value<'_>, key: &'static str) -> Result<Option<Duration>, Fault> {
    let Some(value) = get::<Value<'_>>(env, keys, key)? else {
        return Ok(None);
    };
    time(env, value).map(Some)
}

fn time(env: &Env, value: Value<'_>) -> Result<Duration, Fault> {
    let bad = || bad("timeout", "a number of seconds, zero or greater");
    let number = env.call("float", [value]).and_then(Value::into_rust::<f64>);
    Duration::try_from_secs_f64(number.map_err(|_| bad())?).map_err(|_| bad())
}

/// The rows of `cj/gh-timeouts`: a command and its seconds.
fn timeouts(env: &Env, alist: Value<'_>) -> Result<Vec<(String, Duration)>, Fault> {
    let mut out = Vec::new();
    for row in sequence(env, alist)? {
        out.push((row.car::<String>()?, time(env, row.cdr()?)?));
    }
    Ok(out)
}

fn keep(env: &Env, keys: Value<'_>) -> Result<Option<Keep>, Fault> {
    let Some(symbol) = get::<Value<'_>>(env, keys, ":keep")? else {
        return Ok(None);
    };
    match symbol_name(env, symbol)?.as_str() {
        "head" => Ok(Some(Keep::Head)),
        "head-tail" => Ok(Some(Keep::HeadTail)),
        _ => Err(bad("keep", "`head' or `head-tail'")),
    }
}

fn view(env: &Env, keys: Value<'_>) -> Result<Option<Arc<dyn View>>, Fault> {
    let Some(view) = get::<Value<'_>>(env, keys, ":view")? else {
        return Ok(None);
    };
    let name = symbol_name(env, view.car()?)?;
    if name == "plain" {
        return Ok(None);
    }
    let options: Value<'_> = view.cdr()?;
    let told = ViewOptions {
        include_body: get::<Value<'_>>(env, options, ":include-body")?.is_some(),
        branch: text(env, options, ":branch", "branch")?,
        state: text(env, options, ":state", "state")?,
        search: text(env, options, ":search", "search")?,
        limit: count(env, options, ":limit", "limit")?,
        file: text(env, options, ":file", "file")?,
        hunk: count(env, options, ":hunk", "hunk")?,
        number: count(env, options, ":number", "number")?,
        run: count(env, options, ":run", "run_id")?,
        job: count(env, options, ":job", "job_id")?,
    };
    views::named(&name, &told)
        .map(Some)
        .ok_or_else(|| bad("view", "`plain' or the name of one of the tools' views"))
}
