//! Names in an archive: which are taken, and what the file is called on disk.
//!
//! What acts on a reader (escapes, line ends, invisible and bidirectional characters) is made visible in the name itself, so that
//! the disk, the result and a person's directory listing show the same.

use crate::redact::neutral::{acts, neutral};

/// Longest component, in bytes (`NAME_MAX` of Linux's file systems), and longest path, well below `PATH_MAX`.
const MAX_COMPONENT: usize = 255;
const MAX_PATH: usize = 1_024;
/// Most directories one in another.
const MAX_DEPTH: usize = 32;

/// Names that are refused wherever they stand, since a program acts on what is below them without being told to.
const ACTED_ON: &[(&str, &str)] = &[
    (
        ".git",
        "git, which editors ask by themselves, runs programs that its settings name",
    ),
    (
        ".hg",
        "Mercurial, which editors ask by themselves, runs programs that its settings name",
    ),
    (
        ".dir-locals.el",
        "Emacs takes settings from it for every file below",
    ),
    (
        ".dir-locals-2.el",
        "Emacs takes settings from it for every file below",
    ),
];

/// The components of the name `raw` as they are called on disk; else why it is not taken, the end of a sentence.
/// A directory's name ends in a slash.
pub fn components(raw: &[u8]) -> Result<Vec<String>, String> {
    let Ok(name) = std::str::from_utf8(raw) else {
        return Err("a name in it is not UTF-8".into());
    };
    let said = shown(name);
    if name.len() > MAX_PATH {
        return Err(format!("a name in it is longer than {MAX_PATH} bytes"));
    }
    if name.starts_with('/') || name.as_bytes().get(1) == Some(&b':') {
        return Err(format!("the name `{said}' in it is absolute"));
    }
    // A separator to one system and a letter to another: what was meant cannot be told.
    if name.contains('\\') {
        return Err(format!("the name `{said}' in it holds a backslash"));
    }
    let mut out = Vec::new();
    for part in name.strip_suffix('/').unwrap_or(name).split('/') {
        match part {
            "" => return Err(format!("the name `{said}' in it has an empty part")),
            "." | ".." => {
                return Err(format!("the name `{said}' in it leaves its directory"));
            }
            _ => {}
        }
        if let Some((_, why)) = ACTED_ON
            .iter()
            .find(|(name, _)| part.eq_ignore_ascii_case(name))
        {
            return Err(format!("the name `{said}' in it is one that acts: {why}"));
        }
        let part = shown(part);
        if part.len() > MAX_COMPONENT {
            return Err(format!(
                "a name in it has a part of more than {MAX_COMPONENT} bytes"
            ));
        }
        out.push(part);
    }
    if out.len() > MAX_DEPTH {
        return Err(format!(
            "it has more than {MAX_DEPTH} directories one in another"
        ));
    }
    Ok(out)
}

/// One component out of a text from outside that is no path, an artifact's name for example.
pub fn component(text: &str) -> String {
    let mut name: String = shown(text)
        .chars()
        .map(|c| if matches!(c, '/' | '\\') { '_' } else { c })
        .collect();
    // Room for a number behind it.
    while name.len() > MAX_COMPONENT - 16 {
        name.pop();
    }
    // Neither hidden nor special.
    if name.starts_with('.') {
        name.replace_range(..1, "_");
    }
    if name.is_empty() { "_".into() } else { name }
}

/// `text` with all that acts made visible, line ends and tabs too.
fn shown(text: &str) -> String {
    if text.chars().any(|c| acts(c) || c.is_control()) {
        // First: what stands behind a line end would be taken for the beginning of a line.
        neutral(&text.replace('\n', "^J").replace('\t', "^I"))
    } else {
        text.to_owned()
    }
}
