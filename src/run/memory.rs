//! Bounds the memory of a child: by a limit that the kernel enforces, and by ending a child that gets past this limit.
//!
//! The limit is `RLIMIT_DATA` (getrlimit(2)): private writable memory, whether used or not.  A limit on the address space would
//! end every Go program at its start, since Go's runtime reserves more than a gigabyte that it never uses.
//!
//! `posix_spawn` sets no limits, and Emacs's own must not change even for a moment, since other threads start programs.  So the
//! limit is set by prlimit(2) on the child as soon as it runs.  From then on the limit holds for all memory that the child maps and
//! for all programs that it starts.  Programs that it started in the microseconds before are found in /proc and get the limit too
//! ([`bound`]).
//!
//! Linux does not count memory that is mapped over a reservation, and Go's runtime takes memory so: one allocation of any size gets
//! past the limit, and the next one fails (gh 2.103.3 with `--jq '"x"*1e9'` reached 996 MiB under a limit of 512).
//! So a child's memory is checked every 25 ms ([`Checks`]), and the child is ended once it holds more than the limit.  A child that
//! gives the memory back or ends by itself before the next check is not ended: on a quick machine gh answers
//! `null|.[1e8]=0|length` in less time.

use std::fs;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::spawn::{self, Resource};

/// Bytes of memory that a child, and each program that it starts, may take: 512 MiB.
///
/// gh's plain calls do with less than 90 MiB, nmap with all of its scripts takes 55, git and the rest less.
pub const MEMORY: u64 = 512 << 20;

/// The time between two checks of a running child.  A check reads one short file of /proc; between two, a program can fill some
/// 60 MiB.
const INTERVAL: Duration = Duration::from_millis(25);

/// How many generations of a child's family are followed.  A wrapper that starts gh, which starts git, which starts a helper, are
/// four.
const DEPTH: usize = 8;

/// Why the program that was started last has no limit; `None` if it has one.
static TROUBLE: Mutex<Option<String>> = Mutex::new(None);

fn lock_trouble() -> MutexGuard<'static, Option<String>> {
    TROUBLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why the program that was started last runs without a limit on its memory, in words for a person; `None` if it has a limit.
pub fn trouble() -> Option<String> {
    lock_trouble().clone()
}

/// Limits the child `pid`, and each process that it has started so far, to `memory` bytes of memory and, where it is given, to files of
/// `file` bytes.
///
/// Where the system refuses (the child belongs to another user, as a set-user-id program does; a filter of system calls), the child
/// runs on and is only checked ([`Checks`]); [`trouble`] then says why.
pub(super) fn bound(pid: i32, memory: u64, file: Option<u64>) {
    let file = file.map(|most| (Resource::File, most));
    let wanted = [Some((Resource::Data, memory)), file];
    let refused = limit_family(pid, &wanted, DEPTH).err();
    *lock_trouble() = refused.map(|error| {
        format!("The system does not let Emacs limit the memory of the programs that it starts: {error}.")
    });
}

/// Limits `pid` first and then lists its children: a child that starts after the limit was set inherits the limit.
fn limit_family(pid: i32, wanted: &[Option<(Resource, u64)>], depth: usize) -> io::Result<()> {
    for (resource, most) in wanted.iter().flatten() {
        spawn::limit(pid, *resource, *most)?;
    }
    if depth > 0 {
        for child in children(pid) {
            // A child that has ended meanwhile needs no limit.
            let _ = limit_family(child, wanted, depth - 1);
        }
    }
    Ok(())
}

/// The living children of `pid`, of all its threads; empty where the kernel does not list them (Linux without
/// `CONFIG_PROC_CHILDREN`).
fn children(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    threads
        .flatten()
        .flat_map(|thread| numbers(&thread.path().join("children").to_string_lossy()))
        .collect()
}

/// The numbers in the file `path`.
fn numbers(path: &str) -> Vec<i32> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// How many bytes of `pid` count for the limit; 0 when it has ended.
fn data(pid: i32) -> u64 {
    let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
    data_of(&String::from_utf8_lossy(&status))
}

/// The bytes in the line `VmData:     536 kB` of `proc_pid_status(5)`.
fn data_of(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    let kib: Option<u64> = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    kib.unwrap_or(0).saturating_mul(1024)
}

/// Whether `pid` holds more than `most` bytes, or a process below it that was started by a first thread (such as a wrapper's
/// program).
fn over(pid: i32, most: u64, depth: usize) -> bool {
    data(pid) > most
        || depth > 0
            && numbers(&format!("/proc/{pid}/task/{pid}/children"))
                .into_iter()
                .any(|child| over(child, most, depth - 1))
}

/// Checks the memory of one child every [`INTERVAL`].
pub(super) struct Checks {
    pid: i32,
    most: u64,
    /// When the next check is due.
    pub(super) next: Instant,
}

impl Checks {
    /// The checks of the child `pid`, which may hold `most` bytes.
    pub(super) fn new(pid: i32, most: u64) -> Self {
        Self {
            pid,
            most,
            next: Instant::now() + INTERVAL,
        }
    }

    /// Whether a check is due at `now` and finds that the child holds too much.
    pub(super) fn over(&mut self, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        self.next = now + INTERVAL;
        over(self.pid, self.most, DEPTH)
    }
}

#[cfg(test)]
mod tests {
    use super::data_of;

    #[test]
    fn vm_data_is_read_only_from_a_line_of_the_kernel_s_form() {
        for (status, bytes) in [
            (
                "Name:\tgh\nVmData:\t     536 kB\nVmStk:\t 132 kB\n",
                548_864,
            ),
            ("Name:\tgh\nState:\tZ (zombie)\n", 0),
            ("VmData:\n", 0),
            ("VmData:\tmany kB\n", 0),
            ("", 0),
            ("VmData:\t18446744073709551615 kB\n", u64::MAX),
        ] {
            assert_eq!(data_of(status), bytes, "{status}");
        }
    }
}
