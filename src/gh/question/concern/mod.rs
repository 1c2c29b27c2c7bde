//! What a call is about: the pull request, issue, release, run or workflow that it names, and what it does with that thing.

mod act;
mod find;
mod subject;

pub use act::Act;
pub(super) use act::Aspect;
pub use subject::{Concern, Subject, Wants, Which};
