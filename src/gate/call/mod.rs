//! One call as data: what may be shown of it, what a person is asked about it, and the line that repeats it.

pub mod info;
pub mod question;
pub mod shell;
