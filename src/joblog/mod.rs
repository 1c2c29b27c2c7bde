//! The failure in a job's log: what failed, by which command, and the lines that say why, in few tokens.
//!
//! A log is read in either of gh's forms (`lines`) and cut into steps (`steps`). For each step that failed the job, the
//! telling lines are chosen (`choose`) by the words that tools are known to print (`anchors`). The work is linear in the
//! log's length. The result is plain text from outside: the caller redacts and neutralises it.

mod anchors;
mod around;
mod blocks;
mod choose;
mod command;
mod ending;
mod evidence;
mod extract;
mod failure;
mod fold;
mod harmless_output;
mod lines;
mod phrases;
mod recovered;
mod show;
mod steps;

pub use extract::{extract, find};
pub use failure::{FailedStep, Failure};
pub use lines::unstamped;
pub use show::show;
