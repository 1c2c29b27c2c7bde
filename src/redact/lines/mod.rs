//! Secrets in lines and tables with a form of their own.

pub(super) mod codes;
pub(super) mod devices;
pub(super) mod dsn;
pub(super) mod kubernetes;
pub(super) mod line_forms;
pub(super) mod tables;
pub(super) mod transcript;
