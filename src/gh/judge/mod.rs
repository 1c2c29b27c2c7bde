//! What a call does: its class, from the decided rows of its command and flags, and from the values that decide more.

pub mod api;
pub mod classify;
pub mod explain;
mod finding;
pub mod graphql;
pub mod jq;
pub mod roles;
mod values;
