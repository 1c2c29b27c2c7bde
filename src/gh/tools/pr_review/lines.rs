//! The lines of a file's patch on which GitHub takes a comment, and an excerpt of them for a person.
//!
//! GitHub's list of changed files has each file's hunks without the headers of git-diff(1).  A comment on the right side stands on an added
//! or unchanged line, by its number in the new file; one on the left side on a removed or unchanged line, by its number in the old file.

use std::fmt::Write as _;

/// The side of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The file before the change.
    Left,
    /// The file after the change.
    Right,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// Its number in the old file; `None` for an added line.
    old: Option<u64>,
    /// Its number in the new file; `None` for a removed line.
    new: Option<u64>,
    text: String,
}

impl Line {
    fn number(&self, side: Side) -> Option<u64> {
        match side {
            Side::Left => self.old,
            Side::Right => self.new,
        }
    }

    fn sign(&self) -> char {
        match (self.old, self.new) {
            (None, _) => '+',
            (_, None) => '-',
            _ => ' ',
        }
    }
}

/// A file's patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Patch(Vec<Vec<Line>>);

/// Lines above a commented one that a person sees, and lines below it.  GitHub itself shows three above.
const BEFORE: usize = 3;
const AFTER: usize = 1;
/// Commented lines that are shown of a longer range: the first and the last half of them.
const RANGE: usize = 20;
/// Characters of a line that are shown.
const WIDTH: usize = 300;
/// Ranges that are named where a line is none of them.
const NEAREST: usize = 3;

impl Patch {
    /// Reads `patch`, a file's hunks as GitHub gives them.
    pub fn read(patch: &str) -> Self {
        let mut hunks: Vec<Vec<Line>> = Vec::new();
        let (mut old, mut new) = (0, 0);
        for text in patch.lines() {
            if let Some((from_old, from_new)) = starts(text) {
                (old, new) = (from_old, from_new);
                hunks.push(Vec::new());
                continue;
            }
            let Some(hunk) = hunks.last_mut() else {
                continue;
            };
            let (is_old, is_new) = match text.bytes().next() {
                Some(b'+') => (false, true),
                Some(b'-') => (true, false),
                // "\ No newline at end of file" is a line of neither file.
                Some(b'\\') => continue,
                _ => (true, true),
            };
            hunk.push(Line {
                old: is_old.then_some(old),
                new: is_new.then_some(new),
                text: text.get(1..).unwrap_or_default().to_owned(),
            });
            old += u64::from(is_old);
            new += u64::from(is_new);
        }
        Self(hunks)
    }

    /// The lines of one hunk from `start` to `line` on `side`, with some around them; the commented ones are marked by `>`.
    ///
    /// # Errors
    /// What is wrong with the place, and the nearest lines that can be commented.
    pub fn excerpt(&self, side: Side, start: Option<u64>, line: u64) -> Result<String, String> {
        let at = |number: u64| {
            self.0.iter().enumerate().find_map(|(hunk, lines)| {
                let at = lines.iter().position(|l| l.number(side) == Some(number));
                at.map(|at| (hunk, at))
            })
        };
        let missing = |number: u64| {
            format!(
                "line {number} is no part of the diff; {}",
                self.nearest(side, number)
            )
        };
        let (hunk, last) = at(line).ok_or_else(|| missing(line))?;
        let first = match start {
            None => last,
            Some(start) => {
                let (other, first) = at(start).ok_or_else(|| missing(start))?;
                if other != hunk {
                    return Err(format!(
                        "the lines {start} to {line} are not of one hunk; {}",
                        self.nearest(side, line)
                    ));
                }
                first
            }
        };
        let lines = &self.0[hunk];
        // A line out of a private key cannot be told from other text, so no such hunk is shown.
        let secret = lines.iter().any(|line| line.text.contains("PRIVATE KEY"));
        let end = (last + AFTER + 1).min(lines.len());
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate().take(end) {
            if at + BEFORE < first {
                continue;
            }
            let from_first = at.saturating_sub(first);
            let to_last = last.saturating_sub(at);
            if from_first >= RANGE / 2 && to_last >= RANGE / 2 && at < last {
                if from_first == RANGE / 2 {
                    let left_out = last + 1 - first - RANGE;
                    let _ = writeln!(text, "  [{left_out} more lines of the range]");
                }
                continue;
            }
            let mark = if (first..=last).contains(&at) {
                '>'
            } else {
                ' '
            };
            let number = line.number(side).or(line.new).or(line.old);
            let shown = if secret {
                "[hidden: this hunk holds a private key]".to_owned()
            } else {
                narrow(&line.text)
            };
            let _ = writeln!(
                text,
                "{mark}{:>6} {} {shown}",
                number.unwrap_or_default(),
                line.sign()
            );
        }
        Ok(text.trim_end_matches('\n').to_owned())
    }

    /// The ranges of lines on `side` that are nearest to `number`, in words.
    fn nearest(&self, side: Side, number: u64) -> String {
        let mut ranges: Vec<(u64, u64)> = self
            .0
            .iter()
            .filter_map(|lines| {
                let numbers = || lines.iter().filter_map(|line| line.number(side));
                Some((numbers().min()?, numbers().max()?))
            })
            .collect();
        ranges.sort_by_key(|(from, to)| {
            if number < *from {
                from - number
            } else {
                number.saturating_sub(*to)
            }
        });
        ranges.truncate(NEAREST);
        ranges.sort_unstable();
        let words: Vec<String> = ranges
            .iter()
            .map(|(from, to)| {
                if from == to {
                    from.to_string()
                } else {
                    format!("{from}-{to}")
                }
            })
            .collect();
        let side = match side {
            Side::Left => "left",
            Side::Right => "right",
        };
        if words.is_empty() {
            format!("the diff has no lines on the {side} side")
        } else {
            format!("the nearest on the {side} side: {}", words.join(", "))
        }
    }
}

/// The first lines A and C in a hunk's header `@@ -A,B +C,D @@`.
fn starts(text: &str) -> Option<(u64, u64)> {
    let rest = text.strip_prefix("@@ -")?;
    let (old, rest) = rest.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let first = |range: &str| range.split(',').next()?.parse().ok();
    Some((first(old)?, first(new)?))
}

/// `text` up to [`WIDTH`] characters.
fn narrow(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}[…]", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "@@ -1,4 +1,5 @@ fn main() {\n one\n-two\n+TWO\n+TWO AND A HALF\n three\n four\n@@ -40,2 +41,3 @@\n forty\n+new\n forty one\n\\ No newline at end of file";

    fn check(side: Side, start: Option<u64>, line: u64, expect: Result<&str, &str>) {
        let got = Patch::read(PATCH).excerpt(side, start, line);
        assert_eq!(
            got.as_deref().map_err(String::as_str),
            expect,
            "{side:?} {start:?} {line}"
        );
    }

    #[test]
    fn a_line_is_found_by_its_number_on_its_side_and_shown_with_its_neighbours() {
        check(
            Side::Right,
            None,
            3,
            Ok(
                "      1   one\n      2 - two\n      2 + TWO\n>     3 + TWO AND A HALF\n      4   three",
            ),
        );
        check(
            Side::Left,
            None,
            2,
            Ok("      1   one\n>     2 - two\n      2 + TWO"),
        );
        check(
            Side::Right,
            Some(41),
            42,
            Ok(">    41   forty\n>    42 + new\n     43   forty one"),
        );
        check(
            Side::Right,
            None,
            43,
            Ok("     41   forty\n     42 + new\n>    43   forty one"),
        );
    }

    #[test]
    fn a_line_outside_the_diff_is_told_with_the_nearest_that_are_in_it() {
        check(
            Side::Right,
            None,
            9,
            Err("line 9 is no part of the diff; the nearest on the right side: 1-5, 41-43"),
        );
        check(
            Side::Left,
            None,
            42,
            Err("line 42 is no part of the diff; the nearest on the left side: 1-4, 40-41"),
        );
        check(
            Side::Right,
            Some(4),
            42,
            Err("the lines 4 to 42 are not of one hunk; the nearest on the right side: 1-5, 41-43"),
        );
        let binary = Patch::read("").excerpt(Side::Right, None, 1);
        assert_eq!(
            binary,
            Err("line 1 is no part of the diff; the diff has no lines on the right side".into())
        );
    }

    #[test]
    fn a_long_range_shows_its_first_and_its_last_lines() {
        let mut patch = "@@ -0,0 +1,100 @@".to_owned();
        for n in 1..=100 {
            let _ = write!(patch, "\n+line {n}");
        }
        let text = Patch::read(&patch)
            .excerpt(Side::Right, Some(5), 90)
            .expect("the range is in the diff");
        assert_eq!(
            text.lines().filter(|line| line.starts_with('>')).count(),
            20
        );
        assert!(text.contains("[66 more lines of the range]"), "{text}");
        assert!(text.contains(">     5 + line 5\n") && text.contains(">    90 + line 90\n"));
    }

    #[test]
    fn no_line_of_a_hunk_with_a_private_key_is_shown() {
        let patch = "@@ -0,0 +1,3 @@\n+-----BEGIN RSA PRIVATE KEY-----\n+c2VjcmV0\n+-----END RSA PRIVATE KEY-----";
        let text = Patch::read(patch)
            .excerpt(Side::Right, None, 2)
            .expect("the line is in the diff");
        assert!(!text.contains("c2VjcmV0"), "{text}");
    }
}
