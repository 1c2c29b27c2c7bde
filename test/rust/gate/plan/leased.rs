//! Leases: which Plans a lease covers, and which Plans get none.

use super::*;

/// A draft of `command` on `o/REPO`.  Each test takes a repository of its own, since all tests share the process's leases.
fn leasable(command: &str, repo: &str, class: Class, answer: Answer) -> Draft {
    let mut made = draft(class, answer, &[command, "1"]);
    if let Some(target) = made.target.as_mut() {
        target.repo = Some(repo.into());
    }
    made
}

#[test]
fn a_lease_lets_like_calls_run_and_nothing_else() {
    let write = |command: &str, repo: &str| {
        Plan::new(leasable(command, repo, Class::Write, Answer::Confirm)).expect("a plain argv")
    };
    let mut first = write("comment", "leased");
    let digest = first.info().digest.clone();
    for minutes in [0, 61] {
        assert!(first.lease(&digest, HOUR, minutes).is_err(), "{minutes}");
    }
    assert!(first.lease("another", HOUR, 10).is_err());
    assert!(
        !write("comment", "leased").leased(),
        "a lease that was refused covers nothing"
    );
    let lease = first
        .lease(&digest, HOUR, 10)
        .expect("the digest is its own");
    assert_eq!(
        outcome(&mut first).header,
        "[gh github.com/o/leased write confirmed 0.0KB]"
    );
    let mut second = write("comment", "leased");
    assert!(second.leased());
    assert_eq!(
        outcome(&mut second).header,
        "[gh github.com/o/leased write leased 0.0KB]"
    );
    let record = crate::gate::record_of_call(second.info().call).expect("it is kept");
    assert_eq!(record.approved, Some(ApprovedBy::Lease));
    for (command, repo) in [("merge", "leased"), ("comment", "other")] {
        assert!(
            write(command, repo).start(|_| {}).is_err(),
            "{command} {repo}"
        );
    }
    assert_eq!(
        leases::list()
            .iter()
            .find(|l| l.number == lease.number)
            .map(|l| l.uses),
        Some(1)
    );
    let mut late = write("comment", "leased");
    assert!(late.leased() && leases::revoke(lease.number));
    assert!(!late.leased() && late.start(|_| {}).is_err());
}

#[test]
fn the_first_write_to_a_repository_is_the_one_that_starts() {
    use crate::gate::record::written::is_first;
    let write = |class| {
        Plan::new(leasable("comment", "Written", class, Answer::Confirm)).expect("a plain argv")
    };
    let first = |plan: &Plan| is_first(plan.info());
    let mut declined = write(Class::Write);
    declined.close(&Refusal::new(ErrorKind::Declined, "No."));
    let read = Plan::new(leasable("view", "Written", Class::Read, Answer::Auto));
    outcome(&mut read.expect("a plain argv"));
    let mut one = write(Class::Write);
    assert!(
        first(&one),
        "neither a call that was declined nor a read is a write"
    );
    let mut download = leasable("download", "Written", Class::Write, Answer::Confirm);
    download.question.local = true;
    let mut download = Plan::new(download).expect("a plain argv");
    assert!(!first(&download), "it writes nothing there");
    let digest = download.info().digest.clone();
    download
        .approve(&digest, HOUR)
        .expect("the digest is its own");
    outcome(&mut download);
    let digest = one.info().digest.clone();
    one.approve(&digest, HOUR).expect("the digest is its own");
    assert!(first(&one), "an approved call has not started yet");
    outcome(&mut one);
    let next = Plan::new(leasable("close", "written", Class::Write, Answer::Confirm));
    assert!(!first(&next.expect("a plain argv")));
    let other = Plan::new(leasable(
        "close",
        "written-2",
        Class::Write,
        Answer::Confirm,
    ));
    assert!(first(&other.expect("a plain argv")));
}

/// Turns the draft of a plain write into another call.
type Change = fn(&mut Draft);

#[test]
fn a_lease_is_given_for_and_covers_plain_writes_to_one_repository_alone() {
    let mut given = Plan::new(leasable("comment", "strict", Class::Write, Answer::Confirm))
        .expect("a plain argv");
    let digest = given.info().digest.clone();
    given.lease(&digest, HOUR, 10).expect("a plain write");
    let refused: [(&str, Change); 9] = [
        ("destructive", |d| {
            (d.class, d.answer) = (Class::Destructive, Answer::Block);
        }),
        ("blocked", |d| {
            (d.class, d.answer) = (Class::Blocked, Answer::Block);
        }),
        ("unknown", |d| d.class = Class::Unknown),
        ("blocked by policy", |d| d.answer = Answer::Block),
        ("no leases on the host", |d| d.leases = false),
        ("the program says no", |d| {
            d.question.no_lease = Some("it may not");
        }),
        ("an act with a row of its own", |d| d.act = Some("approve")),
        ("refused", |d| {
            d.refusal = Some(Refusal::new(ErrorKind::PolicyBlocked, "no"));
        }),
        ("no repository", |d| {
            if let Some(target) = d.target.as_mut() {
                (target.owner, target.repo) = (None, None);
            }
        }),
    ];
    for (what, change) in refused {
        let mut draft = leasable("comment", "strict", Class::Write, Answer::Confirm);
        change(&mut draft);
        let mut plan = Plan::new(draft).expect("a plain argv");
        assert!(!plan.leased() && plan.info().no_lease.is_some(), "{what}");
        assert!(plan.start(|_| {}).is_err(), "{what}");
        let digest = plan.info().digest.clone();
        assert!(plan.lease(&digest, HOUR, 10).is_err(), "{what}");
    }
    // A call with a secret in its arguments is refused although the lease would cover the rest.
    let mut secret = leasable("comment", "strict", Class::Write, Answer::Confirm);
    secret.argv = Foreign::new(vec!["comment".into(), "hold-this-value-4711".into()]);
    let mut secret = Plan::new(secret).expect("a plain argv");
    assert!(!secret.leased() && secret.start(|_| {}).is_err());
}
