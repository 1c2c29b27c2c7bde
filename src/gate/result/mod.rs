//! From a child's bytes to the text for a model and a person: cleaned, cut to a budget, with the whole text kept for later.

pub mod budget;
pub mod cleaner;
pub mod header;
pub mod outcome;
pub mod secrets_held;
pub mod shelf;
pub mod slices;
