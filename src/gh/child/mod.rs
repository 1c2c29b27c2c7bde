//! What a child gets, and what is asked of git for a call: the environment, the facts of a checkout.

pub mod environment;
pub mod facts;
