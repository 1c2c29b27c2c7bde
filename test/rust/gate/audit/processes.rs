//! The log and several processes: two that write at once, one that is killed, one whose disk is full.

use super::folder::mode;
use super::*;

const PURPOSE: &str = "CJ_AUDIT_PURPOSE";

/// Starts this test program once more, to run [`become_writer`]: `shell` is a shell line in which `"$@"` stands for the
/// program. The process writes `count` lines to `log` for `purpose`: `write`, `full` or `late`.
pub(super) fn second(shell: &str, log: &Path, purpose: &str, count: usize) -> Child {
    Command::new("sh")
        .args(["-c", shell, "sh"])
        .arg(std::env::current_exe().expect("the test made it"))
        .args([
            "gate::audit::processes::become_writer",
            "--exact",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(PURPOSE, format!("{purpose} {count} {}", log.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell")
}

/// What `child` printed, after its end.
pub(super) fn said(child: Child) -> String {
    let output = child.wait_with_output().expect("the test made it");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("the test made it")
}

/// Checks nothing: the tests below start this function in a process of its own, with a purpose.
#[test]
fn become_writer() {
    let Ok(purpose) = std::env::var(PURPOSE) else {
        return;
    };
    let words: Vec<&str> = purpose.splitn(3, ' ').collect();
    let (what, count) = (words[0], words[1].parse().unwrap());
    let settings = LogSettings {
        folder: Some(words[2].into()),
        ..LogSettings::default()
    };
    let begun = Instant::now();
    for nth in 0..count {
        let (line, patience) = if what == "late" {
            // Line `nth` comes after `nth` half seconds and waits for `nth` seconds; the lines overlap.
            std::thread::sleep(Duration::from_millis(500) * u32::try_from(nth).unwrap());
            (entry(day(0), nth), Duration::from_secs(nth as u64))
        } else {
            (entry(Local::now(), nth), Duration::from_secs(20))
        };
        let state_of_line = audit::enqueue(&settings, line, patience);
        match (what, state_of_line) {
            ("write", LineState::Written)
            | ("full", LineState::Written | LineState::Failed)
            | ("late", LineState::Late) => {}
            other => panic!("{other:?}"),
        }
    }
    let state = audit::state();
    println!(
        "said: {} written, {} wait, {} ms",
        state.written,
        state.waiting,
        begun.elapsed().as_millis()
    );
    println!("trouble: {:?}", state.trouble);
}

#[test]
fn two_processes_write_10_000_lines_each_and_every_line_is_whole() {
    let place = Place::new();
    let log = place.log();
    let two = [
        second("exec \"$@\"", &log, "write", 10_000),
        second("exec \"$@\"", &log, "write", 10_000),
    ];
    for child in two {
        println!("{}", said(child));
    }
    let report = check(&log);
    assert_eq!((report.findings, report.notes), (vec![], vec![]));
    assert_eq!(
        (report.lines, report.whole, report.writers),
        (20_000, 20_000, 2)
    );
}

#[test]
fn the_log_is_the_users_alone_whatever_the_umask() {
    for umask in ["000", "777"] {
        let place = Place::new();
        let log = place.log();
        // The folder above the log is made beforehand: made under umask 777, that folder could not be entered.
        fs::create_dir(place.0.join("data")).unwrap();
        said(second(
            &format!("umask {umask}; exec \"$@\""),
            &log,
            "write",
            2,
        ));
        let file = fs::read_dir(&log).unwrap().next().unwrap().unwrap().path();
        assert_eq!((mode(&log), mode(&file)), (0o700, 0o600), "umask {umask}");
        assert_eq!(check(&log).whole, 2);
    }
}

#[test]
fn a_log_whose_writer_is_killed_in_mid_writing_has_no_findings() {
    let place = Place::new();
    let log = place.log();
    for nth in 0_u64..12 {
        let mut child = second("exec \"$@\"", &log, "write", 1_000_000);
        let size = || -> u64 {
            let files = fs::read_dir(&log).into_iter().flatten();
            files
                .map(|file| file.unwrap().metadata().unwrap().len())
                .sum()
        };
        let before = size();
        while size() < before + 4_000 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(nth * nth * 97));
        child.kill().unwrap();
        child.wait().unwrap();
        let report = check(&log);
        assert_eq!(report.findings, vec![]);
        assert_eq!(report.whole + report.notes.len() as u64, report.lines);
    }
    assert_eq!(check(&log).writers, 12);
}

#[test]
fn a_full_disk_leaves_the_process_running_and_the_log_whole() {
    let place = Place::new();
    let log = place.log();
    // 16 blocks of 512 or 1,024 bytes: the kernel cuts the write that exceeds the limit and sends SIGXFSZ at the next.
    let said = said(second("ulimit -f 16; exec \"$@\"", &log, "full", 200));
    let number = |word: &str| -> u64 {
        let text = said.split(&format!(" {word}")).next().unwrap();
        text.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let (written, waiting) = (number("written"), number("wait"));
    assert!(written > 10 && waiting > 10, "{said}");
    assert_eq!(written + waiting, 200, "{said}");
    assert!(said.contains("trouble: Some("), "{said}");
    let report = check(&log);
    assert_eq!((report.findings.clone(), report.whole), (vec![], written));
    // A writer with room again ends the torn line.
    Writer::new()
        .append(&log, &entry(Local::now(), 1), 0, None)
        .unwrap();
    let report = check(&log);
    assert_eq!((report.findings, report.whole), (vec![], written + 1));
}

#[test]
fn lines_that_could_not_be_written_are_written_later() {
    let place = Place::new();
    let log = place.log();
    fs::create_dir_all(&log).unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o777)).unwrap();
    let settings = LogSettings {
        folder: Some(log.clone()),
        ..LogSettings::default()
    };
    let patience = Duration::from_secs(20);
    for nth in 0..5 {
        assert_eq!(
            audit::enqueue(&settings, entry(day(0), nth), patience),
            LineState::Failed
        );
    }
    assert!(audit::state().trouble.unwrap().contains("others may write"));
    // Meanwhile lines reach another folder.
    let other = Place::new();
    let elsewhere = LogSettings {
        folder: Some(other.log()),
        ..LogSettings::default()
    };
    assert_eq!(
        audit::enqueue(&elsewhere, entry(day(0), 1), patience),
        LineState::Written
    );
    fs::set_permissions(&log, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(
        audit::enqueue(&settings, entry(day(0), 5), patience),
        LineState::Written
    );
    assert_eq!(audit::state().trouble, None);
    let report = check(&log);
    assert_eq!(
        (report.findings, report.whole, report.writers),
        (vec![], 6, 1)
    );
    assert_eq!(
        audit::enqueue(&LogSettings::default(), entry(day(0), 6), patience),
        LineState::Off
    );
}
