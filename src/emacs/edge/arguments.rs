//! The arguments of a call, each under a key of a plist, and the refusal of one that is not of its kind.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::Duration;

use emacs::{Env, Value};

use super::convert::get;
use super::fault::Fault;
use crate::gate::{ErrorKind, Refusal};

/// A file name, passed as the bytes that the system knows it by.
pub fn path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}

/// The refusal of the argument `what`, which must be `wanted`.
pub fn bad(what: &str, wanted: &str) -> Fault {
    Fault::Refusal(Refusal::new(
        ErrorKind::BadArgument,
        format!("The argument `{what}' must be {wanted}.\nCall again with it."),
    ))
}

/// A string under KEY, which models call `name`.
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

/// A natural number under KEY, which models call `name`.
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

/// A number of seconds, whole or not.
pub fn seconds(env: &Env, keys: Value<'_>, key: &'static str) -> Result<Option<Duration>, Fault> {
    let Some(value) = get::<Value<'_>>(env, keys, key)? else {
        return Ok(None);
    };
    time(env, value).map(Some)
}

/// The number of seconds VALUE.
pub fn time(env: &Env, value: Value<'_>) -> Result<Duration, Fault> {
    let bad = || bad("timeout", "a number of seconds, zero or greater");
    let number = env.call("float", [value]).and_then(Value::into_rust::<f64>);
    Duration::try_from_secs_f64(number.map_err(|_| bad())?).map_err(|_| bad())
}
