//! The doors of a person's commands about worktrees.  No tool uses them.

use emacs::{Env, Result, Value, defun};

use crate::emacs::answer;
use crate::emacs::edge::doorbell::{self, Finished, WorkKind};
use crate::emacs::edge::fault::Fault;
use crate::emacs::edge::{person, plist};
use crate::emacs::gh::settings;
use crate::emacs::worktree::name;
use crate::gh::tools::worktree::list::{self, Asked};

/// List the worktrees below the directory in OPTIONS, in the background; return a ticket.
/// The ticket's value is a plist `:told :rows`, or (KIND . MESSAGE).
#[defun]
fn worktrees<'e>(env: &'e Env, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || start(env, Asked::List, options))
}

/// Set aside whatever could make git run a program in WORKTREE, the `:name` of a row; return a ticket.
/// The ticket's value is a plist `:told :directory`, or (KIND . MESSAGE).
#[defun]
fn worktree_visit<'e>(env: &'e Env, worktree: Value<'e>, options: Value<'e>) -> Result<Value<'e>> {
    answer(env, || {
        let asked = Asked::Visit(name(env, worktree)?);
        start(env, asked, options)
    })
}

/// Remove WORKTREE, the `:name` of a row; return a ticket.
/// SEEN is the `:seen` of the row whose work the person has agreed to lose, or nil.  The ticket's value is a plist `:told :removed`, or
/// `:told :kept` with a row if there is work in it that SEEN does not stand for; or (KIND . MESSAGE).
/// Only a key of the list of worktrees removes.
#[defun]
fn worktree_remove<'e>(
    env: &'e Env,
    worktree: Value<'e>,
    seen: Option<String>,
    options: Value<'e>,
) -> Result<Value<'e>> {
    answer(env, || {
        person::pressed_for(
            env,
            "cj/gh-worktrees-remove",
            "Only a key in the list of worktrees removes one.\nGo there with `M-x cj/gh-worktrees'.",
        )?;
        start(env, Asked::Remove(name(env, worktree)?, seen), options)
    })
}

fn start<'e>(env: &'e Env, asked: Asked, options: Value<'e>) -> std::result::Result<i64, Fault> {
    let settings = settings(env, options)?;
    let ticket = doorbell::start_work(WorkKind::Worktrees, |report| {
        list::start(asked, &settings, |came| report(Finished::Worktrees(came)))
    })?;
    Ok(plist::number(ticket))
}
