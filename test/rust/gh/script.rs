//! A shell script in gh's place, in a home of its own, and calls that run it.  Included by src/gh/tools/mod.rs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use crate::gate::{Outcome, Plan};
use crate::gh::call::request::Settings;

pub(super) const HOUR: Duration = Duration::from_secs(3_600);

/// A home with a gh that is a script, removed when dropped.
pub(super) struct Script {
    pub home: PathBuf,
}

impl Script {
    /// A gh of the version `version` whose further calls run `script`.
    pub fn new(version: &str, script: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cj-gate-script-{}-{next}", std::process::id());
        let home = std::env::temp_dir().join(name);
        fs::create_dir(&home).expect("a new directory");
        let gh = home.join("gh");
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo 'gh version {version} (2026-01-01)'; exit; }}\n\
             printf '%s\\n' \"$*\" >> \"$HOME/asked\"\n{script}\n"
        );
        fs::write(&gh, text).expect("a script");
        fs::set_permissions(&gh, fs::Permissions::from_mode(0o700))
            .expect("the test's own directory");
        Self { home }
    }

    /// The command lines that gh got, in order.
    pub fn asked(&self) -> Vec<String> {
        let text = fs::read_to_string(self.home.join("asked")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub fn settings(&self) -> Settings {
        Settings {
            executable: Some(self.home.join("gh")),
            executable_name: "gh".into(),
            environment: vec![
                format!("HOME={}", self.home.display()),
                "PATH=/usr/bin:/bin".to_owned(),
                "GH_TOKEN=none".to_owned(),
            ]
            .into(),
            roots: vec![self.home.clone()],
            known_hosts: Some(vec!["github.com".into()]),
            default_host: "github.com".into(),
            ..Settings::default()
        }
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// The outcome of `plan` after a person's yes.
pub(super) fn approved(mut plan: Plan) -> Outcome {
    let digest = plan.info().digest.clone();
    plan.approve(&digest, HOUR)
        .expect("a person is asked about the call");
    run(plan)
}

/// The outcome of `plan`, which may run.
pub(super) fn run(mut plan: Plan) -> Outcome {
    let (send, receive) = mpsc::channel();
    plan.start(move |outcome| send.send(outcome).expect("the test waits"))
        .expect("the call may run");
    receive.recv_timeout(HOUR).expect("the call ends")
}
