//! One call of gh, planned: the request, the Plan, and the further calls that serve it.

pub mod fill;
pub mod followup;
pub mod plan;
pub mod standing;
