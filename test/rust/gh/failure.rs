//! What is told of the failure in a job's log: the cases of fixtures/ci-logs, real tools' output in both of gh's forms.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cj_gate::joblog::{FailedStep, extract, find, unstamped};
use cj_gate::text::tokens::count;
use proptest::prelude::*;
use regex::Regex;

use super::job_log::Case;

/// How many tokens a result may have.
const BUDGET: usize = 600;

/// Cases of the five newest sets, [`HARD`], and of all others: the least share that is right within [`BUDGET`] and within 150
/// tokens, and the greatest share that misleads. The cases with the mark `still wrong` are those whose text is not right yet.
const GOALS: [[f64; 3]; 2] = [[0.88, 0.70, 0.06], [0.95, 0.90, 0.02]];
const HARD: &[&str] = &["fresh-g", "fresh-h", "fresh-i", "fresh-j", "fresh-k"];

/// The folders of cases, by the kind of the failing tool; the extractor's anchors have the same kinds.
const FOLDERS: &[&str] = &[
    "builds",
    "compilers",
    "general",
    "lint",
    "machines",
    "packages",
    "services",
    "suites",
];

/// The sets of cases and how many each has; fixtures/ci-logs/README.md says how each came about.
const SETS: &[(&str, usize)] = &[
    ("samples", 12),
    ("made", 51),
    ("held", 25),
    ("unseen", 86),
    ("unseen-again", 48),
    ("unseen-last", 33),
    ("unseen-since", 24),
    ("fresh-a", 60),
    ("fresh-b", 88),
    ("fresh-c", 60),
    ("fresh-d", 109),
    ("fresh-e", 118),
    ("fresh-f", 126),
    ("fresh-g", 62),
    ("fresh-h", 87),
    ("fresh-i", 70),
    ("fresh-j", 115),
    ("fresh-k", 65),
];

fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("fixtures/ci-logs").join(name)
}

/// The log of a case in one of gh's forms.
struct Log {
    case: &'static Case,
    form: &'static str,
    text: String,
}

/// Every case, read once.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(Case::all);

/// The logs of the cases that `wanted` takes. A case with `forms: raw` has no `ghfailed` log: in that form gh prints too
/// little to tell the cause by.
fn logs(wanted: impl Fn(&Case) -> bool) -> Vec<Log> {
    let mut logs = Vec::new();
    for case in CASES.iter().filter(|case| wanted(case)) {
        let mut add = |form, text| logs.push(Log { case, form, text });
        add("raw", case.raw());
        if case.fact("forms") != Some("raw") {
            add("ghfailed", case.gh_failed());
        }
    }
    logs
}

fn is_sample(case: &Case) -> bool {
    case.fact("set") == Some("samples")
}

impl Log {
    fn name(&self) -> String {
        format!("{} ({})", self.case.name, self.form)
    }
}

/// The logs of the samples, read once.
static SAMPLES: LazyLock<Vec<Log>> = LazyLock::new(|| logs(is_sample));

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The faults of the text that is told of `log`, one a line: `suites/x (raw): none of ["…"]`. Empty for a right text.
fn complaints(log: &Log, budget: usize) -> Vec<String> {
    let told = squeezed(&extract(&log.text, budget));
    let is_told = |text: &&str| told.contains(&squeezed(text));
    let mut wrong = Vec::new();
    for any in log.case.to_tell() {
        if !any.iter().any(is_told) {
            wrong.push(format!("{}: none of {any:?}", log.name()));
        }
    }
    for text in log.case.facts("never").filter(is_told) {
        wrong.push(format!("{}: claims {text:?}", log.name()));
    }
    wrong
}

#[test]
fn cause_and_command_of_every_sample_are_told_and_nothing_else_is_claimed() {
    let logs = &*SAMPLES;
    assert!(logs.len() >= 22, "only {} logs", logs.len());
    let wrong: Vec<String> = logs
        .iter()
        .flat_map(|log| complaints(log, BUDGET))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cause_and_command_of_real_runs_are_told_and_nothing_else_is_claimed() {
    let logs = logs(|case| !is_sample(case));
    let kinds: BTreeSet<_> = logs.iter().map(|log| log.case.fact("kind")).collect();
    assert!(
        logs.len() >= 1_640 && kinds.len() >= 300,
        "{} logs of {} kinds",
        logs.len(),
        kinds.len()
    );
    let is_standing = |log: &&Log| log.case.fact("still wrong").is_some();
    let (standing, others): (Vec<&Log>, Vec<&Log>) = logs.iter().partition(is_standing);
    let wrong: Vec<String> = others
        .into_iter()
        .flat_map(|log| complaints(log, BUDGET))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<&str> = standing.iter().map(|log| &*log.case.name).collect();
    for name in names {
        let mut forms = standing.iter().filter(|log| log.case.name == name);
        assert!(
            forms.any(|log| !complaints(log, BUDGET).is_empty()),
            "{name} is right now"
        );
    }
}

#[test]
fn most_failures_are_told_within_150_tokens_and_few_mislead() {
    for (hard, [right, right_at_150, misled]) in [true, false].into_iter().zip(GOALS) {
        let is_hard = |case: &Case| case.fact("set").is_some_and(|set| HARD.contains(&set));
        let mut raw = logs(|case| !is_sample(case) && is_hard(case) == hard);
        raw.retain(|log| log.form == "raw");
        let share = |holds: &dyn Fn(&Log) -> bool| {
            raw.iter().filter(|log| holds(log)).count() as f64 / raw.len() as f64
        };
        let right_within = |budget| share(&|log| complaints(log, budget).is_empty());
        let (most, at_150) = (right_within(BUDGET), right_within(150));
        let misleads = share(&|log| {
            let complaints = complaints(log, BUDGET);
            complaints.iter().any(|text| text.contains(": claims "))
        });
        assert!(
            most >= right && at_150 >= right_at_150 && misleads <= misled,
            "hard {hard}: right {most:.3}, within 150 {at_150:.3}, misled {misleads:.3}"
        );
    }
}

/// The log of a step in which several commands failed, each of `outputs` below the trace of its command.
fn step_of(outputs: &[(&str, Vec<String>)]) -> String {
    let mut lines = vec!["##[group]Run set -x".to_owned()];
    lines.push("\x1b[36;1mset -x\x1b[0m".to_owned());
    lines.extend(["shell: /usr/bin/bash {0}", "##[endgroup]"].map(str::to_owned));
    for (command, output) in outputs {
        lines.push(format!("+ {command}"));
        lines.extend(output.iter().cloned());
    }
    lines.push("##[error]Process completed with exit code 1.".to_owned());
    let stamped = lines
        .iter()
        .map(|line| format!("2026-11-23T10:00:00.0000000Z {line}\n"));
    stamped.collect()
}

#[test]
fn each_of_several_failing_commands_of_a_step_gets_its_share() {
    let types = (0..60).map(|at| {
        format!("src/user{at}.ts:{at}:3 - error TS2339: Property 'n{at}' does not exist.")
    });
    let lint = [
        "/srv/app.ts",
        "  12:7  error  'unused' is never used  no-unused-vars",
    ];
    let test = [
        "  ● cart › adds",
        "",
        "    expect(received).toBe(expected)",
        "",
        "    Expected: 2",
        "    Received: 1",
    ];
    let mut outputs = vec![
        ("npx tsc --noEmit", types.collect()),
        ("npx eslint .", lint.map(str::to_owned).to_vec()),
        ("npx jest", test.map(str::to_owned).to_vec()),
    ];
    for _ in 0..3 {
        outputs.rotate_left(1);
        let told = extract(&step_of(&outputs), 300);
        for text in ["TS2339", "no-unused-vars", "cart › adds", "Received: 1"] {
            assert!(told.contains(text), "{text}:\n{told}");
        }
    }
}

#[test]
fn a_failure_is_told_in_few_tokens() {
    let tokens = |log: &Log| count(&extract(&log.text, BUDGET));
    let all: Vec<usize> = logs(|_| true).iter().map(tokens).collect();
    let mean = all.iter().sum::<usize>() / all.len();
    assert!(mean <= 300, "{mean} tokens at the mean");
    assert!(all.iter().all(|tokens| *tokens <= BUDGET), "{all:?}");
}

#[test]
fn every_case_is_counted_and_stands_in_a_folder_of_its_kind_under_its_own_name() {
    let of_set = |set| {
        CASES
            .iter()
            .filter(move |case| case.fact("set") == Some(set))
    };
    for (set, count) in SETS {
        assert_eq!(of_set(set).count(), *count, "cases of {set}");
    }
    assert_eq!(SETS.iter().map(|set| set.1).sum::<usize>(), CASES.len());
    let mut names = BTreeSet::new();
    for case in &*CASES {
        let (folder, name) = case.name.split_once('/').expect("a folder and a name");
        assert!(FOLDERS.contains(&folder), "{}", case.name);
        assert!(names.insert(name), "two cases are called {name}");
    }
}

#[test]
fn every_case_is_written_as_the_readme_says() {
    let head = [
        "kind",
        "set",
        "job",
        "step",
        "repo",
        "command",
        "tell",
        "or",
        "never",
        "forms",
        "steps",
        "runner",
        "escapes",
        "still wrong",
        "note",
    ];
    let step = [
        "uses", "with", "env", "shell", "always", "may fail", "limit", "matcher",
    ];
    let marks = [
        "step",
        "run",
        "stand-in",
        "output",
        "exit",
        "cancelled",
        "skipped",
        "file",
        "prepare",
    ];
    let colours = Regex::new(r"\x1b\[[0-9;?]*[A-Za-z]").expect("a pattern");
    for case in &*CASES {
        let text = fs::read_to_string(fixture(&format!("{}.txt", case.name))).expect("a text");
        let (mut facts, mut is_text) = (&head[..], false);
        for line in text.lines() {
            if let Some(mark) = line.strip_prefix("%% ") {
                let mark = mark.split(' ').next().unwrap_or(mark);
                assert!(marks.contains(&mark), "{}: {line}", case.name);
                is_text = ["run", "stand-in", "output", "file", "prepare"].contains(&mark);
                facts = if mark == "step" { &step } else { &[] };
            } else if !is_text && !line.is_empty() {
                let fact = line.split_once(": ").unwrap_or_default().0;
                assert!(facts.contains(&fact), "{}: {line}", case.name);
            }
        }
        for name in ["kind", "job", "step"] {
            assert!(case.fact(name).is_some(), "{}: no {name}", case.name);
        }
        let log = squeezed(&colours.replace_all(&case.raw(), ""));
        for any in case.to_tell() {
            let stands = any.iter().any(|text| log.contains(&squeezed(text)));
            let names_step = any.iter().any(|text| case.fact("step") == Some(text));
            assert!(stands || names_step, "{}: no log has {any:?}", case.name);
        }
    }
}

#[test]
fn the_wrapper_makes_both_forms_of_every_witness() {
    let time = r"(?m)^((?:[^\t\n]*\t[^\t\n]*\t)?\x{feff}?)[0-9-]{10}T[0-9:]{8}\.[0-9]{7}Z ";
    let time = Regex::new(time).expect("a pattern");
    let mut witnesses = 0;
    for case in CASES.iter().filter(|case| is_sample(case)) {
        let name = case.name.split_once('/').expect("a folder and a name").1;
        for (form, made) in [("raw", case.raw()), ("ghfailed", case.gh_failed())] {
            let witness = fs::read_to_string(fixture(&format!("samples/{name}.{form}.log")));
            let witness = witness.expect("each sample is kept in both forms");
            let lines = |text| time.replace_all(text, "$1 ").into_owned();
            let (recorded, wrapped) = (lines(&witness), lines(&made));
            let pairs = recorded.split('\n').zip(wrapped.split('\n'));
            for (n, (recorded, wrapped)) in pairs.enumerate() {
                assert_eq!(recorded, wrapped, "{name} ({form}), line {}", n + 1);
            }
            assert_eq!(recorded.len(), wrapped.len(), "{name} ({form})");
            assert_eq!(extract(&witness, BUDGET), extract(&made, BUDGET), "{name}");
            witnesses += 1;
        }
    }
    assert_eq!(witnesses, 24);
}

#[test]
fn trouble_that_passed_is_not_told_as_the_cause() {
    let lines = [
        "attempt 1 of 3",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "attempt 1 failed, waiting 5 s",
        "attempt 2 of 3",
        "database is up",
        "scenario 17 (refund): balance is 90, expected 100",
        "39 passed, 1 failed",
        "##[error]Process completed with exit code 1.",
    ];
    let log = lines
        .map(|line| format!("2026-11-10T11:37:50.2503752Z {line}\n"))
        .concat();
    let told = extract(&log, BUDGET);
    assert!(
        told.contains("balance is 90") && !told.contains("ECONNREFUSED"),
        "{told}"
    );
}

#[test]
fn what_a_script_may_print_is_left_out_of_the_command() {
    let lines = [
        "##[group]Run trap 'echo \"error: no snapshot found\"' EXIT",
        "\u{1b}[36;1mtrap 'echo \"error: no snapshot found\"' EXIT\u{1b}[0m",
        "\u{1b}[36;1mpython3 - <<'PY'\u{1b}[0m",
        "\u{1b}[36;1mprint('WARN no count for', region)\u{1b}[0m",
        "\u{1b}[36;1mPY\u{1b}[0m",
        "\u{1b}[36;1mecho \"$(make check)\"\u{1b}[0m",
        "shell: /usr/bin/bash -e {0}",
        "##[endgroup]",
        "KeyError: 'p99'",
        "##[error]Process completed with exit code 1.",
    ];
    let log = lines
        .map(|line| format!("2026-11-10T11:37:50.2503752Z {line}\n"))
        .concat();
    let told = extract(&log, BUDGET);
    for (text, holds) in [
        ("no snapshot", false),
        ("WARN", false),
        ("print('…', region)", true),
        ("$(make check)", true),
    ] {
        assert_eq!(told.contains(text), holds, "{text}: {told}");
    }
}

/// `log` with the lines `after` put behind the start of its last failed script and the lines `before` put before the
/// script's end; none where no script failed.
fn with_noise(log: &str, after: &[String], before: &[String]) -> Option<String> {
    let lines: Vec<&str> = log.lines().collect();
    let end = lines
        .iter()
        .rposition(|line| line.contains("##[error]Process completed with exit code"))?;
    let start = lines[..end]
        .iter()
        .rposition(|line| line.contains("##[endgroup]"))?;
    let lead = &lines[end][..lines[end].find("Z ")? + 2];
    let stamped = |texts: &[String]| {
        let lines = texts.iter().map(|text| [lead, text].concat());
        lines.collect::<Vec<_>>()
    };
    let own = |part: &[&str]| part.iter().map(ToString::to_string).collect::<Vec<_>>();
    let parts = [
        own(&lines[..=start]),
        stamped(after),
        own(&lines[start + 1..end]),
        stamped(before),
        own(&lines[end..]),
    ];
    Some(parts.concat().join("\n"))
}

#[test]
fn neither_a_repeated_try_nor_a_clean_up_is_told_as_the_reason_and_seldom_beside_it() {
    let tries: Vec<String> = [
        "attempt 1 of 3",
        "curl: (7) Failed to connect to mirror.example.org port 443: Connection refused",
        "retrying in 5 s",
        "attempt 2 of 3",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain((0..5).map(|part| format!("fetched part {part}")))
    .collect();
    let clean_up: Vec<String> = std::iter::once("restoring work tree".to_owned())
        .chain((0..12).map(|part| format!("restored file src/part{part}.txt")))
        .chain(["removed lock of site (error: lock was not held)".to_owned()])
        .collect();
    let (mut noisy, mut filled, mut certain) = (0, 0, Vec::new());
    for log in logs(|case| !is_sample(case)) {
        if log.form != "raw" {
            continue;
        }
        let Some(text) = with_noise(&log.text, &tries, &clean_up) else {
            continue;
        };
        noisy += 1;
        let failure = find(&text, BUDGET);
        let of = |step: &FailedStep, word: &str| {
            let has = |lines: &[String]| lines.iter().any(|line| line.contains(word));
            (has(&step.certain), has(&step.fill))
        };
        let words = [
            "mirror.example.org",
            "restored file src/part",
            "lock was not held",
        ];
        let told = failure
            .steps
            .iter()
            .flat_map(|step| words.map(|word| of(step, word)));
        let told: Vec<(bool, bool)> = told.collect();
        if told.iter().any(|(certain, _)| *certain) {
            certain.push(log.name());
        }
        filled += usize::from(told.iter().any(|(_, fill)| *fill));
    }
    assert!(certain.is_empty(), "{certain:?}");
    assert!(filled * 20 <= noisy, "{filled} of {noisy}");
    assert!(noisy > 500, "{noisy} logs");
}

#[test]
fn structure_has_step_command_and_exit_code_in_both_forms() {
    let is_linker = |case: &Case| case.name == "compilers/make-linker-undefined";
    let logs = logs(is_linker);
    assert_eq!(logs.len(), 2);
    for log in logs {
        let (name, failure) = (log.name(), find(&log.text, BUDGET));
        assert!(failure.marked);
        let [step] = &failure.steps[..] else {
            panic!("{name}: {} steps", failure.steps.len());
        };
        assert_eq!(
            step.job.as_deref(),
            Some("build (gcc-12, static)"),
            "{name}"
        );
        assert_eq!(step.command, ["make -j2"], "{name}");
        assert_eq!(step.exit_code, Some(2), "{name}");
        assert!(!step.certain.is_empty(), "{name}");
    }
}

#[test]
fn a_log_without_a_telling_line_is_said_to_have_none() {
    let log = "2026-11-10T11:37:50.2503752Z ##[group]Run ./x\n2026-11-10T11:37:50.2503752Z \u{1b}[36;1m./x\u{1b}[0m\n\
               2026-11-10T11:37:50.2503752Z shell: /usr/bin/bash -e {0}\n2026-11-10T11:37:50.2503752Z ##[endgroup]\n\
               2026-11-10T11:37:50.2503752Z step one\n2026-11-10T11:37:50.2503752Z step two\n\
               2026-11-10T11:37:50.2503752Z ##[error]Process completed with exit code 3.\n";
    let failure = find(log, BUDGET);
    assert!(failure.steps[0].certain.is_empty());
    let told = extract(log, BUDGET);
    assert!(
        told.contains("No line says why") && told.contains("step two"),
        "{told}"
    );
    assert!(extract("", BUDGET).contains("log is empty"));
}

/// A log in the raw form whose only step prints `lines` and ends with exit code 3.
fn raw(lines: &[&str]) -> String {
    let head = ["##[group]Run ./x", "\u{1b}[36;1m./x\u{1b}[0m"];
    let shell = ["shell: /usr/bin/bash -e {0}", "##[endgroup]"];
    let end = ["##[error]Process completed with exit code 3."];
    let all = [&head[..], &shell, lines, &end].concat();
    let stamped = |line: &&str| format!("2026-11-10T11:37:50.2503752Z {line}\n");
    all.iter().map(stamped).collect()
}

#[test]
fn an_indent_of_other_blanks_is_no_indent_by_spaces() {
    for blank in ["\u{a0}", "\u{3000}", "\u{2003}\u{a0}"] {
        for spaces in [" ", "  "] {
            let first = format!("{blank}error: cannot find module foo");
            let second = format!("{spaces}Error: something failed");
            let told = extract(&raw(&[&first, &second]), BUDGET);
            assert!(told.contains(&first) && told.contains(&second), "{told}");
        }
    }
}

#[test]
fn tabs_in_the_output_of_a_raw_log_are_no_prefix_of_gh() {
    let noise = "api\tINFO\t2024-05-01T09:59:00.000Z listening";
    let log = raw(&[noise, "src/m3.c:7:2: error: too few arguments", noise]);
    let failure = find(&log, BUDGET);
    let [step] = &failure.steps[..] else {
        panic!("{} steps", failure.steps.len());
    };
    assert_eq!(step.certain, ["src/m3.c:7:2: error: too few arguments"]);
    assert_eq!((step.job.as_deref(), step.exit_code), (None, Some(3)));
    let kept = unstamped(&log);
    assert!(kept.lines().any(|line| line == noise), "{kept}");
}

#[test]
fn nothing_is_announced_that_is_not_told() {
    for lines in [&["", "\u{1b}[0m", "  "][..], &[], &["-----"]] {
        let told = extract(&raw(lines), BUDGET);
        assert!(told.ends_with("no text that this step printed."), "{told}");
        assert!(!told.contains("No line says why"), "{told}");
    }
    let long = "the quick brown fox jumps over the lazy dog ".repeat(6);
    let unclear = raw(&["one", &long, "two", &long]);
    let clear = raw(&[
        "one",
        "src/m3.c:7:2: error: too few arguments",
        "two",
        "three",
    ]);
    for (log, budget) in [&unclear, &clear].into_iter().zip([0..300, 0..300]) {
        for budget in budget {
            let told = extract(log, budget);
            let last = told.lines().last().unwrap_or_default();
            assert!(!last.ends_with(':'), "{budget}: {told}");
        }
    }
}

#[test]
fn the_greatest_budget_that_emacs_can_give_is_no_other_than_a_large_one() {
    let log = raw(&["one", "src/m3.c:7:2: error: too few arguments"]);
    let greatest = usize::try_from((1_i64 << 61) - 1).unwrap_or(usize::MAX);
    assert_eq!(extract(&log, greatest), extract(&log, 1_000_000));
}

#[test]
fn equal_lines_in_a_row_are_told_once_with_their_number() {
    let same = "error: cannot open the file, retrying";
    let told = extract(&raw(&[same; 500]), BUDGET);
    assert_eq!(told.matches(same).count(), 1, "{told}");
    assert!(told.ends_with(&format!("{same} (×500)")), "{told}");
}

#[test]
fn of_many_failed_steps_the_first_and_the_last_three_are_told() {
    let step = |name: &str| format!("job\t{name}\t2026-11-10T11:37:50.2503752Z error: no {name}\n");
    let names = ["one", "two", "three", "four", "five", "six"];
    let failure = find(&names.map(step).concat(), BUDGET);
    let told = failure.steps.iter().map(|step| step.step.as_deref());
    let told: Vec<&str> = told.flatten().collect();
    assert_eq!(told, ["one", "four", "five", "six"]);
    assert_eq!(failure.left_out, 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic_and_within_the_budget(
        bytes in proptest::collection::vec(any::<u8>(), 0..4_000),
        budget in 0_usize..700,
    ) {
        let told = extract(&String::from_utf8_lossy(&bytes), budget);
        prop_assert!(count(&told) <= budget, "{} tokens for {budget}", count(&told));
    }

    #[test]
    fn lines_with_blanks_and_signs_of_many_bytes_are_read_without_a_panic(
        lines in proptest::collection::vec(
            "[ \t\u{a0}\u{3000}\u{2003}\u{85}\r]{0,4}(nl|\\[javac\\] |\\[é\\] |│ |job\tstep\t)?(error: |Error: |FAILED |✗ |at |error\u{a0}: )?[a-zé漢\u{3000} ]{0,30}[\u{a0}\u{3000} ]{0,2}",
            1..40,
        ),
        framed in any::<bool>(),
        budget in 0_usize..700,
    ) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let log = if framed { raw(&lines) } else { lines.join("\n") };
        let told = extract(&log, budget);
        prop_assert!(count(&told) <= budget, "{} tokens for {budget}", count(&told));
    }

    #[test]
    fn any_order_of_real_lines_is_read_without_a_panic_and_within_the_budget(
        picks in proptest::collection::vec((0_usize..1_000_000, any::<bool>()), 0..200),
        budget in 0_usize..700,
    ) {
        let logs = &*SAMPLES;
        let mut log = String::new();
        for (pick, cut) in picks {
            let lines: Vec<&str> = logs[pick % logs.len()].text.lines().collect();
            let line = lines[pick % lines.len().max(1)];
            let end = if cut { line.len() / 2 } else { line.len() };
            let end = (0..=end).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
            log.push_str(&line[..end]);
            log.push('\n');
        }
        let told = extract(&log, budget);
        prop_assert!(count(&told) <= budget, "{} tokens for {budget}", count(&told));
    }
}
