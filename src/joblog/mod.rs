//! The failure in a job's log: what failed, by which command, and the lines that say why, in few tokens.
//!
//! A log is read in either of gh's forms (`lines`) and cut into steps (`steps`). Each line of a step that failed the job gets
//! features (`facts`): what tools are known to print (`anchors`), how it looks, where it stands. `choose` adds their weights,
//! spreads the scores to neighbours, and takes lines for a budget: those that are certain, then more to fill it. The work is
//! linear in the log's length. The result is plain text from outside: the caller redacts and neutralises it.

mod anchors;
pub mod choose;
mod command;
mod extract;
mod facts;
mod failure;
mod line;
mod lines;
mod show;
mod steps;

pub use anchors::features;
pub use extract::{Reading, extract, find};
pub use facts::{Fact, Step};
pub use failure::{FailedStep, Failure};
pub use lines::unstamped;
pub use show::show;
