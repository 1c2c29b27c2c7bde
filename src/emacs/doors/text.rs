//! The doors for texts: redacting, cleaning and counting tokens.

use std::sync::Arc;

use emacs::{Env, Result, Value, defun};

use crate::emacs::edge::{convert, plist};
use crate::emacs::{Fault, answer};
use crate::foreign::Foreign;
use crate::gate::Cleaner;
use crate::gate::result::secrets_held::secrets_held;
use crate::gh::judge::roles::GhRoles;
use crate::redact::Redactor;

/// See `cj/gate-redact-text`.
#[defun]
fn redact_text<'e>(
    env: &'e Env,
    text: String,
    known: Value<'e>,
    environment: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || Ok(redactor(env, known, environment)?.text(&text)))
}

/// See `cj/gate-redact-argv`.
#[defun]
fn redact_argv<'e>(
    env: &'e Env,
    argv: Value<'e>,
    known: Value<'e>,
    environment: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let argv = convert::argv(env, argv)?;
        Ok(plist::strings(
            env,
            &redactor(env, known, environment)?.argv(&argv, Some(&GhRoles)),
        )?)
    })
}

/// See `cj/gate-redact-chunks`.
#[defun]
fn redact_chunks<'e>(
    env: &'e Env,
    chunks: Value<'e>,
    known: Value<'e>,
    environment: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        let chunks = convert::strings(env, chunks)?;
        Ok(plist::strings(
            env,
            &redactor(env, known, environment)?.chunks(&chunks),
        )?)
    })
}

/// The redactor that masks the values `known` and the secret values in `environment`, both lists of strings.
fn redactor(
    env: &Env,
    known: Value<'_>,
    environment: Value<'_>,
) -> std::result::Result<Arc<Redactor>, Fault> {
    let mut held = secrets_held(&convert::utf8_strings(env, environment)?.into());
    held.extend(convert::strings(env, known)?.into_iter().map(Foreign::new));
    Ok(Cleaner::holding(&held).redactor())
}

/// TEXT from outside, made clean for a person: redacted, with its invisible characters made visible.
#[defun]
fn clean_text(text: String) -> Result<String> {
    Ok(Cleaner::latest().text(&text))
}

/// See `cj/gate-count-tokens`.
#[defun]
fn count_tokens(text: String) -> Result<i64> {
    Ok(i64::try_from(crate::text::tokens::count(&text)).unwrap_or(i64::MAX))
}
