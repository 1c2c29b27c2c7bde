//! gh, GitHub's command-line program: what its command lines mean, where they go and what comes back.
//!
//! An argv is parsed by gh's own rules ([`parse`]) against a catalog of its commands ([`catalog`]), and judged by
//! what is decided about each command and flag ([`effects`], [`classify`]).

pub mod account;
pub mod again;
pub mod api;
pub mod catalog;
pub mod changes;
pub mod classify;
pub mod context;
pub mod download;
pub mod drift;
pub mod effects;
pub mod environment;
pub mod errors;
pub mod explain;
pub mod facts;
pub mod failed_logs;
pub mod failure;
pub mod fill;
pub mod finish;
pub mod floor;
pub mod graphql;
pub mod help;
pub mod hosts;
pub mod installed;
pub mod jq;
pub mod parse;
pub mod pin;
pub mod plan;
mod public;
pub mod question;
pub mod remote;
pub mod render;
pub mod sentence;
pub mod since;
pub mod standing;
pub mod subject;
pub mod total;
mod values;
pub mod version;
