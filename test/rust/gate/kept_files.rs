//! Long results in files: what is on disk, for how long, and what is not read.
//! Included by `src/gate/kept_files.rs`; test/lisp/kept-tests.el has a chat with the real gh.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::*;

/// A directory that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cj-gate-kept-{}-{next}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).expect("a new directory");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700))
            .expect("the test's own directory");
        Self(path)
    }

    fn folder(&self) -> PathBuf {
        self.0.join("state/kept")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn write(&self, text: &str, bounds: Bounds) -> Option<KeptFile> {
        write(&self.folder(), text, bounds)
    }

    /// Makes the file `name` in the folder, written so long ago.
    fn old(&self, name: &str, text: &str, age: Duration) -> PathBuf {
        let path = self.folder().join(name);
        fs::write(&path, text).expect("the test's own directory");
        let file = File::options().write(true).open(&path).expect("there");
        file.set_modified(SystemTime::now() - age).expect("a time");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("there").mode() & 0o777
}

/// Waits until `holds`, for the worker that removes files.
fn wait(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(20), "waited in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kind(kept: &KeptFile) -> ErrorKind {
    let refusal = kept.read().expect_err("it is not read");
    assert_eq!(refusal.message.lines().count(), 2, "{refusal}");
    refusal.kind
}

#[test]
fn a_log_is_in_a_file_of_this_user_alone_until_its_result_is_dropped() {
    let scratch = Scratch::new();
    let kept = scratch.write("one\ntwo é\n", BOUNDS).expect("written");
    assert_eq!(kept.read(), Ok("one\ntwo é\n".to_owned()));
    let names = scratch.names();
    assert_eq!(names, std::slice::from_ref(&kept.name));
    assert!(is_ours(&names[0]), "{names:?}");
    assert_eq!(Path::new(&names[0]).extension(), Some(OsStr::new("txt")));
    assert_eq!(mode(&scratch.folder()), 0o700);
    assert_eq!(mode(&scratch.folder().join(&names[0])), 0o600);
    drop(kept);
    wait(|| scratch.names().is_empty());
    // A folder that was open to others is closed.
    let wide = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.folder(), wide).expect("the test's own directory");
    let kept = scratch.write("x", BOUNDS).expect("written");
    assert_eq!(mode(&scratch.folder()), 0o700);
    drop(kept);
}

#[test]
fn a_file_that_is_gone_changed_or_replaced_is_not_read() {
    let scratch = Scratch::new();
    let at = |kept: &KeptFile| scratch.folder().join(&kept.name);
    let write = || scratch.write("the log", BOUNDS).expect("written");

    let gone = write();
    fs::remove_file(at(&gone)).expect("there");
    assert_eq!(kind(&gone), ErrorKind::NotFound);

    for text in ["the lag", "the log, longer", "the", "\u{fffd}"] {
        let changed = write();
        fs::write(at(&changed), text).expect("there");
        assert_eq!(kind(&changed), ErrorKind::Failed, "{text}");
    }

    // A link is not followed, even to a file with the same text.
    let linked = write();
    let other = scratch.0.join("other");
    fs::rename(at(&linked), &other).expect("there");
    symlink(&other, at(&linked)).expect("a link");
    assert_eq!(kind(&linked), ErrorKind::Failed);
    // The link goes with its result; the file behind it stays.
    let link = at(&linked);
    drop(linked);
    wait(|| link.symlink_metadata().is_err());
    assert!(other.exists());

    // A pipe does not keep the reader waiting, and a directory is no file.
    let pipe = write();
    fs::remove_file(at(&pipe)).expect("there");
    nix::unistd::mkfifo(&at(&pipe), Mode::S_IRWXU).expect("a pipe");
    assert_eq!(kind(&pipe), ErrorKind::Failed);

    let folder = write();
    fs::remove_dir_all(scratch.folder()).expect("there");
    assert_eq!(kind(&folder), ErrorKind::NotFound);
    assert!(!scratch.folder().exists(), "reading makes no folder");
    assert_eq!(fs::read_to_string(&other).expect("there"), "the log");
}

#[test]
fn the_oldest_files_go_beyond_the_bounds_and_none_but_ours() {
    let scratch = Scratch::new();
    let bounds = Bounds {
        bytes: 100,
        files: 3,
        age: Duration::from_secs(3_600),
    };
    drop(scratch.write("x", bounds));
    wait(|| scratch.names().is_empty());
    let minutes = |n: u64| Duration::from_secs(n * 60);
    let ours = |n: u64| format!("log-{n:016x}.txt");
    // What an Emacs left that was killed, in the middle of a write too.
    scratch.old(&ours(1), "too old", minutes(61));
    scratch.old("log-00000000000000ff.new", "half", minutes(61));
    for (name, text) in [
        ("log-1.txt", "short"),
        ("log-000000000000000G.txt", "no digit"),
        ("log-0000000000000001.log", "another end"),
        ("notes.txt", "a person's"),
    ] {
        scratch.old(name, text, minutes(600));
    }
    let target = scratch.old("target", "of a link", minutes(600));
    symlink(&target, scratch.folder().join(ours(2))).expect("a link");
    fs::create_dir(scratch.folder().join(ours(3))).expect("a directory");
    let stay = scratch.names().len() - 2;

    let first = scratch.write(&"a".repeat(40), bounds).expect("written");
    assert_eq!(scratch.names().len(), stay + 1);
    assert!(!scratch.names().contains(&ours(1)));
    // A little older, so that the order does not depend on the clock.
    let file = File::options()
        .write(true)
        .open(scratch.folder().join(&first.name));
    let file = file.expect("there");
    file.set_modified(SystemTime::now() - minutes(2))
        .expect("a time");
    let second = scratch.write(&"b".repeat(60), bounds).expect("written");
    assert!(first.read().is_ok());
    let third = scratch.write("c", bounds).expect("written");
    assert_eq!(kind(&first), ErrorKind::NotFound);
    assert!(second.read().is_ok() && third.read().is_ok());
    // A fourth file is one too many; a text that never fits changes nothing.
    scratch.old(&ours(9), "", minutes(3));
    let fourth = scratch.write("d", bounds).expect("written");
    assert!(!scratch.names().contains(&ours(9)));
    assert!(scratch.write(&"e".repeat(101), bounds).is_none());
    assert!(second.read().is_ok() && fourth.read().is_ok());
    assert_eq!(scratch.names().len(), stay + 3);
    assert!(target.exists() && scratch.folder().join("notes.txt").exists());
}

#[test]
fn a_folder_that_cannot_be_trusted_takes_nothing() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.0.join("state")).expect("a directory");
    let real = scratch.0.join("real");
    fs::create_dir(&real).expect("a directory");
    symlink(&real, scratch.folder()).expect("a link");
    assert!(scratch.write("x", BOUNDS).is_none());
    fs::remove_file(scratch.folder()).expect("there");
    fs::create_dir(scratch.folder()).expect("a directory");
    let open = fs::Permissions::from_mode(0o777);
    fs::set_permissions(scratch.folder(), open).expect("the test's own directory");
    assert!(scratch.write("x", BOUNDS).is_none());
    assert_eq!(fs::read_dir(&real).expect("there").count(), 0);
    assert!(scratch.names().is_empty());
    assert!(write(Path::new("relative/kept"), "x", BOUNDS).is_none());
    assert!(write(Path::new("/proc/kept"), "x", BOUNDS).is_none());
}
