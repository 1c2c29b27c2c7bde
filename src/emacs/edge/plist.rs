//! Making Lisp property lists, lists and numbers from the core's values.

use std::time::Duration;

use emacs::{Env, IntoLisp, Result, Value};

use super::symbols::symbol;
use crate::gate::Target;

/// A plist under construction.
pub struct Plist<'e> {
    env: &'e Env,
    items: Vec<Value<'e>>,
}

impl<'e> Plist<'e> {
    /// An empty plist.
    pub fn new(env: &'e Env) -> Self {
        Self {
            env,
            items: Vec::with_capacity(32),
        }
    }

    /// Adds `key`, with its colon, and `value`.
    pub fn put(self, key: &'static str, value: impl IntoLisp<'e>) -> Result<Self> {
        let key = symbol(self.env, key)?;
        self.put_by(key, value)
    }

    /// Adds `key`, which is a symbol already, and `value`.
    pub fn put_by(mut self, key: Value<'e>, value: impl IntoLisp<'e>) -> Result<Self> {
        self.items.push(key);
        self.items.push(value.into_lisp(self.env)?);
        Ok(self)
    }

    /// Adds `key` and the symbol `name`, or nil.
    pub fn put_symbol(self, key: &'static str, name: Option<&'static str>) -> Result<Self> {
        let env = self.env;
        match name {
            Some(name) => {
                let value = symbol(env, name)?;
                self.put(key, value)
            }
            None => self.put(key, ()),
        }
    }

    /// Adds `key` and the list of strings `words`.
    pub fn put_strings(self, key: &'static str, words: &[String]) -> Result<Self> {
        let list = strings(self.env, words)?;
        self.put(key, list)
    }

    /// Adds all fields of `target` under `:host :owner :repo :account :source`.
    pub fn put_target(self, target: Option<&Target>) -> Result<Self> {
        self.put(":host", target.map(|t| t.host.as_str()))?
            .put(":owner", target.and_then(|t| t.owner.as_deref()))?
            .put(":repo", target.and_then(|t| t.repo.as_deref()))?
            .put(":account", target.and_then(|t| t.account.as_deref()))?
            .put_symbol(":source", target.map(|t| t.source.as_str()))
    }

    /// The finished list.
    pub fn list(self) -> Result<Value<'e>> {
        symbol(self.env, "list")?.call(&self.items[..])
    }
}

/// A Lisp list of strings.
pub fn strings<'e>(env: &'e Env, words: &[String]) -> Result<Value<'e>> {
    let values = words
        .iter()
        .map(|w| w.into_lisp(env))
        .collect::<Result<Vec<_>>>()?;
    symbol(env, "list")?.call(&values[..])
}

/// A length as a Lisp integer.
pub fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// A time in whole milliseconds, as a Lisp integer.
pub fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// A count as a Lisp integer, at most `i64::MAX`: modules pass integers as signed 64-bit numbers.
pub fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
