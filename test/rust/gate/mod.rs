//! The suites of src/gate/.  A suite without a `mod` line here is included by the source that it tests; its first lines say which.

mod audit;
