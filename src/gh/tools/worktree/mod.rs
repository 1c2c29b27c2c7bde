//! Pull requests and branches in worktrees of their own, and what is pushed from there.
//!
//! `gh pr checkout` and `gh repo clone` themselves do not run: they write into the user's repository, read its configuration, and run what
//! that configuration names.  Here git works in repositories of the gate's own ([`crate::git`]).

mod checkout;
mod clone;
mod create;
mod items;
pub mod list;
mod pulls;
mod push;
pub mod rows;
mod site;
mod state;
mod way;

pub(super) use checkout::Checkout;
pub(super) use clone::Clone;
pub(super) use create::Create;
pub(super) use push::Push;

#[cfg(test)]
#[path = "../../../../test/rust/gh/worktree/mod.rs"]
mod tests;
