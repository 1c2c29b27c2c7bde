//! The suites of src/gh/.  Those without a line here are included by the source that they test, as their first lines say.

#[path = "../../../tools/catalog/ask.rs"]
#[expect(
    clippy::disallowed_methods,
    reason = "it starts the real gh, as the catalog generator does"
)]
#[allow(dead_code, reason = "the generator uses more of it than the suites")]
mod ask;
mod attack_pin;
mod classify;
mod classify_api;
mod classify_baseline;
mod classify_catalog;
mod classify_parse;
mod classify_props;
mod conformance;
mod context;
mod errors;
mod failure;
mod fill;
mod job_log;
mod pin;
mod question;
mod question_blind;
mod question_gh;
mod render;
mod render_views;
mod reproduce;
mod scope;
