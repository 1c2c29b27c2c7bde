//! Runs one program, bounded in bytes, memory and time, off the calling thread.
//!
//! A [`Command`] goes in, a [`Captured`] comes out, once, through a closure on a worker thread.
//! Whatever the program does:
//!
//! - the program starts clean: absolute path, environment exactly as given, `/dev/null` on its standard input, no descriptor open above 2,
//!   no signal blocked or ignored, a session and process group of its own and so no terminal (spawn.rs);
//! - at most the cap and 1 KiB of each stream are held ([`capture`]); standard output that goes into a file has a limit of its own;
//! - the program, and each program that it starts, take at most [`MEMORY`] bytes of memory (memory.rs);
//! - the run ends at the program's exit, the cap, the limit of memory, the read limit, the deadline or a cancel, and the process
//!   group is gone when the closure is called (supervise.rs);
//! - at most eight calls run at once, the rest wait in the order they came; the gate's own questions do not wait for them
//!   ([`pool`]);
//! - when this process dies, by whatever signal, its children die too (lifeline.rs).
//!
//! A grandchild that makes a group of its own in the same session is ended where the run is stopped or its output is still open; a
//! grandchild that makes a session of its own is not followed.
//!
//! Nothing here knows a program, a policy or a secret, and nothing here redacts: captured bytes are raw and hidden from `Debug`
//! ([`Foreign`](crate::foreign::Foreign)), and only [`Stream::shown`] turns them into text that may leave.

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
compile_error!("cj-gate runs programs on GNU/Linux with glibc 2.34 or newer only");

mod cancel;
pub mod capture;
mod captured;
mod child;
mod command;
mod lifeline;
mod memory;
pub mod pool;
mod processes;
mod spawn;
mod supervise;

pub(crate) use cancel::Cancel;
pub use capture::{Keep, SLACK, Stream};
pub use captured::{Captured, Ended};
pub use command::{Command, Limits, SpawnError};
pub use lifeline::trouble as lifeline_trouble;
pub use memory::{MEMORY, trouble as memory_trouble};
pub use pool::{Handle, MAX_LIVE, State, cancel_all, live, runs, wait_idle};
pub(crate) use pool::{start_aside, start_look_up, start_task, thread_without_signals};
pub(crate) use supervise::{run_here, run_together};

#[cfg(test)]
#[allow(clippy::print_stdout, reason = "numbers that --nocapture shows")]
#[path = "../../test/rust/run/mod.rs"]
pub(crate) mod tests;
