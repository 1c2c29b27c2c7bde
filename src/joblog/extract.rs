//! From a log to its failure: the steps that failed, and for each the lines that tell why.

use super::failure::{FailedStep, Failure};
use super::lines::{self, Log};
use super::steps::{self, Section, SectionEnd, SectionKind};
use super::{anchors, choose, command, fold, show};

/// The tokens of evidence for a single failed step, and for each of several. The block of the first cause may use a third
/// more.
const AIM: usize = 300;
const AIM_OF_SEVERAL: usize = 190;
/// At most this many failed steps are told; the others are counted.
const STEPS: usize = 4;

/// Tells the failure in the job log `text`, in either of gh's forms, in at most `budget` tokens.
pub fn extract(text: &str, budget: usize) -> String {
    show::show(&find(text, budget), budget)
}

/// Finds the failure in the job log `text`, in either of gh's forms, for about `budget` tokens.
pub fn find(text: &str, budget: usize) -> Failure {
    let log = lines::read(text);
    let sections = steps::sections(&log);
    let mut failed = steps::failed(&log, &sections);
    let marked = !failed.is_empty();
    if !marked {
        failed.extend(likeliest(&log, &sections));
    }
    let left_out = failed.len().saturating_sub(STEPS);
    if left_out > 0 {
        // The first failure and the last ones stay: those in between mostly follow from the first.
        failed.drain(1..=left_out);
    }
    let aim = if failed.len() > 1 {
        AIM_OF_SEVERAL
    } else {
        AIM
    };
    let aim = aim.min(budget.saturating_sub(40 * failed.len()) / failed.len().max(1));
    let told = failed
        .iter()
        .map(|&at| tell(&log, &sections, at, aim.max(24)))
        .collect();
    Failure {
        steps: told,
        left_out,
        marked,
    }
}

/// The section that most likely failed, for a log that marks none: the one with the heaviest anchor (at least 84, `LIKELY`;
/// of equals the last), else the last one with output that is no clean-up.
fn likeliest(log: &Log, sections: &[Section]) -> Option<usize> {
    let heaviest = |section: &Section| {
        log.lines[section.body.clone()]
            .iter()
            .filter_map(|line| anchors::find(&line.text))
            .map(|row| row.weight)
            .max()
            .unwrap_or(0)
    };
    let weights: Vec<u8> = sections.iter().map(heaviest).collect();
    let best = (0..sections.len()).max_by_key(|&at| weights[at])?;
    if weights[best] >= 84 {
        return Some(best);
    }
    (0..sections.len())
        .rev()
        .find(|&at| {
            !matches!(sections[at].kind, SectionKind::Post | SectionKind::Teardown)
                && !sections[at].body.is_empty()
        })
        .or(Some(best))
}

/// What is told of the failed section at `at`, for about `aim` tokens.
fn tell(log: &Log, sections: &[Section], at: usize, aim: usize) -> FailedStep {
    let section = &sections[at];
    let origin = &log.origins[section.origin];
    let found = choose::choose(&log.lines, section, aim);
    let job = origin.job.or_else(|| job_name(log, sections, at));
    let mut order: Vec<usize> = (0..found.lines.len()).collect();
    order.sort_by_key(|&place| found.lines[place].0);
    let mut rank = vec![0; order.len()];
    for (shown, &place) in order.iter().enumerate() {
        rank[place] = shown;
    }
    let evidence: Vec<String> = order
        .iter()
        .map(|&place| {
            let (line, times) = found.lines[place];
            let text = fold::short(&log.lines[line].text);
            if times > 1 {
                format!("{text} (×{times})")
            } else {
                text
            }
        })
        .collect();
    FailedStep {
        job: job.map(str::to_owned),
        step: origin
            .step
            .filter(|step| *step != lines::UNKNOWN_STEP)
            .map(str::to_owned),
        command: command::command(log, section, &evidence),
        ended: section.said.map(|at| log.lines[at].text.to_string()),
        exit_code: match section.end {
            SectionEnd::Exit(code) => Some(code),
            _ => None,
        },
        anchored: found.anchored,
        evidence,
        more: found.more,
        rank,
    }
}

/// The job's name, which the runner prints before the first step.
fn job_name<'a>(log: &'a Log, sections: &[Section], at: usize) -> Option<&'a str> {
    let setup = sections[..=at]
        .iter()
        .rev()
        .find(|section| section.kind == SectionKind::Setup)?;
    log.lines[setup.body.clone()]
        .iter()
        .find_map(|line| line.text.strip_prefix("Complete job name: "))
}
