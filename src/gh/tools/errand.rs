//! Errands: writes about which a person can be asked only after reads.
//!
//! A tool's call for an errand is planned twice.  The first plan is the look-up: a read that runs by itself, rendered by a view that keeps
//! what it found in the errand.  The second plan is the write itself, made from what was found; a person is asked about this plan alone.
//! `cj-gh-errand.el` makes both plans, one after the other.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::view::View;
use crate::gate::decide::argv::MAX_ARGUMENT;
use crate::gate::{Draft, ErrorKind, Refusal, Target};
use crate::gh::call::request::{Request, Settings, normalize};
use crate::text::numbers::grouped;

/// A write that needs a look-up first.
pub(crate) trait Errand: Debug + Send + Sync {
    /// The command that records and questions name, such as `pr checkout`.
    fn command(&self) -> &'static str;

    /// Takes from `request` what the look-up needs to know: the checkout's branch.
    ///
    /// # Errors
    /// `bad-argument` where the request lacks it.
    fn begin(&self, request: &Request) -> Result<(), Refusal> {
        let _ = request;
        Ok(())
    }

    /// The argv of the look-up, which only names what the errand is about, such as `pr view 12`.
    fn named(&self) -> Vec<String>;

    /// The view that makes the look-up's request and keeps what it finds in this errand.
    fn look_up(self: Arc<Self>) -> Arc<dyn View>;

    /// The Draft of the write, once the look-up has found what it needs.  `request` goes to the repository of the look-up.
    ///
    /// # Errors
    /// Each error of planning a call.  A write that must not run is a Draft with a refusal, so that its record names the target.
    fn draft(&self, request: &Request, settings: &Settings) -> Result<Draft, Refusal>;
}

/// A step of an errand.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "module"),
    allow(dead_code, reason = "only a door of the module makes these")
)]
pub(crate) enum Step {
    /// The look-up.
    LookUp,
    /// The write, after the look-up has succeeded.
    Write,
    /// The write, refused because the look-up has failed.
    Failed(Refusal),
}

/// What a look-up found, and where.  The look-up writes it on a worker, and the write is planned from it later.
#[derive(Debug)]
pub(crate) struct Findings<T>(Mutex<Option<(Target, T)>>);

impl<T> Default for Findings<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> Findings<T> {
    /// Keeps `found`, which belongs to the repository `target`.
    pub fn keep(&self, target: &Target, found: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((target.clone(), found));
    }

    /// The repository of the look-up, and what it found.
    ///
    /// # Errors
    /// `module` before any look-up: only an error of ours leads there.
    pub fn get(&self) -> Result<(Target, T), Refusal> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.clone().ok_or_else(|| {
            Refusal::new(
                ErrorKind::Module,
                "The write was planned before its look-up.\nReport it.",
            )
        })
    }
}

/// The request `argv` to the repository `target`, with the directory and the limits of `request`.
pub(super) fn there(request: &Request, target: &Target, argv: Vec<String>) -> Request {
    Request {
        argv: argv.into(),
        hostname: None,
        repo: Some(target.to_string()),
        keep: None,
        ..request.clone()
    }
}

/// Refuses a write that a person has changed, where its parts belong together.
///
/// # Errors
/// `bad-argument`.
pub(super) fn refuse_edit(request: &Request) -> Result<(), Refusal> {
    if request.edited {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            "The arguments of this call cannot be changed.\nDecline it, and tell the model what you want.",
        ));
    }
    Ok(())
}

/// An error in the argument `name` of a tool.
pub(super) fn bad(name: &str, what: &str, todo: &str) -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        format!("The argument `{name}' {what}.\n{todo}"),
    )
}

/// The text under `name` in the arguments `args`, if it is there and not empty.
pub(super) fn text(args: &Value, name: &str) -> Option<String> {
    let text = args[name].as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// Whether the flag `name` is set in the arguments `args`.
pub(super) fn flag(args: &Value, name: &str) -> bool {
    args[name] == true
}

/// The texts under `name` in the arguments `args`: of an array, or the one string.
pub(super) fn texts(args: &Value, name: &str) -> Vec<String> {
    match &args[name] {
        Value::String(one) if !one.is_empty() => vec![one.clone()],
        Value::Array(all) => all
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// The argv of a look-up of the pull request under `number` in the arguments `args`; without one, of the checkout's branch.
///
/// # Errors
/// `bad-argument` where it could pass for a flag.
pub(super) fn pull_request(args: &Value) -> Result<Vec<String>, Refusal> {
    let number = text(args, "number");
    if number
        .as_ref()
        .is_some_and(|number| number.starts_with('-'))
    {
        return Err(bad(
            "number",
            "begins with a dash",
            "Give a number, an address, OWNER/REPO#NUMBER or a branch.",
        ));
    }
    let words = ["pr", "view"].map(str::to_owned).into_iter();
    Ok(words.chain(number).collect())
}

/// Characters of a text that GitHub takes (its error: "Body is too long (maximum is 65536 characters)").
const MOST_CHARACTERS: usize = 65_536;
/// Bytes of an argument besides the text: the field's name and the NUL at its end, `body12=`.
const FIELD: usize = 16;

/// Checks that `text`, the argument `name` of a tool, can go to GitHub as one argument of gh.
///
/// # Errors
/// `bad-argument` that says how long the text is, and how long it may be.
pub(super) fn fits(text: &str, name: &str) -> Result<(), Refusal> {
    let characters = text.chars().count();
    if characters > MOST_CHARACTERS {
        let what = format!(
            "has {} characters, and GitHub takes {} at most",
            grouped(characters as u64),
            grouped(MOST_CHARACTERS as u64)
        );
        return Err(bad(name, &what, "Shorten it, or send it as two comments."));
    }
    if text.len() > MAX_ARGUMENT - FIELD {
        let what = format!(
            "has {} bytes, and an argument of gh can have {} at most",
            grouped(text.len() as u64),
            grouped((MAX_ARGUMENT - FIELD) as u64)
        );
        return Err(bad(name, &what, "Shorten it, or send it as two comments."));
    }
    if text.contains('\0') {
        return Err(bad(name, "holds a NUL character", "Leave it out."));
    }
    Ok(())
}

/// The values of the fields `names` in the argv of `request`, which a person has changed from `planned`.
///
/// # Errors
/// `bad-argument` where anything but these values was changed: the rest of the argv follows from the look-up.
pub(super) fn changed_texts(
    request: &Request,
    planned: &[String],
    names: &[String],
) -> Result<Vec<String>, Refusal> {
    let refused = || {
        Refusal::new(
            ErrorKind::BadArgument,
            "Only the texts of this call can be changed.\nDecline it, and tell the model what you want instead.",
        )
    };
    let given = normalize(request.argv.reveal())?;
    if given.len() != planned.len() {
        return Err(refused());
    }
    let mut texts = vec![None; names.len()];
    for (given, planned) in given.iter().zip(planned) {
        let field = |word: &str| {
            let (name, text) = word.split_once('=')?;
            let at = names.iter().position(|known| known == name)?;
            Some((at, text.to_owned()))
        };
        match (field(given), field(planned)) {
            (Some((at, text)), Some((same, _))) if at == same => texts[at] = Some(text),
            _ if given == planned => {}
            _ => return Err(refused()),
        }
    }
    texts.into_iter().collect::<Option<_>>().ok_or_else(refused)
}

#[cfg(test)]
#[path = "../../../test/rust/gh/errand.rs"]
pub(super) mod tests;
