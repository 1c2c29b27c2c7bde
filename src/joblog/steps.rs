//! The steps of a log: their scripts, how each ended, and which of them failed the job.

use std::ops::Range;

use super::anchors::runner;
use super::line::{Kind, Log, UNKNOWN_STEP};

/// Which part of a job a section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionKind {
    /// Before the first step: the runner itself.
    Setup,
    /// A `run:` step, or the part of a composite action.
    Script,
    /// A `uses:` step.
    Action,
    /// The clean-up of an action.
    Post,
    /// After the last step.
    Teardown,
    /// Output without any of the runner's marks.
    Loose,
}

/// How a section ended, as far as the log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SectionEnd {
    /// Nothing says that it failed.
    Silent,
    /// `Process completed with exit code N.`
    Exit(i32),
    /// Cancelled, or out of time.
    Stopped,
    /// An error was reported, and no exit code.
    Reported,
}

/// One section: a header and its output.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub origin: usize,
    pub kind: SectionKind,
    /// The line with the title of its group: `Run make -j2`.
    pub title: Option<usize>,
    /// The lines of its script.
    pub script: Range<usize>,
    /// Its output, the runner's last words included.
    pub body: Range<usize>,
    pub end: SectionEnd,
    /// The line where the runner says how the section ended.
    pub said: Option<usize>,
}

/// Cuts the log into sections.
pub(super) fn sections(log: &Log) -> Vec<Section> {
    let lines = &log.lines;
    let mut all: Vec<Section> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        let new_origin = all.last().is_none_or(|last| last.origin != line.origin);
        let header =
            line.kind == Kind::Group && line.text.starts_with("Run ") && is_header(log, at);
        let begin = |kind, at: usize| Section {
            origin: line.origin,
            kind,
            title: None,
            script: at..at,
            body: at..at,
            end: SectionEnd::Silent,
            said: None,
        };
        if header {
            let (script, after, kind) = read_header(log, at);
            let title = Some(at);
            all.push(Section {
                title,
                script,
                ..begin(kind, after)
            });
            at = after;
            continue;
        }
        let kind = match &*line.text {
            "Post job cleanup." => SectionKind::Post,
            "Cleaning up orphan processes" => SectionKind::Teardown,
            text if text.starts_with("Current runner version:") => SectionKind::Setup,
            _ => SectionKind::Loose,
        };
        if new_origin || kind != SectionKind::Loose && line.kind == Kind::Plain {
            all.push(begin(kind, at));
        }
        let last = all.last_mut().expect("the first line began a section");
        if line.kind == Kind::Error {
            if let Some(code) = runner::exit_code(&line.text) {
                last.end = SectionEnd::Exit(code);
                last.said = Some(at);
            } else if runner::is_stop(&line.text) {
                last.end = SectionEnd::Stopped;
                last.said = last.said.or(Some(at));
            } else if last.end == SectionEnd::Silent {
                last.end = SectionEnd::Reported;
            }
        }
        at += 1;
        last.body.end = at;
    }
    all
}

/// Whether the group at `at` is a step's header, as the line below shows: a program may open a group of that name too.
fn is_header(log: &Log, at: usize) -> bool {
    log.lines.get(at + 1).is_some_and(|next| match next.kind {
        Kind::Script | Kind::EndGroup => true,
        Kind::Plain => {
            next.text == "with:" || next.text == "env:" || next.text.starts_with("shell: ")
        }
        _ => false,
    })
}

/// Reads the header at `at`: the script's lines, the first line of output, and the kind of the step.
fn read_header(log: &Log, at: usize) -> (Range<usize>, usize, SectionKind) {
    let mut script = at + 1..at + 1;
    let (mut action, mut shell) = (false, false);
    let mut next = at + 1;
    while let Some(line) = log.lines.get(next) {
        match line.kind {
            Kind::EndGroup if action && !shell => return (script, next + 1, SectionKind::Action),
            Kind::EndGroup => return (script, next + 1, SectionKind::Script),
            Kind::Group => break,
            Kind::Script => script.end = next + 1,
            _ => {
                action |= line.text == "with:";
                shell |= line.text.starts_with("shell: ");
            }
        }
        next += 1;
    }
    // The header has no end: the lines after the script are output.
    (script.clone(), script.end, SectionKind::Script)
}

/// The indices of the sections that failed the job, in order; empty if the log marks none.
pub(super) fn failed(log: &Log, sections: &[Section]) -> Vec<usize> {
    let origin = |one: &Section| &log.origins[one.origin];
    let named = |one: &Section| origin(one).step.is_some_and(|step| step != UNKNOWN_STEP);
    let same = |a: &Section, b: &Section| {
        let job = !named(a) && !named(b) && origin(a).job == origin(b).job;
        job || origin(a) == origin(b)
    };
    let (mut all, mut from) = (Vec::new(), 0);
    for part in sections.chunk_by(same) {
        let found = if named(&part[0]) {
            vec![of_failed_step(part)]
        } else {
            of_job(log, part)
        };
        all.extend(found.into_iter().map(|at| from + at));
        from += part.len();
    }
    all
}

/// Which section of `part` failed the step; gh prints failed steps only, so one of them did.
fn of_failed_step(part: &[Section]) -> usize {
    let last = |ended: fn(&SectionEnd) -> bool| part.iter().rposition(|one| ended(&one.end));
    last(|end| matches!(end, SectionEnd::Exit(_) | SectionEnd::Stopped))
        .or_else(|| last(|end| *end != SectionEnd::Silent))
        .unwrap_or(part.len() - 1)
}

/// So many ordinary steps after the last failure say that the job goes on after one; one may ask to run always.
const GOES_ON: usize = 2;

/// Which sections of `part`, a whole job's log, failed the job. A failed step that may fail (`continue-on-error`) looks like
/// one that fails the job. But after a real failure only steps that ask for it still run: they report, clean up, or fail
/// too. So from the last failed step back, a failure counts only if no other kind of step ran between. If several ordinary
/// steps ran after the last failure, this job goes on after one, and each counts.
fn of_job(log: &Log, part: &[Section]) -> Vec<usize> {
    let script = |kind| matches!(kind, SectionKind::Script | SectionKind::Loose);
    let failed = |at: &usize| match part[*at].end {
        SectionEnd::Exit(_) | SectionEnd::Stopped => true,
        SectionEnd::Reported => !script(part[*at].kind),
        SectionEnd::Silent => false,
    };
    let strong: Vec<usize> = (0..part.len()).filter(failed).collect();
    let Some(&last) = strong.last() else {
        let reported = |one: &Section| one.end == SectionEnd::Reported;
        return part.iter().rposition(reported).into_iter().collect();
    };
    let ordinary = |section: &&Section| !runs_after_failure(log, section);
    if part[last + 1..].iter().filter(ordinary).count() >= GOES_ON {
        return strong;
    }
    let parted = |at: &usize| {
        let mut between = part[strong[at - 1] + 1..strong[*at]].iter();
        between.any(|one| ordinary(&one))
    };
    let first = (1..strong.len()).rev().find(parted).unwrap_or(0);
    strong[first..].to_vec()
}

/// Whether `section` is, by its kind or its title, made to run after a failure.
fn runs_after_failure(log: &Log, section: &Section) -> bool {
    match section.kind {
        SectionKind::Post | SectionKind::Teardown => true,
        SectionKind::Script | SectionKind::Action => {
            let title = section.title.map_or("", |at| &log.lines[at].text);
            runner::is_aftermath(title)
        }
        SectionKind::Setup | SectionKind::Loose => false,
    }
}
