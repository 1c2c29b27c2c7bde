//! What every program's calls have in common, as plists in and out.

pub mod audit;
pub mod plists;
pub mod settings;
