//! The parts that the calls of all programs share, as property lists from and for Lisp.

pub mod audit;
pub mod plists;
pub mod settings;
