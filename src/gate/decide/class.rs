//! The five classes of a call, from harmless to refused.

use std::fmt;

/// What a call may do to the world, as judged from its arguments alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Changes nothing outside the program's own cache.
    Read,
    /// Changes something that can be changed back.
    Write,
    /// Cannot be undone.
    Destructive,
    /// Must not be run by an agent at all: interactive, leaks, runs code, sends files.
    Blocked,
    /// Not fully understood; treated as a write that nobody vouches for.
    Unknown,
}

impl Class {
    /// The word used in Lisp (`:class`), in the header line and in the record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destructive => "destructive",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
    }

    /// Strictness of the mildest policy that the class may have: 0 runs by itself, 1 asks, 2 is refused.
    pub const fn strictness(self) -> u8 {
        match self {
            Self::Read => 0,
            Self::Write | Self::Unknown => 1,
            Self::Destructive | Self::Blocked => 2,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
