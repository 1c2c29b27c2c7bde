//! Worktrees as property lists, for the list of `cj/gh-worktrees`.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use emacs::{Env, IntoLisp, Result, Value};

use super::edge::convert::strings;
use super::edge::fault::Fault;
use super::edge::plist::{self, Plist};
use crate::gh::tools::worktree::list::Came;
use crate::gh::tools::worktree::rows::{Name, Row, State};

/// What came of a command about worktrees: a plist with `:told`, sentences on what was set aside, and with `:rows`, `:directory`, `:removed`
/// or `:kept`.
pub fn came<'e>(env: &'e Env, came: &Came, told: &[String]) -> Result<Value<'e>> {
    let list = Plist::new(env).put_strings(":told", told)?;
    match came {
        Came::Listed(rows) => {
            let rows = rows.iter().map(|one| row(env, one));
            let rows = rows.collect::<Result<Vec<_>>>()?;
            list.put(":rows", env.call("list", &rows[..])?)?.list()
        }
        Came::Ready(directory) => list.put(":directory", file(env, directory)?)?.list(),
        Came::Removed(more) => list.put(":removed", more.as_str())?.list(),
        Came::Kept(one) => list.put(":kept", row(env, one)?)?.list(),
    }
}

/// One worktree: `:name` (for the doors), `:repo`, `:what`, `:directory`, `:state` (a symbol) and what belongs to that state.
fn row<'e>(env: &'e Env, row: &Row) -> Result<Value<'e>> {
    let [host, owner, repo] = &row.name.repository;
    let worktree = std::slice::from_ref(&row.name.worktree);
    let name = [&row.name.repository[..], worktree].concat();
    let list = Plist::new(env)
        .put_strings(":name", &name)?
        .put(":host", host.as_str())?
        .put(":repo", format!("{owner}/{repo}"))?
        .put(":what", row.what.as_str())?
        .put(":directory", file(env, &row.directory)?)?
        .put(":changed-at", row.changed_at.map(plist::number))?
        .put(
            ":seen",
            Some(row.seen.as_str()).filter(|seen| !seen.is_empty()),
        )?;
    let with_why = |list: Plist<'e>, state, why: &str| {
        list.put_symbol(":state", Some(state))?
            .put(":why", why)?
            .list()
    };
    match &row.state {
        State::Busy => with_why(list, "busy", ""),
        State::Broken(why) => with_why(list, "broken", why),
        State::Foreign(place) => with_why(list, "foreign", place),
        State::Empty(more) => list
            .put_symbol(":state", Some("empty"))?
            .put(":more", *more)?
            .list(),
        State::Read(work) => list
            .put_symbol(":state", Some("read"))?
            .put(":there", work.directory)?
            .put(":elsewhere", work.elsewhere.as_deref())?
            .put(":unpushed", plist::number(work.unpushed))?
            .put_strings(":commits", &work.commits)?
            .put(":changed", plist::count(work.changed))?
            .put_strings(":files", &work.files)?
            .put(":ignored", plist::count(work.ignored))?
            .put_strings(":ignored-files", &work.ignored_files)?
            .put(":interrupted", work.half_reset)?
            .list(),
    }
}

/// The name of a file as Emacs has it.
fn file<'e>(env: &'e Env, path: &Path) -> Result<Value<'e>> {
    let bytes = path.as_os_str().as_bytes();
    let text = String::from_utf8_lossy(bytes).into_owned();
    text.into_lisp(env)
}

/// The name under `:name` of a row.
pub fn name(env: &Env, value: Value<'_>) -> std::result::Result<Name, Fault> {
    let words = strings(env, value)?;
    let mut words = words.into_iter();
    let mut word = || words.next().unwrap_or_default();
    let repository = [word(), word(), word()];
    Ok(Name {
        repository,
        worktree: word(),
    })
}
