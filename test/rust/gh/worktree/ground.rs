//! The ground of these tests: bare repositories that play the host's, a stand-in GitHub that reads them, and a directory for worktrees.

#![allow(
    clippy::needless_pass_by_value,
    clippy::unused_self,
    reason = "a test writes the arguments of a call where it makes the call"
)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::gate::{Class, Cwd, ErrorKind, Outcome, Plan, PlanInfo};
use crate::gh::call::request::{Request, Settings};
use crate::gh::place::context::GitFacts;
use crate::gh::tools::errand::Step;
use crate::gh::tools::{ToolCall, errands, plan};

const DOTCOM: &str = "gho_0123456789abcdef0123456789abcdef0123";

/// One test's ground; everything of it is removed at its end.
pub struct Ground {
    pub dir: PathBuf,
    lab: Child,
    pub gh: PathBuf,
    pub git_bytes: u64,
    pub git_files: u64,
}

/// What came of a call.
#[derive(Debug)]
pub struct Came {
    /// The look-up's plan was made and ended so; `None` where it failed to plan.
    pub looked: Option<Outcome>,
    /// What the person was asked, where a write was planned.
    pub info: Option<PlanInfo>,
    /// The outcome of the write.
    pub outcome: Option<Outcome>,
    /// The kind and the words of a refusal before the write.
    pub refused: Option<(ErrorKind, String)>,
}

impl Came {
    /// The text of the write, which succeeded.
    pub fn text(&self) -> &str {
        let outcome = self.outcome.as_ref();
        let outcome = outcome.unwrap_or_else(|| panic!("nothing ran: {self:?}"));
        assert_eq!(outcome.kind, None, "{}", outcome.text);
        &outcome.text
    }

    /// The kind and the words of the failure.
    pub fn failure(&self) -> (ErrorKind, String) {
        if let Some(refused) = &self.refused {
            return refused.clone();
        }
        for outcome in [&self.outcome, &self.looked].into_iter().flatten() {
            if let Some(kind) = outcome.kind {
                return (kind, outcome.text.clone());
            }
        }
        panic!("no failure: {self:?}");
    }

    /// The rows of the question, label and text.
    pub fn rows(&self) -> Vec<(String, String)> {
        let info = self.info.as_ref().expect("a write was planned");
        let rows = info.question.rows.iter();
        rows.map(|fact| (fact.label.to_owned(), fact.text.clone()))
            .collect()
    }

    /// The texts of the rows with `label`.
    pub fn row(&self, label: &str) -> Vec<String> {
        let rows = self.rows().into_iter();
        rows.filter(|(name, _)| name == label)
            .map(|(_, text)| text)
            .collect()
    }
}

static NEXT: AtomicUsize = AtomicUsize::new(0);

/// The releases of gh that `make deps` fetches; none without it.
pub fn ghs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps/gh");
    let all = ["2.92.0", "2.103.3"].map(|version| root.join(version).join("gh"));
    all.into_iter().filter(|gh| gh.is_file()).collect()
}

/// The git that the calls run: the system's, or the one that `CJ_GIT` names.
pub fn the_git() -> PathBuf {
    std::env::var_os("CJ_GIT").map_or_else(|| "/usr/bin/git".into(), PathBuf::from)
}

/// The newest gh.
pub fn gh() -> Option<PathBuf> {
    ghs().pop()
}

impl Ground {
    /// The ground for `gh`, with a repository `o/r` (branch main with two commits, branch feature with one more) and its fork `mona/r`, whose
    /// branch `fix` has one commit more than main.  Pull request 1 is of feature, 2 of the fork.
    pub fn new(gh: &Path) -> Self {
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let dir = std::env::temp_dir().join(format!("cj-wt-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        for name in ["home", "world", "remotes/o", "remotes/mona", "lab"] {
            std::fs::create_dir_all(dir.join(name)).expect("a scratch directory");
        }
        let dir = dir.canonicalize().expect("it is there");
        make_remotes(&dir);
        write_world(&dir, &[], |_| ());
        let lab = lab(&dir);
        Self {
            dir,
            lab,
            gh: gh.to_owned(),
            git_bytes: 100_000_000,
            git_files: 1000,
        }
    }

    /// The ground at `dir`, which another process has made and goes on to own.
    pub fn attached(dir: &Path, gh: &Path) -> std::mem::ManuallyDrop<Self> {
        let lab = Command::new("/bin/true").spawn().expect("true starts");
        std::mem::ManuallyDrop::new(Self {
            dir: dir.to_owned(),
            lab,
            gh: gh.to_owned(),
            git_bytes: 100_000_000,
            git_files: 10_000,
        })
    }

    /// The settings of a call.
    pub fn settings(&self) -> Settings {
        let home = self.dir.join("home");
        let environment = [
            format!("HOME={}", home.display()),
            format!("GH_CONFIG_DIR={}", self.dir.join("lab/gh-config").display()),
            format!("GH_TOKEN={DOTCOM}"),
            format!("XDG_CACHE_HOME={}", self.dir.join("cache").display()),
            "PATH=/usr/bin:/bin".to_owned(),
            "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent".to_owned(),
        ];
        Settings {
            executable: Some(self.gh.clone()),
            executable_name: "gh".into(),
            environment: environment.to_vec().into(),
            roots: vec![self.dir.clone()],
            default_host: "github.com".into(),
            git: Some(the_git()),
            worktree_directory: Some(self.worktrees()),
            git_bytes: self.git_bytes,
            git_files: self.git_files,
            git_timeout: Duration::from_secs(120),
            git_urls: vec![(
                "github.com".into(),
                format!("file://{}", self.dir.join("remotes").display()),
            )],
            ..Settings::default()
        }
    }

    /// The directory for worktrees.
    pub fn worktrees(&self) -> PathBuf {
        self.dir.join("wt")
    }

    /// The store of `o/r`.
    pub fn store(&self) -> PathBuf {
        self.worktrees().join("github.com/o/r.git")
    }

    /// The worktree `name` of `o/r`.
    pub fn worktree(&self, name: &str) -> PathBuf {
        self.worktrees().join("github.com/o/r").join(name)
    }

    /// The call of the errand `name` with the arguments `args` in `o/r`, which a person approves.
    pub fn call(&self, name: &str, args: Value) -> Came {
        self.call_with(name, args, &self.settings(), |_| true)
    }

    /// The call of the errand `name` with the arguments `args`; `approve` decides about the question.
    pub fn call_with(
        &self,
        name: &str,
        args: Value,
        settings: &Settings,
        approve: impl FnOnce(&PlanInfo) -> bool,
    ) -> Came {
        let home = Cwd::Local(self.dir.join("home"));
        self.call_from(name, args, settings, (home, GitFacts::default()), approve)
    }

    /// As [`Self::call_with`], from the directory `cwd` of which git has the facts `facts`.
    pub fn call_from(
        &self,
        name: &str,
        args: Value,
        settings: &Settings,
        from: (Cwd, GitFacts),
        approve: impl FnOnce(&PlanInfo) -> bool,
    ) -> Came {
        let (mut came, write) = self.prepared_from(name, &args, settings, from, approve);
        if let Some(mut write) = write {
            came.outcome = Some(run(&mut write));
        }
        came
    }

    /// The call of the errand `name` up to its write, which is approved and not started.
    pub fn prepared(
        &self,
        name: &str,
        args: &Value,
        settings: &Settings,
        approve: impl FnOnce(&PlanInfo) -> bool,
    ) -> (Came, Option<Plan>) {
        let home = Cwd::Local(self.dir.join("home"));
        self.prepared_from(name, args, settings, (home, GitFacts::default()), approve)
    }

    fn prepared_from(
        &self,
        name: &str,
        args: &Value,
        settings: &Settings,
        (cwd, facts): (Cwd, GitFacts),
        approve: impl FnOnce(&PlanInfo) -> bool,
    ) -> (Came, Option<Plan>) {
        let repo = args["repo"].as_str().unwrap_or("o/r").to_owned();
        let request = Request {
            argv: vec!["pr".to_owned(), "view".into()].into(),
            cwd: Some(cwd),
            facts: Some(facts),
            repo: Some(repo),
            timeout: None,
            usual_timeout: Some(Duration::from_secs(60)),
            ..Request::default()
        };
        let mut came = Came {
            looked: None,
            info: None,
            outcome: None,
            refused: None,
        };
        let errand = match errands::named(name, args) {
            Ok(errand) => errand,
            Err(refusal) => {
                came.refused = Some((refusal.kind, refusal.message));
                return (came, None);
            }
        };
        let made = |step: Step| {
            let call = ToolCall {
                errand: Some((errand.clone(), step)),
                ..request.clone().into()
            };
            plan(&call, settings)
        };
        let mut look_up = match made(Step::LookUp) {
            Ok(plan) => plan,
            Err(refusal) => {
                came.refused = Some((refusal.kind, refusal.message));
                return (came, None);
            }
        };
        assert_eq!(look_up.info().class, Class::Read);
        let looked = run(&mut look_up);
        let failed = looked.kind.is_some();
        came.looked = Some(looked);
        if failed {
            return (came, None);
        }
        let mut write = match made(Step::Write) {
            Ok(plan) => plan,
            Err(refusal) => {
                came.refused = Some((refusal.kind, refusal.message));
                return (came, None);
            }
        };
        let info = write.info().clone();
        came.info = Some(info.clone());
        if let Some(refusal) = write.refusal() {
            came.refused = Some((refusal.kind, refusal.message));
            return (came, None);
        }
        if info.class == Class::Write {
            if !approve(&info) {
                return (came, None);
            }
            write
                .approve(&info.digest, Duration::from_secs(600))
                .expect("it waits for a person");
        }
        (came, Some(write))
    }

    /// The requests that the stand-in GitHub saw.
    pub fn requests(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.dir.join("lab/github.jsonl")).expect("a log");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    /// Replaces the world; `more` are pull requests besides the two.
    pub fn world(&self, more: &[Value]) {
        write_world(&self.dir, more, |_| ());
    }

    /// Replaces the world by the usual one after `change`.
    pub fn change_world(&self, change: impl FnOnce(&mut Value)) {
        write_world(&self.dir, &[], change);
    }

    /// Makes the branch `name` of the bare repository `owner`/r at `from`.
    pub fn branch(&self, owner: &str, name: &str, from: &str) {
        let remote = self.dir.join(format!("remotes/{owner}/r.git"));
        git(&remote, &["branch", name, from]);
    }

    /// The commit of `refname` in the bare repository `owner`/r.
    pub fn remote_tip(&self, owner: &str, refname: &str) -> String {
        let remote = self.dir.join(format!("remotes/{owner}/r.git"));
        git(&remote, &["rev-parse", refname]).trim().to_owned()
    }

    /// Adds a commit with the files `files` (name, contents) to `branch` of the bare repository `owner`/r, and returns it.
    pub fn commit(
        &self,
        owner: &str,
        branch: &str,
        files: &[(&str, &str)],
        message: &str,
    ) -> String {
        let work = self.dir.join("work");
        let _ = std::fs::remove_dir_all(&work);
        let remote = self.dir.join(format!("remotes/{owner}/r.git"));
        git(
            &self.dir,
            &["clone", "-q", "--no-local", &text(&remote), &text(&work)],
        );
        git(&work, &["checkout", "-q", branch]);
        for (name, contents) in files {
            let file = work.join(name);
            std::fs::create_dir_all(file.parent().expect("a place")).expect("a directory");
            std::fs::write(file, contents).expect("a file");
        }
        git(&work, &["add", "-A"]);
        git(&work, &["commit", "-q", "-m", message]);
        git(&work, &["push", "-q", "origin", &format!("HEAD:{branch}")]);
        let sha = git(&work, &["rev-parse", "HEAD"]).trim().to_owned();
        self.pull_refs();
        sha
    }

    /// Sets the refs of the pull requests in o/r to the heads of their branches, as GitHub does.
    pub fn pull_refs(&self) {
        pull_refs(&self.dir);
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        drop(self.lab.stdin.take());
        let end = Instant::now() + Duration::from_secs(5);
        while self.lab.try_wait().is_ok_and(|ended| ended.is_none()) {
            if Instant::now() > end {
                let _ = self.lab.kill();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = Command::new("chmod")
            .arg("-R")
            .arg("u+rwX")
            .arg(&self.dir)
            .output();
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Runs git, which must succeed, with nobody's configuration; returns what it prints.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let (ok, out) = try_git(dir, args, &[]);
    assert!(ok, "git {args:?}: {out}");
    out
}

/// Runs git with the variables `env`; returns whether it succeeded, and what it printed.
pub fn try_git(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new("git");
    command
        .args(args)
        .current_dir(dir)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs([
            ("GIT_AUTHOR_NAME", "Mona"),
            ("GIT_AUTHOR_EMAIL", "mona@example.com"),
            ("GIT_COMMITTER_NAME", "Mona"),
            ("GIT_COMMITTER_EMAIL", "mona@example.com"),
        ])
        .envs(env.iter().copied());
    let output = command.output().expect("git starts");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

fn make_remotes(dir: &Path) {
    let work = dir.join("work");
    git(dir, &["init", "-q", "-b", "main", &text(&work)]);
    let commit = |name: &str, contents: &str, message: &str| {
        std::fs::write(work.join(name), contents).expect("a file");
        git(&work, &["add", "-A"]);
        git(&work, &["commit", "-q", "-m", message]);
    };
    commit("README", "one\n", "Begin");
    commit("src.txt", "two\n", "Add the source");
    let bare = dir.join("remotes/o/r.git");
    git(
        dir,
        &[
            "clone",
            "-q",
            "--bare",
            "--no-local",
            &text(&work),
            &text(&bare),
        ],
    );
    let fork = dir.join("remotes/mona/r.git");
    git(
        dir,
        &[
            "clone",
            "-q",
            "--bare",
            "--no-local",
            &text(&work),
            &text(&fork),
        ],
    );
    for remote in [&bare, &fork] {
        git(remote, &["config", "receive.denyNonFastForwards", "false"]);
    }
    git(&work, &["checkout", "-q", "-b", "feature"]);
    commit("feature.txt", "three\n", "Add the feature");
    git(&work, &["push", "-q", &text(&bare), "feature"]);
    git(&work, &["checkout", "-q", "-b", "fix", "main"]);
    commit("fix.txt", "four\n", "Fix it");
    git(&work, &["push", "-q", &text(&fork), "fix"]);
    pull_refs(dir);
}

/// Which branch each pull request of the world has.
const PULLS: &[(&str, &str, &str)] = &[("1", "o", "feature"), ("2", "mona", "fix")];

fn pull_refs(dir: &Path) {
    let bare = dir.join("remotes/o/r.git");
    for (number, owner, branch) in PULLS {
        let remote = dir.join(format!("remotes/{owner}/r.git"));
        let spec = format!("+refs/heads/{branch}:refs/pull/{number}/head");
        git(&bare, &["fetch", "-q", &text(&remote), &spec]);
    }
}

/// A pull request of the world.
pub fn pull(number: u64, title: &str, owner: &str, branch: &str) -> Value {
    json!({
        "number": number, "title": title, "state": "OPEN", "isDraft": false, "author": {"login": "mona"},
        "baseRefName": "main", "headRefName": branch, "isCrossRepository": owner != "o", "maintainerCanModify": true,
        "headRepositoryOwner": {"login": owner},
        "headRepository": {"name": "r", "nameWithOwner": format!("{owner}/r"), "owner": {"login": owner}},
        "url": format!("https://github.com/o/r/pull/{number}"),
        "changedFiles": 1, "additions": 1, "deletions": 0,
    })
}

fn write_world(dir: &Path, more: &[Value], change: impl FnOnce(&mut Value)) {
    let mut pulls = vec![
        pull(1, "Add the feature", "o", "feature"),
        pull(2, "Fix it", "mona", "fix"),
    ];
    pulls.retain(|pull| !more.iter().any(|other| other["number"] == pull["number"]));
    pulls.extend_from_slice(more);
    let mut world = json!({
        "gitRoot": dir.join("remotes").display().to_string(),
        "repos": {
            "o/r": {"pulls": pulls, "viewerPermission": "WRITE"},
            "mona/r": {"isFork": true, "parent": {"nameWithOwner": "o/r"}},
        },
    });
    change(&mut world);
    let new = dir.join("world/new.json");
    std::fs::write(&new, world.to_string()).expect("a world");
    std::fs::rename(&new, dir.join("world/world.json")).expect("a world");
}

fn lab(dir: &Path) -> Child {
    let own = std::env::current_exe().expect("a test knows its own file");
    let program = own
        .ancestors()
        .nth(2)
        .expect("target/PROFILE/deps/test")
        .join("examples/lab");
    assert!(
        program.exists(),
        "{} is missing: run `cargo build --example lab' first",
        program.display()
    );
    let mut command = Command::new(program);
    command
        .args(["serve", "--log-queries", "--dir"])
        .arg(dir.join("lab"))
        .arg("--fixtures")
        .arg(dir.join("world"))
        .args(["--token", &format!("dotcom={DOTCOM}")]);
    let child = command
        .stdin(Stdio::piped())
        .spawn()
        .expect("the lab starts");
    let end = Instant::now() + Duration::from_secs(10);
    while !dir.join("lab/ready.json").exists() {
        assert!(Instant::now() < end, "the stand-in did not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Runs `plan` and returns its outcome.
pub fn run(plan: &mut Plan) -> Outcome {
    let (send, receive) = mpsc::channel();
    plan.start(move |outcome| send.send(outcome).expect("the test waits"))
        .expect("the call may run");
    receive
        .recv_timeout(Duration::from_secs(180))
        .expect("the call ends")
}
