//! The Rust suites that read fixtures/ or drive several parts together.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make files, start programs and ask for their surroundings"
)]

#[path = "../../tools/catalog/ask.rs"]
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
#[path = "gh/failure.rs"]
mod failure;
mod fill;
mod gate;
#[path = "gh/job_log.rs"]
mod job_log;
mod lab;
mod net_parse;
mod net_validate;
mod net_wire;
mod pin;
mod question;
mod question_blind;
mod question_gh;
mod redact;
mod render;
mod render_views;
mod reproduce;
mod scope;
mod text;
