//! The row of a leaf: its columns, and how the table writes them.

use super::effect::Effect;
use super::names::Names;

/// All that is decided about one leaf.  The columns from `also` on are optional: a row names those that it needs.
#[derive(Debug)]
pub struct LeafRow {
    /// The command, without `gh`.
    pub path: &'static str,
    /// What the leaf does without flags that change its effect.
    pub does: Effect,
    /// What each positional names; the last one stands for all that follow.
    pub positionals: &'static [Names],
    /// Why the leaf has its class: follows "gh PATH".
    pub reason: &'static str,
    /// What the shape of a call adds: `gh repo sync` without a name changes the local checkout.
    pub also: Option<Also>,
    /// What gh takes from the checkout when the call does not name it.
    pub current: Option<Current>,
    /// Whether `--org` or `--user` makes the call one about an organization or the account, whatever repository `-R` names.
    pub beside: bool,
    /// Whether the output may be long or slow to come: such a call gets 60 seconds instead of 20.
    pub slow: bool,
    /// Whether the end of a long output matters as much as its beginning: both are kept, and the middle is left out.
    pub both_ends: bool,
    /// Whether a result that is too long for the budget is shown from both ends: a log fails at its end.
    pub shows_ends: bool,
    /// Exit codes other than 0 that are an answer when something was printed: `gh pr checks` exits 8 while a check is pending.
    pub data_exits: &'static [i32],
    /// Flags that replace a text, each with the name of the replaced text in [`Seen::texts`](crate::gate::Seen).
    pub edits: &'static [(&'static str, &'static str)],
    /// A sentence or two on what cannot be undone; `None` where nobody has decided.
    pub undo: Option<&'static str>,
    /// As `undo`, for a call with the flag in the first column; the first row whose flag is on counts.
    pub undo_with: &'static [(&'static str, &'static str)],
    /// Why no lease may cover a call of the leaf: follows "no lease can be given here:".
    pub no_lease: Option<&'static str>,
}

/// Kinds of things that gh takes from the checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Current {
    /// The pull request of the current branch; with `-R`, gh does not look for it.
    PullRequest,
    /// The current branch, as `--head`.
    Head,
    /// The current branch, as a positional.
    Branch,
    /// The checkout's repository, as a positional.
    OwnRepository,
}

/// An effect that only calls of a certain shape have.
#[derive(Clone, Copy, Debug)]
pub struct Also {
    /// The shape.
    pub shape: Shape,
    /// What a call of this shape does, besides the leaf's own effect.
    pub does: Effect,
    /// Why such a call has its class: follows "gh PATH".
    pub reason: &'static str,
}

/// A shape of a call that its row looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A positional is a URL of any scheme: `oci://ghcr.io/acme/image`.
    UrlPositional,
    /// There are more positionals than this.
    PositionalsBeyond(usize),
    /// There is no positional.
    NoPositional,
    /// The flag of this name is not given, or has an empty value.
    Without(&'static str),
}

/// A row without optional columns.
pub(super) const fn row(
    path: &'static str,
    does: Effect,
    positionals: &'static [Names],
    reason: &'static str,
) -> LeafRow {
    LeafRow {
        path,
        does,
        positionals,
        reason,
        also: None,
        current: None,
        beside: false,
        slow: false,
        both_ends: false,
        shows_ends: false,
        data_exits: &[],
        edits: &[],
        undo: None,
        undo_with: &[],
        no_lease: None,
    }
}

impl LeafRow {
    pub(super) const fn also(mut self, shape: Shape, does: Effect, reason: &'static str) -> Self {
        self.also = Some(Also {
            shape,
            does,
            reason,
        });
        self
    }

    pub(super) const fn current(mut self, current: Current) -> Self {
        self.current = Some(current);
        self
    }

    pub(super) const fn beside(mut self) -> Self {
        self.beside = true;
        self
    }

    pub(super) const fn slow(mut self) -> Self {
        self.slow = true;
        self
    }

    pub(super) const fn both_ends(mut self) -> Self {
        self.both_ends = true;
        self
    }

    pub(super) const fn shows_ends(mut self) -> Self {
        self.shows_ends = true;
        self
    }

    pub(super) const fn data_exits(mut self, codes: &'static [i32]) -> Self {
        self.data_exits = codes;
        self
    }

    pub(super) const fn edits(mut self, edits: &'static [(&'static str, &'static str)]) -> Self {
        self.edits = edits;
        self
    }

    pub(super) const fn undo(mut self, sentence: &'static str) -> Self {
        self.undo = Some(sentence);
        self
    }

    pub(super) const fn undo_with(mut self, rows: &'static [(&'static str, &'static str)]) -> Self {
        self.undo_with = rows;
        self
    }

    pub(super) const fn no_lease(mut self, why: &'static str) -> Self {
        self.no_lease = Some(why);
        self
    }
}
