//! What git says about a checkout.

use super::commits::Commits;
use crate::foreign::Foreign;

/// What git says about a checkout, asked before the call is planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GitFacts {
    /// Output of `git config -z --get-regexp` with [`super::CONFIG_PATTERN`].
    pub config: Foreign<Vec<u8>>,
    /// Current branch, `None` on a detached HEAD.
    pub branch: Option<String>,
    /// The commits whose messages the call would publish; `None` for a call that publishes none.
    pub commits: Option<Commits>,
}
