//! How much memory a child, and each process that the child starts, may take.

use super::*;
use crate::run::memory::{Checks, bound};

const MIB: u64 = 1 << 20;

fn with_memory(memory: u64) -> Limits {
    Limits {
        timeout: Duration::from_secs(60),
        memory,
        ..Limits::default()
    }
}

/// The soft and the hard limit of `Max data size` in `/proc/{pid}/limits`.
fn data_limit(pid: &str) -> (String, String) {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max data size"));
    let mut words = line.unwrap_or_default().split_whitespace().skip(3);
    let mut word = || words.next().unwrap_or_default().to_owned();
    (word(), word())
}

/// `bytes` as the soft and as the hard limit.
fn both(bytes: u64) -> (String, String) {
    (bytes.to_string(), bytes.to_string())
}

/// Checks nothing: the tests below start this function in a process of its own, to take memory.
#[test]
fn taker() {
    let Some(purpose) = purpose() else { return };
    let Some(mib) = purpose.strip_prefix("take ") else {
        return;
    };
    let mib: usize = mib.parse().unwrap();
    let mut held = Vec::new();
    for taken in 1..=mib {
        held.push(vec![1_u8; 1 << 20]);
        println!("has {taken} MiB");
    }
    if purpose.starts_with("take 0") {
        std::thread::sleep(Duration::from_secs(100));
    }
    drop(held);
}

/// The command of a process that takes `mib` mebibytes, one after another, under `limits`. With a leading zero (`064`) the process
/// then keeps them instead of ending.
fn taking(mib: &str, limits: Limits) -> Command {
    let mut command = this_test("run::tests::memory::taker", &format!("take {mib}"));
    command.limits = limits;
    command
}

/// How many mebibytes the child had, by the last line that it printed.
fn had(got: &Captured) -> u64 {
    let said = String::from_utf8_lossy(got.stdout.head().reveal()).into_owned();
    let mut all = said
        .lines()
        .filter_map(|line| line.strip_prefix("has ")?.strip_suffix(" MiB"));
    all.next_back().map_or(0, |mib| mib.parse().unwrap())
}

#[test]
fn a_child_gets_no_more_memory_than_its_limit() {
    let got = run(&taking("300", with_memory(100 * MIB)));
    assert_ne!(got.ended, Ended::Exited(0));
    assert!((50..=100).contains(&had(&got)), "had {} MiB", had(&got));
    // Under a higher limit the same program ends well.
    let got = run(&taking("300", with_memory(400 * MIB)));
    assert_eq!((&got.ended, had(&got)), (&Ended::Exited(0), 300));
}

#[test]
fn a_limit_holds_for_the_child_and_its_descendants() {
    let script = "sleep 0.2; cat /proc/$$/limits; sh -c 'cat /proc/$$/limits'; sh -c '(cat /proc/self/limits)'";
    let got = run(&sh(script, Limits::default()));
    let said = String::from_utf8_lossy(got.stdout.head().reveal()).into_owned();
    let limited = said.lines().filter(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        words == ["Max", "data", "size", "536870912", "536870912", "bytes"]
    });
    assert_eq!(limited.count(), 3, "{said}");
}

/// Starts `script` with a memory limit of `u64::MAX`, which limits nothing.
fn unlimited(script: &str, token: &str) -> Handle {
    let command = marked(script, token, with_memory(u64::MAX));
    start(command, Box::new(|_| ()))
}

#[test]
fn processes_that_a_child_started_before_its_limit_are_limited_too() {
    let token = token();
    let handle = unlimited(
        "sh -c 'sleep 100 & sleep 100 & wait' & (sleep 100; true) & wait",
        &token,
    );
    let (all, _) = eventually(|| marked_pids(&token).len() == 6);
    assert!(all, "{:?}", marked_pids(&token));
    let pids = marked_pids(&token);
    assert!(pids.iter().all(|pid| data_limit(pid).0 == "unlimited"));
    // The leader is the one whose session has its own number.
    let leader = pids.iter().find(|pid| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat_numbers(&stat)[2].to_string() == **pid
    });
    let leader: i32 = leader.unwrap().parse().unwrap();
    bound(leader, 64 * MIB, None);
    for pid in &pids {
        assert_eq!(data_limit(pid), both(64 * MIB), "{pid}");
    }
    // `bound` never raises a limit.
    bound(leader, 512 * MIB, None);
    assert_eq!(data_limit(&leader.to_string()), both(64 * MIB));
    handle.cancel();
    assert!(eventually(|| marked_pids(&token).is_empty()).0);
}

#[test]
fn this_process_keeps_its_own_limit() {
    let before = data_limit("self");
    run(&sh("true", with_memory(100 * MIB)));
    assert_eq!(data_limit("self"), before);
}

#[test]
fn a_child_that_got_past_its_limit_is_seen_and_so_is_the_program_of_a_wrapper() {
    let token = token();
    let own = std::env::current_exe().unwrap();
    // 064: the process takes 64 MiB and keeps them.
    let script = format!(
        "CJ_GATE_PURPOSE='take 064' '{}' run::tests::memory::taker --exact --nocapture & echo $!; wait",
        own.display()
    );
    let handle = unlimited(&script, &token);
    let (all, _) = eventually(|| marked_pids(&token).len() == 2);
    assert!(all);
    for pid in marked_pids(&token) {
        let pid: i32 = pid.parse().unwrap();
        let sees = |most| {
            let mut checks = Checks::new(pid, most);
            let due = checks.next;
            let before = due.checked_sub(Duration::from_millis(1)).unwrap();
            assert!(!checks.over(before), "a check ran before it was due");
            checks.over(due)
        };
        assert!(eventually(|| sees(60 * MIB)).0, "{pid}");
        assert!(!sees(1024 * MIB), "{pid}");
    }
    handle.cancel();
    assert!(eventually(|| marked_pids(&token).is_empty()).0);
}

#[test]
fn a_refused_limit_is_reported_until_the_next_start_succeeds() {
    if !alone("memory::a_refused_limit_is_reported_until_the_next_start_succeeds") {
        return;
    }
    run(&sh("true", Limits::default()));
    assert_eq!(memory_trouble(), None);
    // No process has this number: the kernel's numbers end at 4,194,304.
    bound(i32::MAX, MIB, None);
    let why = memory_trouble().unwrap();
    assert!(
        why.contains("limit the memory") && why.contains("No such process"),
        "{why}"
    );
    run(&sh("true", Limits::default()));
    assert_eq!(memory_trouble(), None);
}

#[test]
fn limiting_a_child_takes_under_two_milliseconds() {
    if !alone("memory::limiting_a_child_takes_under_two_milliseconds") {
        return;
    }
    let token = token();
    let handle = unlimited("sleep 100; true", &token);
    assert!(eventually(|| !marked_pids(&token).is_empty()).0);
    let pid: i32 = marked_pids(&token)[0].parse().unwrap();
    let mut times: Vec<_> = (0..200)
        .map(|_| {
            let begun = Instant::now();
            bound(pid, 1024 * MIB, None);
            begun.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "to limit a child takes {:?}, at most {:?}",
        times[100], times[199]
    );
    assert!(times[100] < Duration::from_millis(2), "{:?}", times[100]);
    handle.cancel();
}

#[test]
fn a_file_that_grows_past_its_limit_ends_the_program_and_its_children() {
    let file = format!("/tmp/cj-run-{}", token());
    for script in [
        "head -c 1000000 /dev/zero > FILE",
        "(head -c 1000000 /dev/zero; echo after) > FILE; exit 3",
    ] {
        let limits = Limits {
            file: Some(4096),
            ..Limits::default()
        };
        // The limit is set when the child runs, which may be after its first steps.
        let got = run(&sh(
            &format!("sleep 0.2; {}", script.replace("FILE", &file)),
            limits,
        ));
        assert_ne!(got.ended, Ended::Exited(0));
        let size = fs::metadata(&file).expect("the file").len();
        assert!((1..=4096).contains(&size), "{size}");
    }
    fs::remove_file(&file).expect("the file was made");
}
