//! The evidence while it is gathered: candidates with their weights, the lines used already, and the lines to show.

use std::collections::{BTreeSet, HashSet};

use crate::text::tokens::count as cost;

use super::anchors::Take;
use super::fold;
use super::lines::Line;

/// At or above this weight a line tells the cause.
pub(super) const TELLING: u8 = 70;
/// Below this weight a line only says that something failed: `make: *** [all] Error 2` has 48.
pub(super) const FAINT: u8 = 55;
/// At or above this weight the anchor's own block is complete; add no neighbours.
pub(super) const WHOLE: u8 = 97;
/// Up to this weight an anchor may tell of trouble that passed, or of a clean-up. A failed test (98) never does.
pub(super) const MAY_RECOVER: u8 = 95;

/// The evidence of one section.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Lines to show, the most telling first: the index of each, and how many lines it stands for.
    pub lines: Vec<(usize, usize)>,
    /// Whether a line tells the cause.
    pub anchored: bool,
    /// How many anchors about as heavy as those shown are left out.
    pub more: usize,
}

/// A line with an anchor, and the lines of its shape.
pub(super) struct Candidate {
    pub at: usize,
    pub weight: u8,
    pub take: Take,
    /// How many lines have this shape.
    pub times: usize,
    /// The last line of this shape.
    pub last: usize,
    /// The line names what failed (`test x … FAILED`); the reason stands on another line.
    pub names: bool,
}

/// The lines used already, and the lines never to use.
#[derive(Default)]
pub(super) struct Used {
    /// Lines shown, and lines that would repeat them.
    pub lines: BTreeSet<usize>,
    /// [`fold::exact`] of each line shown.
    texts: HashSet<u64>,
    /// Lines that are never the cause.
    pub harmless: BTreeSet<usize>,
    /// [`fold::shape`] of each line about trouble that passed.
    pub recovered: HashSet<u64>,
    /// The tokens of the lines shown.
    pub cost: usize,
}

impl Used {
    /// Adds the line at `at` to `into`, standing for `times` lines. Result: `false` if the line is blank, harmless, shown
    /// already, or about trouble that passed.
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
