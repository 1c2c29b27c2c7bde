//! Why a run, a pull request, a branch or a commit failed: the failed jobs, and from each job's log the command that failed and the
//! lines that give the reason.
//!
//! One request lists the jobs (`ask`), one more says why a run without jobs failed; beyond that only logs are read (`logs`).  Jobs that
//! failed alike are told once.

mod ask;
mod jobs;
mod logs;

use self::jobs::{Checked, Job};
use self::logs::{Explained, Logs};
use super::subject::{Names, Subject};
use super::view::{Around, View, answer, json, lacking};
use crate::gate::{ErrorKind, Refusal};
use crate::gh::place::reference::Thing;
use crate::gh::render::{self, Clean, one_line};
use crate::run::Captured;
use crate::text::numbers::grouped;

/// Most failed jobs whose logs are read; of further failed jobs the result gives the names.
const READ: usize = 5;
/// Most different failures that are told in full.
const TOLD: usize = 3;

/// Tokens for all jobs together, and most tokens for one job: a single job gets 400, three get 250 each.  From 250 tokens to 400
/// the lines of labelled real logs that are shown rise from 0.69 to 0.77 (`tools/weights`, `budgets`).  A result has 800 by default
/// (`gate::result::budget`).
const BUDGET: usize = 750;
const ONE: usize = 400;

/// Renders the failed jobs of whatever has checks, with the reasons in their logs.
#[derive(Debug)]
pub(super) struct WhyView {
    /// The id of the one job that is asked for; `None`: all that failed.
    pub job: Option<u64>,
}

impl WhyView {
    /// The job that is asked for, by the argument or by the address of a run's job.
    fn job(&self, subject: &Subject) -> Option<u64> {
        self.job.or(match subject.thing {
            Thing::Run { job, .. } => job,
            _ => None,
        })
    }
}

impl View for WhyView {
    fn names(&self) -> Names {
        Names::Checked
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        Ok(Some(ask::request(subject, self.job(subject))))
    }

    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let subject = subject?;
        lacking(captured, subject).then(|| ask::request(subject, self.job(subject)))
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let mut checked = listed(captured, around)?;
        let Some(subject) = around.subject else {
            return Ok(tell(&checked, around));
        };
        if checked.missing {
            return Err(match &subject.thing {
                Thing::Branch(branch) if !branch.contains(':') => no_branch(subject, around),
                Thing::Commit(_) => no_commit(),
                _ => subject.no_pull_request(around.clean),
            });
        }
        if let (Thing::Run { id, .. }, Some(job)) = (&subject.thing, self.job(subject))
            && checked.jobs.iter().all(|known| known.run != *id)
        {
            return Err(Refusal::new(
                ErrorKind::NotFound,
                format!("Run {id} has no job {job}.\nAsk without `job_id' for its failed jobs."),
            ));
        }
        if let (Thing::Run { id, .. }, true) = (&subject.thing, checked.has_more())
            && let Some((owner, repo)) = around.followup.owner_and_repo()
        {
            let plan = around.followup.plan(ask::second_page(owner, repo, *id))?;
            let captured = around.reads.run(plan)?;
            checked.add(listed(&captured, around)?);
        }
        Ok(tell(&checked, around))
    }
}

/// The jobs that gh's output lists.
fn listed(captured: &Captured, around: &Around<'_>) -> Result<Checked, Refusal> {
    json(captured, around, |json, _| {
        let answer = render::parse_bounded(json)?;
        jobs::checked(&answer).ok_or(render::RenderError::Shape {
            expected: "list of jobs",
        })
    })
}

/// What was not read, where there is more than the requests give.
fn unread(checked: &Checked) -> Option<String> {
    if checked.has_more() {
        return Some(format!(
            "[the first {} of {} jobs were read]",
            grouped(checked.jobs.len()),
            grouped(checked.total)
        ));
    }
    (checked.runs_left > 0).then(|| {
        format!(
            "[{} more runs of the commit were not read; give the id of one]",
            grouped(checked.runs_left)
        )
    })
}

fn no_branch(subject: &Subject, around: &Around<'_>) -> Refusal {
    Refusal::new(
        ErrorKind::NotFound,
        format!(
            "The repository has no branch {}.\nPush it first, or give the id of a run, or OWNER:BRANCH for a branch of a fork with a pull request.",
            around.clean.line(&subject.word())
        ),
    )
}

fn no_commit() -> Refusal {
    Refusal::new(
        ErrorKind::NotFound,
        "The repository has no such commit.\nPush it first, or give the id of a run.",
    )
}

/// The text about `checked`.
fn tell(checked: &Checked, around: &mut Around<'_>) -> String {
    let cleaner = around.clean;
    let text: Clean<'_> = &|words| cleaner.text(words);
    let mut head: Vec<String> = Vec::new();
    if let Some(of) = &checked.of {
        head.push(one_line(of, text));
    }
    let failed = checked.failed();
    let pending = checked.pending();
    if pending > 0 && !failed.is_empty() {
        let still = if pending == 1 { "job is" } else { "jobs are" };
        head.push(format!(
            "{} {still} not done yet; more may fail.",
            grouped(pending)
        ));
    }
    if failed.is_empty() {
        head.push(nothing_failed(checked, around));
        head.extend(others(checked, text));
        head.extend(unread(checked));
        return head.join("\n");
    }
    let mut parts: Vec<String> = Vec::new();
    if !head.is_empty() {
        parts.push(head.join("\n"));
    }
    let order = most_different_first(&failed);
    let read = order.len().min(READ);
    let budget = (BUDGET / read.min(TOLD)).min(ONE);
    let mut logs = Logs::naming_runs(checked.of.is_some());
    let explained = logs.explain(&order[..read], budget, pending > 0, around);
    let groups = alike(&explained);
    for group in groups.iter().take(TOLD) {
        parts.push(group_text(group, &explained));
    }
    if let Some(whole) = logs.whole() {
        around.reads.made_from(whole);
    }
    let left: Vec<String> = groups
        .iter()
        .skip(TOLD)
        .flatten()
        .map(|nth| explained[*nth].name.clone())
        .chain(order[read..].iter().map(|job| name_of(job, text)))
        .collect();
    let more = left.len() + checked.unlisted();
    if more > 0 {
        let named: Vec<String> = left.iter().take(20).cloned().collect();
        let named = if named.is_empty() {
            String::new()
        } else {
            format!(": {}", named.join(", "))
        };
        let rest = if more > 20.min(left.len()) && !named.is_empty() {
            ", …"
        } else {
            ""
        };
        parts.push(format!("{} more failed{named}{rest}", grouped(more)));
    }
    parts.extend(others(checked, text));
    parts.extend(unread(checked));
    parts.join("\n\n")
}

/// `No job has failed: 41 passed, 2 skipped.`; for a run without jobs, how the run itself ended.
fn nothing_failed(checked: &Checked, around: &mut Around<'_>) -> String {
    let counts = checked.counts();
    if checked.total > 0 {
        return format!("No job has failed: {counts}.");
    }
    let cleaner = around.clean;
    let text: Clean<'_> = &|words| cleaner.text(words);
    let run = around.subject.and_then(|subject| match subject.thing {
        Thing::Run { id, .. } => Some(id),
        _ => None,
    });
    let Some(run) = run else {
        return "No job has run yet.".to_owned();
    };
    let read = around
        .followup
        .owner_and_repo()
        .map(|(owner, repo)| ask::run(owner, repo, run))
        .and_then(|argv| around.followup.plan(argv).ok())
        .and_then(|plan| around.reads.run(plan).ok());
    let run = read.and_then(|captured| answer(&captured));
    let state = run.as_ref().and_then(|run| {
        let word = |key: &str| run[key].as_str().filter(|word| !word.is_empty());
        Some(one_line(word("conclusion").or(word("status"))?, text))
    });
    match state.as_deref() {
        Some("startup_failure") => {
            "The run has no jobs (startup_failure): GitHub could not read its workflow file; its page says why.".to_owned()
        }
        Some(state) => format!("The run has no jobs; it is {state}."),
        None => "The run has no jobs.".to_owned(),
    }
}

/// Checks that failed and are no jobs: other services, which have no log here.
fn others(checked: &Checked, text: Clean<'_>) -> Option<String> {
    let mut lines: Vec<String> = checked
        .others
        .iter()
        .take(OTHERS)
        .map(|other| {
            let parts = [&other.name, &other.state, &other.says, &other.url];
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            parts
                .map(|part| one_line(part, text))
                .collect::<Vec<_>>()
                .join(" · ")
        })
        .collect();
    if checked.others.len() > OTHERS {
        let more = checked.others.len() - OTHERS;
        lines.push(format!(
            "and {} more checks of other services",
            grouped(more)
        ));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Checks of other services that are named.
const OTHERS: usize = 5;

/// `test (18, linux) (job 5002)`
fn name_of(job: &Job, text: Clean<'_>) -> String {
    format!("{} (job {})", one_line(&job.name, text), job.id)
}

/// `jobs`, the first of each matrix before its further ones: those of one matrix tend to fail alike.
fn most_different_first<'a>(jobs: &[&'a Job]) -> Vec<&'a Job> {
    let mut seen: Vec<&str> = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for job in jobs {
        let base = job.name.split(" (").next().unwrap_or_default();
        if seen.contains(&base) {
            rest.push(*job);
        } else {
            seen.push(base);
            first.push(*job);
        }
    }
    first.extend(rest);
    first
}

/// Those that failed alike: the numbers of the first and of those like it.
fn alike(explained: &[Explained]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (nth, one) in explained.iter().enumerate() {
        let same = groups
            .iter_mut()
            .find(|group| one.beside(&explained[group[0]]).is_some());
        match same {
            Some(group) => group.push(nth),
            None => groups.push(vec![nth]),
        }
    }
    groups
}

/// Most lines of its own that a job which failed like another is told by.
const OWN: usize = 4;

/// The text of one group: the first job, then for each further one what is different there.
fn group_text(group: &[usize], explained: &[Explained]) -> String {
    let first = &explained[group[0]];
    let mut lines = vec![first.head.clone(), first.text.clone()];
    for nth in &group[1..] {
        let one = &explained[*nth];
        let beside = one.beside(first);
        let (own, numbers) =
            beside.map_or((Vec::new(), false), |beside| (beside.own, beside.numbers));
        let same = match (own.is_empty(), numbers) {
            (true, false) => "the same",
            (true, true) => "the same, with other numbers",
            (false, false) => "the same, but for",
            (false, true) => "the same, with other numbers and but for",
        };
        lines.push(format!("{}: {same}", one.head));
        lines.extend(own.iter().take(OWN).map(|line| (*line).to_owned()));
        if own.len() > OWN {
            lines.push(format!("and {} more lines", own.len() - OWN));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::jobs::State;
    use super::*;

    fn job(name: &str) -> Job {
        Job {
            name: name.to_owned(),
            state: State::Failed,
            ..Job::default()
        }
    }

    #[test]
    fn the_jobs_of_one_matrix_come_after_the_first_of_each_other_one() {
        let jobs = ["test (1)", "test (2)", "lint", "test (3)"].map(job);
        let order = most_different_first(&jobs.iter().collect::<Vec<_>>());
        let names: Vec<&str> = order.iter().map(|job| job.name.as_str()).collect();
        assert_eq!(names, ["test (1)", "lint", "test (2)", "test (3)"]);
    }

    #[test]
    fn jobs_with_the_same_reason_are_one_group_and_jobs_without_a_reason_are_not() {
        let explained = |reason: &[&str]| Explained {
            reason: reason.iter().map(|line| (*line).to_owned()).collect(),
            ..Explained::default()
        };
        let all = [
            explained(&["error: the lock is missing"]),
            explained(&[]),
            explained(&["error: the lock is missing"]),
            explained(&[]),
        ];
        assert_eq!(alike(&all), [vec![0, 2], vec![1], vec![3]]);
    }
}
