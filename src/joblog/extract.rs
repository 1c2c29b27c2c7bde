//! From a log to its failure: the steps that failed, and for each the lines that tell why.

use std::collections::HashSet;

use super::anchors::features::Weights;
use super::choose::{self, Choice};
use super::facts::{self, Fact, Step};
use super::failure::{FailedStep, Failure};
use super::line::{Log, UNKNOWN_STEP};
use super::lines;
use super::steps::{self, Section, SectionEnd, SectionKind};
use super::{anchors, command, show};
use crate::text::fold;
use crate::text::tokens::count;

/// At most this many failed steps are told; the others are counted.
const STEPS: usize = 4;
/// With less room than this many tokens for a step, fewer steps are told.
const LEAST: usize = 24;

/// Tells the failure in the job log `text`, in either of gh's forms, in at most `budget` tokens.
pub fn extract(text: &str, budget: usize) -> String {
    show::show(&find(text, budget), budget)
}

/// Finds the failure in the job log `text`, in either of gh's forms, for at most `budget` tokens.
pub fn find(text: &str, budget: usize) -> Failure {
    let read = Reading::of(text);
    let cost = |_, fact: &Fact| read.cost(fact, budget);
    let choices = read.choices(budget, &Weights::of_table(), &cost);
    read.failure(&choices, budget)
}

/// A log whose failed steps are known, with the features of their lines.
pub struct Reading<'a> {
    log: Log<'a>,
    sections: Vec<Section>,
    failed: Vec<usize>,
    /// What is known of the steps that failed, in the log's order.
    pub steps: Vec<Step>,
    marked: bool,
}

impl<'a> Reading<'a> {
    /// Reads `text`; the work and the memory are linear in its length.
    pub fn of(text: &'a str) -> Self {
        let log = lines::read(text);
        let sections = steps::sections(&log);
        let mut failed = steps::failed(&log, &sections);
        let marked = !failed.is_empty();
        if !marked {
            failed.extend(likeliest(&log, &sections));
        }
        let others = (0..sections.len()).filter(|at| !failed.contains(at));
        let green = others.flat_map(|at| &log.lines[sections[at].body.clone()]);
        let green: HashSet<u64> = green.map(|line| fold::shape(&line.text)).collect();
        let facts = |at: &usize| facts::facts(&log, &sections[*at], &green);
        Self {
            steps: failed.iter().map(facts).collect(),
            log,
            sections,
            failed,
            marked,
        }
    }

    /// The lines to tell of each step within `budget` tokens; `None` for a step that is left out. `cost` gives the tokens of
    /// a line of a step. What a short step leaves goes to the others.
    pub fn choices(
        &self,
        budget: usize,
        weights: &Weights,
        cost: &dyn Fn(usize, &Fact) -> f32,
    ) -> Vec<Option<Choice>> {
        let head = |at: &usize| count(&self.head(*at, budget));
        let heads = |shown: &[usize]| shown.iter().map(head).sum::<usize>();
        let mut shown: Vec<usize> = (0..self.steps.len()).collect();
        // The first failure and the last ones are told: those in between mostly follow from the first.
        while shown.len() > STEPS || shown.len() > 1 && heads(&shown) + LEAST * shown.len() > budget
        {
            shown.remove(1);
        }
        // The estimate of tokens may be a tenth too low.
        let mut room = (budget * 10 / 11) as f32 - (heads(&shown) + show::REST) as f32;
        let mut out = vec![None; self.steps.len()];
        shown.sort_by_key(|at| self.steps[*at].facts.len());
        for (nth, &at) in shown.iter().enumerate() {
            let step = &self.steps[at];
            let share = (room / (shown.len() - nth) as f32).max(LEAST as f32);
            let cost = |fact: &Fact| cost(at, fact);
            let choice = choose::choose(step, weights, &cost, share);
            let told = choice.certain.iter().chain(&choice.fill);
            room -= told.map(|line| cost(&step.facts[*line])).sum::<f32>();
            out[at] = Some(choice);
        }
        out
    }

    /// The text of a line as it is shown within `budget` tokens.
    pub fn text(&self, fact: &Fact, budget: usize) -> String {
        fold::short(&self.log.lines[fact.at].text, budget)
    }

    /// What is told of the step at `step` besides its lines, within `budget` tokens.
    pub fn head(&self, step: usize, budget: usize) -> String {
        show::head(&self.told(step, &Choice::default(), budget))
    }

    /// The tokens of a line as it is shown, with the line's end.
    pub fn cost(&self, fact: &Fact, budget: usize) -> f32 {
        count(&self.text(fact, budget)) as f32 + 1.0
    }

    /// The failure, with the lines of `choices`.
    pub fn failure(&self, choices: &[Option<Choice>], budget: usize) -> Failure {
        let told = choices.iter().enumerate();
        let steps: Vec<FailedStep> = told
            .filter_map(|(step, choice)| Some(self.told(step, choice.as_ref()?, budget)))
            .collect();
        Failure {
            left_out: self.steps.len() - steps.len(),
            steps,
            marked: self.marked,
        }
    }

    /// What is told of the step at `step`.
    fn told(&self, step: usize, choice: &Choice, budget: usize) -> FailedStep {
        let at = self.failed[step];
        let section = &self.sections[at];
        let origin = &self.log.origins[section.origin];
        let job = origin
            .job
            .or_else(|| job_name(&self.log, &self.sections, at));
        let name = origin.step.filter(|name| *name != UNKNOWN_STEP);
        let text = |at: &usize| self.text(&self.steps[step].facts[*at], budget);
        let texts = |lines: &[usize]| lines.iter().map(text).collect::<Vec<_>>();
        let (certain, fill) = (texts(&choice.certain), texts(&choice.fill));
        let said = if certain.is_empty() { &fill } else { &certain };
        FailedStep {
            job: job.map(str::to_owned),
            step: name.map(str::to_owned),
            command: command::command(&self.log, section, said, budget),
            ended: section.said.map(|at| self.log.lines[at].text.to_string()),
            exit_code: match section.end {
                SectionEnd::Exit(code) => Some(code),
                _ => None,
            },
            certain,
            fill,
        }
    }
}

/// The section that most likely failed, for a log that marks none: the one with the heaviest anchor (at least 84, `LIKELY`;
/// of equals the last), else the last one with output that is no clean-up.
fn likeliest(log: &Log, sections: &[Section]) -> Option<usize> {
    let heaviest = |at: &usize| {
        let lines = &log.lines[sections[*at].body.clone()];
        let rows = lines.iter().filter_map(|line| anchors::find(&line.text));
        rows.map(|row| row.weight).max()
    };
    let best = (0..sections.len()).max_by_key(heaviest)?;
    let tidies = |kind| matches!(kind, SectionKind::Post | SectionKind::Teardown);
    let ordinary = |one: &Section| !tidies(one.kind) && !one.body.is_empty();
    let last = sections.iter().rposition(ordinary);
    last.filter(|_| heaviest(&best) < Some(84)).or(Some(best))
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
