//! `pr create --fill`: a person is shown the title and body that the real gh would have sent, and gh then sends exactly those.
#![allow(clippy::disallowed_methods, clippy::print_stderr)] // the test starts git and gh itself

use crate::lab::{self, Lab};
use cj_gate::gate::{Class, Cwd, ErrorKind, Plan, Refusal};
use cj_gate::gh::call::fill::commit_range;
use cj_gate::gh::call::request::{Request, Settings};
use cj_gate::gh::catalog::BUILT_IN;
use cj_gate::gh::child::facts;
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::place::context::GitFacts;
use cj_gate::gh::tools::plan;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A checkout whose branch `fix_the-table` has commits that `origin/main` lacks.
struct Checkout {
    dir: PathBuf,
    home: PathBuf,
}

/// The base, title and body that a pull request was made with.
type Sent = (String, String, String);

impl Checkout {
    fn new(lab: &Lab, name: &str, commits: &[&str]) -> Self {
        let home = lab.dir.join(format!("of {name}"));
        let out = Self {
            dir: home.join("checkout"),
            home,
        };
        std::fs::create_dir_all(&out.dir).expect("a checkout can be made");
        out.git(&["init", "-q", "-b", "main"]);
        out.git(&["commit", "-q", "--allow-empty", "-m", "Start"]);
        out.git(&["remote", "add", "origin", "https://github.com/o/r.git"]);
        out.git(&["update-ref", "refs/remotes/origin/main", "main"]);
        out.git(&[
            "symbolic-ref",
            "refs/remotes/origin/HEAD",
            "refs/remotes/origin/main",
        ]);
        out.git(&["checkout", "-q", "-b", "fix_the-table"]);
        for message in commits {
            out.git(&["commit", "-q", "--allow-empty", "-m", message]);
        }
        out
    }

    fn git(&self, words: &[&str]) {
        let done = Command::new("git")
            .args(words)
            .current_dir(&self.dir)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &self.home)
            .env("GIT_AUTHOR_NAME", "Octo")
            .env("GIT_AUTHOR_EMAIL", "octo@example.com")
            .env("GIT_COMMITTER_NAME", "Octo")
            .env("GIT_COMMITTER_EMAIL", "octo@example.com")
            .stdin(Stdio::null())
            .output()
            .expect("git can be started");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "git {words:?}: {said}");
    }

    fn settings(&self, lab: &Lab, gh: &Path) -> Settings {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        Settings {
            executable: Some(gh.to_owned()),
            executable_name: "gh".into(),
            environment: vec![
                format!("HOME={}", text(&self.home)),
                "PATH=/usr/bin:/bin".to_owned(),
                format!("GH_CONFIG_DIR={}", text(&lab.dir.join("gh-config"))),
                format!("GH_TOKEN={}", lab::DOTCOM),
            ]
            .into(),
            roots: vec![self.home.clone()],
            known_hosts: Some(vec!["github.com".into()]),
            default_host: "github.com".into(),
            ..Settings::default()
        }
    }

    fn request(&self, argv: &[&str]) -> Request {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        Request {
            argv: argv.into(),
            cwd: Some(Cwd::Local(self.dir.clone())),
            ..Request::default()
        }
    }

    fn facts(&self, settings: &Settings, for_call: Option<&Request>) -> GitFacts {
        let (send, receive) = mpsc::channel();
        let wanted = for_call.and_then(|call| commit_range(call.clone(), settings.clone()));
        facts::collect(
            Some(Path::new("/usr/bin/git")),
            &self.dir,
            &settings.environment,
            wanted,
            move |facts| send.send(facts).expect("the test waits"),
        )
        .expect("git can be asked");
        let answer = receive.recv_timeout(Duration::from_secs(20));
        answer.expect("git answers")
    }

    /// The Plan of `argv`, with the git facts collected for this call.
    fn plan(&self, lab: &Lab, gh: &Path, argv: &[&str]) -> Result<Plan, Refusal> {
        let settings = self.settings(lab, gh);
        let request = self.request(argv);
        let facts = self.facts(&settings, Some(&request));
        plan(
            &Request {
                facts: Some(facts),
                ..request
            }
            .into(),
            &settings,
        )
    }

    /// What gh sends for `argv` in this checkout; with `blind`, gh finds no checkout (`GIT_DIR=/dev/null`).
    fn sent(&self, lab: &Lab, gh: &Path, argv: &[String], blind: bool) -> Sent {
        let before = lab.requests().len();
        let mut command = Command::new(gh);
        command
            .args(argv)
            .current_dir(&self.dir)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", "/usr/bin:/bin")
            .env("GH_CONFIG_DIR", lab.dir.join("gh-config"))
            .env("GH_TOKEN", lab::DOTCOM)
            .env("GH_TELEMETRY", "false")
            .env("GH_NO_UPDATE_NOTIFIER", "1")
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
            .stdin(Stdio::null());
        if blind {
            command.env("GIT_DIR", "/dev/null");
        }
        let done = command.output().expect("gh can be started");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{argv:?}: {said}");
        let requests = lab.requests();
        let input = requests[before..]
            .iter()
            .map(|request| &request["graphql"])
            .find(|graphql| graphql["operation"] == "PullRequestCreate")
            .map(|graphql| graphql["variables"]["input"].clone())
            .expect("a pull request was made");
        let field = |name: &str| input[name].as_str().unwrap_or_default().to_owned();
        (field("baseRefName"), field("title"), field("body"))
    }
}

fn shown(plan: &Plan) -> (Option<String>, Option<String>) {
    let text = |label: &str| {
        let texts = &plan.info().question.texts;
        let text = texts.iter().find(|text| text.label == label);
        text.map(|text| text.text.clone())
    };
    (text("Title"), text("Body"))
}

const MESSAGES: &[&[&str]] = &[
    &["Keep rows together\n\nThey were cut in two.\n\n- a list\n  of two lines"],
    &[
        "One",
        "Two\n\nwith a body\n\n    indented\n",
        "Three_and-four\ncontinued",
    ],
    &["Only a title"],
    &["Ümläute → ünd 漢字\n\n* \"quoted\" $(x) `y` \\n"],
];

#[test]
fn the_shown_title_and_body_are_those_that_gh_would_send_and_then_sends() {
    let mut compared = 0;
    for gh in lab::gh_binaries() {
        let lab = Lab::start(&["--forget"]);
        for (nth, commits) in MESSAGES.iter().enumerate() {
            let checkout = Checkout::new(&lab, &format!("{nth}"), commits);
            for form in ["--fill", "--fill-first", "--fill-verbose", "-f"] {
                let all = [
                    &[][..],
                    &["--title", "Mine"],
                    &["-b", "mine"],
                    &["-H", "octo:fix_the-table"],
                ];
                // One checkout tries the flags beside --fill; the others need none.
                let some = if nth == 1 { all.len() } else { 1 };
                for more in &all[..some] {
                    let argv = [&["pr", "create", form], *more].concat();
                    let mut bare: Vec<String> = argv.iter().map(|w| (*w).to_owned()).collect();
                    bare.extend(["-R", "github.com/o/r"].map(str::to_owned));
                    if !more.contains(&"-H") {
                        bare.extend(["--head", "fix_the-table"].map(str::to_owned));
                    }
                    let would = checkout.sent(&lab, &gh, &bare, false);
                    let plan = checkout
                        .plan(&lab, &gh, &argv)
                        .expect("the fill can be shown");
                    assert_eq!(
                        shown(&plan),
                        (Some(would.1.clone()), Some(would.2.clone())),
                        "{}: {argv:?}",
                        gh.display()
                    );
                    let line = plan.info().argv.join("\u{1}");
                    assert!(
                        !line.contains("--fill") && !line.contains("\u{1}-f\u{1}"),
                        "{line}"
                    );
                    let does = checkout.sent(&lab, &gh, &plan.info().argv, true);
                    assert_eq!(does, would, "{}: {argv:?}", gh.display());
                    compared += 1;
                }
            }
        }
    }
    eprintln!(
        "{compared} calls of pr create --fill: what gh would send, what is shown, what gh sends"
    );
}

#[test]
fn the_order_of_commits_and_the_base_are_those_of_gh() {
    // The catalogued versions only: an older gh does not know the configured base, while our call names the base anyway.
    let catalogued = |gh: &PathBuf| {
        let folder = gh.parent().and_then(Path::file_name);
        BUILT_IN
            .iter()
            .any(|(version, _)| folder == Some(version.as_ref()))
    };
    for gh in lab::gh_binaries().into_iter().filter(catalogued) {
        let lab = Lab::start(&["--forget"]);
        let checkout = Checkout::new(&lab, "merged", &["One"]);
        // A merge, a commit that main has too, and a side branch with an older date.
        checkout.git(&["checkout", "-q", "-b", "side", "main"]);
        checkout.git(&[
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "Side",
            "--date=2020-01-01T00:00:00Z",
        ]);
        checkout.git(&["checkout", "-q", "fix_the-table"]);
        checkout.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
        checkout.git(&["commit", "-q", "--allow-empty", "-m", "Last"]);
        checkout.git(&["update-ref", "refs/remotes/origin/dev", "side"]);
        checkout.git(&["tag", "fix_the-table", "main"]);
        checkout.git(&["tag", "-d", "fix_the-table"]);
        for (config, argv) in [
            (None, &["pr", "create", "--fill-verbose"][..]),
            (None, &["pr", "create", "--fill", "--base", "dev"]),
            (Some("dev"), &["pr", "create", "--fill"]),
            // gh takes the base from the configuration without --fill as well.
            (Some("dev"), &["pr", "create", "-t", "t", "-b", "b"]),
            (
                Some("dev"),
                &["pr", "create", "-t", "t", "-b", "b", "-B", "main"],
            ),
        ] {
            if let Some(base) = config {
                checkout.git(&["config", "branch.fix_the-table.gh-merge-base", base]);
            }
            let mut bare: Vec<String> = argv.iter().map(|w| (*w).to_owned()).collect();
            bare.extend(["-R", "github.com/o/r", "--head", "fix_the-table"].map(str::to_owned));
            let would = checkout.sent(&lab, &gh, &bare, false);
            let plan = checkout
                .plan(&lab, &gh, argv)
                .expect("the fill can be shown");
            let does = checkout.sent(&lab, &gh, &plan.info().argv, true);
            assert_eq!(does, would, "{}: {argv:?}", gh.display());
        }
    }
}

#[test]
fn a_secret_in_the_message_of_a_commit_is_refused() {
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    let lab = Lab::start(&[]);
    let token = format!(
        "ghp_{}",
        "wX3kP9qL".repeat(5).get(..36).expect("40 letters")
    );
    let message = format!("Log in\n\nUse {token} for it");
    let checkout = Checkout::new(&lab, "secret", &[&message]);
    let plan = checkout
        .plan(&lab, &gh, &["pr", "create", "--fill"])
        .expect("the Plan is made, with a refusal");
    let refusal = plan.refusal().expect("a secret is not sent");
    assert_eq!(refusal.kind, ErrorKind::PolicyBlocked);
    let all = format!("{:?}{refusal}", plan.info());
    assert!(!all.contains(&token), "{all}");
}

#[test]
fn a_fill_that_cannot_be_shown_beforehand_is_refused_with_a_next_step() {
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    let lab = Lab::start(&[]);
    let checkout = Checkout::new(&lab, "refused", &["One", "Two"]);
    let refused = |argv: &[&str], part: &str| {
        let refusal = checkout.plan(&lab, &gh, argv).err();
        let said = refusal
            .map(|refusal| refusal.to_string())
            .unwrap_or_default();
        assert!(said.contains(part), "{argv:?}: {said}");
        assert_eq!(said.lines().count(), 2, "{said}");
    };
    refused(&["pr", "create", "--fill", "--fill-first"], "in one call");
    refused(&["pr", "create", "-df"], "word of its own");
    refused(
        &["pr", "create", "--fill", "--head", "nosuch"],
        "cannot list the commits of the checkout's branch nosuch",
    );
    refused(
        &["pr", "create", "--fill", "--base", "nosuch"],
        "cannot list",
    );
    refused(
        &["pr", "create", "--fill", "--base", "main...HEAD"],
        "misread",
    );
    refused(&["pr", "create", "--fill", "--base=--output=x"], "misread");
    refused(
        &["pr", "create", "--fill", "--head", "main"],
        "has no commit that main lacks",
    );
    refused(
        &["pr", "create", "--fill", "-R", "other/repo"],
        "Give --base",
    );
    let long = "x".repeat(400);
    for _ in 0..200 {
        checkout.git(&["commit", "-q", "--allow-empty", "-m", &long]);
    }
    refused(&["pr", "create", "--fill"], "longer than the text");
    checkout.git(&["symbolic-ref", "-d", "refs/remotes/origin/HEAD"]);
    refused(&["pr", "create", "--fill"], "Give --base");
    // Facts collected for another call have no commits, or the commits of another branch.
    let settings = checkout.settings(&lab, &gh);
    let with = |facts: GitFacts, argv: &[&str]| {
        let request = checkout.request(argv);
        let planned = plan(
            &Request {
                facts: Some(facts),
                ..request
            }
            .into(),
            &settings,
        );
        planned
            .err()
            .map(|refusal| refusal.to_string())
            .unwrap_or_default()
    };
    let said = with(
        checkout.facts(&settings, None),
        &["pr", "create", "--fill", "-B", "main"],
    );
    assert!(said.contains("not read for this call"), "{said}");
    let other = checkout.request(&[
        "pr",
        "create",
        "--fill-first",
        "-B",
        "fix_the-table",
        "-H",
        "main",
    ]);
    let said = with(
        checkout.facts(&settings, Some(&other)),
        &["pr", "create", "--fill-first", "-B", "main"],
    );
    assert!(said.contains("not read for this call"), "{said}");
}

#[test]
fn a_title_and_a_body_in_the_call_need_no_commits() {
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    let lab = Lab::start(&[]);
    let checkout = Checkout::new(&lab, "said", &["One"]);
    for (argv, gone) in [
        (
            &[
                "pr", "create", "--fill", "--title", "t", "--body", "b", "-H", "nosuch",
            ][..],
            true,
        ),
        (
            &[
                "pr",
                "create",
                "--fill=false",
                "--title",
                "t",
                "--body",
                "b",
            ],
            false,
        ),
        (&["pr", "create", "--title", "t", "--body", "b"], false),
    ] {
        let plan = checkout.plan(&lab, &gh, argv).expect("nothing is missing");
        assert_eq!(shown(&plan), (Some("t".to_owned()), Some("b".to_owned())));
        let has = plan
            .info()
            .argv
            .iter()
            .any(|word| word.starts_with("--fill"));
        assert_eq!(has, !gone && argv.contains(&"--fill=false"), "{argv:?}");
    }
    // gh ignores a template beside --fill, and refuses one beside --body.
    let plan = checkout
        .plan(&lab, &gh, &["pr", "create", "--fill", "--template", "x.md"])
        .expect("gh ignores the template");
    assert!(
        !plan
            .info()
            .argv
            .iter()
            .any(|word| word.contains("template"))
    );
}

#[test]
fn a_call_that_uses_the_checkout_is_blocked_or_names_the_branch_itself() {
    let class = |words: &[&str]| {
        let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        classify(&argv).class
    };
    assert_eq!(class(&["issue", "develop", "1"]), Class::Write);
    for words in [
        &["issue", "develop", "1", "--base", "main"][..],
        &["issue", "develop", "1", "--checkout"],
        &["release", "create", "v1", "--notes-from-tag"],
        &["pr", "create", "--recover", "x"],
    ] {
        assert_eq!(class(words), Class::Blocked, "{words:?}");
    }
    let Some(gh) = lab::gh_binaries().pop() else {
        return;
    };
    let lab = Lab::start(&[]);
    let checkout = Checkout::new(&lab, "ruleset", &["One"]);
    let argv_of = |argv: &[&str]| {
        let plan = checkout.plan(&lab, &gh, argv).expect("the branch is known");
        plan.info().argv.clone()
    };
    let branch = "fix_the-table".to_owned();
    assert!(argv_of(&["ruleset", "check"]).contains(&branch));
    assert!(!argv_of(&["ruleset", "check", "main"]).contains(&branch));
    assert!(!argv_of(&["ruleset", "check", "--default"]).contains(&branch));
}
