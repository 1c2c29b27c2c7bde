//! The Lisp symbols that the doors name, interned once.
//!
//! A door names some dozen; to intern one anew at each call takes several times as long as to find it here.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Mutex, PoisonError};

use emacs::{Env, GlobalRef, Result, Value};
use once_cell::sync::Lazy;

use crate::text::fnv::Fnv;

/// The names are short and our own, and a hash that withstands an attacker would take as long as all else here.
type Symbols = HashMap<&'static str, &'static GlobalRef, BuildHasherDefault<Fnv>>;

/// What is interned is never freed: the names are those that stand in the source.
static SYMBOLS: Lazy<Mutex<Symbols>> = Lazy::new(Mutex::default);

/// The symbol NAME, as `intern` gives it.
pub fn symbol<'e>(env: &'e Env, name: &'static str) -> Result<Value<'e>> {
    let mut symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = symbols.get(name) {
        return Ok(known.bind(env));
    }
    let new: &'static GlobalRef = Box::leak(Box::new(env.intern(name)?.make_global_ref()));
    symbols.insert(name, new);
    Ok(new.bind(env))
}
