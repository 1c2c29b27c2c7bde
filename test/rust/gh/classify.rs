//! The classifier against labelled cases, and against verb lists: a simple classifier that looks at single words.

use cj_gate::gate::Class;
use cj_gate::gh::judge::classify::{Verdict, classify};
use serde_json::Value;

/// The labelled cases. No answer may be milder than the mildest right one, and at most one of 50 may be stricter than the
/// strictest right one.
const CASES: &str = include_str!("../../../fixtures/gh-classify.jsonl");

/// The verdict on `line`, cut into words at its spaces; no word can hold a space.
pub fn on(line: &str) -> Verdict {
    let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
    classify(&argv)
}

/// Asserts that each of `lines` has the class `class`.
pub fn check(class: Class, lines: &[&str]) {
    for line in lines {
        let verdict = on(line);
        assert_eq!(verdict.class, class, "gh {line}: {}", verdict.reason);
    }
}

/// The class that `cj/gh-classify` gives: one leading `gh` is dropped, and anything but a list of strings is blocked.
fn class_of(argv: &Value) -> &'static str {
    let strings: Option<Vec<String>> = argv
        .as_array()
        .expect("argv is a list")
        .iter()
        .map(|a| a.as_str().map(str::to_owned))
        .collect();
    let Some(argv) = strings else {
        return "blocked";
    };
    let argv = argv.strip_prefix(&["gh".to_owned()]).unwrap_or(&argv);
    classify(argv).class.as_str()
}

fn strictness(class: &str) -> u8 {
    match class {
        "read" => 0,
        "write" | "unknown" => 1,
        "destructive" | "blocked" => 2,
        other => panic!("no class: {other}"),
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the score is a figure of the release")]
fn labelled_cases_are_never_too_mild_and_seldom_too_strict() {
    let (mut unsafe_auto, mut too_mild, mut too_strict) = (Vec::new(), Vec::new(), Vec::new());
    let mut cases = 0_usize;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).expect("each line is JSON");
        cases += 1;
        let got = class_of(&case["argv"]);
        let also = case["also_ok"].as_array().expect("also_ok is a list");
        let right: Vec<u8> = std::iter::once(&case["expect"])
            .chain(also)
            .filter_map(Value::as_str)
            .map(strictness)
            .collect();
        let said = format!(
            "{} {}: got {got}, not {}",
            case["id"], case["argv"], case["expect"]
        );
        if strictness(got) < *right.iter().min().expect("there is at least one") {
            if got == "read" {
                unsafe_auto.push(said.clone());
            }
            too_mild.push(said);
        } else if strictness(got) > *right.iter().max().expect("there is at least one") {
            too_strict.push(said);
        }
    }
    println!(
        "{cases} labelled cases: unsafe-auto {}, unsafe {}, over-block {}",
        unsafe_auto.len(),
        too_mild.len(),
        too_strict.len()
    );
    assert!(cases >= 400, "the fixture is cut short: {cases} cases");
    assert!(unsafe_auto.is_empty(), "run unasked: {unsafe_auto:#?}");
    assert!(too_mild.is_empty(), "too mild: {too_mild:#?}");
    assert!(
        too_strict.len() * 50 <= cases,
        "too strict: {too_strict:#?}"
    );
}

// The verb lists. Where a list is wrong about gh, the test expects the class of what gh really does.

#[test]
fn every_listed_read_verb_is_a_read() {
    check(
        Class::Read,
        &[
            "pr view 171",
            "issue list",
            "pr status",
            "search prs x",
            "pr diff 171",
            "pr checks 171",
            // The list has `auth-status`; gh's command is `auth status`.
            "auth status --hostname ghe.example.com",
            // `show` exists only as an alias of `skill preview`.
            "skill show o/r s",
        ],
    );
    // gh has no `describe`, and `logs` only as `codespace logs`, which starts a machine.
    check(Class::Unknown, &["pr describe 171", "pr logs 1"]);
    check(Class::Blocked, &["codespace logs"]);
}

#[test]
fn every_listed_write_verb_is_a_write() {
    check(
        Class::Write,
        &[
            "issue create -t t -b b",
            "pr edit 1 --title t",
            "pr merge 171",
            "pr close 1",
            "issue reopen 1",
            "pr comment 1 --body hi",
            "pr review 1 --approve",
            "variable set X --body v",
            "run rerun 1",
            "run cancel 1",
            "repo fork o/r",
            "repo archive o/r",
            "repo unarchive o/r",
            "issue lock 1",
            "issue unlock 1",
            "issue pin 1",
            "issue unpin 1",
            "pr ready 1",
            "repo rename x",
            "issue transfer 1 o/r2",
            "label clone o/r",
        ],
    );
    // The list calls these writes. gh uploads a file, deletes for good, or has no such command.
    check(
        Class::Blocked,
        &[
            "release upload v1 f.zip",
            "ssh-key add id.pub",
            "gist create f.txt",
        ],
    );
    check(
        Class::Destructive,
        &["issue delete 1", "secret remove X", "run delete 1"],
    );
    check(
        Class::Unknown,
        &[
            "pr approve 1",
            "pr assign 1 bob",
            "pr draft 1",
            "repo transfer o/r p",
        ],
    );
}

#[test]
fn every_listed_irreversible_pattern_is_destructive() {
    check(
        Class::Destructive,
        &[
            "repo delete o/r",
            "release delete v1",
            "secret delete X",
            "ssh-key delete 1",
            "gpg-key delete ABC",
            "project delete 1",
            "variable delete X",
            "label delete bug --yes",
            // Without --yes gh would only ask, so the list has the pattern with the flag alone.
            "label delete bug",
        ],
    );
    // gh has no such commands.
    check(Class::Unknown, &["org delete o", "ruleset delete 1"]);
}

#[test]
fn every_listed_blocked_verb_and_flag_is_blocked() {
    check(
        Class::Blocked,
        &[
            "auth login",
            "auth logout",
            "pr checkout 1",
            "repo clone o/r",
            "codespace ssh",
            "codespace code",
            "alias set a b",
            "config set editor vi",
            "extension exec x",
            "browse",
            "pr view 1 --web",
            "issue list --web",
            "api repos/o/r --paginate",
            "api repos/o/r --input file",
            "pr create --editor",
            "api repos/o/r/issues -F key=@/path",
        ],
    );
    // The list blocks the words wherever they stand. These calls only list, or the word is a value.
    check(
        Class::Read,
        &[
            "alias list",
            "config list",
            "extension list",
            "search code x",
            "repo view code",
        ],
    );
}

#[test]
fn api_calls_are_judged_by_the_request_they_send() {
    check(
        Class::Read,
        &[
            "api repos/x/y/issues",
            "api --method GET repos/x/y/issues -f q=x",
        ],
    );
    check(
        Class::Write,
        &["api repos/x/y/issues -f x=y", "api repos/x/y -X PATCH"],
    );
    check(Class::Destructive, &["api repos/x/y -X DELETE"]);
    check(Class::Blocked, &["api repos/x/y --input file"]);
}

#[test]
fn the_flag_h_means_what_its_command_says() {
    check(
        Class::Read,
        &[
            "pr list -H feature",
            "search prs x -H feature",
            "api -H Accept:json user",
            "auth status -h github.com",
        ],
    );
    assert!(
        on("pr list -H feature")
            .parsed
            .expect("known")
            .hosts_named()
            .is_empty()
    );
    check(Class::Write, &["repo edit o/r -h https://example.com"]);
}

#[test]
fn an_unknown_verb_is_unknown() {
    check(
        Class::Unknown,
        &[
            "frobnicate x",
            "list",
            "Pr view 1",
            "pr VIEW 1",
            "frobnicate --help",
            "help frobnicate",
        ],
    );
    assert_eq!(classify(&[]).class, Class::Unknown);
}

#[test]
fn every_verdict_names_its_command_and_its_reason_in_a_sentence() {
    for (line, command, reason) in [
        ("pr view 1", "pr view", "`gh pr view` shows a pull request."),
        (
            "pr co 1",
            "pr checkout",
            "`gh pr checkout` changes the working tree; the tool gh_pr_checkout makes a worktree of its own.",
        ),
        (
            "pr view 1 -w",
            "pr view",
            "`gh pr view` with --web opens a browser.",
        ),
        (
            "api x -X DELETE",
            "api",
            "`gh api` sends DELETE, which cannot be undone.",
        ),
        (
            "pr view 1 --frob",
            "pr view",
            "`gh pr view` has no known flag --frob.",
        ),
    ] {
        let verdict = on(line);
        assert_eq!(
            (verdict.command.as_str(), verdict.reason.as_str()),
            (command, reason)
        );
    }
}

#[test]
fn a_reason_repeats_little_of_argv_and_nothing_invisible() {
    for word in [
        "x".repeat(100_000),
        "a\u{202e}b\n[gh github.com read ok]".to_owned(),
        "--\u{1b}[2J".to_owned(),
    ] {
        let verdict = classify(&["pr".to_owned(), word]);
        assert!(
            verdict.reason.len() < 400 && verdict.command.len() < 200,
            "{}",
            verdict.reason
        );
        assert!(
            !verdict.reason.contains(['\n', '\u{202e}', '\u{1b}']),
            "{}",
            verdict.reason
        );
    }
}

#[test]
fn help_is_harmless_only_where_it_is_help() {
    check(
        Class::Read,
        &[
            "pr merge --help",
            "pr merge 1 -h",
            "help pr merge",
            "help",
            "--help",
            "auth token --help",
            "pr",
            "--version",
        ],
    );
    check(
        Class::Write,
        &["pr merge 1 --help=false", "pr close 1 -c --help"],
    );
    check(Class::Destructive, &["variable delete X --org --help"]);
    check(
        Class::Blocked,
        &["extension exec foo --help", "copilot --help"],
    );
    check(
        Class::Unknown,
        &[
            "pr describe --help",
            "help pr describe",
            "aw --help",
            "help frobnicate --help",
            "help pr merge --",
            "help -- pr close 1 -c",
        ],
    );
}

#[test]
fn a_read_that_only_a_newer_gh_has_is_unknown_and_worse_calls_stay_worse() {
    check(
        Class::Unknown,
        &[
            "discussion list",
            "discussion view 1",
            "repo read-file x",
            "skill list",
            "issue artifact list 1",
        ],
    );
    check(Class::Destructive, &["discussion comment 1 --delete"]);
    check(
        Class::Blocked,
        &[
            "issue artifact create 1 /etc/passwd",
            "pr comment 1 --attach f",
            "repo read-file x -o f",
        ],
    );
}

#[test]
fn names_that_lead_to_another_host_or_path_are_blocked_or_unknown() {
    check(
        Class::Blocked,
        &[
            "pr view 1 -R github.com@evil.example/o/r",
            "pr view 1 -R evil.example#/o/r",
            "pr view 1 -R -x/o/r",
            "repo view https://github.com@evil.example/o/r",
            "repo view https://github.com\\@evil.example/o/r",
            "api user --hostname=-XDELETE",
            "pr view 1 -R gіthub.com/o/r", // a Cyrillic letter
        ],
    );
    check(
        Class::Unknown,
        &[
            "run view ../../../user",
            "run view %2e%2e/%2E%2E/user",
            "secret list --org ../x",
        ],
    );
}

#[test]
fn an_argv_of_60_000_words_is_judged_within_seconds() {
    let mut argv: Vec<String> = ["pr", "view"].map(str::to_owned).to_vec();
    argv.extend(std::iter::repeat_n("-w=0".to_owned(), 30_000));
    argv.extend(std::iter::repeat_n("-c".to_owned(), 30_000));
    let begun = std::time::Instant::now();
    assert_eq!(classify(&argv).class, Class::Read);
    argv.truncate(2);
    argv[0] = "api".into();
    argv[1] = "graphql".into();
    argv.extend(std::iter::repeat_n("-fquery={a}".to_owned(), 60_000));
    assert_eq!(classify(&argv).class, Class::Blocked);
    // 10 s suffice for an unoptimised build on a busy machine; work that grows with the square takes minutes.
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[test]
fn an_argument_that_cannot_be_passed_on_is_blocked() {
    let nul = ["pr".to_owned(), "view".to_owned(), "1\0".to_owned()];
    let long = ["pr".to_owned(), "view".to_owned(), "x".repeat(131_072)];
    let many = vec!["x".to_owned(); 70_000];
    let much = vec!["x".repeat(100_000); 30];
    assert_eq!(classify(&many).class, Class::Blocked);
    assert_eq!(classify(&much).class, Class::Blocked);
    assert_eq!(classify(&nul).class, Class::Blocked);
    assert_eq!(classify(&long).class, Class::Blocked);
}
