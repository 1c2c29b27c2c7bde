//! One child at a time: how the child starts, which part of its output is kept, and how the child ends.

use super::*;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::signal::{SigSet, Signal};
use std::os::fd::IntoRawFd;
use std::os::unix::fs::PermissionsExt;

fn within(timeout: Duration) -> Limits {
    Limits {
        timeout,
        ..Limits::default()
    }
}

fn short() -> Limits {
    within(Duration::from_millis(400))
}

/// A tree of processes that ignores SIGTERM and holds the pipe open: a shell, its child, and the child's child.
pub(super) const STUBBORN: &str =
    "trap '' TERM; sh -c \"trap '' TERM; (sleep 100; echo late) & sleep 100; true\"; true";

#[test]
fn exactly_the_cap_is_kept_whole() {
    let got = run(&sh("head -c 65536 /dev/zero", Limits::default()));
    assert_eq!(got.ended, Ended::Exited(0));
    assert!(!got.stdout.truncated);
    assert_eq!(got.stdout.head().len(), 65_536);
    assert_eq!(got.stdout.dropped(), 0);
}

#[test]
fn one_byte_over_the_cap_is_cut_and_counted() {
    let got = run(&sh("head -c 65537 /dev/zero", Limits::default()));
    assert!(got.stdout.truncated);
    assert_eq!(got.stdout.shown_head, 65_536);
    assert_eq!(got.stdout.dropped(), 1);
    let (front, back) = got.stdout.shown(<[u8]>::to_vec);
    assert_eq!((front.len(), back.len()), (65_536, 0));
}

#[test]
fn a_writer_that_stops_just_over_the_cap_is_ended() {
    let begun = Instant::now();
    let limits = within(Duration::from_secs(100));
    let got = run(&sh("head -c 65537 /dev/zero; sleep 100", limits));
    assert_eq!(got.ended, Ended::Capped);
    assert!(begun.elapsed() < PATIENCE);
}

#[test]
fn an_endless_writer_is_ended_at_the_cap() {
    let token = token();
    let limits = within(Duration::from_secs(100));
    let script = "cat /dev/zero & cat /dev/zero";
    let begun = Instant::now();
    let got = run(&marked(script, &token, limits));
    assert_eq!(got.ended, Ended::Capped);
    assert!(got.stdout.truncated);
    assert_eq!(got.stdout.head().len(), 65_536 + SLACK);
    assert_eq!(marked_processes(&token), 0);
    assert!(begun.elapsed() < PATIENCE);
}

#[test]
fn an_endless_writer_that_ignores_sigterm_is_killed() {
    let token = token();
    let script =
        "trap '' TERM PIPE; while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done";
    let limits = within(Duration::from_secs(100));
    let got = run(&marked(script, &token, limits));
    assert_eq!(got.ended, Ended::Capped);
    assert_eq!(marked_processes(&token), 0);
}

#[test]
fn limits_of_the_highest_numbers_let_a_program_run() {
    let limits = Limits {
        timeout: Duration::MAX,
        grace: Duration::MAX,
        cap: usize::MAX,
        keep: Keep::HeadTail,
        read_limit: u64::MAX,
        stderr_cap: usize::MAX,
        memory: u64::MAX,
        file: Some(u64::MAX),
    };
    let got = run(&sh("echo out; echo err >&2", limits));
    assert_eq!(got.ended, Ended::Exited(0));
    assert_eq!((got.stdout.read, got.stderr.read), (4, 4));
}

#[test]
fn a_hanging_program_ends_at_its_deadline() {
    let got = run(&sh("echo so far; sleep 100", short()));
    assert_eq!(got.ended, Ended::Deadline);
    assert_eq!(got.stdout.head(), b"so far\n");
    assert!(got.duration >= Duration::from_millis(400));
    assert!(got.duration < PATIENCE);
}

#[test]
fn a_tree_that_ignores_sigterm_is_killed_after_the_grace() {
    let token = token();
    let got = run(&marked(STUBBORN, &token, short()));
    assert_eq!(got.ended, Ended::Deadline);
    assert_eq!(marked_processes(&token), 0);
    assert!(
        got.duration >= Duration::from_millis(500),
        "killed before the grace was over"
    );
    assert!(got.duration < PATIENCE);
}

/// A shell with job control gives each job a group of its own, in the same session.
pub(super) const JOBS: &str =
    "set -m; sleep 100 & (trap '' TERM; sleep 100; sleep 100) & echo up; wait";

#[test]
fn a_job_with_a_group_of_its_own_ends_with_the_run() {
    let token = token();
    let got = run(&marked(JOBS, &token, short()));
    assert_eq!(
        (&got.ended, *got.stdout.head().reveal()),
        (&Ended::Deadline, &b"up\n"[..])
    );
    assert_eq!(marked_processes(&token), 0);
    // A job that holds the output ends too when the program itself has ended.
    let token = super::token();
    let got = run(&marked(
        "set -m; sleep 100 & echo up",
        &token,
        within(PATIENCE),
    ));
    assert_eq!(got.ended, Ended::Exited(0));
    assert_eq!(marked_processes(&token), 0);
}

#[test]
fn a_stat_line_is_read_from_behind_the_whole_name() {
    for (line, expected) in [
        ("7 (sh) S 1 7 7 0 -1", Some((7, 7, true))),
        ("7 (a) Z 9 9) S 1 4 5 0", Some((4, 5, true))),
        ("7 (x y) Z 1 4 5 0", Some((4, 5, false))),
        ("7 (sh) S 1 4", None),
        ("", None),
    ] {
        let read =
            crate::run::processes::stat_of(line).map(|stat| (stat.group, stat.session, stat.runs));
        assert_eq!(read, expected, "{line}");
    }
}

#[test]
fn a_program_can_clean_up_on_sigterm() {
    let script = "trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.01; done";
    let limits = Limits {
        grace: Duration::from_secs(5),
        ..short()
    };
    let got = run(&sh(script, limits));
    assert_eq!(got.ended, Ended::Deadline);
    assert_eq!(got.stdout.head(), b"cleaned\n");
}

#[test]
fn a_child_left_in_the_background_ends_with_the_run() {
    let token = token();
    let limits = within(Duration::from_secs(100));
    let got = run(&marked("(sleep 100; echo late) & echo now", &token, limits));
    assert_eq!(got.ended, Ended::Exited(0));
    assert_eq!(got.stdout.head(), b"now\n");
    assert!(got.duration < PATIENCE);
    assert_eq!(marked_processes(&token), 0);
}

#[test]
fn output_written_just_before_the_exit_is_kept() {
    for _ in 0..20 {
        let got = run(&sh("head -c 60000 /dev/zero; exit 7", Limits::default()));
        assert_eq!(got.ended, Ended::Exited(7));
        assert_eq!(got.stdout.head().len(), 60_000);
    }
}

#[test]
fn a_child_that_closes_its_outputs_is_waited_for() {
    let got = run(&sh("exec >&- 2>&-; sleep 0.2; exit 5", Limits::default()));
    assert_eq!(got.ended, Ended::Exited(5));
    let token = token();
    let got = run(&marked("exec >&- 2>&-; sleep 100; true", &token, short()));
    assert_eq!(got.ended, Ended::Deadline);
    assert_eq!(marked_processes(&token), 0);
}

#[test]
fn a_full_standard_error_lets_the_program_go_on() {
    let script = "head -c 1000000 /dev/zero >&2; echo done";
    let got = run(&sh(script, Limits::default()));
    assert_eq!(got.ended, Ended::Exited(0));
    assert_eq!(got.stdout.head(), b"done\n");
    assert_eq!(got.stderr.read, 1_000_000);
    assert_eq!(got.stderr.dropped(), 1_000_000 - 16_384);
    assert!(got.stderr.truncated);
}

#[test]
fn raw_bytes_and_nuls_are_kept() {
    let got = run(&sh(r"printf 'a\000\377\n\r\033['", Limits::default()));
    assert_eq!(got.stdout.head(), b"a\0\xff\n\r\x1b[");
}

#[test]
fn the_gap_between_head_and_tail_is_counted_to_the_byte() {
    // 200,000 lines of 7 bytes; the cap keeps 1,000 of them.
    let limits = Limits {
        keep: Keep::HeadTail,
        cap: 7_000,
        ..Limits::default()
    };
    let got = run(&sh("seq 100000 299999", limits));
    assert_eq!(got.ended, Ended::Exited(0));
    assert_eq!(got.stdout.read, 1_400_000);
    assert_eq!(got.stdout.dropped(), 1_393_000);
    let (front, back) = got.stdout.shown(<[u8]>::to_vec);
    assert!(front.starts_with(b"100000\n") && front.ends_with(b"100499\n"));
    assert!(back.starts_with(b"299500\n") && back.ends_with(b"299999\n"));
}

#[test]
fn head_and_tail_stop_reading_soon_after_the_read_limit() {
    let limits = Limits {
        keep: Keep::HeadTail,
        read_limit: 1 << 20,
        timeout: Duration::from_secs(100),
        ..Limits::default()
    };
    let token = token();
    let got = run(&marked("cat /dev/zero", &token, limits));
    assert_eq!(got.ended, Ended::ReadLimit);
    assert!(got.stdout.read > 1 << 20 && got.stdout.read < 2 << 20);
    assert_eq!(marked_processes(&token), 0);
}

#[test]
fn a_death_by_signal_is_told_with_its_number() {
    let got = run(&sh("kill -SEGV $$", Limits::default()));
    assert_eq!(got.ended, Ended::Signalled(11));
    let got = run(&sh("kill -40 $$", Limits::default()));
    assert_eq!(got.ended, Ended::Signalled(40), "a real-time signal");
}

#[test]
fn the_environment_is_exactly_as_given() {
    let env = [("B", "2"), ("A", "x=y z"), ("EMPTY", ""), ("Ü", "ß")];
    let got = run(&Command::new("/usr/bin/env", &[], &env, "/", Limits::default()).unwrap());
    assert_eq!(got.stdout.head(), "B=2\nA=x=y z\nEMPTY=\nÜ=ß\n".as_bytes());
    let none: [(&str, &str); 0] = [];
    let got = run(&Command::new("/usr/bin/env", &[], &none, "/", Limits::default()).unwrap());
    assert_eq!(got.stdout.head(), b"");
}

#[test]
fn arguments_and_directory_are_exactly_as_given() {
    let odd = ["", " a b ", "$HOME *", "-n", "\n", "é"].map(str::to_owned);
    let script = "pwd; printf '<%s>' \"$@\"".to_owned();
    let args = [&["-c".to_owned(), script, "sh".to_owned()], &odd[..]].concat();
    let env = [("PATH", "/usr/bin:/bin")];
    let got = run(&Command::new("/bin/sh", &args, &env, "/proc/sys", Limits::default()).unwrap());
    let said = String::from_utf8(got.stdout.head().reveal().to_vec()).unwrap();
    assert_eq!(said, "/proc/sys\n<>< a b ><$HOME *><-n><\n><é>");
}

/// Sets up everything that a careless start would let a child inherit, then looks for each in the child.
#[test]
fn a_child_inherits_no_signals_descriptors_session_or_terminal() {
    let script = "cat /proc/$$/status /proc/$$/stat; n=0; while [ $n -lt 64 ]; do \
         if [ -e /proc/$$/fd/$n ]; then echo \"open $n\"; fi; n=$((n+1)); done; \
         readlink /proc/$$/fd/0; if (: </dev/tty) 2>/dev/null; then echo terminal; fi";
    let command = sh(script, Limits::default());
    // Rust's own start-up ignores SIGPIPE, so there is an ignored signal to inherit.
    let got = std::thread::spawn(move || {
        let open = fs::File::open("/dev/zero").unwrap();
        fcntl(&open, FcntlArg::F_SETFD(FdFlag::empty())).unwrap();
        let mut blocked = SigSet::empty();
        blocked.add(Signal::SIGTERM);
        blocked.thread_block().unwrap();
        let status = fs::read_to_string("/proc/thread-self/status").unwrap();
        assert_ne!(field(&status, "SigBlk"), "0000000000000000");
        assert_ne!(field(&status, "SigIgn"), "0000000000000000");
        // A shell may clear its own mask, so one program is asked directly.
        let status = ["/proc/self/status".to_owned()];
        let env = [("PATH", "/usr/bin:/bin")];
        let cat = Command::new("/bin/cat", &status, &env, "/", Limits::default()).unwrap();
        let got = run(&cat);
        let said = String::from_utf8(got.stdout.head().reveal().to_vec()).unwrap();
        assert_eq!(field(&said, "SigBlk"), "0000000000000000");
        run(&command)
    })
    .join()
    .unwrap();
    let said = String::from_utf8(got.stdout.head().reveal().to_vec()).unwrap();
    // glibc keeps signals 32 and 33 for itself and leaves them ignored.
    let ignored = u64::from_str_radix(field(&said, "SigIgn"), 16).unwrap();
    assert_eq!(ignored & !(3 << 31), 0, "{ignored:x}");
    let pid = i64::from(got.pid.unwrap());
    let stat = said
        .lines()
        .find(|line| line.starts_with(&format!("{pid} (")));
    // PPID, PGRP, SESSION, TTY
    let numbers = stat_numbers(stat.unwrap());
    assert_eq!(numbers[1..4], [pid, pid, 0]);
    let open: Vec<_> = said.lines().filter(|l| l.starts_with("open ")).collect();
    assert_eq!(open, ["open 0", "open 1", "open 2"]);
    assert!(said.ends_with("/dev/null\n"), "{said}");
}

#[test]
fn each_spawn_error_names_its_cause() {
    let env = [("PATH", "/usr/bin:/bin")];
    let check = |program: &str, cwd: &str, expected: &str| {
        let got = run(&Command::new(program, &[], &env, cwd, Limits::default()).unwrap());
        assert_eq!(got.ended, Ended::SpawnFailed(expected.to_owned()));
        assert_eq!(got.pid, None);
    };
    check("/no/such", "/", "there is no program /no/such");
    check("/etc/passwd", "/", "/etc/passwd cannot be executed");
    check("/usr", "/", "/usr cannot be executed");
    for cwd in ["/no/such", "/etc/passwd"] {
        let expected = format!("the working directory {cwd} cannot be entered");
        check("/bin/sh", cwd, &expected);
    }
    // This file is executable by its mode, but its content is no program.
    let path = std::env::temp_dir().join(format!("cj-gate-{}", token()));
    fs::write(&path, "\u{7f}no program").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let path = path.to_str().unwrap();
    let expected = "starting the program failed: Exec format error (os error 8)";
    check(path, "/", expected);
    fs::remove_file(path).unwrap();
}

#[test]
fn a_command_that_execve_would_refuse_or_cut_is_a_typed_error() {
    let env = [("A", "b")];
    let new = |program: &str, arg: &str, env: &[(&str, &str)], cwd: &str| {
        Command::new(program, &[arg.to_owned()], env, cwd, Limits::default()).map(|_| ())
    };
    let long = "x".repeat(131_072);
    assert_eq!(
        new("sh", "", &env, "/"),
        Err(SpawnError::RelativeProgram("sh".into()))
    );
    assert_eq!(
        new("/bin/sh", "", &env, "."),
        Err(SpawnError::RelativeCwd(".".into()))
    );
    assert_eq!(
        new("/bin/sh", "a\0b", &env, "/"),
        Err(SpawnError::Nul("an argument"))
    );
    assert_eq!(
        new("/bin/sh", "", &[("A", "b\0")], "/"),
        Err(SpawnError::Nul("an environment entry"))
    );
    for name in ["", "A=B"] {
        assert_eq!(
            new("/bin/sh", "", &[(name, "")], "/"),
            Err(SpawnError::EnvName)
        );
    }
    let too_long = |what| {
        Err(SpawnError::TooLong {
            what,
            bytes: 131_072,
        })
    };
    assert_eq!(new("/bin/sh", &long, &env, "/"), too_long("an argument"));
    assert_eq!(
        new("/bin/sh", "", &[("A", &long[2..])], "/"),
        too_long("an environment entry")
    );
    assert_eq!(new("/bin/sh", &long[1..], &env, "/"), Ok(()));
}

#[test]
fn the_longest_argument_arrives_whole_and_too_many_are_a_spawn_error() {
    let env = [("PATH", "/usr/bin:/bin")];
    let long = "x".repeat(131_071);
    let script = "echo ${#1}".to_owned();
    let args = ["-c".to_owned(), script, "sh".to_owned(), long.clone()];
    let got = run(&Command::new("/bin/sh", &args, &env, "/", Limits::default()).unwrap());
    assert_eq!(got.stdout.head(), b"131071\n");
    // Each argument is short enough; 100 of them together are too long for the kernel.
    let args = vec![long; 100];
    let got = run(&Command::new("/bin/sh", &args, &env, "/", Limits::default()).unwrap());
    let expected = "starting the program failed: Argument list too long (os error 7)";
    assert_eq!(got.ended, Ended::SpawnFailed(expected.to_owned()));
}

#[test]
fn debug_output_of_a_command_hides_its_arguments() {
    let command = sh("echo ghp_secret", Limits::default());
    assert!(!format!("{command:?}").contains("secret"));
}

#[test]
fn a_stream_holds_at_most_its_cap_and_slack() {
    if !alone("child::a_stream_holds_at_most_its_cap_and_slack") {
        return;
    }
    let scripts = [
        "cat /dev/zero",
        "head -c 200000 /dev/zero",
        "head -c 65536 /dev/zero",
        "yes",
        "head -c 3000000 /dev/zero >&2; cat /dev/zero",
        "for n in 1 2 3 4 5 6 7 8 9; do echo $n; done",
    ];
    for keep in [Keep::Head, Keep::HeadTail] {
        for script in scripts {
            let limits = Limits {
                keep,
                read_limit: 16 << 20,
                ..Limits::default()
            };
            let got = run(&sh(script, limits));
            assert!(got.stdout.held() <= 65_536 + SLACK, "{script}");
            assert!(got.stderr.held() <= 16_384 + SLACK, "{script}");
        }
    }
    let most = MOST_HELD.load(Ordering::SeqCst);
    println!("at most {most} bytes were held of a stream");
    assert!((65_536..=65_536 + SLACK).contains(&most), "{most}");
}

#[test]
fn a_megabyte_is_kept_as_its_head_or_as_head_and_tail() {
    // 150,000 lines of 7 bytes; the number on a line tells where the line stood.
    let whole = (100_000..250_000).fold(String::new(), |lines, n| lines + &n.to_string() + "\n");
    let whole = whole.as_bytes();
    let got = |keep| {
        let limits = Limits {
            keep,
            ..Limits::default()
        };
        run(&sh("seq 100000 249999", limits)).stdout
    };
    let head = got(Keep::Head);
    assert_eq!(head.shown(<[u8]>::to_vec).0, &whole[..65_536]);
    let both = got(Keep::HeadTail);
    let (front, back) = both.shown(<[u8]>::to_vec);
    assert_eq!(front, &whole[..32_768]);
    assert_eq!(back, &whole[whole.len() - 32_768..]);
    assert_eq!(both.dropped(), whole.len() as u64 - 65_536);
}

#[test]
fn a_stopped_program_ends_at_its_deadline() {
    // The shell stops itself; so does its child, which ignores SIGTERM as well.
    let token = token();
    let script = "sh -c 'trap \"\" TERM; kill -STOP $$; sleep 100' & kill -STOP $$; sleep 100";
    let got = run(&marked(script, &token, short()));
    assert_eq!(got.ended, Ended::Deadline);
    assert_eq!(marked_processes(&token), 0);
    assert!(got.duration < PATIENCE);
}

#[test]
fn a_run_ends_without_waiting_for_a_grandchild_in_its_own_session() {
    let token = token();
    for script in [
        "setsid sleep 5 & echo now",
        "setsid cat /dev/zero & sleep 100",
        "setsid sh -c 'sleep 5; echo late >&2' & echo now; exec >&-; sleep 0.1",
    ] {
        let begun = Instant::now();
        let got = run(&marked(script, &token, within(Duration::from_secs(60))));
        assert!(begun.elapsed() < Duration::from_secs(4), "{script}");
        assert!(matches!(got.ended, Ended::Exited(0) | Ended::Capped));
    }
}

#[test]
fn a_flood_of_gigabytes_grows_this_process_by_under_a_mebibyte() {
    if !alone("child::a_flood_of_gigabytes_grows_this_process_by_under_a_mebibyte") {
        return;
    }
    let peak = || {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let kib = field(&status, "VmHWM").trim_end_matches(" kB").to_owned();
        kib.parse::<u64>().unwrap()
    };
    let limits = |keep| Limits {
        keep,
        timeout: Duration::from_secs(100),
        read_limit: 4 << 30,
        ..Limits::default()
    };
    // A small run first: the lifeline, the thread and libc allocate their memory once, before the measurement.
    run(&sh("head -c 200000 /dev/zero", limits(Keep::HeadTail)));
    let before = peak();
    let got = run(&sh("head -c 1G /dev/zero", limits(Keep::HeadTail)));
    assert_eq!(got.stdout.read, 1 << 30);
    assert_eq!(got.stdout.dropped(), (1 << 30) - 65_536);
    let got = run(&sh("head -c 1G /dev/zero", limits(Keep::Head)));
    assert_eq!(got.ended, Ended::Capped);
    let grown = peak() - before;
    println!("grown by {grown} KiB");
    assert!(grown < 1024, "grown by {grown} KiB");
}

#[test]
fn the_runner_leaves_descriptors_0_to_2_free_when_they_are_closed() {
    if !alone("child::the_runner_leaves_descriptors_0_to_2_free_when_they_are_closed") {
        return;
    }
    // Standard output is saved and restored later, so that the test harness can still print.
    let saved = fcntl(std::io::stdout(), FcntlArg::F_DUPFD_CLOEXEC(20)).unwrap();
    for fd in 0..3 {
        nix::unistd::close(fd).unwrap();
    }
    // Starts the lifeline while 0, 1 and 2 are free: its pipe would take the lowest free numbers.
    crate::run::lifeline::announce(u64::MAX);
    crate::run::lifeline::failed(u64::MAX);
    let got = run(&sh("echo out; echo err >&2; cat", Limits::default()));
    // The lifeline's pipe is open now; on descriptor 1 or 2 the lifeline would read what Emacs prints.
    let ours = (0..3).any(|fd| exists(&format!("/proc/self/fd/{fd}")));
    let null = fs::File::open("/dev/null").unwrap();
    nix::unistd::dup2_stdin(&null).unwrap();
    let _ = null.into_raw_fd();
    let saved = fs::OpenOptions::new()
        .append(true)
        .open(format!("/proc/self/fd/{saved}"))
        .unwrap();
    nix::unistd::dup2_stdout(&saved).unwrap();
    nix::unistd::dup2_stderr(&saved).unwrap();
    // `saved` may itself have become descriptor 0 or 1; dropping it would close that descriptor.
    let _ = saved.into_raw_fd();
    assert_eq!(got.ended, Ended::Exited(0));
    assert_eq!(got.stdout.head(), b"out\n");
    assert_eq!(got.stderr.head(), b"err\n");
    assert!(!ours, "a descriptor of the runner stands on 0, 1 or 2");
}
