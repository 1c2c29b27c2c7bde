//! The leases that hold now, in the memory of this process only.
//!
//! The audit log gets a line when a lease is given, and a line when it ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::audit::{self, Entry};
use crate::gate::decide::class::Class;
use crate::gate::decide::lease::{End, Lease, Scope};

static LEASES: Mutex<Vec<Lease>> = Mutex::new(Vec::new());
static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// Drops the leases that have ended, runs `action` on the rest, then logs each beginning and end of a lease.
///
/// `action` pushes each lease that it gives to its second argument, with `None`, and each lease that it ends, with the reason.
fn with_leases<T>(action: impl FnOnce(&mut Vec<Lease>, &mut Vec<(Lease, Option<End>)>) -> T) -> T {
    let mut lines = Vec::new();
    let mut leases = LEASES.lock().unwrap_or_else(PoisonError::into_inner);
    leases.retain(|lease| {
        let end = lease.end();
        lines.extend(end.map(|end| (lease.clone(), Some(end))));
        end.is_none()
    });
    let result = action(&mut leases, &mut lines);
    drop(leases);
    for (lease, end) in lines {
        // This mostly runs on Emacs's own thread, which must not wait for the disk.
        audit::enqueue(&audit::settings(), line(&lease, end), Duration::ZERO);
    }
    result
}

/// Moves each lease for which `meant` returns true from `leases` to `lines`, with the reason `why`.
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

/// Gives a lease for calls of `scope`, which holds for `time`; an older lease for `scope` ends.
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "only a door of the module calls this")
)]
pub(in crate::gate) fn give(scope: Scope, time: Duration) -> Lease {
    let lease = Lease::new(NUMBERS.fetch_add(1, Ordering::Relaxed) + 1, scope, time);
    with_leases(|leases, lines| {
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
    with_leases(|leases, _| leases.iter().any(|lease| lease.scope == *scope))
}

/// Whether a lease holds for `scope` now; if so, counts one use of the lease.
pub(in crate::gate) fn take(scope: &Scope) -> bool {
    with_leases(|leases, _| {
        let lease = leases.iter_mut().find(|lease| lease.scope == *scope);
        lease.is_some_and(|lease| {
            lease.uses += 1;
            true
        })
    })
}

/// The leases that hold, oldest first.
pub fn list() -> Vec<Lease> {
    with_leases(|leases, _| leases.clone())
}

/// Ends the lease with the number `number`.  Returns whether such a lease held until now.
pub fn revoke(number: u64) -> bool {
    with_leases(|leases, lines| {
        let before = leases.len();
        end_those(leases, lines, End::Revoked, |lease| lease.number == number);
        leases.len() < before
    })
}

/// The audit line for `lease`: that it was given, or, with `end`, why it ended.
fn line(lease: &Lease, end: Option<End>) -> Entry {
    let (event, why) = end.map_or(("lease-given", "person"), End::words);
    let scope = &lease.scope;
    let repo = format!("{}/{}", scope.owner, scope.repo);
    let [number, minutes, uses, pid] = [
        lease.number,
        lease.given_for().as_secs().div_ceil(60),
        lease.uses,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::decide::stop;

    #[test]
    fn a_lease_covers_its_own_scope_only_and_ends_by_time_or_by_revoking() {
        let mine = Scope::example("issue comment", "covers");
        let lease = give(mine.clone(), Duration::from_secs(60));
        assert!(covers(&mine) && take(&mine));
        let others = [
            Scope::example("issue close", "covers"),
            Scope::example("issue comment", "other"),
            Scope::example("issue", "covers"),
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
    fn each_beginning_and_end_of_a_lease_is_a_line_in_the_log() {
        if !crate::run::tests::alone_in_crate(
            "gate::record::leases::tests::each_beginning_and_end_of_a_lease_is_a_line_in_the_log",
        ) {
            return;
        }
        let folder = std::env::temp_dir().join(format!("cj-gate-leases-{}", std::process::id()));
        audit::configure(audit::LogSettings {
            folder: Some(folder.clone()),
            ..audit::LogSettings::default()
        });
        let mine = Scope::example("issue comment", "logged");
        let revoked = give(mine.clone(), Duration::from_secs(600));
        assert!(take(&mine) && take(&mine) && revoke(revoked.number) && !revoke(revoked.number));
        give(mine.clone(), Duration::from_secs(60));
        // This lease replaces the one of 60 seconds.  It has no time left, so `list` ends it.
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
    fn a_second_lease_for_a_scope_replaces_the_first_even_with_a_shorter_one() {
        let mine = Scope::example("issue comment", "replaces");
        let first = give(mine.clone(), Duration::from_secs(600));
        give(mine.clone(), Duration::ZERO);
        assert!(!covers(&mine) && !revoke(first.number));
    }
}
