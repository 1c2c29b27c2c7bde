//! The arguments of a call, each under a key of a plist, and the refusal of an argument of the wrong type.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::Duration;

use emacs::{Env, Value};

use super::convert::get;
use super::fault::Fault;
use crate::gate::{ErrorKind, Refusal};

/// The path of `bytes`, a file name as the file system has it.
pub fn path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}

/// The refusal of the argument `what`; `wanted` completes the sentence `The argument must be …`.
pub fn bad(what: &str, wanted: &str) -> Fault {
    Fault::Refusal(Refusal::new(
        ErrorKind::BadArgument,
        format!("The argument `{what}' must be {wanted}.\nCall again with it."),
    ))
}

/// The string under `key` in `keys`; models know this argument as `name`.
///
/// # Errors
/// `bad-argument` where the value is no string, or contains a NUL.
pub fn text(
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

/// The natural number under `key` in `keys`; models know this argument as `name`.
///
/// # Errors
/// `bad-argument` where the value is no whole number, or below zero.
pub fn count(
    env: &Env,
    keys: Value<'_>,
    key: &'static str,
    name: &str,
) -> Result<Option<u64>, Fault> {
    let number = get::<i64>(env, keys, key).map_err(|_| bad(name, "a whole number"))?;
    number
        .map(|n| u64::try_from(n).map_err(|_| bad(name, "a whole number, zero or greater")))
        .transpose()
}

/// The number of seconds under `key` in `keys`, whole or not.
pub fn seconds(env: &Env, keys: Value<'_>, key: &'static str) -> Result<Option<Duration>, Fault> {
    let Some(value) = get::<Value<'_>>(env, keys, key)? else {
        return Ok(None);
    };
    time(env, value).map(Some)
}

/// The number of seconds `value`, whole or not.
///
/// # Errors
/// `bad-argument` where `value` is no number, or below zero.
pub fn time(env: &Env, value: Value<'_>) -> Result<Duration, Fault> {
    let bad = || bad("timeout", "a number of seconds, zero or greater");
    let number = env.call("float", [value]).and_then(Value::into_rust::<f64>);
    Duration::try_from_secs_f64(number.map_err(|_| bad())?).map_err(|_| bad())
}
