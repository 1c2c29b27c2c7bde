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

/// The JSON value that `value` stands for: a string, an integer, nil (null), t, `:json-false`, a property list (an object whose members have the
/// names of the keywords, such as `title` for `:title`), or another list or a vector (an array).
///
/// # Errors
/// `bad-argument` for any other value, and for one that is nested deeper than `depth`.
pub fn json(env: &Env, value: Value<'_>, depth: usize) -> Result<serde_json::Value, Fault> {
    use serde_json::Value as Json;
    let bad = || {
        Fault::Refusal(Refusal::new(
            ErrorKind::BadArgument,
            "An argument of the tool has no form that is known here.\nGive strings, whole numbers, true, false, or arrays and objects of these.",
        ))
    };
    let depth = depth.checked_sub(1).ok_or_else(bad)?;
    let kind = string(symbol(env, "symbol-name")?.call([env.type_of(value)?])?)?;
    match kind.as_str() {
        "string" => Ok(Json::String(string(value)?)),
        "integer" => Ok(value.into_rust::<i64>()?.into()),
        "symbol" | "boolean" | "null" => match symbol_name(env, value)?.as_str() {
            "nil" => Ok(Json::Null),
            "t" => Ok(Json::Bool(true)),
            ":json-false" | ":false" => Ok(Json::Bool(false)),
            _ => Err(bad()),
        },
        "cons" | "vector" => {
            let parts = sequence(env, value)?;
            let key = |part: Value<'_>| {
                let named = symbol(env, "keywordp").and_then(|f| f.call([part]));
                if named.is_ok_and(|named| named.is_not_nil()) {
                    symbol_name(env, part).ok()
                } else {
                    None
                }
            };
            let parts: Vec<Value<'_>> = parts.into_iter().collect();
            if kind == "vector" || parts.first().is_none_or(|first| key(*first).is_none()) {
                let parts = parts.into_iter().map(|part| json(env, part, depth));
                return Ok(Json::Array(parts.collect::<Result<_, _>>()?));
            }
            let mut members = serde_json::Map::new();
            for pair in parts.chunks(2) {
                let [name, value] = pair else {
                    return Err(bad());
                };
                let name = key(*name).ok_or_else(bad)?;
                // As `plist-get` does, the first of two members with one name counts.
                let name = name.trim_start_matches(':').to_owned();
                let value = json(env, *value, depth)?;
                members.entry(name).or_insert(value);
            }
            Ok(Json::Object(members))
        }
        _ => Err(bad()),
    }
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
