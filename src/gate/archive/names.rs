//! Names in an archive: which names are accepted, and the names of the files on disk.
//!
//! Characters that act on a reader (escapes, line ends, invisible and bidirectional characters) are made visible in the name itself,
//! so that the disk, the result and a person's directory listing show the same name.

use crate::redact::neutral::{acts, neutral};

/// The most bytes of one component: `NAME_MAX` of Linux's file systems.
const MAX_COMPONENT: usize = 255;
/// The most bytes of a whole name: well below Linux's `PATH_MAX` (4,096), for the directory's own path stands before the name.
const MAX_PATH: usize = 1_024;
/// The most components of a name, directories and file together.
const MAX_DEPTH: usize = 32;

/// Components that are refused anywhere in a name, with the reason: a program acts on such a file without being asked to.
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

/// Splits the name `raw` into the components for the disk.  The slash at the end of a directory's name is dropped.
///
/// # Errors
/// Why the name is refused, as the end of a sentence.
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
    // A backslash separates components on Windows, and is a letter on Unix.  The archive does not say which one was meant.
    if name.contains('\\') {
        return Err(format!("the name `{said}' in it holds a backslash"));
    }
    let mut out = Vec::new();
    for part in name.strip_suffix('/').unwrap_or(name).split('/') {
        match part {
            "" => return Err(format!("the name `{said}' in it has an empty part")),
            "." => return Err(format!("the name `{said}' in it has the part `.'")),
            ".." => return Err(format!("the name `{said}' in it leaves its directory")),
            _ => {}
        }
        if let Some((_, why)) = ACTED_ON
            .iter()
            .find(|(name, _)| part.eq_ignore_ascii_case(name))
        {
            return Err(format!("the name `{said}' in it is not safe: {why}"));
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

/// Makes one component from `text`, a text from outside that is no path, such as an artifact's name.
pub fn component(text: &str) -> String {
    let mut name: String = shown(text)
        .chars()
        .map(|c| if matches!(c, '/' | '\\') { '_' } else { c })
        .collect();
    // Leaves room for a number behind the name: `-2`.
    while name.len() > MAX_COMPONENT - 16 {
        name.pop();
    }
    // A name with a dot at its beginning would be hidden, or would be `..`.
    if name.starts_with('.') {
        name.replace_range(..1, "_");
    }
    if name.is_empty() { "_".into() } else { name }
}

/// `text` with all control and invisible characters made visible, line ends and tabs too.
fn shown(text: &str) -> String {
    if text.chars().any(|c| acts(c) || c.is_control()) {
        // Line ends go first: `neutral` would take the text behind a line end for the beginning of a line.
        neutral(&text.replace('\n', "^J").replace('\t', "^I"))
    } else {
        text.to_owned()
    }
}
