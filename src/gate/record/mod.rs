//! What the gate keeps of every call: the record in memory, the audit log, and which repositories were written to.

pub mod audit;
pub mod leases;
pub mod log_call;
#[allow(
    clippy::module_inception,
    reason = "this file has the record itself, the folder everything about it"
)]
pub mod record;
pub mod written;
