//! A unified diff as files and hunks: the place of each in the text, and how many lines a file adds and removes.
//!
//! The reader takes git's output (git-diff(1), "Generating patch text with -p"; hunks have the format of POSIX diff -u).  A hunk's
//! header states its number of lines, so that no line inside a hunk is taken for a header.  Text that is no diff has no files.

use std::ops::Range;

/// One file of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path after the change, or before it for a deleted file; without `a/` and `b/`.
    pub path: String,
    /// The kind of change by git's letter: `A` added, `D` deleted, `M` modified, `R` renamed, `C` copied.
    pub change: char,
    /// Whether the file is binary, so that git shows no lines of it.
    pub binary: bool,
    /// Number of lines added.
    pub added: usize,
    /// Number of lines removed.
    pub removed: usize,
    /// The bytes of the diff with this file's headers and hunks.
    pub text: Range<usize>,
    /// The bytes of the diff with each hunk.
    pub hunks: Vec<Range<usize>>,
}

/// The files of `diff`, in the order of the diff.
pub fn files(diff: &str) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    // Number of lines that the current hunk still has of the old file, and of the new file.
    let (mut old, mut new) = (0_usize, 0_usize);
    let mut at = 0;
    for line in diff.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words = line.trim_end_matches(['\n', '\r']);
        if let Some(names) = words.strip_prefix("diff --git ")
            && old == 0
            && new == 0
        {
            files.push(File {
                path: name(names),
                change: 'M',
                binary: false,
                added: 0,
                removed: 0,
                text: start..at,
                hunks: Vec::new(),
            });
            continue;
        }
        let Some(file) = files.last_mut() else {
            continue;
        };
        file.text.end = at;
        if old > 0 || new > 0 {
            match words.as_bytes().first() {
                Some(b'+') => {
                    file.added += 1;
                    new = new.saturating_sub(1);
                }
                Some(b'-') => {
                    file.removed += 1;
                    old = old.saturating_sub(1);
                }
                // "\ No newline at end of file" is a line of neither file.
                Some(b'\\') => {}
                _ => {
                    old = old.saturating_sub(1);
                    new = new.saturating_sub(1);
                }
            }
            if let Some(hunk) = file.hunks.last_mut() {
                hunk.end = at;
            }
        } else if let Some(lengths) = hunk(words) {
            (old, new) = lengths;
            file.hunks.push(start..at);
        } else if words.starts_with('\\') {
            if let Some(hunk) = file.hunks.last_mut() {
                hunk.end = at;
            }
        } else {
            header(words, file);
        }
    }
    files
}

/// Reads a line between hunks, such as `rename to b.rs`, into `file`.
fn header(words: &str, file: &mut File) {
    if let Some(path) = words.strip_prefix("+++ ") {
        if path != "/dev/null" {
            file.path = side(path);
        }
    } else if let Some(path) = words.strip_prefix("--- ") {
        if path != "/dev/null" {
            file.path = side(path);
        }
    } else if let Some(path) = words
        .strip_prefix("rename to ")
        .or_else(|| words.strip_prefix("copy to "))
    {
        file.path = unquoted(path);
        file.change = if words.starts_with("copy") { 'C' } else { 'R' };
    } else if words.starts_with("new file mode ") {
        file.change = 'A';
    } else if words.starts_with("deleted file mode ") {
        file.change = 'D';
    } else if words.starts_with("Binary files ") || words == "GIT binary patch" {
        file.binary = true;
    }
}

/// The lengths B and D in a line `@@ -A,B +C,D @@`; an omitted length is 1.  None for any other line.
fn hunk(line: &str) -> Option<(usize, usize)> {
    let rest = line.strip_prefix("@@ -")?;
    let (old, rest) = rest.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let length = |range: &str| match range.split_once(',') {
        Some((_, length)) => length.parse().ok(),
        None => range.parse::<usize>().ok().map(|_| 1),
    };
    Some((length(old)?, length(new)?))
}

/// The path in `a/PATH` or `b/PATH`, without the tab that git writes behind a path with spaces.
fn side(path: &str) -> String {
    let path = unquoted(path.trim_end_matches('\t'));
    match path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")) {
        Some(rest) => rest.to_owned(),
        None => path,
    }
}

/// The new path in `a/PATH b/PATH`, for a file without a `+++` line.  Both halves are equal except for a rename, whose later line
/// `rename to` has the path.
fn name(names: &str) -> String {
    let half = names.len() / 2;
    match (names.get(..half), names.get(half + 1..)) {
        (Some(old), Some(new)) if old.get(2..) == new.get(2..) => side(new),
        _ => names
            .rsplit_once(" b/")
            .map_or_else(|| side(names), |(_, new)| new.to_owned()),
    }
}

/// `path` without the quotes that git writes around a path with unusual characters (git-config(1), `core.quotePath`); the escapes
/// inside stay.
fn unquoted(path: &str) -> String {
    path.strip_prefix('"')
        .and_then(|path| path.strip_suffix('"'))
        .unwrap_or(path)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DIFF: &str = "\
diff --git a/src/a b.rs b/src/a b.rs
index 111..222 100644
--- a/src/a b.rs\t
+++ b/src/a b.rs\t
@@ -1,3 +1,4 @@ fn main() {
 one
-two
+two and a half
++++ b/not/a/header
 three
@@ -9 +10 @@
-nine
\\ No newline at end of file
+ten
diff --git a/old.txt b/new.txt
similarity index 100%
rename from old.txt
rename to new.txt
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
";

    #[test]
    fn files_and_hunks_are_found_and_counted() {
        let found: Vec<String> = files(DIFF)
            .iter()
            .map(|f| {
                format!(
                    "{} {} +{} -{} {} hunks{}",
                    f.change,
                    f.path,
                    f.added,
                    f.removed,
                    f.hunks.len(),
                    if f.binary { ", binary" } else { "" }
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                "M src/a b.rs +3 -2 2 hunks",
                "R new.txt +0 -0 0 hunks",
                "D gone +0 -1 1 hunks",
                "A logo.png +0 -0 0 hunks, binary",
            ]
        );
        let first = &files(DIFF)[0];
        assert!(DIFF[first.hunks[1].clone()].starts_with("@@ -9 +10 @@\n-nine\n"));
        assert!(DIFF[first.hunks[1].clone()].ends_with("+ten\n"));
        assert!(files("no diff at all\n+++ b/x\n@@ -1 +1 @@\n").is_empty());
    }

    proptest! {
        #[test]
        fn the_texts_of_the_files_follow_one_another_to_the_end(
            lines in prop::collection::vec(prop_oneof![
                Just("diff --git a/x b/x".to_owned()), Just("@@ -1,2 +1,2 @@".to_owned()),
                Just("+++ b/x".to_owned()), Just("@@ -99999999999999999999 +1 @@".to_owned()), "[-+ \\\\@é]{0,12}",
            ], 0..40)
        ) {
            let diff = lines.join("\n");
            let files = files(&diff);
            let mut at = files.first().map_or(0, |f| f.text.start);
            for file in &files {
                prop_assert_eq!(file.text.start, at);
                at = file.text.end;
                for hunk in &file.hunks {
                    prop_assert!(file.text.start <= hunk.start && hunk.end <= file.text.end);
                    prop_assert!(diff.get(hunk.clone()).is_some());
                }
            }
            prop_assert!(files.is_empty() || at == diff.len());
        }
    }
}
