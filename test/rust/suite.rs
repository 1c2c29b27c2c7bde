//! The Rust suites that read fixtures/ or drive several parts together, in folders named as the folders of src/ that they test.

#![allow(
    clippy::disallowed_methods,
    reason = "tests make files, start programs and read their environment"
)]

mod gate;
mod gh;
mod lab;
mod net;
mod redact;
mod text;
