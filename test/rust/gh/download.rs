//! The download of an artifact, from the plan to the files; a script in gh's place prints the archive.
//! Included by src/gh/tools/download/mod.rs; test/lisp/download-tests.el has the real gh and a person's keys.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::*;
use crate::gate::decide::policy;
use crate::gate::{Answer, Class, Cwd, ErrorKind, Outcome, Plan, PlanError};
use crate::gh::tools::script::{HOUR, Script, approved};
use crate::gh::tools::{ToolCall, plan};

#[path = "download_release.rs"]
mod release;

/// A home with a gh that prints an archive.
struct Home(Script);

impl Home {
    /// `script` is the shell script that prints the archive.
    fn new(script: &str) -> Self {
        Self::with_gh("2.92.0", script)
    }

    /// As [`Self::new`], with a gh of this version.
    fn with_gh(version: &str, script: &str) -> Self {
        Self(Script::new(version, script))
    }

    /// A home whose gh prints the archive `name` of fixtures/archives.
    fn with_archive(name: &str) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/archives");
        Self::new(&format!("cat '{}'", file.join(name).display()))
    }

    fn downloads(&self) -> PathBuf {
        self.0.home.join("downloads")
    }

    fn settings(&self) -> Settings {
        Settings {
            artifact_directory: Some(self.downloads()),
            artifact_bytes: 1_000_000,
            ..self.0.settings()
        }
    }

    fn request(&self, artifact: Artifact) -> ToolCall {
        let request = Request {
            argv: ["run", "download", "7", "--name", "report"]
                .map(str::to_owned)
                .to_vec()
                .into(),
            cwd: Some(Cwd::Local(self.0.home.clone())),
            repo: Some("o/r".into()),
            ..Request::default()
        };
        let download = Some(Download::Artifact {
            run: 7,
            name: "report".into(),
            found: Ok(artifact),
        });
        ToolCall {
            download,
            ..request.into()
        }
    }

    fn plan(&self, artifact: Artifact) -> Plan {
        plan(&self.request(artifact), &self.settings()).expect("a plan")
    }

    /// The outcome of the download of `artifact` after a person's yes.
    fn run(&self, artifact: Artifact) -> Outcome {
        approved(self.plan(artifact))
    }

    /// Every name below the directory for downloads.
    fn left(&self) -> Vec<String> {
        fn walk(at: &Path, out: &mut Vec<String>) {
            for entry in fs::read_dir(at).into_iter().flatten().flatten() {
                out.push(entry.path().to_string_lossy().into_owned());
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    walk(&entry.path(), out);
                }
            }
        }
        let mut out = Vec::new();
        walk(&self.downloads(), &mut out);
        out
    }

    /// The command lines that gh got.
    fn asked(&self) -> String {
        self.0.asked().join("\n")
    }
}

fn artifact() -> Artifact {
    Artifact {
        id: 801,
        size: 403,
        digest: None,
    }
}

#[test]
fn a_download_asks_first_writes_below_its_directory_and_lists_names_alone() {
    let home = Home::with_archive("streamed.zip");
    let mut plan = home.plan(artifact());
    let info = plan.info();
    assert_eq!((info.class, info.answer), (Class::Write, Answer::Confirm));
    assert_eq!(info.command, "run download");
    let place = home.downloads().join("github.com/o/r/7/report");
    let line = "gh api --method GET repos/o/r/actions/artifacts/801/zip --hostname github.com > packed.zip";
    assert_eq!(info.argv.last().map(String::as_str), Some(line));
    assert!(info.argv.contains(&place.to_string_lossy().into_owned()));
    let rows = &info.question.rows;
    assert_eq!(rows[0].text, "report (number 801), 403 B packed, of run 7");
    assert_eq!(rows[1].text, format!("{}/", place.display()));
    assert!(info.no_lease.is_some());
    assert!(matches!(plan.start(|_| ()), Err(PlanError::Denied(_))));
    assert_eq!((home.asked(), home.left()), (String::new(), vec![]));

    let done = home.run(artifact());
    assert_eq!(done.kind, None, "{}", done.text);
    assert!(done.header.contains(" write confirmed "), "{}", done.header);
    let text = format!(
        "3 files, 2.0 KB, of artifact report of run 7, in\n{}/\n- summary.txt 9 B\n- logs/build.log 2.0 KB\n- logs/empty 0 B",
        place.display()
    );
    assert_eq!(done.text, text);
    let held = fs::read_to_string(place.join("summary.txt"));
    assert_eq!(held.expect("there"), "3 passed\n");
    assert_eq!(home.asked(), line[3..].replace(" > packed.zip", ""));
    // A second one stands beside the first.
    let again = home.run(artifact());
    assert!(
        again.text.contains("/github.com/o/r/7/report-2/\n"),
        "{}",
        again.text
    );
    assert!(!home.left().iter().any(|name| name.contains(".filling")));
}

/// Downloads `artifact` with `script` in gh's place; the outcome must be of `kind`, hold `words` and leave no file.
fn check(script: &str, artifact: Artifact, kind: ErrorKind, words: &str) {
    let home = Home::new(script);
    let begun = Instant::now();
    let got = home.run(artifact);
    assert_eq!(got.kind, Some(kind), "{script}: {}", got.text);
    assert!(got.text.contains(words), "{script}: {}", got.text);
    assert_eq!(home.left(), Vec::<String>::new(), "{script}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{script}");
}

#[test]
fn a_download_that_fails_says_why_and_leaves_nothing() {
    let gone = "echo '{\"message\":\"Artifact has expired\"}'; echo 'gh: Artifact has expired (HTTP 410)' >&2; exit 1";
    check(
        gone,
        artifact(),
        ErrorKind::NotFound,
        "has expired or was deleted",
    );
    let closed = "echo 'gh: Resource not accessible by integration (HTTP 403)' >&2; exit 1";
    check(
        closed,
        artifact(),
        ErrorKind::NoAccess,
        "Resource not accessible",
    );
    let endless = "cat /dev/zero";
    check(
        endless,
        artifact(),
        ErrorKind::PolicyBlocked,
        "more than 1000000 bytes",
    );
    check("exit 0", artifact(), ErrorKind::Failed, "no zip file");
    check("echo '{}'", artifact(), ErrorKind::Failed, "no zip file");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/archives");
    let link = format!("cat '{folder}/link.zip'");
    check(
        &link,
        artifact(),
        ErrorKind::PolicyBlocked,
        "`way-out' in it is a link",
    );
    let forged = Artifact {
        digest: Some(format!("sha256:{}", "0".repeat(64))),
        ..artifact()
    };
    let streamed = format!("cat '{folder}/streamed.zip'");
    check(
        &streamed,
        forged,
        ErrorKind::Failed,
        "its sha256 is not the one in GitHub's list",
    );
}

#[test]
fn the_right_digest_is_accepted() {
    let home = Home::with_archive("streamed.zip");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/archives/streamed.zip");
    let hash = Sha256::digest(fs::read(file).expect("a fixture"));
    let hex = hash.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02X}");
        hex
    });
    let got = home.run(Artifact {
        digest: Some(format!("sha256:{hex}")),
        ..artifact()
    });
    assert_eq!(got.kind, None, "{}", got.text);
}

#[test]
fn a_download_that_is_cancelled_or_too_slow_ends_and_leaves_nothing() {
    let script = "printf PK; touch \"$HOME/begun\"; sleep 60";
    let home = Home::new(script);
    let mut request = home.request(artifact());
    request.request.timeout = Some(Duration::from_millis(300));
    let run = |request: &ToolCall, cancel: bool| {
        let mut plan = plan(request, &home.settings()).expect("a plan");
        let digest = plan.info().digest.clone();
        plan.approve(&digest, HOUR)
            .expect("a person is asked about the call");
        let (send, receive) = mpsc::channel();
        let handle = plan
            .start(move |outcome| send.send(outcome).expect("the test waits"))
            .expect("the call was approved");
        if cancel {
            while !home.0.home.join("begun").exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            handle.cancel();
        }
        receive
            .recv_timeout(Duration::from_secs(20))
            .expect("the call ends")
    };
    let late = run(&request, false);
    assert_eq!(late.kind, Some(ErrorKind::Timeout), "{}", late.text);
    assert_eq!(home.left(), Vec::<String>::new());
    let _ = fs::remove_file(home.0.home.join("begun"));
    let ended = run(&home.request(artifact()), true);
    assert_eq!(ended.kind, Some(ErrorKind::Cancelled), "{}", ended.text);
    assert_eq!(home.left(), Vec::<String>::new());
}

#[test]
fn a_changed_too_large_or_blocked_download_is_refused_before_gh_is_asked() {
    let home = Home::new("exit 9");
    let refused = |request: &ToolCall, settings: &Settings| {
        let made = plan(request, settings);
        made.map_or_else(Some, |plan| plan.refusal())
            .expect("it is refused")
    };
    let settings = home.settings();
    let mut request = home.request(artifact());
    request.request.argv = ["run", "download", "8", "--name", "report"]
        .map(str::to_owned)
        .to_vec()
        .into();
    let got = refused(&request, &settings);
    assert_eq!(got.kind, ErrorKind::BadArgument);
    assert!(got.message.contains("cannot be changed"), "{got}");

    let large = Artifact {
        size: 1_000_001,
        ..artifact()
    };
    let got = refused(&home.request(large), &settings);
    assert_eq!(got.kind, ErrorKind::PolicyBlocked);
    assert!(got.message.contains("at most 1.0 MB"), "{got}");

    let mut request = home.request(artifact());
    if let Some(Download::Artifact { found, .. }) = &mut request.download {
        *found = Err(Refusal::new(ErrorKind::NotFound, "There is none.\nLook."));
    }
    assert_eq!(refused(&request, &settings).kind, ErrorKind::NotFound);

    let mut block = home.settings();
    block.policies = vec![policy::Layer {
        general: vec![("write".into(), "block".into())],
        hosts: Vec::new(),
    }];
    let got = refused(&home.request(artifact()), &block);
    assert_eq!(got.kind, ErrorKind::PolicyBlocked);

    let mut elsewhere = home.settings();
    elsewhere.artifact_directory = None;
    let got = refused(&home.request(artifact()), &elsewhere);
    assert_eq!(got.kind, ErrorKind::BadCwd);
    assert_eq!(home.asked(), "");
}

#[test]
fn another_artifact_or_directory_has_another_digest() {
    let home = Home::new("exit 9");
    let digest = |artifact, settings: &Settings| {
        let plan = plan(&home.request(artifact), settings).expect("a plan");
        plan.info().digest.clone()
    };
    let settings = home.settings();
    let first = digest(artifact(), &settings);
    assert_eq!(first, digest(artifact(), &settings));
    let other = Artifact {
        id: 802,
        ..artifact()
    };
    assert_ne!(first, digest(other, &settings));
    let mut elsewhere = home.settings();
    elsewhere.artifact_directory = Some(home.0.home.join("elsewhere"));
    assert_ne!(first, digest(artifact(), &elsewhere));
}
