//! Compares a verdict with what the run did.

use crate::cases::{Case, Proof};
use crate::place::{COPILOT, Place, logins};
use crate::run::{self, Seen, Start};
use cj_gate::gate::Class;
use cj_gate::gh::child::environment::{ByEnvironment, for_gh};
use cj_gate::gh::judge::classify::{Verdict, classify};
use cj_gate::gh::place::context::GitFacts;
use cj_gate::gh::place::pin::{AsArguments, pin};
use std::time::Duration;

/// The longest that a read may take: a read ends by itself, even on a busy machine. Other calls may wait for a person who is not
/// there, so they get less time.
const READ_LIMIT: Duration = Duration::from_secs(30);
const OTHER_LIMIT: Duration = Duration::from_secs(6);

/// The result of one case.
#[derive(Debug)]
pub struct Outcome {
    pub case: Case,
    pub class: Class,
    pub reason: String,
    pub plain: Seen,
    pub pinned: Pinned,
    /// Whether a run showed the proof of the case.
    pub exercised: bool,
}

/// The result of the call as the product would run it.
#[derive(Debug)]
pub enum Pinned {
    /// The call was not run pinned: other calls than reads are run pinned once a leaf, and a read in one spelling of a flag.
    No,
    /// The call was refused, with this first line.
    Refused(String),
    Ran {
        argv: Vec<String>,
        seen: Box<Seen>,
        /// The faults of the pinned call, one a line: `asked github.com instead of ghe.example.com`.
        wrong: Vec<String>,
    },
}

impl Outcome {
    /// The harms of a call judged `read`, those of its pinned run last; empty for a call judged otherwise.
    pub fn false_read(&self) -> Vec<String> {
        if self.class != Class::Read {
            return Vec::new();
        }
        let mut out = self.plain.harms();
        if let Pinned::Ran { seen, wrong, .. } = &self.pinned {
            out.extend(
                seen.harms()
                    .into_iter()
                    .map(|harm| format!("pinned: {harm}")),
            );
            out.extend(wrong.iter().map(|wrong| format!("pinned: {wrong}")));
        }
        out
    }

    /// How many times gh was started for the case.
    pub fn runs(&self) -> usize {
        1 + usize::from(matches!(self.pinned, Pinned::Ran { .. }))
    }
}

/// Runs `case` at `place`, unchanged and, where `case.pin` says so, pinned.
pub fn compare(
    start: &Start,
    place: &mut Place,
    facts: &GitFacts,
    case: Case,
) -> Result<Outcome, String> {
    let verdict = classify(&case.argv);
    let (file, _) = logins(case.login);
    let given = place.given(case.login);
    let mut environment = for_gh(&given, "github.com", &file, ByEnvironment::default())
        .pairs()
        .to_vec();
    // The environment of a user's terminal: programs that can be opened, and every token.
    for (name, value) in &mut environment {
        match name.as_str() {
            "GH_BROWSER" | "BROWSER" => *value = "sham-browser".into(),
            "GH_EDITOR" | "EDITOR" | "VISUAL" => *value = "sham-editor".into(),
            _ => {}
        }
    }
    environment.extend(
        given
            .reveal()
            .iter()
            .filter_map(|entry| entry.split_once('='))
            .filter(|(name, _)| *name == "GH_ENTERPRISE_TOKEN")
            .map(|(name, value)| (name.to_owned(), value.into())),
    );
    let limit = if verdict.class == Class::Read {
        READ_LIMIT
    } else {
        OTHER_LIMIT
    };
    let plain = run::run(start, place, &case.argv, &environment, limit)?;
    reset(start, place, &case, &plain)?;
    let pinned = if case.pin {
        pinned(start, place, facts, &case, &verdict, limit)?
    } else {
        Pinned::No
    };
    let proven = |seen: &Seen| case.proof.as_ref().is_some_and(|proof| shows(seen, proof));
    let exercised = proven(&plain) || matches!(&pinned, Pinned::Ran { seen, .. } if proven(seen));
    Ok(Outcome {
        class: verdict.class,
        reason: verdict.reason,
        plain,
        pinned,
        exercised,
        case,
    })
}

fn pinned(
    start: &Start,
    place: &mut Place,
    facts: &GitFacts,
    case: &Case,
    verdict: &Verdict,
    limit: Duration,
) -> Result<Pinned, String> {
    let (file, hosts) = logins(case.login);
    let wanted = AsArguments {
        facts: Some(facts),
        ..AsArguments::default()
    };
    let pinned = match pin(verdict.parsed.as_ref(), &case.argv, wanted, &hosts) {
        Ok(pinned) => pinned,
        Err(refusal) => {
            let said = refusal.to_string();
            return Ok(Pinned::Refused(
                said.lines().next().unwrap_or_default().to_owned(),
            ));
        }
    };
    let by = ByEnvironment {
        gh_host: pinned.gh_host.as_deref(),
        gh_repo: pinned.gh_repo.as_deref(),
        ..ByEnvironment::default()
    };
    let environment = for_gh(&place.given(case.login), &pinned.target.host, &file, by);
    let seen = run::run(start, place, &pinned.argv, environment.pairs(), limit)?;
    reset(start, place, case, &seen)?;
    let mut wrong = Vec::new();
    for request in &seen.requests {
        let agents = request.host == COPILOT && verdict.command.starts_with("agent-task ");
        if request.host != pinned.target.host && !agents {
            wrong.push(format!(
                "asked {} instead of {}",
                request.host, pinned.target.host
            ));
        }
    }
    wrong.dedup();
    let again = classify(&pinned.argv);
    if again.class != verdict.class {
        wrong.push(format!(
            "the pinned argv is judged {}: {}",
            again.class.as_str(),
            again.reason
        ));
    }
    Ok(Pinned::Ran {
        argv: pinned.argv,
        seen: Box::new(seen),
        wrong,
    })
}

fn reset(start: &Start, place: &mut Place, case: &Case, seen: &Seen) -> Result<(), String> {
    let cwd = place.cwd();
    let changed = start.strace.is_none()
        || seen.late
        || seen.changed.iter().any(|path| path.starts_with(&cwd));
    place.reset(case.login, changed)
}

/// Whether `seen` holds `proof`.
pub fn shows(seen: &Seen, proof: &Proof) -> bool {
    match proof {
        Proof::Sent(part) => seen
            .requests
            .iter()
            .any(|request| request.summary.contains(part)),
        Proof::Did(part) => seen.harms().iter().any(|harm| harm.contains(part)),
        Proof::Printed(part) => seen.stdout.contains(part) || seen.stderr.contains(part),
    }
}
