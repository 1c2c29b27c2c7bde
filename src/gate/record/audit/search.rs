//! Questions to the log: the lines that match, the newest first and a page at a time; and what went to which host.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use regex::bytes::{Regex, RegexBuilder};

use super::line::{Line, decode_words};
use super::{folder, read};
use crate::gate::result::cleaner::Cleaner;

/// Hosts of which a sum is kept; more are summed up under one name.
const HOSTS: usize = 500;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct LogQuery {
    /// Where the log lies.
    pub folder: PathBuf,
    /// What a line must match, as it reads decoded or as it stands; none: anything.
    pub pattern: Option<Regex>,
    /// The host a line must be of.
    pub host: Option<String>,
    /// Matches that are passed over, from the newest on.
    pub skip: usize,
    /// Matches that are given back.
    pub most: usize,
}

/// Bytes of a pattern: what a person types is far shorter.
const LONGEST_PATTERN: usize = 1_000;

/// Why a pattern cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Longer than 1,000 bytes.
    #[error("The pattern has {0} bytes; at most {LONGEST_PATTERN} are taken.\nShorten it.")]
    TooLong(usize),
    /// No regular expression of Rust's, or one that would become too large; with the reason.
    #[error(
        "The pattern can't be read: {0}.\nGive a regular expression as Rust has them, without look-around."
    )]
    Malformed(String),
}

/// Compiles `pattern`, in the syntax of the crate regex; with `fold`, upper and lower case of ASCII letters are the same.
///
/// # Errors
/// [`PatternError`], in two lines: what is wrong, and what to do.
pub fn compile(pattern: &str, fold: bool) -> Result<Regex, PatternError> {
    if pattern.len() > LONGEST_PATTERN {
        return Err(PatternError::TooLong(pattern.len()));
    }
    let built = RegexBuilder::new(pattern)
        .unicode(false)
        .case_insensitive(fold)
        .build();
    built.map_err(|error| {
        let text = error.to_string();
        let why = text.lines().last().unwrap_or_default();
        PatternError::Malformed(why.trim_start_matches("error: ").trim().to_owned())
    })
}

/// A line that matched.  All text in it is clean and on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The file's name, and the number of the line in it, from 1.
    pub file: String,
    /// See `file`.
    pub line: u64,
    /// The keys of the line with their values, decoded; `time` for the time; `line` alone, where it is none of ours.
    pub values: Vec<(&'static str, String)>,
    /// The words of the argv, one by one.
    pub words: Vec<String>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLines {
    /// The rows asked for, the newest first.
    pub rows: Vec<Row>,
    /// Lines that match, in all.
    pub matched: u64,
    /// Lines read.
    pub lines: u64,
    /// Files that could not be read, with the reason.
    pub unread: Vec<String>,
    /// Whether it was broken off.
    pub cancelled: bool,
}

/// What went to one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The host; `-` where none was found.
    pub host: String,
    /// Calls.
    pub calls: u64,
    /// Reads that ran.
    pub reads: u64,
    /// Calls that may change something and ran, by who approved them: a rule, a person, a lease.
    pub by_rule: u64,
    /// See `by_rule`.
    pub by_person: u64,
    /// See `by_rule`.
    pub by_lease: u64,
    /// Calls that did not run.
    pub refused: u64,
    /// Calls that ran and failed.
    pub failed: u64,
    /// The time of the last call.
    pub last: String,
}

/// The keys of a line that a row has; what else a line may hold stays in its file.
const KEYS: &[&str] = &[
    "host",
    "repo",
    "class",
    "policy",
    "exit",
    "duration",
    "bytes",
    "error",
    "approved-by",
    "account",
    "program",
    "command",
    "dropped",
    "truncated",
    "event",
    "why",
    "lease",
    "minutes",
    "uses",
    "argv-sha256",
    "call",
    "pid",
    "w",
    "n",
    "h",
];

/// The lines that `wanted` asks for.  `go_on` is asked now and then.
pub fn search(wanted: &LogQuery, clean: &Cleaner, go_on: &dyn Fn() -> bool) -> FoundLines {
    let mut found = FoundLines::default();
    // The newest are the last ones read.
    let room = wanted.skip.saturating_add(wanted.most);
    let mut kept: VecDeque<(usize, u64, Vec<u8>)> = VecDeque::new();
    let mut names = Vec::new();
    let mut decoded = Vec::new();
    let read = each_file(&wanted.folder, &mut |nth, name, raw| {
        if names.len() <= nth {
            names.push(name.to_owned());
        }
        found.lines += 1;
        if matches(wanted, raw.bytes, &mut decoded) {
            found.matched += 1;
            if kept.len() == room {
                kept.pop_front();
            }
            if room > 0 {
                kept.push_back((nth, raw.number, raw.bytes.to_vec()));
            }
        }
        found.lines % 1_000 != 0 || go_on()
    });
    (found.unread, found.cancelled) = read;
    let rows = kept.iter().rev().skip(wanted.skip).take(wanted.most);
    found.rows = rows
        .map(|(nth, line, bytes)| row(&names[*nth], *line, bytes, clean))
        .collect();
    found
}

/// What went to each host in the log of `folder`.
pub fn by_host(folder: &Path, clean: &Cleaner, go_on: &dyn Fn() -> bool) -> (Vec<Sum>, FoundLines) {
    let mut found = FoundLines::default();
    let mut sums: BTreeMap<Vec<u8>, Sum> = BTreeMap::new();
    let read = each_file(folder, &mut |_, _, raw| {
        found.lines += 1;
        if let Some(line) = Line::parse(raw.bytes).filter(|line| line.raw("event").is_none()) {
            found.matched += 1;
            let host = line.raw("host").unwrap_or(b"-");
            let host = if sums.len() < HOSTS || sums.contains_key(host) {
                host
            } else {
                &b"(other hosts)"[..]
            };
            add(sums.entry(host.to_vec()).or_default(), &line);
        }
        found.lines % 1_000 != 0 || go_on()
    });
    (found.unread, found.cancelled) = read;
    let sums = sums.into_iter().map(|(host, sum)| Sum {
        host: clean.line(&String::from_utf8_lossy(&host)),
        last: clean.line(&sum.last),
        ..sum
    });
    (sums.collect(), found)
}

fn add(sum: &mut Sum, line: &Line<'_>) {
    sum.calls += 1;
    sum.last = String::from_utf8_lossy(line.time).into_owned();
    let read = line.raw("class") == Some(b"read");
    match line.raw("approved-by") {
        None => sum.refused += 1,
        Some(_) if read => sum.reads += 1,
        Some(b"person") => sum.by_person += 1,
        Some(b"lease") => sum.by_lease += 1,
        Some(_) => sum.by_rule += 1,
    }
    if line.raw("approved-by").is_some() && line.raw("error").is_some() {
        sum.failed += 1;
    }
}

/// Calls `each` with every line of every file, the oldest day first, until it says false; files that could not be read, and
/// whether it said false.
fn each_file(
    folder: &Path,
    each: &mut dyn FnMut(usize, &str, read::Raw<'_>) -> bool,
) -> (Vec<String>, bool) {
    let mut unread = Vec::new();
    let mut stopped = false;
    let days = folder::days(folder).unwrap_or_else(|error| {
        unread.push(error.to_string());
        Vec::new()
    });
    for (nth, (_, name)) in days.iter().enumerate() {
        let name = name.to_string_lossy();
        let read = folder::open_to_read(&folder.join(name.as_ref()))
            .map_err(|trouble| trouble.to_string());
        let read = read.and_then(|file| {
            read::lines(file, |raw| {
                stopped = !each(nth, &name, raw);
                !stopped
            })
            .map_err(|error| format!("{name}: {error}"))
        });
        unread.extend(read.err());
        if stopped {
            break;
        }
    }
    (unread, stopped)
}

fn matches(wanted: &LogQuery, bytes: &[u8], decoded: &mut Vec<u8>) -> bool {
    if let Some(host) = &wanted.host
        && Line::parse(bytes)
            .and_then(|line| line.text("host"))
            .as_ref()
            != Some(host)
    {
        return false;
    }
    let Some(pattern) = &wanted.pattern else {
        return true;
    };
    decode_line(bytes, decoded);
    pattern.is_match(decoded) || pattern.is_match(bytes)
}

/// A line as it reads: percent-encoding undone, the words of an argv with spaces between them.
fn decode_line(bytes: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let digit = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16));
    let mut at = 0;
    while at < bytes.len() {
        match (
            bytes[at],
            digit(bytes.get(at + 1)),
            digit(bytes.get(at + 2)),
        ) {
            (b'%', Some(high), Some(low)) => {
                out.push(
                    u8::try_from(high * 16 + low).expect("two hexadecimal digits are one byte"),
                );
                at += 3;
                continue;
            }
            (b',', ..) => out.push(b' '),
            (byte, ..) => out.push(byte),
        }
        at += 1;
    }
}

fn row(file: &str, line: u64, bytes: &[u8], clean: &Cleaner) -> Row {
    let mut values = Vec::new();
    let mut words = Vec::new();
    if let Some(parsed) = Line::parse(bytes) {
        values.push(("time", clean.line(&String::from_utf8_lossy(parsed.time))));
        for key in KEYS {
            values.extend(parsed.text(key).map(|text| (*key, clean.line(&text))));
        }
        values.extend(parsed.words("argv").map(|text| ("argv", clean.line(&text))));
        // Of a malformed list no word is told: the line as a whole is.
        let argv = parsed.raw("argv").and_then(decode_words);
        words.extend(
            argv.into_iter()
                .flatten()
                .map(|word| clean.line(&String::from_utf8_lossy(&word))),
        );
    } else {
        values.push(("line", clean.line(&String::from_utf8_lossy(bytes))));
    }
    Row {
        file: file.to_owned(),
        line,
        values,
        words,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_pattern_is_read_as_rust_reads_it() {
        for (pattern, text, found) in [
            ("merge", "gh pr merge 1", true),
            ("a|b", "b", true),
            (r"a\|b", "a|b", true),
            ("(?:pr|issue) close", "issue close", true),
            ("x{2}y", "xxy", true),
            ("^a", "ba", false),
            (r"\bmerge\b", "pr merge 1", true),
            ("[[:digit:]]+", "17", true),
            (r"o/r\.el", "o/rxel", false),
            ("ü", "für", true),
        ] {
            let regex = compile(pattern, false).expect(pattern);
            assert_eq!(
                regex.is_match(text.as_bytes()),
                found,
                "{pattern} in {text}"
            );
        }
        assert!(compile("MERGE", true).expect("plain").is_match(b"merge"));
    }

    #[test]
    fn a_pattern_that_cannot_be_read_is_refused_with_the_reason_and_what_to_do() {
        for pattern in [r"(a)\1", "(", "[a", "\\", "(?=a)", "x{1000}{1000}{1000}"] {
            let error = compile(pattern, false).expect_err(pattern).to_string();
            assert!(error.starts_with("The pattern can't be read: "), "{error}");
            assert!(error.contains("\nGive a regular expression as Rust has them"));
        }
        let error = compile(&"x".repeat(2_000), false).expect_err("too long");
        assert_eq!(error, PatternError::TooLong(2_000));
    }

    proptest! {
        #[test]
        fn any_pattern_is_read_or_refused(pattern in ".{0,40}") {
            let _ = compile(&pattern, true);
        }

        #[test]
        fn a_literal_is_found(text in "[ -~]{1,20}") {
            let quoted = regex::escape(&text);
            prop_assert!(compile(&quoted, false).expect("quoted").is_match(text.as_bytes()), "{quoted}");
        }
    }
}
