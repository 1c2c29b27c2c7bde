//! Plans whose result needs further Plans: which of them may run, and for how long.

use super::*;

/// Renders the output of the first program, then runs each Plan and adds the output of that Plan.
struct Needs(std::sync::Mutex<Vec<Plan>>);

impl Finish for Needs {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let mut text = clean.stream(&captured.stdout);
        for plan in std::mem::take(&mut *self.0.lock().expect("no panic holds it")) {
            text.push_str(&clean.stream(&reads.run(plan)?.stdout));
        }
        Ok(text)
    }
}

fn needing(plans: Vec<Plan>) -> Draft {
    let mut draft = draft(Class::Read, Answer::Auto, &["first"]);
    draft.finish = Arc::new(Needs(plans.into()));
    draft
}

#[test]
fn a_further_read_runs_is_part_of_the_result_and_has_a_record_of_its_own() {
    let second = plan(Class::Read, Answer::Auto, &["second"]);
    let id = second.info().call;
    let done = outcome(&mut Plan::new(needing(vec![second])).expect("a plain argv"));
    assert_eq!((done.kind, done.text.as_str()), (None, "first\nsecond\n"));
    let record = records_newest_first(RECORDS)
        .into_iter()
        .find(|record| record.info.call == id)
        .expect("the call is recorded");
    assert_eq!(record.approved, Some(ApprovedBy::Rule));
}

/// Runs all its Plans side by side; the result is the number of Plans that succeeded.
struct Together(std::sync::Mutex<Vec<Plan>>);

impl Finish for Together {
    fn finish(&self, _: &Captured, _: &Cleaner, reads: &mut dyn Reads) -> Result<String, Refusal> {
        let plans = std::mem::take(&mut *self.0.lock().expect("whole"));
        let answers = reads.run_all(plans);
        Ok(answers
            .iter()
            .filter(|answer| answer.is_ok())
            .count()
            .to_string())
    }
}

#[test]
fn a_call_made_of_several_shows_and_digests_them_and_runs_them_side_by_side() {
    let sleep = || {
        let mut draft = draft(Class::Read, Answer::Auto, &["1"]);
        draft.executable = "/bin/sleep".into();
        Plan::new(draft).expect("a plain argv")
    };
    let several = |parts: &[&str], plans: Vec<Plan>| {
        let mut draft = draft(Class::Read, Answer::Auto, &["nap"]);
        draft.parts = parts.iter().map(|part| (*part).to_owned()).collect();
        draft.finish = Arc::new(Together(plans.into()));
        Plan::new(draft).expect("a plain argv")
    };
    let other = several(&["sleep 1"], Vec::new());
    let mut plan = several(&["sleep 1", "sleep 1"], vec![sleep(), sleep()]);
    assert_eq!(plan.info().shown, ["nap", "sleep 1", "sleep 1"]);
    assert_ne!(plan.info().digest, other.info().digest);
    assert_eq!(plan.info().reproduce, "sleep 1; sleep 1");
    let done = outcome(&mut plan);
    assert_eq!((done.kind, done.text.as_str()), (None, "2"));
    assert!(
        (1000..1900).contains(&done.duration_ms),
        "{}",
        done.duration_ms
    );
}

#[test]
fn a_further_call_other_than_an_unasked_read_is_refused_and_recorded() {
    for (class, answer) in [
        (Class::Write, Answer::Confirm),
        (Class::Unknown, Answer::Confirm),
        (Class::Read, Answer::Confirm),
        (Class::Destructive, Answer::Block),
        // No policy lets a write run unasked; if one did, this check would still refuse the write.
        (Class::Write, Answer::Auto),
    ] {
        let second = plan(class, answer, &["second"]);
        let id = second.info().call;
        let done = outcome(&mut Plan::new(needing(vec![second])).expect("a plain argv"));
        assert_eq!(
            done.kind,
            Some(ErrorKind::PolicyBlocked),
            "{class} {answer:?}"
        );
        let record = records_newest_first(RECORDS)
            .into_iter()
            .find(|record| record.info.call == id)
            .expect("the call is recorded");
        assert_eq!(record.approved, None, "{class} {answer:?}");
        assert_eq!(record.outcome.stdout, "");
    }
}

#[test]
fn further_reads_end_with_the_time_of_the_call_and_are_counted() {
    let mut slow = draft(Class::Read, Answer::Auto, &["30"]);
    slow.executable = "/bin/sleep".into();
    let mut first = needing(vec![Plan::new(slow).expect("a plain argv")]);
    first.limits.timeout = Duration::from_secs(1);
    let begun = Instant::now();
    let done = outcome(&mut Plan::new(first).expect("a plain argv"));
    assert_eq!(done.kind, Some(ErrorKind::Timeout));
    assert!(begun.elapsed() < Duration::from_secs(15));
    let many = |count: usize| {
        let plans = (0..count).map(|_| plan(Class::Read, Answer::Auto, &["more"]));
        outcome(&mut Plan::new(needing(plans.collect())).expect("a plain argv")).kind
    };
    assert_eq!(many(crate::gate::MAX_READS), None);
    assert_eq!(
        many(crate::gate::MAX_READS + 1),
        Some(ErrorKind::BadArgument)
    );
}

/// The Plan of a write that consists of `parts`, and that runs `steps`.
fn stepping(parts: &[String], steps: Vec<Plan>) -> Plan {
    let mut draft = draft(Class::Write, Answer::Confirm, &["all"]);
    draft.parts = parts.to_vec();
    draft.finish = Arc::new(Needs(steps.into()));
    Plan::new(draft).expect("a plain argv")
}

fn approved(mut plan: Plan) -> Outcome {
    let digest = plan.info().digest.clone();
    plan.approve(&digest, Duration::from_secs(60))
        .expect("it waits for a person");
    outcome(&mut plan)
}

#[test]
fn a_step_that_was_shown_runs_once_under_the_yes_for_its_call() {
    let step = |words: &[&str]| plan(Class::Write, Answer::Confirm, words);
    let line = draft(Class::Write, Answer::Confirm, &["push", "a b"]).line();
    let once = step(&["push", "a b"]);
    let id = once.info().call;
    let done = approved(stepping(std::slice::from_ref(&line), vec![once]));
    assert_eq!((done.kind, done.text.as_str()), (None, "push a b\n"));
    let record = records_newest_first(RECORDS)
        .into_iter()
        .find(|record| record.info.call == id)
        .expect("the step is recorded");
    assert_eq!(record.approved, Some(ApprovedBy::Person));
    // Neither a second time, nor with other words, nor as another class.
    for steps in [
        vec![step(&["push", "a b"]), step(&["push", "a b"])],
        vec![step(&["push", "a", "b"])],
        vec![step(&["push", "a b", ""])],
        vec![plan(Class::Unknown, Answer::Confirm, &["push", "a b"])],
        vec![plan(Class::Destructive, Answer::Block, &["push", "a b"])],
    ] {
        let done = approved(stepping(std::slice::from_ref(&line), steps));
        assert_eq!(done.kind, Some(ErrorKind::PolicyBlocked));
    }
}

#[test]
fn a_step_of_a_call_that_a_rule_lets_run_is_refused() {
    let line = draft(Class::Write, Answer::Confirm, &["push"]).line();
    let mut all = draft(Class::Read, Answer::Auto, &["all"]);
    all.parts = vec![line];
    all.finish = Arc::new(Needs(
        vec![plan(Class::Write, Answer::Confirm, &["push"])].into(),
    ));
    let done = outcome(&mut Plan::new(all).expect("a plain argv"));
    assert_eq!(done.kind, Some(ErrorKind::PolicyBlocked));
}
