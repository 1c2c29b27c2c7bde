//! One row of the tables of anchors: who says what, how much it weighs, and what around it belongs to it.

/// A test that failed, in the words of its runner: what a run of tests is about.
pub(super) const TEST: u8 = 98;
/// The cause, in the words of the tool that met it.
pub(super) const CAUSE: u8 = 95;
/// An exception with its trace: the cause if nothing says it better.
pub(super) const TRACE: u8 = 90;
/// Likely the cause: a common form that other things have too.
pub(super) const LIKELY: u8 = 84;
/// A failure without its reason.
pub(super) const CLUE: u8 = 70;
/// Says at the end that something failed.
pub(super) const SUMMARY: u8 = 40;
/// No anchor, whatever else the line looks like.
pub(super) const NEVER: u8 = 255;

/// How much of what stands around an anchor belongs to it.
#[derive(Clone, Copy, Debug)]
pub(in crate::joblog) enum Take {
    /// The line alone.
    Line,
    /// So many lines after it, blank ones not counted.
    Next(usize),
    /// At most so many lines after it that are indented more than it is.
    Deeper(usize),
    /// At most so many lines after it, to a blank one.
    Blank(usize),
    /// The line and the less indented one above that it stands under.
    Under,
    /// So many lines before it.
    Before(usize),
    /// To the line of the first form, of which at most so many of the second form.
    Part(&'static str, &'static str, usize),
    /// A trace of Python: the innermost frames of one's own and the exception.
    Trace,
    /// Frames below an exception: the first of one's own, and further causes.
    Stack,
}

/// One way to say that something went wrong.
#[derive(Debug)]
pub(in crate::joblog) struct Row {
    /// Who says it; `any` is for words that anybody may use.
    pub tool: &'static str,
    /// A line that fits has one of them, whatever the case.
    pub(super) needles: &'static [&'static str],
    pub(super) form: &'static str,
    pub weight: u8,
    pub take: Take,
    /// Why it counts so, or where its form is from.
    #[allow(dead_code, reason = "for the reader of the table, and its test")]
    pub(super) why: &'static str,
}

/// One row, its columns in the order of the tables.
pub(super) const fn row(
    tool: &'static str,
    needles: &'static [&'static str],
    form: &'static str,
    weight: u8,
    take: Take,
    why: &'static str,
) -> Row {
    Row {
        tool,
        needles,
        form,
        weight,
        take,
        why,
    }
}
