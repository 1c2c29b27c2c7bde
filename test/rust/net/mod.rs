//! The suites of src/net/.

mod parse;
mod validate;
mod wire;
