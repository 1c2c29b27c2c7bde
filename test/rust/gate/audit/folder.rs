//! The log's folder and files: who may read or replace them, and how long they stay.

use super::*;
use cj_gate::gate::record::audit::folder;

pub(super) fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path)
        .expect("the test made it")
        .permissions()
        .mode()
        & 0o7777
}

/// Returns the error of a writer at `log`.
fn trouble(log: &Path) -> Trouble {
    let said = Writer::new()
        .append(log, &entry(day(0), 1), 0, None)
        .expect_err("it must be refused");
    // `folder::check`, which writes nothing, reports the same trouble where the folder itself is the cause.
    let file = matches!(said, Trouble::NotPlainFile(_) | Trouble::SecondHardLink(_))
        || matches!(&said, Trouble::OtherOwner(place) if place.ends_with(FIRST));
    assert_eq!(folder::check(log).err(), (!file).then(|| said.clone()));
    said
}

#[test]
fn a_log_is_made_private_and_refused_where_its_place_is_unsafe() {
    let place = Place::new();
    let log = place.log();
    // A folder and a file that others could read: the writer makes both private.
    fs::create_dir_all(&log).unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(log.join(FIRST), "").unwrap();
    fs::set_permissions(log.join(FIRST), fs::Permissions::from_mode(0o644)).unwrap();
    Writer::new()
        .append(&log, &entry(day(0), 1), 0, None)
        .unwrap();
    assert_eq!((mode(&log), mode(&log.join(FIRST))), (0o700, 0o600));
    // A folder that others may write to is refused.
    for open in [0o770, 0o702] {
        fs::set_permissions(&log, fs::Permissions::from_mode(open)).unwrap();
        assert_eq!(trouble(&log), Trouble::WritableByOthers(log.clone()));
    }
    fs::set_permissions(&log, fs::Permissions::from_mode(0o700)).unwrap();
    // A link, a pipe and a directory in the file's place are refused; the link's target stays as it was.
    let (file, behind) = (log.join(FIRST), place.0.join("behind"));
    fs::write(&behind, "").unwrap();
    fs::remove_file(&file).unwrap();
    symlink(&behind, &file).unwrap();
    assert_eq!(trouble(&log), Trouble::NotPlainFile(file.clone()));
    assert_eq!(fs::read(&behind).unwrap(), b"");
    assert_eq!(first(&check(&log)), (FIRST, 0, Wrong::Unreadable));
    fs::remove_file(&file).unwrap();
    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(trouble(&log), Trouble::NotPlainFile(file.clone()));
    assert_eq!(first(&check(&log)), (FIRST, 0, Wrong::Unreadable));
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(trouble(&log), Trouble::NotPlainFile(file.clone()));
    fs::remove_dir(&file).unwrap();
    // A folder and a file of another user are refused; only root can make them.
    if nix::unistd::geteuid().is_root() {
        std::os::unix::fs::chown(&log, Some(65_534), None).unwrap();
        assert_eq!(trouble(&log), Trouble::OtherOwner(log.clone()));
        std::os::unix::fs::chown(&log, Some(0), None).unwrap();
        fs::write(&file, "").unwrap();
        std::os::unix::fs::chown(&file, Some(65_534), None).unwrap();
        assert_eq!(trouble(&log), Trouble::OtherOwner(file));
    }
}

/// Returns the error of a writer at `log`, and checks that the folders `spared` stayed empty.
fn refused(log: &Path, spared: &[&Path]) -> Trouble {
    let said = trouble(log);
    for place in spared {
        let names: Vec<_> = fs::read_dir(place).expect("the test made it").collect();
        assert!(names.is_empty(), "{said:?}: {names:?}");
    }
    said
}

#[test]
fn a_log_folder_that_is_a_link_is_refused() {
    let place = Place::new();
    let log = place.log();
    let behind = place.0.join("behind");
    fs::create_dir(&behind).unwrap();
    fs::create_dir(log.parent().unwrap()).unwrap();
    // Links to a folder, to a file, to nothing, to itself, and to another link.
    symlink(&behind, &log).unwrap();
    assert_eq!(
        refused(&log, &[&behind]),
        Trouble::SymbolicLink(log.clone())
    );
    let said = refused(&log, &[&behind]).to_string();
    assert!(
        said.contains(" is a symbolic link") && said.contains("`cj/gh-tool-audit-log-directory'"),
        "{said}"
    );
    for to in ["/etc/passwd", "nothing", "gh-tool-log", "second"] {
        fs::remove_file(&log).unwrap();
        symlink(to, &log).unwrap();
        let second = log.with_file_name("second");
        let _ = symlink(&behind, &second);
        assert_eq!(
            refused(&log, &[&behind]),
            Trouble::SymbolicLink(log.clone()),
            "{to}"
        );
    }
    assert!(!log.with_file_name("nothing").exists());
    // Once the link is removed, the log is written.
    fs::remove_file(&log).unwrap();
    Writer::new()
        .append(&log, &entry(day(0), 1), 0, None)
        .unwrap();
    // A writer that has already written sees a link that takes the folder's place later.
    let mut writer = Writer::new();
    writer.append(&log, &entry(day(0), 1), 0, None).unwrap();
    fs::rename(&log, log.with_file_name("away")).unwrap();
    symlink(&behind, &log).unwrap();
    let said = writer.append(&log, &entry(day(0), 2), 0, None).unwrap_err();
    assert_eq!(said, Trouble::SymbolicLink(log));
}

#[test]
fn links_in_the_path_are_followed_where_they_are_the_users_own() {
    // As with dotfiles: ~/.emacs.d is a link to a checkout, in which `data` is a link to another disk.
    let place = Place::new();
    for dir in ["home", "dotfiles/emacs", "disk/data"] {
        fs::create_dir_all(place.0.join(dir)).unwrap();
    }
    symlink("../dotfiles/emacs", place.0.join("home/.emacs.d")).unwrap();
    symlink(
        place.0.join("disk/data"),
        place.0.join("dotfiles/emacs/data"),
    )
    .unwrap();
    let log = place.0.join("home/.emacs.d/data/gh-tool-log");
    for nth in 1..3 {
        Writer::new()
            .append(&log, &entry(day(0), nth), 0, None)
            .unwrap();
    }
    let real = place.0.join("disk/data/gh-tool-log");
    assert_eq!(lines(&real.join(FIRST)).len(), 2);
    assert_eq!((mode(&real), mode(&real.join(FIRST))), (0o700, 0o600));
    assert_eq!(check(&log).findings.len(), 0);
    // A circle of links is refused.
    symlink("b", place.0.join("a")).unwrap();
    symlink("a", place.0.join("b")).unwrap();
    assert!(matches!(
        trouble(&place.0.join("a/log")),
        Trouble::SymbolicLink(_)
    ));
}

#[test]
fn a_path_through_a_folder_that_others_can_change_is_refused() {
    let place = Place::new();
    let way = place.0.join("open");
    let log = way.join("data/gh-tool-log");
    fs::create_dir(&way).unwrap();
    for (open, allowed) in [
        (0o777, false),
        (0o757, false),
        (0o1777, true),
        (0o755, true),
    ] {
        fs::set_permissions(&way, fs::Permissions::from_mode(open)).unwrap();
        let done = Writer::new().append(&log, &entry(day(0), 1), 0, None);
        if allowed {
            done.unwrap();
        } else {
            assert_eq!(
                done,
                Err(Trouble::WritableByOthers(way.clone())),
                "{open:o}"
            );
            assert!(!way.join("data").exists(), "no folder is made there");
        }
    }
    // A folder behind a link is checked as well.
    let behind = place.0.join("behind");
    fs::create_dir(&behind).unwrap();
    fs::set_permissions(&behind, fs::Permissions::from_mode(0o777)).unwrap();
    symlink(&behind, place.0.join("link")).unwrap();
    let linked = place.0.join("link/log");
    assert_eq!(
        refused(&linked, &[&behind]),
        Trouble::WritableByOthers(behind.clone())
    );
    // Another user's directory or link is refused; only root can make one.
    if nix::unistd::geteuid().is_root() {
        let nobody = Some(12_345);
        std::os::unix::fs::chown(&way, nobody, None).unwrap();
        assert_eq!(trouble(&log), Trouble::OtherOwner(way.clone()));
        std::os::unix::fs::chown(&way, Some(0), None).unwrap();
        let group = place.0.join("group");
        fs::create_dir(&group).unwrap();
        std::os::unix::fs::chown(&group, Some(0), Some(12_345)).unwrap();
        fs::set_permissions(&group, fs::Permissions::from_mode(0o775)).unwrap();
        assert_eq!(
            trouble(&group.join("log")),
            Trouble::WritableByOthers(group)
        );
        fs::set_permissions(&behind, fs::Permissions::from_mode(0o755)).unwrap();
        let link = place.0.join("link");
        std::os::unix::fs::lchown(&link, nobody, None).unwrap();
        assert_eq!(refused(&linked, &[&behind]), Trouble::OtherOwner(link));
    }
}

#[test]
fn a_file_with_a_second_name_is_not_written_to() {
    let place = Place::new();
    let log = place.log();
    Writer::new()
        .append(&log, &entry(day(0), 1), 0, None)
        .unwrap();
    let file = log.join(FIRST);
    let mine = place.0.join("notes.txt");
    fs::write(&mine, "mine\n").unwrap();
    fs::set_permissions(&mine, fs::Permissions::from_mode(0o644)).unwrap();
    fs::remove_file(&file).unwrap();
    fs::hard_link(&mine, &file).unwrap();
    assert_eq!(trouble(&log), Trouble::SecondHardLink(file.clone()));
    assert_eq!(
        (fs::read(&mine).unwrap(), mode(&mine)),
        (b"mine\n".to_vec(), 0o644)
    );
    fs::remove_file(&file).unwrap();
    Writer::new()
        .append(&log, &entry(day(0), 1), 0, None)
        .unwrap();
}

#[test]
fn old_log_files_go_and_all_other_files_stay() {
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
    // Even with 0 days the file that is being written stays.
    Writer::new()
        .append(&log, &entry(day(0), 4), 0, Some(0))
        .expect("the test made it");
    assert_eq!(lines(&log.join(FIRST)).len(), 4);
}
