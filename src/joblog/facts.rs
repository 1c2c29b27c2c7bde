//! The features of each line of a failed section: how its text looks, where it stands, and what other lines say of it.

use std::collections::{HashMap, HashSet};

use super::anchors::features::{Feature as F, Features, WORDS};
use super::anchors::forms::ECHOED;
use super::anchors::{self, Row, Take};
use super::line::{Kind, Line, Log, indent};
use super::steps::{Section, SectionEnd};
use crate::text::fold;

/// A line with text of a failed section.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its index in the log.
    pub at: usize,
    /// Its features.
    pub features: Features,
    /// Its [`fold::shape`].
    pub shape: u64,
    /// Its [`fold::kind`].
    pub kind: (u64, usize),
    /// Whether a line without text stands above it.
    pub gap: bool,
    /// The weight of its anchor; 0 if it has none.
    weight: u8,
}

/// What is known of a failed section.
#[derive(Debug)]
pub struct Step {
    /// Its lines with text.
    pub facts: Vec<Fact>,
    /// Whether an anchor tells a cause.
    pub anchored: bool,
    /// Whether it was stopped from outside, so that only its last lines tell where it was.
    pub stopped: bool,
}

/// At or above this weight an anchor tells a cause; at or above [`SURE`] nothing else is needed; at or above [`TEST`] it is a
/// failed test. Lighter than [`FAINT`], it only says that something failed.
const TELLING: u8 = 70;
const SURE: u8 = 90;
const CAUSE: u8 = 95;
const TEST: u8 = 97;
const FAINT: u8 = 55;
/// The least weight of a line that the runner marks as an error.
const MARKED: u8 = 93;
/// The lines that belong to an anchor are marked for the first 200 lines of a shape, and for 20,000 lines in all.
const ALIKE: u32 = 200;
const BLOCKS: usize = 20_000;
/// Trouble that did not fail the section.
const FORGIVEN: &[F] = &[F::Harmless, F::Tolerated, F::Retried];

/// The lines with text of `section` before the runner says how it ended. `green` has the shapes of the lines of sections that
/// did not fail.
pub(super) fn facts(log: &Log, section: &Section, green: &HashSet<u64>) -> Step {
    let lines = &log.lines;
    let body = section.body.start..section.said.unwrap_or(section.body.end);
    let has_text = |at: &usize| {
        let line = &lines[*at];
        let kind = !matches!(line.kind, Kind::Script | Kind::EndGroup);
        kind && !line.text.trim().is_empty() && !fold::is_ruler(&line.text)
    };
    let harmless = anchors::harmless_output(lines, &section.body);
    let mut looks: HashMap<u64, (Features, Option<&'static Row>)> = HashMap::new();
    let mut all: Vec<Fact> = Vec::new();
    let mut takes: Vec<(usize, Take)> = Vec::new();
    for at in body.filter(has_text) {
        let line = &lines[at];
        let text = line.text.trim_end();
        let shape = fold::shape(text);
        let look = looks.entry(shape);
        let (mut features, row) = *look.or_insert_with(|| Features::of_text(text));
        let marked = line.kind == Kind::Error;
        features.set(F::MarkedError, marked);
        features.set(F::Aside, line.kind == Kind::Aside);
        features.set(F::Indented, indent(text) > 0);
        features.set(F::Deep, indent(text) >= 4);
        features.set(F::Long, text.len() > 240);
        features.set(F::Green, green.contains(&shape));
        features.set(F::Harmless, harmless.contains(&at));
        let row = row.filter(|_| !features.has(F::Trifle));
        let weight = row.map_or(0, |row| row.weight);
        if let Some(row) = row.filter(|row| row.weight >= FAINT) {
            takes.push((all.len(), row.take));
        }
        all.push(Fact {
            at,
            features,
            shape,
            kind: fold::kind(text),
            gap: all.last().is_none_or(|last| last.at + 1 != at),
            weight: if marked { weight.max(MARKED) } else { weight },
        });
    }
    count(&mut all);
    forgive(log, section, &mut all);
    let top = weigh(&mut all);
    let blocks = blocks(lines, section, &all, takes);
    for one in &mut all {
        if let Some(feature) = blocks.get(&one.at) {
            one.features.set(*feature, true);
        }
        let part = [F::FailedTest, F::Block, F::BlockFar, F::MarkedError];
        let part = one.features.any(&part);
        let beside = top >= TEST && !part && one.features.any(WORDS);
        one.features.set(F::WordsBesideTest, beside);
        // A test that fails is not forgiven for what it logs.
        let retried = one.features.has(F::Retried) && !(top >= TEST && part);
        one.features.set(F::Retried, retried);
    }
    Step {
        facts: all,
        anchored: top >= TELLING,
        stopped: section.end == SectionEnd::Stopped,
    }
}

/// The lines that belong to the anchors in `takes`, by their indices in the log, with the heaviest feature of each.
fn blocks(
    lines: &[Line],
    section: &Section,
    all: &[Fact],
    takes: Vec<(usize, Take)>,
) -> HashMap<usize, F> {
    let mut blocks: HashMap<usize, F> = HashMap::new();
    let mut shapes: HashMap<u64, u32> = HashMap::new();
    for (one, take) in takes.into_iter().map(|(nth, take)| (&all[nth], take)) {
        let seen = shapes.entry(one.shape).or_default();
        *seen += 1;
        if *seen > ALIKE || blocks.len() > BLOCKS || one.features.any(FORGIVEN) {
            continue;
        }
        let weak = one.weight < 79 || one.features.any(&[F::BesideTest, F::Weaker]);
        let block = anchors::block(lines, &section.body, one.at, take);
        let others = block.into_iter().enumerate();
        for (place, at) in others.filter(|(_, at)| *at != one.at) {
            let feature = match place {
                _ if weak => F::BlockOfClue,
                ..5 => F::Block,
                _ => F::BlockFar,
            };
            let known = blocks.entry(at).or_insert(feature);
            if (feature as u8) < *known as u8 {
                *known = feature;
            }
        }
    }
    blocks
}

/// Sets how rare each line is, and how near to the end it stands.
fn count(all: &mut [Fact]) {
    let mut shapes: HashMap<u64, u32> = HashMap::new();
    let mut kinds: HashMap<(u64, usize), u32> = HashMap::new();
    for one in &*all {
        *shapes.entry(one.shape).or_default() += 1;
        *kinds.entry(one.kind).or_default() += 1;
    }
    let mut above = None;
    let last = all.len();
    for (nth, one) in all.iter_mut().enumerate() {
        let (shape, kind) = (shapes[&one.shape], kinds[&one.kind]);
        let same = above.replace(one.kind) == Some(one.kind);
        for (feature, holds) in [
            (F::Once, shape == 1),
            (F::Few, (2..=3).contains(&shape)),
            (F::Often, shape >= 8),
            (F::VeryOften, shape >= 50),
            (F::KindOnce, kind == 1),
            (F::KindOften, kind >= 10),
            (F::KindAbove, same),
            (F::Last1, last - nth <= 1),
            (F::Last3, last - nth <= 3),
            (F::Last10, last - nth <= 10),
            (F::Last30, last - nth <= 30),
            (F::Last100, last - nth <= 100),
        ] {
            one.features.set(feature, holds);
        }
    }
}

/// Sets the flags of lines about trouble that did not fail the section.
fn forgive(log: &Log, section: &Section, all: &mut [Fact]) {
    let count = all.len();
    // The step did not recover from the trouble that comes last, whatever its lines say of another try.
    for nth in 0..count.saturating_sub(4) {
        let mut next = all[nth + 1..nth + 4].iter();
        let again = next.any(|next| next.features.has(F::Again));
        all[nth].features.set(F::Retried, again);
    }
    let mut end = all.iter_mut().rev().take(12);
    if let Some(last) = end.find(|one| one.features.has(F::Try)) {
        let tries = end.any(|one| one.shape == last.shape);
        last.features.set(F::LastTry, tries);
    }
    let script = log.lines[section.script.clone()].iter();
    let echoed: HashSet<&str> = script
        .filter_map(|line| Some(ECHOED.captures(&line.text)?.get(1)?.as_str()))
        .collect();
    let says = |one: &Fact| echoed.contains(log.lines[one.at].text.trim());
    let tolerates = |one: &Fact| one.features.has(F::Tolerates) || says(one);
    if let Some(border) = all.iter().rposition(tolerates)
        && all[border + 1..].iter().any(|one| one.weight >= TELLING)
    {
        let before = all[..=border].iter_mut();
        before.for_each(|one| one.features.set(F::Tolerated, true));
    }
    let ends = |one: &Fact| one.weight >= FAINT && !one.features.has(F::Tidies);
    let clean_up = anchors::clean_up(all.iter().map(|one| (one.features, ends(one))));
    if let Some(from) = clean_up {
        let after = all[from..].iter_mut();
        after.for_each(|one| one.features.set(F::CleanUp, true));
    }
}

/// Compares the anchors with the heaviest one. Result: its weight, 0 if there is none.
fn weigh(all: &mut [Fact]) -> u8 {
    let forgiven = |one: &Fact| one.features.any(FORGIVEN) || one.features.has(F::CleanUp);
    let counts = |one: &&Fact| !forgiven(one) || one.features.has(F::MarkedError);
    let heaviest = |of: &dyn Fn(&Fact) -> bool| {
        let some = all.iter().filter(|one| counts(one) && of(one));
        some.map(|one| one.weight).max().unwrap_or(0)
    };
    let top = heaviest(&|_| true);
    let strict = all.iter().any(|one| one.features.has(F::Strict))
        && heaviest(&|one| !one.features.any(&[F::Strict, F::Warning])) < CAUSE;
    for one in &mut *all {
        let (weight, features) = (one.weight, &mut one.features);
        let fails = strict && features.any(&[F::Warning, F::Aside]);
        let plain = weight == 0 && !fails;
        let beside = top >= SURE && !fails;
        features.set(F::Weaker, weight > 0 && weight + 7 < top);
        let test = weight > 0 && top >= TEST && weight + 3 < top;
        features.set(F::BesideTest, test);
        features.set(F::PlainBesideCause, plain && top >= SURE);
        features.set(F::DullBesideCause, features.has(F::Dull) && beside);
        features.set(F::WarningBesideCause, features.has(F::Warning) && beside);
        features.set(F::WarningThatFails, fails);
        let known = features.any(&[F::FailedTest, F::Cause]) && !features.has(F::AnyTool);
        let light = features.any(&[F::Dull, F::Meant, F::Warning])
            && !(features.has(F::Warning) && features.has(F::Place));
        features.set(F::InItsWords, known && light);
    }
    let lighter = |one: &Fact| one.features.any(&[F::Weaker, F::BesideTest]);
    let telling =
        |one: &&mut Fact| one.weight >= 60 && !lighter(one) && !one.features.any(FORGIVEN);
    if let Some(first) = all.iter_mut().find(telling) {
        first.features.set(F::FirstAnchor, true);
    }
    if let Some(last) = all.iter_mut().rev().find(telling) {
        last.features.set(F::LastAnchor, true);
    }
    top
}
