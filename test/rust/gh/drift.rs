//! The walk over gh's help pages and the comparison with the catalog: on pages rendered from the catalog, and on recorded pages.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::*;
use crate::foreign::Foreign;
use crate::gate::{ErrorKind, Refusal};
use crate::gh::catalog::{Arity, Flag};

/// Help pages by the path of their command: `pr view`.
type Pages = HashMap<String, String>;

fn flag_line(flag: &Flag) -> String {
    let letter = flag.short.map(|c| format!("-{c}, ")).unwrap_or_default();
    let word = match flag.arity {
        Arity::Nothing => "",
        Arity::Value => " string",
        Arity::Optional => " string[=\"x\"]",
    };
    format!("  {letter}--{}{word}   What it does\n", flag.name)
}

fn render(node: &Node, pages: &mut Pages) {
    let leaf = &node.leaf;
    let mut text = format!(
        "USAGE\n  {} [flags]\n\n",
        format!("gh {}", leaf.path).trim()
    );
    let shown: Vec<&Node> = node.children.iter().filter(|c| !c.leaf.hidden).collect();
    if !shown.is_empty() {
        text.push_str("AVAILABLE COMMANDS\n");
        for child in &shown {
            let _ = writeln!(text, "  {}:   Text", child.words[0].text);
        }
    }
    if node.words.len() > 1 {
        let names: Vec<&str> = node.words.iter().map(|w| w.text.as_str()).collect();
        let _ = write!(text, "\nALIASES\n  gh {}\n", names.join(", gh "));
    }
    for (heading, inherited) in [("FLAGS", false), ("INHERITED FLAGS", true)] {
        let _ = write!(text, "\n{heading}\n");
        for flag in leaf
            .flags
            .iter()
            .filter(|f| f.inherited == inherited && !f.hidden)
        {
            text.push_str(&flag_line(flag));
        }
    }
    pages.insert(leaf.path.clone(), text);
    for child in shown {
        render(child, pages);
    }
}

/// The pages of a gh that has exactly the commands and flags of the catalog.
fn catalogued() -> Pages {
    let mut pages = Pages::new();
    render(&Catalog::get().root, &mut pages);
    pages
}

/// The drift of a gh with `pages`, and the paths that were asked for.
fn drift(pages: &Pages) -> (Drift, Vec<String>) {
    let asked = RefCell::new(Vec::new());
    let installed = walk(|words| {
        asked.borrow_mut().push(words.join(" "));
        pages.get(&words.join(" ")).cloned()
    });
    (compare(Catalog::get(), &installed), asked.into_inner())
}

fn add(pages: &mut Pages, path: &str, heading: &str, line: &str) {
    let page = pages.get_mut(path).expect("a catalogued command");
    let _ = write!(page, "\n{heading}\n{line}\n");
}

#[test]
fn a_gh_as_catalogued_has_no_drift() {
    let (drift, _) = drift(&catalogued());
    assert!(drift.leaves > 190 && drift.flags > 1_000, "{drift:?}");
    let expect = Drift {
        leaves: drift.leaves,
        flags: drift.flags,
        ..Drift::default()
    };
    assert_eq!(drift, expect);
}

#[test]
fn unknown_commands_flags_and_names_are_listed_and_nothing_else() {
    let mut pages = catalogued();
    add(&mut pages, "pr", "NEW COMMANDS", "  levitate:   Lift it");
    add(&mut pages, "", "NEW COMMANDS", "  orbit:   Group");
    pages.insert(
        "pr levitate".into(),
        "USAGE\n  gh pr levitate\n\nFLAGS\n  --height int   How high\n".into(),
    );
    pages.insert(
        "orbit".into(),
        "USAGE\n  gh orbit <command>\n\nAVAILABLE COMMANDS\n  enter:   x\n  leave:   x\n".into(),
    );
    pages.insert(
        "orbit enter".into(),
        "USAGE\n  gh orbit enter [flags]\n".into(),
    );
    add(
        &mut pages,
        "pr view",
        "FLAGS",
        "  -z, --zoom string   How near",
    );
    add(
        &mut pages,
        "issue list",
        "ALIASES",
        "  gh issue list, gh issue enumerate",
    );
    let (drift, asked) = drift(&pages);
    assert_eq!(
        drift.unknown_leaves,
        [
            "issue enumerate",
            "orbit enter",
            "orbit leave",
            "pr levitate"
        ]
    );
    assert_eq!(drift.unknown_flags, ["pr view --zoom"]);
    assert!(drift.changed.is_empty() && drift.unread.is_empty());
    assert!(asked.contains(&"pr levitate".to_owned()));
}

#[test]
fn a_flag_that_every_command_inherits_is_named_once() {
    let mut pages = catalogued();
    add(&mut pages, "pr", "FLAGS", "  --warp   Everywhere");
    for path in ["pr view", "pr list", "pr merge"] {
        add(&mut pages, path, "INHERITED FLAGS", "  --warp   Everywhere");
    }
    assert_eq!(drift(&pages).0.unknown_flags, ["pr --warp"]);
}

#[test]
fn a_known_flag_that_takes_something_else_is_listed_as_changed() {
    let mut pages = catalogued();
    let page = pages.get_mut("pr view").expect("catalogued");
    *page = page
        .replace("--web ", "--web string ")
        .replace("-c, --comments", "-C, --comments");
    let (drift, _) = drift(&pages);
    assert_eq!(drift.changed, ["pr view --comments", "pr view --web"]);
    assert!(drift.unknown_flags.is_empty());
}

#[test]
fn extensions_and_aliases_are_named_apart_and_never_asked() {
    let mut pages = catalogued();
    add(
        &mut pages,
        "",
        "EXTENSION COMMANDS",
        "  dash:   Extension dash",
    );
    add(
        &mut pages,
        "",
        "ALIAS COMMANDS",
        "  sh:   Shell alias for \"!x\"",
    );
    add(
        &mut pages,
        "pr",
        "ALIAS COMMANDS",
        "  mine:   Alias for \"pr list\"",
    );
    // A name under both headings is not asked either.
    add(
        &mut pages,
        "",
        "CORE COMMANDS",
        "  dash:   x\n  -x:   x\n  a b:   x",
    );
    let (drift, asked) = drift(&pages);
    assert_eq!(drift.extensions, ["dash"]);
    assert_eq!(drift.aliases, ["pr mine", "sh"]);
    // gh lists these as its own, but they are no names of commands.
    assert_eq!(drift.unknown_leaves, ["-x", "a b"]);
    for path in ["dash", "sh", "pr mine", "-x"] {
        assert!(!asked.contains(&path.to_owned()), "{path}");
    }
}

#[test]
fn recorded_pages_of_the_real_gh_are_walked() {
    let pages: Pages = [
        (
            "",
            include_str!("../../../fixtures/gh-help/2.103.3-root.txt"),
        ),
        (
            "pr",
            include_str!("../../../fixtures/gh-help/2.103.3-pr.txt"),
        ),
        (
            "pr view",
            include_str!("../../../fixtures/gh-help/2.103.3-pr-view.txt"),
        ),
        (
            "codespace",
            include_str!("../../../fixtures/gh-help/2.92.0-codespace.txt"),
        ),
    ]
    .map(|(path, text)| (path.to_owned(), text.to_owned()))
    .into();
    let (drift, asked) = drift(&pages);
    assert!(
        drift.unknown_leaves.is_empty() && drift.unknown_flags.is_empty(),
        "{drift:?}"
    );
    assert!(drift.changed.is_empty());
    assert_eq!(drift.extensions, ["foo"]);
    assert_eq!(drift.aliases, ["co", "pr mine", "sh"]);
    assert!(asked.iter().any(|p| p == "pr checkout") && asked.iter().any(|p| p == "codespace cp"));
    for topic in ["foo", "sh", "co", "pr mine", "environment", "reference"] {
        assert!(!asked.iter().any(|p| p == topic), "{topic}");
    }
    assert!(drift.unread.contains(&"auth".to_owned()));
    assert!(!drift.unread.contains(&"pr view".to_owned()));
}

#[test]
fn a_program_that_answers_everything_alike_ends_the_walk() {
    let root = "USAGE\n  gh <command>\n\nCORE COMMANDS\n  pr:   x\n  warp:   x\n";
    let mut calls = 0;
    let installed = walk(|_| {
        calls += 1;
        Some(root.to_owned())
    });
    assert_eq!(calls, 3);
    let drift = compare(Catalog::get(), &installed);
    assert_eq!(drift.unread, ["pr"]);
    assert_eq!(drift.unknown_leaves, ["warp"]);

    // A program that always lists one command more.
    let mut calls = 0;
    walk(|words| {
        calls += 1;
        let path = words.join(" ");
        let usage = format!("gh {path}");
        Some(format!(
            "USAGE\n  {}\n\nCORE COMMANDS\n  a:   x\n  b:   x\n  c:   x\n  d:   x\n  e:   x\n",
            usage.trim()
        ))
    });
    assert_eq!(calls, MAX_PAGES);
}

#[test]
fn names_are_safe_to_show() {
    let mut pages = catalogued();
    add(
        &mut pages,
        "",
        "CORE COMMANDS",
        "  x\u{202e}y\u{1b}[31m:   x",
    );
    let (drift, _) = drift(&pages);
    assert_eq!(drift.unknown_leaves, ["x\\u{202e}y\\u{1b}[31m"]);
}

/// A directory with a shell script in gh's place, removed when dropped.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, script: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("cj-gate-drift-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a writable temporary directory");
        let file = dir.join("gh");
        let text = format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n");
        std::fs::write(&file, text).expect("just made");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o700))
            .expect("the test's own directory");
        Self(dir)
    }

    /// Starts a sweep of the script with `environment`; the result comes through the channel.
    fn sweep(&self, environment: &[&str]) -> mpsc::Receiver<Result<String, Refusal>> {
        let (tell, told) = mpsc::channel();
        let environment = Foreign::new(environment.iter().map(|&s| s.to_owned()).collect());
        sweep::start(&self.0.join("gh"), &self.0, &environment, move |report| {
            let _ =
                tell.send(report.map(|r| format!("{} {:?}", r.version, r.drift.unknown_leaves)));
        })
        .expect("a program that can be started");
        told
    }

    fn log(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.join("log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The whole process has one sweep at a time, so the tests of sweeps run one at a time.
static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

const PATIENCE: Duration = Duration::from_secs(20);

const SMALL: &str = "echo \"$*\" >>log
case $* in
--version) echo 'gh version 2.200.0 (2027-01-01)';;
help) printf 'USAGE\\n  gh <command>\\n\\nCORE COMMANDS\\n  warp:  x\\n\\nALIAS COMMANDS\\n  sh:  x\\n';;
'help warp') printf 'USAGE\\n  gh warp\\n';;
esac";

#[test]
fn a_sweep_asks_for_help_alone_and_an_answer_is_kept_until_the_program_changes() {
    let _one = ONE.lock();
    let place = Place::new("kept", SMALL);
    let expect = Ok("2.200.0 [\"warp\"]".to_owned());
    let got = place.sweep(&[]).recv_timeout(PATIENCE).expect("an answer");
    assert_eq!(got, expect);
    assert_eq!(place.log(), ["--version", "help", "help warp"]);
    let got = place.sweep(&[]).recv_timeout(PATIENCE).expect("an answer");
    assert_eq!(got, expect);
    assert_eq!(place.log()[3..], ["--version", "help"]);
}

#[test]
fn a_sweep_passes_no_token_on() {
    let _one = ONE.lock();
    let place = Place::new("token", &format!("env >>env\n{SMALL}"));
    let given = [
        "GH_TOKEN=t-one",
        "GITHUB_TOKEN=t-two",
        "GH_ENTERPRISE_TOKEN=t-three",
        "HOME=/h",
    ];
    let got = place
        .sweep(&given)
        .recv_timeout(PATIENCE)
        .expect("an answer");
    assert!(got.is_ok());
    let seen = std::fs::read_to_string(place.0.join("env")).expect("the script wrote it");
    assert!(seen.contains("HOME=/h") && !seen.contains("=t-"), "{seen}");
}

#[test]
fn a_second_sweep_cancels_the_first() {
    let _one = ONE.lock();
    let slow = Place::new("slow", "sleep 100");
    let quick = Place::new("quick", SMALL);
    let begun = Instant::now();
    let first = slow.sweep(&[]);
    let second = quick.sweep(&[]);
    let got = first.recv_timeout(PATIENCE).expect("an answer");
    assert_eq!(got.map_err(|r| r.kind), Err(ErrorKind::Cancelled));
    assert!(second.recv_timeout(PATIENCE).expect("an answer").is_ok());
    assert!(begun.elapsed() < PATIENCE);
}

#[test]
fn a_gh_that_is_too_old_or_none_is_not_swept() {
    let _one = ONE.lock();
    for (name, says, kind) in [
        ("old", "echo gh version 2.23.0", ErrorKind::TooOld),
        ("other", "echo hello", ErrorKind::NoExecutable),
        ("fails", "exit 3", ErrorKind::Failed),
    ] {
        let place = Place::new(name, &format!("echo \"$*\" >>log\n{says}"));
        let got = place.sweep(&[]).recv_timeout(PATIENCE).expect("an answer");
        assert_eq!(got.map_err(|r| r.kind), Err(kind), "{name}");
        assert_eq!(place.log(), ["--version"]);
    }
}
