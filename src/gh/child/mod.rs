//! What a child gets, and what git is asked before a call: the environment, and the facts of a checkout.

pub mod environment;
pub mod facts;
