//! The tools, each in a file of its own.  A tool's result has a plain conclusion on the first line and the details below.

mod diagnose;
mod discover;
mod kernel_way;
mod lookup;
mod pinned;
mod services;
mod status;
#[cfg(test)]
mod tests;
mod way;
mod words;

use super::tool::ToolRow;

/// All network tools.
pub(super) const TOOLS: &[ToolRow] = &[
    diagnose::TOOL,
    discover::TOOL,
    services::TOOL,
    status::TOOL,
    lookup::TOOL,
];
