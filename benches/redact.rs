//! Redaction timed beside a naive loop over all rules: a 64 KiB diff as the first text of a process (cold) and later (warm), and
//! 10 MB streamed.
//!
//! `make bench` runs this bench. It prints the load, medians with p10 and p90, and one line a goal, and ends with 1 when a goal is
//! missed. Above a load of [`BUSY`] it says that no goal is judged, and ends with 0. The diff is made of this repository's own
//! sources and, for the 10 MB, of those of its dependencies. The bench first waits up to two minutes until the load of the build
//! has fallen.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use cj_gate::redact::{Redactor, types};
use regex::bytes::RegexBuilder;

/// Above this load average of one minute no goal is judged.
const BUSY: f64 = 1.5;
const SMALL: usize = 64 * 1024;
const LARGE: usize = 10 * 1000 * 1000;
/// The size of the pieces in which a stream comes: 64 KiB, as from a pipe.
const PIECE: usize = 64 * 1024;

/// Secret values as an environment holds them; these open nothing.
const KNOWN: &[&str] = &[
    "ghp_RmBNzl7jGoM7X5aheKlAxb6qlPRbe9DstwQ8",
    "sk-ant-api03-Rwh1flQ_ZG7bdOOh1QulctAslTU2StQDH9eN6JUJqGb8mUtDZldrphAxHUtwudSF",
    "u2IBgdLpdo#5QkzR",
    "tE9I31BvSgPl8aBGgN9zNZ2PgSuxsA0QXnvzl9/I",
    "46f23e73-98df-4032-a72b-5e57f2319eaa",
];

#[expect(
    clippy::disallowed_methods,
    reason = "a bench is a program of its own and reads its own arguments"
)]
fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--cold") {
        cold();
        return ExitCode::SUCCESS;
    }
    let load = settled_load();
    println!("redaction; load {load:.2}");
    let large = diff(LARGE);
    let small = &large[..SMALL];
    let known: Vec<String> = KNOWN.iter().map(|value| (*value).to_owned()).collect();
    let by_type = Redactor::new(&[]);
    let by_value = Redactor::new(&known);

    let cold: Vec<f64> = (0..11).map(|_| cold_child()).collect();
    let cold = row("64 KiB, first text of a process", "ms", cold);
    let mut warm = Vec::new();
    let mut with_known = Vec::new();
    for _ in 0..101 {
        warm.push(millis(|| drop(by_type.bytes(small))));
        with_known.push(millis(|| drop(by_value.bytes(small))));
    }
    row("64 KiB, by type alone", "ms", warm);
    let warm = row("64 KiB, by type and by 5 values", "ms", with_known);
    let streamed: Vec<f64> = (0..7)
        .map(|_| {
            let took = millis(|| {
                let mut stream = by_value.stream();
                let mut out = 0;
                for piece in large.chunks(PIECE) {
                    out += stream.push(piece).len();
                }
                out += stream.finish().len();
                assert!(out > 0);
            });
            megabytes_a_second(large.len(), took)
        })
        .collect();
    let streamed = row("10 MB streamed, by type and by 5 values", "MB/s", streamed);

    let naive = Naive::new();
    let mut small_naive = Vec::new();
    for _ in 0..11 {
        small_naive.push(millis(|| naive.run(small)));
    }
    row("64 KiB, naive loop over the forms alone", "ms", small_naive);
    let took = millis(|| naive.run(&large));
    row(
        "10 MB, naive loop over the forms alone",
        "MB/s",
        vec![megabytes_a_second(large.len(), took)],
    );

    if load > BUSY {
        println!(
            "not judged: the load was {load:.2}, above {BUSY}; run the bench again on an idle machine"
        );
        return ExitCode::SUCCESS;
    }
    let goals = [
        (
            "64 KiB are redacted within 2 ms, by type and by 5 values (median)",
            warm <= 2.0,
        ),
        (
            "the first 64 KiB of a process are redacted within 50 ms (median)",
            cold <= 50.0,
        ),
        (
            "10 MB are streamed at 25 MB/s or more (median)",
            streamed >= 25.0,
        ),
    ];
    let mut missed = 0;
    for (goal, met) in goals {
        println!("{} {goal}", if met { "met   " } else { "MISSED" });
        missed += u8::from(!met);
    }
    ExitCode::from(missed.min(1))
}

/// The naive way: each form of secret is searched in the whole text, one after the other, without names, places or values.
struct Naive {
    forms: Vec<regex::bytes::Regex>,
}

impl Naive {
    fn new() -> Self {
        let forms = types()
            .map(|form| {
                RegexBuilder::new(form.pattern)
                    .unicode(false)
                    .build()
                    .expect("a test compiles every row")
            })
            .collect();
        Self { forms }
    }

    fn run(&self, text: &[u8]) {
        let mut found = 0;
        for form in &self.forms {
            found += form.find_iter(text).count();
        }
        std::hint::black_box(found);
    }
}

/// Times the first text of a process, which builds the automaton, the forms and the values; prints milliseconds.
fn cold() {
    let text = diff(SMALL);
    let known: Vec<String> = KNOWN.iter().map(|value| (*value).to_owned()).collect();
    let took = millis(|| drop(Redactor::new(&known).bytes(&text)));
    println!("{took}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bench is no part of the module; each cold sample needs a process of its own"
)]
fn cold_child() -> f64 {
    let this = std::env::current_exe().expect("a running program has a path");
    let out = std::process::Command::new(this)
        .arg("--cold")
        .output()
        .expect("the bench can start itself");
    String::from_utf8_lossy(&out.stdout)
        .trim()
        .parse()
        .expect("the child prints one number")
}

/// A diff of `len` bytes that adds source files: ours first, then those of the dependencies.
fn diff(len: usize) -> Vec<u8> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "lisp", "test/rust"] {
        sources(&ours.join(folder), &mut files);
    }
    if len > SMALL {
        sources(&registry(), &mut files);
    }
    let mut out = String::new();
    for file in files.iter().cycle().take(20 * files.len()) {
        let Ok(text) = std::fs::read_to_string(file) else {
            continue;
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let lines = text.lines().count();
        let id = text.bytes().fold(lines as u64, |id, byte| {
            (id ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        write!(
            out,
            "diff --git a/{name} b/{name}\nindex {:040x}..{id:040x} 100644\n--- a/{name}\n+++ b/{name}\n@@ -0,0 +1,{lines} @@\n",
            id.rotate_left(17)
        )
        .expect("writing to a string cannot fail");
        for line in text.lines() {
            out.push('+');
            out.push_str(line);
            out.push('\n');
        }
        if out.len() >= len {
            break;
        }
    }
    assert!(out.len() >= len, "too few sources to make the diff of");
    let mut out = out.into_bytes();
    out.truncate(len);
    out
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bench is no part of the module; cargo's home is told by the environment alone"
)]
fn registry() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    );
    home.join("registry/src")
}

/// Adds the source files under `folder` to `out`, sorted, without those that hold secrets on purpose.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            // The suites there plant secrets.
            if !path.ends_with("test/rust/redact") {
                sources(&path, out);
            }
        } else if !name.starts_with("redact")
            && [".rs", ".el", ".toml", ".md"]
                .iter()
                .any(|end| name.ends_with(end))
        {
            out.push(path);
        }
    }
}

fn millis(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    let took: Duration = start.elapsed();
    took.as_secs_f64() * 1000.0
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a length in bytes is far below 2^52"
)]
fn megabytes_a_second(bytes: usize, millis: f64) -> f64 {
    bytes as f64 / 1000.0 / millis
}

/// Prints the median with p10 and p90; returns the median.
fn row(what: &str, unit: &str, mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    let at = |percent: usize| samples[(samples.len() - 1) * percent / 100];
    println!(
        "{what:<44} {:>8.2} {unit:<4}  p10 {:.2}  p90 {:.2}  n {}",
        at(50),
        at(10),
        at(90),
        samples.len()
    );
    at(50)
}

/// The load, after a wait in which the load of the build falls.
fn settled_load() -> f64 {
    for _ in 0..24 {
        if load() <= BUSY {
            break;
        }
        std::thread::sleep(Duration::from_secs(5));
    }
    load()
}

/// The load of the last minute; 0 where the system does not say.
fn load() -> f64 {
    std::fs::read_to_string("/proc/loadavg")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .unwrap_or(0.0)
}
