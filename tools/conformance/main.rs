//! `conformance`: runs the real gh against the stand-in GitHub and compares each verdict of the classifier with what gh did.
//!
//! No call judged `read` may send a mutation, write outside gh's cache, open a file of the caller's, start a program other than git, ask
//! another server than the stand-in, print a token, or run without end. A pinned call may ask its target host alone. `make conformance`
//! runs all of this, and the tests run a part.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program for developers: it starts gh and talks on the terminal"
)]

mod cases;
mod foreign;
mod generate;
mod hostile;
mod judge;
mod place;
mod report;
mod run;
mod shapes;
mod trace;
mod values;

use cases::Case;
use cj_gate::gate::Class;
use cj_gate::gh::catalog::{BUILT_IN, Catalog};
use cj_gate::gh::judge::classify::classify;
use foreign::Tried;
use judge::Outcome;
use place::{Place, Scratch};
use run::Start;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const HELP: &str = "\
conformance [--quick] [--only LEAF]… [--generated N] [--seed N] [--workers N] [--report DIR] [--gh VERSION] [--suspect] [--foreign [--raw]] [--hostile]
    Runs gh VERSION (default: each catalogued one) of .deps/gh.  --quick runs only the leaves that are reads, and few generated argvs.
    DIR (default: conformance beside the build) gets VERSION.org, a table by leaf, and VERSION.jsonl, with every run.
    --hostile instead runs every call that may run, in repositories in which each setting names a canary: see hostile.rs.
    --suspect treats every verdict as `read', so that each run that does more must be reported: a test of this program.
    --foreign instead runs every leaf with the URL of a foreign host in each value, and reports the foreign hosts that gh asks; --quick
    tries one form of URL.  --raw runs these calls without the gate, which shows what the gate has to refuse.
    Exit: 0 no false read (no foreign host, no canary), 1 some, 2 the program failed, 3 no gh.
";

/// How many argvs are generated for each version of gh, and how many with `--quick`.
const GENERATED: usize = 2000;
const GENERATED_QUICK: usize = 60;

struct Options {
    quick: bool,
    only: Vec<String>,
    generated: Option<usize>,
    seed: u64,
    workers: usize,
    report: PathBuf,
    gh: Option<String>,
    suspect: bool,
    foreign: bool,
    raw: bool,
    hostile: bool,
}

fn main() -> ExitCode {
    match options().and_then(|options| conformance(&options)) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("conformance: {why}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        quick: false,
        only: Vec::new(),
        generated: None,
        seed: 1,
        workers: 2,
        report: own_directory()?
            .ancestors()
            .nth(2)
            .unwrap_or(Path::new("."))
            .join("conformance"),
        gh: None,
        suspect: false,
        foreign: false,
        raw: false,
        hostile: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--quick" {
            options.quick = true;
            continue;
        }
        if word == "--hostile" {
            options.hostile = true;
            continue;
        }
        if word == "--suspect" {
            options.suspect = true;
            continue;
        }
        if word == "--foreign" {
            options.foreign = true;
            continue;
        }
        if word == "--raw" {
            options.raw = true;
            continue;
        }
        let value = words.next().ok_or_else(|| HELP.to_owned())?;
        let number = || {
            value
                .parse::<usize>()
                .map_err(|error| format!("{word}: {error}"))
        };
        match word.as_str() {
            "--only" => options.only.push(value),
            "--generated" => options.generated = Some(number()?),
            "--seed" => options.seed = number()? as u64,
            "--workers" => options.workers = number()?.max(1),
            "--report" => options.report = PathBuf::from(value),
            "--gh" => options.gh = Some(value),
            _ => return Err(HELP.to_owned()),
        }
    }
    Ok(options)
}

/// The directory of this program: `target/PROFILE/examples`.
fn own_directory() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(own.parent().unwrap_or(Path::new("/")).to_path_buf())
}

fn conformance(options: &Options) -> Result<ExitCode, String> {
    let begun = Instant::now();
    let lab = own_directory()?.join("lab");
    if !lab.exists() {
        return Err(format!(
            "{} is missing: run `cargo build --example lab' first",
            lab.display()
        ));
    }
    if options.hostile {
        return Ok(match hostile::sweep(options, &lab)? {
            (_, false) => ExitCode::from(3),
            (true, _) => ExitCode::SUCCESS,
            (false, _) => ExitCode::from(1),
        });
    }
    let strace = strace();
    if strace.is_none() {
        println!(
            "There is no strace that works here: files, and programs started by an absolute name, are not watched."
        );
    }
    let scratch = Scratch::new()?;
    let (mut ran, mut bad, mut argvs) = (0, 0, 0);
    for gh in binaries(options) {
        let (version, gh, catalog) = gh?;
        let start = Start {
            gh,
            strace: strace.clone(),
        };
        let rows = cases::rows(catalog);
        if options.foreign {
            let (swept, reached) = foreign_hosts(options, &start, &scratch, &lab, catalog, &rows)?;
            ran += 1;
            argvs += swept;
            bad += reached;
            continue;
        }
        let outcomes = sweep(
            options,
            &start,
            &scratch,
            &lab,
            &work(options, catalog, &rows),
        )?;
        let summary = report::summary(version, catalog, &rows, &outcomes);
        report::write(&options.report, &summary, &rows, &outcomes)?;
        print!(
            "{}",
            report::told(&summary, !options.quick && options.only.is_empty())
        );
        ran += 1;
        argvs += summary.argvs;
        bad += summary.false_reads.len();
    }
    if options.foreign {
        println!(
            "{argvs} values, {bad} reached a foreign host, {} s",
            begun.elapsed().as_secs()
        );
    } else {
        println!(
            "{argvs} argvs, {bad} false reads, {} s; tables in {}",
            begun.elapsed().as_secs(),
            options.report.display()
        );
    }
    Ok(match (ran, bad) {
        (0, _) => ExitCode::from(3),
        (_, 0) => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// The catalogued versions of gh that `options` ask for, with binary and catalog.  A version that is not under .deps/gh is
/// left out with a printed line.
fn binaries(
    options: &Options,
) -> impl Iterator<Item = Result<(&'static str, PathBuf, &'static Catalog), String>> {
    let wanted = BUILT_IN
        .iter()
        .filter(|(version, _)| options.gh.as_deref().is_none_or(|gh| gh == *version));
    wanted.filter_map(|&(version, text)| {
        let gh = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(".deps/gh")
            .join(version)
            .join("gh");
        if !gh.is_file() {
            println!("gh {version}: skipped, it is not under .deps/gh; `make deps' gets it");
            return None;
        }
        let catalog = match Catalog::merge(&[text]) {
            Ok(catalog) => Box::leak(Box::new(catalog)),
            Err(error) => return Some(Err(error.to_string())),
        };
        Some(Ok((version, gh, &*catalog)))
    })
}

/// The argvs to run, those with a proof (see [`cases::Proof`]) first.
fn work(options: &Options, catalog: &Catalog, rows: &[cases::Row]) -> Vec<Case> {
    let mut work = cases::leaves(rows);
    if options.quick {
        work.retain(|case| classify(&case.argv).class == Class::Read);
    } else {
        work.extend(cases::flags(catalog, rows));
        work.extend(cases::samples());
    }
    let usual = if options.quick {
        GENERATED_QUICK
    } else {
        GENERATED
    };
    let count = options.generated.unwrap_or(usual);
    work.extend(generate::cases(catalog, rows, count, options.seed));
    if !options.only.is_empty() {
        work.retain(|case| options.only.contains(&case.leaf));
    }
    work
}

/// Runs `work` in as many places as there are workers; the outcomes come back in the order of `work`.
fn sweep(
    options: &Options,
    start: &Start,
    scratch: &Scratch,
    lab: &Path,
    work: &[Case],
) -> Result<Vec<Outcome>, String> {
    let version = version_of(start);
    in_places(options, start, scratch, lab, work, |place, case| {
        place.reset_login(case.login)?;
        let mut outcome = judge::compare(start, place, &scratch.facts, case.clone())?;
        if options.suspect {
            outcome.class = Class::Read;
        }
        let false_read = outcome.false_read();
        if !false_read.is_empty() && !options.suspect {
            // Printed at once, since the sweep is long.
            eprintln!(
                "gh {version}: {:?}: {}",
                outcome.case.argv,
                false_read.join("; ")
            );
        }
        Ok(outcome)
    })
}

/// Puts foreign hosts into every value of `catalog`; returns how many values were tried and how many reached a foreign host.
fn foreign_hosts(
    options: &Options,
    start: &Start,
    scratch: &Scratch,
    lab: &Path,
    catalog: &'static Catalog,
    rows: &[cases::Row],
) -> Result<(usize, usize), String> {
    let version = version_of(start);
    let forms = if options.quick {
        &foreign::FORMS[..1]
    } else {
        foreign::FORMS
    };
    let mut probes = foreign::probes(catalog, rows, forms);
    if !options.only.is_empty() {
        probes.retain(|probe| options.only.contains(&probe.leaf));
    }
    let tried = in_places(options, start, scratch, lab, &probes, |place, probe| {
        place.reset_login(place::Login::Both)?;
        foreign::try_value(start, place, &scratch.facts, probe, options.raw)
    })?;
    let (mut refused, mut bad) = (0, 0);
    for (probe, tried) in probes.iter().zip(&tried) {
        match tried {
            Tried::Refused => refused += 1,
            Tried::Ran(hosts) if hosts.is_empty() => {}
            Tried::Ran(hosts) => {
                bad += 1;
                println!(
                    "  REACHED {} by {} {}: {:?}",
                    hosts.join(" "),
                    probe.leaf,
                    probe.slot,
                    probe.argv
                );
            }
        }
    }
    let mut slots: Vec<(&str, &str)> = probes
        .iter()
        .map(|probe| (probe.leaf.as_str(), probe.slot.as_str()))
        .collect();
    slots.sort_unstable();
    slots.dedup();
    println!(
        "gh {version}: {} places for a value in {} forms: {} values, {refused} refused, {} run, {bad} reached a foreign host",
        slots.len(),
        forms.len(),
        probes.len(),
        probes.len() - refused,
    );
    Ok((probes.len(), bad))
}

fn version_of(start: &Start) -> String {
    let folder = start.gh.parent().and_then(Path::file_name);
    folder.unwrap_or_default().to_string_lossy().into_owned()
}

/// Does `run` for each of `work`, in as many places as there are workers; the results come back in the order of `work`.
fn in_places<T: Sync, R: Send>(
    options: &Options,
    start: &Start,
    scratch: &Scratch,
    lab: &Path,
    work: &[T],
    run: impl Fn(&mut Place, &T) -> Result<R, String> + Sync,
) -> Result<Vec<R>, String> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let failed: Mutex<Option<String>> = Mutex::new(None);
    let number = AtomicUsize::new(0);
    let version = version_of(start);
    std::thread::scope(|scope| {
        for _ in 0..options.workers {
            scope.spawn(|| {
                let name = format!("{version}-{}", number.fetch_add(1, Ordering::SeqCst));
                let ran = scratch.place(&name, lab).and_then(|mut place| {
                    loop {
                        let at = next.fetch_add(1, Ordering::SeqCst);
                        let Some(item) = work.get(at) else {
                            return Ok(());
                        };
                        let result = run(&mut place, item)?;
                        results
                            .lock()
                            .expect("no worker panics while it holds this")
                            .push((at, result));
                        if at % 500 == 499 {
                            eprintln!("gh {version}: {} of {}", at + 1, work.len());
                        }
                    }
                });
                if let Err(why) = ran {
                    *failed.lock().expect("no worker panics while it holds this") = Some(why);
                }
            });
        }
    });
    if let Some(why) = failed.into_inner().expect("no worker panicked") {
        return Err(why);
    }
    let mut results = results.into_inner().expect("no worker panicked");
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// The strace of this machine; none where strace is missing or may not trace.
fn strace() -> Option<PathBuf> {
    let strace = ["/usr/bin/strace", "/usr/local/bin/strace"]
        .iter()
        .map(PathBuf::from)
        .find(|path| path.is_file())?;
    let works = Command::new(&strace)
        .args(["-f", "-y", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e"])
        .arg(format!("trace={}", trace::CALLS))
        .arg("true")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    works.is_ok_and(|status| status.success()).then_some(strace)
}
