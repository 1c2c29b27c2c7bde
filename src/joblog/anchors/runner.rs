//! The words of GitHub's runner: the marks before lines, how a step ended, and which steps are made to run after a failure.

use super::super::line::Kind;

/// The marks before lines, and the kinds of these lines.
const MARKS: &[(&str, Kind)] = &[
    ("##[group]", Kind::Group),
    ("##[endgroup]", Kind::EndGroup),
    ("##[error]", Kind::Error),
    ("##[warning]", Kind::Aside),
    ("##[notice]", Kind::Aside),
    ("##[debug]", Kind::Aside),
    ("##[command]", Kind::Command),
    ("[command]", Kind::Command),
];

/// The kind of a line with a mark before it, and the length of the mark.
pub(in crate::joblog) fn mark(text: &str) -> Option<(Kind, usize)> {
    let found = MARKS.iter().find(|(mark, _)| text.starts_with(mark));
    found.map(|(mark, kind)| (*kind, mark.len()))
}

/// The runner's sentences that a step was stopped. Source: actions/runner, `Resources` and `JobRunner`.
const STOPPED: &[&str] = &[
    "The operation was canceled",
    "The operation was cancelled",
    "has exceeded the maximum execution time",
    "The runner has received a shutdown signal",
    "lost communication with the server",
    "has timed out after",
    "The job was canceled",
    "The job was not acquired",
];

/// The exit code in the runner's sentence `Process completed with exit code 2.`
pub(in crate::joblog) fn exit_code(text: &str) -> Option<i32> {
    let rest = text.strip_prefix("Process completed with exit code ")?;
    rest.trim_end_matches('.').parse().ok()
}

/// Whether `text` says that the step was stopped.
pub(in crate::joblog) fn is_stop(text: &str) -> bool {
    STOPPED.iter().any(|phrase| text.contains(phrase))
}

/// Beginnings of words in the titles of steps that are made to run after a failure.
const AFTERMATH: &[&str] = &[
    "upload", "artifact", "report", "coverage", "codecov", "notif", "slack", "clean", "teardown",
    "tear", "stop", "dump", "debug", "comment", "summar", "always", "collect", "junit", "kill",
    "delet", "remov", "dmesg", "status", "show", "print", "post", "archiv", "save", "annotat",
    "diagnos",
];
/// Whole words in such titles.
const AFTERMATH_WORDS: &[&str] = &[
    "down", "log", "logs", "cat", "ls", "df", "free", "ps", "send",
];

/// Whether a step with this title is made to run after a failure.
pub(in crate::joblog) fn is_aftermath(title: &str) -> bool {
    let title = title.to_ascii_lowercase();
    let stem = |word: &str| AFTERMATH.iter().any(|stem| word.starts_with(stem));
    let mut words = title.split(|next: char| !next.is_ascii_alphanumeric());
    words.any(|word| stem(word) || AFTERMATH_WORDS.contains(&word))
}
