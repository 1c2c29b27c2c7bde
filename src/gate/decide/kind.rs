//! Error kinds: one closed list, with the same names in Rust, Lisp, record and log.

use std::fmt;

/// Declares the enum and the names of its kinds from one table.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        /// Why a call failed or did not run.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorKind { $($(#[$doc])* $name),+ }

        impl ErrorKind {
            /// Every kind, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The name in Lisp, in the header line and in the log.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }
        }
    };
}

kinds! {
    /// Not logged in, or the token is expired, revoked or lacks a scope.
    Auth = "auth",
    /// The call was ended at its deadline.
    Timeout = "timeout",
    /// The call was refused by its class or by the policy.
    PolicyBlocked = "policy-blocked",
    /// The call was refused because it cannot be undone.
    IrreversibleBlocked = "irreversible-blocked",
    /// A person declined the call, or nobody could be asked.
    Declined = "declined",
    /// The output was cut, so the whole result could not be read.
    Truncated = "truncated",
    /// The working directory is on another machine.
    RemoteCwd = "remote-cwd",
    /// The working directory is missing, is no directory, or lies outside the allowed roots.
    BadCwd = "bad-cwd",
    /// The program is not installed or cannot be executed.
    NoExecutable = "no-executable",
    /// The program is older than the oldest supported version.
    TooOld = "too-old",
    /// An argument is malformed.
    BadArgument = "bad-argument",
    /// The server asks to slow down.
    RateLimit = "rate-limit",
    /// The server has no such thing, or does not show it to this account.
    NotFound = "not-found",
    /// The server knows the account and refuses access.
    NoAccess = "no-access",
    /// The server could not be reached.
    Network = "network",
    /// The program did not understand its arguments.
    Usage = "usage",
    /// The call was cancelled by a person, by `gptel-abort` or by Emacs's exit.
    Cancelled = "cancelled",
    /// The program could not be started.
    SpawnFailed = "spawn-failed",
    /// The native module is missing or broken.
    Module = "module",
    /// The program failed in some other way.
    Failed = "gh-exit",
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a call was refused or failed: the first line says what happened, the second what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind, from the closed list.
    pub kind: ErrorKind,
    /// The two lines for a person and for the model.
    pub message: String,
}

impl Refusal {
    /// A refusal of `kind` with `message`, whose second line says what to do.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}
