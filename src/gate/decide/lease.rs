//! A lease: for some minutes, one command on one repository runs without a question to the person each time.
//!
//! A person gives a lease while approving a call ([`crate::gate::Plan::lease`]), never for a destructive, blocked or unknown call;
//! `Draft::scope` (`plan/draft.rs`) decides which calls may have one.  A program's own code can forbid it for a command or flag, with a
//! reason (`Question::no_lease`).
//! The lease covers later calls with exactly the same program, command, host, owner, repository, account and directory.
//! A lease ends when its time is over, when a person revokes or replaces it, or by the emergency stop.  `record/leases.rs` keeps the
//! leases that hold now.
//!
//! Two clocks count the minutes of a lease, and the faster one ends it.  The clock since the start of the machine goes on while the
//! machine sleeps, and nobody can set it back.  The wall clock also counts the time during which a virtual machine was paused.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use nix::time::{ClockId, clock_gettime};

use super::stop;

/// The longest time of a lease, in minutes.
pub const MAX_MINUTES: u64 = 60;

/// What a lease covers: calls in which all of these fields are the same.
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
    /// The account; none where a token in the environment decides the account.
    pub account: Option<String>,
    /// The directory in which the call runs: a program may read its repository or branch from the checkout there.
    pub cwd: PathBuf,
}

/// The readings of both clocks at one moment.
#[derive(Clone, Copy, Debug)]
struct Moment {
    /// The time since the start of the machine, sleep included.
    up: Duration,
    /// The wall clock.
    wall: SystemTime,
}

/// The clock that goes on while the machine sleeps (`clock_gettime(2)`; Darwin's monotonic clock does).
#[cfg(target_os = "linux")]
const UP: ClockId = ClockId::CLOCK_BOOTTIME;
#[cfg(not(target_os = "linux"))]
const UP: ClockId = ClockId::CLOCK_MONOTONIC;

/// The time since the start of the machine, sleep included.
pub fn up() -> Duration {
    clock_gettime(UP)
        .expect("every supported system has this clock")
        .into()
}

impl Moment {
    fn now() -> Self {
        Self {
            up: up(),
            wall: SystemTime::now(),
        }
    }

    /// The time since `earlier`, by the clock that counted more.
    fn since(self, earlier: Self) -> Duration {
        let up = self.up.saturating_sub(earlier.up);
        // An error where the wall clock was set back: then the other clock alone counts.
        let wall = self.wall.duration_since(earlier.wall).unwrap_or_default();
        up.max(wall)
    }
}

/// A lease that a person gave.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The number of the lease in this process, from 1.
    pub number: u64,
    /// The calls that the lease covers.
    pub scope: Scope,
    /// How many calls have run under the lease.
    pub uses: u64,
    /// When the lease was given.
    given: Moment,
    /// The time for which the lease was given.
    time: Duration,
    /// How often the gate had been stopped when the lease was given.
    stops: u64,
}

/// Why a lease ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gate) enum End {
    /// Its time was over.
    Time,
    /// The emergency stop.
    Stop,
    /// A person revoked it.
    Revoked,
    /// A person gave a new lease for the same scope.
    Replaced,
}

impl End {
    /// The values of `event` and `why` in the audit line.
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
    /// A lease for `scope` that holds for `time` from now on.
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

    /// The time for which the lease was given.
    pub(in crate::gate) fn given_for(&self) -> Duration {
        self.time
    }

    /// The time for which the lease still holds; zero when it is over.
    pub fn left(&self) -> Duration {
        self.left_at(Moment::now())
    }

    fn left_at(&self, now: Moment) -> Duration {
        self.time.saturating_sub(now.since(self.given))
    }

    /// Why the lease ended; none while it holds.
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
impl Scope {
    /// A scope for tests: `command` on the repository `o/REPO` of the host `lease.example`.
    pub(in crate::gate) fn example(command: &str, repo: &str) -> Self {
        Self {
            program: "gh",
            command: command.into(),
            host: "lease.example".into(),
            owner: "o".into(),
            repo: repo.into(),
            account: None,
            cwd: "/checkout".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_ends_in_time_through_sleep_and_a_clock_set_back_or_forward() {
        const HOUR: u64 = 3_600;
        // A lease of 600 seconds, given when both clocks read one hour.  Columns: the case, seconds since the lease was given by the
        // machine's clock, the wall clock's reading, seconds left.
        for (what, up, wall, left) in [
            ("no time has passed", 0, HOUR, 600),
            ("100 seconds have passed", 100, HOUR + 100, 500),
            ("the whole time has passed", 600, HOUR + 600, 0),
            ("the wall clock set back by an hour", 100, 100, 500),
            ("set back by an hour, then the whole time", 600, 600, 0),
            ("the wall clock set forward", 1, HOUR + 500, 100),
            ("the wall clock set far forward", 1, 9 * HOUR, 0),
            ("a virtual machine paused for 700 seconds", 0, HOUR + 700, 0),
        ] {
            let at = |up, wall| Moment {
                up: Duration::from_secs(HOUR + up),
                wall: SystemTime::UNIX_EPOCH + Duration::from_secs(wall),
            };
            let lease = Lease {
                number: 1,
                scope: Scope::example("issue comment", "clocks"),
                uses: 0,
                given: at(0, HOUR),
                time: Duration::from_secs(600),
                stops: 0,
            };
            let found = lease.left_at(at(up, wall));
            assert_eq!(found, Duration::from_secs(left), "{what}");
        }
        // `Moment::up` counts from the start of the machine, not of this process, and goes on.
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
