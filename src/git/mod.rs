//! git under the gate: bare repositories of our own, worktrees that hang on them, and the commands of git that fill them.
//!
//! No command here reads the configuration of a user or of somebody's checkout, and none runs a program that a repository names: each
//! repository is made here with a configuration of ours ([`place`], [`store`], [`incoming`]), every program that a configuration could name is overruled
//! ([`environment`]), and each command is a Plan of the gate ([`command`]).  What git prints is parsed in [`tree`] and [`commits`];
//! [`trouble`] says what a failure means.

pub mod command;
pub mod commits;
mod config;
mod disk;
pub mod environment;
pub mod incoming;
pub mod place;
pub mod scratch;
pub mod store;
pub mod stores;
mod sweep;
pub mod tree;
pub mod trouble;
