//! The tools that need more than the one call of their argv, a file each, and how each result is rendered.

pub mod diff_part;
pub mod download;
pub mod failed_logs;
pub mod list_total;
pub mod views;
