//! Why the lines that tell a job log's failure were chosen: the score of each line, and what the score is made of.

use crate::joblog::choose::{Score, scores};
use crate::joblog::features::{Row, TABLE, Weights};
use crate::joblog::{Failure, Reading, Step};

/// The mark in place of a secret is `[REDACTED:github-token]`; it has no line end, even where the secret has some.
const MARK: &str = "[REDACTED:";

/// The failure of a log, and for each line that tells it the reasons.
pub struct Explanation {
    /// What `joblog::find` finds in the same log for the same budget.
    pub failure: Failure,
    /// For each of its steps the reasons of the certain lines and of those added to fill, in the order of the lines.
    pub steps: Vec<(Vec<Reason>, Vec<Reason>)>,
}

/// Why one line was chosen.
pub struct Reason {
    /// The line's number in the log; the first line is 1.
    pub line: usize,
    /// The sum of the weights of `features` and of what was carried.
    pub score: f32,
    /// The line's features.
    pub features: Vec<&'static Row>,
    /// What a line above carried to it.
    pub above: Option<Carried>,
    /// What a line below carried to it.
    pub below: Option<Carried>,
}

/// What a neighbour carried to a line.
pub struct Carried {
    /// The neighbour's number in the log.
    pub line: usize,
    /// How much of the line's score comes from there.
    pub score: f32,
}

/// Explains the failure in the job log `text`, in either of gh's forms, for at most `budget` tokens.
pub fn explain_failure(text: &str, budget: usize) -> Explanation {
    let read = Reading::of(text);
    let weights = Weights::of_table();
    let choices = read.choices(budget, &weights, &|_, fact| read.cost(fact, budget));
    let reasons = |step: &Step, scores: &[Score], lines: &[usize]| -> Vec<Reason> {
        let carried = |from: Option<(usize, f32)>| {
            let (source, share) = from?;
            let fact = &step.facts[source];
            Some(Carried {
                line: fact.at + 1,
                score: share * weights.score(fact.features),
            })
        };
        let reason = |at: &usize| Reason {
            line: step.facts[*at].at + 1,
            score: scores[*at].score,
            features: step.facts[*at]
                .features
                .rows()
                .map(|row| &TABLE[row])
                .collect(),
            above: carried(scores[*at].above),
            below: carried(scores[*at].below),
        };
        lines.iter().map(reason).collect()
    };
    let told = read
        .steps
        .iter()
        .zip(&choices)
        .filter_map(|(step, choice)| {
            let choice = choice.as_ref()?;
            let scores = scores(&step.facts, &weights);
            let of = |lines| reasons(step, &scores, lines);
            Some((of(&choice.certain), of(&choice.fill)))
        });
    Explanation {
        steps: told.collect(),
        failure: read.failure(&choices, budget),
    }
}

impl Explanation {
    /// All line numbers of the explanation, for [`Explanation::number_by`].
    fn numbers(&mut self) -> impl Iterator<Item = &mut usize> {
        let reasons = self
            .steps
            .iter_mut()
            .flat_map(|(certain, fill)| certain.iter_mut().chain(fill));
        reasons.flat_map(|reason| {
            let carried = reason.above.iter_mut().chain(&mut reason.below);
            std::iter::once(&mut reason.line).chain(carried.map(|carried| &mut carried.line))
        })
    }

    /// Replaces each line number of `redacted`, the text that was explained, by that of the same line in `original`. They
    /// differ below a secret of several lines, such as a private key, since its mark is one line.
    pub fn number_by(&mut self, original: &str, redacted: &str) {
        if original.matches('\n').count() == redacted.matches('\n').count() {
            return;
        }
        let lines = original_lines(original, redacted);
        for number in self.numbers() {
            *number = lines.get(*number - 1).map_or(*number, |line| line + 1);
        }
    }
}

/// For each line of `redacted` the index of the line of `original` at which it begins.
fn original_lines(original: &str, redacted: &str) -> Vec<usize> {
    let original: Vec<&str> = original.split('\n').collect();
    let redacted: Vec<&str> = redacted.split('\n').collect();
    let begins = |at: usize, line: Option<&&str>| match (original.get(at), line) {
        (Some(text), Some(line)) => match line.split_once(MARK) {
            Some((before, _)) => text.starts_with(before),
            None => text == line,
        },
        (text, line) => text.is_none() && line.is_none(),
    };
    // How many lines of the original the marks have swallowed in all.
    let mut spare = original.len().saturating_sub(redacted.len());
    let mut at = 0;
    let mut out = Vec::with_capacity(redacted.len());
    for (nth, line) in redacted.iter().enumerate() {
        out.push(at);
        let swallowed = if line.contains(MARK) && original.get(at) != Some(line) {
            let next = redacted.get(nth + 1);
            (0..=spare)
                .find(|more| begins(at + 1 + more, next))
                .unwrap_or(0)
        } else {
            0
        };
        spare -= swallowed;
        at += 1 + swallowed;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_below_a_mark_of_several_lines_keep_their_numbers() {
        let original = "a\nb: BEGIN\nkey\nEND x\nc\nd: t\ne\n";
        let redacted = "a\nb: [REDACTED:private-key] x\nc\nd: [REDACTED:token]\ne\n";
        assert_eq!(original_lines(original, redacted), [0, 1, 4, 5, 6, 7]);
        let written = "a [REDACTED:x]\nb\n";
        assert_eq!(original_lines(written, written), [0, 1, 2]);
    }

    #[test]
    fn a_mark_at_the_end_takes_the_lines_that_are_left() {
        assert_eq!(
            original_lines("a\nBEGIN\nkey\nEND", "a\n[REDACTED:private-key]"),
            [0, 1]
        );
    }
}
