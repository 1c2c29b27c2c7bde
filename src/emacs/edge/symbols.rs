//! The Lisp symbols that the doors use, interned once.
//!
//! A door uses about a dozen symbols.  Interning one at each call takes several times as long as finding it in this table.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Mutex, PoisonError};

use emacs::{Env, GlobalRef, Result, Value};
use once_cell::sync::Lazy;

use crate::text::fnv::Fnv;

/// The symbols by name.  All names are short and stand in the source, so FNV is safe; a hash that withstands an attacker would take as
/// long as all other work here.
type Symbols = HashMap<&'static str, &'static GlobalRef, BuildHasherDefault<Fnv>>;

/// An interned symbol is never freed; only the names in the source are ever interned.
static SYMBOLS: Lazy<Mutex<Symbols>> = Lazy::new(Mutex::default);

/// The symbol `name`, as `intern` returns it.
pub fn symbol<'e>(env: &'e Env, name: &'static str) -> Result<Value<'e>> {
    let mut symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = symbols.get(name) {
        return Ok(known.bind(env));
    }
    let new: &'static GlobalRef = Box::leak(Box::new(env.intern(name)?.make_global_ref()));
    symbols.insert(name, new);
    Ok(new.bind(env))
}
