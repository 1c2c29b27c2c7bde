//! Reads the lines of a log in either of gh's forms, without names, time stamps and colours.
//!
//! The job's own log has a byte order mark, then `TIME TEXT`; `gh run view --log-failed` has `JOB<tab>STEP<tab>TIME TEXT`
//! with a mark at each step's start. A message of several lines has one time stamp. Colours come as ESC bytes or in
//! caret form. Text in neither form is read as the output of one step.
//! Source: logs of runner 2.3xx; gh 2.92.0 and 2.103.3, which print the same bytes.

use std::borrow::Cow;

/// The kind of a line, by the runner's mark before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text of the step's program.
    Plain,
    /// `##[group]`: the title follows.
    Group,
    /// `##[endgroup]`
    EndGroup,
    /// `##[error]`: of the runner, of a workflow command or of a problem matcher.
    Error,
    /// `##[warning]`, `##[notice]` or `##[debug]`
    Aside,
    /// `[command]`: what an action is about to run.
    Command,
    /// A line of the step's script, which the runner prints in bold cyan.
    Script,
}

/// One line, without what stood around its text.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    pub text: Cow<'a, str>,
    pub kind: Kind,
    /// The index of its job and step in [`Log::origins`].
    pub origin: usize,
    /// Whether a time stamp stands before it; a message's further lines have none.
    pub stamped: bool,
}

/// A job and a step, as gh names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin<'a> {
    pub job: Option<&'a str>,
    pub step: Option<&'a str>,
}

/// A whole log.
pub(super) struct Log<'a> {
    pub lines: Vec<Line<'a>>,
    pub origins: Vec<Origin<'a>>,
}

/// The step's name that gh prints if it has no log of single steps.
pub(super) const UNKNOWN_STEP: &str = "UNKNOWN STEP";

/// Of a longer line, only the first 3,000 and the last 1,000 bytes are looked at.
const LINE_HEAD: usize = 3_000;
const LINE_TAIL: usize = 1_000;

/// Reads `text`; the work is linear in its length.
pub(super) fn read(text: &str) -> Log<'_> {
    let mut log = Log {
        lines: Vec::with_capacity(text.len() / 90 + 1),
        origins: vec![Origin {
            job: None,
            step: None,
        }],
    };
    let mut origin = 0;
    for physical in text.split('\n') {
        let mut rest = physical.strip_suffix('\r').unwrap_or(physical);
        if let Some((job, step, after)) = prefixed(rest) {
            let stamped = stamp(after);
            if stamped.is_some() || log.origins.iter().any(|o| o.job == Some(job)) {
                let found = Origin {
                    job: Some(job),
                    step: Some(step),
                };
                if log.origins[origin] != found {
                    // Steps come in order; a name that comes again later is another step.
                    log.origins.push(found);
                    origin = log.origins.len() - 1;
                }
                rest = after;
            }
        }
        let stamped = stamp(rest);
        push(
            &mut log.lines,
            stamped.unwrap_or(rest),
            origin,
            stamped.is_some(),
        );
    }
    while log.lines.last().is_some_and(|line| line.text.is_empty()) {
        log.lines.pop();
    }
    log
}

/// The lines of `text` as they are, without the names and time stamps that gh and the runner put before them.
pub fn unstamped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let after = match prefixed(line) {
            Some((_, _, after)) if stamp(after).is_some() => after,
            _ => line,
        };
        out.push_str(stamp(after).unwrap_or_else(|| unmarked(after)));
    }
    out
}

/// The parts of `JOB<tab>STEP<tab>REST`.
fn prefixed(line: &str) -> Option<(&str, &str, &str)> {
    let (job, rest) = line.split_once('\t')?;
    let (step, rest) = rest.split_once('\t')?;
    (job.len() <= 300 && step.len() <= 1_000).then(|| (unmarked(job), step, rest))
}

/// `text` without a byte order mark before it.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// What follows the time stamp at the start of `line`, if one stands there.
fn stamp(line: &str) -> Option<&str> {
    let line = unmarked(line);
    let bytes = line.as_bytes();
    let form = b"dddd-dd-ddTdd:dd:dd.";
    let fits = bytes.len() > form.len()
        && form.iter().zip(bytes).all(|(form, byte)| match form {
            b'd' => byte.is_ascii_digit(),
            other => other == byte,
        });
    if !fits {
        return None;
    }
    let digits = bytes[form.len()..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let rest = line[form.len() + digits..].strip_prefix('Z')?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

/// Adds the line with the text `rest`, which stands after the time stamp.
fn push<'a>(lines: &mut Vec<Line<'a>>, rest: &'a str, origin: usize, stamped: bool) {
    // Of a progress bar in one line, the last state.
    let rest = rest
        .rsplit('\r')
        .find(|part| !part.trim().is_empty())
        .unwrap_or("");
    let script = rest.starts_with("\u{1b}[36;1m") || rest.starts_with("^[[36;1m");
    let text = cut(event(rest).map_or_else(|| plain(rest), Cow::Owned));
    let marks = [
        ("##[group]", Kind::Group),
        ("##[endgroup]", Kind::EndGroup),
        ("##[error]", Kind::Error),
        ("##[warning]", Kind::Aside),
        ("##[notice]", Kind::Aside),
        ("##[debug]", Kind::Aside),
        ("##[command]", Kind::Command),
        ("[command]", Kind::Command),
    ];
    let mark = marks.iter().find(|(mark, _)| text.starts_with(mark));
    let (kind, skip) = match mark {
        Some((mark, kind)) => (*kind, mark.len()),
        None if script => (Kind::Script, 0),
        None => (Kind::Plain, task(&text)),
    };
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text[skip..].trim_end()),
        Cow::Owned(mut text) => {
            text.truncate(text.trim_end().len());
            text.drain(..skip.min(text.len()));
            Cow::Owned(text)
        }
    };
    lines.push(Line {
        text,
        kind,
        origin,
        stamped,
    });
}

/// The output in an event of `go test -json`; empty for an event without output, `None` if `text` is no such event.
/// Source: `go doc test2json`.
fn event(text: &str) -> Option<String> {
    let begins = text.starts_with("{\"Time\":") || text.starts_with("{\"ImportPath\":");
    if !(begins && text.contains("\"Action\":\"")) {
        return None;
    }
    let event: serde_json::Value = serde_json::from_str(text).ok()?;
    match (event["Action"].as_str()?, event["Output"].as_str()) {
        ("output" | "build-output", Some(output)) => {
            Some(plain(output.trim_end()).replace(['\r', '\n'], " "))
        }
        (
            "start" | "run" | "pause" | "cont" | "pass" | "bench" | "fail" | "skip" | "build-fail",
            None,
        ) => Some(String::new()),
        _ => None,
    }
}

/// The length of the name of an Ant task before its output, padded to twelve bytes: `    [javac] `; 0 if there is none.
fn task(text: &str) -> usize {
    let named = |head: &str| {
        let name = head.trim_start().strip_prefix('[')?.strip_suffix("] ")?;
        let level = [
            "error", "warn", "warning", "info", "debug", "fail", "failed", "fatal",
        ];
        let task = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !level.contains(&name);
        (head.starts_with(' ') && task).then_some(())
    };
    text.get(..12).and_then(named).map_or(0, |()| 12)
}

/// `text` without terminal sequences, as ESC bytes or in gh's caret form.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') && !text.contains("^[[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\u{1b}', '^']) {
        out.push_str(&rest[..at]);
        let here = &rest[at..];
        match sequence(here) {
            Some(length) => rest = &here[length..],
            None if here.starts_with('\u{1b}') => rest = &here[1..],
            None => {
                out.push('^');
                rest = &here[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The length of the terminal sequence at the start of `text` (ECMA-48 CSI, OSC, or two bytes).
fn sequence(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let caret = bytes.starts_with(b"^[");
    let lead = if caret { 2 } else { 1 };
    match bytes.get(lead)? {
        b'[' => {
            let parameters = bytes[lead + 1..]
                .iter()
                .take_while(|byte| (0x20..=0x3f).contains(*byte))
                .count();
            let last = *bytes.get(lead + 1 + parameters)?;
            // In caret form `^[[a-z]` may be a pattern of grep: only what sets colours and clears lines counts.
            let ends = if caret {
                matches!(last, b'm' | b'K') && parameters <= 20
            } else {
                (0x40..=0x7e).contains(&last)
            };
            ends.then_some(lead + parameters + 2)
        }
        b']' if !caret => {
            let end = memchr::memchr2(0x07, 0x1b, bytes.get(2..)?)? + 2;
            Some(
                end + if bytes[end] == 0x07 {
                    1
                } else {
                    2.min(bytes.len() - end)
                },
            )
            .filter(|end| text.is_char_boundary(*end))
        }
        b'(' if !caret => (bytes.len() > 2 && bytes[2].is_ascii()).then_some(3),
        _ => None,
    }
}

/// `text`, or a very long text without its middle.
fn cut(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.len() <= LINE_HEAD + LINE_TAIL + 100 {
        return text;
    }
    let head = text.floor_char_boundary_of(LINE_HEAD);
    let tail = text.floor_char_boundary_of(text.len() - LINE_TAIL);
    Cow::Owned(format!("{} … {}", &text[..head], &text[tail..]))
}

/// Borders of characters; the standard library's own is not stable in the oldest supported compiler.
pub(super) trait Border {
    /// The last border at or before byte `at`.
    fn floor_char_boundary_of(&self, at: usize) -> usize;
}

impl Border for str {
    fn floor_char_boundary_of(&self, at: usize) -> usize {
        let mut at = at.min(self.len());
        while !self.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// The bytes of white space before the text.
pub(super) fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, kind: Kind, text: &str) {
        let log = read(line);
        assert_eq!(
            (log.lines[0].kind, &*log.lines[0].text),
            (kind, text),
            "{line:?}"
        );
    }

    #[test]
    fn both_forms_give_the_same_line() {
        let time = "2026-11-10T11:37:50.2503752Z";
        check(&format!("\u{feff}{time} ##[error]no"), Kind::Error, "no");
        check(
            &format!("a / b (x)\tRun it\t\u{feff}{time} ##[error]no"),
            Kind::Error,
            "no",
        );
        check(
            &format!("{time} \u{1b}[36;1mmake\u{1b}[0m"),
            Kind::Script,
            "make",
        );
        check(
            &format!("j\ts\t{time} ^[[36;1mmake^[[0m"),
            Kind::Script,
            "make",
        );
        check(
            &format!("{time} [command]/usr/bin/git x"),
            Kind::Command,
            "/usr/bin/git x",
        );
    }

    #[test]
    fn terminal_sequences_are_dropped_and_all_other_text_is_kept() {
        check("grep '^[[a-z]' x^y", Kind::Plain, "grep '^[[a-z]' x^y");
        check(
            "\u{1b}]8;;http://a\u{7}link\u{1b}]8;;\u{7} \u{1b}[1mb\u{1b}(B",
            Kind::Plain,
            "link b",
        );
        check(" 10%\r 50%\r100%\r", Kind::Plain, "100%");
        check("a\tb\tc", Kind::Plain, "a\tb\tc");
        check("\u{1b}[", Kind::Plain, "[");
    }
}
