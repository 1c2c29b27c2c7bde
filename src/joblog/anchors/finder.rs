//! Finds a line's anchor: one pass for the literals of all rows, then the patterns of the rows whose literal was met.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use once_cell::sync::{Lazy, OnceCell};
use regex::{Regex, RegexSet};

use super::row::{CAUSE, CLUE, LIKELY, NEVER, Row};
use super::{builds, compilers, general, lint, machines, packages, services, suites};

/// The tables of rows. Of the rows that fit a line, the heaviest counts; of equally heavy ones, the first met in the line.
/// `true`: rows lighter than [`CAUSE`] ignore lines that only mention errors (`0 errors, 12 warnings`).
static TABLES: &[(&[Row], bool)] = &[
    (suites::ROWS, false),
    (compilers::ROWS, false),
    (builds::ROWS, false),
    (lint::ROWS, false),
    (packages::ROWS, false),
    (services::ROWS, true),
    (machines::ROWS, true),
    (general::ROWS, true),
];

struct Finder {
    rows: Vec<&'static Row>,
    /// For each row, whether it ignores lines that only mention errors.
    careful: Vec<bool>,
    forms: Vec<OnceCell<Regex>>,
    /// For each needle, the index of its row.
    owner: Vec<usize>,
    needles: AhoCorasick,
    dull: RegexSet,
    prefix: Regex,
    staged: Regex,
    meant: Regex,
}

static FINDER: Lazy<Finder> = Lazy::new(|| {
    let mut rows: Vec<&'static Row> = Vec::new();
    let mut careful = Vec::new();
    for (table, talk) in TABLES {
        for row in *table {
            rows.push(row);
            careful.push(*talk && row.weight < CAUSE);
        }
    }
    let mut owner = Vec::new();
    let mut literals = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        for needle in row.needles {
            owner.push(at);
            literals.push(*needle);
        }
    }
    let needles = AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(&literals)
        .expect("the table's literals are short");
    Finder {
        forms: rows.iter().map(|_| OnceCell::new()).collect(),
        rows,
        careful,
        owner,
        needles,
        prefix: Regex::new(&ascii(general::PREFIX)).expect("a tested pattern"),
        staged: Regex::new(&ascii(general::STAGED)).expect("a tested pattern"),
        meant: Regex::new(&ascii(general::MEANT)).expect("a tested pattern"),
        dull: RegexSet::new(general::DULL.iter().map(|(form, _)| ascii(form)))
            .expect("tested patterns"),
    }
});

/// `form` with words and digits of ASCII only. With Unicode's, a set of patterns reads a line with other letters a hundred
/// times slower.
pub(super) fn ascii(form: &str) -> String {
    let form = form.replace(r"\b", r"(?-u:\b)");
    form.replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]")
}

/// What a line alone says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// Its anchor.
    pub row: Option<&'static Row>,
    /// It only mentions errors.
    pub dull: bool,
    /// It says that its trouble was made on purpose, or counts for nothing.
    pub meant: bool,
}

/// What `line` alone says.
pub(super) fn look(line: &str) -> Look {
    let found = heaviest(line);
    Look {
        row: with_inner(line, found),
        dull: found.is_some_and(|row| row.weight == NEVER) || looks_dull(line),
        meant: FINDER.staged.is_match(line) || FINDER.meant.is_match(line),
    }
}

/// The heaviest row that fits `line`.
///
/// Where several programs write in turn (docker compose, turbo, buildx, concurrently), the name of each stands before its
/// lines; the text after the name is looked at too.
pub(in crate::joblog) fn find(line: &str) -> Option<&'static Row> {
    with_inner(line, heaviest(line))
}

/// `found`, the heaviest row that fits `line` from its start, or a better one for the text after a program's name.
fn with_inner(line: &str, found: Option<&'static Row>) -> Option<&'static Row> {
    let found = match found {
        Some(row) if row.weight >= CLUE => found,
        _ => inner(line).or(found),
    };
    found.filter(|row| row.weight != NEVER)
}

/// The heaviest row that fits the text after a program's name, or after an indent: callers indent the output they quote.
fn inner(line: &str) -> Option<&'static Row> {
    let prefix = FINDER.prefix.find(line).map_or(0, |prefix| prefix.end());
    let rest = line[prefix..].trim_start_matches([' ', '\t', '│', '┃', '▏']);
    if rest.len() == line.len() || looks_dull(line) {
        return None;
    }
    heaviest(rest).filter(|row| prefix > 0 || row.weight >= LIKELY - 4)
}

/// The heaviest row that fits `line` from its start.
fn heaviest(line: &str) -> Option<&'static Row> {
    let finder = &*FINDER;
    let mut tried = [0_u64; 16];
    let mut best: Option<&'static Row> = None;
    let (mut dull, mut staged) = (None, None);
    for hit in finder.needles.find_overlapping_iter(line) {
        let at = finder.owner[hit.pattern().as_usize()];
        let (word, bit) = (at / 64, 1 << (at % 64));
        if tried[word] & bit != 0 {
            continue;
        }
        tried[word] |= bit;
        let row = finder.rows[at];
        if best.is_some_and(|best| best.weight >= row.weight) {
            continue;
        }
        let form = finder.forms[at]
            .get_or_init(|| Regex::new(&ascii(row.form)).expect("a tested pattern"));
        if form.is_match(line)
            && !(finder.careful[at] && *dull.get_or_insert_with(|| looks_dull(line)))
            && !(row.weight <= CAUSE && *staged.get_or_insert_with(|| finder.staged.is_match(line)))
        {
            best = Some(row);
        }
    }
    best
}

/// Whether `line` only mentions errors: by a form of [`general::DULL`], or by a row of weight [`NEVER`].
pub(in crate::joblog) fn is_dull(line: &str) -> bool {
    looks_dull(line) || heaviest(line).is_some_and(|row| row.weight == NEVER)
}

/// Whether `line` has a form of [`general::DULL`].
fn looks_dull(line: &str) -> bool {
    FINDER.dull.is_match(line)
}

/// The compiled pattern of a [`Take::Part`](super::row::Take::Part).
pub(in crate::joblog) fn compiled(form: &'static str) -> Regex {
    Regex::new(form).expect("a tested pattern")
}

#[cfg(test)]
mod tests {
    use super::super::row::Take;
    use super::*;

    #[test]
    fn every_dull_form_fits_its_example_which_weighs_less_than_a_clue() {
        for (form, example) in general::DULL {
            assert!(
                Regex::new(form).is_ok_and(|form| form.is_match(example)),
                "{form}"
            );
            assert!(
                find(example).is_none_or(|row| row.weight < CLUE),
                "{example}"
            );
        }
    }

    #[test]
    fn an_anchor_is_found_behind_the_name_of_its_program() {
        for line in [
            "@acme/web:build: src/a.tsx(3,4): error TS2304: Cannot find name 'x'.",
            "app-1  | Error: relation \"users\" does not exist",
            "#7 2.100 error during build:",
        ] {
            assert!(
                find(line).is_some_and(|row| row.weight >= LIKELY - 4),
                "{line}"
            );
        }
        assert!(find("db-1   | LOG:  database system is ready").is_none());
    }

    #[test]
    fn every_row_has_a_pattern_that_compiles_and_a_reason() {
        let finder = &*FINDER;
        assert!(
            finder.rows.len() <= 1024,
            "the set of tried rows has 1,024 bits"
        );
        for row in &finder.rows {
            assert!(
                Regex::new(&ascii(row.form)).is_ok(),
                "{}: {}",
                row.tool,
                row.form
            );
            assert!(
                !row.why.is_empty() && !row.needles.is_empty(),
                "{}",
                row.form
            );
            if let Take::Part(end, keep, _) = row.take {
                assert!(
                    Regex::new(end).is_ok() && Regex::new(keep).is_ok(),
                    "{}",
                    row.form
                );
            }
        }
    }
}
