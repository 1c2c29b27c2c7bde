//! Children die with this process, also when it is killed with SIGKILL.
//!
//! One `/bin/sh` in a session of its own reads our process groups from a pipe that only this
//! process can write to.  When we die the kernel closes the pipe, and the shell kills what is left:
//! SIGTERM, 0.2 s, SIGKILL; to what has left its group for another one of its session, SIGKILL alone.  It is started with the first run and holds nothing of ours but that pipe.
//!
//! The moment between a child's start and the line `+ PGID` is covered too.  Before each start we
//! announce the inode of the pipe that will be the child's standard output.  If we die before the
//! group is known, the shell looks for the process that holds that pipe.  It cannot look too early:
//! until a starting child has passed its last step before exec it holds our end of the lifeline as
//! well, so the shell sees no end of file before the child is in its own session with the announced
//! pipe on descriptor 1.  What remains is a program that, in the microseconds between its exec and
//! our line, closes both of its outputs while we are being killed.
//!
//! Orders, one a line: `? INODE` a start is near; `+ PGID INODE` it has happened; `! INODE` it has
//! failed; `- PGID` the group is dead (sent before the leader is reaped: no number is reused early).

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

/// What the shell does.  It ignores the signals by which a session ends, since its work begins then.
/// `kill -s KILL -- -N` is the form that dash and bash both take.
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

/// After this many shells have died, runs go on without one.  One that cannot be started at all is
/// tried again with the next order: what was short then (descriptors, memory) may be there again.
const MAX_DEATHS: u8 = 3;

/// How long a shell may leave its full pipe unread (64 KiB of orders) before it is replaced.
const STUCK: u16 = 200;

struct Line {
    shell: Option<Shell>,
    deaths: u8,
    /// Starts that are announced and not yet settled, by inode.
    near: BTreeSet<u64>,
    /// Groups that may have a living process.
    groups: BTreeSet<i32>,
    /// Set as long as there is none although one was wanted: it is said once.
    without: bool,
    /// Why there is no shell although one was wanted.
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

/// The line, also after a panic: each order leaves it whole.
fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child is about to be started whose standard output is the pipe INODE.
pub(super) fn announce(inode: u64) {
    let mut line = line();
    line.near.insert(inode);
    line.tell(&format!("? {inode}\n"));
}

/// The announced child runs and leads the group PGID.
pub(super) fn started(pgid: i32, inode: u64) {
    let mut line = line();
    line.near.remove(&inode);
    line.groups.insert(pgid);
    line.tell(&format!("+ {pgid} {inode}\n"));
}

/// The announced child did not start.
pub(super) fn failed(inode: u64) {
    let mut line = line();
    line.near.remove(&inode);
    line.tell(&format!("! {inode}\n"));
}

/// The group PGID has been killed whole; its leader is not yet reaped.
pub(super) fn ended(pgid: i32) {
    let mut line = line();
    line.groups.remove(&pgid);
    line.tell(&format!("- {pgid}\n"));
}

/// Why children would outlive a crash of this process, if they would now: for a person.
pub fn trouble() -> Option<String> {
    line().trouble.clone()
}

/// The shell's process id, for tests that kill it.
#[cfg(test)]
pub(super) fn shell() -> Option<i32> {
    line().shell.as_ref().map(|shell| shell.pid)
}

/// How many starts and groups the shell would look after now.
#[cfg(test)]
pub(super) fn known() -> usize {
    let line = line();
    line.near.len() + line.groups.len()
}

impl Line {
    /// Sends ORDER; starts a shell where there is none, and tells it all that holds now.
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

    /// Gives a dead or stuck shell up.  It is dead before its pipe is closed: else it would take
    /// the end of file for our death, and kill what runs.
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
        // A stuck shell must not hold a run up.
        fcntl(&write, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let argv = ["/bin/sh", "-c", SCRIPT, "cj-gate-lifeline"]
            .map(|word| CString::new(word).expect("constant words without NUL"));
        // For `ls`, `sleep` and, in some shells, `kill`.
        let env = [c"PATH=/usr/bin:/bin".to_owned(), c"LC_ALL=C".to_owned()];
        let stdio = Stdio {
            stdin: Some(read.as_fd()),
            ..Stdio::default()
        };
        let pid = spawn::spawn(&argv, &env, c"/", stdio)?;
        memory::bound(pid, memory::MEMORY);
        Ok(Self { pid, orders: write })
    }

    /// Writes ORDERS; an error means that the shell is gone or does not read.
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
