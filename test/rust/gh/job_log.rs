//! A case of fixtures/ci-logs, and the log of its job in both of gh's forms.
//!
//! fixtures/ci-logs/README.md describes the format of a case. The lines that the runner prints of its own before and
//! after the steps of a case are in runner.txt there. Time stamps are made up: each line comes 2 ms after the one before.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The runner's own steps; the steps of a case take the place of the line `%% case`.
const RUNNER: &str = include_str!("../../../fixtures/ci-logs/runner.txt");

/// gh reads logs with a scanner that stops at a line of this many bytes or more; gh prints nothing from there on.
const TOO_LONG: usize = 64 * 1024;

/// One case, read.
pub struct Case {
    /// Its file below fixtures/ci-logs without `.txt`: `suites/go-test-one-of-many`.
    pub name: String,
    head: Part,
    steps: Vec<Part>,
}

/// The head of a case or one of its steps, as (name, value). A line `env: A: b` is (`env`, `A: b`), a mark
/// `%% exit 2` is (`exit`, `2`), and each line of the text below `%% output` is (`output`, that line).
#[derive(Default)]
struct Part(Vec<(String, String)>);

impl Part {
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let found = self.0.iter().filter(move |(key, _)| key == name);
        found.map(|(_, value)| &**value)
    }

    fn one(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| &**value)
    }

    /// Whether gh counts the step as failed.
    fn failed(&self) -> bool {
        self.one("exit").is_some_and(|code| code != "0") && self.one("may fail").is_none()
    }

    /// The lines that the runner and the programs of the step print; none where the step was skipped.
    fn log(&self) -> Vec<String> {
        let mut log = Vec::new();
        if self.one("skipped").is_some() {
            return log;
        }
        let block = |name: &'static str| {
            let title = self.one(name).map(|_| format!("{name}:"));
            let values = self.all(name).map(|value| format!("  {value}"));
            title.into_iter().chain(values)
        };
        let is_script = self.one("run").is_some();
        if let Some(action) = self.one("uses") {
            log.push(format!("##[group]Run {action}"));
            log.extend(block("with"));
            log.extend(block("env").filter(|_| !is_script));
            log.push("##[endgroup]".to_owned());
        }
        if let Some(first) = self.one("run") {
            log.push(format!("##[group]Run {first}"));
            log.extend(
                self.all("run")
                    .map(|line| format!("\u{1b}[36;1m{line}\u{1b}[0m")),
            );
            log.push(match self.one("shell") {
                Some(shell) => {
                    format!("shell: /usr/bin/{shell} --noprofile --norc -e -o pipefail {{0}}")
                }
                None => "shell: /usr/bin/bash -e {0}".to_owned(),
            });
            log.extend(block("env"));
            log.push("##[endgroup]".to_owned());
        }
        log.extend(self.all("output").map(str::to_owned));
        match self.one("exit") {
            None => log.push("##[error]The operation was canceled.".to_owned()),
            Some(code) if code != "0" && is_script => {
                log.push(format!("##[error]Process completed with exit code {code}."));
            }
            Some(_) => {}
        }
        log
    }
}

/// The head of the case `text` (all before its first step), and each step.
fn parts(text: &str) -> (Part, Vec<Part>) {
    let mut parts = vec![Part::default()];
    let mut text_of = "";
    for line in text.split_terminator('\n') {
        let (name, value) = if let Some(mark) = line.strip_prefix("%% ") {
            let (name, value) = mark.split_once(' ').unwrap_or((mark, ""));
            let has_text = ["run", "output", "stand-in", "file", "prepare"].contains(&name);
            text_of = if has_text { name } else { "" };
            if name == "step" {
                parts.push(Part::default());
            }
            if has_text {
                continue;
            }
            (name, value)
        } else if text_of.is_empty() {
            let Some(fact) = line.split_once(": ") else {
                continue;
            };
            fact
        } else {
            (text_of, line)
        };
        let part = parts.last_mut().expect("there is a first one");
        part.0.push((name.to_owned(), value.to_owned()));
    }
    let steps = parts.split_off(1);
    (parts.remove(0), steps)
}

impl Case {
    /// The case `name` with the content `text`.
    pub fn parse(name: &str, text: &str) -> Case {
        let (head, mut steps) = parts(text);
        if head.one("runner") != Some("own") {
            let around = RUNNER
                .replace("{job}", head.one("job").unwrap_or_default())
                .replace("{repo}", head.one("repo").unwrap_or_default());
            let (before, after) = around.split_once("%% case\n").expect("the mark is there");
            steps.splice(..0, parts(before).1);
            steps.extend(parts(after).1);
        }
        let name = name.to_owned();
        Case { name, head, steps }
    }

    /// Every case of fixtures/ci-logs, in the order of their names.
    pub fn all() -> Vec<Case> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ci-logs");
        let entries = |folder: &Path| {
            let entries = fs::read_dir(folder).expect("the folder is there");
            entries.map(|entry| entry.expect("it can be read").path())
        };
        let files = entries(&root)
            .filter(|path| path.is_dir())
            .flat_map(|path| entries(&path));
        let mut cases: Vec<Case> = files
            .filter(|path| path.extension().is_some_and(|end| end == "txt"))
            .map(|path| {
                let text = fs::read_to_string(&path).expect("a case is text");
                let path = path.with_extension("");
                let name = path.strip_prefix(&root).expect("it stands below");
                Case::parse(name.to_str().expect("a plain name"), &text)
            })
            .collect();
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        cases
    }

    /// The values of the lines `name: value` before the first step.
    pub fn facts<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.head.all(name)
    }

    /// The first value of the lines `name: value` before the first step.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.head.one(name)
    }

    /// The texts that must be told, as lists: one text of each list is enough. `command` and `tell` begin a list, `or`
    /// adds a text to the list before.
    pub fn to_tell(&self) -> Vec<Vec<&str>> {
        let mut lists: Vec<Vec<&str>> = Vec::new();
        for (name, value) in &self.head.0 {
            match name.as_str() {
                "command" | "tell" => lists.push(vec![value]),
                "or" => lists.last_mut().expect("a list was begun").push(value),
                _ => {}
            }
        }
        lists
    }

    /// The lines of the job: the place of the step, the time stamp, the text.
    fn lines(&self) -> impl Iterator<Item = (usize, String, String)> {
        let steps = self.steps.iter().enumerate();
        let lines = steps.flat_map(|(at, step)| step.log().into_iter().map(move |line| (at, line)));
        lines.enumerate().map(|(n, (at, line))| {
            let (second, part) = (n / 500, n % 500 * 20_000);
            let (hour, minute, second) = (9 + second / 3600, second / 60 % 60, second % 60);
            let time = format!("2026-11-10T{hour:02}:{minute:02}:{second:02}.{part:07}Z");
            (at, time, line)
        })
    }

    /// The job's log as GitHub's API gives it: a byte order mark, then `TIME TEXT`.
    pub fn raw(&self) -> String {
        let mut log = String::from("\u{feff}");
        for (_, time, text) in self.lines() {
            writeln!(log, "{time} {text}").expect("writing to a string cannot fail");
        }
        log
    }

    /// What `gh run view --log-failed` prints: `JOB<tab>STEP<tab>TIME TEXT` of each step that failed, with a byte order mark
    /// where a step begins and with ESC as `^[`; or the whole job, where gh has no log of single steps.
    pub fn gh_failed(&self) -> String {
        let job = self.fact("job").unwrap_or_default();
        let unknown = self.fact("steps") == Some("unknown");
        let as_bytes = self.fact("escapes") == Some("bytes");
        let escape = if as_bytes { "\u{1b}" } else { "^[" };
        let (mut log, mut last) = (String::new(), None);
        for (at, time, text) in self.lines() {
            let step = if unknown {
                "UNKNOWN STEP"
            } else {
                self.steps[at].one("step").unwrap_or_default()
            };
            if !unknown && !self.steps[at].failed() {
                continue;
            }
            if time.len() + 1 + text.len() >= TOO_LONG {
                break;
            }
            let mark = if last == Some(step) { "" } else { "\u{feff}" };
            let text = text.replace('\u{1b}', escape);
            writeln!(log, "{job}\t{step}\t{mark}{time} {text}")
                .expect("writing to a string cannot fail");
            last = Some(step);
        }
        log
    }
}
