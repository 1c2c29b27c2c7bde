//! One row of the tables of anchors: which tool prints which line, how much the line weighs, and which lines belong to it.

/// A failed test, in the words of its runner: heavier than any error that a test prints.
pub(super) const TEST: u8 = 98;
/// The cause, in the words of the tool that met it.
pub(super) const CAUSE: u8 = 95;
/// An exception with its trace: the cause if nothing says it better.
pub(super) const TRACE: u8 = 90;
/// Likely the cause, in a common form that other lines have too.
pub(in crate::joblog) const LIKELY: u8 = 84;
/// A failure without its reason: `test x ... FAILED`.
pub(super) const CLUE: u8 = 70;
/// A line at the end that says that something failed: `3 failed, 20 passed in 1.52s`.
pub(super) const SUMMARY: u8 = 40;
/// No anchor, whatever else the line looks like.
pub(super) const NEVER: u8 = 255;

/// Which lines around an anchor belong to it.
#[derive(Clone, Copy, Debug)]
pub(in crate::joblog) enum Take {
    /// The line alone.
    Line,
    /// This many lines after it, blank ones not counted.
    Next(usize),
    /// At most this many lines after it, while they are indented more.
    Deeper(usize),
    /// At most this many lines after it, up to a blank one.
    Blank(usize),
    /// The line, and the less indented heading above it: of an eslint error, its file.
    Under,
    /// This many lines before it, blank ones not counted.
    Before(usize),
    /// `Part(end, keep, most)`: of the lines after it, up to the first that matches `end`, at most `most` that match `keep`.
    Part(&'static str, &'static str, usize),
    /// A trace of Python: the exception, and the innermost frames of the project's own code.
    Trace,
    /// Frames below an exception: the first of the project's own code, and further causes.
    Stack,
}

/// One way to say that something went wrong.
#[derive(Debug)]
pub(in crate::joblog) struct Row {
    /// The tool that prints the line; `any` is for words that any program may print.
    pub tool: &'static str,
    /// Literals in any case; a line without one of them never fits the row.
    pub(super) needles: &'static [&'static str],
    /// The pattern that a line must match.
    pub(super) form: &'static str,
    pub weight: u8,
    pub take: Take,
    /// Why the line has this weight, or where its form is from.
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
