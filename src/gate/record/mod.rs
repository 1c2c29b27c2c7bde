//! What the gate keeps of every call: the record in memory, the audit log, and which repositories were written to.

pub mod audit;
pub mod leases;
pub mod log_call;
#[allow(
    clippy::module_inception,
    reason = "the file has the record itself, and the folder what belongs to it"
)]
pub mod record;
pub mod written;
