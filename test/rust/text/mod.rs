//! The suites of src/text/.

mod tokens;
