//! Reads the facts of other processes from /proc, and waits for the end of a killed group.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::killpg;
use nix::unistd::Pid;

/// How long a killed leader, or the rest of a killed group, is waited for.  Only a process that hangs inside the kernel (a dead
/// network file system) takes this long.
pub(super) const LAST_WAIT: Duration = Duration::from_secs(2);

/// Waits until no process of the killed group `pgid` runs: kill(2) returns before SIGKILL has ended them.
/// The group's members are not our children, so there is no descriptor or status to wait for.
pub(super) fn wait_for_group(pgid: i32) {
    let until = Instant::now() + LAST_WAIT;
    let mut pause = Duration::from_micros(100);
    while killpg(Pid::from_raw(pgid), None).is_ok() {
        // Where process 1 does not reap, dead members stay as zombies; they count as gone.
        let old = pause > Duration::from_millis(2);
        if old && !group_runs(pgid) || Instant::now() >= until {
            return;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Whether /proc shows a process of the group `pgid` that is no zombie.
fn group_runs(pgid: i32) -> bool {
    let mut runs = false;
    each_process(|_, stat| runs |= stat.group == pgid && stat.runs);
    runs
}

/// The facts of a process in /proc.
pub(super) struct Stat {
    pub(super) group: i32,
    pub(super) session: i32,
    /// `true`: the process is no zombie.
    pub(super) runs: bool,
}

/// Calls `each` with the number and the facts of every process in /proc.
pub(super) fn each_process(mut each: impl FnMut(i32, &Stat)) {
    let Ok(all) = fs::read_dir("/proc") else {
        return;
    };
    for entry in all.flatten() {
        let pid = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        // A name need not be UTF-8.
        let stat = pid.and_then(|_: i32| fs::read(entry.path().join("stat")).ok());
        let stat = stat.and_then(|stat| stat_of(&String::from_utf8_lossy(&stat)));
        if let Some((pid, stat)) = pid.zip(stat) {
            each(pid, &stat);
        }
    }
}

/// Reads a line of proc(5), "PID (NAME) STATE PPID PGRP SESSION ..."; the name may hold anything, `)` too.
pub(super) fn stat_of(line: &str) -> Option<Stat> {
    let mut rest = line.rsplit(')').next()?.split_whitespace();
    let runs = !matches!(rest.next()?, "Z" | "X");
    let mut number = || rest.next()?.parse::<i32>().ok();
    let (_, group, session) = (number()?, number()?, number()?);
    Some(Stat {
        group,
        session,
        runs,
    })
}
