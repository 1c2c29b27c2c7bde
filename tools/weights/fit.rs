//! Fits the weights of the rows: of all lines of a log, those that must be told are to be the likeliest (a softmax over the
//! lines), and by themselves likely; those that must not be told are to be unlikely. By gradient (Adam).

use std::collections::HashMap;

use cj_gate::joblog::Fact;
use cj_gate::joblog::choose::{self, Score};
use cj_gate::joblog::features::{Feature, TABLE, Weights};

use crate::cases::{Real, Sets, both, start};

/// The weight of the squares of the weights.
pub const PENALTY: f64 = 0.0003;
/// Rounds of the gradient, all logs in each.
const ROUNDS: usize = 160;
/// How much a case counts beside a real log; how much a line that must not be told counts beside others; how much the part
/// that asks for likely lines by themselves counts; how much it counts that any line of a label is told.
const OWN: f64 = 3.0;
const REAL: f64 = 2.0;
const NEVER: f64 = 20.0;
const ALONE: f64 = 6.0;
const ANY: f64 = 1.5;
/// Weights that are set by hand: few logs have these flags, and a wrong one costs more than they gain; or the row is there
/// for the flags alone.
const FIXED: &[Feature] = &[
    Feature::Harmless,
    Feature::Tolerated,
    Feature::Retried,
    Feature::CleanUp,
    Feature::Trifle,
    Feature::Aftermath,
    Feature::Again,
    Feature::Tolerates,
    Feature::Strict,
    Feature::ScriptHeading,
];

/// One step of a log with what must be told of it.
struct Item<'a> {
    facts: &'a [Fact],
    /// Groups of lines with the weight of each: one line of a group must be told.
    groups: Vec<(f64, Vec<usize>)>,
    /// Lines that say the same as a line to tell, elsewhere: they count neither way.
    same: Vec<usize>,
    never: Vec<usize>,
    weight: f64,
}

/// Where the label of `real` stands: the window of lines of one step that has most of its lines.
fn real_item(real: &Real) -> Option<Item<'_>> {
    let window = real.label.len() * 2 + 6;
    let mut best = (0, 0, 0);
    let mut all: Vec<Vec<(usize, usize)>> = Vec::new();
    for (step, keys) in real.log.shown(600).keys.iter().enumerate() {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (nth, line) in real.label.iter().enumerate() {
            let (start, short) = start(line);
            let fits = |key: &String| {
                if short {
                    key == line
                } else {
                    key.contains(&start)
                }
            };
            if !start.is_empty() {
                found.extend(
                    keys.iter()
                        .enumerate()
                        .filter(|(_, key)| fits(key))
                        .map(|(at, _)| (at, nth)),
                );
            }
        }
        found.sort_unstable();
        let (mut first, mut times) = (0, vec![0_usize; real.label.len()]);
        for &(at, nth) in &found {
            times[nth] += 1;
            while found[first].0 + window < at {
                times[found[first].1] -= 1;
                first += 1;
            }
            let kinds = times.iter().filter(|times| **times > 0).count();
            if kinds >= best.0 {
                best = (kinds, step, found[first].0);
            }
        }
        all.push(found);
    }
    let (kinds, step, from) = best;
    if kinds == 0 {
        return None;
    }
    let (mut groups, mut same) = (HashMap::<usize, Vec<usize>>::new(), Vec::new());
    for &(at, nth) in &all[step] {
        if (from..=from + window).contains(&at) {
            groups.entry(nth).or_default().push(at);
        } else {
            same.push(at);
        }
    }
    let count = groups.len() as f64;
    let distinct: Vec<usize> = groups
        .iter()
        .filter(|(nth, _)| real.distinct.contains(nth))
        .flat_map(|(_, at)| at.clone())
        .collect();
    let share = |nth: &usize| if real.distinct.contains(nth) { 1.0 } else { 0.5 } / count;
    let mut groups: Vec<(f64, Vec<usize>)> = groups
        .into_iter()
        .map(|(nth, at)| (share(&nth), at))
        .collect();
    if !distinct.is_empty() {
        groups.push((ANY, distinct));
    }
    let facts = &real.log.reading.steps[step].facts;
    Some(Item {
        facts,
        groups,
        same,
        never: Vec::new(),
        weight: REAL,
    })
}

fn items<'a>(sets: &'a Sets, wanted: &dyn Fn(&Real) -> bool) -> Vec<Item<'a>> {
    let real: Vec<&Real> = sets.real.iter().filter(|real| wanted(real)).collect();
    let mut out: Vec<Item> = both(&real, |real| real_item(real))
        .into_iter()
        .flatten()
        .collect();
    for own in &sets.own {
        for (step, keys) in own.log.shown(600).keys.iter().enumerate() {
            let with = |texts: &[String]| -> Vec<usize> {
                let has = |key: &String| texts.iter().any(|text| key.contains(text));
                (0..keys.len()).filter(|at| has(&keys[*at])).collect()
            };
            let head = |any: &&Vec<String>| {
                any.iter()
                    .any(|text| own.log.shown(600).heads[step].contains(text))
            };
            let groups = own
                .tell
                .iter()
                .filter(|any| !head(any))
                .map(|any| with(any));
            let groups: Vec<Vec<usize>> = groups.filter(|lines| !lines.is_empty()).collect();
            let share = 1.0 / groups.len().max(1) as f64;
            if !groups.is_empty() {
                out.push(Item {
                    facts: &own.log.reading.steps[step].facts,
                    groups: groups.into_iter().map(|lines| (share, lines)).collect(),
                    same: Vec::new(),
                    never: with(&own.never),
                    weight: OWN,
                });
            }
        }
    }
    out
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Item<'_> {
    /// Adds the gradient of this item to `gradient`; returns its loss.
    fn gradient(&self, weights: &Weights, gradient: &mut [f64]) -> f64 {
        let scores = choose::scores(self.facts, weights);
        let mut times = vec![1.0_f64; scores.len()];
        self.same.iter().for_each(|at| times[*at] = 0.0);
        self.never.iter().for_each(|at| times[*at] = NEVER);
        for (_, lines) in &self.groups {
            for at in lines {
                times[*at] = times[*at].max(1.0);
            }
        }
        let score = |at: usize| f64::from(scores[at].score);
        let top = (0..scores.len()).map(score).fold(f64::MIN, f64::max);
        let parts: Vec<f64> = (0..scores.len())
            .map(|at| times[at] * (score(at) - top).exp())
            .collect();
        let all: f64 = parts.iter().sum();
        let mut by_line = vec![0.0; scores.len()];
        let (mut loss, mut sum) = (0.0, 0.0);
        for (share, lines) in &self.groups {
            let weight = share * self.weight;
            let own = lines.iter().map(|at| parts[*at]).sum::<f64>().max(1e-30);
            loss += weight * (all.ln() - own.ln());
            sum += weight;
            for at in lines {
                by_line[*at] -= weight * parts[*at] / own;
            }
            // The best line of the group is to be likely by itself.
            let best = *lines
                .iter()
                .max_by(|a, b| score(**a).total_cmp(&score(**b)))
                .expect("a line");
            let lacks = 1.0 - score(best);
            loss += ALONE * weight * lacks.exp().ln_1p();
            by_line[best] -= ALONE * weight * logistic(lacks);
        }
        for (place, part) in by_line.iter_mut().zip(&parts) {
            *place += sum * part / all;
        }
        if let Some(worst) = self
            .never
            .iter()
            .copied()
            .max_by(|a, b| score(*a).total_cmp(&score(*b)))
        {
            let weight = ALONE * self.weight;
            loss += weight * (score(worst) + 1.0).exp().ln_1p();
            by_line[worst] += weight * logistic(score(worst) + 1.0);
            for &at in &self.never {
                by_line[at] += 0.3 * weight * logistic(score(at) + 1.0) / self.never.len() as f64;
            }
        }
        for (at, slope) in by_line
            .iter()
            .enumerate()
            .filter(|(_, slope)| slope.abs() > 1e-6)
        {
            let Score { above, below, .. } = scores[at];
            for (source, share) in [Some((at, 1.0)), above, below].into_iter().flatten() {
                for row in self.facts[source].features.rows() {
                    gradient[row] += slope * f64::from(share);
                }
            }
        }
        loss
    }
}

/// `weights` with rows that fit the real logs that `wanted` takes, and all cases.
pub fn fit(
    sets: &Sets,
    mut weights: Weights,
    wanted: &dyn Fn(&Real) -> bool,
    penalty: f64,
) -> Weights {
    let items = items(sets, wanted);
    let total: f64 = items.iter().map(|item| item.weight).sum();
    let count = TABLE.len();
    let (mut mean, mut square) = (vec![0.0_f64; count], vec![0.0_f64; count]);
    for round in 1..=ROUNDS {
        let halves: [usize; 2] = [0, 1];
        let halves = both(&halves, |half| {
            let mut gradient = vec![0.0; count];
            let some = items.iter().skip(*half).step_by(2);
            let loss: f64 = some
                .map(|item| item.gradient(&weights, &mut gradient))
                .sum();
            (loss, gradient)
        });
        let rate = 0.1 * (1.0 - 0.9 * round as f64 / ROUNDS as f64);
        for row in (0..count).filter(|row| !FIXED.iter().any(|fixed| *fixed as usize == *row)) {
            let sum = halves[0].1[row] + halves[1].1[row];
            let slope = sum / total + penalty * f64::from(weights.rows[row]);
            mean[row] = 0.9 * mean[row] + 0.1 * slope;
            square[row] = 0.99 * square[row] + 0.01 * slope * slope;
            let drift = mean[row] / (1.0 - 0.9_f64.powf(round as f64));
            let width = square[row] / (1.0 - 0.99_f64.powf(round as f64));
            weights.rows[row] -= (rate * drift / (width.sqrt() + 1e-6)) as f32;
        }
        if round % 40 == 0 {
            eprintln!(
                "round {round}: loss {:.4}",
                (halves[0].0 + halves[1].0) / total
            );
        }
    }
    weights
}

/// Prints the figures of four parts of the repositories, each with weights that were fitted without it.
pub fn held_out(sets: &Sets, weights: &Weights, penalty: f64) {
    let mut groups: Vec<&str> = sets.real.iter().map(|real| &*real.log.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let part = |real: &Real| {
        groups
            .iter()
            .position(|group| *group == real.log.group)
            .unwrap_or(0)
            % 4
    };
    let mut sum = [[0.0; 3]; 2];
    for held in 0..4 {
        let mut blank = weights.clone();
        for (row, value) in blank.rows.iter_mut().enumerate() {
            if !FIXED.iter().any(|fixed| *fixed as usize == row) {
                *value = 0.0;
            }
        }
        let fitted = fit(sets, blank, &|real| part(real) != held, penalty);
        let figures = sets.figures(&fitted, &|real| part(real) == held);
        println!("held out {held}: {figures}");
        for (sum, own) in sum.iter_mut().flatten().zip(figures.real.iter().flatten()) {
            *sum += own / 4.0;
        }
    }
    let [a, b] = sum;
    println!(
        "held out, mean: 600: hit {:.3} recall {:.3}; 300: hit {:.3} recall {:.3}",
        a[0], a[1], b[0], b[1]
    );
}
