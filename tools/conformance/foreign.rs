//! Puts a URL of a foreign host into every value of every leaf, and records which hosts gh asks.
//!
//! Each flag that takes a value, and each positional, gets `evil.example` in every form that gh reads somewhere. A call that the
//! gate does not refuse is run as the gate would run it, and may reach no host but its own target.

use crate::cases::{Row, companions};
use crate::place::{COPILOT, Login, Place, logins};
use crate::run::{self, Start};
use cj_gate::gate::Class;
use cj_gate::gh::catalog::{Arity, Catalog, Leaf};
use cj_gate::gh::child::environment::{ByEnvironment, for_gh};
use cj_gate::gh::judge::classify::classify;
use cj_gate::gh::parse::{Named, parse};
use cj_gate::gh::place::context::GitFacts;
use cj_gate::gh::place::pin::{AsArguments, pin};
use std::time::Duration;

/// Names of a foreign host, in the forms that some command of gh takes for a host, a repository, an issue or a pull request.
#[rustfmt::skip]
pub const FORMS: &[&str] = &[
    "https://evil.example/x/y/pull/5",
    "https://evil.example/x/y/issues/5",
    "https://ghe.example.com@evil.example/x/y/pull/5",
    "1,https://evil.example/x/y/issues/5",
    "HTTPS://EVIL.example/x/y/issues/5",
    "evil.example/x/y",
    "https://evil.example/x/y",
    "git@evil.example:x/y.git",
    "ssh://git@evil.example/x/y",
    "//evil.example/x/y/issues/5",
    "evil.example:x/y",
    "evil.example",
    "x/y#5@https://evil.example/x/y/issues/5",
];

/// The hosts with which gh checks attestations, whatever the values are. For this reason a person is asked about the leaves that
/// check attestations.
const SIGSTORE: &[&str] = &["tuf-repo-cdn.sigstore.dev", "tuf-repo.github.com"];

/// How long one run may take.
const LIMIT: Duration = Duration::from_secs(6);

/// One value to try.
#[derive(Clone, Debug)]
pub struct Probe {
    pub leaf: String,
    /// Where the value stands: `--head`, or `positional 1`.
    pub slot: String,
    pub argv: Vec<String>,
}

/// The result of one probe.
#[derive(Debug)]
pub enum Tried {
    /// The gate refuses it.
    Refused,
    /// The call ran, and asked these hosts besides its target, or started these programs; empty for a harmless call.
    Ran(Vec<String>),
}

/// Every value of every leaf of `catalog` with every one of `forms`.
pub fn probes(catalog: &'static Catalog, rows: &[Row], forms: &[&str]) -> Vec<Probe> {
    let mut out = Vec::new();
    for leaf in catalog.leaves() {
        let Some(row) = rows.iter().find(|row| row.leaf == leaf.path) else {
            continue;
        };
        for form in forms {
            out.extend(in_flags(leaf, &row.argv, form));
            out.extend(in_positionals(catalog, leaf, &row.argv, form));
        }
    }
    out
}

fn in_flags(leaf: &Leaf, argv: &[String], form: &str) -> Vec<Probe> {
    let flags = leaf
        .flags
        .iter()
        .filter(|flag| flag.arity != Arity::Nothing);
    flags
        .map(|flag| {
            let words = vec![format!("--{}={form}", flag.name)];
            Probe {
                leaf: leaf.path.clone(),
                slot: format!("--{}", flag.name),
                argv: [argv.to_vec(), companions(leaf, flag), words].concat(),
            }
        })
        .collect()
}

/// `argv` with `form` in the place of each positional, and with `form` behind the last.
fn in_positionals(
    catalog: &'static Catalog,
    leaf: &Leaf,
    argv: &[String],
    form: &str,
) -> Vec<Probe> {
    let Named::Command(call) = parse(catalog, argv) else {
        return Vec::new();
    };
    let mut places: Vec<usize> = call.positionals.iter().map(|p| p.index).collect();
    places.push(argv.len());
    let mut out = Vec::new();
    for (nth, at) in places.into_iter().enumerate() {
        let mut argv = argv.to_vec();
        if at < argv.len() {
            form.clone_into(&mut argv[at]);
        } else {
            argv.push(form.to_owned());
        }
        out.push(Probe {
            leaf: leaf.path.clone(),
            slot: format!("positional {}", nth + 1),
            argv,
        });
    }
    out
}

/// Runs `probe` at `place` as the gate would, unless the gate refuses it. With `raw` the probe is run unchanged, whatever the
/// gate would say.
pub fn try_value(
    start: &Start,
    place: &mut Place,
    facts: &GitFacts,
    probe: &Probe,
    raw: bool,
) -> Result<Tried, String> {
    let verdict = classify(&probe.argv);
    let (file, hosts) = logins(Login::Both);
    let given = place.given(Login::Both);
    let wanted = AsArguments {
        facts: Some(facts),
        ..AsArguments::default()
    };
    let (argv, host, environment) = if raw {
        let environment = for_gh(&given, "evil.example", &file, ByEnvironment::default());
        (probe.argv.clone(), "github.com".to_owned(), environment)
    } else {
        if matches!(verdict.class, Class::Blocked | Class::Destructive) {
            return Ok(Tried::Refused);
        }
        let Ok(pinned) = pin(verdict.parsed.as_ref(), &probe.argv, wanted, &hosts) else {
            return Ok(Tried::Refused);
        };
        let by = ByEnvironment {
            gh_host: pinned.gh_host.as_deref(),
            gh_repo: pinned.gh_repo.as_deref(),
            ..ByEnvironment::default()
        };
        let environment = for_gh(&given, &pinned.target.host, &file, by);
        (pinned.argv, pinned.target.host, environment)
    };
    let seen = run::run(start, place, &argv, environment.pairs(), LIMIT)?;
    let cwd = place.cwd();
    let changed =
        start.strace.is_none() || seen.late || seen.changed.iter().any(|p| p.starts_with(&cwd));
    place.reset(Login::Both, changed)?;
    let agents = probe.leaf.starts_with("agent-task ");
    let attests = ["attestation ", "release verify"]
        .iter()
        .any(|group| probe.leaf.starts_with(group));
    let mut reached: Vec<String> = seen
        .requests
        .into_iter()
        .map(|request| request.host)
        .filter(|asked| {
            *asked != host
                && !(agents && asked == COPILOT)
                && !(attests && SIGSTORE.contains(&asked.as_str()))
        })
        .chain(seen.connected)
        // The stand-in for git is a script of /bin/sh; the programs that it starts are listed themselves.
        .chain(seen.programs.into_iter().filter(|it| it != "/bin/sh"))
        .collect();
    reached.sort_unstable();
    reached.dedup();
    Ok(Tried::Ran(reached))
}
