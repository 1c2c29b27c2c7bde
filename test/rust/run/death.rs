//! When this process dies, its children die with it, and so does the lifeline.

use super::child::{JOBS, STUBBORN};
use super::*;
use crate::run::{lifeline, spawn};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::ffi::CString;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;

/// How many trees of processes ([`STUBBORN`]) one process starts; each tree has five processes.
const TREES: usize = 4;

/// A second process of this test program, in Emacs's place: it runs [`become_emacs`] for one purpose.
struct Emacs {
    pid: i32,
    said: fs::File,
}

impl Emacs {
    fn start(purpose: &str) -> Self {
        let (read, write) = spawn::pipe().unwrap();
        let command = this_test("run::tests::death::become_emacs", purpose);
        let stdio = spawn::Stdio {
            stdout: Some(write.as_fd()),
            ..spawn::Stdio::default()
        };
        let pid = spawn::spawn(
            command.argv.reveal(),
            command.env.reveal(),
            &command.cwd,
            stdio,
        )
        .unwrap();
        Self {
            pid,
            said: read.into(),
        }
    }

    /// Reads the process's output until it ends in `word`; returns what was read.
    fn wait_for(&mut self, word: &str) -> String {
        let mut said = Vec::new();
        let mut byte = [0];
        while !said.ends_with(word.as_bytes()) {
            assert_eq!(self.said.read(&mut byte).unwrap(), 1, "it ended early");
            said.push(byte[0]);
        }
        String::from_utf8(said).unwrap()
    }

    fn kill(self, signal: Signal) {
        kill(Pid::from_raw(self.pid), signal).unwrap();
        spawn::reap(self.pid, true).unwrap();
    }
}

/// Checks nothing: the tests below start this function in a process of its own, with a purpose.
#[test]
fn become_emacs() {
    let Some(purpose) = purpose() else { return };
    let (what, token) = purpose.split_once(' ').unwrap();
    let nothing = || Box::new(|_| {});
    println!("go.");
    match what {
        "trees" => {
            for _ in 0..TREES {
                start(marked(STUBBORN, token, Limits::default()), nothing());
            }
            std::thread::sleep(Duration::from_secs(60));
        }
        "crash" => {
            // The first run starts the lifeline and lives; in the second one this process dies midway through the start.
            start(marked(STUBBORN, token, Limits::default()), nothing());
            while marked_processes(token) < 4 {
                std::thread::sleep(Duration::from_millis(1));
            }
            CRASH.store(true, Ordering::SeqCst);
            start(marked(STUBBORN, token, Limits::default()), nothing());
            std::thread::sleep(Duration::from_secs(60));
        }
        "jobs" => {
            start(marked(JOBS, token, Limits::default()), nothing());
            std::thread::sleep(Duration::from_secs(60));
        }
        "exit" => {
            run(&sh("true", Limits::default()));
            println!("lifeline {}.", lifeline::shell().unwrap());
        }
        other => panic!("no such purpose: {other}"),
    }
}

/// Waits until no process that `token` marks runs; returns how long that took.
fn all_gone(token: &str) -> Duration {
    let (gone, after) = eventually(|| marked_processes(token) == 0);
    assert!(gone, "{} processes survive", marked_processes(token));
    after
}

#[test]
fn children_die_when_this_process_is_killed() {
    let mut slowest = Duration::ZERO;
    for signal in [Signal::SIGKILL; 8].into_iter().chain([Signal::SIGABRT]) {
        let token = token();
        let mut emacs = Emacs::start(&format!("trees {token}"));
        emacs.wait_for("go.");
        // All five of a tree: the shell, its child, the subshell and the two sleeps.
        let (up, _) = eventually(|| marked_processes(&token) == TREES * 5);
        assert!(up, "only {} came up", marked_processes(&token));
        emacs.kill(signal);
        slowest = slowest.max(all_gone(&token));
    }
    println!("slowest: {slowest:?}");
}

#[test]
fn jobs_with_groups_of_their_own_die_when_this_process_is_killed() {
    let token = token();
    let mut emacs = Emacs::start(&format!("jobs {token}"));
    emacs.wait_for("go.");
    let (up, _) = eventually(|| marked_processes(&token) == 4);
    assert!(up, "only {} came up", marked_processes(&token));
    emacs.kill(Signal::SIGKILL);
    all_gone(&token);
}

#[test]
fn children_die_when_this_process_is_killed_while_they_start() {
    let token = token();
    // The moments, 0 to 26 ms after the start (n * n * 50 microseconds), fall between the first steps of a start.
    for n in 0..24 {
        let mut emacs = Emacs::start(&format!("trees {token}"));
        emacs.wait_for("go.");
        std::thread::sleep(Duration::from_micros(n * n * 50));
        emacs.kill(Signal::SIGKILL);
    }
    // A child whose `execve` is under way carries no mark yet, so a second passes before the count.
    std::thread::sleep(Duration::from_secs(1));
    all_gone(&token);
}

#[test]
fn a_child_dies_though_the_lifeline_did_not_know_its_group() {
    let mut slowest = Duration::ZERO;
    for _ in 0..4 {
        let token = token();
        let emacs = Emacs::start(&format!("crash {token}"));
        let status = spawn::reap(emacs.pid, true);
        assert_eq!(status, Some(spawn::Exit::Signal(9)));
        slowest = slowest.max(all_gone(&token));
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(marked_processes(&token), 0);
    }
    println!("slowest: {slowest:?}");
}

#[test]
fn the_lifeline_ends_after_a_normal_exit() {
    let mut emacs = Emacs::start("exit now");
    let said = emacs.wait_for("lifeline ");
    let pid = emacs.wait_for(".");
    let pid = pid.trim_end_matches('.').to_owned();
    assert!(said.contains("go."));
    spawn::reap(emacs.pid, true);
    let (gone, _) = eventually(|| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // A zombie counts as gone: process 1 may reap it late.
        stat.is_empty() || stat.contains(") Z ")
    });
    assert!(gone);
}

#[test]
fn the_lifeline_has_its_own_session_and_descriptors_and_ignores_signals() {
    run(&sh("true", Limits::default()));
    let pid = lifeline::shell().unwrap();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let pid = i64::from(pid);
    assert_eq!(stat_numbers(&stat)[1..4], [pid, pid, 0]);
    let open = |fd| fs::read_link(format!("/proc/{pid}/fd/{fd}")).unwrap();
    assert!(open(0).to_string_lossy().starts_with("pipe:"));
    assert_eq!(open(1), Path::new("/dev/null"));
    assert_eq!(open(2), Path::new("/dev/null"));
    let count = fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    assert_eq!(count, 3);
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let ignored = u64::from_str_radix(field(&status, "SigIgn"), 16).unwrap();
    for signal in [1, 2, 13, 15] {
        assert_ne!(ignored & 1 << (signal - 1), 0, "signal {signal}");
    }
    let environ = fs::read_to_string(format!("/proc/{pid}/environ")).unwrap();
    let names = environ.split_terminator('\0');
    assert!(
        names
            .map(|v| v.split('=').next().unwrap())
            .all(|n| ["PATH", "LC_ALL"].contains(&n))
    );
}

#[test]
fn a_dead_or_stuck_lifeline_is_replaced_twice_and_then_reported() {
    if !alone("death::a_dead_or_stuck_lifeline_is_replaced_twice_and_then_reported") {
        return;
    }
    run(&sh("true", Limits::default()));
    let first = lifeline::shell().unwrap();
    kill(Pid::from_raw(first), Signal::SIGKILL).unwrap();
    // Waits until the lifeline is dead; it may still be a zombie.
    assert!(eventually(|| !exists(&format!("/proc/{first}/fd/0"))).0);
    assert_eq!(run(&sh("true", Limits::default())).ended, Ended::Exited(0));
    let second = lifeline::shell().unwrap();
    assert_ne!(first, second);
    assert!(!exists(&format!("/proc/{first}")), "a zombie is left");

    kill(Pid::from_raw(second), Signal::SIGSTOP).unwrap();
    let begun = Instant::now();
    // One pair of orders has 46 bytes and a pipe holds 64 KiB: 1,600 pairs (73,600 bytes) fill it.
    for inode in 1..=1600 {
        lifeline::announce(u64::MAX - inode);
        lifeline::failed(u64::MAX - inode);
    }
    let third = lifeline::shell().unwrap();
    assert_ne!(
        second, third,
        "a stuck lifeline with a full pipe is replaced"
    );
    assert!(begun.elapsed() < PATIENCE);
    assert_eq!(lifeline::trouble(), None);

    // After the third death runs go on without a lifeline, and `trouble` reports that.
    kill(Pid::from_raw(third), Signal::SIGKILL).unwrap();
    assert!(eventually(|| !exists(&format!("/proc/{third}/fd/0"))).0);
    assert_eq!(run(&sh("true", Limits::default())).ended, Ended::Exited(0));
    assert_eq!(lifeline::shell(), None);
    assert!(lifeline::trouble().is_some());
    assert!(
        lifeline::trouble().is_some(),
        "the trouble is reported as long as it lasts"
    );
}

#[test]
fn a_lifeline_that_could_not_start_is_tried_again() {
    if !alone("death::a_lifeline_that_could_not_start_is_tried_again") {
        return;
    }
    let mut all = Vec::new();
    while let Ok(file) = fs::File::open("/dev/null") {
        all.push(file);
    }
    for inode in 1..=20 {
        lifeline::announce(inode);
        lifeline::failed(inode);
    }
    assert_eq!(lifeline::shell(), None);
    drop(all);
    let (token, limits) = (token(), Limits::default());
    assert_eq!(run(&marked("true", &token, limits)).ended, Ended::Exited(0));
    assert!(lifeline::shell().is_some());
    assert_eq!(lifeline::trouble(), None, "the lifeline is there again");
}

/// Starts a process in a group of its own and `shell` as a lifeline that reads `orders` and then the end of file.
/// In `orders`, `P` stands for the group and `I` for the inode of the process's output.
///
/// Returns how the process ended; none if the lifeline let it run.
fn fate(shell: &str, orders: &str) -> Option<spawn::Exit> {
    let (output, end) = spawn::pipe().unwrap();
    let inode = fs::File::from(output.try_clone().unwrap())
        .metadata()
        .unwrap()
        .ino();
    let stdio = spawn::Stdio {
        stdout: Some(end.as_fd()),
        ..spawn::Stdio::default()
    };
    let words = [c"/bin/sleep".to_owned(), c"100".to_owned()];
    let pid = spawn::spawn(&words, &[], c"/", stdio).unwrap();
    // A real lifeline acts once the process that feeds it is dead, and its descriptors are closed with it. This test
    // feeds the lifeline and lives on, so it closes its ends of the output pipe itself.
    drop((output, end));

    let (read, write) = spawn::pipe().unwrap();
    let shell = CString::new(shell).unwrap();
    let script = CString::new(lifeline::SCRIPT).unwrap();
    let words = [shell, c"-c".into(), script];
    let stdio = spawn::Stdio {
        stdin: Some(read.as_fd()),
        ..spawn::Stdio::default()
    };
    let env = [c"PATH=/usr/bin:/bin".to_owned()];
    let lifeline = spawn::spawn(&words, &env, c"/", stdio).unwrap();
    let orders = orders.replace('P', &pid.to_string());
    let orders = orders.replace('I', &inode.to_string());
    nix::unistd::write(&write, orders.as_bytes()).unwrap();
    drop(write);
    assert_eq!(spawn::reap(lifeline, true), Some(spawn::Exit::Code(0)));
    let exit = spawn::reap(pid, false);
    if exit.is_none() {
        kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
        spawn::reap(pid, true);
    }
    exit
}

#[test]
fn the_lifeline_kills_the_groups_that_its_orders_left_running() {
    let killed = Some(spawn::Exit::Signal(15));
    for shell in ["/bin/sh", "/bin/dash", "/bin/bash"] {
        if !exists(shell) {
            continue;
        }
        for (orders, expected) in [
            ("+ P I\n", killed),
            ("? I\n", killed),
            ("? I\n+ P I\n", killed),
            ("? 1\n+ P 1\n? 2\n! 2\n", killed),
            ("", None),
            ("? I\n+ P I\n- P\n", None),
            ("? I\n! I\n", None),
            ("+ P I\n? 1\n- P\n", None),
        ] {
            assert_eq!(fate(shell, orders), expected, "{shell} {orders:?}");
        }
    }
}
