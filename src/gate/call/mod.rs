//! One call as data: the parts that may be shown, the question to the person, and the shell line that repeats the call.

#[allow(
    clippy::module_inception,
    reason = "this file has the call itself, the folder everything about it"
)]
pub(in crate::gate) mod call;
pub(in crate::gate) mod fingerprint;
pub mod given;
pub mod info;
pub mod question;
pub mod shell;
