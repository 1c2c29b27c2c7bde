//! Calls that die in the middle: the gate's own process and its gits, the gate's own process alone, its gits alone.

use std::io::BufReader;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::ground::{Ground, git};
use super::scene::{
    assert_sound, assert_whole, below, elsewhere, forget, ground, half_done, is_elsewhere, kill,
    line_of, long, many_files, of_head, person, said, set_head,
};

/// Files of the pull request: some 3 MB, which git needs a fifth of a second for.
const FILES: usize = 1_500;

/// What is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Victim {
    All,
    Gate,
    Git,
}

/// Numbers without a pattern, from a seed that the test prints.
struct Random(u64);

impl Random {
    fn new() -> Self {
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("now");
        let seed = u64::from(now.subsec_nanos()) | 1;
        println!("seed {seed}");
        Self(seed)
    }

    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % most.max(1)
    }
}

struct Scene {
    ground: Ground,
    /// Two heads of pull request 11.
    heads: [String; 2],
}

fn scene() -> Option<Scene> {
    let mut ground = ground()?;
    ground.git_files = 10_000;
    ground.world(&[of_head(11, "Many files")]);
    let first = many_files(&ground, 11, FILES, "one");
    let second = many_files(&ground, 11, FILES, "two");
    set_head(&ground, 11, &first);
    Some(Scene {
        ground,
        heads: [first, second],
    })
}

/// Starts a checkout in another process, and returns it once the call has begun.
fn begun(
    ground: &Ground,
    name: &str,
    args: &Value,
) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = elsewhere(ground, name, args).spawn().expect("it starts");
    let mut output = BufReader::new(child.stdout.take().expect("it was asked for"));
    line_of(&mut output, "begun").expect("the call begins");
    (child, output)
}

/// Kills after `pause`; returns what the call said, where it came to its end.
fn killed(
    ground: &Ground,
    name: &str,
    args: &Value,
    pause: Duration,
    victim: Victim,
) -> Option<String> {
    let (mut child, mut output) = begun(ground, name, args);
    std::thread::sleep(pause);
    let own = i32::try_from(child.id()).expect("a number of a process");
    if victim == Victim::All {
        // A process that stands still starts no further ones while it is looked at.
        let stop = nix::sys::signal::Signal::SIGSTOP;
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(own), stop);
    }
    let children = below(&child);
    if victim != Victim::Git {
        kill(own);
    }
    if victim != Victim::Gate {
        for (pid, name) in children {
            if victim == Victim::All || name.starts_with("git") {
                kill(pid);
            }
        }
    }
    let ended = line_of(&mut output, "ended ");
    child.wait().expect("it ends");
    ended
}

/// Kills the checkout of a new worktree, or with `force` the reset of one that is there, `times` times.
fn kill_often(name: &str, victim: Victim, force: bool, times: usize) {
    let Some(Scene { ground, heads }) = scene() else {
        return;
    };
    let mut random = Random::new();
    let args = json!({"numbers": ["11"], "force": force});
    let prepare = || {
        forget(&ground);
        set_head(&ground, 11, &heads[0]);
        ground.call("pr-checkout", json!({"numbers": ["1"]})).text();
        if force {
            ground
                .call("pr-checkout", json!({"numbers": ["11"]}))
                .text();
            set_head(&ground, 11, &heads[1]);
        }
    };
    prepare();
    let start = Instant::now();
    let (mut child, mut output) = begun(&ground, name, &args);
    let start_of_call = Instant::now();
    line_of(&mut output, "ended ").expect("the call ends");
    let usual = start_of_call.elapsed();
    child.wait().expect("it ends");
    println!(
        "usual time {usual:?}, with the start of the process {:?}",
        start.elapsed()
    );
    let usual = u64::try_from(usual.as_micros()).expect("a short time");
    let mut unfinished = 0;
    for nth in 0..times {
        prepare();
        let pause = Duration::from_micros(random.below(usual));
        let ended = killed(&ground, name, &args, pause, victim);
        unfinished += usize::from(
            !ended
                .as_ref()
                .is_some_and(|said| said.contains("\"kind\":null")),
        );
        let when = format!("{victim:?} {nth} after {pause:?}, {ended:?}");
        println!("{when}; left {:?}", half_done(&ground));
        assert_sound(&ground);
        let (ok, words) = person(&ground, &ground.worktree("pr-1"), &["status"]);
        assert!(ok && words.contains("nothing to commit"), "{when}: {words}");
        let again = ground.call("pr-checkout", args.clone());
        let (kind, words) = said(&again);
        assert_eq!(kind, None, "{when}: {words}");
        assert_whole(&ground, 11, if force { &heads[1] } else { &heads[0] });
        let files = git(&ground.worktree("pr-11"), &["ls-files"]);
        assert_eq!(files.lines().count(), FILES + 2, "{when}");
        assert_eq!(half_done(&ground), Vec::<String>::new(), "{when}");
        let names =
            std::fs::read_dir(ground.worktrees().join("github.com/o/r")).expect("worktrees");
        assert_eq!(names.count(), 2, "{when}");
        let own: Vec<PathBuf> = std::fs::read_dir(ground.store().join("worktrees"))
            .expect("a directory")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        assert_eq!(own.len(), 2, "{when}: {own:?}");
        assert_sound(&ground);
    }
    println!("{victim:?}, force {force}: {times} kills, {unfinished} before the end");
}

/// How often each test kills: all six together 6 times, or 60 times where `CJ_LONG` is set.
fn times() -> usize {
    if long() { 10 } else { 1 }
}

#[test]
fn a_new_checkout_that_is_killed_with_its_gits_leaves_nothing_half_done() {
    if !is_elsewhere() {
        kill_often(
            "kill::a_new_checkout_that_is_killed_with_its_gits_leaves_nothing_half_done",
            Victim::All,
            false,
            times(),
        );
    }
}

#[test]
fn a_new_checkout_whose_gate_is_killed_leaves_nothing_half_done() {
    if !is_elsewhere() {
        kill_often(
            "kill::a_new_checkout_whose_gate_is_killed_leaves_nothing_half_done",
            Victim::Gate,
            false,
            times(),
        );
    }
}

#[test]
fn a_new_checkout_whose_git_is_killed_leaves_nothing_half_done() {
    if !is_elsewhere() {
        kill_often(
            "kill::a_new_checkout_whose_git_is_killed_leaves_nothing_half_done",
            Victim::Git,
            false,
            times(),
        );
    }
}

#[test]
fn a_reset_that_is_killed_with_its_gits_is_done_by_the_next_call() {
    if !is_elsewhere() {
        kill_often(
            "kill::a_reset_that_is_killed_with_its_gits_is_done_by_the_next_call",
            Victim::All,
            true,
            times(),
        );
    }
}

#[test]
fn a_reset_whose_gate_is_killed_is_done_by_the_next_call() {
    if !is_elsewhere() {
        kill_often(
            "kill::a_reset_whose_gate_is_killed_is_done_by_the_next_call",
            Victim::Gate,
            true,
            times(),
        );
    }
}

#[test]
fn a_reset_whose_git_is_killed_is_done_by_the_next_call() {
    if !is_elsewhere() {
        kill_often(
            "kill::a_reset_whose_git_is_killed_is_done_by_the_next_call",
            Victim::Git,
            true,
            times(),
        );
    }
}
