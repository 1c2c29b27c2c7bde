//! From a log to its failure: the steps that failed, and for each the lines that tell why.

use std::collections::{HashMap, HashSet};

use super::anchors::features::Weights;
use super::choose::{self, Choice};
use super::facts::{self, Fact, Step};
use super::failure::{FailedStep, Failure};
use super::line::{Line, Log, UNKNOWN_STEP};
use super::lines;
use super::steps::{self, Section, SectionEnd, SectionKind};
use super::{anchors, command, show};
use crate::text::fold;
use crate::text::tokens::count;

/// At most this many failed steps are told; the others are counted.
const STEPS: usize = 4;
/// With less room than this many tokens for a step, fewer steps are told.
const LEAST: usize = 24;
/// Of equal lines of at least so many bytes in a row one is told, with their number; shorter ones (`}`) save nothing.
const FOLDED: usize = 12;

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
        let others = (0..sections.len()).filter(|at| failed.binary_search(at).is_err());
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
        // The first failure and the last ones are told: those in between mostly follow from the first.
        let outer = |at: &usize| *at == 0 || at + STEPS > self.steps.len();
        let mut shown: Vec<usize> = (0..self.steps.len()).filter(outer).collect();
        while shown.len() > 1 && heads(&shown) + LEAST * shown.len() > budget {
            shown.remove(1);
        }
        // The estimate of tokens may be a tenth too low.
        let mut room = (budget - budget.div_ceil(11)) as f32 - (heads(&shown) + show::REST) as f32;
        let mut out = vec![None; self.steps.len()];
        shown.sort_by_key(|at| self.steps[*at].facts.len());
        for (nth, &at) in shown.iter().enumerate() {
            let step = &self.steps[at];
            let share = (room / (shown.len() - nth) as f32).max(LEAST as f32);
            let cost = |fact: &Fact| cost(at, fact);
            let choice = self.folded(step, choose::choose(step, weights, &cost, share));
            let told = choice.certain.iter().chain(&choice.fill);
            room -= told.map(|line| cost(&step.facts[*line])).sum::<f32>();
            out[at] = Some(choice);
        }
        out
    }

    /// `choice` without the lines that would stand just below an equal one.
    fn folded(&self, step: &Step, mut choice: Choice) -> Choice {
        let text = |at: &usize| &*self.log.lines[step.facts[*at].at].text;
        let mut above = "";
        let mut differs = |at: &usize| {
            let same = text(at) == above && above.len() >= FOLDED;
            above = text(at);
            if same {
                choice.folded.push(*at);
            }
            !same
        };
        choice.certain.retain(&mut differs);
        choice.fill.retain(differs);
        choice
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
        let job = || job_name(&self.log, &self.sections, at);
        let job = origin.job.or_else(job);
        let name = origin.step.filter(|name| *name != UNKNOWN_STEP);
        let facts = &self.steps[step].facts;
        let of = |at: &usize| &self.log.lines[facts[*at].at].text;
        let text = |at: &usize| {
            let text = self.text(&facts[*at], budget);
            if !choice.folded.iter().any(|gone| of(gone) == of(at)) {
                return text;
            }
            let same = (0..facts.len()).filter(|one| of(one) == of(at));
            format!("{text} (×{})", same.count())
        };
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
            bare: facts.is_empty(),
        }
    }
}

/// The section that most likely failed, for a log that marks none: the one with the heaviest anchor (at least [`LIKELY`]; of
/// equals the last), else the last one with output that is no clean-up.
fn likeliest(log: &Log, sections: &[Section]) -> Option<usize> {
    let mut known = HashMap::new();
    let mut weight = |line: &Line| {
        let look = || anchors::find(&line.text).map_or(0, |row| row.weight);
        *known.entry(fold::shape(&line.text)).or_insert_with(look)
    };
    let lines = |one: &Section| log.lines[one.body.clone()].iter();
    let heaviest = |one| lines(one).map(&mut weight).max();
    let heaviest: Vec<Option<u8>> = sections.iter().map(heaviest).collect();
    let best = (0..sections.len()).max_by_key(|at| heaviest[*at])?;
    let tidies = |kind| matches!(kind, SectionKind::Post | SectionKind::Teardown);
    let ordinary = |one: &Section| !tidies(one.kind) && !one.body.is_empty();
    let last = sections.iter().rposition(ordinary);
    let light = heaviest[best] < Some(anchors::LIKELY);
    last.filter(|_| light).or(Some(best))
}

/// The job's name, which the runner prints before the first step.
fn job_name<'a>(log: &'a Log, sections: &[Section], at: usize) -> Option<&'a str> {
    let is_setup = |one: &&Section| one.kind == SectionKind::Setup;
    let setup = sections[..=at].iter().rev().find(is_setup)?;
    let mut lines = log.lines[setup.body.clone()].iter();
    lines.find_map(|line| line.text.strip_prefix("Complete job name: "))
}
