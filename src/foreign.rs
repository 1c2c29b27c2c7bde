//! `Foreign`: text from outside, or a secret, that cannot show itself.
//!
//! What a child wrote, what the environment and gh's file of logins hold, and what a model asks for may hold a secret, or escapes
//! that a terminal would obey.  As a `Foreign` it prints as `[hidden]`, whoever formats, logs or derives what; the one way to the
//! plain value is [`Foreign::reveal`].  Every file that calls it stands with its reason in test/rust/foreign.rs.
//!
//! Nothing is wiped from memory on drop: Emacs itself keeps the same values in its own heap, and the child has them anyway.
//! Hence no crate for secrets, whose price would be a trait on every type that is held.

use std::fmt;

/// A value that `Display` and `Debug` never show.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Foreign<T>(T);

impl<T> Foreign<T> {
    /// Hides `value`.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The plain value: to be parsed, redacted or handed to a child, never to be formatted as it is.
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

    /// Whether there is none.
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

/// For types that hold text from outside in plain, to work with: their `Debug` says their name, and nothing that they hold.
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

/// A test says what it expects in plain.
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
