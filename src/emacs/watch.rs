//! A watch over workflow runs as an opaque Lisp value, and what is told of it as property lists.

use std::sync::Arc;
use std::time::Duration;

use emacs::{Env, IntoLisp, Result, Transfer, Value};

use super::edge::plist::{Plist, number};
use super::edge::symbols::symbol;
use crate::gate::decide::lease;
use crate::gh::tools::run_watch::{RunWatch, Shown};
use crate::gh::watch::show::Row;
use crate::gh::watch::state::{Step, Verdict};

/// A watch owned by Lisp's garbage collector, with its clock.
pub struct WatchValue {
    /// The watch.
    pub watch: Arc<RunWatch>,
    /// How much faster than time its clock goes: 1, or more in tests.
    speed: f64,
    begun: Duration,
}

impl Transfer for WatchValue {
    fn type_name() -> &'static str {
        "cj-gate watch"
    }
}

impl WatchValue {
    /// A watch that lasts at most `most`.
    pub fn new(most: Duration, speed: f64) -> Self {
        Self {
            watch: Arc::new(RunWatch::new(
                0,
                u64::try_from(most.as_millis()).unwrap_or(u64::MAX),
            )),
            speed,
            begun: lease::up(),
        }
    }

    /// The time of the watch's clock in milliseconds, sleep of the machine included.
    pub fn now(&self) -> u64 {
        let passed = lease::up().saturating_sub(self.begun);
        let passed = Duration::try_from_secs_f64(passed.as_secs_f64() * self.speed);
        u64::try_from(passed.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
    }

    /// Seconds of this machine in `ms` milliseconds of the watch's clock.
    fn seconds(&self, ms: u64) -> f64 {
        Duration::from_millis(ms).as_secs_f64() / self.speed
    }

    /// A step as a plist: `:do`, which is `wait`, `poll` or `over`, and with it `:seconds` or `:verdict`.
    pub fn step<'e>(&self, env: &'e Env, step: &Step) -> Result<Value<'e>> {
        let list = Plist::new(env);
        match step {
            Step::Wait(ms) => list
                .put_symbol(":do", Some("wait"))?
                .put(":seconds", self.seconds(*ms))?
                .list(),
            Step::Poll(_) => list.put_symbol(":do", Some("poll"))?.list(),
            Step::Over(verdict) => {
                let failed = self.watch.failed();
                let failed = failed.iter().map(|id| number(*id).into_lisp(env));
                let failed = failed.collect::<Result<Vec<_>>>()?;
                let failed = symbol(env, "list")?.call(&failed[..])?;
                list.put_symbol(":do", Some("over"))?
                    .put_symbol(":verdict", Some(word(*verdict)))?
                    .put(":failed", failed)?
                    .put(":sha", self.watch.sha())?
                    .list()
            }
        }
    }

    /// What a person sees, as a plist; nil before the first request is planned.
    pub fn shown<'e>(&self, env: &'e Env) -> Result<Option<Value<'e>>> {
        let Some(shown) = self.watch.shown(self.now()) else {
            return Ok(None);
        };
        let Shown {
            thing,
            target,
            summary,
            rows,
            due,
            asked,
        } = shown;
        let rows = rows
            .iter()
            .map(|row| self::row(env, row))
            .collect::<Result<Vec<_>>>()?;
        Plist::new(env)
            .put(":thing", thing)?
            .put(":target", target)?
            .put(":summary", summary)?
            .put(":rows", symbol(env, "list")?.call(&rows[..])?)?
            .put(":due", due.map(|ms| self.seconds(ms)))?
            .put(":asked", number(asked))?
            .list()
            .map(Some)
    }
}

fn row<'e>(env: &'e Env, row: &Row) -> Result<Value<'e>> {
    Plist::new(env)
        .put(":run", number(row.run))?
        .put(":job", row.job.map(number))?
        .put(":is-job", row.is_job)?
        .put(":name", row.name.as_str())?
        .put(":word", row.word.as_str())?
        .put_symbol(":tone", Some(row.tone))?
        .put(":seconds", row.seconds.map(number))?
        .put(":counts", row.counts)?
        .put(":more", row.more.as_str())?
        .list()
}

/// The name of a verdict in Lisp.
const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Success => "success",
        Verdict::Failure => "failure",
        Verdict::Cancelled => "cancelled",
        Verdict::Skipped => "skipped",
        Verdict::NoRuns => "no-runs",
        Verdict::TimedOut => "timed-out",
        Verdict::Stopped => "stopped",
        Verdict::Broken(_) => "broken",
    }
}
