//! Why the lines of a job's failure were chosen, as plists.

use emacs::{Env, IntoLisp, Result, Value};

use super::edge::plist::{self, Plist};
use super::edge::symbols::symbol;
use crate::gate::Cleaner;
use crate::gh::explain_failure::{Carried, Explanation, Reason};
use crate::joblog::FailedStep;
use crate::joblog::features::{NUMBERS, TABLE};

/// A list of `items`.
fn list<'e>(env: &'e Env, items: &[Value<'e>]) -> Result<Value<'e>> {
    symbol(env, "list")?.call(items)
}

/// A weight or a score as Lisp shows it: to three decimals.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1000.0).round() / 1000.0
}

/// The list (NAME WEIGHT WHY).
fn row<'e>(env: &'e Env, name: &str, weight: f32, why: &str) -> Result<Value<'e>> {
    let parts = [
        name.into_lisp(env)?,
        rounded(weight).into_lisp(env)?,
        why.into_lisp(env)?,
    ];
    list(env, &parts)
}

/// The table: `:features` and `:numbers`, each a list of (NAME WEIGHT WHY).
pub fn table(env: &Env) -> Result<Value<'_>> {
    let features = TABLE.iter();
    let features: Vec<_> = features
        .map(|one| row(env, one.name, one.weight, one.why))
        .collect::<Result<_>>()?;
    let numbers = NUMBERS.iter();
    let numbers: Vec<_> = numbers
        .map(|(name, value, why)| row(env, name, *value, why))
        .collect::<Result<_>>()?;
    Plist::new(env)
        .put(":features", list(env, &features)?)?
        .put(":numbers", list(env, &numbers)?)?
        .list()
}

/// The list (LINE SCORE) of `carried`, or nil.
fn carried<'e>(env: &'e Env, carried: Option<&Carried>) -> Result<Value<'e>> {
    match carried {
        Some(one) => {
            let line = plist::count(one.line).into_lisp(env)?;
            list(env, &[line, rounded(one.score).into_lisp(env)?])
        }
        None => ().into_lisp(env),
    }
}

/// The chosen lines with the texts `texts`: a list of plists with `:line`, `:text`, `:score`, `:above`, `:below` and `:features`.
fn lines<'e>(
    env: &'e Env,
    texts: &[String],
    reasons: &[Reason],
    clean: &Cleaner,
) -> Result<Value<'e>> {
    let mut all = Vec::with_capacity(texts.len());
    for (text, reason) in texts.iter().zip(reasons) {
        let features = reason.features.iter();
        let features: Vec<_> = features
            .map(|one| row(env, one.name, one.weight, one.why))
            .collect::<Result<_>>()?;
        let line = Plist::new(env)
            .put(":line", plist::count(reason.line))?
            .put(":text", clean.text(text))?
            .put(":score", rounded(reason.score))?
            .put(":above", carried(env, reason.above.as_ref())?)?
            .put(":below", carried(env, reason.below.as_ref())?)?
            .put(":features", list(env, &features)?)?;
        all.push(line.list()?);
    }
    list(env, &all)
}

/// One step: a plist with `:job`, `:step`, `:command` (a list), `:ended`, and the lines under `:certain` and `:fill`.
fn step<'e>(
    env: &'e Env,
    told: &FailedStep,
    (certain, fill): &(Vec<Reason>, Vec<Reason>),
    clean: &Cleaner,
) -> Result<Value<'e>> {
    let text = |text: &Option<String>| text.as_deref().map(|text| clean.text(text));
    let command: Vec<String> = told.command.iter().map(|line| clean.text(line)).collect();
    Plist::new(env)
        .put(":job", text(&told.job))?
        .put(":step", text(&told.step))?
        .put_strings(":command", &command)?
        .put(":ended", text(&told.ended))?
        .put(":certain", lines(env, &told.certain, certain, clean)?)?
        .put(":fill", lines(env, &told.fill, fill, clean)?)?
        .list()
}

/// `explained` with all text cleaned: a plist with `:marked`, `:left-out` and `:steps`.
pub fn explanation<'e>(
    env: &'e Env,
    explained: &Explanation,
    clean: &Cleaner,
) -> Result<Value<'e>> {
    let failure = &explained.failure;
    let steps = failure.steps.iter().zip(&explained.steps);
    let steps: Vec<_> = steps
        .map(|(told, reasons)| step(env, told, reasons, clean))
        .collect::<Result<_>>()?;
    Plist::new(env)
        .put(":marked", failure.marked)?
        .put(":left-out", plist::count(failure.left_out))?
        .put(":steps", list(env, &steps)?)?
        .list()
}
