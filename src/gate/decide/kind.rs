//! Error kinds: one closed list, the same in Rust, Lisp, record and log.

use std::fmt;

/// Declares the enum and its words from one table.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        /// Why a call did not give what was asked for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorKind { $($(#[$doc])* $name),+ }

        impl ErrorKind {
            /// Every kind, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The word for it in Lisp, in the header line and in the log.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }
        }
    };
}

kinds! {
    /// Not logged in, or the token is expired, revoked or lacks a scope.
    Auth = "auth",
    /// Ended at its deadline.
    Timeout = "timeout",
    /// Refused by class or policy.
    PolicyBlocked = "policy-blocked",
    /// Refused because it cannot be undone.
    IrreversibleBlocked = "irreversible-blocked",
    /// A person said no, or nobody could be asked.
    Declined = "declined",
    /// Output was cut, so that the result could not be read whole.
    Truncated = "truncated",
    /// The working directory is on another machine.
    RemoteCwd = "remote-cwd",
    /// The working directory is missing, no directory, or outside the allowed roots.
    BadCwd = "bad-cwd",
    /// The program is not installed or cannot be executed.
    NoExecutable = "no-executable",
    /// The program is older than the oldest supported version.
    TooOld = "too-old",
    /// An argument is malformed.
    BadArgument = "bad-argument",
    /// The far end asks to slow down.
    RateLimit = "rate-limit",
    /// The far end has no such thing, or does not show it to this account.
    NotFound = "not-found",
    /// The far end knows the account and refuses.
    NoAccess = "no-access",
    /// The far end could not be reached.
    Network = "network",
    /// The program did not understand its arguments.
    Usage = "usage",
    /// Cancelled by a person, by `gptel-abort` or by Emacs's exit.
    Cancelled = "cancelled",
    /// The program could not be started.
    SpawnFailed = "spawn-failed",
    /// The native module is missing or broken.
    Module = "module",
    /// The program failed in some other way.
    GhExit = "gh-exit",
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A call that is refused before anything runs: what happened on the first line, what to do on the next.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind, from the closed list.
    pub kind: ErrorKind,
    /// Words for a person and for the model.
    pub message: String,
}

impl Refusal {
    /// A refusal of `kind` with a `message` that says what to do.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}
