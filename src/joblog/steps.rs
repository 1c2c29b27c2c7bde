//! The steps of a log: their scripts, how each ended, and which of them failed the job.

use std::ops::Range;

use super::lines::{Kind, Log, UNKNOWN_STEP};

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

/// The runner's sentences that a step was stopped. Source: actions/runner, `Resources` and `JobRunner`.
const STOPPED: &[&str] = &[
    "The operation was canceled",
    "The operation was cancelled",
    "has exceeded the maximum execution time",
    "The runner has received a shutdown signal",
    "lost communication with the server",
    "has timed out after",
    "The job was canceled",
    "The job was not acquired",
];

/// The exit code in the runner's sentence `Process completed with exit code 2.`
pub(super) fn exit_code(text: &str) -> Option<i32> {
    let rest = text.strip_prefix("Process completed with exit code ")?;
    rest.trim_end_matches('.').parse().ok()
}

/// Whether `text` says that the step was stopped.
pub(super) fn is_stop(text: &str) -> bool {
    STOPPED.iter().any(|phrase| text.contains(phrase))
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
        let post = line.kind == Kind::Plain && line.text == "Post job cleanup.";
        let teardown = line.kind == Kind::Plain && line.text == "Cleaning up orphan processes";
        let setup = line.kind == Kind::Plain && line.text.starts_with("Current runner version:");
        if header {
            let (script, after, action) = read_header(log, at);
            all.push(Section {
                origin: line.origin,
                kind: if action {
                    SectionKind::Action
                } else {
                    SectionKind::Script
                },
                title: Some(at),
                script,
                body: after..after,
                end: SectionEnd::Silent,
                said: None,
            });
            at = after;
            continue;
        }
        if new_origin || post || teardown || setup {
            let kind = match (post, teardown, setup) {
                (true, ..) => SectionKind::Post,
                (_, true, _) => SectionKind::Teardown,
                (.., true) => SectionKind::Setup,
                _ => SectionKind::Loose,
            };
            all.push(Section {
                origin: line.origin,
                kind,
                title: None,
                script: at..at,
                body: at..at,
                end: SectionEnd::Silent,
                said: None,
            });
        }
        let last = all.last_mut().expect("the first line began a section");
        if line.kind == Kind::Error {
            if let Some(code) = exit_code(&line.text) {
                last.end = SectionEnd::Exit(code);
                last.said = Some(at);
            } else if is_stop(&line.text) {
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

/// Reads the header at `at`: the script's lines, the first line of output, and whether the step uses an action.
fn read_header(log: &Log, at: usize) -> (Range<usize>, usize, bool) {
    let mut script = at + 1..at + 1;
    let (mut action, mut shell) = (false, false);
    let mut next = at + 1;
    while let Some(line) = log.lines.get(next) {
        match line.kind {
            Kind::EndGroup => return (script, next + 1, action && !shell),
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
    (script.clone(), script.end, false)
}

/// The indices of the sections that failed the job, in order; empty if the log marks none.
pub(super) fn failed(log: &Log, sections: &[Section]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < sections.len() {
        let origin = &log.origins[sections[from].origin];
        let named = origin.step.is_some_and(|step| step != UNKNOWN_STEP);
        let mut to = from + 1;
        while to < sections.len()
            && (log.origins[sections[to].origin] == *origin
                || !named && log.origins[sections[to].origin].job == origin.job)
        {
            to += 1;
        }
        let part = &sections[from..to];
        if named {
            found.push(from + of_failed_step(part));
        } else {
            found.extend(of_job(log, part).into_iter().map(|at| from + at));
        }
        from = to;
    }
    found
}

/// Which section of `part` failed the step; gh prints failed steps only, so one of them did.
fn of_failed_step(part: &[Section]) -> usize {
    let strong =
        |section: &Section| matches!(section.end, SectionEnd::Exit(_) | SectionEnd::Stopped);
    part.iter()
        .rposition(strong)
        .or_else(|| {
            part.iter()
                .rposition(|section| section.end != SectionEnd::Silent)
        })
        .unwrap_or(part.len() - 1)
}

/// Which sections of `part`, a whole job's log, failed the job. A failed step that may fail (`continue-on-error`) looks like
/// one that fails the job. But after a real failure only steps that ask for it still run: they report, clean up, or fail
/// too. So from the last failed step back, a failure counts only if no other kind of step ran between.
fn of_job(log: &Log, part: &[Section]) -> Vec<usize> {
    let strong: Vec<usize> = part
        .iter()
        .enumerate()
        .filter(|(_, section)| match section.end {
            SectionEnd::Exit(_) | SectionEnd::Stopped => true,
            SectionEnd::Reported => {
                section.kind != SectionKind::Script && section.kind != SectionKind::Loose
            }
            SectionEnd::Silent => false,
        })
        .map(|(at, _)| at)
        .collect();
    let Some(&last) = strong.last() else {
        return part
            .iter()
            .rposition(|section| section.end == SectionEnd::Reported)
            .into_iter()
            .collect();
    };
    let mut kept = vec![last];
    let mut next = last;
    for &at in strong.iter().rev().skip(1) {
        let between = &part[at + 1..next];
        if between
            .iter()
            .all(|section| runs_after_failure(log, section))
        {
            kept.push(at);
            next = at;
        } else {
            break;
        }
    }
    kept.reverse();
    kept
}

/// Beginnings of words in the titles of steps that are made to run after a failure.
const AFTERMATH: &[&str] = &[
    "upload", "artifact", "report", "coverage", "codecov", "notif", "slack", "clean", "teardown",
    "tear", "stop", "dump", "debug", "comment", "summar", "always", "collect", "junit", "kill",
    "delet", "remov", "dmesg", "status", "show", "print", "post", "archiv", "save", "annotat",
    "diagnos",
];
/// Whole words in such titles.
const AFTERMATH_WORDS: &[&str] = &[
    "down", "log", "logs", "cat", "ls", "df", "free", "ps", "send",
];

/// Whether `section` is, by its kind or its title, made to run after a failure.
fn runs_after_failure(log: &Log, section: &Section) -> bool {
    match section.kind {
        SectionKind::Post | SectionKind::Teardown => true,
        SectionKind::Script | SectionKind::Action => {
            let title = section.title.map_or("", |at| &log.lines[at].text);
            let title = title.to_ascii_lowercase();
            title
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| {
                    AFTERMATH.iter().any(|stem| word.starts_with(stem))
                        || AFTERMATH_WORDS.contains(&word)
                })
        }
        SectionKind::Setup | SectionKind::Loose => false,
    }
}
