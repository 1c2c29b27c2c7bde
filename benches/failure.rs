//! How long it takes to find the failure in a job's log of 13 MB: among the lines of tests that passed, and among lines full of
//! words like `error`; then in logs made to be slow to read, by their lines, names or steps. The time includes redaction, as in a real call.
//!
//! `make bench` runs this bench. It prints the load, medians with p10 and p90, and a line for the goal, and ends with 1 when the
//! goal is missed. Above a load of [`BUSY`] it says that the goal is not judged, and ends with 0.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../test/rust/gh/job_log.rs"]
#[allow(dead_code, reason = "the suites use more of it than the bench")]
mod job_log;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use cj_gate::joblog::extract;
use cj_gate::redact::Redactor;
use job_log::Case;

/// Above this load average of one minute the goal is not judged.
const BUSY: f64 = 1.5;
const LARGE: usize = 13 * 1000 * 1000;
/// The bytes of a time stamp and the space after it.
const STAMP: usize = 29;
/// The goals: at most this many seconds for a log as jobs print them, and for one that is made to be slow.
const GOAL: f64 = 0.5;
const HOSTILE: f64 = 3.0;

fn main() -> ExitCode {
    let load = load();
    println!("failure in a log of 13 MB; load {load:.2}");
    let green = log(|out, n| {
        write!(
            out,
            "tests/test_area_{}.py::test_net[{n}] \u{1b}[32mPASSED\u{1b}[0m",
            n % 40
        )
    });
    let trouble = log(|out, n| {
        let words = [
            "error",
            "failed",
            "cannot",
            "value",
            "missing",
            "src/a.c:3:4:",
            "retry",
            "unexpected",
        ];
        let word = |by: usize| words[(n / by + n * by) % words.len()];
        write!(
            out,
            "{} {} thing{n} {} {}",
            word(1),
            word(3),
            word(7),
            word(11)
        )
    });
    let worst = f64::max(
        row("one failure among green tests", &green),
        row("words of trouble in each line", &trouble),
    );
    let slowest = slow()
        .iter()
        .map(|(what, text)| row(what, text))
        .fold(0.0, f64::max);
    if load > BUSY {
        println!(
            "not judged: the load was {load:.2}, above {BUSY}; run the bench again on an idle machine"
        );
        return ExitCode::SUCCESS;
    }
    let mut all = true;
    for (what, time, goal) in [
        ("the failure in a log of 13 MB", worst, GOAL),
        ("the failure in a log made to be slow", slowest, HOSTILE),
    ] {
        let met = time <= goal;
        all &= met;
        let verdict = if met { "met   " } else { "MISSED" };
        println!("{verdict} {what} is found within {goal} s (each median)");
    }
    ExitCode::from(u8::from(!all))
}

/// Logs that are made to be slow to read, each with what it is.
fn slow() -> Vec<(&'static str, String)> {
    let letters = |n: usize| -> String {
        let digits = format!("{n:08}");
        digits.bytes().map(|digit| char::from(digit + 49)).collect()
    };
    let line = |text: &str| format!("2026-11-10T11:37:50.2503752Z {text}\n");
    let many = |count: usize, lines: &dyn Fn(String) -> String| -> String {
        (0..count).map(|n| lines(letters(n))).collect()
    };
    let exit = line("##[error]Process completed with exit code 1.");
    vec![
        (
            "each line differs",
            log(|out, n| {
                write!(
                    out,
                    "✓ {} of {} is done in {}",
                    letters(n),
                    letters(n * 7),
                    letters(n * 31)
                )
            }),
        ),
        (
            "each line is an error of its own",
            log(|out, n| {
                write!(
                    out,
                    "src/{}.c:3:4: error: undefined {}",
                    letters(n),
                    letters(n * 7)
                )
            }),
        ),
        (
            "all lines alike",
            log(|out, _| write!(out, "error: cannot open the file, retrying")),
        ),
        ("a million blank lines", framed(&"\n".repeat(1_000_000))),
        (
            "one line of 13 MB",
            framed(&"error: failed to open x ".repeat(LARGE / 24)),
        ),
        (
            "400,000 names of failed steps",
            many(400_000, &|name| format!("job\t{name}\t{}", line("x"))),
        ),
        (
            "200,000 names of jobs, half unstamped",
            many(200_000, &|name| {
                format!("{name}\ts\t{}no{name}\ts\tfurther\n", line("x"))
            }),
        ),
        (
            "60,000 failed steps in the raw form",
            many(60_000, &|name| {
                let lines = ["##[group]Run x", "shell: x", "##[endgroup]", &name];
                lines.map(line).concat() + &exit
            }),
        ),
        (
            "like lines and no failed step",
            line("error: cannot open the file, retrying").repeat(LARGE / 67),
        ),
        (
            "60,000 programs write in turn",
            many(60_000, &|name| {
                let error = format!("[{name}] src/{name}.c:3:1: error: undeclared");
                let lines = [&error, "[b] x", &format!("[{name}] y")];
                lines.map(line).concat()
            }) + &exit,
        ),
        (
            "no line end at all",
            "error: failed to open x ".repeat(LARGE / 24),
        ),
    ]
}

/// A log whose only step prints `output`, and then a failure.
fn framed(output: &str) -> String {
    let lines = "job: check\n%% step Check\n%% run\nmake check\n%% output\n";
    let end = "src/m3.c:7:2: error: too few arguments\n%% exit 2\n";
    Case::parse("large", &format!("{lines}{output}\n{end}")).raw()
}

/// A log whose only step prints lines by `line` (which gets the number of the line) up to 13 MB, and then a failure.
fn log(line: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    let mut case = String::from("job: check\n%% step Check\n%% run\nmake check\n%% output\n");
    let mut n = 0;
    while case.len() + n * STAMP < LARGE {
        line(&mut case, n).expect("writing to a string cannot fail");
        case.push('\n');
        n += 1;
    }
    case.push_str("src/m3.c:7:2: error: too few arguments\n%% exit 2\n");
    Case::parse("large", &case).raw()
}

/// Prints the median time with p10 and p90; returns the median, in seconds.
fn row(what: &str, log: &str) -> f64 {
    let redactor = Redactor::new(&[]);
    let mut samples: Vec<f64> = (0..9)
        .map(|_| {
            let start = Instant::now();
            let text = redactor.bytes(log.as_bytes());
            let told = extract(&String::from_utf8_lossy(&text), 600);
            assert!(!told.is_empty(), "something is told");
            start.elapsed().as_secs_f64()
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    let at = |percent: usize| samples[(samples.len() - 1) * percent / 100];
    println!(
        "{what:<40} {:>7.3} s  p10 {:.3}  p90 {:.3}  n {}",
        at(50),
        at(10),
        at(90),
        samples.len()
    );
    at(50)
}

/// The load before the bench was built, where make says it.
#[expect(
    clippy::disallowed_methods,
    reason = "a bench is no part of the module; make tells the load by the environment"
)]
fn load() -> f64 {
    let told = std::env::var("BENCH_LOAD").ok();
    let told = told.or_else(|| std::fs::read_to_string("/proc/loadavg").ok());
    let first = told
        .as_deref()
        .and_then(|text| text.split_whitespace().next());
    first.and_then(|text| text.parse().ok()).unwrap_or(0.0)
}
