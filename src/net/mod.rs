//! The network tools: what an agent may ask of the network, and what comes back.
//!
//! `ask` reads a call, `look_up` finds its facts (off Emacs's thread, before anything is decided), `validate` judges it, and `plan`
//! makes it a Plan.  A name is looked up once: every address of the answer is judged, one of them is pinned, and only that address
//! is passed on to a program.  `tools` has a file for each tool: which programs a call runs, and what their output means.  `step`
//! makes each run of a program a Plan of its own; `parse` reads the programs' output.  Nothing here knows gh.

mod arguments;
mod arp;
pub mod ask;
pub mod commands;
pub mod connect;
pub mod facts;
mod host;
pub mod look_up;
pub mod parse;
pub mod plan;
pub mod programs;
pub mod session;
pub mod settings;
pub mod step;
mod step_runner;
mod tool;
mod tools;
pub mod validate;
