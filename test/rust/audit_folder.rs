//! The log's folder and files: who may read them, and how long they stay.

use super::*;

pub(super) fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path)
        .expect("the test made it")
        .permissions()
        .mode()
        & 0o7777
}

fn trouble(log: &Path) -> Trouble {
    Writer::new()
        .append(log, &entry(day(0), 1), 0, None)
        .expect_err("it must be refused")
}

#[test]
fn others_can_read_the_log_or_send_it_elsewhere() {
    let place = Place::new();
    let log = place.log();
    // Made so that others could read: closed.
    fs::create_dir_all(&log).unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(log.join(FIRST), "").unwrap();
    fs::set_permissions(log.join(FIRST), fs::Permissions::from_mode(0o644)).unwrap();
    Writer::new()
        .append(&log, &entry(day(0), 1), 0, None)
        .unwrap();
    assert_eq!((mode(&log), mode(&log.join(FIRST))), (0o700, 0o600));
    // Where others may write: refused.
    for open in [0o770, 0o702] {
        fs::set_permissions(&log, fs::Permissions::from_mode(open)).unwrap();
        assert_eq!(trouble(&log), Trouble::Open(log.clone()));
    }
    fs::set_permissions(&log, fs::Permissions::from_mode(0o700)).unwrap();
    // A link, a pipe, a directory in the file's place: refused, and nothing is written behind the link.
    let (file, behind) = (log.join(FIRST), place.0.join("behind"));
    fs::write(&behind, "").unwrap();
    fs::remove_file(&file).unwrap();
    symlink(&behind, &file).unwrap();
    assert_eq!(trouble(&log), Trouble::NoFile(file.clone()));
    assert_eq!(fs::read(&behind).unwrap(), b"");
    assert_eq!(first(&check(&log)), (FIRST, 0, Wrong::Unreadable));
    fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(trouble(&log), Trouble::NoFile(file.clone()));
    assert_eq!(first(&check(&log)), (FIRST, 0, Wrong::Unreadable));
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(trouble(&log), Trouble::NoFile(file.clone()));
    fs::remove_dir(&file).unwrap();
    // Another user's: only root can make one.
    if nix::unistd::geteuid().is_root() {
        std::os::unix::fs::chown(&log, Some(65_534), None).unwrap();
        assert_eq!(trouble(&log), Trouble::Foreign(log.clone()));
        std::os::unix::fs::chown(&log, Some(0), None).unwrap();
        fs::write(&file, "").unwrap();
        std::os::unix::fs::chown(&file, Some(65_534), None).unwrap();
        assert_eq!(trouble(&log), Trouble::Foreign(file));
    }
}

#[test]
fn old_files_stay_or_others_go() {
    let place = Place::new();
    let log = place.log();
    Writer::new()
        .append(&log, &entry(day(0), 1), 0, None)
        .unwrap();
    for name in [
        "2026-02-01.log",
        "2026-02-26.log",
        "2026-02-27.log",
        "2026-02-30.log",
        "2026-2-1.log",
        "notes.log",
        "2026-02-01.log.gz",
        "x2026-02-01.log",
    ] {
        fs::write(log.join(name), "").unwrap();
    }
    fs::create_dir(log.join("2026-01-01.log")).unwrap();
    symlink("/etc/passwd", log.join("2026-01-02.log")).unwrap();
    let names = || {
        let mut names: Vec<String> = fs::read_dir(&log)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let all = names();
    Writer::new()
        .append(&log, &entry(day(0), 2), 0, None)
        .unwrap();
    assert_eq!(names(), all);
    Writer::new()
        .append(&log, &entry(day(0), 3), 0, Some(2))
        .unwrap();
    let gone: Vec<_> = all.iter().filter(|name| !names().contains(name)).collect();
    assert_eq!(gone, ["2026-02-01.log", "2026-02-26.log"]);
    // Not even with no days at all does the file go that is written.
    Writer::new()
        .append(&log, &entry(day(0), 4), 0, Some(0))
        .expect("the test made it");
    assert_eq!(lines(&log.join(FIRST)).len(), 4);
}
