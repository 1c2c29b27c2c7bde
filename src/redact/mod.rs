//! Redaction: each secret is replaced by a mark that says its type, `[REDACTED:github-token]`.
//!
//! The pipeline: `scan` finds the secrets' spans in the text, in its decoded form (`forms::view`) and in decoded base64
//! (`forms::base64`). It asks `forms::rules`, `pairs::assign`, `places`, `lines::tables`, `words::prose` and others.
//! In all of them, a *telling* name or word promises a secret: `DB_PASSWORD`, `token`.
//! `forms::known` finds the secrets that the process itself holds, `spans` joins all spans, and [`Stream`] writes the text
//! with marks in their place. `argv` masks the words of a command line by the flags before them.
//! `neutral` is separate: it makes escapes and forged lines harmless and removes nothing.
//!
//! Three properties hold and are tested: the result is the same for every division of the input; redacting twice is
//! redacting once; the work grows in proportion to the length of the input, whatever the input says.

mod argv;
mod forms;
mod layout;
mod lines;
mod mark;
pub mod neutral;
mod pairs;
mod places;
mod programs;
mod redactor;
mod scan;
mod section;
mod span;
mod spans;
mod stream;
mod words;

pub use argv::roles::{ArgvReading, ArgvRoles, FlagValue, Role};
pub use forms::rules::{Type, types};
pub use redactor::Redactor;
pub use stream::Stream;
