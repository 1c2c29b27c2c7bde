//! How much memory a child may take: a limit that the kernel keeps, and a look at what gets past it.
//!
//! The limit is `RLIMIT_DATA` (getrlimit(2)): private writable memory, whether used or not.  One on the address space would
//! end every Go program at its start, since Go's runtime reserves more than a gigabyte that it never uses.
//!
//! `posix_spawn` sets no limits, and Emacs's own must not change even for a moment, since other threads start programs.  So the
//! limit is set by prlimit(2) on the child as soon as it runs.  From then on it counts for all that the child maps and for all that
//! it starts.  What it started in the microseconds before is found in /proc and gets the limit too ([`bound`]).
//!
//! Linux counts nothing for memory that is mapped over a reservation, and that is how Go's runtime takes memory: one allocation of
//! any size gets past the limit, and the next one fails (gh 2.103.3 with `--jq '"x"*1e9'` reached 996 MiB under a limit of 512).
//! So a child is looked at every [`EVERY`] and ended once it holds more than the limit ([`Look`]).  One that has given it back, or
//! has ended by itself, before the next look is not ended: on a quick machine gh answers `null|.[1e8]=0|length` in less.

use std::fs;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::spawn;

/// Bytes of memory that a child, and each program that it starts, may take: 512 MiB.
///
/// gh's plain calls do with less than 90 MiB, nmap with all of its scripts takes 55, git and the rest less.
pub const MEMORY: u64 = 512 << 20;

/// How often a running child is looked at.  A look reads one short file of /proc; in between, a program can fill some 60 MiB.
const EVERY: Duration = Duration::from_millis(25);

/// How deep the family of a child is followed: a wrapper starts the program, which starts git, which starts a helper.
const DEPTH: usize = 8;

/// Why the last child has no limit, if it has none.
static TROUBLE: Mutex<Option<String>> = Mutex::new(None);

fn told() -> MutexGuard<'static, Option<String>> {
    TROUBLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why the program that was started last runs without a limit on its memory, if it does: for a person.
pub fn trouble() -> Option<String> {
    told().clone()
}

/// Limits the child PID, and whatever it has started so far, to MOST bytes each.
///
/// Where the system refuses (the child is another user's, as a set-user-id program is; a filter of system calls), the child runs on
/// and is only looked at; [`trouble`] then says why.
pub(super) fn bound(pid: i32, most: u64) {
    let refused = limit_family(pid, most, DEPTH).err();
    *told() = refused.map(|error| {
        format!("The system does not let Emacs limit the memory of the programs that it starts: {error}.")
    });
}

/// The order matters: what PID starts after it has the limit inherits it, so its children are listed only then.
fn limit_family(pid: i32, most: u64, depth: usize) -> io::Result<()> {
    spawn::limit_data(pid, most)?;
    if depth > 0 {
        for child in children(pid) {
            // One that has ended meanwhile needs no limit.
            let _ = limit_family(child, most, depth - 1);
        }
    }
    Ok(())
}

/// The living children of PID, whichever of its threads started them; none where the kernel does not tell (Linux without
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

/// The numbers in the file PATH.
fn numbers(path: &str) -> Vec<i32> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// Bytes of PID that count for the limit; none when it has ended.
fn data(pid: i32) -> u64 {
    let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
    data_of(&String::from_utf8_lossy(&status))
}

/// `proc_pid_status(5)`: `VmData:     536 kB`.
fn data_of(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    let kib: Option<u64> = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    kib.unwrap_or(0).saturating_mul(1024)
}

/// Whether PID, or what its first thread has started (a wrapper's program), holds more than MOST bytes.
fn over(pid: i32, most: u64, depth: usize) -> bool {
    data(pid) > most
        || depth > 0
            && numbers(&format!("/proc/{pid}/task/{pid}/children"))
                .into_iter()
                .any(|child| over(child, most, depth - 1))
}

/// Looks at one child every [`EVERY`].
pub(super) struct Look {
    pid: i32,
    most: u64,
    /// When the next look is due.
    pub(super) next: Instant,
}

impl Look {
    /// For the child PID, which may hold MOST bytes.
    pub(super) fn new(pid: i32, most: u64) -> Self {
        Self {
            pid,
            most,
            next: Instant::now() + EVERY,
        }
    }

    /// Whether a look is due at NOW and finds more than the child may hold.
    pub(super) fn over(&mut self, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        self.next = now + EVERY;
        over(self.pid, self.most, DEPTH)
    }
}

#[cfg(test)]
mod tests {
    use super::data_of;

    #[test]
    fn only_a_line_of_the_kernel_s_form_counts() {
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
