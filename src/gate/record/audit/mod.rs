//! The audit log: one line a call in a file a day, which later shows who let what happen, and whether anybody changed it.
//!
//! Lines are written on a thread of their own ([`queue`]), so that a full or slow disk never keeps Emacs waiting.
//! A call that may change something also leaves an intent, a line with `event=start`, before it runs: what was begun is on record
//! even if Emacs is killed in its midst.
//! [`line`](mod@line) has the form, [`chain`] the hashes, [`writer`] and [`folder`] what happens on disk;
//! [`verify`](mod@verify) and [`search`](mod@search) read it again.

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
    LogSettings, Noted, State, configure, flush, head, note, settings, state, unsaid_trouble,
};
pub use writer::{Head, Writer};
