//! A lease: for some minutes, a person lets one command on one repository run without being asked each time.
//!
//! A lease is given for the call that a person is approving ([`crate::gate::Plan::lease`]), never for a destructive, blocked or unknown one,
//! and covers later calls of exactly the same program, command, host, owner, repository, account and directory.
//! It ends by time, by a person's word or by the emergency stop.  Those that hold now are kept in `record/leases.rs`.
//!
//! Its minutes are counted by two clocks, and the one that is further on ends it: the one since the start of the machine, which goes on
//! while the machine sleeps and which nobody can set back, and the one on the wall, which also knows of a virtual machine that was
//! stopped for a while.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use nix::time::{ClockId, clock_gettime};

use super::stop;

/// The longest that a lease can be given for, in minutes.
pub const MAX_MINUTES: u64 = 60;

/// What a lease is for: all of it must be the same in a call that it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The program.
    pub program: &'static str,
    /// The command path, `issue comment`.
    pub command: String,
    /// The host.
    pub host: String,
    /// The owner of the repository.
    pub owner: String,
    /// The repository.
    pub repo: String,
    /// The account; none for that of a token in the environment.
    pub account: Option<String>,
    /// The directory that the call runs in: what the program takes from a checkout is that checkout's.
    pub cwd: PathBuf,
}

/// What the clocks say at one moment.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// Since the start of the machine, time asleep included.
    up: Duration,
    /// On the wall.
    wall: SystemTime,
}

/// The clock that goes on while the machine sleeps (`clock_gettime(2)`; Darwin's monotonic clock does).
#[cfg(target_os = "linux")]
const UP: ClockId = ClockId::CLOCK_BOOTTIME;
#[cfg(not(target_os = "linux"))]
const UP: ClockId = ClockId::CLOCK_MONOTONIC;

impl Moment {
    fn now() -> Self {
        let up = clock_gettime(UP).expect("every supported system has this clock");
        Self {
            up: up.into(),
            wall: SystemTime::now(),
        }
    }

    /// What passed since `earlier`, by the clock by which it was longer.
    fn since(self, earlier: Self) -> Duration {
        let up = self.up.saturating_sub(earlier.up);
        // None where it was set back: then the other clock alone counts.
        let wall = self.wall.duration_since(earlier.wall).unwrap_or_default();
        up.max(wall)
    }
}

/// A lease that holds.
#[derive(Clone, Debug)]
pub struct Lease {
    /// Its number in this process, from 1.
    pub number: u64,
    /// What it is for.
    pub scope: Scope,
    /// How many calls it has let run.
    pub uses: u64,
    given: Moment,
    time: Duration,
    /// How often the gate had been stopped when it was given.
    stops: u64,
}

/// Why a lease holds no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gate) enum End {
    Time,
    Stop,
    Revoked,
    Replaced,
}

impl End {
    /// The event in the audit log, and why.
    pub(in crate::gate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("lease-ended", "time"),
            Self::Stop => ("lease-ended", "stop"),
            Self::Revoked => ("lease-revoked", "person"),
            Self::Replaced => ("lease-ended", "replaced"),
        }
    }
}

impl Lease {
    /// One that holds from now on for `time`.
    pub(in crate::gate) fn new(number: u64, scope: Scope, time: Duration) -> Self {
        Self {
            number,
            scope,
            uses: 0,
            given: Moment::now(),
            time,
            stops: stop::stops(),
        }
    }

    /// How long it was given for.
    pub(in crate::gate) fn given_for(&self) -> Duration {
        self.time
    }

    /// How long it still holds.
    pub fn left(&self) -> Duration {
        self.left_at(Moment::now())
    }

    fn left_at(&self, now: Moment) -> Duration {
        self.time.saturating_sub(now.since(self.given))
    }

    /// Why it holds no longer; none while it does.
    pub(in crate::gate) fn end(&self) -> Option<End> {
        if self.stops != stop::stops() || stop::stopped() {
            Some(End::Stop)
        } else if self.left().is_zero() {
            Some(End::Time)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(command: &str, repo: &str) -> Scope {
        Scope {
            program: "gh",
            command: command.into(),
            host: "lease.example".into(),
            owner: "o".into(),
            repo: repo.into(),
            account: None,
            cwd: "/checkout".into(),
        }
    }

    #[test]
    fn a_sleep_a_clock_set_back_or_one_set_forward_prolongs_a_lease() {
        const HOUR: u64 = 3_600;
        // Seconds up and on the wall since it was given for 600; seconds that are left.
        for (what, up, wall, left) in [
            ("nothing", 0, HOUR, 600),
            ("some time", 100, HOUR + 100, 500),
            ("its time", 600, HOUR + 600, 0),
            ("the wall set back by an hour", 100, 100, 500),
            ("the same, and then its time", 600, 600, 0),
            ("the wall set forward", 1, HOUR + 500, 100),
            ("far forward", 1, 9 * HOUR, 0),
            ("a machine stopped from outside", 0, HOUR + 700, 0),
        ] {
            let at = |up, wall| Moment {
                up: Duration::from_secs(HOUR + up),
                wall: SystemTime::UNIX_EPOCH + Duration::from_secs(wall),
            };
            let lease = Lease {
                number: 1,
                scope: scope("issue comment", "clocks"),
                uses: 0,
                given: at(0, HOUR),
                time: Duration::from_secs(600),
                stops: 0,
            };
            let found = lease.left_at(at(up, wall));
            assert_eq!(found, Duration::from_secs(left), "{what}");
        }
        // What it is counted by goes on and is not that of the process: it is the machine's.
        let (before, seconds) = (
            Moment::now().up,
            std::fs::read_to_string("/proc/uptime").expect("Linux has it"),
        );
        let seconds: f64 = seconds
            .split(' ')
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a number");
        assert!(before.as_secs_f64() <= seconds + 0.02 && Moment::now().up > before);
    }
}
