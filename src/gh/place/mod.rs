//! Where a call goes, and as whom: the checkout's remotes, the known hosts, the account, and the target written into the call.

pub mod account;
pub mod context;
pub mod credential;
pub mod hosts;
mod in_argv;
pub mod pin;
pub mod reference;
pub mod remote;
