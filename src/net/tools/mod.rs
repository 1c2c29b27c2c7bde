//! The tools, a file each: what each runs, and what comes of it: a plain conclusion on the first line, what it rests on below.

mod diagnose;
mod discover;
mod lookup;
mod pinned;
mod services;
mod status;
#[cfg(test)]
mod tests;
mod words;

use super::tool::ToolRow;

/// The tools.
pub(super) const TOOLS: &[ToolRow] = &[
    diagnose::TOOL,
    discover::TOOL,
    services::TOOL,
    status::TOOL,
    lookup::TOOL,
];
