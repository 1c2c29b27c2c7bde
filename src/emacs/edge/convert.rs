//! Lisp values into the core's own types.

use emacs::{Env, ErrorKind as Kind, FromLisp, ModuleError, Value, Vector};

use super::fault::Fault;
use super::symbols::symbol;
use crate::gate::{ErrorKind, Refusal};

/// A list or vector of strings.
///
/// # Errors
/// `bad-argument` where ARGV is neither, or names the element that is no (valid Unicode) string.
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

/// A list or vector of strings, nil being the empty one, for what the Lisp layer itself passes.
pub fn strings(env: &Env, value: Value<'_>) -> Result<Vec<String>, Fault> {
    let mut out = Vec::new();
    for element in sequence(env, value)? {
        out.push(string(element)?);
    }
    Ok(out)
}

/// Like [`strings`], but leaves out what is no valid UTF-8: the environment may hold anything.
pub fn utf8_strings(env: &Env, value: Value<'_>) -> Result<Vec<String>, Fault> {
    Ok(sequence(env, value)?
        .into_iter()
        .filter_map(|element| string(element).ok())
        .collect())
}

/// A Lisp string of valid Unicode.
///
/// Emacs encodes a string anew each time that it is asked for it or for its length; nearly all are short, and need not be asked twice.
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

/// A proper list or a vector, as a vector.  A string or anything else is an error.
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

/// The name of a symbol.
pub fn symbol_name(env: &Env, value: Value<'_>) -> Result<String, Fault> {
    Ok(string(symbol(env, "symbol-name")?.call([value])?)?)
}

/// An alist of symbols, `((read . auto) …)`, as pairs of words; a malformed row becomes a pair that no policy knows.
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

/// The value of KEY in a plist; none where it is absent or nil.
pub fn get<'e, T: FromLisp<'e>>(
    env: &'e Env,
    plist: Value<'e>,
    key: &'static str,
) -> Result<Option<T>, Fault> {
    let value = symbol(env, "plist-get")?.call([plist, symbol(env, key)?])?;
    Ok(value.into_rust::<Option<T>>()?)
}
