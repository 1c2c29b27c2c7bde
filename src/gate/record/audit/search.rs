//! Searching the log: the lines that match, the newest first and a page at a time; and the sums of calls per host.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use regex::bytes::{Regex, RegexBuilder};

use super::line::{Line, decode_words};
use super::{folder, read};
use crate::gate::result::cleaner::Cleaner;
use crate::text::escapes::hex_byte;

/// The most hosts with a sum of their own; all further hosts share one sum, `(other hosts)`.  Without a limit a log with made-up
/// hosts would fill the memory.
const HOSTS: usize = 500;

/// One search in the log.
#[derive(Clone, Debug)]
pub struct LogQuery {
    /// The folder of the log.
    pub folder: PathBuf,
    /// The pattern that a line must match, either decoded or as it stands in the file; none: every line matches.
    pub pattern: Option<Regex>,
    /// The host that a line must name; none: any host.
    pub host: Option<String>,
    /// Number of newest matches to skip.
    pub skip: usize,
    /// The most matches to return.
    pub most: usize,
}

/// The most bytes of a pattern; a person types far fewer.
const LONGEST_PATTERN: usize = 1_000;

/// Why a pattern cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The pattern is longer than 1,000 bytes; with its length in bytes.
    #[error("The pattern has {0} bytes; at most {LONGEST_PATTERN} are taken.\nShorten it.")]
    TooLong(usize),
    /// The pattern is no regular expression of the crate regex, or its program would be too large; with the reason.
    #[error(
        "The pattern can't be read: {0}.\nGive a regular expression as Rust has them, without look-around."
    )]
    Malformed(String),
}

/// Compiles `pattern`, in the syntax of the crate regex; with `fold`, ASCII letters match in upper and lower case.
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

/// A line that matched.  Each text in it is one line without secrets and control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The name of the file in the log's folder.
    pub file: String,
    /// The number of the line in the file, from 1.
    pub line: u64,
    /// The keys of the line with their decoded values; the key `time` has the time.  A line of another form has one key, `line`, with
    /// the whole line.
    pub values: Vec<(&'static str, String)>,
    /// The words of the argv, one by one.
    pub words: Vec<String>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLines {
    /// The rows asked for, the newest first.
    pub rows: Vec<Row>,
    /// Number of lines that match, on all pages.
    pub matched: u64,
    /// Lines read.
    pub lines: u64,
    /// Files that could not be read, with the reason.
    pub unread: Vec<String>,
    /// Whether the search was cancelled before the end of the log.
    pub cancelled: bool,
}

/// The sum of calls to one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The host; `-` for calls without a host.
    pub host: String,
    /// All calls.
    pub calls: u64,
    /// Reads that ran.
    pub reads: u64,
    /// Calls that may change something, and ran because a rule approved them.
    pub by_rule: u64,
    /// Calls that may change something, and ran because a person approved them.
    pub by_person: u64,
    /// Calls that may change something, and ran because a lease approved them.
    pub by_lease: u64,
    /// Calls that did not run.
    pub refused: u64,
    /// Calls that ran and failed.
    pub failed: u64,
    /// The time of the last call.
    pub last: String,
}

/// The keys that a [`Row`] shows, in this order; other keys of a line are left out.
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

/// The lines that `wanted` asks for, cleaned with `clean`.  After every 1,000 lines the search calls `go_on`, and stops where that
/// returns false.
pub fn search(wanted: &LogQuery, clean: &Cleaner, go_on: &dyn Fn() -> bool) -> FoundLines {
    let mut found = FoundLines::default();
    // Files are read from the oldest on, so the matches kept are always the newest so far.
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

/// The sum of calls to each host in the log of `folder`, cleaned with `clean`; [`FoundLines`] has the counts.  After every 1,000
/// lines the function calls `go_on`, and stops where that returns false.
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

/// Calls `each` with every line of every file, the oldest day first, until `each` returns false.  Returns the files that could not be
/// read, with reasons, and whether `each` returned false.
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

/// Decodes the line `bytes` into `out`, for matching: percent-encoding is undone and each comma becomes a space.
fn decode_line(bytes: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut at = 0;
    while at < bytes.len() {
        let escaped = || {
            let (high, low) = (bytes.get(at + 1)?, bytes.get(at + 2)?);
            hex_byte(*high, *low).filter(|_| bytes[at] == b'%')
        };
        if let Some(byte) = escaped() {
            out.push(byte);
            at += 3;
            continue;
        }
        out.push(if bytes[at] == b',' { b' ' } else { bytes[at] });
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
        // A malformed list gives no single words; the key `argv` above has the whole text.
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
        fn a_quoted_literal_matches_itself(text in "[ -~]{1,20}") {
            let quoted = regex::escape(&text);
            prop_assert!(compile(&quoted, false).expect("quoted").is_match(text.as_bytes()), "{quoted}");
        }
    }
}
