//! What a call does: its class, by the decided rows of its command and flags, and by the values that change it, such as a `--method DELETE`.

pub mod api;
pub mod approval;
pub mod classify;
pub mod explain;
mod finding;
pub mod graphql;
pub mod jq;
pub mod roles;
mod values;
