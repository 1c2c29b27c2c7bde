//! gh's JSON made into short text that a model reads: no braces, nothing cut without saying so.
//!
//! Every string from outside passes the caller's `clean` before it is cut, so that no escape, invisible character or
//! secret is split past recognition; single-line values are then kept on one line, so that none can begin a line of its own.

mod artifacts;
mod body;
mod brief;
mod checks;
mod clean;
mod diff;
mod fields;
mod files;
mod found;
mod item;
mod json;
mod list;
mod rollup;
mod threads;
mod time;
mod value;

pub use artifacts::artifacts;
pub use body::{BODY_BYTES, EXCERPT_CHARS};
pub use brief::{BriefParts, brief};
pub use checks::{checks, rolled_up};
pub use clean::Clean;
pub(crate) use clean::one_line;
pub use diff::{diff, patch};
pub use fields::{FIELDS, Fields, FieldsError, fields};
pub use files::files;
pub use found::{Found, found};
pub use item::{Item, item};
pub use json::{RenderError, parse_bounded};
pub use list::{List, Total, entries, list};
pub use rollup::{CONTEXTS, LINKED};
pub use threads::threads;
