//! The doors of a watch over workflow runs.  Lisp waits and polls; the core says when, and what an answer means.

use emacs::{Env, IntoLisp, Result, Value, defun};

use crate::emacs::edge::arguments::{bad, time};
use crate::emacs::edge::{convert, values};
use crate::emacs::gate::plists;
use crate::emacs::watch::WatchValue;
use crate::emacs::{Fault, answer};
use crate::gate::ErrorKind;
use crate::gh::watch::poll::Printed;

/// A new watch that lasts at most MOST seconds; its clock goes SPEED times as fast as time.  The value is opaque.
#[defun]
fn watch<'e>(env: &'e Env, most: Value<'e>, speed: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let speed = time(env, speed)?.as_secs_f64();
        if speed <= 0.0 {
            return Err(bad("speed", "a number above zero"));
        }
        let watch = WatchValue::new(time(env, most)?, speed);
        Ok(Box::new(watch).into_lisp(env)?)
    })
}

/// The next step of WATCH, a plist: `:do` is `wait`, with `:seconds`; `poll`; or `over`, with `:verdict`, `:failed` and `:sha`.
/// HOW is nil, or `stop` to end the watch first, or `hurry` to poll at once if the last poll is long enough ago.
#[defun]
fn watch_next<'e>(env: &'e Env, watch: Value<'e>, how: Option<Value<'e>>) -> Result<Value<'e>> {
    answer(env, || {
        let watch: &WatchValue = watch.into_rust()?;
        match how.map(|how| convert::symbol_name(env, how)).transpose()? {
            None => {}
            Some(how) if how == "stop" => watch.watch.stop(),
            Some(how) if how == "hurry" => {
                watch.watch.hurry(watch.now());
            }
            Some(_) => return Err(bad("how", "nil, `stop' or `hurry'")),
        }
        Ok(watch.step(env, &watch.watch.next(watch.now()))?)
    })
}

/// Note how the poll of WATCH ended; return the next step, as `watch-next` does.
/// STDOUT is what gh printed, of which a part is missing where CUT is non-nil; KIND is the kind of error, a symbol, or nil.
#[defun]
fn watch_answer<'e>(
    env: &'e Env,
    watch: Value<'e>,
    stdout: String,
    cut: Option<Value<'e>>,
    kind: Option<Value<'e>>,
) -> Result<Value<'e>> {
    answer(env, || {
        let watch: &WatchValue = watch.into_rust()?;
        let name = kind
            .map(|kind| convert::symbol_name(env, kind))
            .transpose()?;
        let kind = name.map(|name| {
            let known = ErrorKind::ALL.iter().find(|kind| kind.as_str() == name);
            known.copied().unwrap_or(ErrorKind::Module)
        });
        let printed = Printed {
            stdout: &stdout,
            cut: cut.is_some(),
            kind,
        };
        let wall = chrono::Utc::now().timestamp();
        let step = watch.watch.answer(watch.now(), &printed, wall);
        Ok(watch.step(env, &step)?)
    })
}

/// What a person sees of WATCH, a plist `:thing :target :summary :rows :due :asked`; nil before its first request is planned.
#[defun]
fn watch_shown<'e>(env: &'e Env, watch: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let watch: &WatchValue = watch.into_rust()?;
        Ok(watch.shown(env)?.into_lisp(env)?)
    })
}

/// Use up PLAN, a read, with the summary of WATCH as its result; nothing runs.  Return the outcome.
#[defun]
fn watch_end<'e>(env: &'e Env, watch: Value<'e>, plan: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let watch: &WatchValue = watch.into_rust()?;
        let shown = watch.watch.shown(watch.now());
        let text = shown.map(|shown| shown.summary).unwrap_or_default();
        let outcome = values::plan(plan)?.answered(&text).map_err(Fault::from)?;
        Ok(plists::outcome(env, &outcome)?)
    })
}
