//! Redaction: what must not be seen is replaced by a mark that says its type.
//!
//! The pipeline: `scan` finds spans (`rules`, `assign`, `places`, `tables`, `prose` and others, in the
//! text, in its decoded form from `view`, and in what `base64` finds), `known` finds what the process itself holds, `span` joins them, and
//! [`Stream`] writes the text with `[REDACTED:type]` in their place. `argv` knows gh's flags.
//! `neutral` is apart: it makes escapes and forged lines harmless and removes nothing.
//!
//! What holds, and is tested: the result is the same for every division of the input; redacting
//! twice is redacting once; the work grows with the length of the input and with nothing else.

mod acts;
mod argv;
mod assign;
mod base64;
mod calls;
mod code;
mod codes;
mod columns;
mod devices;
mod document;
mod dsn;
mod forged;
mod headers;
mod html;
mod known;
mod kubernetes;
mod line_forms;
mod lookalike;
mod mark;
mod members;
mod names;
pub mod neutral;
mod pairs;
mod pem;
mod places;
mod program_table;
mod programs;
mod prose;
mod records;
mod redactor;
mod rules;
mod scan;
mod section;
mod separator;
mod span;
mod spans;
mod stream;
mod tables;
mod transcript;
mod value;
mod view;

pub use redactor::Redactor;
pub use rules::{Type, types};
pub use stream::Stream;
