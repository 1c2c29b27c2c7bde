//! Many runs at once: their order, limits, cancellation and panics, and that they leave no threads or descriptors behind.

use super::child::STUBBORN;
use super::*;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Barrier, Mutex};

/// Starts `command`; returns its handle and the channel of its answers.
fn started(command: Command) -> (Handle, Receiver<Captured>) {
    let (answer, answers) = mpsc::channel();
    let handle = start(command, Box::new(move |got| answer.send(got).unwrap()));
    (handle, answers)
}

/// Returns the one answer; fails the test on a second one.
fn only(answers: &Receiver<Captured>) -> Captured {
    let got = answers.recv_timeout(PATIENCE * 3).expect("no answer");
    // The closure is dropped with its sender after the first call.
    assert!(answers.recv_timeout(PATIENCE).is_err(), "a second answer");
    got
}

/// Keeps `count` workers busy until the returned sender is dropped.
fn busy(count: usize) -> mpsc::Sender<()> {
    let (hold, end) = mpsc::channel::<()>();
    let end = Arc::new(Mutex::new(end));
    let ready = Arc::new(Barrier::new(count + 1));
    for _ in 0..count {
        let (end, ready) = (Arc::clone(&end), Arc::clone(&ready));
        start_task(Box::new(move |_| {
            ready.wait();
            // Returns in every worker once the sender is dropped.
            let _ = end.lock().unwrap().recv();
        }));
    }
    ready.wait();
    hold
}

fn done(handle: &Handle) -> bool {
    eventually(|| handle.state() == State::Done).0
}

#[test]
fn start_returns_at_once_and_answers_on_another_thread() {
    let caller = std::thread::current().id();
    let (tell, told) = mpsc::channel();
    let begun = Instant::now();
    let handle = start(
        sh("sleep 1", Limits::default()),
        Box::new(move |got| tell.send((std::thread::current().id(), got)).unwrap()),
    );
    assert!(begun.elapsed() < Duration::from_millis(900));
    let (thread, got) = told.recv_timeout(PATIENCE).unwrap();
    assert_ne!(thread, caller);
    assert_eq!(got.ended, Ended::Exited(0));
    assert!(done(&handle));
    assert!(handle.elapsed() >= got.duration);
}

#[test]
fn two_hundred_runs_answer_once_each_with_at_most_eight_live() {
    if !alone("pooling::two_hundred_runs_answer_once_each_with_at_most_eight_live") {
        return;
    }
    // The runs count themselves: another thread that asked for states could count an ending run and the next one at once.
    let (now, most) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let runs: Vec<_> = (0..200)
        .map(|n| {
            let command = sh(&format!("echo {n}; sleep 0.02"), Limits::default());
            let (now, most) = (Arc::clone(&now), Arc::clone(&most));
            let (answer, answers) = mpsc::channel();
            let handle = start_task(Box::new(move |cancel| {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                let got = run_here(&command, cancel);
                now.fetch_sub(1, Ordering::SeqCst);
                answer.send(got).unwrap();
            }));
            (handle, answers)
        })
        .collect();
    assert!(
        live() > 100,
        "runs beyond the eighth should be queued, not refused"
    );
    assert!(eventually(|| live() == 0).0);
    for (n, (handle, answers)) in runs.iter().enumerate() {
        let got = only(answers);
        assert_eq!(got.ended, Ended::Exited(0));
        assert_eq!(got.stdout.head(), format!("{n}\n").as_bytes());
        assert_eq!(handle.state(), State::Done);
    }
    let most = most.load(Ordering::SeqCst);
    assert!((2..=8).contains(&most), "{most} ran at once");
}

#[test]
fn a_question_of_the_gate_runs_while_eight_calls_hang() {
    if !alone("pooling::a_question_of_the_gate_runs_while_eight_calls_hang") {
        return;
    }
    let hold = busy(MAX_LIVE);
    let call = start_task(Box::new(|_| {}));
    let (tell, told) = mpsc::channel();
    let question = start_aside(Box::new(move |cancel| {
        tell.send(run_here(&sh("echo 2.92.0", Limits::default()), cancel))
            .unwrap();
    }));
    assert_eq!(only_first(&told).stdout.head(), b"2.92.0\n");
    assert!(done(&question));
    // A question of the gate lets no call past the queue.
    assert_eq!(call.state(), State::Queued);
    // At most `MAX_ASIDE` questions run at once; a question that waits can be cancelled.
    let end: Vec<_> = (0..pool::MAX_ASIDE)
        .map(|_| {
            let (stop, stopped) = mpsc::channel::<()>();
            start_aside(Box::new(move |_| {
                // Returns once `stop` is dropped.
                let _ = stopped.recv();
            }));
            stop
        })
        .collect();
    let late = start_aside(Box::new(|_| {}));
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(late.state(), State::Queued);
    late.cancel();
    assert!(done(&late));
    drop((end, hold));
    assert!(wait_idle(PATIENCE));
}

#[test]
fn the_queue_is_served_in_order() {
    if !alone("pooling::the_queue_is_served_in_order") {
        return;
    }
    let hold = busy(MAX_LIVE - 1);
    let order = Arc::new(Mutex::new(Vec::new()));
    let handles: Vec<_> = (0..20)
        .map(|n| {
            let order = Arc::clone(&order);
            start_task(Box::new(move |_| order.lock().unwrap().push(n)))
        })
        .collect();
    assert!(handles.iter().all(done));
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    assert!(handles.windows(2).all(|two| two[0].id() < two[1].id()));
    drop(hold);
}

#[test]
fn the_deadline_counts_from_the_start_of_the_run() {
    if !alone("pooling::the_deadline_counts_from_the_start_of_the_run") {
        return;
    }
    let hold = busy(MAX_LIVE);
    let limits = Limits {
        timeout: Duration::from_secs(1),
        ..Limits::default()
    };
    let (handle, answers) = started(sh("sleep 0.05", limits));
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(handle.state(), State::Queued);
    assert_eq!(handle.elapsed(), Duration::ZERO);
    drop(hold);
    assert_eq!(only(&answers).ended, Ended::Exited(0));
}

#[test]
fn a_queued_run_that_is_cancelled_is_answered_at_once_and_never_starts() {
    if !alone("pooling::a_queued_run_that_is_cancelled_is_answered_at_once_and_never_starts") {
        return;
    }
    let hold = busy(MAX_LIVE);
    let token = token();
    let path = std::env::temp_dir().join(format!("cj-gate-{token}"));
    let script = format!("echo > {}", path.display());
    let runs: Vec<_> = (0..20)
        .map(|_| started(sh(&script, Limits::default())))
        .collect();
    for (handle, _) in &runs {
        assert_eq!(handle.state(), State::Queued);
        handle.cancel();
        handle.cancel();
    }
    // All workers are still busy.
    for (handle, answers) in &runs {
        let got = only(answers);
        assert_eq!((got.ended, got.pid), (Ended::Cancelled, None));
        assert!(done(handle));
    }
    assert!(!path.exists(), "a cancelled run ran");
    drop(hold);
}

#[test]
fn a_running_run_that_is_cancelled_ends_with_its_tree() {
    let token = token();
    for script in [
        "echo begun; sleep 100; true",
        &format!("echo begun; {STUBBORN}"),
    ] {
        let (handle, answers) = started(marked(script, &token, Limits::default()));
        assert!(eventually(|| handle.bytes() > 0).0, "it should run");
        assert_eq!(handle.state(), State::Running);
        let begun = Instant::now();
        handle.cancel();
        let got = only_first(&answers);
        assert_eq!(marked_processes(&token), 0);
        assert_eq!(got.ended, Ended::Cancelled);
        assert_eq!(got.stdout.head(), b"begun\n");
        assert!(begun.elapsed() < PATIENCE);
        handle.cancel();
    }
}

#[test]
fn the_latest_output_is_that_of_the_child_that_runs_now() {
    let (tell, told) = mpsc::channel();
    let (go, gone) = mpsc::channel::<()>();
    let handle = start_task(Box::new(move |cancel| {
        for script in [
            "echo first; echo no >&2; sleep 100",
            "printf 'second\nthird'; sleep 100",
        ] {
            let limits = Limits {
                timeout: Duration::from_secs(2),
                ..Limits::default()
            };
            tell.send(run_here(&sh(script, limits), cancel)).unwrap();
            gone.recv().unwrap();
        }
    }));
    let shows = |bytes: &[u8], whole| {
        let latest = || {
            handle
                .latest(11)
                .map(|l| (l.bytes.reveal().clone(), l.whole))
        };
        assert!(
            eventually(|| latest() == Some((bytes.to_vec(), whole))).0,
            "{:?}",
            latest()
        );
        assert!(handle.latest(11).is_some_and(|l| l.elapsed < PATIENCE));
    };
    shows(b"first\n", true);
    only_first(&told);
    assert!(handle.latest(11).is_none(), "between two children");
    go.send(()).unwrap();
    shows(b"econd\nthird", false);
    assert!(handle.latest(100).is_some_and(|l| l.whole));
    only_first(&told);
    go.send(()).unwrap();
    assert!(done(&handle));
    assert!(handle.latest(11).is_none());
}

/// Returns the first answer; a second one is not waited for.
fn only_first(answers: &Receiver<Captured>) -> Captured {
    answers.recv_timeout(PATIENCE).expect("no answer")
}

#[test]
fn a_cancel_between_two_children_of_a_task_stops_the_second() {
    let (tell, told) = mpsc::channel();
    let (go, gone) = mpsc::channel::<()>();
    let handle = start_task(Box::new(move |cancel| {
        let first = run_here(&sh("echo 1", Limits::default()), cancel);
        tell.send(first).unwrap();
        gone.recv().unwrap();
        tell.send(run_here(&sh("echo 2", Limits::default()), cancel))
            .unwrap();
    }));
    assert_eq!(only_first(&told).stdout.head(), b"1\n");
    handle.cancel();
    go.send(()).unwrap();
    let second = only_first(&told);
    assert_eq!((second.ended, second.pid), (Ended::Cancelled, None));
}

#[test]
fn cancel_all_ends_every_run_and_wait_idle_waits_for_them() {
    if !alone("pooling::cancel_all_ends_every_run_and_wait_idle_waits_for_them") {
        return;
    }
    let token = token();
    assert!(wait_idle(Duration::ZERO));
    let runs: Vec<_> = (0..30)
        .map(|_| started(marked(STUBBORN, &token, Limits::default())))
        .collect();
    assert!(eventually(|| marked_processes(&token) >= 16).0);
    assert!(!wait_idle(Duration::from_millis(50)));
    assert_eq!(live(), 30);
    cancel_all();
    assert!(wait_idle(PATIENCE));
    assert_eq!(marked_processes(&token), 0);
    for (_, answers) in &runs {
        assert_eq!(answers.try_recv().unwrap().ended, Ended::Cancelled);
        assert!(answers.try_recv().is_err(), "a second answer");
    }
    assert_eq!(live(), 0);
    // Later runs start as usual.
    let (_, answers) = started(sh("true", Limits::default()));
    assert_eq!(only_first(&answers).ended, Ended::Exited(0));
}

#[test]
fn a_panic_in_done_costs_no_worker_and_done_is_called_once() {
    if !alone("pooling::a_panic_in_done_costs_no_worker_and_done_is_called_once") {
        return;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let calls = Arc::new(AtomicU64::new(0));
    for _ in 0..MAX_LIVE * 3 {
        let calls = Arc::clone(&calls);
        start(
            sh("true", Limits::default()),
            Box::new(move |_| {
                calls.fetch_add(1, Ordering::SeqCst);
                panic!("on purpose");
            }),
        );
    }
    assert!(wait_idle(PATIENCE * 3));
    assert_eq!(calls.load(Ordering::SeqCst), MAX_LIVE as u64 * 3);
    let (_, answers) = started(sh("echo alive", Limits::default()));
    assert_eq!(only_first(&answers).stdout.head(), b"alive\n");
    drop(std::panic::take_hook());
}

#[test]
fn a_thousand_runs_leave_no_descriptors_threads_or_zombies() {
    if !alone("pooling::a_thousand_runs_leave_no_descriptors_threads_or_zombies") {
        return;
    }
    let hundred = || {
        let runs: Vec<_> = (0..100)
            .map(|n| {
                // Each way for a run to end: exit, spawn error, cap, cancel.
                let script = if n % 10 == 1 { "cat /dev/zero" } else { "true" };
                let program = if n % 10 == 2 { "/no/such" } else { "/bin/sh" };
                let args = ["-c".to_owned(), script.to_owned()];
                let env = [("PATH", "/usr/bin:/bin")];
                let limits = Limits::default();
                let run = started(Command::new(program, &args, &env, "/", limits).unwrap());
                if n % 10 == 3 {
                    run.0.cancel();
                }
                run
            })
            .collect();
        assert!(wait_idle(PATIENCE * 6));
        // The handles live on, as they do in Lisp until the garbage collector comes.
        runs
    };
    let kept = hundred();
    let before = open_descriptors();
    let kept: Vec<_> = (0..10).flat_map(|_| hundred()).chain(kept).collect();
    assert_eq!(open_descriptors(), before);
    assert_eq!(super::super::lifeline::known(), 0);
    assert!(threads() <= 2 + MAX_LIVE, "{} threads", threads());
    for (_, answers) in &kept {
        assert!(answers.try_recv().is_ok(), "no answer");
        assert!(answers.try_recv().is_err(), "a second answer");
    }
    // The lifeline's shell is the one child left, and the idle workers end.
    let me = i64::from(nix::unistd::getpid().as_raw());
    let children = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        stat_numbers(&stat).first() == Some(&me)
    });
    assert_eq!(children.count(), 1);
    let (settled, _) = eventually(|| threads() <= 2);
    assert!(settled, "{} threads are left", threads());
}

#[test]
fn without_descriptors_a_run_is_still_answered() {
    if !alone("pooling::without_descriptors_a_run_is_still_answered") {
        return;
    }
    // One run first, so that the worker thread and the lifeline exist.
    only_first(&started(sh("true", Limits::default())).1);
    for spare in 0..8 {
        let mut all = Vec::new();
        while let Ok(file) = fs::File::open("/dev/null") {
            all.push(file);
        }
        all.truncate(all.len() - spare);
        let (_, answers) = started(sh("true", Limits::default()));
        let got = only_first(&answers);
        drop(all);
        match got.ended {
            Ended::SpawnFailed(why) => assert!(why.contains("Too many open files"), "{why}"),
            ended => assert_eq!(ended, Ended::Exited(0)),
        }
    }
    let (_, answers) = started(sh("true", Limits::default()));
    assert_eq!(only_first(&answers).ended, Ended::Exited(0));
}

#[test]
fn without_a_thread_every_run_is_answered_and_signals_stay_as_before() {
    if !alone("pooling::without_a_thread_every_run_is_answered_and_signals_stay_as_before") {
        return;
    }
    // `run` starts the lifeline and no worker.
    run(&sh("true", Limits::default()));
    let status = || fs::read_to_string("/proc/thread-self/status").unwrap();
    let before = status();
    // 1 MiB more than now: enough for small allocations, too little for another thread's stack.
    let limit = |soft: &str| {
        let pid = std::process::id().to_string();
        let args = ["--pid", &pid, &format!("--as={soft}:unlimited")].map(str::to_owned);
        let env = [("PATH", "/usr/bin:/bin")];
        let tool = Command::new("/usr/bin/prlimit", &args, &env, "/", Limits::default()).unwrap();
        assert_eq!(run(&tool).ended, Ended::Exited(0));
    };
    let size = field(&before, "VmSize").trim_end_matches(" kB").to_owned();
    let size: usize = size.parse().unwrap();
    limit(&((size << 10) + (1 << 20)).to_string());
    let runs: Vec<_> = (0..20)
        .map(|_| started(sh("true", Limits::default())))
        .collect();
    runs[3].0.cancel();
    let ends: Vec<_> = runs
        .iter()
        .map(|(_, told)| only_first(told).ended)
        .collect();
    limit("unlimited");
    for ended in ends {
        match ended {
            Ended::SpawnFailed(why) => assert!(why.contains("no thread"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(runs.iter().all(|(handle, _)| done(handle)));
    assert_eq!(live(), 0);
    assert_eq!(field(&status(), "SigBlk"), field(&before, "SigBlk"));
    let (_, answers) = started(sh("echo again", Limits::default()));
    assert_eq!(only_first(&answers).stdout.head(), b"again\n");
}

#[test]
fn a_cancel_at_any_moment_of_a_start_ends_the_run() {
    let token = token();
    for n in 0..200_u64 {
        let (handle, answers) = started(marked("sleep 100; true", &token, Limits::default()));
        // The moments go from the queue through the spawn to the running program: 0 to 3,980 microseconds.
        let until = Instant::now() + Duration::from_micros(n * 20);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        handle.cancel();
        let got = only_first(&answers);
        assert_eq!(got.ended, Ended::Cancelled, "after {} us", n * 20);
    }
    assert_eq!(marked_processes(&token), 0);
}

#[test]
fn workers_block_signals_and_the_caller_keeps_its_own() {
    let status = || fs::read_to_string("/proc/thread-self/status").unwrap();
    let before = status();
    let (tell, told) = mpsc::channel();
    // `MAX_LIVE` tasks, so that at least one of them gets a new thread.
    for _ in 0..MAX_LIVE {
        let tell = tell.clone();
        start_task(Box::new(move |_| tell.send(status()).unwrap()));
    }
    assert_eq!(field(&status(), "SigBlk"), field(&before, "SigBlk"));
    for _ in 0..MAX_LIVE {
        let worker = told.recv_timeout(PATIENCE * 3).unwrap();
        let blocked = u64::from_str_radix(field(&worker, "SigBlk"), 16).unwrap();
        let bit = |signal: i32| 1u64 << (signal - 1);
        // Left open: signals that a fault in the thread raises (4, 7, 8, 11), KILL and STOP (9, 19), which cannot
        // be blocked, and 32 and 33, which are libc's.
        let open = [4, 7, 8, 11, 9, 19, 32, 33].map(bit).iter().sum::<u64>();
        assert_eq!(!blocked, open, "{blocked:x}");
    }
}
