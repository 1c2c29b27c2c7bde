//! Checks that nothing a stranger wrote into a repository is run. Every leaf that may run is run as the product runs it, in
//! checkouts and bare repositories in which each setting that can name a program names a canary.
//!
//! A canary is a program that only writes its name down; it fires when something runs it.  All leaves are first run with a git
//! whose starts are logged; the leaves that start git are then run again in every shape of directory and with every kind of remote.

use crate::binaries;
use crate::cases::{self, Case, Row};
use crate::place::{Login, Place, Scratch, logins};
use crate::run::{self, Start};
use crate::shapes::{self, HOOKS, KEYS, REMOTES, SHAPES};
use cj_gate::gate::{Class, Cwd};
use cj_gate::gh::call::fill::commit_range;
use cj_gate::gh::call::request::{Request, Settings};
use cj_gate::gh::catalog::Catalog;
use cj_gate::gh::child::environment::{ByEnvironment, for_gh};
use cj_gate::gh::child::facts;
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::place::context::GitFacts;
use cj_gate::gh::place::pin::{AsArguments, pin};
use cj_gate::gh::tools::plan;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// The longest that a run may take. A call that needs longer waits for a person who is not there.
const LIMIT: Duration = Duration::from_secs(10);

const INFALLIBLE: &str = "writing to a string can't fail";
const HELD: &str = "no worker panics while it holds this";

/// The result of a sweep of one version of gh.
#[derive(Debug, Default)]
pub struct Found {
    /// The paths of the leaves that were run.
    pub leaves: BTreeSet<String>,
    pub argvs: usize,
    pub refused: usize,
    pub runs: usize,
    /// The leaves that started git, with the number of argvs that did. A start of git in an extension's folder does not count:
    /// every command of gh looks into each extension.
    pub of_git: BTreeMap<String, usize>,
    /// How often git was started.
    pub git: usize,
    /// The leaves and the git commands that they start. With `--quick`, an argv that adds none is not run in further directories.
    kinds: BTreeSet<(String, Vec<String>)>,
    /// The runs in which canaries fired: the argv, the shape of the directory, the remote, and the canaries.
    pub fired: Vec<(Vec<String>, String, String, Vec<String>)>,
}

/// One of the gits of this machine.
struct Git {
    program: PathBuf,
    version: String,
}

/// Runs the sweep with every gh and every git of this machine; returns whether no canary fired, and whether there was a gh.
pub fn sweep(options: &crate::Options, lab: &Path) -> Result<(bool, bool), String> {
    let scratch = Scratch::new()?;
    let mut gits = gits();
    if options.quick {
        gits.truncate(1);
    }
    let (mut silent, mut ran) = (true, false);
    for git in &gits {
        let place = scratch.place(&format!("bite-{}", git.version), lab)?;
        shapes::install(&place, &git.program)?;
        let given = place.given(Login::Stored);
        let mut plain: Vec<(&str, String)> = Vec::new();
        for entry in given.reveal() {
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            plain.push((name, value.to_owned()));
        }
        let fired = shapes::fired_by_git(&place, &git.program, &plain)?;
        println!(
            "git {}: {} of {} canaries are fired when {} commands run unprotected in {} directories with {} kinds of remotes",
            git.version,
            fired.len(),
            shapes::canaries(),
            shapes::GIT_COMMANDS.len(),
            SHAPES.len(),
            REMOTES.len()
        );
        println!("  {}", fired.join(", "));
        if fired.len() * 2 < shapes::canaries() {
            return Err(format!(
                "fewer than half of the canaries fire when git runs unprotected: {fired:?}"
            ));
        }
        let (file, _) = logins(Login::Stored);
        let protected = for_gh(&given, "github.com", &file, ByEnvironment::default());
        let protected: Vec<(&str, String)> = protected
            .pairs()
            .iter()
            .map(|(name, value)| (name.as_str(), value.reveal().clone()))
            .collect();
        let leaked = shapes::fired_by_git(&place, &git.program, &protected)?;
        println!(
            "git {}: {} fire when the same commands run with the environment that gh gets",
            git.version,
            leaked.len()
        );
        for canary in &leaked {
            println!("  CANARY {canary}");
            silent = false;
        }
    }
    for gh in binaries(options) {
        let (version, gh, catalog) = gh?;
        ran = true;
        let start = Start { gh, strace: None };
        let work = work(options, catalog, &cases::rows(catalog));
        for git in &gits {
            let found = run_all(options, &start, &scratch, git, lab, &work)?;
            print!("{}", told(version, git, &found));
            silent &= found.fired.is_empty();
        }
    }
    Ok((silent, ran))
}

fn told(version: &str, git: &Git, found: &Found) -> String {
    let mut out = format!(
        "gh {version}, git {}: {} leaves run by {} argvs ({} refused), {} runs, {} starts of git by {} leaves; {} keys and {} hooks shaped, {} canaries fired\n",
        git.version,
        found.leaves.len(),
        found.argvs,
        found.refused,
        found.runs,
        found.git,
        found.of_git.len(),
        KEYS.len() + REMOTES.iter().map(|(_, keys)| keys.len()).sum::<usize>(),
        HOOKS.len(),
        found
            .fired
            .iter()
            .map(|(.., canaries)| canaries.len())
            .sum::<usize>(),
    );
    for (leaf, times) in &found.of_git {
        writeln!(out, "  starts git: {leaf} ({times})").expect(INFALLIBLE);
    }
    for (argv, shape, remote, canaries) in &found.fired {
        let canaries = canaries.join(", ");
        writeln!(
            out,
            "  CANARY {argv:?} in {shape}, remote {remote}: {canaries}"
        )
        .expect(INFALLIBLE);
    }
    out
}

/// The gits of this machine, one of each version, in the order of PATH.
fn gits() -> Vec<Git> {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut out: Vec<Git> = Vec::new();
    for dir in std::env::split_paths(&path).chain(["/usr/bin".into()]) {
        let program = dir.join("git");
        let Ok(output) = Command::new(&program).arg("--version").output() else {
            continue;
        };
        let said = String::from_utf8_lossy(&output.stdout);
        let version = said.trim().trim_start_matches("git version ").to_owned();
        if out.iter().all(|git| git.version != version) {
            out.push(Git { program, version });
        }
    }
    out
}

/// Every call that may run, for each leaf: its row unchanged, its row without `-R`, its row without the first positional (which gh
/// then looks up in the checkout), and its row with each of its flags.
fn work(options: &crate::Options, catalog: &Catalog, rows: &[Row]) -> Vec<Case> {
    let mut work: Vec<Case> = Vec::new();
    for case in cases::leaves(rows) {
        if case.source == cases::Source::Keyring {
            continue;
        }
        let without = |gone: &dyn Fn(usize, &str) -> bool| -> Vec<String> {
            let kept = case.argv.iter().enumerate();
            let kept = kept.filter(|(at, word)| !gone(*at, word));
            kept.map(|(_, word)| word.clone()).collect()
        };
        let after_repo = |at: usize| at > 0 && case.argv[at - 1] == "-R";
        let depth = case.leaf.split_whitespace().count();
        let shorter = [
            without(&|at, word| word == "-R" || after_repo(at)),
            without(&|at, word| at == depth && !word.starts_with('-')),
        ];
        for argv in shorter {
            let says_more = !options.quick || argv.contains(&"-R".to_owned());
            if argv != case.argv && argv.len() >= depth && says_more {
                work.push(Case {
                    argv,
                    ..case.clone()
                });
            }
        }
        work.push(case);
    }
    let mut flags = cases::flags(catalog, rows);
    if options.quick {
        // Only the leaves that are known to start git.
        flags.retain(|case| {
            ["issue develop", "pr create", "pr close", "pr merge"].contains(&case.leaf.as_str())
        });
    }
    work.extend(flags);
    if !options.only.is_empty() {
        work.retain(|case| options.only.contains(&case.leaf));
    }
    let mut seen = BTreeSet::new();
    work.retain(|case| {
        let may_run = matches!(
            classify(&case.argv).class,
            Class::Read | Class::Write | Class::Unknown
        );
        may_run && seen.insert(case.argv.clone())
    });
    work
}

fn run_all(
    options: &crate::Options,
    start: &Start,
    scratch: &Scratch,
    git: &Git,
    lab: &Path,
    work: &[Case],
) -> Result<Found, String> {
    let next = AtomicUsize::new(0);
    let number = AtomicUsize::new(0);
    let found: Mutex<Found> = Mutex::new(Found::default());
    let failed: Mutex<Option<String>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..options.workers {
            scope.spawn(|| {
                let nth = number.fetch_add(1, Ordering::SeqCst);
                let gh = start
                    .gh
                    .parent()
                    .and_then(Path::file_name)
                    .unwrap_or_default();
                let name = format!("h{}-{}-{nth}", gh.to_string_lossy(), git.version);
                let ran = scratch.place(&name, lab).and_then(|mut place| {
                    shapes::install(&place, &git.program)?;
                    while let Some(case) = work.get(next.fetch_add(1, Ordering::SeqCst)) {
                        one(start, &mut place, case, &found, options.quick)?;
                    }
                    Ok(())
                });
                if let Err(why) = ran {
                    *failed.lock().expect(HELD) = Some(why);
                }
            });
        }
    });
    match failed.into_inner().expect("no worker panicked") {
        Some(why) => Err(why),
        None => Ok(found.into_inner().expect("no worker panicked")),
    }
}

/// Runs `case` in the checkout and, if gh starts git there, in every directory and with every remote.
fn one(
    start: &Start,
    place: &mut Place,
    case: &Case,
    found: &Mutex<Found>,
    quick: bool,
) -> Result<(), String> {
    let mut everywhere = false;
    for (remote, _) in REMOTES {
        for shape in SHAPES {
            let first = *remote == REMOTES[0].0 && *shape == SHAPES[0];
            // The shape of the directory does not change how git fetches, so shapes and remotes are not combined.
            let other = *remote != REMOTES[0].0 && *shape != SHAPES[0];
            if !first && (other || !everywhere) {
                continue;
            }
            let ran = as_product(start, place, case, shape, remote)?;
            let mut found = found.lock().expect(HELD);
            if first {
                found.argvs += 1;
                if ran.refused {
                    found.refused += 1;
                } else {
                    found.leaves.insert(case.leaf.clone());
                }
                everywhere = !ran.git.is_empty();
                if everywhere {
                    if quick {
                        let words = |start: &String| {
                            let words = start.split_once(": ").map_or("", |(_, words)| words);
                            words.split(' ').take(2).collect::<Vec<_>>().join(" ")
                        };
                        let kind = (case.leaf.clone(), ran.git.iter().map(words).collect());
                        everywhere = found.kinds.insert(kind);
                    }
                    *found.of_git.entry(case.leaf.clone()).or_default() += 1;
                }
            }
            found.runs += usize::from(!ran.refused);
            found.git += ran.git.len();
            if !ran.fired.is_empty() {
                found.fired.push((
                    case.argv.clone(),
                    (*shape).to_owned(),
                    (*remote).to_owned(),
                    ran.fired,
                ));
            }
        }
    }
    Ok(())
}

/// The result of one run as the product does it.
struct Ran {
    refused: bool,
    /// Each start of git.
    git: Vec<String>,
    fired: Vec<String>,
}

/// Collects the git facts, plans `case` and runs the plan, in a directory of the shape `shape` with the remote `remote`.
fn as_product(
    start: &Start,
    place: &mut Place,
    case: &Case,
    shape: &str,
    remote: &str,
) -> Result<Ran, String> {
    place.reset(case.login, false)?;
    let cwd = shapes::shape(place, shape, remote)?;
    let _ = (shapes::fired(place), shapes::starts(place)); // drops what the run before left
    let (file, hosts) = logins(case.login);
    let given = place.given(case.login);
    let settings = Settings {
        executable: Some(start.gh.clone()),
        executable_name: "gh".to_owned(),
        environment: given.clone(),
        roots: vec![place.dir.clone()],
        known_hosts: Some(hosts.known.clone()),
        default_host: hosts.default.clone(),
        ..Settings::default()
    };
    let request = Request {
        argv: case.argv.clone().into(),
        cwd: Some(Cwd::Local(cwd.clone())),
        ..Request::default()
    };
    let facts = facts_of(place, &cwd, &request, &settings)?;
    let wanted = AsArguments {
        facts: Some(&facts),
        ..AsArguments::default()
    };
    let verdict = classify(&case.argv);
    let pinned = pin(verdict.parsed.as_ref(), &case.argv, wanted, &hosts).ok();
    let planned = plan(
        &Request {
            facts: Some(facts.clone()),
            ..request
        }
        .into(),
        &settings,
    );
    let (mut ran, mut refused) = (Vec::new(), true);
    if let (Some(pinned), Ok(plan)) = (pinned, planned)
        && plan.refusal().is_none()
    {
        refused = false;
        let by = ByEnvironment {
            gh_host: pinned.gh_host.as_deref(),
            gh_repo: pinned.gh_repo.as_deref(),
            ..ByEnvironment::default()
        };
        let environment = for_gh(&given, &pinned.target.host, &file, by);
        let argv = plan.info().argv.clone();
        let _ = shapes::starts(place); // drops the starts by which the git facts were collected
        run::run_in(start, place, &cwd, &argv, environment.pairs(), LIMIT)?;
        ran = shapes::starts(place);
    }
    Ok(Ran {
        refused,
        git: ran,
        fired: shapes::fired(place),
    })
}

/// The git facts of the directory, collected as the product does.
fn facts_of(
    place: &Place,
    cwd: &Path,
    request: &Request,
    settings: &Settings,
) -> Result<GitFacts, String> {
    let (send, receive) = mpsc::channel();
    facts::collect(
        Some(&place.dir.join("bin/git")),
        cwd,
        &settings.environment,
        commit_range(request.clone(), settings.clone()),
        move |facts| {
            let _ = send.send(facts); // fails only after the wait below has timed out
        },
    )
    .map_err(|refusal| refusal.to_string())?;
    let waited = receive.recv_timeout(Duration::from_secs(30));
    waited.map_err(|error| format!("git facts: {error}"))
}
