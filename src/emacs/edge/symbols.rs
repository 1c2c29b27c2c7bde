//! The Lisp symbols that the doors name, interned once.
//!
//! A door names some dozen; to intern one anew at each call takes several times as long as to find it here.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

use emacs::{Env, GlobalRef, Result, Value};
use once_cell::sync::Lazy;

type Symbols = HashMap<&'static str, &'static GlobalRef, BuildHasherDefault<Fnv>>;

/// What is interned is never freed: the names are those that stand in the source.
static SYMBOLS: Lazy<Mutex<Symbols>> = Lazy::new(Mutex::default);

/// FNV-1a: the names are short and our own, and a hash that withstands an attacker would take as long as all else here.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

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
