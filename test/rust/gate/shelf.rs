//! The shelf of kept results: which chat gets a result, by which handle, and until when.
//! Included by src/gate/result/shelf.rs.

use std::collections::HashSet;

use super::*;
use crate::gate::{Cleaner, Source};
use crate::text::tokens::count;

fn call(chat: u64, class: Class, approved: ApprovedBy) -> Call {
    let target = Target {
        host: "ghe.example.com".into(),
        owner: None,
        repo: None,
        account: None,
        source: Source::Default,
    };
    Call {
        chat,
        approved,
        ..Call::bare("gh", class, Some(target), Vec::new())
    }
}

fn kept(bytes: usize) -> Kept {
    let call = call(1, Class::Read, ApprovedBy::Rule);
    Kept::new(&call, Place::Memory("x".repeat(bytes).into()))
}

#[test]
fn the_oldest_result_is_dropped_beyond_the_limit_of_results_or_bytes() {
    let mut shelf = Shelf::default();
    let handles: Vec<String> = (0..RESULTS + 3).map(|_| shelf.put(kept(10))).collect();
    assert_eq!((shelf.kept.len(), shelf.bytes), (RESULTS, RESULTS * 10));
    assert!(shelf.get("gh", 1, &handles[2]).is_none());
    assert!(shelf.get("gh", 1, &handles[3]).is_some());
    let last = shelf.put(kept(BYTES - 5));
    assert_eq!(shelf.kept.len(), 1);
    assert!(shelf.get("gh", 1, &last).is_some() && shelf.bytes <= BYTES);
}

#[test]
fn a_handle_works_in_its_own_chat_and_for_its_own_program_alone() {
    let mut shelf = Shelf::default();
    let handle = shelf.put(kept(10));
    assert!(shelf.get("gh", 1, &format!(" {handle}\n")).is_some());
    assert!(shelf.get("gh", 2, &handle).is_none());
    assert!(shelf.get("gh", 0, &handle).is_none());
    assert!(shelf.get("net", 1, &handle).is_none());
    for wrong in ["", "m", "m1", &handle[1..], &handle[..DIGITS], "m+1", "x1"] {
        assert!(shelf.get("gh", 1, wrong).is_none(), "{wrong}");
    }
}

#[test]
fn the_results_of_a_chat_that_is_over_are_dropped_and_no_others() {
    let mut shelf = Shelf::default();
    let own = shelf.put(kept(10));
    let other = shelf.put(Kept::new(
        &call(2, Class::Read, ApprovedBy::Rule),
        Place::Memory("other".into()),
    ));
    shelf.forget(|kept| kept.chat == 1);
    assert!(shelf.get("gh", 1, &own).is_none());
    assert!(shelf.get("gh", 2, &other).is_some());
    assert_eq!(shelf.bytes, 5);
}

#[test]
fn handles_are_random_and_cost_eight_tokens() {
    let handles: Vec<String> = (0..500).map(|_| fresh_handle()).collect();
    let clean = Cleaner::holding(&[]);
    for handle in &handles {
        assert_eq!(handle.len(), 1 + DIGITS);
        assert_eq!(count(handle), 8, "{handle}");
        let words = format!("[lines 1-9 of 99 cut; gh_more handle={handle} lines=1-9]");
        assert_eq!(clean.text(&words), words);
    }
    // Among 500 handles each place has all ten digits. Two of them begin alike by chance in about one run of 800 (10^8
    // beginnings, 124,750 pairs), so one such pair is allowed.
    for place in 1..=DIGITS {
        let seen: HashSet<u8> = handles.iter().map(|h| h.as_bytes()[place]).collect();
        assert_eq!(seen.len(), 10, "digit {place}");
    }
    let beginnings: HashSet<&str> = handles.iter().map(|handle| &handle[..9]).collect();
    assert!(beginnings.len() >= 499);
}

#[test]
fn a_kept_result_is_judged_by_the_present_policy() {
    let policy = |rows: &[(&str, &str)]| {
        let rows: Vec<_> = rows
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect();
        Policy::from_rows(&rows, &["approve"])
    };
    for (class, by, rows, allowed) in [
        (Class::Read, ApprovedBy::Rule, &[][..], true),
        (
            Class::Read,
            ApprovedBy::Rule,
            &[("read", "confirm")][..],
            false,
        ),
        (
            Class::Read,
            ApprovedBy::Person,
            &[("read", "confirm")][..],
            true,
        ),
        (
            Class::Read,
            ApprovedBy::Person,
            &[("read", "block")][..],
            false,
        ),
        (Class::Write, ApprovedBy::Lease, &[][..], true),
        (
            Class::Write,
            ApprovedBy::Person,
            &[("write", "block")][..],
            false,
        ),
        // Reading a kept result is itself a read, so `read` = `block` refuses the result of a write, too.
        (
            Class::Write,
            ApprovedBy::Person,
            &[("read", "block")][..],
            false,
        ),
        (
            Class::Unknown,
            ApprovedBy::Person,
            &[("read", "confirm")][..],
            true,
        ),
    ] {
        let kept = Kept::new(&call(1, class, by), Place::Memory("".into()));
        let judged = kept.may_be_read(kept.answer(&policy(rows)));
        assert_eq!(judged.is_ok(), allowed, "{class} {by:?} {rows:?}");
        if let Err(refusal) = judged {
            assert_eq!(refusal.kind, ErrorKind::PolicyBlocked);
            assert!(refusal.message.contains("ghe.example.com"), "{refusal:?}");
        }
    }
    // The result of a call that did an act with a row of its own is judged by that row, too.
    for (rows, allowed) in [
        (&[("approve", "confirm")][..], true),
        (&[("approve", "block")], false),
        (&[][..], false),
    ] {
        let mut approving = call(1, Class::Write, ApprovedBy::Person);
        approving.info.act = Some("approve");
        let kept = Kept::new(&approving, Place::Memory("".into()));
        let judged = kept.may_be_read(kept.answer(&policy(rows)));
        assert_eq!(judged.is_ok(), allowed, "{rows:?}");
    }
    // A call without a target: the message names no host.
    let mut nowhere = call(1, Class::Read, ApprovedBy::Rule);
    nowhere.info.target = None;
    let refused = Kept::new(&nowhere, Place::Memory("".into())).may_be_read(Answer::Block);
    let refusal = refused.expect_err("the policy blocks it");
    assert!(
        refusal.message.contains("refuses such calls now"),
        "{refusal}"
    );
    // A person's yes from before a stop no longer counts.
    let mut old = call(1, Class::Read, ApprovedBy::Person);
    old.stops = stop::stops().wrapping_sub(1);
    let kept = Kept::new(&old, Place::Memory("".into()));
    assert!(kept.may_be_read(Answer::Confirm).is_err());
    assert!(kept.may_be_read(Answer::Auto).is_ok());
}
