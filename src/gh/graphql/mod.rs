//! Queries of GitHub's GraphQL interface: how one is written, and what a host does not know.

pub mod lacks;
pub mod query;
