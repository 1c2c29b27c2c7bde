//! The suites of what knows text alone.

mod tokens;
