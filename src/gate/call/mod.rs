//! One call as data: what may be shown of it, what a person is asked about it, and the line that repeats it.

#[allow(
    clippy::module_inception,
    reason = "the file has the call itself, and the folder what belongs to it"
)]
pub(in crate::gate) mod call;
pub(in crate::gate) mod fingerprint;
pub mod given;
pub mod info;
pub mod question;
pub mod shell;
