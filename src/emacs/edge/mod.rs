//! Between Lisp and the core: values in both directions, conditions, interned symbols, the doorbell.

pub mod arguments;
pub mod convert;
pub mod doorbell;
pub mod fault;
pub mod person;
pub mod plist;
pub mod symbols;
pub mod values;

pub use fault::{Fault, answer};
