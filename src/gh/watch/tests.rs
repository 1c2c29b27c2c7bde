//! Whole watches with a clock that only the tests move.

use super::runs::{Answer, Ask, Failure, Job, Run, State};
use super::show::summary;
use super::state::{Step, Verdict, Watch, Watched};
use crate::gate::ErrorKind;

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const MOST: u64 = 30 * MINUTE;

/// A job: its name, the seconds at which it begins and ends, how it ends.
type Plan = (&'static str, u64, u64, &'static str);

/// A run whose jobs are `jobs` at the second `at`; it is over once they are.
fn run(id: u64, workflow: &str, at: u64, jobs: &[Plan]) -> Run {
    let jobs: Vec<Job> = jobs.iter().map(|job| self::job(id, job, at)).collect();
    let over = jobs.iter().all(|job| job.state.status == "completed");
    let begun = jobs.iter().any(|job| job.state.status != "queued");
    let ends = |word: &str| {
        jobs.iter()
            .any(|job| job.state.conclusion.as_deref() == Some(word))
    };
    let all_skipped = jobs
        .iter()
        .all(|job| job.state.conclusion.as_deref() == Some("skipped"));
    let conclusion = if ends("failure") {
        "failure"
    } else if ends("cancelled") {
        "cancelled"
    } else if all_skipped {
        "skipped"
    } else {
        "success"
    };
    let state = match (over, begun) {
        (true, _) => State::new("completed", Some(conclusion)),
        (false, true) => State::new("in_progress", None),
        (false, false) => State::new("queued", None),
    };
    Run {
        id,
        workflow: workflow.to_owned(),
        number: id,
        event: "push".to_owned(),
        attempt: 1,
        state,
        total: Some(jobs.len() as u64),
        jobs,
    }
}

fn job(run: u64, (name, begin, end, conclusion): &Plan, at: u64) -> Job {
    let state = match at {
        at if at >= *end => State::new("completed", Some(conclusion)),
        at if at >= *begin => State::new("in_progress", None),
        _ => State::new("queued", None),
    };
    Job {
        id: Some(run * 100),
        name: (*name).to_owned(),
        state,
        started: (at >= *begin).then_some(i64::try_from(*begin).unwrap_or(0)),
        completed: (at >= *end).then_some(i64::try_from(*end).unwrap_or(0)),
        failed_step: None,
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the worlds of the tests answer with it, and some of their answers are failures"
)]
fn commit(runs: Vec<Run>) -> Result<Answer, Failure> {
    Ok(Answer::Commit {
        sha: "abc".to_owned(),
        runs,
    })
}

/// How a watch went.
struct Went {
    verdict: Verdict,
    /// The seconds at which a request was made.
    asked: Vec<u64>,
    /// What was asked for.
    asks: Vec<Ask>,
    /// The second at which it was over.
    end: u64,
    text: String,
}

/// Runs a watch of at most `most` milliseconds in the world `answers`, which gives the answer at a second; each request takes a second.
/// `sleep` is a time in which the machine sleeps: from one second to another.
fn go(
    watched: Watched,
    most: u64,
    sleep: Option<(u64, u64)>,
    mut answers: impl FnMut(u64, &Ask) -> Result<Answer, Failure>,
) -> Went {
    // A clock does not begin at 0.
    let zero = 7_000_000;
    let mut now = zero;
    let mut watch = Watch::new(watched, now, most);
    let (mut asked, mut asks) = (Vec::new(), Vec::new());
    let mut step = watch.next(now);
    loop {
        step = match step {
            Step::Wait(ms) => {
                now += ms;
                if let Some((from, to)) = sleep {
                    let at = (now - zero) / SECOND;
                    if (from..to).contains(&at) {
                        now = zero + to * SECOND;
                    }
                }
                watch.next(now)
            }
            Step::Poll(ask) => {
                asked.push((now - zero) / SECOND);
                now += SECOND;
                let answer = answers((now - zero) / SECOND, &ask);
                asks.push(ask);
                assert!(asked.len() < 1_000, "the watch does not end");
                watch.answer(now, answer)
            }
            Step::Over(verdict) => {
                assert_eq!(watch.asked(), asked.len() as u64);
                return Went {
                    verdict,
                    asked,
                    asks,
                    end: (now - zero) / SECOND,
                    text: summary(&watch, "abc", now),
                };
            }
        };
    }
}

fn all() -> Watched {
    Watched::Commit {
        sha: None,
        rest: false,
    }
}

#[test]
fn twenty_minutes_of_three_workflows_cost_at_most_25_requests() {
    let went = go(all(), MOST, None, |at, _| {
        commit(vec![
            run(
                1,
                "CI",
                at,
                &[
                    ("build", 20, 600, "success"),
                    ("test", 610, 1_190, "success"),
                ],
            ),
            run(2, "Docs", at, &[("docs", 5, 300, "success")]),
            run(3, "Lint", at, &[("lint", 10, 60, "success")]),
        ])
    });
    assert_eq!(went.verdict, Verdict::Success);
    assert!(went.asked.len() <= 25, "{:?}", went.asked);
    assert_eq!(went.asked[..4], [0, 6, 17, 38]);
    assert!((1_190..1_290).contains(&went.end), "{}", went.end);
    assert!(went.asked.windows(2).all(|pair| pair[1] - pair[0] <= 62));
    assert_eq!(
        went.text,
        "success · abc · 3 runs: 3 success · took 19m 45s"
    );
}

#[test]
fn a_run_that_appears_late_is_waited_for() {
    let went = go(all(), MOST, None, |at, _| {
        let mut runs = vec![run(1, "CI", at, &[("build", 0, 30, "success")])];
        // After the first answer in which all is well.
        if at > 45 {
            runs.push(run(2, "Late", at, &[("late", 50, 200, "success")]));
        }
        commit(runs)
    });
    assert_eq!(went.verdict, Verdict::Success);
    assert!(went.end > 200, "{}", went.end);
    assert!(went.text.contains("2 runs: 2 success"), "{}", went.text);
    // Nothing late: one more poll, some seconds later.
    let went = go(all(), MOST, None, |at, _| {
        commit(vec![run(1, "CI", at, &[("build", 0, 0, "success")])])
    });
    assert_eq!((went.verdict, went.asked), (Verdict::Success, vec![0, 16]));
}

#[test]
fn an_hour_in_the_queue_costs_at_most_one_request_in_two_minutes() {
    let jobs: &[Plan] = &[("build", 3_600, 3_700, "success")];
    let went = go(all(), 2 * 60 * MINUTE, None, |at, _| {
        commit(vec![run(1, "CI", at, jobs)])
    });
    assert_eq!(went.verdict, Verdict::Success);
    let queued = went.asked.iter().filter(|at| **at < 3_600).count();
    assert!(queued <= 36, "{queued}");
    assert!((3_700..3_800).contains(&went.end), "{}", went.end);
    // What runs is polled more often than what waits.
    let gaps: Vec<u64> = went
        .asked
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    assert_eq!(*gaps.iter().max().expect("gaps"), 121);
    assert!(gaps[gaps.len() - 1] <= 61, "{gaps:?}");
}

#[test]
fn a_flaky_connection_ends_no_watch_and_costs_no_more() {
    let mut count = 0;
    let went = go(all(), MOST, None, |at, _| {
        count += 1;
        if count % 2 == 0 {
            let kinds = [ErrorKind::Network, ErrorKind::Timeout, ErrorKind::Failed];
            return Err(Failure::Passing(kinds[count % 3]));
        }
        commit(vec![run(1, "CI", at, &[("build", 0, 1_190, "success")])])
    });
    assert_eq!(went.verdict, Verdict::Success);
    let in_time = went.asked.iter().filter(|at| **at <= 1_200).count();
    assert!(in_time <= 25, "{:?}", went.asked);
    // A lost connection is tried again with longer and longer waits, up to the end of the watch.
    let went = go(all(), MOST, None, |_, _| {
        Err(Failure::Passing(ErrorKind::Network))
    });
    assert_eq!((went.verdict, went.end), (Verdict::TimedOut, 1_801));
    assert!(went.asked.len() <= 35, "{:?}", went.asked);
    assert!(
        went.text.ends_with(
            "\nGitHub has not answered for 30m 01s (network); the states are from before"
        ),
        "{}",
        went.text
    );
}

#[test]
fn a_rate_limit_is_waited_for_and_what_lasts_ends_the_watch_at_once() {
    let went = go(all(), MOST, None, |at, _| {
        if (100..700).contains(&at) {
            return Err(Failure::RateLimit(Some((700 - at) * SECOND)));
        }
        commit(vec![run(1, "CI", at, &[("build", 0, 650, "success")])])
    });
    assert_eq!(went.verdict, Verdict::Success);
    let meanwhile = went.asked.iter().filter(|at| (100..700).contains(*at));
    assert_eq!(meanwhile.count(), 1);
    let went = go(all(), MOST, None, |_, _| Err(Failure::RateLimit(None)));
    assert_eq!(went.asked[..4], [0, 61, 182, 423]);
    for kind in [ErrorKind::NotFound, ErrorKind::Auth] {
        let went = go(all(), MOST, None, |_, _| Err(Failure::Lasting(kind)));
        assert_eq!((went.verdict, went.end), (Verdict::Broken(kind), 1));
    }
}

#[test]
fn a_failure_has_one_poll_of_grace_and_ends_the_watch_while_others_run() {
    let went = go(all(), MOST, None, |at, _| {
        commit(vec![
            run(
                1,
                "CI",
                at,
                &[("lint", 0, 30, "failure"), ("test", 0, 900, "success")],
            ),
            run(2, "Docs", at, &[("docs", 0, 42, "failure")]),
            run(3, "Slow", at, &[("slow", 0, 1_000, "success")]),
        ])
    });
    assert_eq!(went.verdict, Verdict::Failure);
    assert_eq!(went.asked, [0, 6, 17, 38, 47]);
    assert_eq!(
        went.text,
        "failure · abc · 3 runs: 1 failure, 2 in_progress\nstill going on: test (in_progress), slow (in_progress); failed: CI (run 1), Docs (run 2)"
    );
    // The poll of grace asks for the steps, so that the tree names the one that failed.
    let steps = |ask: &Ask| matches!(ask, Ask::Commit { steps: true, .. });
    assert_eq!(went.asks.iter().filter(|ask| steps(ask)).count(), 1);
    assert!(steps(&went.asks[4]));
    // A failure stays one where the poll of grace fails; where everything has ended, none is needed.
    let went = go(all(), MOST, None, |at, _| {
        if at > 39 {
            return Err(Failure::Passing(ErrorKind::Network));
        }
        let jobs: &[Plan] = &[("lint", 0, 30, "failure"), ("test", 0, 900, "success")];
        commit(vec![run(1, "CI", at, jobs)])
    });
    assert_eq!((went.verdict, went.asked.len()), (Verdict::Failure, 5));
    let went = go(all(), MOST, None, |at, _| {
        commit(vec![run(1, "CI", at, &[("lint", 0, 0, "failure")])])
    });
    assert_eq!((went.verdict, went.asked.len()), (Verdict::Failure, 1));
}

#[test]
fn cancelled_skipped_and_excused_runs_have_their_own_verdicts() {
    let verdict = |ends: &[&'static str]| {
        go(all(), MOST, None, |at, _| {
            let runs = ends.iter().enumerate().map(|(nth, end)| {
                let id = nth as u64 + 1;
                run(id, &format!("W{id}"), at, &[("job", 0, 20, end)])
            });
            commit(runs.collect())
        })
    };
    assert_eq!(verdict(&["success", "skipped"]).verdict, Verdict::Success);
    assert_eq!(verdict(&["skipped", "skipped"]).verdict, Verdict::Skipped);
    let went = verdict(&["success", "cancelled", "skipped"]);
    assert_eq!(went.verdict, Verdict::Cancelled);
    assert!(
        went.text
            .starts_with("cancelled · abc · 3 runs: 1 cancelled, 1 skipped, 1 success"),
        "{}",
        went.text
    );
    assert_eq!(verdict(&["cancelled", "failure"]).verdict, Verdict::Failure);
    // A job with continue-on-error fails, its run does not.
    let went = go(all(), MOST, None, |_, _| {
        let mut excused = run(1, "CI", 9, &[("flaky", 0, 5, "failure")]);
        excused.state = State::new("completed", Some("success"));
        commit(vec![excused])
    });
    assert_eq!(went.verdict, Verdict::Success);
    assert!(went.text.ends_with("(continue-on-error): flaky"));
}

#[test]
fn a_cancelled_run_that_a_newer_one_replaces_does_not_count() {
    let went = go(all(), MOST, None, |at, _| {
        commit(vec![
            run(1, "CI", at, &[("build", 0, 3, "cancelled")]),
            run(2, "CI", at, &[("build", 4, 60, "success")]),
        ])
    });
    assert_eq!(went.verdict, Verdict::Success);
}

#[test]
fn the_newest_attempt_of_a_run_counts() {
    // All runs: somebody starts the failed job again within the grace.
    let went = go(all(), MOST, None, |at, _| {
        let jobs: &[Plan] = if at < 40 {
            &[("lint", 0, 30, "failure"), ("test", 0, 900, "success")]
        } else {
            &[("lint", 41, 90, "success"), ("test", 0, 900, "success")]
        };
        commit(vec![run(1, "CI", at, jobs)])
    });
    assert_eq!(went.verdict, Verdict::Success);
    // One run, whose first attempt failed before the watch began.
    let went = go(Watched::Run, MOST, None, |at, ask| {
        let mut second = run(1, "CI", at, &[("lint", 20, 90, "success")]);
        second.attempt = 2;
        Ok(match ask {
            Ask::Run => Answer::Run(Run {
                jobs: Vec::new(),
                total: None,
                ..second
            }),
            _ => Answer::Jobs {
                attempt: 2,
                total: 1,
                jobs: second.jobs,
            },
        })
    });
    assert_eq!(went.verdict, Verdict::Success);
    assert_eq!(
        went.text,
        "success · abc · CI (run 1, attempt 2): success · took 1m 10s"
    );
}

#[test]
fn one_run_is_asked_for_once_at_first_and_once_at_the_end() {
    let jobs: &[Plan] = &[("build", 0, 300, "success"), ("test", 310, 900, "success")];
    let went = go(Watched::Run, MOST, None, |at, ask| {
        // The job that waits for the other one is not listed before that has ended.
        let listed = if at < 305 { &jobs[..1] } else { jobs };
        let whole = run(1, "CI", at, jobs);
        Ok(match ask {
            Ask::Run => Answer::Run(Run {
                jobs: Vec::new(),
                total: None,
                ..whole
            }),
            _ => Answer::Jobs {
                attempt: 1,
                total: listed.len() as u64,
                jobs: run(1, "CI", at, listed).jobs,
            },
        })
    });
    assert_eq!(went.verdict, Verdict::Success);
    assert_eq!(went.asks.first(), Some(&Ask::Run));
    assert_eq!(went.asks.last(), Some(&Ask::Run));
    let of_run = went.asks.iter().filter(|ask| **ask == Ask::Run).count();
    assert!(of_run <= 3, "{:?}", went.asks);
    assert!(went.asked.len() <= 25, "{:?}", went.asked);
    assert!((900..1_020).contains(&went.end), "{}", went.end);
}

#[test]
fn a_machine_that_slept_asks_again_before_it_gives_up() {
    // It sleeps from minute 5 to minute 65, beyond the end of the watch; the network comes back a minute later.
    let mut after = Vec::new();
    let went = go(all(), MOST, Some((300, 3_900)), |at, _| {
        if (3_900..3_960).contains(&at) {
            after.push(at);
            return Err(Failure::Passing(ErrorKind::Network));
        }
        commit(vec![run(1, "CI", at, &[("build", 0, 1_200, "success")])])
    });
    assert_eq!(went.verdict, Verdict::Success);
    assert!(went.end < 4_080, "{}", went.end);
    assert!(!after.is_empty());
    // Where the runs still go on after that, the watch ends with what is known.
    let went = go(all(), MOST, Some((300, 3_900)), |at, _| {
        commit(vec![run(1, "CI", at, &[("build", 0, 9_000, "success")])])
    });
    assert_eq!(went.verdict, Verdict::TimedOut);
    assert!(went.end < 4_200, "{}", went.end);
}

#[test]
fn the_longest_time_ends_a_watch_with_the_newest_answer() {
    let went = go(all(), 10 * MINUTE, None, |at, _| {
        commit(vec![run(1, "CI", at, &[("build", 0, 9_000, "success")])])
    });
    assert_eq!((went.verdict, went.end), (Verdict::TimedOut, 601));
    assert_eq!(
        went.text,
        "not over after 10m 01s; call again to watch on · abc · CI (run 1): in_progress\nstill going on: build (in_progress)"
    );
}

#[test]
fn a_commit_without_runs_is_waited_for_90_seconds() {
    let went = go(all(), MOST, None, |_, _| commit(Vec::new()));
    assert_eq!((went.verdict, went.end), (Verdict::NoRuns, 91));
    assert!(went.asked.len() <= 6, "{:?}", went.asked);
    assert!(
        went.text
            .starts_with("no runs: abc has no workflow run 1m 31s after")
    );
}

#[test]
fn rest_takes_the_place_of_a_graphql_that_is_refused() {
    let went = go(all(), MOST, None, |at, ask| match ask {
        Ask::Commit { .. } => Err(Failure::Refused),
        Ask::Sha => Ok(Answer::Sha("abc".to_owned())),
        Ask::Runs(sha) => {
            assert_eq!(sha, "abc");
            let mut run = run(1, "CI", at, &[("build", 0, 100, "success")]);
            run.jobs.clear();
            commit(vec![run])
        }
        _ => panic!("{ask:?}"),
    });
    assert_eq!(went.verdict, Verdict::Success);
    assert_eq!(went.asked[..3], [0, 1, 2]);
}

#[test]
fn a_person_may_hurry_a_watch_every_five_seconds_and_end_it() {
    let mut watch = Watch::new(all(), 0, MOST);
    assert!(matches!(watch.next(0), Step::Poll(_)));
    let runs = vec![run(1, "CI", 0, &[("build", 0, 900, "success")])];
    assert_eq!(watch.answer(0, commit(runs)), Step::Wait(5_000));
    assert!(!watch.hurry(4_000));
    assert_eq!(watch.next(4_000), Step::Wait(1_000));
    assert!(matches!(watch.next(5_000), Step::Poll(_)));
    let _ = watch.answer(5_000, Err(Failure::Passing(ErrorKind::Network)));
    assert!(watch.hurry(10_000));
    assert!(matches!(watch.next(10_000), Step::Poll(_)));
    watch.stop();
    assert_eq!(watch.next(11_000), Step::Over(Verdict::Stopped));
    // The answer to a request that was under way changes nothing any more.
    let late = watch.answer(12_000, commit(Vec::new()));
    assert_eq!(late, Step::Over(Verdict::Stopped));
}
