//! The decision whether a call may run: its class, target and directory, the policy, leases and the emergency stop.

pub mod approved;
pub mod argv;
pub mod bounds;
pub mod class;
pub mod cwd;
pub mod kind;
pub mod lease;
pub mod policy;
pub mod stop;
pub mod target;
