//! Redaction: what must not be seen is replaced by a mark that says its type.
//!
//! The pipeline: `scan` finds spans (`rules`, `assign`, `places`, `tables`, `prose` and others, in the
//! text, in its decoded form from `view`, and in what `base64` finds), `known` finds what the process itself holds, `span` joins them, and
//! [`Stream`] writes the text with `[REDACTED:type]` in their place. `argv` knows gh's flags.
//! `neutral` is apart: it makes escapes and forged lines harmless and removes nothing.
//!
//! What holds, and is tested: the result is the same for every division of the input; redacting
//! twice is redacting once; the work grows with the length of the input and with nothing else.

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
