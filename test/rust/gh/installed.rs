//! How the version of the installed gh changes a verdict: labelled rows, help pages that differ, and scripts in gh's place, of which
//! the guard asks the version before a call runs.

use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use super::asked::Installed;
use super::guard::InstalledGuard;
use super::meaning::meaning;
use crate::foreign::Foreign;
use crate::gate::{Class, ErrorKind, Guard, Refusal};
use crate::gh::catalog::Catalog;
use crate::gh::catalog::help::Page;
use crate::gh::catalog::since::{Had, Since};
use crate::gh::catalog::version::{self, GhVersion};
use crate::gh::judge::classify::{Verdict, classify, classify_for};
use crate::gh::needs::Needs;
use crate::gh::parse::{Named, parse};
use crate::run::{self, Cancel};

const ROWS: &str = include_str!("../../../fixtures/gh-installed.jsonl");

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// The recorded pages of gh 2.103.3.
fn recorded() -> HashMap<&'static str, String> {
    let page = |text: &str| text.to_owned();
    HashMap::from([
        (
            "",
            page(include_str!("../../../fixtures/gh-help/2.103.3-root.txt")),
        ),
        (
            "pr",
            page(include_str!("../../../fixtures/gh-help/2.103.3-pr.txt")),
        ),
        (
            "pr view",
            page(include_str!(
                "../../../fixtures/gh-help/2.103.3-pr-view.txt"
            )),
        ),
    ])
}

/// The verdict on the call `line` for a gh whose version line is `gh` and whose help pages are `pages`.
fn verdict(gh: &str, line: &str, pages: &HashMap<&str, String>) -> Verdict {
    let version = version::parse(&format!("gh version {gh} (2026-01-01)\n")).expect("a version");
    classify_for(&words(line), &|needs| {
        needs.standing(version, &mut |path| {
            Some(pages.get(path).map(|text| Page::new(text)))
        })
    })
}

#[test]
fn the_labelled_rows_hold() {
    let (recorded, none) = (recorded(), HashMap::new());
    for row in ROWS.lines() {
        let row: serde_json::Value = serde_json::from_str(row).expect("the text is JSON");
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let pages = if row["pages"] == true {
            &recorded
        } else {
            &none
        };
        let got = verdict(text("gh"), text("argv"), pages);
        assert_eq!(got.class.as_str(), text("class"), "{row}: {}", got.reason);
        assert!(got.reason.contains(text("says")), "{row}: {}", got.reason);
        assert!(got.reason.ends_with('.'), "{}", got.reason);
    }
}

#[test]
fn no_installed_gh_makes_a_call_milder_than_its_catalogued_effects() {
    let newest = Since::get().newest().to_string();
    for node in Catalog::get().root.walk() {
        let leaf = &node.leaf;
        if leaf.path.is_empty() || !leaf.runs {
            continue;
        }
        let row = leaf.row.expect("each leaf has a row").does.class();
        for version in ["2.50.0", "2.61.0", "2.75.0", newest.as_str()] {
            let got = verdict(version, &leaf.path, &HashMap::new()).class;
            let plain = classify(&words(&leaf.path)).class;
            let same = got == plain || got == Class::Unknown || plain == Class::Unknown;
            assert!(same, "gh {} in {version}: {got}, not {plain}", leaf.path);
            assert!(got != Class::Read || row == Class::Read, "gh {}", leaf.path);
        }
    }
}

#[test]
fn a_page_that_differs_in_anything_is_not_the_known_command() {
    let class = |edit: &dyn Fn(&mut HashMap<&str, String>)| {
        let mut pages = recorded();
        edit(&mut pages);
        verdict("DEV", "pr view 1 --comments", &pages)
    };
    assert_eq!(class(&|_| ()).class, Class::Read);

    let edits: &[(&str, &str, &str)] = &[
        (
            "pr view",
            "\nFLAGS\n",
            "\nFLAGS\n      --zoom string   How near\n",
        ),
        ("pr view", "-c, --comments", "-C, --comments"),
        ("pr view", "--comments ", "--comments string "),
        ("pr view", "  -c, --comments", "  -c, --remarks"),
        ("pr view", "gh pr view", "gh pr show"),
        ("pr", "  view:", "  show:"),
        ("", "  pr:", "  pull:"),
        (
            "",
            "\nEXTENSION COMMANDS\n",
            "\nEXTENSION COMMANDS\n  pr:   Extension pr\n",
        ),
        (
            "",
            "\nALIAS COMMANDS\n",
            "\nALIAS COMMANDS\n  pr:   Alias for \"x\"\n",
        ),
    ];
    for (path, from, to) in edits {
        let got = class(&|pages| {
            let page = pages.get_mut(path).expect("the page is recorded");
            assert!(page.contains(from), "{path}: {from}");
            *page = page.replacen(from, to, 1);
        });
        assert_eq!(got.class, Class::Unknown, "{path}: {to}");
    }
    for path in ["", "pr", "pr view"] {
        let got = class(&|pages| {
            pages.remove(path);
        });
        assert_eq!(got.class, Class::Unknown, "without the page of `{path}'");
    }
}

#[test]
fn the_facts_agree_with_both_catalogs() {
    use crate::gh::catalog::{BUILT_IN, Node};
    fn names(node: &Node, group: &str, out: &mut Vec<String>) {
        for word in node.words.iter().filter(|w| !w.text.is_empty()) {
            out.push(format!("{group} {}", word.text).trim().to_owned());
        }
        for flag in node.leaf.flags.iter().filter(|_| node.leaf.parses_flags) {
            out.push(
                format!("{} --{}", node.leaf.path, flag.name)
                    .trim()
                    .to_owned(),
            );
        }
        for child in &node.children {
            names(child, &node.leaf.path, out);
        }
    }
    let of = |catalog: &Catalog| {
        let mut all = Vec::new();
        names(&catalog.root, "", &mut all);
        all
    };
    let union = of(Catalog::get());
    assert!(union.len() > 1_700, "{} words and flags", union.len());
    for (version, text) in BUILT_IN {
        let has = of(&Catalog::merge(&[text]).expect("read by another test"));
        let Ok(GhVersion::Numbered(release)) = version::parse(&format!("gh version {version}\n"))
        else {
            panic!("{version} is no release")
        };
        for name in &union {
            // The catalog has two stubs and an alias that no gh has.
            if ["aw", "co", "stack"].contains(&name.as_str()) {
                continue;
            }
            let span = match name.split_once("--") {
                Some((path, flag)) => Since::get().flag(path.trim(), flag),
                None => Since::get().word(name),
            };
            let had = Since::get().had(span, release) == Had::Yes;
            assert_eq!(had, has.contains(name), "`{name}' in gh {version}");
        }
    }
}

/// A program in gh's place, in a directory of its own.
struct Program(PathBuf);

impl Program {
    fn new(body: &str) -> Self {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let nth = MADE.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("cj-installed-{}-{nth}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory");
        let program = Self(dir);
        program.write(body);
        program
    }

    fn path(&self) -> PathBuf {
        self.0.join("gh")
    }

    fn write(&self, body: &str) {
        let new = self.0.join("new");
        let text = format!(
            "#!/bin/sh\necho \"$*\" >>{}/asked\n{body}\n",
            self.0.display()
        );
        std::fs::write(&new, text).expect("the file is written");
        std::fs::set_permissions(&new, PermissionsExt::from_mode(0o700)).expect("executable");
        std::fs::rename(&new, self.path()).expect("in its place");
    }

    fn asked(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.join("asked")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn installed(&self) -> Installed {
        let environment: Foreign<Vec<String>> = vec!["PATH=/usr/bin:/bin".to_owned()].into();
        Installed::new(&self.path(), &self.0, &environment).within(Duration::from_secs(20))
    }

    /// The guard's answer to the call `line`, which is judged by what is known of this gh now.
    fn guard(&self, line: &str) -> Result<(), Refusal> {
        let installed = self.installed();
        let verdict = classify_for(&words(line), &|needs| installed.known(needs));
        self.guard_as(line, verdict.class)
    }

    fn guard_as(&self, line: &str, class: Class) -> Result<(), Refusal> {
        let Named::Command(call) = parse(Catalog::get(), &words(line)) else {
            panic!("{line} is no command")
        };
        let needs = Needs::of(Catalog::get(), &call);
        InstalledGuard::new(self.installed(), class, Some(needs))
            .check(&mut |question| run::run_here(question, &Cancel::default()))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn kind(answer: Result<(), Refusal>) -> Option<ErrorKind> {
    answer.err().map(|refusal| refusal.kind)
}

#[test]
fn a_call_that_was_judged_before_the_version_was_known_is_refused_once_and_then_unknown() {
    let gh = Program::new("echo 'gh version 2.70.0 (2025-04-01)'");
    // The call was planned before the version was known: a read in both catalogued versions.
    assert_eq!(classify(&words("agent-task list")).class, Class::Read);
    let refusal = gh.guard("agent-task list").expect_err("2.70.0 lacks it");
    assert_eq!(refusal.kind, ErrorKind::PolicyBlocked);
    assert!(refusal.message.contains("the installed one is 2.70.0"));
    assert_eq!(refusal.message.lines().count(), 2);
    // With the version known, the same call is unknown: it runs after a person's yes.
    let installed = gh.installed();
    let verdict = classify_for(&words("agent-task list"), &|needs| installed.known(needs));
    assert_eq!(verdict.class, Class::Unknown);
    assert_eq!(gh.guard("agent-task list"), Ok(()));
    // A command that every release has needs no question.
    assert_eq!(gh.guard("pr view 1"), Ok(()));
    assert_eq!(gh.asked(), ["--version"]);
}

#[test]
fn another_gh_at_the_same_path_is_asked_for_its_version_again() {
    let gh = Program::new("echo 'gh version 2.103.3 (2026-10-26)'");
    assert_eq!(gh.guard("skill list"), Ok(()));
    gh.write("echo 'gh version 2.70.0 (2025-04-01)'");
    assert_eq!(
        kind(gh.guard_as("skill list", Class::Read)),
        Some(ErrorKind::PolicyBlocked)
    );
    gh.write("echo 'hub version 2.14.2'");
    assert_eq!(kind(gh.guard("pr view 1")), Some(ErrorKind::NoExecutable));
    assert_eq!(gh.asked().len(), 3);
}

#[test]
fn a_program_that_is_no_gh_is_refused_with_a_next_step() {
    for body in [
        "echo 'hub version 2.14.2'",
        "echo 'GreenHopper 2.92.0'",
        "exit 0",
        "exit 1",
        "kill -9 $$",
        "echo; echo 'gh version 2.92.0'",
        "yes x",
        "echo 'gh version 2.92.0' >&2",
    ] {
        let refusal = Program::new(body).guard("pr view 1").expect_err(body);
        assert_eq!(refusal.kind, ErrorKind::NoExecutable, "{body}");
        assert!(refusal.message.contains("cj/gh-executable"), "{body}");
    }
    let old = Program::new("echo 'gh version 2.49.2 (2024-05-13)'");
    assert_eq!(kind(old.guard("pr view 1")), Some(ErrorKind::TooOld));
    let early = Program::new("echo 'gh version 2.50.0-pre.1'");
    assert!(early.guard("pr view 1").is_err(), "it has no pages to show");
}

#[test]
fn a_gh_that_does_not_answer_times_out_and_is_asked_again() {
    let gh = Program::new("sleep 60");
    let Named::Command(call) = parse(Catalog::get(), &words("pr view 1")) else {
        panic!("a command")
    };
    let needs = Needs::of(Catalog::get(), &call);
    let installed = gh.installed().within(Duration::from_millis(300));
    let guard = InstalledGuard::new(installed, Class::Read, Some(needs));
    for _ in 0..2 {
        let answer = guard.check(&mut |question| run::run_here(question, &Cancel::default()));
        assert_eq!(kind(answer), Some(ErrorKind::Timeout));
    }
    gh.write("echo 'gh version 2.92.0 (2026-04-28)'");
    assert_eq!(gh.guard("pr view 1"), Ok(()));
}

#[test]
fn a_gh_that_is_no_release_is_asked_for_the_pages_of_the_command_alone() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/gh-help");
    let body = format!(
        "case $* in --version) echo 'gh version DEV' ;;
         help) cat {fixtures}/2.103.3-root.txt ;;
         'help pr') cat {fixtures}/2.103.3-pr.txt ;;
         'help pr view') cat {fixtures}/2.103.3-pr-view.txt ;;
         esac"
    );
    let gh = Program::new(&body);
    assert_eq!(gh.guard("pr view 1"), Ok(()));
    assert_eq!(gh.asked(), ["--version", "help", "help pr", "help pr view"]);
    assert_eq!(gh.guard("pr view 2 --comments"), Ok(()));
    assert_eq!(gh.asked().len(), 4, "the pages are kept");
    // An alias's word is never asked about: `gh help sh' would run it.
    assert!(gh.guard_as("accessibility", Class::Read).is_err());
    assert!(gh.guard_as("co 1", Class::Write).is_err());
    assert_eq!(gh.asked().len(), 4);
    // The version is known by now, so the call is judged before it runs.
    let installed = gh.installed();
    let standing = |line: &str| classify_for(&words(line), &|needs| installed.known(needs)).class;
    assert_eq!(standing("pr view 1"), Class::Read);
    assert_eq!(standing("accessibility"), Class::Unknown);
}

#[test]
fn the_meaning_of_a_version_is_said_in_one_sentence() {
    for (gh, says) in [
        ("2.49.0", "too old"),
        (
            "2.70.0",
            "gh 2.70.0 is supported; a call with a command or flag that it lacks",
        ),
        ("2.103.3", "is the newest release of the catalog"),
        ("2.110.0", "newer than the catalog (2.103.3)"),
        ("DEV", "gh DEV is supported; it is no release"),
    ] {
        let version = version::parse(&format!("gh version {gh}\n")).expect("a version");
        let said = meaning(version);
        assert!(said.contains(says) && said.ends_with('.'), "{said}");
    }
}
