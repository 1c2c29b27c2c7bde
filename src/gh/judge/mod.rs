//! What a call does: the class of an argv, from decided rows for each command and flag, and for the values that decide more.

pub mod api;
pub mod classify;
pub mod explain;
mod finding;
pub mod graphql;
pub mod jq;
pub mod roles;
mod values;
