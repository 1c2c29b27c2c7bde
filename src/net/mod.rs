//! The network: what an agent may ask of it, and what comes back.
//!
//! A call of a network tool is read by `ask`, looked up by `look_up` (off Emacs's thread, before anything is decided), judged by
//! `validate`, and becomes a Plan by `plan`.  A name is looked up once: every address of the answer is judged, one of them is
//! pinned, and only that address is ever passed on.  `tools` has a file for each tool: which programs a call runs, and what their
//! output means; `step` makes each of these a Plan of its own; `parse` reads what the programs print.  Nothing here knows gh.

mod arguments;
pub mod ask;
pub mod commands;
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
