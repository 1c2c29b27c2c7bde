//! The layers of `src/`: each folder with the folders that it may use.

use crate::edges::Edges;

/// Each folder or file directly below `src/`, and the other folders and files there that it may use.  A folder may always use itself.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "emacs",
        &[
            "gh", "git", "net", "gate", "joblog", "redact", "run", "text", "foreign",
        ],
    ),
    (
        "gh",
        &["git", "gate", "joblog", "redact", "run", "text", "foreign"],
    ),
    (
        "net",
        &["gate", "address", "redact", "run", "text", "foreign"],
    ),
    ("git", &["gate", "redact", "run", "text", "foreign"]),
    ("gate", &["redact", "run", "text", "foreign"]),
    ("joblog", &["text"]),
    ("address", &[]),
    ("redact", &["text", "foreign"]),
    ("run", &["foreign"]),
    ("foreign", &[]),
    ("text", &[]),
    // The crate's root only declares modules.
    ("lib", &[]),
];

/// The folders whose parts must not use each other in a cycle.
pub const FOLDERS: &[&str] = &[
    "emacs", "gate", "gh", "git", "joblog", "net", "redact", "run",
];

/// The layer of `file`: `gate` for `gate/plan/draft.rs`, `foreign` for `foreign.rs`.
fn layer(file: &str) -> &str {
    let first = file.split('/').next().unwrap_or(file);
    first.strip_suffix(".rs").unwrap_or(first)
}

/// A line for each use that [`LAYERS`] forbids: `gate/decide/policy.rs uses gh/parse/mod.rs`.
pub fn forbidden(edges: &Edges) -> Vec<String> {
    let allowed = |from: &str, to: &str| {
        let row = LAYERS.iter().find(|(name, _)| *name == from);
        from == to || row.is_some_and(|(_, below)| below.contains(&to))
    };
    edges
        .iter()
        .filter(|(from, to)| !allowed(layer(from), layer(to)))
        .map(|(from, to)| format!("{from} uses {to}"))
        .collect()
}
