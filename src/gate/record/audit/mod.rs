//! The audit log: one line for each call, one file for each day.  The log shows who approved which call, and whether anybody changed
//! the log afterwards.
//!
//! A thread of its own writes the lines ([`queue`]), so that a full or slow disk never keeps Emacs waiting.
//! A call that may change something also gets an intent, a line with `event=start`, before it runs.  The intent shows that the
//! call was begun, even if Emacs is killed while the call runs.
//! [`line`](mod@line) has the form of a line, [`chain`] the hashes; [`writer`] and [`folder`] write files;
//! [`verify`](mod@verify) and [`search`](mod@search) read the log.

pub mod answer;
mod chain;
mod entry;
pub mod folder;
pub mod line;
mod queue;
pub mod read;
pub mod search;
pub mod verify;
pub mod writer;

pub use entry::Entry;
pub(in crate::gate) use entry::wants_intent;
pub use folder::Trouble;
pub use queue::{
    LineState, LogSettings, State, configure, enqueue, flush, head, settings, state, unsaid_trouble,
};
pub use writer::{Head, Writer};
