//! The configuration of a store, which follows from the names of its worktrees alone.

use std::fmt::Write as _;

use super::place::{Kind, Place};

/// The configuration of the store at `place` with worktrees for `kinds`.
///
/// The remote and the branches are for a person who uses git or magit in a worktree; the gate itself uses none of them.
pub(super) fn config(place: &Place, kinds: &[Kind]) -> String {
    let mut text = String::from(
        "# Written by cj-gate.  Changes are set aside; put your own settings into ~/.gitconfig.\n\
[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfilemode = true\n\tlogAllRefUpdates = true\n\
\tsymlinks = false\n\tprotectHFS = true\n\tprotectNTFS = true\n\thooksPath = /dev/null\n\tfsmonitor = false\n\
[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[submodule]\n\trecurse = false\n\
[fetch]\n\trecurseSubmodules = false\n[diff]\n\tignoreSubmodules = all\n",
    );
    let address = quoted(&place.address());
    let _ = write!(
        text,
        "[remote \"origin\"]\n\turl = {address}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\ttagOpt = --no-tags\n"
    );
    for kind in kinds {
        let _ = write!(
            text,
            "[branch {}]\n\tremote = origin\n\tmerge = {}\n",
            quoted(&kind.branch()),
            quoted(&kind.remote_ref())
        );
    }
    text
}

/// `value` as git's configuration quotes it.
fn quoted(value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{value}\"")
}

/// The lines of the configuration `found` that `expected` does not have, without their values: `[core] fsmonitor`.  At most eight.
pub(super) fn foreign_keys(found: &str, expected: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut section = String::new();
    for line in found.lines() {
        let line = line.trim();
        if line.starts_with('[') {
            line.clone_into(&mut section);
        }
        if line.is_empty()
            || line.starts_with(['#', ';'])
            || expected.lines().any(|known| known.trim() == line)
        {
            continue;
        }
        let key = line.split('=').next().unwrap_or_default().trim();
        let key: String = key.chars().filter(|c| !c.is_control()).take(60).collect();
        if line.starts_with('[') {
            keys.push(key);
        } else {
            let section: String = section
                .chars()
                .filter(|c| !c.is_control())
                .take(40)
                .collect();
            keys.push(format!("{section} {key}"));
        }
    }
    let expected_branch = |key: &String| key.starts_with("[branch ");
    // Branches of worktrees that have gone are no change by somebody else.
    keys.retain(|key| !expected_branch(key));
    keys.truncate(8);
    keys
}
