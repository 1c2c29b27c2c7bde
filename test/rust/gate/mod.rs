//! The suites of src/gate/.  Those without a line here are included by the source that they test, as their first lines say.

mod audit;
