//! Which host and repository a call goes to: a pure function of the arguments, the checkout's git facts and the known hosts.
//!
//! The order of precedence is that of [`Source`](crate::gate::Source): a `repo` argument, a `hostname` argument, the
//! repository chosen with `gh repo set-default`, the remote that the branch tracks, `origin`, the default host.
//! A host that is not known is refused where a person or a model names it, and skipped where a remote does.

mod branch;
mod checkout;
mod commits;
mod config;
mod facts;
mod resolve;

pub use branch::{BranchRef, branch_ref};
pub use checkout::{remote_of, unknown_hosts};
pub use commits::{Commit, Commits, Lack, Range, is_branch};
pub use config::{CONFIG_PATTERN, GitConfig, Remote};
pub use facts::GitFacts;
pub(in crate::gh) use resolve::check_known;
pub use resolve::resolve;

pub use super::hosts::Hosts;

#[cfg(test)]
mod tests;
