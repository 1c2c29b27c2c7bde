//! Commits and changed files as a person sees them in a question: `git log` and `git diff --numstat`, parsed.

use crate::gate::Cleaner;
use crate::text::numbers::grouped;

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its full number.
    pub sha: String,
    /// The name of its author.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
}

/// Most commits that a question names; the rest is counted.
pub const SHOWN: usize = 50;

/// Most files that a question names; the rest is counted.
pub const FILES_SHOWN: usize = 50;

/// The words behind `git --git-dir=…` that list at most `most` commits of `range`, the newest first.
pub fn log(range: &[String], most: usize) -> Vec<String> {
    let mut words: Vec<String> = [
        "log",
        "--no-show-signature",
        "--no-color",
        "--encoding=UTF-8",
        "-z",
        "--format=%H%x09%an%x09%s",
        &format!("--max-count={most}"),
    ]
    .map(str::to_owned)
    .into();
    words.extend_from_slice(range);
    words.push("--".into());
    words
}

/// The commits in `printed`, what [`log`] lists.
pub fn parse(printed: &str) -> Vec<Commit> {
    let lines = printed.split('\0');
    lines
        .filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let sha = parts.next().filter(|sha| is_sha(sha))?;
            Some(Commit {
                sha: sha.to_owned(),
                author: parts.next()?.to_owned(),
                subject: parts.next()?.to_owned(),
            })
        })
        .collect()
}

/// Whether `text` is the full number of an object: 40 or 64 hexadecimal digits.
pub fn is_sha(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The first seven digits of `sha`.
pub fn short(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}

/// The words behind `git --git-dir=…` that count the changed lines of each file between two commits.
pub fn numstat(from: &str, to: &str) -> Vec<String> {
    [
        "diff",
        "--numstat",
        "-z",
        "--no-renames",
        "--no-relative",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--ignore-submodules=none",
        from,
        to,
        "--",
    ]
    .map(str::to_owned)
    .into()
}

/// The words behind `git --git-dir=…` that name the files which `to` has and `from` has not, each with a NUL byte behind it.
pub fn added(from: &str, to: &str) -> Vec<String> {
    [
        "diff",
        "--name-only",
        "--diff-filter=A",
        "-z",
        "--no-renames",
        "--no-relative",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        from,
        to,
        "--",
    ]
    .map(str::to_owned)
    .into()
}

/// A file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its name.
    pub path: String,
    /// Added and deleted lines; `None` for a binary file.
    pub lines: Option<(u64, u64)>,
}

/// The files in `printed`, what [`numstat`] lists.
pub fn changed(printed: &str) -> Vec<Changed> {
    let entries = printed.split('\0');
    entries
        .filter_map(|entry| {
            let mut parts = entry.splitn(3, '\t');
            let (added, deleted, path) = (parts.next()?, parts.next()?, parts.next()?);
            let lines = added.parse().ok().zip(deleted.parse().ok());
            let path = path.to_owned();
            Some(Changed { path, lines })
        })
        .collect()
}

/// The sum of `files`: `3 files, +10 −2`.
pub fn sum(files: &[Changed]) -> String {
    let lines = files.iter().filter_map(|file| file.lines);
    let (added, deleted) = lines.fold((0_u64, 0_u64), |(a, d), (more, less)| {
        (a.saturating_add(more), d.saturating_add(less))
    });
    let word = if files.len() == 1 { "file" } else { "files" };
    format!(
        "{} {word}, +{} −{}",
        grouped(files.len()),
        grouped(added),
        grouped(deleted)
    )
}

/// A line for each of `files`, at most [`FILES_SHOWN`] and one that counts the rest.
pub fn file_lines(files: &[Changed], clean: &Cleaner) -> Vec<String> {
    let mut lines: Vec<String> = files
        .iter()
        .take(FILES_SHOWN)
        .map(|file| {
            let path = clean.line(&file.path);
            file.lines.map_or_else(
                || format!("{path} (binary)"),
                |(added, deleted)| format!("{path} +{added} −{deleted}"),
            )
        })
        .collect();
    if files.len() > FILES_SHOWN {
        lines.push(format!("and {} more files", files.len() - FILES_SHOWN));
    }
    lines
}

/// A line for each of `commits`, which are the first of `total`; a last line counts the rest.
pub fn commit_lines(commits: &[Commit], total: u64, clean: &Cleaner) -> Vec<String> {
    let shown = commits.iter().take(SHOWN);
    let mut lines: Vec<String> = shown
        .map(|commit| {
            format!(
                "{} {} ({})",
                short(&commit.sha),
                clean.line(&commit.subject),
                clean.line(&commit.author)
            )
        })
        .collect();
    let rest = total.saturating_sub(u64::try_from(lines.len()).unwrap_or(u64::MAX));
    if rest > 0 {
        lines.push(format!("and {} more commits", grouped(rest)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_and_files_are_read_whatever_they_are_called() {
        let sha = "0123456789012345678901234567890123456789";
        let printed = format!("{sha}\tA\x1b[1m B\tfix\tall\n\0{sha}\tC\t\0rest");
        let commits = parse(&printed);
        assert_eq!(commits.len(), 2);
        assert_eq!(commits[0].subject, "fix\tall\n");
        let clean = Cleaner::holding(&[]);
        let lines = commit_lines(&commits, 5, &clean);
        assert_eq!(lines.len(), 3);
        assert!(!lines.concat().contains('\x1b'));
        assert_eq!(lines[2], "and 3 more commits");
        let files = changed("3\t1\ta b\0-\t-\tx.png\0");
        assert_eq!(sum(&files), "2 files, +3 −1");
        assert_eq!(file_lines(&files, &clean), ["a b +3 −1", "x.png (binary)"]);
    }
}
