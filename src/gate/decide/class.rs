//! The five classes of a call, from harmless to refused.

use std::fmt;

/// The effect that a call may have, judged from its arguments alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The call changes nothing outside the program's own cache.
    Read,
    /// The call changes something that can be changed back.
    Write,
    /// The call cannot be undone.
    Destructive,
    /// An agent must not run the call at all: it is interactive, leaks, runs code or sends files.
    Blocked,
    /// The gate does not fully understand the call, and treats it at least as strictly as a write.
    Unknown,
}

impl Class {
    /// The name in Lisp (`:class`), in the header line and in the record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destructive => "destructive",
            Self::Blocked => "blocked",
            Self::Unknown => "unknown",
        }
    }

    /// How strict the mildest policy for the class is: 0 the call runs without a question, 1 a person is asked, 2 the call is refused.
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
