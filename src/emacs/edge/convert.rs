//! Converting Lisp values to the core's own types.

use emacs::{Env, ErrorKind as Kind, FromLisp, ModuleError, Value, Vector};

use super::fault::Fault;
use super::symbols::symbol;
use crate::gate::{ErrorKind, Refusal};

/// The argv in `value`, a list or vector of strings.
///
/// # Errors
/// `bad-argument` where `value` is neither, or an element is no string of valid Unicode; the message has the element's position.
pub fn argv(env: &Env, value: Value<'_>) -> Result<Vec<String>, Fault> {
    let bad = |message: &str| Fault::Refusal(Refusal::new(ErrorKind::BadArgument, message));
    let elements = sequence(env, value)
        .map_err(|_| bad("The argument list is neither a list nor a vector.\nGive the command as a list of strings, for example (\"pr\" \"view\" \"1\")."))?;
    let mut words = Vec::new();
    for (index, element) in elements.into_iter().enumerate() {
        let word = string(element).map_err(|_| {
            bad(&format!(
                "Argument {} is no string of valid Unicode.\nGive every argument as a string.",
                index + 1
            ))
        })?;
        words.push(word);
    }
    Ok(words)
}

/// The strings in `value`, a list or vector from the Lisp layer itself; nil is an empty list.
pub fn strings(env: &Env, value: Value<'_>) -> Result<Vec<String>, Fault> {
    let mut out = Vec::new();
    for element in sequence(env, value)? {
        out.push(string(element)?);
    }
    Ok(out)
}

/// The strings in `value`, as [`strings`] reads them, without those that are not valid Unicode: an environment may contain any bytes.
pub fn utf8_strings(env: &Env, value: Value<'_>) -> Result<Vec<String>, Fault> {
    Ok(sequence(env, value)?
        .into_iter()
        .filter_map(|element| string(element).ok())
        .collect())
}

/// The text of `value`, a Lisp string of valid Unicode.
///
/// Emacs encodes a string anew for each request, also for a request for its length.  So a string of up to 255 bytes, as nearly all
/// are, is copied at once, without asking for its length first.
///
/// # Errors
/// Those of `String::from_lisp`.
pub fn string(value: Value<'_>) -> emacs::Result<String> {
    let mut room = [0; 256];
    match value.copy_string_contents(&mut room) {
        Ok(short) => match std::str::from_utf8(short) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => String::from_lisp(value),
        },
        Err(error) => match error.downcast_ref() {
            Some(Kind::Module(ModuleError::BufferTooSmall { .. })) => String::from_lisp(value),
            _ => Err(error),
        },
    }
}

/// The elements of `value`, a proper list or a vector, as a vector.
///
/// # Errors
/// `bad-argument` for any other value, a string too.
pub fn sequence<'e>(env: &'e Env, value: Value<'e>) -> Result<Vector<'e>, Fault> {
    if env.type_of(value)? == symbol(env, "vector")? {
        return Ok(Vector::from_lisp(value)?);
    }
    if !value.is_not_nil() || symbol(env, "proper-list-p")?.call([value])?.is_not_nil() {
        let vector = symbol(env, "vconcat")?.call([value])?;
        return Ok(Vector::from_lisp(vector)?);
    }
    Err(Fault::Refusal(Refusal::new(
        ErrorKind::BadArgument,
        "A list or vector is wanted here.\nGive one.",
    )))
}

/// The name of the symbol `value`.
pub fn symbol_name(env: &Env, value: Value<'_>) -> Result<String, Fault> {
    Ok(string(symbol(env, "symbol-name")?.call([value])?)?)
}

/// The rows of `value`, an alist of symbols such as `((read . auto))`, as pairs of strings.  A malformed row becomes a pair that no
/// policy accepts, such as `("?", "?")`, so that the row is reported.
pub fn rows(env: &Env, value: Value<'_>) -> Result<Vec<(String, String)>, Fault> {
    let mut out = Vec::new();
    for row in sequence(env, value)? {
        let word = |part: &'static str| {
            let part = symbol(env, part).and_then(|f| f.call([row])).ok()?;
            let text = if env.type_of(part).ok()? == symbol(env, "symbol").ok()? {
                symbol(env, "symbol-name").and_then(|f| f.call([part]))
            } else {
                env.call("format", ("%s", part))
            };
            string(text.ok()?).ok()
        };
        let word = |part| word(part).unwrap_or_else(|| "?".into());
        out.push((word("car-safe"), word("cdr-safe")));
    }
    Ok(out)
}

/// The value of `key` in `plist`; none where `key` is absent or its value nil.
pub fn get<'e, T: FromLisp<'e>>(
    env: &'e Env,
    plist: Value<'e>,
    key: &'static str,
) -> Result<Option<T>, Fault> {
    let value = symbol(env, "plist-get")?.call([plist, symbol(env, key)?])?;
    Ok(value.into_rust::<Option<T>>()?)
}
