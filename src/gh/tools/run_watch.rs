//! A watch over workflow runs: the views of its polls and of its end.
//!
//! Each poll is a call of its own that is planned, judged and recorded like any other; between two polls nothing runs.  The plans of one
//! watch share its state.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::subject::{Names, Subject};
use super::view::{Around, View, json};
use crate::gate::{Cleaner, ErrorKind, Refusal};
use crate::gh::place::reference::Thing;
use crate::gh::watch::runs::Ask;
use crate::gh::watch::state::{Step, Watch, Watched};
use crate::gh::watch::{ask, poll, show};
use crate::run::Captured;

/// A watch, shared by the plans of its polls and the Lisp that drives it.
#[derive(Debug)]
pub struct RunWatch(Mutex<State>);

#[derive(Debug)]
struct State {
    /// When it began, and how long it lasts at most, in milliseconds.
    begun: u64,
    most: u64,
    /// The watch and what it is about; `None` before the first plan.
    watch: Option<(Watch, Subject)>,
    /// What the next plan, or the one under way, asks for.
    ask: Ask,
    /// GitHub's time of the last answer, in seconds since the epoch.
    clock: i64,
}

/// What a person sees of a watch.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What is watched, in a word or two, and its repository.
    pub thing: String,
    /// `HOST/OWNER/REPO`.
    pub target: String,
    /// One or two lines.
    pub summary: String,
    /// The runs and their jobs.
    pub rows: Vec<show::Row>,
    /// Milliseconds to the next poll; `None` once the watch is over.
    pub due: Option<u64>,
    /// How many requests were made.
    pub asked: u64,
}

impl RunWatch {
    /// A watch that begins at `now` and lasts at most `most`, both in milliseconds.
    pub fn new(now: u64, most: u64) -> Self {
        Self(Mutex::new(State {
            begun: now,
            most,
            watch: None,
            ask: Ask::Run,
            clock: 0,
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next step at `now`, see [`Watch::next`].
    pub fn next(&self, now: u64) -> Step {
        let state = &mut *self.state();
        match &mut state.watch {
            // The first plan finds out what is watched.
            None => Step::Poll(state.ask.clone()),
            Some((watch, _)) => {
                let step = watch.next(now);
                if let Step::Poll(ask) = &step {
                    state.ask = ask.clone();
                }
                step
            }
        }
    }

    /// Notes how the poll under way ended, at `now` and at this machine's wall clock `wall`; returns the next step.
    pub fn answer(&self, now: u64, printed: &poll::Printed<'_>, wall: i64) -> Step {
        let state = &mut *self.state();
        let (answer, clock) = poll::read(&state.ask, printed, wall);
        state.clock = clock;
        match &mut state.watch {
            None => Step::Wait(0),
            Some((watch, _)) => watch.answer(now, answer),
        }
    }

    /// Ends the watch for a person.
    pub fn stop(&self) {
        if let Some((watch, _)) = &mut self.state().watch {
            watch.stop();
        }
    }

    /// Makes the next poll due at `now` for a person, see [`Watch::hurry`].
    pub fn hurry(&self, now: u64) -> bool {
        let state = &mut *self.state();
        state
            .watch
            .as_mut()
            .is_some_and(|(watch, _)| watch.hurry(now))
    }

    /// The ids of the runs that failed, the newest last.
    pub fn failed(&self) -> Vec<u64> {
        let state = self.state();
        let runs = state.watch.iter().flat_map(|(watch, _)| watch.counted());
        let failed = runs.filter(|run| run.failed()).map(|run| run.id);
        failed.collect()
    }

    /// The commit that is watched, where it is one and known.
    pub fn sha(&self) -> Option<String> {
        match self.state().watch.as_ref()?.0.watched() {
            Watched::Commit { sha, .. } => sha.clone(),
            Watched::Run => None,
        }
    }

    /// What a person sees at `now`; `None` before the first plan.
    pub fn shown(&self, now: u64) -> Option<Shown> {
        let state = self.state();
        let (watch, subject) = state.watch.as_ref()?;
        Some(Shown {
            thing: thing(watch, subject),
            target: subject.target.to_string(),
            summary: show::summary(watch, &thing(watch, subject), now),
            rows: show::rows(watch, state.clock),
            due: watch.verdict().is_none().then(|| watch.due_in(now)),
            asked: watch.asked(),
        })
    }

    /// The argv of the poll that is due, about `subject`.
    fn argv(&self, subject: &Subject) -> Result<Vec<String>, Refusal> {
        let state = &mut *self.state();
        if state.watch.is_none() {
            let watched = match subject.thing {
                Thing::Run { .. } => Watched::Run,
                _ => Watched::Commit {
                    sha: None,
                    rest: false,
                },
            };
            let mut watch = Watch::new(watched, state.begun, state.most);
            if let Step::Poll(ask) = watch.next(state.begun) {
                state.ask = ask;
            }
            state.watch = Some((watch, subject.clone()));
        }
        let about = state.watch.as_ref().map_or(subject, |(_, about)| about);
        if about.target != subject.target {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                "The settings changed while the watch went on, and it would now ask elsewhere.\nBegin a new watch.",
            ));
        }
        let owner = subject.target.owner.as_deref().unwrap_or_default();
        ask::argv(&state.ask, &about.thing, &subject.target.host, owner)
    }
}

/// What is watched, in a word or two: `run 1001`, `main at 1a2b3c4`.
fn thing(watch: &Watch, subject: &Subject) -> String {
    let name = match &subject.thing {
        Thing::Run { id, .. } => return format!("run {id}"),
        Thing::Number(number) | Thing::Item(number) => Some(format!("#{number}")),
        Thing::Branch(name) => Some(ask::short(name).to_owned()),
        Thing::Commit(_) | Thing::Place => None,
    };
    let sha = match (watch.watched(), &subject.thing) {
        (Watched::Commit { sha: Some(sha), .. }, _) | (_, Thing::Commit(sha)) => {
            sha.get(..7).unwrap_or(sha)
        }
        _ => "",
    };
    match name {
        Some(name) if sha.is_empty() => name,
        Some(name) => format!("{name} at {sha}"),
        None => format!("commit {sha}"),
    }
}

/// The view of one poll.
#[derive(Debug)]
pub struct PollView(pub Arc<RunWatch>);

impl View for PollView {
    fn names(&self) -> Names {
        Names::Checked
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        self.0.argv(subject).map(Some)
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let ask = self.0.state().ask.clone();
        let mut line = None;
        let cut = captured.stdout.truncated;
        json(captured, around, |bytes, _| {
            let printed = poll::Printed {
                stdout: &String::from_utf8_lossy(bytes),
                cut,
                kind: None,
            };
            line = Some(show::line(&poll::read(&ask, &printed, 0).0));
            Ok(String::new())
        })?;
        line.unwrap_or_else(|| Ok(String::new()))
            .map(|line| around.clean.line(&line))
    }
}

/// The view of a watch that ended with a failure: its summary above what `failure` shows.
#[derive(Debug)]
pub struct FailedView {
    /// The watch.
    pub watch: Arc<RunWatch>,
    /// When it ended, in milliseconds.
    pub now: u64,
    /// The view of the tool `gh_run_logs_failed`.
    pub failure: Arc<dyn View>,
}

impl View for FailedView {
    fn names(&self) -> Names {
        self.failure.names()
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        self.failure.request(subject)
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let told = self.failure.render(captured, around);
        let told = told.unwrap_or_else(|refusal| {
            let why = refusal.message.lines().next().unwrap_or_default();
            format!("Why it failed could not be read ({}): {why}", refusal.kind)
        });
        Ok(format!(
            "{}\n\n{told}",
            self.summary(around.clean).trim_end()
        ))
    }

    /// The verdict is known, even where the reasons cannot be read.
    fn serves(&self, _: &Captured) -> bool {
        true
    }

    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        self.failure.once_more(captured, subject)
    }

    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        self.failure.whole(captured, clean)
    }
}

impl FailedView {
    fn summary(&self, clean: &Cleaner) -> String {
        let shown = self.watch.shown(self.now);
        clean.text(&shown.map(|shown| shown.summary).unwrap_or_default())
    }
}
