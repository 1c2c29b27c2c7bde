//! From a child's bytes to the text that a model and a person get: cleaned, within a budget, the rest kept for later.

pub mod budget;
pub mod cleaner;
pub mod header;
pub mod outcome;
pub mod secrets_held;
pub mod shelf;
pub mod slices;
