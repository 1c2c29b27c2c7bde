//! Plans: which call may run, when and how often, and which record the call leaves.  Included by src/gate/plan/mod.rs.

use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::without_child::unplanned;
use crate::foreign::Foreign;
use crate::gate::decide::stop;
use crate::gate::record::{audit, leases};
use crate::gate::{
    Answer, ApprovedBy, Class, Cleaner, Draft, ErrorKind, Finish, Guard, Outcome, Plan, PlanError,
    PlanInfo as Info, Question, RECORDS_KEPT as RECORDS, Reads, Refusal, Source, Target,
    records_newest_first,
};
use crate::run::{self, Captured, Limits};

mod audited;
mod leased;
mod reads;

/// Renders the output of a program as it is, with secrets masked.
struct Verbatim;

impl Finish for Verbatim {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        _: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        Ok(clean.stream(&captured.stdout))
    }
}

fn draft(class: Class, answer: Answer, argv: &[&str]) -> Draft {
    Draft {
        program: "gh",
        class,
        act: None,
        command: argv.first().copied().unwrap_or_default().to_owned(),
        reason: "a test.".into(),
        argv: Foreign::new(argv.iter().map(|a| (*a).to_owned()).collect()),
        parts: Vec::new(),
        executable: "/bin/echo".into(),
        cwd: "/".into(),
        environment: vec![("PATH".into(), "/bin".into())],
        target: Some(Target {
            host: "github.com".into(),
            owner: Some("o".into()),
            repo: Some("r".into()),
            account: None,
            source: Source::ExplicitRepo,
        }),
        answer,
        complaints: Vec::new(),
        refusal: None,
        shown_environment: "NO_COLOR=1".into(),
        question: Question::default(),
        leases: true,
        edited: false,
        limits: Limits::default(),
        finish: Arc::new(Verbatim),
        guard: None,
        clean: Cleaner::holding(&["hold-this-value-4711".into()]),
    }
}

fn plan(class: Class, answer: Answer, argv: &[&str]) -> Plan {
    Plan::new(draft(class, answer, argv)).expect("a plain argv")
}

fn outcome(plan: &mut Plan) -> Outcome {
    let (send, receive) = mpsc::channel();
    plan.start(move |outcome| send.send(outcome).expect("the test waits"))
        .expect("the call may run");
    receive
        .recv_timeout(Duration::from_secs(20))
        .expect("the call ends")
}

const HOUR: Duration = Duration::from_secs(3_600);

#[test]
fn a_read_runs_by_rule_and_only_once() {
    let mut read = plan(Class::Read, Answer::Auto, &["view", "1"]);
    let done = outcome(&mut read);
    assert_eq!(done.text, "view 1\n");
    assert_eq!(done.header, "[gh github.com/o/r read ok 0.0KB]");
    assert_eq!(
        (done.exit_code, done.kind, done.truncated),
        (Some(0), None, false)
    );
    assert_eq!(read.start(|_| {}).err(), Some(PlanError::Used));
    assert_eq!(
        read.approve(&read.info().digest.clone(), HOUR),
        Err(PlanError::Used)
    );
}

#[test]
fn a_write_runs_after_its_own_digest_was_approved_and_not_before() {
    let mut write = plan(Class::Write, Answer::Confirm, &["merge", "1"]);
    assert!(matches!(write.start(|_| {}), Err(PlanError::Denied(_))));
    let other = plan(Class::Write, Answer::Confirm, &["merge", "2"])
        .info()
        .digest
        .clone();
    assert!(matches!(
        write.approve(&other, HOUR),
        Err(PlanError::Denied(_))
    ));
    assert!(
        matches!(write.start(|_| {}), Err(PlanError::Denied(_))),
        "a wrong digest approves nothing"
    );
    write
        .approve(&write.info().digest.clone(), HOUR)
        .expect("the digest is its own");
    assert_eq!(
        outcome(&mut write).header,
        "[gh github.com/o/r write confirmed 0.0KB]"
    );
    assert_eq!(
        write.start(|_| {}).err(),
        Some(PlanError::Used),
        "one yes is one run"
    );
}

#[test]
fn destructive_blocked_and_old_calls_cannot_be_approved() {
    for class in [Class::Destructive, Class::Blocked] {
        let mut refused = plan(class, Answer::Block, &["delete"]);
        assert!(
            matches!(
                refused.approve(&refused.info().digest.clone(), HOUR),
                Err(PlanError::Denied(_))
            ),
            "{class}"
        );
        assert!(
            matches!(refused.start(|_| {}), Err(PlanError::Denied(_))),
            "{class}"
        );
    }
    let mut old = plan(Class::Write, Answer::Confirm, &["merge"]);
    std::thread::sleep(Duration::from_millis(5));
    assert!(matches!(
        old.approve(&old.info().digest.clone(), Duration::from_millis(1)),
        Err(PlanError::Denied(_))
    ));
    assert!(matches!(old.start(|_| {}), Err(PlanError::Denied(_))));
}

#[test]
fn the_digest_changes_with_everything_that_decides_what_runs() {
    let base = || draft(Class::Write, Answer::Confirm, &["a", "bc"]);
    let digest = |draft| {
        Plan::new(draft)
            .expect("a plain argv")
            .info()
            .digest
            .clone()
    };
    let first = digest(base());
    assert_eq!(first, digest(base()), "the same call has the same digest");
    let changes: [fn(&mut Draft); 6] = [
        |d| d.argv = vec!["ab".into(), "c".into()].into(),
        |d| d.executable = "/bin/true".into(),
        |d| d.cwd = "/tmp".into(),
        |d| d.target.as_mut().expect("the target is set").host = "ghe.example.com".into(),
        |d| d.target.as_mut().expect("the target is set").account = Some("someone".into()),
        |d| d.environment.push(("GH_HOST".into(), "x".into())),
    ];
    for (nth, change) in changes.iter().enumerate() {
        let mut other = base();
        change(&mut other);
        assert_ne!(first, digest(other), "change {nth}");
    }
}

#[test]
fn an_argv_that_holds_a_secret_never_runs_and_is_never_shown() {
    let mut leak = plan(
        Class::Read,
        Answer::Auto,
        &["view", "body=hold-this-value-4711"],
    );
    assert_eq!(
        leak.refusal().map(|r| r.kind),
        Some(ErrorKind::PolicyBlocked)
    );
    assert!(matches!(leak.start(|_| {}), Err(PlanError::Denied(_))));
    let info = format!("{:?}", leak.info());
    assert!(!info.contains("hold-this-value"), "{info}");
    let refusal = leak.refusal().expect("refused");
    let closed = leak.close(&refusal);
    assert!(!format!("{closed:?}").contains("hold-this-value"));
    assert!(
        closed.header.contains("blocked policy-blocked"),
        "{}",
        closed.header
    );
}

#[test]
fn every_call_leaves_a_record_that_says_who_approved() {
    let mut ran = plan(Class::Read, Answer::Auto, &["view", "recorded"]);
    outcome(&mut ran);
    let mut declined = plan(Class::Write, Answer::Confirm, &["merge"]);
    declined.close(&Refusal::new(ErrorKind::Declined, "Declined by the user."));
    let records = records_newest_first(usize::MAX);
    let of = |call: u64| {
        records
            .iter()
            .find(|r| r.info.call == call)
            .expect("the call is recorded")
    };
    assert_eq!(of(ran.info().call).approved, Some(ApprovedBy::Rule));
    assert_eq!(of(declined.info().call).approved, None);
    assert_eq!(
        of(declined.info().call).outcome.header,
        "[gh github.com/o/r write declined 0.0KB]"
    );
}

#[test]
fn a_read_is_answered_from_earlier_reads_and_nothing_else_is() {
    let mut read = plan(Class::Read, Answer::Auto, &["view", "1"]);
    let answered = read.answered("two\nlines").expect("a read");
    assert_eq!(
        (answered.kind, answered.text.as_str()),
        (None, "two\nlines")
    );
    assert!(answered.header.contains(" read ok "), "{}", answered.header);
    let record = crate::gate::record_of_call(answered.call).expect("a record");
    assert_eq!(record.approved, Some(ApprovedBy::Rule));
    assert!(matches!(read.start(|_| {}), Err(PlanError::Used)));
    for (class, answer) in [
        (Class::Read, Answer::Confirm),
        (Class::Read, Answer::Block),
        (Class::Write, Answer::Confirm),
    ] {
        let mut other = plan(class, answer, &["view", "1"]);
        assert!(matches!(other.answered("x"), Err(PlanError::Denied(_))));
    }
}

#[test]
fn a_guard_that_refuses_ends_the_call_before_the_program_runs() {
    struct No;
    impl Guard for No {
        fn check(&self, _: &mut dyn FnMut(&run::Command) -> Captured) -> Result<(), Refusal> {
            Err(Refusal::new(
                ErrorKind::TooOld,
                "Too old.\nInstall a newer one.",
            ))
        }
    }
    let mut draft = draft(Class::Read, Answer::Auto, &["view"]);
    draft.guard = Some(Arc::new(No));
    let done = outcome(&mut Plan::new(draft).expect("a plain argv"));
    assert_eq!((done.kind, done.exit_code), (Some(ErrorKind::TooOld), None));
    assert!(done.text.starts_with("Error: Too old.\n"), "{}", done.text);
}

#[test]
fn a_call_of_exactly_the_cap_is_whole_and_one_byte_more_is_cut() {
    for (bytes, mark) in [(100_usize, ""), (101, "\n[cut at 100 bytes]")] {
        let mut draft = draft(Class::Read, Answer::Auto, &[]);
        draft.argv = vec!["x".repeat(bytes - 1)].into();
        draft.limits.cap = 100;
        let done = outcome(&mut Plan::new(draft).expect("a plain argv"));
        // The output of `echo` with its line end, up to the cap.
        let whole = format!("{}\n", "x".repeat(bytes - 1));
        assert_eq!(done.stdout, format!("{}{mark}", &whole[..100]));
        assert_eq!(done.truncated, !mark.is_empty(), "{bytes}");
    }
}

#[test]
fn a_panic_on_the_worker_is_answered_and_says_that_the_call_may_have_run() {
    struct Breaks;
    impl Finish for Breaks {
        fn finish(&self, _: &Captured, _: &Cleaner, _: &mut dyn Reads) -> Result<String, Refusal> {
            panic!("a bug in rendering")
        }
    }
    impl Guard for Breaks {
        fn check(&self, _: &mut dyn FnMut(&run::Command) -> Captured) -> Result<(), Refusal> {
            panic!("a bug in a guard")
        }
    }
    let mut finish = draft(Class::Read, Answer::Auto, &["view"]);
    finish.finish = Arc::new(Breaks);
    let done = outcome(&mut Plan::new(finish).expect("a plain argv"));
    assert_eq!(done.kind, Some(ErrorKind::Module));
    assert!(done.text.contains("may have run"), "{}", done.text);
    let mut guarded = draft(Class::Write, Answer::Confirm, &["merge"]);
    guarded.guard = Some(Arc::new(Breaks));
    let (send, receive) = mpsc::channel();
    Plan::new(guarded)
        .expect("a plain argv")
        .preflight(move |checked| send.send(checked).expect("the test waits"));
    let checked = receive
        .recv_timeout(Duration::from_secs(20))
        .expect("it is answered");
    assert_eq!(checked.map_err(|r| r.kind), Err(ErrorKind::Module));
}

#[test]
fn a_record_and_a_refusal_stay_small_whatever_the_call_holds() {
    let body = "long text, long text. ".repeat(5_000);
    let words: Vec<&str> = vec![&body; 9];
    let mut large = plan(Class::Unknown, Answer::Block, &words);
    let refusal = large.refusal().expect("blocked");
    let outcome = large.close(&refusal);
    assert!(outcome.text.len() < 10_000, "{}", outcome.text.len());
    let size = |call: u64| {
        let records = records_newest_first(usize::MAX);
        let record = records.iter().find(|r| r.info.call == call);
        format!("{:?}", record.expect("the call is recorded")).len()
    };
    assert!(size(outcome.call) < 50_000, "{}", size(outcome.call));
    let huge = vec!["x".repeat(3_000_000), "view".into()];
    let why = Refusal::new(ErrorKind::BadArgument, "Too long.\nShorten it.");
    let clean = Cleaner::holding(&["hold-this-value-4711".into()]);
    let refused = unplanned("gh", Class::Unknown, "", &huge, &why, &clean);
    assert_eq!(refused.argv, ["[3000000 bytes]", "view"].map(String::from));
    assert!(size(refused.call) < 50_000, "{}", size(refused.call));
}

#[test]
fn words_of_argv_in_command_and_reason_can_neither_forge_a_line_nor_show_a_secret() {
    let mut odd = draft(Class::Unknown, Answer::Confirm, &["x"]);
    odd.command = "x\n  Host     github.com \u{202e}".into();
    odd.reason = "`gh hold-this-value-4711\n  Class    read' is unknown.".into();
    let plan = Plan::new(odd).expect("a plain argv");
    let Info {
        command, reason, ..
    } = plan.info();
    for text in [command, reason] {
        assert!(!text.contains(['\n', '\u{202e}']), "{text}");
        assert!(!text.contains("hold-this-value"), "{text}");
    }
}

/// A call that sleeps for 100 seconds: the tests end it.
fn endless(answer: Answer) -> Plan {
    let mut sleep = draft(Class::Read, answer, &["100"]);
    sleep.executable = "/bin/sleep".into();
    Plan::new(sleep).expect("a plain argv")
}

#[test]
fn a_stopped_gate_lets_no_call_run_and_none_be_approved() {
    if !crate::run::tests::alone_in_crate(
        "gate::plan::tests::a_stopped_gate_lets_no_call_run_and_none_be_approved",
    ) {
        return;
    }
    let (send, receive) = mpsc::channel();
    for _ in 0..run::MAX_LIVE + 3 {
        let send = send.clone();
        endless(Answer::Auto)
            .start(move |outcome| send.send(outcome).expect("the test waits"))
            .expect("the call may run");
    }
    let mut approved = plan(Class::Write, Answer::Confirm, &["merge", "1"]);
    let digest = approved.info().digest.clone();
    approved.approve(&digest, HOUR).expect("before the stop");
    let mut leased = plan(Class::Write, Answer::Confirm, &["comment", "1"]);
    let shown = leased.info().digest.clone();
    leased.lease(&shown, HOUR, 10).expect("before the stop");
    let mut like_it = plan(Class::Write, Answer::Confirm, &["comment", "2"]);
    assert!(like_it.leased());
    assert_eq!(stop::stop(), run::MAX_LIVE + 3);
    for _ in 0..run::MAX_LIVE + 3 {
        let ended = receive
            .recv_timeout(Duration::from_secs(20))
            .expect("the call ends");
        assert_eq!(ended.kind, Some(ErrorKind::Cancelled));
        assert!(ended.text.contains("A person stopped"), "{}", ended.text);
        let records = records_newest_first(usize::MAX);
        assert_eq!(
            records.iter().filter(|r| r.info.call == ended.call).count(),
            1
        );
    }
    assert!(run::wait_idle(Duration::from_secs(20)));

    let says = |error: PlanError| match error {
        PlanError::Denied(why) => assert!(why.contains("M-x cj/gate-resume"), "{why}"),
        PlanError::Used => panic!("it was not run"),
    };
    let mut read = plan(Class::Read, Answer::Auto, &["view", "1"]);
    let mut write = plan(Class::Write, Answer::Confirm, &["merge", "2"]);
    says(read.start(|_| {}).expect_err("stopped"));
    says(approved.start(|_| {}).expect_err("stopped"));
    let other = write.info().digest.clone();
    says(write.approve(&other, HOUR).expect_err("stopped"));
    assert_eq!(
        stop::check().map_err(|r| r.kind),
        Err(ErrorKind::PolicyBlocked)
    );
    assert_eq!(run::live(), 0);
    assert!(!like_it.leased() && leases::list().is_empty());
    says(like_it.start(|_| {}).expect_err("stopped"));

    stop::resume();
    assert!(matches!(like_it.start(|_| {}), Err(PlanError::Denied(_))));
    assert_eq!(outcome(&mut read).kind, None);
    // A yes from before the stop no longer counts: the call needs another.
    assert!(matches!(approved.start(|_| {}), Err(PlanError::Denied(_))));
    approved.approve(&digest, HOUR).expect("after the resume");
    assert_eq!(outcome(&mut approved).kind, None);
    // A cancel after the resume is reported as a cancel, not as a stop.
    let (send, receive) = mpsc::channel();
    let handle = endless(Answer::Auto)
        .start(move |outcome| send.send(outcome).expect("the test waits"))
        .expect("the call may run");
    handle.cancel();
    let ended = receive
        .recv_timeout(Duration::from_secs(20))
        .expect("the call ends");
    assert!(ended.text.contains("was cancelled"), "{}", ended.text);
}

#[test]
fn the_model_is_told_that_a_person_changed_the_call() {
    let mut changed = draft(Class::Read, Answer::Auto, &["view", "it's 2"]);
    changed.edited = true;
    let done = outcome(&mut Plan::new(changed).expect("a plain argv"));
    assert_eq!(
        done.text,
        "A person changed the call to: gh view 'it'\\''s 2'\nview it's 2\n"
    );
    assert_eq!(done.header, "[gh github.com/o/r read ok 0.1KB]");
}
