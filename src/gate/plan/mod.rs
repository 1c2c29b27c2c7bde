//! From a Draft to the end of its run: the Plan, its further reads, and the progress of the run.

pub mod draft;
pub mod guard;
pub mod panic_report;
#[allow(
    clippy::module_inception,
    reason = "this file has the Plan itself, the folder everything about it"
)]
pub mod plan;
pub mod progress;
pub mod promise;
pub mod reads;
pub(in crate::gate) mod settle;
mod start;
pub mod without_child;

#[cfg(test)]
#[path = "../../../test/rust/gate/plan/mod.rs"]
mod tests;
