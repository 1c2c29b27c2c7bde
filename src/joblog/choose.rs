//! Scores the lines of a failed section, and chooses those to tell within a budget: what is certain, then what fills it.

use std::collections::HashMap;

use super::anchors;
use super::anchors::features::{Feature as F, KNOWN, Number as N, WORDS, Weights};
use super::facts::{Fact, Step};

/// The score of a line, and what of it neighbours carried: the index of each and the share of its own score.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    /// The sum of its own features and of what was carried.
    pub score: f32,
    /// From a line above.
    pub above: Option<(usize, f32)>,
    /// From a line below.
    pub below: Option<(usize, f32)>,
}

/// The lines to tell, by their indices among the facts, in the log's order.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Those that tell the reason.
    pub certain: Vec<usize>,
    /// Those added to fill the budget.
    pub fill: Vec<usize>,
    /// Those left out, since an equal one is told.
    pub folded: Vec<usize>,
}

/// Only the 600 best lines and the last 60 are looked at.
const BEST: usize = 600;
const END: usize = 60;
/// The last lines for which a part of the budget is kept, in a section with at least [`END`] lines.
const LAST: usize = 20;
/// To fill a step of fewer lines, words of trouble count only in lines that a chosen one makes worth so much more.
const SHORT: usize = 100;
const NEAR: f32 = 1.0;
/// A heading of a line that is told is worth more if it takes no more than this part of the room.
const DEAR: f32 = 12.0;
/// A chosen line helps six lines below it and four above.
const BELOW: isize = 6;
const ABOVE: isize = 4;

/// The scores of `facts`: the sum of each line's weights, and what the best neighbour above and below carries to it.
pub fn scores(facts: &[Fact], weights: &Weights) -> Vec<Score> {
    let own = facts.iter().map(|fact| weights.score(fact.features));
    let own: Vec<f32> = own.collect();
    let carried = |order: &mut dyn Iterator<Item = usize>, kept: f32, down: bool| {
        let mut out = vec![None; facts.len()];
        let (mut share, mut from) = (0.0_f32, None::<usize>);
        for at in order {
            let blank = weights.over(facts[at].gap);
            share *= if down { blank } else { 1.0 };
            out[at] = from.map(|source| (source, weights.number(N::Carry) * share));
            share *= kept;
            if own[at] * kept > from.map_or(0.0, |source| share * own[source]) {
                (share, from) = (kept, Some(at));
            }
            share *= if down { 1.0 } else { blank };
        }
        out
    };
    let above = carried(&mut (0..own.len()), weights.number(N::Down), true);
    let below = carried(&mut (0..own.len()).rev(), weights.number(N::Up), false);
    let sum = |(at, (above, below)): (usize, (Option<(usize, f32)>, _))| {
        let more = [above, below].into_iter().flatten();
        let more = more.map(|(source, share): (usize, f32)| share * own[source]);
        let score = own[at] + more.sum::<f32>();
        Score {
            score,
            above,
            below,
        }
    };
    above.into_iter().zip(below).enumerate().map(sum).collect()
}

/// What the line at an index is worth more, given what its chosen neighbours add; `None`: it is not to be chosen.
type More<'a> = &'a dyn Fn(usize, f32) -> Option<f32>;

/// Lines that may still be chosen, and what is left of the budget.
struct Choosing<'a> {
    facts: &'a [Fact],
    weights: &'a Weights,
    /// The indices of the lines, rising; for each its tokens, its worth, and what a chosen neighbour adds.
    order: Vec<usize>,
    cost: Vec<f32>,
    worth: Vec<f32>,
    near: Vec<f32>,
    /// How many chosen lines have a shape or a kind.
    shapes: HashMap<u64, f32>,
    kinds: HashMap<(u64, usize), f32>,
    left: f32,
}

impl Choosing<'_> {
    /// The line with the highest worth above `least` that leaves `keep` tokens.
    fn best(&self, least: f32, keep: f32, more: More) -> Option<usize> {
        let worth = |nth: usize| {
            let (at, near) = (self.order[nth], self.near[nth]);
            let fits = self.cost[nth] <= self.left - keep && !near.is_nan();
            let more = more(at, near).filter(|_| fits)?;
            let fact = &self.facts[at];
            let shape = self.shapes.get(&fact.shape).unwrap_or(&0.0);
            let kind = self.kinds.get(&fact.kind).unwrap_or(&0.0);
            let number = |number| self.weights.number(number);
            let repeats = number(N::Repeat) * shape + number(N::KindRepeat) * kind;
            Some((self.worth[nth] + near + more - repeats, nth))
        };
        let all = (0..self.order.len()).filter_map(worth);
        let best = all.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        best.filter(|(worth, _)| *worth > least).map(|(_, nth)| nth)
    }

    /// Takes the best line again and again; the arguments are those of [`Choosing::best`].
    fn choose(&mut self, least: f32, keep: f32, more: More) -> Vec<usize> {
        let mut out = Vec::new();
        while let Some(nth) = self.best(least, keep, more) {
            out.push(self.take(nth));
        }
        out
    }

    /// Makes the headings of the lines `told` worth more, if they take at most `most` tokens.
    fn head(&mut self, told: &[usize], most: f32) {
        let features = |at: usize| self.facts[at].features;
        for above in told.iter().flat_map(|at| anchors::headings(&features, *at)) {
            if let Ok(nth) = self.order.binary_search(&above)
                && self.cost[nth] <= most
                && !self.near[nth].is_nan()
            {
                self.near[nth] = self.near[nth].max(self.weights.number(N::NearHeading));
            }
        }
    }

    /// Takes the line at `nth`, and makes its neighbours worth more. Result: its index among the facts.
    fn take(&mut self, nth: usize) -> usize {
        let fact = &self.facts[self.order[nth]];
        *self.shapes.entry(fact.shape).or_default() += 1.0;
        *self.kinds.entry(fact.kind).or_default() += 1.0;
        self.left -= self.cost[nth];
        let near = self.weights.number(N::Near);
        let up = near * self.weights.number(N::NearUp);
        for (side, reach, first) in [(1, BELOW, near), (-1, ABOVE, up)] {
            let mut more = first;
            for far in 1..=reach {
                let Some(next) = nth.checked_add_signed(side * far) else {
                    break;
                };
                let at = self.order.get(next).copied();
                let Some(at) = at.filter(|at| at.abs_diff(self.order[nth]) == far.unsigned_abs())
                else {
                    break;
                };
                let lower = if side > 0 { at } else { at + 1 };
                more *= self.weights.over(self.facts[lower].gap);
                if self.near[next] < more {
                    self.near[next] = more;
                }
                more *= self.weights.number(N::NearKept);
            }
        }
        // A line that is taken is no candidate any more.
        self.near[nth] = f32::NAN;
        self.order[nth]
    }
}

/// Chooses lines of `step` for at most `room` tokens; `cost` gives the tokens of a line.
pub fn choose(step: &Step, weights: &Weights, cost: &dyn Fn(&Fact) -> f32, room: f32) -> Choice {
    let facts = &step.facts;
    let count = facts.len();
    let scores = scores(facts, weights);
    let mut order: Vec<usize> = (0..count).collect();
    if count > BEST + END {
        order.select_nth_unstable_by(BEST, |a, b| scores[*b].score.total_cmp(&scores[*a].score));
        order.truncate(BEST);
        order.extend(count - END..count);
        order.sort_unstable();
        order.dedup();
    }
    let number = |number| weights.number(number);
    let top = scores.iter().map(|one| one.score).fold(f32::MIN, f32::max);
    let cost: Vec<f32> = order.iter().map(|at| cost(&facts[*at])).collect();
    let worth = |(at, cost): (&usize, &f32)| {
        scores[*at].score - number(N::Relative) * top - number(N::Cost) * cost.ln()
    };
    let mut choosing = Choosing {
        worth: order.iter().zip(&cost).map(worth).collect(),
        near: vec![0.0; order.len()],
        shapes: HashMap::new(),
        kinds: HashMap::new(),
        left: room,
        facts,
        weights,
        order,
        cost,
    };
    let long = count >= END;
    let share = if long { room * number(N::Share) } else { 0.0 };
    let length = number(N::Length) * (count.max(5) as f32 / END as f32).ln();
    let mut choice = Choice::default();
    if !step.stopped {
        let more = f32::from(u8::from(!step.anchored));
        let least = number(N::Certain) + more * number(N::Unanchored);
        choice.certain = choosing.choose(least, share, &|_, _| Some(0.0));
        if step.anchored && choice.certain.is_empty() {
            let best = choosing.best(f32::MIN, 0.0, &|_, _| Some(0.0));
            choice.certain.extend(best.map(|nth| choosing.take(nth)));
        }
    }
    // Words of trouble that are not certain mislead: a short step has few lines, so that they would be added. Where an anchor
    // tells the cause, clean-up and routine tell nothing.
    let told = |at: usize, near: f32| {
        let features = facts[at].features;
        let trouble = features.any(WORDS) || features.any(&[F::Cannot, F::Info, F::Ignored]);
        let same = |told: &usize| told.abs_diff(at) == 1 && facts[*told].kind.0 == facts[at].kind.0;
        let warning = features.has(F::Warning) && !choice.certain.iter().any(same);
        let decoy = count < SHORT && !features.any(KNOWN) && (trouble && near < NEAR || warning);
        let found = step.anchored && !choice.certain.is_empty();
        let known = near >= number(N::NearHeading) || features.any(KNOWN);
        let routine = features.has(F::Trifle) || features.has(F::Often) && !known;
        !(found && (decoy || routine) || step.anchored && features.has(F::CleanUp))
    };
    let tidies = |at: usize| facts[at].features.has(F::CleanUp);
    let before = (0..count).rev().take_while(|at| tidies(*at)).count();
    let last = |at: usize, near: f32| {
        let rank = (at + LAST).checked_sub(count).filter(|_| told(at, near))?;
        let alone = choice.certain.is_empty() && !tidies(at) && at + before + LAST / 2 >= count;
        let more = number(N::EndingUnanchored) * f32::from(u8::from(alone));
        Some(more + number(N::EndingBonus) * (rank + 1) as f32 / LAST as f32)
    };
    let rest = |at: usize, near: f32| told(at, near).then_some(0.0);
    let mut fill = choosing.choose(number(N::Ending) - length, 0.0, &last);
    let certain = &choice.certain;
    let headed = if certain.is_empty() { &fill } else { certain };
    choosing.head(headed, room / DEAR);
    if !step.stopped {
        fill.extend(choosing.choose(number(N::Filling) - length, 0.0, &rest));
    }
    choice.fill = fill;
    choice.certain.sort_unstable();
    choice.fill.sort_unstable();
    choice
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Reading;
    use super::*;

    proptest! {
        #[test]
        fn what_is_chosen_fits_the_room_and_is_chosen_once(
            words in prop::collection::vec("(  )?(error|ok|at|FAILED|a.c:3:1|make|0)( [a-z]{1,9}){0,6}|", 1..90),
            room in 0.0_f32..400.0,
        ) {
            let text = words.join("\n");
            let read = Reading::of(&text);
            for step in &read.steps {
                let cost = |fact: &Fact| read.cost(fact, 600);
                let choice = choose(step, &Weights::of_table(), &cost, room);
                let mut all: Vec<usize> = choice.certain.iter().chain(&choice.fill).copied().collect();
                let tokens: f32 = all.iter().map(|at| cost(&step.facts[*at])).sum();
                prop_assert!(tokens <= room + 0.01, "{tokens} of {room}");
                prop_assert!(choice.certain.is_sorted() && choice.fill.is_sorted());
                let count = all.len();
                all.sort_unstable();
                all.dedup();
                prop_assert_eq!(count, all.len());
            }
        }
    }

    #[test]
    fn a_line_carries_a_part_of_its_score_to_its_neighbours_and_less_over_a_blank_line() {
        let read = |gap: &str| {
            let text = format!("one\nsrc/a.c:3:1: error: x undeclared\n{gap}two");
            let read = Reading::of(&text);
            let all = scores(&read.steps[0].facts, &Weights::of_table());
            all.iter().map(|one| one.above).collect::<Vec<_>>()
        };
        let (close, far) = (read(""), read("\n"));
        let part = |all: &[Option<(usize, f32)>], at: usize| match all[at] {
            Some((1, part)) => part,
            other => panic!("line {at} has {other:?}"),
        };
        assert!(part(&close, 2) > part(&far, 2) && part(&far, 2) > 0.0);
    }
}
