//! `Foreign`: text from outside, or a secret, that no formatting shows.
//!
//! A child's output, the environment, gh's file of logins and a model's arguments may contain a secret, or escapes that a terminal
//! would obey.  A `Foreign` prints as `[hidden]` in every format, log and derived `Debug`; only [`Foreign::reveal`] returns the
//! plain value.  test/rust/foreign.rs lists every file that calls it, with the reason.
//!
//! The value is not wiped from memory on drop: Emacs keeps the same values in its own heap, and the child has them, too.
//! So no crate for secrets is used, which would require a trait on every type inside.

use std::fmt;

/// A value that `Display` and `Debug` never show.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Foreign<T>(T);

impl<T> Foreign<T> {
    /// Hides `value`.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The plain value, for parsing, redacting or a child's arguments.  Do not format it.
    pub const fn reveal(&self) -> &T {
        &self.0
    }
}

impl<T> From<T> for Foreign<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl From<&str> for Foreign<String> {
    fn from(value: &str) -> Self {
        Self(value.to_owned())
    }
}

impl Foreign<&[u8]> {
    /// How many bytes there are.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

const HIDDEN: &str = "[hidden]";

impl<T> fmt::Debug for Foreign<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl<T> fmt::Display for Foreign<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// Implements `Debug` for types that contain plain text from outside: only the type's name is printed.
macro_rules! debug_by_name {
    ($($type:ty),+ $(,)?) => { $(
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($type))
            }
        }
    )+ };
}
pub(crate) use debug_by_name;

/// For tests, which compare with plain bytes.
#[cfg(test)]
impl<const N: usize> PartialEq<&[u8; N]> for Foreign<&[u8]> {
    fn eq(&self, other: &&[u8; N]) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
impl PartialEq<&[u8]> for Foreign<&[u8]> {
    fn eq(&self, other: &&[u8]) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
#[path = "../test/rust/foreign.rs"]
mod tests;
