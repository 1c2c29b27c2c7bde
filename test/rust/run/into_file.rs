//! Standard output in a file: how much is written, and how a run ends when the disk is full.

use super::*;

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::sync::Arc;

/// Runs `script` with its output in a fresh file of at most `most` bytes; returns the result and the file's content.
fn filed(script: &str, most: u64, limits: Limits) -> (Captured, Vec<u8>) {
    let path = std::env::temp_dir().join(format!("cj-gate-into-{}", token()));
    let mut file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)
        .unwrap();
    fs::remove_file(&path).unwrap();
    let captured = run(&sh(script, limits).into_file(Arc::new(file.try_clone().unwrap()), most));
    let mut held = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut held).unwrap();
    (captured, held)
}

#[test]
fn output_goes_whole_into_the_file_and_not_into_memory() {
    let script = "head -c 3000000 /dev/zero; echo end; echo words >&2; exit 3";
    // `cap` bounds the bytes in memory and does not bound the file.
    let limits = Limits {
        cap: 10,
        ..Limits::default()
    };
    let (captured, held) = filed(script, 5_000_000, limits);
    assert_eq!(captured.ended, Ended::Exited(3));
    assert_eq!(held.len(), 3_000_004);
    assert!(held.ends_with(b"\0end\n"));
    assert_eq!(captured.stdout.read, 3_000_004);
    assert_eq!(captured.stdout.filed, 3_000_004);
    assert_eq!(captured.stdout.dropped(), 0);
    assert!(!captured.stdout.truncated);
    assert_eq!(captured.stdout.held(), 0);
    assert!(captured.stderr.head().reveal().starts_with(b"words"));
}

#[test]
fn a_program_is_ended_at_the_limit_of_its_file() {
    let (captured, held) = filed("cat /dev/zero", 100_000, Limits::default());
    assert_eq!(captured.ended, Ended::Capped);
    assert_eq!(held.len(), 100_000);
    assert!(captured.stdout.truncated);
    // Output of exactly the limit is whole.
    let (captured, held) = filed("head -c 100000 /dev/zero", 100_000, Limits::default());
    assert_eq!(captured.ended, Ended::Exited(0));
    assert_eq!((held.len(), captured.stdout.truncated), (100_000, false));
}

#[test]
fn a_full_disk_ends_the_run_as_a_failed_write() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let begun = Instant::now();
    let command = sh("echo something; sleep 60", Limits::default());
    let captured = run(&command.into_file(Arc::new(full), 1_000));
    assert!(
        matches!(&captured.ended, Ended::WriteFailed(why) if why.contains("space")),
        "{:?}",
        captured.ended
    );
    assert!(begun.elapsed() < PATIENCE);
}

#[test]
fn a_deadline_ends_a_program_that_fills_a_file() {
    let limits = Limits {
        timeout: Duration::from_millis(200),
        ..Limits::default()
    };
    let script = "while :; do echo x; sleep 0.01; done";
    let (captured, held) = filed(script, 1_000_000, limits);
    assert_eq!(captured.ended, Ended::Deadline);
    assert!(held.starts_with(b"x\n"));
}
