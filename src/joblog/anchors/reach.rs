//! The block of an anchor: the lines below, above or around it that its tool prints with it.

use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use super::super::line::{Kind, Line, indent};
use super::features::{Feature as F, Features};
use super::finder::{compiled, find, is_dull};
use super::forms::{BANNER, CODE_CONTEXT, FOREIGN, FRAME, MINOR};
use super::row::Take;
use crate::text::fold;

/// A row's count is exceeded by up to two lines: a message may be longer than the one that the row was made from.
const FURTHER: usize = 2;

/// A file's name alone on its line: `src/a.ts`, `File: lib/b.rb`.
static PATH: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"^\s*((?i:file|in|path): *)?[\w./@-]*[\w-]\.\w{1,8}:?\s*$|^\s*((?i:file|in|path): *)?[\w.@-]*/\S+$").expect("a tested pattern")
});
/// What a caller says of a program that failed (`returned non-zero exit status 1`): that program's reason stands above.
static CALLER: Lazy<Regex> = Lazy::new(|| {
    Regex::new(r"CalledProcessError|returned non-zero exit|Command failed\b|exit(ed)? (with )?(code|status) [1-9]")
        .expect("a tested pattern")
});

/// The block of a program that writes in turn with others is looked for in so many lines.
const LANE_REACH: usize = 400;

/// The prefix of a line where several programs write in turn: `[web] `, `db  | `.
static LANE: Lazy<Regex> =
    Lazy::new(|| Regex::new(r"^(\[[a-z][\w:./-]*\]|[a-z][\w.-]* +\|) ").expect("a tested pattern"));

/// The prefix of the line at `at`, if both this prefix and another one occur in the eleven lines below it.
fn lane<'a>(lines: &'a [Line], body: &Range<usize>, at: usize) -> Option<&'a str> {
    let of = |at: usize| LANE.find(&lines[at].text).map(|found| found.as_str());
    let own = of(at)?;
    let near = at + 1..body.end.min(at + 12);
    let other = near
        .clone()
        .any(|next| of(next).is_some_and(|lane| lane != own));
    (other && near.into_iter().any(|next| of(next) == Some(own))).then_some(own)
}

/// The lines of the block of the anchor at `at`, in the order in which they are worth showing.
pub(in crate::joblog) fn block(
    lines: &[Line],
    body: &Range<usize>,
    at: usize,
    take: Take,
) -> Vec<usize> {
    let text = &*lines[at].text;
    let plain = |next: &usize| matches!(lines[*next].kind, Kind::Plain | Kind::Error);
    let own = lane(lines, body, at);
    let after = || {
        let below = (at + 1..body.end).take(own.map_or(usize::MAX, |_| LANE_REACH));
        below
            .filter(|next| own.is_none_or(|own| lines[*next].text.starts_with(own)))
            .filter(plain)
            .filter(|next| !lines[*next].text.trim().is_empty())
    };
    let mine = fold::shape(text);
    let inner = |text: &str| indent(own.map_or(text, |own| text.strip_prefix(own).unwrap_or(text)));
    let mut out = vec![at];
    match take {
        // A colon at the end: the reason comes below.
        Take::Line if text.trim_end().ends_with(':') => out.extend(after().take(3)),
        Take::Line => {}
        Take::Next(n) => out.extend(
            after()
                .take(if n == 0 { 0 } else { n + FURTHER })
                .take_while(|next| {
                    let line = &lines[*next];
                    line.kind != Kind::Error
                        && !stale(lines, *next)
                        && fold::shape(&line.text) != mine
                }),
        ),
        Take::Deeper(n) => out.extend(
            after()
                .take_while(|next| inner(&lines[*next].text) > inner(text))
                .take(n),
        ),
        Take::Blank(n) => out.extend(
            (at + 1..body.end)
                .take_while(|next| {
                    !lines[*next].text.trim().is_empty() && lines[*next].kind != Kind::Error
                })
                .filter(plain)
                .filter(|next| !fold::is_ruler(&lines[*next].text))
                .take(n),
        ),
        Take::Under => {
            let mine = indent(text);
            let above = || (body.start..at).rev().take(400);
            let less = |above: &usize| {
                let above = &lines[*above].text;
                !above.trim().is_empty() && !fold::is_ruler(above) && indent(above) < mine
            };
            // A file's name among the four nearest less indented lines is the heading: a count may stand between.
            let heading = above()
                .filter(less)
                .take(4)
                .find(|above| PATH.is_match(&lines[*above].text));
            let heading = heading.or_else(|| above().find(less));
            if let Some(heading) = heading {
                out.insert(0, heading);
            }
        }
        Take::Before(n) => {
            let above: Vec<usize> = (body.start..at)
                .rev()
                .filter(plain)
                .filter(|above| !lines[*above].text.trim().is_empty())
                .take(n)
                .collect();
            out.splice(0..0, above.into_iter().rev());
        }
        Take::Part(end, keep, n) => {
            out.extend(part(lines, body, at, (end, keep)).take(n + FURTHER));
        }
        Take::Trace => return trace(lines, body, at),
        Take::Stack => stack(lines, body, at, &mut out),
    }
    // Only the first line of a message has a time stamp: add the lines without one.
    if lines[at].kind == Kind::Error && lines[at].stamped {
        let more = (at + 1..body.end).take(4).take_while(|next| {
            !lines[*next].stamped
                && lines[*next].kind == Kind::Plain
                && lines[*next].origin == lines[at].origin
        });
        let more: Vec<usize> = more.filter(|next| !out.contains(next)).collect();
        out.extend(more);
    }
    out
}

/// The lines below `at` that match `keep`, up to the first that matches `end`; of stack frames only the first of the
/// project's own code.
fn part<'a>(
    lines: &'a [Line],
    body: &Range<usize>,
    at: usize,
    (end, keep): (&'static str, &'static str),
) -> impl Iterator<Item = usize> + 'a {
    let (end, keep) = (compiled(end), compiled(keep));
    let part = (at + 1..body.end).take(400).take_while(move |next| {
        lines[*next].kind != Kind::Error && !end.is_match(&lines[*next].text)
    });
    let mut own = false;
    part.filter(move |next| {
        let text = &*lines[*next].text;
        let bare = text.trim().is_empty() || fold::is_ruler(text) || CODE_CONTEXT.is_match(text);
        if bare || !keep.is_match(text) || MINOR.is_match(text) {
            return false;
        }
        if !FRAME.is_match(text) {
            return true;
        }
        let first = !own && !FOREIGN.is_match(text);
        own |= first;
        first
    })
}

/// Adds to `out` what stands below an exception: the rest of its message, the first frame of the project's own code, and
/// each further cause with its frame.
fn stack(lines: &[Line], body: &Range<usize>, at: usize, out: &mut Vec<usize>) {
    // Go prints each frame on two lines; of its frames two are shown, as the second is mostly the test's.
    let mut own = 0;
    let mut message = 2;
    // A colon at the end: the message comes below, indented or not.
    let mut open = if lines[at].text.trim_end().ends_with(':') {
        4
    } else {
        0
    };
    let below = (at + 1..body.end).take(160).take_while(|next| {
        lines[*next].kind != Kind::Error && !BANNER.is_match(&lines[*next].text)
    });
    for next in below {
        let text = &*lines[next].text;
        if FRAME.is_match(text) {
            // Go prints the place of a frame on the line below.
            let place = lines[..body.end].get(next + 1);
            let place = place.filter(|place| place.text.starts_with('\t'));
            let foreign = |line: &Line| FOREIGN.is_match(&line.text);
            let room = own == 0 || own == 1 && place.is_some();
            if room && !FOREIGN.is_match(text) && !place.is_some_and(foreign) {
                own += 1;
                out.push(next);
                if place.is_some() {
                    out.push(next + 1);
                }
            }
        } else if open > 0 && own == 0 {
            if !text.trim().is_empty() {
                open -= 1;
                out.push(next);
            }
        } else if text.trim_start().starts_with("Caused by") {
            // The inner cause has a frame of its own.
            own = 0;
            message = 0;
            out.push(next);
        } else if own == 0
            && message > 0
            && !text.trim().is_empty()
            && text.starts_with([' ', '\t'])
            && !FOREIGN.is_match(text)
            && !fold::is_ruler(text)
            && !CODE_CONTEXT.is_match(text)
        {
            message -= 1;
            out.push(next);
        }
    }
}

/// Whether the line at `at` reports no trouble (`0 errors, 12 warnings`); such a line is no context. Frames and excerpts of
/// code are never stale.
fn stale(lines: &[Line], at: usize) -> bool {
    let text = &*lines[at].text;
    is_dull(text) && !FRAME.is_match(text) && !CODE_CONTEXT.is_match(text)
}

/// The block of the Python trace with its heading at `at`: the exceptions, then the two innermost frames of the project's
/// own code, each with its line of code.
fn trace(lines: &[Line], body: &Range<usize>, at: usize) -> Vec<usize> {
    let base = indent(&lines[at].text);
    let (mut frames, mut ends) = (Vec::new(), Vec::new());
    let mut next = at + 1;
    let limit = body.end.min(at + 300);
    while next < limit {
        let text = &*lines[next].text;
        if text.trim().is_empty() {
            next += 1;
            continue;
        }
        let deeper = indent(text) > base;
        if deeper && text.trim_start().starts_with("File \"") {
            frames.push(next);
        } else if text.contains("Traceback (most recent call last)") {
            frames.clear();
        } else if !deeper {
            let linked = text.contains("above exception");
            if !linked {
                ends.push(next);
                let chained = (next + 1..limit)
                    .filter(|more| !lines[*more].text.trim().is_empty())
                    .take(1)
                    .any(|more| lines[more].text.contains("above exception"));
                if !chained {
                    break;
                }
            }
        }
        next += 1;
    }
    let mut out = ends.clone();
    if ends.iter().any(|end| CALLER.is_match(&lines[*end].text)) {
        let mut child: Vec<usize> = (body.start..at)
            .rev()
            .take(200)
            .filter(|above| lines[*above].kind == Kind::Plain && !stale(lines, *above))
            .filter(|above| !lines[*above].text.trim().is_empty())
            .take(5)
            .collect();
        child.reverse();
        out.splice(0..0, child);
    }
    // The message of an exception may go on below it.
    if let Some(last) = ends.last() {
        let more = (last + 1..body.end).take(3).take_while(|more| {
            let line = &lines[*more];
            line.kind == Kind::Plain && !line.text.trim().is_empty() && find(&line.text).is_none()
        });
        out.extend(more);
    }
    let own = frames
        .iter()
        .rev()
        .filter(|frame| !FOREIGN.is_match(&lines[**frame].text))
        .take(2);
    let mut own: Vec<usize> = own.copied().collect();
    if own.is_empty() {
        own.extend(frames.last());
    }
    for frame in own {
        out.push(frame);
        if frame + 1 < body.end && indent(&lines[frame + 1].text) > indent(&lines[frame].text) {
            out.push(frame + 1);
        }
    }
    if out.is_empty() {
        out.push(at);
    }
    out
}

/// The headings of the line at `at`: the last one above it that names a file, if it names none itself; the last commands that
/// a shell, make or npm prints; and if it stands below indented lines, the line that they belong to. `features` gives those of a
/// line.
pub(in crate::joblog) fn headings(
    features: &dyn Fn(usize) -> Features,
    at: usize,
) -> impl Iterator<Item = usize> {
    let above = |most: usize, of: &dyn Fn(&usize) -> bool| (0..at).rev().take(most).find(of);
    let has = |feature: F| move |above: &usize| features(*above).has(feature);
    let about = above(15, &has(F::About)).filter(|_| !features(at).has(F::Named));
    let below = at > 0 && !features(at).has(F::Indented) && features(at - 1).has(F::Indented);
    let parent = above(100, &|above| !features(*above).has(F::Indented)).filter(|_| below);
    let ran = (at.saturating_sub(500)..at).rev();
    let ran = ran.filter(|above| features(*above).any(&[F::Traced, F::Recipe]));
    let ran: Vec<usize> = ran.take(3).collect();
    [about, parent].into_iter().flatten().chain(ran)
}
