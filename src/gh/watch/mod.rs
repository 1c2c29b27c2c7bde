//! Watching the workflow runs of a commit, or one run, until they end.
//!
//! Nothing here waits, asks or reads a clock: `state` gets the time and each answer, and says what to do next.  `ask` makes the requests,
//! `poll` reads their answers, `show` puts what is known into words.

pub mod ask;
pub mod poll;
pub mod runs;
pub mod show;
pub mod state;

#[cfg(test)]
mod tests;
