//! One call of gh, planned: the request, the Draft of its Plan, the plain result, and the further calls that serve it.

pub mod fill;
pub mod followup;
pub mod kept_policy;
pub mod plain;
pub mod plan;
pub mod request;
