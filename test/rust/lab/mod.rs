//! Starts the stand-ins of test/lab and runs the real gh against them, each run with a home and an environment of its own.
#![allow(clippy::disallowed_methods, clippy::print_stderr)] // the tests start their programs themselves: they do not test the runner

use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

mod create;
mod github;
mod life;
mod model;
mod query;
mod writes;

/// The tokens that a run of gh gets; the lab's log names them `dotcom` and `work`.
pub const DOTCOM: &str = "gho_0123456789abcdef0123456789abcdef0123";
pub const WORK: &str = "ghp_fedcba9876543210fedcba9876543210fedc";

/// The stand-ins of GitHub and the model, with a directory of their own; both end when this is dropped.
pub struct Lab {
    pub dir: PathBuf,
    child: Child,
    runs: AtomicUsize,
}

/// The exit code and the output of a program.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Lab {
    /// Starts `lab serve` with the further arguments `more`; returns when both servers accept connections.
    pub fn start(more: &[&str]) -> Self {
        let dir = fresh_dir();
        let mut command = Command::new(binary());
        command
            .args(["serve", "--log-queries", "--dir"])
            .arg(&dir)
            .args(more);
        command.args([
            "--token",
            &format!("dotcom={DOTCOM}"),
            "--token",
            &format!("work={WORK}"),
        ]);
        let child = command
            .stdin(Stdio::piped())
            .spawn()
            .expect("the lab starts");
        let lab = Self {
            dir,
            child,
            runs: AtomicUsize::new(0),
        };
        wait_for("the stand-ins", || lab.dir.join("ready.json").exists());
        lab
    }

    /// The content of ready.json: where the servers listen.
    pub fn ready(&self) -> Value {
        let text =
            std::fs::read_to_string(self.dir.join("ready.json")).expect("ready.json is there");
        serde_json::from_str(&text).expect("ready.json is JSON")
    }

    /// Every request that the stand-in GitHub saw, oldest first.
    pub fn requests(&self) -> Vec<Value> {
        lines(&self.dir.join("github.jsonl"))
    }

    /// Every request that the stand-in model saw.
    pub fn turns(&self) -> Vec<Value> {
        lines(&self.dir.join("model.jsonl"))
    }

    /// Runs `gh` with `args`. Each run starts with an empty cache of the host's features.
    pub fn gh(&self, gh: &Path, args: &[&str]) -> Ran {
        self.gh_env(
            gh,
            args,
            &[("GH_TOKEN", DOTCOM), ("GH_ENTERPRISE_TOKEN", WORK)],
        )
    }

    /// As [`Lab::gh`], with the variables `env` added to the environment.
    pub fn gh_env(&self, gh: &Path, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let run = self.runs.fetch_add(1, Ordering::SeqCst);
        let home = self.dir.join(format!("home-{run}"));
        std::fs::create_dir(&home).expect("a home can be made");
        let mut command = Command::new(gh);
        command
            .args(args)
            .env_clear()
            .current_dir(&home)
            .env("HOME", &home);
        command
            .env("PATH", "/usr/bin:/bin")
            .env("GH_CONFIG_DIR", self.dir.join("gh-config"));
        for (name, value) in [
            ("GH_PROMPT_DISABLED", "1"),
            ("GH_NO_UPDATE_NOTIFIER", "1"),
            ("GH_TELEMETRY", "false"),
            ("DO_NOT_TRACK", "1"),
            ("NO_COLOR", "1"),
            ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"),
        ] {
            command.env(name, value);
        }
        command.envs(env.iter().copied()).stdin(Stdio::null());
        let output = command.output().expect("gh can be started");
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Closes the lab's standard input and waits for its end.
    pub fn stop(&mut self) -> Option<i32> {
        drop(self.child.stdin.take());
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        if self.stop().is_none() {
            // Both calls fail only where the lab is gone already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// The built example `lab`: `target/PROFILE/examples/lab`, found from the path of this test program.
pub fn binary() -> PathBuf {
    let own = std::env::current_exe().expect("a test knows its own file");
    let lab = own
        .ancestors()
        .nth(2)
        .expect("target/PROFILE/deps/suite")
        .join("examples/lab");
    assert!(
        lab.exists(),
        "{} is missing: run `cargo build --example lab' first",
        lab.display()
    );
    lab
}

/// The real gh binaries from 2.50 on, which the project supports, oldest first (`make deps` also fetches an older one).
/// Without `make deps` there is none; the caller's test then checks nothing.
pub fn gh_binaries() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps/gh");
    let mut found: Vec<(Vec<u32>, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir(&root).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let version: Vec<u32> = name
            .split('.')
            .filter_map(|part| part.parse().ok())
            .collect();
        let gh = entry.path().join("gh");
        if version >= vec![2, 50] && gh.is_file() {
            found.push((version, gh));
        }
    }
    found.sort();
    if found.is_empty() {
        eprintln!("skipped: there is no gh under .deps/gh; `make deps' gets it");
    }
    found.into_iter().map(|(_, gh)| gh).collect()
}

/// Runs `lab` with `args`, and with `input` on its standard input.
pub fn lab(args: &[&str], input: &str) -> Ran {
    let mut command = Command::new(binary());
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the lab starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    std::io::Write::write_all(&mut stdin, input.as_bytes()).expect("the lab reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the lab ends");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Polls until `done` holds; fails the test after ten seconds, naming `what`.
pub fn wait_for(what: &str, done: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(10);
    while !done() {
        assert!(Instant::now() < end, "{what} did not come within 10 s");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A new directory with a path short enough for the path of a unix socket (108 bytes).
pub fn fresh_dir() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::SeqCst);
    let dir = std::env::temp_dir().join(format!("cj-lab-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a scratch directory can be made");
    dir
}

fn lines(file: &Path) -> Vec<Value> {
    let mut text = String::new();
    let opened = std::fs::File::open(file).expect("the log is there");
    std::io::BufReader::new(opened)
        .read_to_string(&mut text)
        .expect("the log is text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}
