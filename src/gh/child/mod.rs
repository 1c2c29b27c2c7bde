//! What a child gets, and what is asked of the programs at hand: the environment, the installed gh, the facts of a checkout.

pub mod environment;
pub mod facts;
pub mod floor;
pub mod installed;
