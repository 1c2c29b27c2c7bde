//! Leases: for some minutes, a person lets one command on one repository run without being asked each time.
//!
//! A lease is given for the call that a person is approving ([`crate::gate::Plan::lease`]), never for a destructive, blocked or unknown one,
//! and covers later calls of exactly the same program, command, host, owner, repository, account and directory.
//! It ends by time, by a person's word or by the emergency stop, and only lives in this process.
//! That it was given and that it ended are lines of the audit log.
//!
//! Its minutes are counted by two clocks, and the one that is further on ends it: the one since the start of the machine, which goes on
//! while the machine sleeps and which nobody can set back, and the one on the wall, which also knows of a virtual machine that was
//! stopped for a while.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use nix::time::{ClockId, clock_gettime};

use super::stop;
use crate::gate::Class;
use crate::gate::record::audit::{self, Entry};

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
enum End {
    Time,
    Stop,
    Revoked,
    Replaced,
}

impl End {
    /// The event in the audit log, and why.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("lease-ended", "time"),
            Self::Stop => ("lease-ended", "stop"),
            Self::Revoked => ("lease-revoked", "person"),
            Self::Replaced => ("lease-ended", "replaced"),
        }
    }
}

impl Lease {
    /// How long it still holds.
    pub fn left(&self) -> Duration {
        self.left_at(Moment::now())
    }

    fn left_at(&self, now: Moment) -> Duration {
        self.time.saturating_sub(now.since(self.given))
    }

    /// Why it holds no longer; none while it does.
    fn end(&self) -> Option<End> {
        if self.stops != stop::stops() || stop::stopped() {
            Some(End::Stop)
        } else if self.left().is_zero() {
            Some(End::Time)
        } else {
            None
        }
    }

    /// The line of the audit log on its beginning, or on its `end`.
    fn line(&self, end: Option<End>) -> Entry {
        let (event, why) = end.map_or(("lease-given", "person"), End::words);
        let scope = &self.scope;
        let repo = format!("{}/{}", scope.owner, scope.repo);
        let [number, minutes, uses, pid] = [
            self.number,
            self.time.as_secs().div_ceil(60),
            self.uses,
            u64::from(std::process::id()),
        ]
        .map(|number| number.to_string());
        Entry::event(&[
            ("host", Some(&scope.host)),
            ("repo", Some(&repo)),
            ("class", Some(Class::Write.as_str())),
            ("account", scope.account.as_deref()),
            ("program", Some(scope.program)),
            ("command", Some(&scope.command)),
            ("event", Some(event)),
            ("why", Some(why)),
            ("lease", Some(&number)),
            ("minutes", Some(&minutes)),
            ("uses", Some(&uses)),
            ("pid", Some(&pid)),
        ])
    }
}

static LEASES: Mutex<Vec<Lease>> = Mutex::new(Vec::new());
static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// The leases that hold, after those that do not were thrown away.  `look` says of those that it takes away why they end.
fn holding<T>(look: impl FnOnce(&mut Vec<Lease>, &mut Vec<(Lease, Option<End>)>) -> T) -> T {
    let mut lines = Vec::new();
    let mut leases = LEASES.lock().unwrap_or_else(PoisonError::into_inner);
    leases.retain(|lease| {
        let end = lease.end();
        lines.extend(end.map(|end| (lease.clone(), Some(end))));
        end.is_none()
    });
    let seen = look(&mut leases, &mut lines);
    drop(leases);
    for (lease, end) in lines {
        // On Emacs's own thread, mostly: nobody waits for the disk.
        audit::note(&audit::settings(), lease.line(end), Duration::ZERO);
    }
    seen
}

/// Takes those out of `leases` that are `meant`, and notes why.
fn end_those(
    leases: &mut Vec<Lease>,
    lines: &mut Vec<(Lease, Option<End>)>,
    why: End,
    meant: impl Fn(&Lease) -> bool,
) {
    leases.retain(|lease| {
        let ends = meant(lease);
        if ends {
            lines.push((lease.clone(), Some(why)));
        }
        !ends
    });
}

/// Lets calls of `scope` run for `time`; an older lease for the same ends.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "called through a door of the module alone")
)]
pub(in crate::gate) fn give(scope: Scope, time: Duration) -> Lease {
    let lease = Lease {
        number: NUMBERS.fetch_add(1, Ordering::Relaxed) + 1,
        scope,
        uses: 0,
        given: Moment::now(),
        time,
        stops: stop::stops(),
    };
    holding(|leases, lines| {
        end_those(leases, lines, End::Replaced, |other| {
            other.scope == lease.scope
        });
        leases.push(lease.clone());
        lines.push((lease.clone(), None));
    });
    lease
}

/// Whether a lease holds for `scope` now.
pub(in crate::gate) fn covers(scope: &Scope) -> bool {
    holding(|leases, _| leases.iter().any(|lease| lease.scope == *scope))
}

/// The same, and counts the use.
pub(in crate::gate) fn take(scope: &Scope) -> bool {
    holding(|leases, _| {
        let lease = leases.iter_mut().find(|lease| lease.scope == *scope);
        lease.is_some_and(|lease| {
            lease.uses += 1;
            true
        })
    })
}

/// The leases that hold, oldest first.
pub fn list() -> Vec<Lease> {
    holding(|leases, _| leases.clone())
}

/// Ends the lease of that number; whether it held until now.
pub fn revoke(number: u64) -> bool {
    holding(|leases, lines| {
        let before = leases.len();
        end_those(leases, lines, End::Revoked, |lease| lease.number == number);
        leases.len() < before
    })
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
    fn a_lease_covers_exactly_what_it_was_given_for_and_ends_by_time_or_by_word() {
        let mine = scope("issue comment", "covers");
        let lease = give(mine.clone(), Duration::from_secs(60));
        assert!(covers(&mine) && take(&mine));
        let others = [
            scope("issue close", "covers"),
            scope("issue comment", "other"),
            scope("issue", "covers"),
            Scope {
                account: Some("mona".into()),
                ..mine.clone()
            },
            Scope {
                owner: "O2".into(),
                ..mine.clone()
            },
            Scope {
                host: "github.com".into(),
                ..mine.clone()
            },
            Scope {
                cwd: "/another".into(),
                ..mine.clone()
            },
            Scope {
                program: "net",
                ..mine.clone()
            },
        ];
        for other in others {
            assert!(!covers(&other) && !take(&other), "{other:?}");
        }
        let listed = list().into_iter().find(|l| l.number == lease.number);
        assert_eq!(listed.map(|l| l.uses), Some(1));
        assert!(revoke(lease.number) && !covers(&mine) && !revoke(lease.number));
        give(mine.clone(), Duration::ZERO);
        assert!(!covers(&mine) && !take(&mine), "its time is over");
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

    #[test]
    fn a_lease_is_given_or_ends_without_a_line_in_the_log() {
        if !crate::run::tests::alone_in_crate(
            "gate::decide::lease::tests::a_lease_is_given_or_ends_without_a_line_in_the_log",
        ) {
            return;
        }
        let folder = std::env::temp_dir().join(format!("cj-gate-leases-{}", std::process::id()));
        audit::configure(audit::Settings {
            folder: Some(folder.clone()),
            ..audit::Settings::default()
        });
        let mine = scope("issue comment", "logged");
        let revoked = give(mine.clone(), Duration::from_secs(600));
        assert!(take(&mine) && take(&mine) && revoke(revoked.number) && !revoke(revoked.number));
        give(mine.clone(), Duration::from_secs(60));
        // Replaced, and over at once: seen by whoever looks next.
        give(mine.clone(), Duration::ZERO);
        assert!(list().is_empty());
        let stopped = Scope {
            account: Some("mona".into()),
            ..mine
        };
        give(stopped, Duration::from_secs(61));
        stop::stop();
        assert!(list().is_empty());
        assert!(audit::flush(Duration::from_secs(20)));
        let mut told = Vec::new();
        for file in std::fs::read_dir(&folder).expect("it was made") {
            let path = file.expect("readable").path();
            let text = std::fs::read_to_string(path).unwrap_or_default();
            for line in text.lines() {
                let (line, _) = audit::line::whole(line.as_bytes()).expect("whole");
                let of = |key| line.text(key).unwrap_or_else(|| "-".into());
                assert_eq!(
                    (of("host"), of("repo"), of("command"), of("approved-by")),
                    (
                        "lease.example".into(),
                        "o/logged".into(),
                        "issue comment".into(),
                        "-".into()
                    )
                );
                told.push(
                    ["event", "why", "lease", "minutes", "uses", "account"]
                        .map(of)
                        .join(" "),
                );
            }
        }
        std::fs::remove_dir_all(&folder).expect("it is ours");
        assert_eq!(
            told,
            [
                "lease-given person 1 10 0 -",
                "lease-revoked person 1 10 2 -",
                "lease-given person 2 1 0 -",
                "lease-ended replaced 2 1 0 -",
                "lease-given person 3 0 0 -",
                "lease-ended time 3 0 0 -",
                "lease-given person 4 2 0 mona",
                "lease-ended stop 4 2 0 mona",
            ]
        );
    }

    #[test]
    fn a_second_lease_for_the_same_replaces_the_first_and_a_shorter_one_shortens_it() {
        let mine = scope("issue comment", "replaces");
        let first = give(mine.clone(), Duration::from_secs(600));
        give(mine.clone(), Duration::ZERO);
        assert!(!covers(&mine) && !revoke(first.number));
    }
}
