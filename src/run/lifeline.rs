//! The lifeline: children die with this process, also when it is killed with SIGKILL.
//!
//! One `/bin/sh` in a session of its own reads the children's process groups from a pipe that only this process can write to.
//! When this process dies, the kernel closes the pipe, and the shell kills the groups: SIGTERM, 0.2 s, SIGKILL.  Processes that
//! have left their group for another one of the session get SIGKILL alone.  The shell is started with the first run and inherits
//! nothing but that pipe.
//!
//! The moment between a child's start and the line `+ PGID` is covered too.  Before each start this process announces the inode of
//! the pipe that will be the child's standard output.  If this process dies before the group is known, the shell looks for the
//! process that holds that pipe.  The shell cannot look too early: until a starting child has passed its last step before exec, the
//! child holds this process's end of the lifeline as well, so the shell sees no end of file before the child is in its own session
//! with the announced pipe on descriptor 1.  One case is not covered: a program that closes both of its outputs in the microseconds
//! between its exec and the line `+ PGID`, while this process is being killed.
//!
//! The orders, one on each line: `? INODE` a child is about to start; `+ PGID INODE` the child has started; `! INODE` the start has
//! failed; `- PGID` the group is dead (sent before the leader is reaped, so that no number is reused too early).

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fmt::Write as _;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::memory;
use super::spawn::{self, Stdio};

/// The shell's script.  The shell ignores the signals that end a login session, since its work begins when the session ends.
/// `kill -s KILL -- -N` is a form that both dash and bash take.
pub(super) const SCRIPT: &str = r#"
trap '' HUP INT TERM PIPE
groups= near= found=
strays() {
  for f in /proc/[0-9]*/stat; do
    read -r line <"$f" || continue
    pid=${f#/proc/}
    set -- ${line##*)}
    case "$groups$found " in *" $4 "*) [ "$3" = "$4" ] || kill -s KILL "${pid%/stat}" ;; esac
  done
}
without() { w=$1 r=; shift; for x; do [ "$x" = "$w" ] || r="$r $x"; done; }
while read -r order a b; do
  case $order in
    '?') near="$near $a" ;;
    '+') groups="$groups $a"; without "$b" $near; near=$r ;;
    '!') without "$a" $near; near=$r ;;
    '-') without "$a" $groups; groups=$r ;;
  esac
done
exec 2>/dev/null
for p in $groups; do kill -s TERM -- "-$p"; done
if [ -n "$near" ]; then
  outputs=$(ls -l /proc/[0-9]*/fd/1)
  for i in $near; do
    for p in $(echo "$outputs" | sed -n "s|.* /proc/\([0-9]*\)/fd/1 -> pipe:\[$i\]\$|\1|p"); do
      [ "$p" = "$PPID" ] || found="$found $p"
    done
  done
  for p in $found; do kill -s TERM -- "-$p"; done
fi
[ -n "$groups$found" ] || exit 0
sleep 0.2
for p in $groups $found; do kill -s KILL -- "-$p"; done
for p in $found; do kill -s KILL "$p"; done
strays
exit 0
"#;

/// After this many shells have died, runs go on without a shell.  Where a shell cannot be started at all, the next order starts one
/// again: descriptors or memory may be free by then.
const MAX_DEATHS: u8 = 3;

/// How many milliseconds a shell may leave its full pipe (64 KiB of orders) unread before it is replaced.
const STUCK: u16 = 200;

struct Line {
    shell: Option<Shell>,
    deaths: u8,
    /// The inodes of announced starts that have neither happened nor failed.
    near: BTreeSet<u64>,
    /// Groups that may have a living process.
    groups: BTreeSet<i32>,
    /// `true` as long as a shell is wanted and missing, so that this is reported once.
    without: bool,
    /// Why a wanted shell is missing.
    trouble: Option<String>,
}

struct Shell {
    pid: i32,
    orders: OwnedFd,
}

static LINE: Mutex<Line> = Mutex::new(Line {
    shell: None,
    deaths: 0,
    near: BTreeSet::new(),
    groups: BTreeSet::new(),
    without: false,
    trouble: None,
});

/// Locks the lifeline, also after a panic: no panic can leave it half changed.
fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the shell that a child is about to start whose standard output is the pipe `inode`.
pub(super) fn announce(inode: u64) {
    let mut line = line();
    line.near.insert(inode);
    line.tell(&format!("? {inode}\n"));
}

/// Tells the shell that the announced child runs and leads the group `pgid`.
pub(super) fn started(pgid: i32, inode: u64) {
    let mut line = line();
    line.near.remove(&inode);
    line.groups.insert(pgid);
    line.tell(&format!("+ {pgid} {inode}\n"));
}

/// Tells the shell that the announced child did not start.
pub(super) fn failed(inode: u64) {
    let mut line = line();
    line.near.remove(&inode);
    line.tell(&format!("! {inode}\n"));
}

/// Tells the shell that the whole group `pgid` has been killed; its leader is not yet reaped.
pub(super) fn ended(pgid: i32) {
    let mut line = line();
    line.groups.remove(&pgid);
    line.tell(&format!("- {pgid}\n"));
}

/// Why children would outlive a crash of this process, in words for a person; `None` if they would die with it.
pub fn trouble() -> Option<String> {
    line().trouble.clone()
}

/// The shell's process id, for tests that kill it.
#[cfg(test)]
pub(super) fn shell() -> Option<i32> {
    line().shell.as_ref().map(|shell| shell.pid)
}

/// How many announced starts and groups the shell knows now.
#[cfg(test)]
pub(super) fn known() -> usize {
    let line = line();
    line.near.len() + line.groups.len()
}

impl Line {
    /// Sends `order`.  Where there is no shell, starts one and sends every order that holds now.
    fn tell(&mut self, order: &str) {
        if let Some(shell) = &self.shell {
            if shell.send(order).is_ok() {
                return;
            }
            self.bury();
        }
        let mut last = None;
        while self.deaths < MAX_DEATHS {
            let shell = match Shell::start() {
                Ok(shell) => shell,
                Err(error) => {
                    last = Some(error);
                    break;
                }
            };
            let told = shell.send(&self.all());
            self.shell = Some(shell);
            match told {
                Ok(()) => {
                    self.without = false;
                    self.trouble = None;
                    return;
                }
                Err(error) => {
                    self.bury();
                    last = Some(error);
                }
            }
        }
        if !self.without {
            self.without = true;
            let why = last.map_or("it has died too often".to_owned(), |e| e.to_string());
            self.trouble = Some(format!(
                "The shell that ends running programs when Emacs crashes is gone: {why}.\n\
                 Programs still run, and a normal exit still ends them; check that /bin/sh works, then restart Emacs."
            ));
        }
    }

    /// Every order that holds now, as one text.
    fn all(&self) -> String {
        let mut orders = String::new();
        for inode in &self.near {
            writeln!(orders, "? {inode}").expect("a String takes any text");
        }
        for pgid in &self.groups {
            writeln!(orders, "+ {pgid}").expect("a String takes any text");
        }
        orders
    }

    /// Drops a dead or stuck shell.  The shell is killed before its pipe is closed: else it would take the end of file for the death
    /// of this process, and kill the running children.
    fn bury(&mut self) {
        if let Some(shell) = self.shell.take() {
            self.deaths += 1;
            let _ = kill(Pid::from_raw(shell.pid), Signal::SIGKILL);
            spawn::reap(shell.pid, true);
            drop(shell.orders);
        }
    }
}

impl Shell {
    fn start() -> io::Result<Self> {
        let (read, write) = spawn::pipe()?;
        // A write to a stuck shell fails instead of blocking a run.
        fcntl(&write, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let argv = ["/bin/sh", "-c", SCRIPT, "cj-gate-lifeline"]
            .map(|word| CString::new(word).expect("constant words without NUL"));
        // The script needs PATH for `ls`, `sleep` and, in some shells, `kill`.
        let env = [c"PATH=/usr/bin:/bin".to_owned(), c"LC_ALL=C".to_owned()];
        let stdio = Stdio {
            stdin: Some(read.as_fd()),
            ..Stdio::default()
        };
        let pid = spawn::spawn(&argv, &env, c"/", stdio)?;
        memory::bound(pid, memory::MEMORY, None);
        Ok(Self { pid, orders: write })
    }

    /// Writes `orders`; an error means that the shell is gone or does not read.
    fn send(&self, orders: &str) -> io::Result<()> {
        let mut rest = orders.as_bytes();
        while !rest.is_empty() {
            match nix::unistd::write(&self.orders, rest) {
                Ok(sent) => rest = &rest[sent..],
                Err(nix::Error::EINTR) => {}
                Err(nix::Error::EAGAIN) => {
                    let mut full = [PollFd::new(self.orders.as_fd(), PollFlags::POLLOUT)];
                    if poll(&mut full, PollTimeout::from(STUCK))? == 0 {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
