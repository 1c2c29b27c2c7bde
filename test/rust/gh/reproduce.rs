//! The shell line that repeats a call: a real shell runs the line, and the real gh then sends the stand-in GitHub the
//! requests of the call itself.
#![allow(clippy::disallowed_methods, clippy::print_stderr)] // the test starts the shell itself

use crate::lab::{self, Lab};
use cj_gate::gate::{Cwd, ErrorKind, Outcome, Plan};
use cj_gate::gh::call::request::{Request, Settings};
use cj_gate::gh::tools::plan;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

const ROWS: &str = include_str!("../../../fixtures/reproduce.jsonl");

/// The environment of the person's shell and of the test's Emacs.
fn environment(lab: &Lab, home: &Path) -> Vec<(String, String)> {
    [
        ("HOME", home.to_string_lossy().into_owned()),
        ("PATH", "/usr/bin:/bin".to_owned()),
        (
            "GH_CONFIG_DIR",
            lab.dir.join("gh-config").to_string_lossy().into_owned(),
        ),
        ("GH_TOKEN", lab::DOTCOM.to_owned()),
        ("GH_ENTERPRISE_TOKEN", lab::WORK.to_owned()),
        ("GH_TELEMETRY", "false".to_owned()),
        ("GH_NO_UPDATE_NOTIFIER", "1".to_owned()),
        (
            "DBUS_SESSION_BUS_ADDRESS",
            "unix:path=/nonexistent".to_owned(),
        ),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

fn settings(lab: &Lab, home: &Path, gh: &Path) -> Settings {
    Settings {
        executable: Some(gh.to_owned()),
        executable_name: "gh".into(),
        environment: environment(lab, home)
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .into(),
        roots: vec![home.to_owned()],
        known_hosts: Some(vec!["github.com".into(), "ghe.example.com".into()]),
        default_host: "github.com".into(),
        ..Settings::default()
    }
}

/// A home whose path holds blanks, a quote and `$(x)`: the shell line must quote the path.
fn home(lab: &Lab, name: &str) -> PathBuf {
    let home = lab.dir.join(format!("it's a home $(x) {name}"));
    std::fs::create_dir_all(&home).expect("a home can be made");
    home
}

fn made(lab: &Lab, home: &Path, gh: &Path, row: &Value) -> Plan {
    let text = |key: &str| row[key].as_str().map(str::to_owned);
    let request = Request {
        argv: words(&row["argv"]).into(),
        cwd: Some(Cwd::Local(home.to_owned())),
        repo: text("repo"),
        hostname: text("hostname"),
        ..Request::default()
    };
    plan(&request.into(), &settings(lab, home, gh)).unwrap_or_else(|e| panic!("{row}: {e:?}"))
}

fn words(list: &Value) -> Vec<String> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    list.iter()
        .map(|word| word.as_str().expect("a word").to_owned())
        .collect()
}

/// `line` with `values` in the places of its marked placeholders, in order, as a person would fill them in.
fn filled(line: &str, values: &[String]) -> String {
    let mut line = line.to_owned();
    for value in values {
        let start = line.find("[REDACTED:").expect("a placeholder is marked");
        let end = start + line[start..].find(']').expect("a mark is closed") + 1;
        // The placeholder stands inside single quotes.
        line.replace_range(start..end, &value.replace('\'', "'\\''"));
    }
    assert!(!line.contains("[REDACTED:"), "{line}");
    line
}

/// Runs `line` by sh in another directory than the call's own; returns exit code, output and errors.
fn in_a_shell(lab: &Lab, home: &Path, line: &str) -> (Option<i32>, String, String) {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", line])
        .env_clear()
        .envs(environment(lab, home))
        .current_dir("/")
        .stdin(Stdio::null());
    let out = shell.output().expect("a shell runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (out.status.code(), text(out.stdout), text(out.stderr))
}

/// Runs the exact argv of `plan`, which the gate would not run unasked; returns the exit code.
fn by_hand(lab: &Lab, home: &Path, gh: &Path, plan: &Plan) -> Option<i32> {
    let mut command = Command::new(gh);
    command
        .args(&plan.info().argv)
        .env_clear()
        .envs(environment(lab, home))
        .current_dir(home)
        .stdin(Stdio::null());
    command.output().expect("gh runs").status.code()
}

/// The requests after the first `seen` ones, reduced to what was asked for.
fn asked(lab: &Lab, seen: usize) -> Vec<String> {
    let requests = lab.requests();
    let new = requests.iter().skip(seen);
    let mut asked: Vec<String> = new
        .map(|r| {
            let graphql = &r["graphql"];
            format!(
                "{} {} {} {} {} {}",
                r["http_host"],
                r["method"],
                r["path"],
                r["body"],
                graphql["query"],
                graphql["variables"]
            )
        })
        .collect();
    // gh asks for the host's features in parallel, so their order varies.
    asked.sort();
    asked
}

fn ran(mut plan: Plan) -> Outcome {
    let (send, receive) = mpsc::channel();
    plan.start(move |outcome| send.send(outcome).expect("the test waits"))
        .expect("a read runs by itself");
    receive
        .recv_timeout(Duration::from_secs(60))
        .expect("it ends")
}

#[test]
fn a_shell_that_runs_the_line_asks_for_the_same() {
    let binaries = lab::gh_binaries();
    for gh in &binaries {
        let lab = Lab::start(&[]);
        for (nth, row) in ROWS.lines().enumerate() {
            let row: Value = serde_json::from_str(row).expect("a row is JSON");
            // Each run gets a home of its own: gh remembers there what it learns about a host.
            let (first, second) = (
                home(&lab, &format!("{nth}a")),
                home(&lab, &format!("{nth}b")),
            );
            let plan = made(&lab, &first, gh, &row);
            let line = plan.info().reproduce.clone();
            let fill = words(&row["fill"]);
            assert!(!line.contains(['\n', '\u{1b}', '\u{202e}']), "{line}");
            for secret in &fill {
                assert!(!line.contains(secret.as_str()), "{line}");
            }
            let seen = lab.requests().len();
            let (code, stdout) = if fill.is_empty() {
                let outcome = ran(plan);
                (outcome.exit_code, Some(outcome.stdout))
            } else {
                (by_hand(&lab, &first, gh, &plan), None)
            };
            let call = asked(&lab, seen);
            assert!(!call.is_empty(), "{row}");
            let seen = lab.requests().len();
            let line = filled(&line, &fill);
            let (again, shown, errors) = in_a_shell(&lab, &second, &line);
            assert_eq!(again, code, "{line}\n{errors}");
            if let Some(stdout) = stdout {
                assert_eq!(shown.trim_end(), stdout.trim_end(), "{line}");
            }
            assert_eq!(asked(&lab, seen), call, "{line}");
        }
    }
}

/// Owners whose repositories always fail (test/lab/trouble.rs), and the kind of error that a read there must give.
const TROUBLE: &[(&str, ErrorKind)] = &[
    ("err401", ErrorKind::Auth),
    ("err403-sso", ErrorKind::Auth),
    ("err403-scope", ErrorKind::Auth),
    ("err403-limit", ErrorKind::RateLimit),
    ("err403-secondary", ErrorKind::RateLimit),
    ("err403", ErrorKind::NoAccess),
    ("err404", ErrorKind::NotFound),
    ("err410", ErrorKind::NotFound),
    ("err422", ErrorKind::Failed),
    ("err429", ErrorKind::RateLimit),
    ("err500", ErrorKind::Network),
    ("err502", ErrorKind::Network),
    ("err503", ErrorKind::Network),
    ("cut", ErrorKind::Network),
    ("garbage", ErrorKind::Network),
];

#[test]
fn each_failure_of_a_host_has_its_kind_a_next_step_and_a_line_that_repeats_it() {
    let binaries = lab::gh_binaries();
    for gh in &binaries {
        let lab = Lab::start(&[]);
        for (owner, kind) in TROUBLE {
            for argv in [
                vec!["pr", "view", "1", "--json", "number,title"],
                vec!["run", "list", "--json", "databaseId"],
            ] {
                let home = home(&lab, "trouble");
                let row = serde_json::json!({ "argv": argv, "repo": format!("{owner}/r") });
                let plan = made(&lab, &home, gh, &row);
                let line = plan.info().reproduce.clone();
                let outcome = ran(plan);
                let kind = match owner {
                    // For `run list', gh 2.92.0 leaves out the sentence about the missing scope.
                    &"err403-scope"
                        if !outcome.stderr.contains("needs the \"repo\" scope")
                            && argv[0] == "run" =>
                    {
                        &ErrorKind::NoAccess
                    }
                    _ => kind,
                };
                assert_eq!(
                    outcome.kind,
                    Some(*kind),
                    "{owner} {argv:?}\n{}",
                    outcome.stderr
                );
                let lines: Vec<&str> = outcome.text.lines().collect();
                assert_eq!(
                    lines.len(),
                    3,
                    "error, next step, shell line: {}",
                    outcome.text
                );
                assert!(
                    lines[0].starts_with("Error: ") && lines[1].len() > 20,
                    "{lines:?}"
                );
                assert_eq!(lines[2], format!("Reproduce: {line}"));
                let (code, _, errors) = in_a_shell(&lab, &home, &line);
                assert_eq!(code, outcome.exit_code, "{line}");
                assert_eq!(errors.trim_end(), outcome.stderr.trim_end(), "{line}");
            }
        }
    }
}
