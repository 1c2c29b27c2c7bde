//! What the tests of errands share: a script in gh's place, and an errand from its look-up to its outcome.
//! Included by src/gh/tools/errand.rs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::gate::{Cwd, Outcome, Plan, PlanInfo, Refusal};
use crate::gh::call::request::{Request, Settings};
use crate::gh::tools::errand::{Errand, Step};
use crate::gh::tools::{ToolCall, plan};

const HOUR: Duration = Duration::from_secs(3_600);

/// A home with a gh of its own, removed when dropped.
pub(in crate::gh::tools) struct Home(PathBuf);

/// What gh prints: to a call whose arguments hold the text, this output with this exit code.
pub(in crate::gh::tools) type Prints<'a> = &'a [(&'a str, Value, u8)];

impl Home {
    pub fn new(prints: Prints<'_>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cj-gate-errand-{}-{next}", std::process::id());
        let home = Self(std::env::temp_dir().join(name));
        fs::create_dir(&home.0).expect("a new directory");
        let mut cases = String::new();
        for (n, (holds, output, exit)) in prints.iter().enumerate() {
            let file = home.0.join(format!("print-{n}"));
            fs::write(&file, output.to_string()).expect("a file");
            let file = file.display();
            cases = format!("{cases}*'{holds}'*) cat '{file}'; exit {exit};;\n");
        }
        let gh = home.0.join("gh");
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo 'gh version 2.92.0 (2026-01-01)'; exit; }}\n\
             printf '%s\\n' \"$*\" >> \"$HOME/asked\"\ncase \"$*\" in\n{cases}*) echo unexpected >&2; exit 9;;\nesac\n"
        );
        fs::write(&gh, text).expect("a script");
        fs::set_permissions(&gh, fs::Permissions::from_mode(0o700))
            .expect("the test's own directory");
        home
    }

    /// The command lines that gh got, in order.
    pub fn asked(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.join("asked")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn settings(&self) -> Settings {
        Settings {
            executable: Some(self.0.join("gh")),
            executable_name: "gh".into(),
            environment: vec![
                format!("HOME={}", self.0.display()),
                "PATH=/usr/bin:/bin".to_owned(),
                "GH_TOKEN=none".to_owned(),
            ]
            .into(),
            roots: vec![self.0.clone()],
            known_hosts: Some(vec!["github.com".into()]),
            default_host: "github.com".into(),
            ..Settings::default()
        }
    }

    /// The call for the step `step`, in the repository `o/r`; with `argv`, as a person changed it.
    fn call(&self, errand: &Arc<dyn Errand>, step: Step, argv: Option<Vec<String>>) -> ToolCall {
        let edited = argv.is_some();
        let request = Request {
            argv: argv
                .unwrap_or_else(|| vec!["pr".into(), "view".into()])
                .into(),
            cwd: Some(Cwd::Local(self.0.clone())),
            repo: Some("o/r".into()),
            edited,
            ..Request::default()
        };
        ToolCall {
            errand: Some((Arc::clone(errand), step)),
            ..request.into()
        }
    }

    pub fn look_up(&self, errand: &Arc<dyn Errand>) -> Outcome {
        let call = self.call(errand, Step::LookUp, None);
        run(plan(&call, &self.settings()).expect("the look-up is planned"))
    }

    /// The plan of the write, after the look-up.
    pub fn write(&self, errand: &Arc<dyn Errand>) -> Plan {
        let looked = self.look_up(errand);
        assert_eq!(looked.kind, None, "{}", looked.text);
        let call = self.call(errand, Step::Write, None);
        plan(&call, &self.settings()).expect("the write is planned")
    }

    /// The plan of the write that a person has changed to `argv`.
    pub fn changed(&self, errand: &Arc<dyn Errand>, argv: Vec<String>) -> Result<Plan, Refusal> {
        let call = self.call(errand, Step::Write, Some(argv));
        plan(&call, &self.settings())
    }

    /// The plan of the write after a look-up that failed.
    pub fn failed(&self, errand: &Arc<dyn Errand>, refusal: Refusal) -> Plan {
        let call = self.call(errand, Step::Failed(refusal), None);
        plan(&call, &self.settings()).expect("a refusal is planned")
    }

    /// The refusal of the write.
    pub fn refused(&self, errand: &Arc<dyn Errand>) -> Refusal {
        let plan = self.write(errand);
        let asked = self.asked();
        assert!(
            !asked.iter().any(|line| line.contains("mutation")),
            "{asked:?}"
        );
        plan.refusal().expect("the write is refused")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The outcome of `plan` after a person's yes.
pub(in crate::gh::tools) fn approved(mut plan: Plan) -> Outcome {
    let digest = plan.info().digest.clone();
    plan.approve(&digest, HOUR)
        .expect("a person is asked about the call");
    run(plan)
}

fn run(mut plan: Plan) -> Outcome {
    let (send, receive) = mpsc::channel();
    plan.start(move |outcome| send.send(outcome).expect("the test waits"))
        .expect("the call may run");
    receive.recv_timeout(HOUR).expect("the call ends")
}

/// The field `name` that the argv of `info` sends.
pub(in crate::gh::tools) fn field<'a>(info: &'a PlanInfo, name: &str) -> &'a str {
    let mut fields = info.argv.iter().filter_map(|word| word.split_once('='));
    let found = fields.find_map(|(key, text)| (key == name).then_some(text));
    found.unwrap_or_else(|| panic!("no field {name} in {:?}", info.argv))
}

/// The texts under `/`-separated labels that the question of `info` shows: those above, then those that go out.
pub(in crate::gh::tools) fn shown(info: &PlanInfo) -> Vec<(String, String)> {
    let question = &info.question;
    let mut all: Vec<(String, String)> = question
        .quoted
        .iter()
        .map(|q| (q.label.clone(), q.text.clone()))
        .collect();
    for text in &question.texts {
        all.extend(text.above.iter().map(|q| (q.label.clone(), q.text.clone())));
        all.push((text.label.clone(), text.text.clone()));
    }
    all
}
