//! The evidence while it is gathered: candidates by weight, what is shown already, and what is to be shown.

use std::collections::{BTreeSet, HashSet};

use crate::text::tokens::count as cost;

use super::anchors::Take;
use super::fold;
use super::lines::Line;

/// From this weight on a line says the cause.
pub(super) const TELLING: u8 = 70;
/// Below this weight a line only says that something failed.
pub(super) const FAINT: u8 = 55;
/// From this weight on an anchor has all that it needs in what it takes.
pub(super) const WHOLE: u8 = 97;
/// Up to this weight an anchor may be of trouble that passed, or of a clean-up, in which it counts for so much less.
pub(super) const MAY_RECOVER: u8 = 95;

/// The evidence of one section.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Lines to show, most telling first: the line and how often the same is said.
    pub lines: Vec<(usize, usize)>,
    /// Whether an anchor was found.
    pub anchored: bool,
    /// Anchors as heavy as those shown that are left out.
    pub more: usize,
}

/// A line with an anchor.
pub(super) struct Candidate {
    pub at: usize,
    pub weight: u8,
    pub take: Take,
    pub times: usize,
    /// Where it is said for the last time.
    pub last: usize,
    /// Whether its tool says by it what failed, and why elsewhere.
    pub names: bool,
}

/// What is shown already.
#[derive(Default)]
pub(super) struct Used {
    pub lines: BTreeSet<usize>,
    texts: HashSet<u64>,
    /// Lines that never are the cause.
    pub harmless: BTreeSet<usize>,
    /// Shapes of trouble that passed.
    pub recovered: HashSet<u64>,
    pub cost: usize,
}

impl Used {
    pub fn add(
        &mut self,
        lines: &[Line],
        at: usize,
        times: usize,
        into: &mut Vec<(usize, usize)>,
    ) -> bool {
        let text = &*lines[at].text;
        if text.trim().is_empty()
            || fold::is_ruler(text)
            || self.lines.contains(&at)
            || self.harmless.contains(&at)
        {
            return false;
        }
        if self.recovered.contains(&fold::shape(text)) || !self.texts.insert(fold::exact(text)) {
            self.lines.insert(at);
            return false;
        }
        self.lines.insert(at);
        self.cost += cost(&fold::short(text)) + 1;
        into.push((at, times));
        true
    }
}
