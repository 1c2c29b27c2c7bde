//! The table of causes: what must be found, what must not, the sentence, the evidence, and the next step.
//!
//! The first row that holds is the result's first line.

mod machine;
mod port;
mod row;
mod way;
mod words;

pub use row::Cause;
pub use words::lost;

/// All causes, those that decide first at the front.
pub fn all() -> impl Iterator<Item = &'static Cause> {
    machine::ROWS.iter().chain(way::ROWS).chain(port::ROWS)
}
