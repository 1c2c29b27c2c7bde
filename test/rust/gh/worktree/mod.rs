//! Checkouts, clones, pushes and new pull requests: the real git and the real gh against bare repositories and the stand-in GitHub.
//! Included by src/gh/tools/worktree/mod.rs.

mod checkout;
mod clone;
mod create;
mod ground;
mod list;
mod push;
