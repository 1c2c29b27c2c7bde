//! The options and keys that the calls of all programs share: directories, policies, the chat, the part of a kept result.

use std::path::PathBuf;

use emacs::{Env, Value};

use crate::emacs::edge::arguments::{count, path, text};
use crate::emacs::edge::convert::{get, rows, sequence, utf8_strings};
use crate::emacs::edge::fault::Fault;
use crate::foreign::Foreign;
use crate::gate::decide::policy::Layer;
use crate::gate::result::budget;
use crate::gate::result::slices::SliceRequest;

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
pub fn policies(env: &Env, plist: Value<'_>) -> Result<Vec<Layer>, Fault> {
    let mut policies = Vec::new();
    if let Some(layers) = get::<Value<'_>>(env, plist, ":policies")? {
        for layer in sequence(env, layers)? {
            policies.push(layer_of(env, layer)?);
        }
    }
    Ok(policies)
}

/// The number of tokens under `:result-budget`, raised or cut to the allowed range.
pub fn result_budget(env: &Env, plist: Value<'_>) -> Result<Option<usize>, Fault> {
    let tokens = get::<i64>(env, plist, ":result-budget")?;
    Ok(tokens.map(|tokens| {
        usize::try_from(tokens)
            .unwrap_or(0)
            .clamp(budget::LEAST, budget::MOST)
    }))
}

/// The number of the chat that a call belongs to, under `:chat`; 0 without a chat.
pub fn chat(env: &Env, keys: Value<'_>) -> Result<u64, Fault> {
    let chat = get::<i64>(env, keys, ":chat")?;
    Ok(chat.and_then(|chat| u64::try_from(chat).ok()).unwrap_or(0))
}

/// The part of a kept result that is asked for, under `:lines`, `:pattern`, `:file` and `:hunk`.
pub fn slice_request(env: &Env, keys: Value<'_>) -> Result<SliceRequest, Fault> {
    Ok(SliceRequest {
        lines: text(env, keys, ":lines", "lines")?,
        pattern: text(env, keys, ":pattern", "pattern")?,
        file: text(env, keys, ":file", "file")?,
        hunk: count(env, keys, ":hunk", "hunk")?,
    })
}

/// The layer of policy in `plist`: `:general` has rows, `:hosts` an alist of hosts and their rows.
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
