//! The audit log on a real disk: several writers, tampering, torn lines, full disks, hostile folders.
#![allow(clippy::disallowed_methods, clippy::print_stdout)] // a test starts itself once more, as a second writer

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Days, Local, TimeZone};
use cj_gate::gate::Cleaner;
use cj_gate::gate::record::audit::search::{FoundLines, LogQuery, by_host, compile, search};
use cj_gate::gate::record::audit::verify::{Report, Wrong, verify};
use cj_gate::gate::record::audit::{self, Entry, LineState, LogSettings, Trouble, Writer};
use proptest::prelude::*;

mod folder;
mod processes;
mod questions;

use processes::{said, second};

/// A folder for one test, removed when dropped.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let nth = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("cj-audit-{}-{nth}", std::process::id()));
        fs::create_dir(&dir).expect("the test made it");
        Self(dir)
    }

    fn log(&self) -> PathBuf {
        self.0.join("data/gh-tool-log")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn day(nth: u64) -> DateTime<Local> {
    Local.with_ymd_and_hms(2026, 3, 1, 12, 0, 0).unwrap() + Days::new(nth)
}

fn entry(time: DateTime<Local>, nth: usize) -> Entry {
    let argv = format!("pr view {nth}");
    Entry::of(
        time,
        &[
            ("host", "github.com"),
            ("class", "read"),
            ("approved-by", "rule"),
            ("command", "pr view"),
            ("argv", &argv),
        ],
    )
}

fn check(log: &Path) -> Report {
    verify(log, None, &|| true)
}

fn lines(file: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(file).expect("the test made it");
    bytes
        .split_inclusive(|b| *b == b'\n')
        .map(<[u8]>::to_vec)
        .collect()
}

fn put(file: &Path, lines: &[Vec<u8>]) {
    fs::write(file, lines.concat()).expect("the test made it");
}

const FIRST: &str = "2026-03-01.log";
const SECOND: &str = "2026-03-02.log";

/// Two writers, in turns, on two days: six lines a day.
fn two_writers(log: &Path) {
    let (mut one, mut two) = (Writer::new(), Writer::new());
    for nth in 0..12_u64 {
        let writer = if nth % 2 == 0 { &mut one } else { &mut two };
        writer
            .append(
                log,
                &entry(
                    day(nth / 6),
                    usize::try_from(nth).expect("the number is small"),
                ),
                0,
                None,
            )
            .expect("the test made it");
    }
}

#[test]
fn a_line_holds_time_values_and_its_place_in_the_chain() {
    let place = Place::new();
    Writer::new()
        .append(&place.log(), &entry(day(0), 1), 0, None)
        .unwrap();
    let line = String::from_utf8(lines(&place.log().join(FIRST))[0].clone()).unwrap();
    let form = "^2026-03-01T12:00:00[-+][0-9]{4} host=github.com class=read approved-by=rule command=pr%20view argv=pr%20view%201 w=[0-9a-f]{16} n=1 h=[0-9a-f]{32}\n$";
    assert!(regex::Regex::new(form).unwrap().is_match(&line), "{line}");
}

#[test]
fn an_untouched_log_has_no_findings() {
    let place = Place::new();
    assert_eq!(check(&place.log()), Report::default());
    two_writers(&place.log());
    let report = check(&place.log());
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
    assert_eq!(
        (report.files, report.lines, report.whole, report.writers),
        (2, 12, 12, 2)
    );
}

/// Where the first finding is.
fn first(report: &Report) -> (&str, u64, Wrong) {
    let finding = report.findings.first().expect("something is found");
    (&finding.file, finding.line, finding.wrong)
}

#[test]
fn one_changed_byte_is_found_in_its_line() {
    let place = Place::new();
    two_writers(&place.log());
    for name in [FIRST, SECOND] {
        let file = place.log().join(name);
        let whole = lines(&file);
        for nth in 0..whole.len() {
            // Every byte of each line but its line end: without one, two lines join, and the last line looks torn.
            for at in 0..whole[nth].len() - 1 {
                let mut changed = whole.clone();
                changed[nth][at] = if changed[nth][at] == b'7' { b'8' } else { b'7' };
                put(&file, &changed);
                let report = check(&place.log());
                let (file, line, _) = first(&report);
                assert_eq!((file, line), (name, nth as u64 + 1), "byte {at}");
            }
        }
        put(&file, &whole);
    }
    assert!(check(&place.log()).findings.is_empty());
}

#[test]
fn a_changed_value_is_called_changed() {
    let place = Place::new();
    two_writers(&place.log());
    let file = place.log().join(FIRST);
    for nth in 0..6 {
        let whole = lines(&file);
        let text = String::from_utf8(whole[nth].clone()).unwrap();
        let mut changed = whole.clone();
        changed[nth] = text.replace("class=read", "class=writ").into_bytes();
        put(&file, &changed);
        let report = check(&place.log());
        assert_eq!(first(&report), (FIRST, nth as u64 + 1, Wrong::Changed));
        assert_eq!(report.findings.len(), 1);
        put(&file, &whole);
    }
}

#[test]
fn one_removed_line_is_found() {
    let place = Place::new();
    two_writers(&place.log());
    let file = place.log().join(FIRST);
    let whole = lines(&file);
    for nth in 0..whole.len() {
        let mut fewer = whole.clone();
        fewer.remove(nth);
        put(&file, &fewer);
        let report = check(&place.log());
        // The gap shows at the writer's next line. That line stood two below the removed one and has moved up by one; for
        // the last two lines of a file, the writer's next line is in the next file.
        let next = nth as u64 + 2;
        let at = if next <= 5 {
            (FIRST, next)
        } else {
            (SECOND, next - 5)
        };
        assert_eq!(
            first(&report),
            (at.0, at.1, Wrong::Removed),
            "line {nth}: {report:?}"
        );
        assert_eq!(report.findings.len(), 1);
    }
    // No later line betrays that a writer's last line is gone; only the writer's own head does.
    put(&file, &whole);
    let mut own = Writer::new();
    own.append(&place.log(), &entry(day(1), 1), 0, None)
        .unwrap();
    own.append(&place.log(), &entry(day(1), 2), 0, None)
        .unwrap();
    let file = place.log().join(SECOND);
    let mut fewer = lines(&file);
    fewer.pop();
    put(&file, &fewer);
    assert!(check(&place.log()).findings.is_empty());
    let report = verify(&place.log(), Some(own.head()), &|| true);
    assert_eq!(first(&report), (SECOND, 0, Wrong::EndRemoved));
}

#[test]
fn one_inserted_line_is_found() {
    let place = Place::new();
    two_writers(&place.log());
    let file = place.log().join(FIRST);
    let whole = lines(&file);
    for at in 0..=whole.len() {
        // A copy of any line of the file, from above or from below this place.
        for copied in 0..whole.len() {
            let mut more = whole.clone();
            more.insert(at, whole[copied].clone());
            put(&file, &more);
            let report = check(&place.log());
            // A copy right before its original cannot be told from the original; the report names the second of the two.
            let between = whole[..copied]
                .get(at..)
                .is_some_and(|lines| lines.len() < 2);
            let named = if at <= copied && between {
                copied + 2
            } else {
                at + 1
            };
            let (_, line, _) = first(&report);
            assert_eq!(line, named as u64, "copy of {copied} at {at}: {report:?}");
        }
        // A forged line with a plausible place in the chain and a wrong hash, then two lines of another form.
        let text = String::from_utf8(whole[at.min(5)].clone()).unwrap();
        let forged = text.replace("class=read", "class=writ");
        for (line, wrong) in [
            (forged, Some(Wrong::Inserted)),
            (
                "2026-03-01T12:00:00+0000 host=x\n".into(),
                Some(Wrong::Inserted),
            ),
            ("hello\n".into(), Some(Wrong::Inserted)),
        ] {
            let mut more = whole.clone();
            more.insert(at, line.clone().into_bytes());
            put(&file, &more);
            let report = check(&place.log());
            assert_eq!(report.findings.len(), 1, "{line} at {at}: {report:?}");
            assert_eq!(
                first(&report),
                (FIRST, at as u64 + 1, wrong.unwrap()),
                "{line} at {at}"
            );
        }
    }
}

#[test]
fn a_file_that_is_gone_is_noted_and_an_emptied_one_is_a_finding() {
    let place = Place::new();
    two_writers(&place.log());
    fs::remove_file(place.log().join(FIRST)).unwrap();
    let report = check(&place.log());
    assert_eq!((report.findings, report.whole), (vec![], 6));
    assert_eq!(report.notes.len(), 2);
    assert!(
        report.notes[0].words.contains("2026-03-01.log is gone"),
        "{:?}",
        report.notes
    );
    // A file that is there without its lines is a finding.
    fs::write(place.log().join(FIRST), "").unwrap();
    assert_eq!(first(&check(&place.log())), (SECOND, 1, Wrong::Removed));
}

#[test]
fn a_line_torn_at_any_byte_is_noted_and_is_no_finding() {
    let place = Place::new();
    two_writers(&place.log());
    let file = place.log().join(SECOND);
    let whole = fs::read(&file).unwrap();
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|b| *b == b'\n')
        .unwrap()
        + 1;
    for end in last..whole.len() {
        fs::write(&file, &whole[..end]).unwrap();
        let report = check(&place.log());
        assert_eq!(report.findings, vec![], "cut at {end}");
        assert_eq!(report.notes.len(), usize::from(end > last), "cut at {end}");
        // The next writer ends the torn line and vouches for it.
        Writer::new()
            .append(&place.log(), &entry(day(1), 1), 0, None)
            .unwrap();
        let report = check(&place.log());
        assert_eq!(report.findings, vec![], "cut at {end}");
        // A line that lacked its line end alone is whole again.
        let torn = end > last && end + 1 < whole.len();
        assert_eq!(report.notes.len(), usize::from(torn), "cut at {end}");
        assert!(fs::read(&file).unwrap().ends_with(b"\n"));
    }
    // A piece of a line that no later line vouches for counts as inserted.
    fs::write(
        &file,
        [&whole[..last], b"2026-03-02T", &b"\n"[..], &whole[last..]].concat(),
    )
    .unwrap();
    assert_eq!(first(&check(&place.log())).2, Wrong::Inserted);
}

#[test]
fn several_torn_lines_in_a_row_are_noted_and_are_no_finding() {
    let place = Place::new();
    let write = || {
        let written = Writer::new().append(&place.log(), &entry(day(0), 1), 0, None);
        written.unwrap();
    };
    let file = place.log().join(FIRST);
    // The second line is torn at each of these places: before its first byte, in its time, in the field `torn`
    // that vouches for the first line, and in its hash.
    let second = "2026-03-01T12:00:00+0100 host=x argv=a torn=4/0011223344556677 w=0011223344556677 n=9 h=00";
    for at in [0, 1, 12, 50, second.len()] {
        for before in [false, true] {
            let _ = fs::remove_file(&file);
            if before {
                write();
            }
            let whole = fs::read(&file).unwrap_or_default();
            let torn = ["2026", &second[..at], "2026-03-01T12:00:0"].join("\n");
            fs::create_dir_all(place.log()).unwrap();
            fs::set_permissions(place.log(), fs::Permissions::from_mode(0o700)).unwrap();
            fs::write(&file, [whole, torn.into_bytes()].concat()).unwrap();
            // No finding before a later line vouches for the torn ones, and none afterwards.
            let report = check(&place.log());
            assert_eq!(report.findings, vec![], "{at} {before}");
            write();
            let report = check(&place.log());
            assert_eq!(report.findings, vec![], "{at} {before}");
            assert_eq!(report.notes.len(), 3, "{at} {before}");
            // A changed torn line is a finding, and so is an added one.
            let good = lines(&file);
            let torn = usize::from(before);
            for (nth, line) in [(torn, &b"2025\n"[..]), (torn + 2, b"x\n")] {
                let mut changed = good.clone();
                changed[nth] = line.to_vec();
                put(&file, &changed);
                let report = check(&place.log());
                assert_eq!(first(&report), (FIRST, torn as u64 + 1, Wrong::Inserted));
                let mut more = good.clone();
                more.insert(nth, line.to_vec());
                put(&file, &more);
                assert!(!check(&place.log()).findings.is_empty(), "{nth}");
            }
            // A line put in before the first torn line is vouched for by nobody.
            let mut more = good.clone();
            more.insert(torn, b"hello\n".to_vec());
            put(&file, &more);
            let report = check(&place.log());
            assert_eq!(first(&report), (FIRST, torn as u64 + 1, Wrong::Inserted));
            assert_eq!(report.findings.len(), 1);
        }
    }
}

#[test]
fn an_old_log_that_is_gone_is_noted_and_a_log_of_today_that_is_gone_is_a_finding() {
    let place = Place::new();
    let mut own = Writer::new();
    own.append(&place.log(), &entry(day(0), 1), 0, None)
        .unwrap();
    fs::remove_file(place.log().join(FIRST)).unwrap();
    let report = verify(&place.log(), Some(own.head()), &|| true);
    assert_eq!(report.findings, vec![]);
    assert!(
        report.notes[0].words.contains("2026-03-01.log is gone"),
        "{:?}",
        report.notes
    );
    // Neither age nor `cj/gate-purge' removes today's file, so its absence is a finding.
    let mut own = Writer::new();
    own.append(&place.log(), &entry(Local::now(), 1), 0, None)
        .unwrap();
    let today = audit::folder::file_name(own.head().day.unwrap());
    fs::remove_file(place.log().join(today)).unwrap();
    let report = verify(&place.log(), Some(own.head()), &|| true);
    assert_eq!(report.findings[0].wrong, Wrong::EndRemoved);
}

#[test]
fn a_disk_that_does_not_answer_is_reported() {
    let place = Place::new();
    let log = place.log();
    Writer::new()
        .append(&log, &entry(day(0), 1), 0, None)
        .unwrap();
    // The lock of a writer that stopped in the middle of its write.
    let file = fs::File::open(log.join(FIRST)).unwrap();
    let held = nix::fcntl::Flock::lock(file, nix::fcntl::FlockArg::LockExclusive).unwrap();
    let said = said(second("exec \"$@\"", &log, "late", 2));
    assert!(said.contains("trouble: Some(\"the disk"), "{said}");
    drop(held);
}

#[test]
fn a_chain_stays_whole_over_midnight_and_when_the_clock_goes_back() {
    let place = Place::new();
    let mut writer = Writer::new();
    for (nth, at) in [0, 1, 0, 2, 1].into_iter().enumerate() {
        writer
            .append(&place.log(), &entry(day(at), nth), 0, None)
            .unwrap();
    }
    let report = check(&place.log());
    assert_eq!(
        (report.findings, report.whole, report.files),
        (vec![], 5, 3)
    );
    let second = fs::read_to_string(place.log().join(SECOND)).unwrap();
    assert_eq!(second.matches(" prev=2026-03-01/").count(), 1, "{second}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn hostile_values_read_back_unchanged_and_keep_the_chain_whole(values in prop::collection::vec("[ =%,\\-\\n\\r\\t\\x00\u{202e}\u{1b}a-cé]{0,60}", 1..6)) {
        let place = Place::new();
        let mut writer = Writer::new();
        for value in &values {
            let entry = Entry::of(day(0), &[("host", value), ("command", value)]);
            writer.append(&place.log(), &entry, 0, None).unwrap();
        }
        let report = check(&place.log());
        prop_assert_eq!((report.findings, report.whole), (vec![], values.len() as u64));
        let file = lines(&place.log().join(FIRST));
        prop_assert_eq!(file.len(), values.len());
        for (line, value) in file.iter().zip(&values) {
            let line = audit::line::Line::parse(&line[..line.len() - 1]).unwrap();
            let read = line.text("command");
            prop_assert_eq!(read.as_ref(), Some(value));
        }
    }
}
