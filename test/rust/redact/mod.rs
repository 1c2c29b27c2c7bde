//! The suites of src/redact/.  neutral.rs is included by the source that it tests.

mod argv;
mod families;
mod judge;
mod large;
mod properties;
mod rows;
mod sections;
mod values;
