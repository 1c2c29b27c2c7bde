//! The target of a call: host, owner, repository and account, and the rule that found them.

use std::fmt;

/// The rule that chose the target; the order is the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A `repo` argument, `[HOST/]OWNER/REPO`.
    ExplicitRepo,
    /// A `hostname` argument.
    ExplicitHost,
    /// The program's own choice for this checkout (`gh repo set-default`).
    SetDefault,
    /// The remote that the current branch tracks.
    Upstream,
    /// The remote named `origin`.
    Origin,
    /// The configured default host.
    Default,
    /// This machine itself, or the network that it is on.
    Local,
}

impl Source {
    /// The name in Lisp and in the record.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExplicitRepo => "explicit-repo",
            Self::ExplicitHost => "explicit-host",
            Self::SetDefault => "set-default",
            Self::Upstream => "upstream",
            Self::Origin => "origin",
            Self::Default => "default",
            Self::Local => "local",
        }
    }
}

/// The one place that a call goes to.  It is resolved once; the call then names it explicitly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Host name, lower case, without port.
    pub host: String,
    /// Owner: a user or an organization.
    pub owner: Option<String>,
    /// Repository name without `.git`; none where the call is about the owner as a whole, or about the host.
    pub repo: Option<String>,
    /// Account on the host, where it is known.
    pub account: Option<String>,
    /// The rule that found the target.
    pub source: Source,
}

impl fmt::Display for Target {
    /// `HOST`, `HOST/OWNER` or `HOST/OWNER/REPO`, as in the header line; gh takes the last form after `-R`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.host)?;
        for name in self.owner.iter().chain(&self.repo) {
            write!(f, "/{name}")?;
        }
        Ok(())
    }
}
