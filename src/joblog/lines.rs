//! Reads the lines of a log in either of gh's forms, without names, time stamps and colours.
//!
//! The job's own log has a byte order mark, then `TIME TEXT`; `gh run view --log-failed` has `JOB<tab>STEP<tab>TIME TEXT`
//! with a mark at each step's start. A message of several lines has one time stamp. Colours come as ESC bytes or in
//! caret form. Text in neither form is read as the output of one step.
//! Source: logs of runner 2.3xx; gh 2.92.0 and 2.103.3, which print the same bytes.

use std::borrow::Cow;
use std::collections::HashSet;

use super::anchors::{runner, wrapped};
use super::line::{Kind, Line, Log, Origin};
use crate::text::fold::without_middle;
use crate::text::terminal;

/// Of a longer line, only the first 3,000 and the last 1,000 bytes are looked at.
const LINE_HEAD: usize = 3_000;
const LINE_TAIL: usize = 1_000;

/// Reads `text`; the work is linear in its length.
pub(super) fn read(text: &str) -> Log<'_> {
    let mut log = Log {
        lines: Vec::with_capacity(text.len() / 90 + 1),
        origins: vec![Origin::default()],
    };
    let mut origin = 0;
    let mut jobs = HashSet::new();
    for physical in text.split('\n') {
        let mut rest = physical.strip_suffix('\r').unwrap_or(physical);
        if let Some((job, step, after)) = prefixed(rest) {
            let stamped = stamp(after);
            if stamped.is_some() || jobs.contains(job) {
                let (named, step) = (Some(job), Some(step));
                let found = Origin { job: named, step };
                if log.origins[origin] != found {
                    // Steps come in order; a name that comes again later is another step.
                    jobs.insert(job);
                    log.origins.push(found);
                    origin = log.origins.len() - 1;
                }
                rest = after;
            }
        }
        let stamped = stamp(rest);
        let text = stamped.unwrap_or(rest);
        push(&mut log.lines, text, origin, stamped.is_some());
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

/// The parts of `JOB<tab>STEP<tab>REST`. Where the line begins with a time stamp, the tabs are the program's.
fn prefixed(line: &str) -> Option<(&str, &str, &str)> {
    let (job, rest) = line.split_once('\t')?;
    let (step, rest) = rest.split_once('\t')?;
    let named = job.len() <= 300 && step.len() <= 1_000 && stamp(line).is_none();
    named.then(|| (unmarked(job), step, rest))
}

/// `text` without a byte order mark before it.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// What follows the time stamp at the start of `line`, if one stands there.
fn stamp(line: &str) -> Option<&str> {
    let (second, rest) = unmarked(line).split_once('.')?;
    let form = |byte: u8| if byte.is_ascii_digit() { b'd' } else { byte };
    if !second.bytes().map(form).eq(*b"dddd-dd-ddTdd:dd:dd") {
        return None;
    }
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix('Z')?;
    Some(rest.strip_prefix(' ').unwrap_or(rest))
}

/// Adds the line with the text `rest`, which stands after the time stamp.
fn push<'a>(lines: &mut Vec<Line<'a>>, rest: &'a str, origin: usize, stamped: bool) {
    // Of a progress bar in one line, the last state.
    let mut states = rest.rsplit('\r');
    let state = states.find(|part| !part.trim().is_empty());
    let rest = state.unwrap_or("");
    let rest = wrapped::after_bare_nl(rest);
    let script = rest.starts_with("\u{1b}[36;1m") || rest.starts_with("^[[36;1m");
    let text = wrapped::event(rest).map_or_else(|| terminal::plain(rest), Cow::Owned);
    let text = without_middle(text, LINE_HEAD, LINE_TAIL);
    let (kind, skip) = match runner::mark(&text) {
        Some(mark) => mark,
        None if script => (Kind::Script, 0),
        None => (Kind::Plain, wrapped::task(&text)),
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
    fn of_a_progress_bar_the_last_state_is_read_and_tabs_in_a_text_are_kept() {
        check(" 10%\r 50%\r100%\r", Kind::Plain, "100%");
        check("a\tb\tc", Kind::Plain, "a\tb\tc");
    }

    #[test]
    fn the_letters_nl_before_a_row_are_no_part_of_it() {
        for (line, text) in [
            ("nl** TEST FAILED **", "** TEST FAILED **"),
            ("nlFailing tests:", "Failing tests:"),
            ("nl  testThat, failed", "  testThat, failed"),
            ("nl\u{1b}[31m❌ a", "❌ a"),
            (
                "nl: a.txt: No such file or directory",
                "nl: a.txt: No such file or directory",
            ),
            ("nl -ba a.txt", "nl -ba a.txt"),
            ("nlohmann/json", "nlohmann/json"),
        ] {
            check(line, Kind::Plain, text);
        }
    }
}
