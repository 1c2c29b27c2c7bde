//! The report: a file with a table by leaf, a file with every run, and a summary on the terminal.

use crate::cases::{Proof, Row, Source};
use crate::judge::{Outcome, Pinned};
use crate::run::Seen;
use cj_gate::gate::Class;
use cj_gate::gh::catalog::Catalog;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

const INFALLIBLE: &str = "writing to a string can't fail";

/// The figures of one version of gh.
pub struct Summary {
    pub version: String,
    pub argvs: usize,
    pub runs: usize,
    pub reads: usize,
    pub leaves: usize,
    pub exercised: usize,
    /// Of the exercised leaves, those that print nothing and are known by their effect on this machine.
    pub by_effect: usize,
    /// Leaves whose proof no run showed, with the reason in leaves.jsonl or the last line that gh printed.
    pub missing: Vec<(String, String)>,
    /// Argvs judged `read`, with what they did and must not do.
    pub false_reads: Vec<(Vec<String>, Vec<String>)>,
}

pub fn summary(version: &str, catalog: &Catalog, rows: &[Row], outcomes: &[Outcome]) -> Summary {
    let exercised = |leaf: &str| outcomes.iter().any(|o| o.exercised && o.case.leaf == leaf);
    let leaves: Vec<&str> = catalog.leaves().map(|leaf| leaf.path.as_str()).collect();
    let missing = leaves
        .iter()
        .filter(|leaf| !exercised(leaf))
        .map(|leaf| {
            let row = rows.iter().find(|row| row.leaf == **leaf);
            let why = match row {
                None => "there is no row for it".to_owned(),
                Some(row) => row
                    .cannot
                    .clone()
                    .unwrap_or_else(|| last_error_line(outcomes, leaf)),
            };
            ((*leaf).to_owned(), why)
        })
        .collect::<Vec<_>>();
    Summary {
        version: version.to_owned(),
        argvs: outcomes.len(),
        runs: outcomes.iter().map(Outcome::runs).sum(),
        reads: outcomes.iter().filter(|o| o.class == Class::Read).count(),
        leaves: leaves.len(),
        exercised: leaves.len() - missing.len(),
        by_effect: rows
            .iter()
            .filter(|row| matches!(row.proof, Some(Proof::Did(_))) && exercised(&row.leaf))
            .count(),
        missing,
        false_reads: outcomes
            .iter()
            .map(|o| (o.case.argv.clone(), o.false_read()))
            .filter(|(_, harms)| !harms.is_empty())
            .collect(),
    }
}

/// The last line of standard error of the plain form of `leaf`.
fn last_error_line(outcomes: &[Outcome], leaf: &str) -> String {
    let run = outcomes
        .iter()
        .find(|o| o.case.source == Source::Leaf && o.case.leaf == leaf);
    run.map_or_else(
        || "it was not run".to_owned(),
        |o| {
            let said = o.plain.stderr.lines().rfind(|line| !line.trim().is_empty());
            said.unwrap_or("it said nothing").trim().to_owned()
        },
    )
}

/// Writes the table to `dir`/VERSION.org and every run to `dir`/VERSION.jsonl.
pub fn write(
    dir: &Path,
    summary: &Summary,
    rows: &[Row],
    outcomes: &[Outcome],
) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let put = |name: String, text: &str| {
        let file = dir.join(name);
        std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    };
    put(
        format!("{}.org", summary.version),
        &table(summary, rows, outcomes),
    )?;
    let mut lines = String::new();
    for outcome in outcomes {
        writeln!(lines, "{}", line(outcome)).expect(INFALLIBLE);
    }
    put(format!("{}.jsonl", summary.version), &lines)
}

fn table(summary: &Summary, rows: &[Row], outcomes: &[Outcome]) -> String {
    let mut by_leaf: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        by_leaf.entry(&outcome.case.leaf).or_default().push(outcome);
    }
    let mut out = format!(
        "#+title: gh {}: verdicts against what it does\n\n",
        summary.version
    );
    out.push_str(&told(summary, true));
    out.push_str("\n| leaf | plain form | exercised | argvs | read | runs | pinned | refused | false reads | last request or line of the plain form | effects of the calls that are no reads |\n|-\n");
    for (leaf, outcomes) in by_leaf {
        let row = rows.iter().find(|row| row.leaf == leaf);
        let pinned =
            |wanted: fn(&Pinned) -> bool| outcomes.iter().filter(|o| wanted(&o.pinned)).count();
        let last = outcomes
            .iter()
            .find(|o| o.case.source == Source::Leaf)
            .map_or_else(String::new, |o| last(&o.plain));
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            if leaf.is_empty() { "(gh)" } else { leaf },
            row.map_or("", |row| row.class.as_str()),
            if outcomes.iter().any(|o| o.exercised) {
                "yes"
            } else {
                "no"
            },
            outcomes.len(),
            outcomes.iter().filter(|o| o.class == Class::Read).count(),
            outcomes.iter().map(|o| o.runs()).sum::<usize>(),
            pinned(|p| matches!(p, Pinned::Ran { .. })),
            pinned(|p| matches!(p, Pinned::Refused(_))),
            outcomes
                .iter()
                .filter(|o| !o.false_read().is_empty())
                .count(),
            last.replace('|', "\\vert"),
            did(&outcomes),
        )
        .expect(INFALLIBLE);
    }
    out
}

/// The last request of a run or, without one, the last line that gh printed.
fn last(seen: &Seen) -> String {
    if let Some(request) = seen.requests.last() {
        return request.summary.chars().take(80).collect();
    }
    let said = seen
        .stdout
        .lines()
        .chain(seen.stderr.lines())
        .rfind(|line| !line.trim().is_empty());
    said.unwrap_or("nothing").trim().chars().take(80).collect()
}

/// The kinds of effects of the calls that were not judged reads: the reasons for which a person is asked.
fn did(outcomes: &[&Outcome]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for outcome in outcomes.iter().filter(|o| o.class != Class::Read) {
        let seen = &outcome.plain;
        for (kind, is) in [
            (
                "mutates",
                seen.requests.iter().any(|request| request.mutates),
            ),
            ("changes files", !seen.changed.is_empty()),
            ("opens files", !seen.opened.is_empty()),
            ("starts programs", !seen.programs.is_empty()),
            ("asks elsewhere", !seen.connected.is_empty()),
            ("prints a token", !seen.printed.is_empty()),
            ("does not end", seen.late),
        ] {
            if is && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds.join(", ")
}

fn line(outcome: &Outcome) -> serde_json::Value {
    let seen = |seen: &Seen| {
        let cut = |text: &str| text.chars().take(400).collect::<String>();
        json!({
            "code": seen.code, "late": seen.late, "stdout": cut(&seen.stdout), "stderr": cut(&seen.stderr),
            "requests": seen.requests.iter().map(|r| format!("{} {}", r.host, r.summary)).collect::<Vec<_>>(),
            "harms": seen.harms(),
        })
    };
    let pinned = match &outcome.pinned {
        Pinned::No => json!(null),
        Pinned::Refused(why) => json!({ "refused": why }),
        Pinned::Ran {
            argv,
            seen: ran,
            wrong,
        } => json!({ "argv": argv, "run": seen(ran), "wrong": wrong }),
    };
    json!({
        "source": format!("{:?}", outcome.case.source), "leaf": outcome.case.leaf, "argv": outcome.case.argv, "login": format!("{:?}", outcome.case.login),
        "class": outcome.class.as_str(), "reason": outcome.reason, "exercised": outcome.exercised, "plain": seen(&outcome.plain), "pinned": pinned,
        "false_read": outcome.false_read(),
    })
}

/// The summary as text; with `missing`, also the leaves whose proof no run showed.
pub fn told(summary: &Summary, missing: bool) -> String {
    let mut out = format!(
        "gh {}: {} argvs ({} judged read), {} runs; {} of {} leaves exercised ({} by their effect here, the others by their last request or text); {} false reads\n",
        summary.version,
        summary.argvs,
        summary.reads,
        summary.runs,
        summary.exercised,
        summary.leaves,
        summary.by_effect,
        summary.false_reads.len()
    );
    for (argv, harms) in &summary.false_reads {
        writeln!(out, "  FALSE READ {}: {}", json!(argv), harms.join("; ")).expect(INFALLIBLE);
    }
    for (leaf, why) in summary.missing.iter().filter(|_| missing) {
        writeln!(out, "  not exercised: {leaf}: {why}").expect(INFALLIBLE);
    }
    out
}
