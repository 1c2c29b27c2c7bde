//! Checkouts, clones, pushes and new pull requests: the real git and the real gh against bare repositories and the stand-in GitHub.
//! Included by src/gh/tools/worktree/mod.rs.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "these tests start programs, threads and processes of their own, and plant files"
)]

mod agent;
mod agent_rows;
mod checkout;
mod clone;
mod create;
mod credentials;
mod ground;
mod hostile;
mod kill;
mod list;
mod names;
mod parallel;
mod push;
mod scene;
mod trouble;
mod work;
