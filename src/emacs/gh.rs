//! gh as a program: its calls and options from Lisp, and the differences between the installed gh and the catalog.

use std::sync::Arc;
use std::time::Duration;

use emacs::{Env, Transfer, Value};

use super::edge::arguments::{bad, count, path, seconds, text, time};
use super::edge::convert::{argv, get, rows, sequence, strings, symbol_name};
use super::edge::fault::Fault;
use super::edge::plist::{self, Plist};
use super::edge::symbols::symbol;
use super::edge::values;
use super::gate::settings::{environment, policies, result_budget, roots};
use super::program::{Before, LispCall, Program};
use super::watch::WatchValue;
use crate::gate::decide::policy::Act;
use crate::gate::{Class, Cwd, ErrorKind, Judge, Plan, Refusal};
use crate::gh;
use crate::gh::call::request::{Request, Settings};
use crate::gh::drift::sweep::Report;
use crate::gh::judge::approval::ACTS;
use crate::gh::tools::download::{Artifact, Download, Release};
use crate::gh::tools::errand::{Errand, Step};
use crate::gh::tools::run_watch::{FailedView, PollView};
use crate::gh::tools::search::arguments::Arguments;
use crate::gh::tools::view::{View, ViewOptions};
use crate::gh::tools::{ToolCall, views};
use crate::run::Keep;

/// gh as a [`Program`].
pub struct Gh;

impl Program for Gh {
    fn name(&self) -> &'static str {
        "gh"
    }

    fn check(&self, call: &LispCall<'_>) -> Result<(), Fault> {
        let request = request(call.env, call.argv, call.keys)?;
        Ok(gh::call::request::check(
            &request,
            &settings(call.env, call.options)?,
        )?)
    }

    fn before(&self, call: &LispCall<'_>) -> Result<Option<Before>, Fault> {
        let asked = tool_call(call.env, call.argv, call.keys)?;
        let question = gh::tools::unasked(&asked, &settings(call.env, call.options)?)?;
        Ok(question.map(|(installed, needs)| -> Before {
            Box::new(move |done| installed.start(needs, done))
        }))
    }

    fn plan(&self, call: &LispCall<'_>) -> Result<Plan, Fault> {
        let asked = tool_call(call.env, call.argv, call.keys)?;
        Ok(gh::tools::plan(&asked, &settings(call.env, call.options)?)?)
    }

    fn acts(&self) -> &'static [Act] {
        ACTS
    }

    fn unplanned(&self, argv: &[String]) -> (Class, String) {
        match gh::call::request::normalize(argv) {
            Ok(argv) => {
                let verdict = gh::judge::classify::classify(&argv);
                (verdict.class, verdict.command)
            }
            Err(_) => (Class::Unknown, String::new()),
        }
    }

    fn judge(&self, env: &Env, options: Value<'_>) -> Result<Box<Judge>, Fault> {
        let settings = settings(env, options)?;
        Ok(Box::new(move |target| {
            gh::call::kept_policy::policy_of(target, &settings)
        }))
    }
}

/// The settings in `plist`, which `cj/gh--settings` makes.
pub fn settings(env: &Env, plist: Value<'_>) -> Result<Settings, Fault> {
    Ok(Settings {
        executable: get::<Vec<u8>>(env, plist, ":executable")?.map(path),
        executable_name: get::<String>(env, plist, ":executable-name")?.unwrap_or_default(),
        environment: environment(env, plist)?,
        roots: roots(env, plist)?,
        policies: policies(env, plist)?,
        known_hosts: get::<Value<'_>>(env, plist, ":known-hosts")?
            .map(|list| strings(env, list))
            .transpose()?,
        result_budget: result_budget(env, plist)?,
        accounts: get::<Value<'_>>(env, plist, ":accounts")?
            .map(|list| rows(env, list))
            .transpose()?
            .unwrap_or_default(),
        timeouts: get::<Value<'_>>(env, plist, ":timeouts")?
            .map(|list| timeouts(env, list))
            .transpose()?
            .unwrap_or_default(),
        default_host: get::<String>(env, plist, ":default-host")?
            .unwrap_or_else(|| "github.com".into()),
        artifact_directory: get::<Vec<u8>>(env, plist, ":artifact-directory")?.map(path),
        artifact_bytes: get::<i64>(env, plist, ":artifact-bytes")?
            .and_then(|bytes| u64::try_from(bytes).ok())
            .unwrap_or(0),
        git: get::<Vec<u8>>(env, plist, ":git")?.map(path),
        worktree_directory: get::<Vec<u8>>(env, plist, ":worktree-directory")?.map(path),
        git_bytes: count(env, plist, ":git-bytes", "git-bytes")?.unwrap_or(0),
        git_files: count(env, plist, ":git-files", "git-files")?.unwrap_or(0),
        git_timeout: seconds(env, plist, ":git-timeout")?.unwrap_or_default(),
        git_urls: get::<Value<'_>>(env, plist, ":git-urls")?
            .map(|list| rows(env, list))
            .transpose()?
            .unwrap_or_default(),
    })
}

/// The request of a call with the argv `words`.  `keys` is a plist of the keys of `cj/gate-plan`, such as `:cwd`.
pub fn request(env: &Env, words: Value<'_>, keys: Value<'_>) -> Result<Request, Fault> {
    let facts = get::<Value<'_>>(env, keys, ":facts")?
        .map(|value| values::facts(value))
        .transpose()?;
    let local = get::<Vec<u8>>(env, keys, ":cwd").ok().flatten();
    let cwd = match get::<String>(env, keys, ":remote-cwd")? {
        Some(name) => Some(Cwd::Remote(name)),
        None => local.map(|bytes| Cwd::Local(path(bytes))),
    };
    Ok(Request {
        argv: argv(env, words)?.into(),
        cwd,
        facts,
        hostname: text(env, keys, ":hostname", "hostname")?,
        repo: text(env, keys, ":repo", "repo")?,
        timeout: seconds(env, keys, ":timeout")?,
        usual_timeout: seconds(env, keys, ":usual-timeout")?,
        cap: count(env, keys, ":cap", "cap")?.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
        keep: keep(env, keys)?,
        edited: get::<Value<'_>>(env, keys, ":edited")?.is_some(),
    })
}

/// The request of a tool's call: a [`request`], the view that renders its result, the download, and the pages of a list.
fn tool_call(env: &Env, words: Value<'_>, keys: Value<'_>) -> Result<ToolCall, Fault> {
    Ok(ToolCall {
        request: request(env, words, keys)?,
        view: view(env, keys)?,
        download: download(env, keys)?,
        errand: errand(env, keys)?,
        pages: count(env, keys, ":pages", "pages")?,
    })
}

/// An errand, and one of its steps.
type ErrandStep = (Arc<dyn Errand>, Step);

/// The step of the errand under `:errand`.  `:looked-up` is absent before the look-up; afterwards it is t, or (KIND . MESSAGE) of the error
/// with which the look-up ended.
fn errand(env: &Env, keys: Value<'_>) -> Result<Option<ErrandStep>, Fault> {
    let Some(value) = get::<Value<'_>>(env, keys, ":errand")? else {
        return Ok(None);
    };
    let errand: &ErrandValue = value.into_rust()?;
    let step = match get::<Value<'_>>(env, keys, ":looked-up")? {
        None => Step::LookUp,
        Some(looked) if looked == symbol(env, "t")? => Step::Write,
        Some(failed) => Step::Failed(Refusal::new(
            kind(env, failed.car()?)?,
            failed.cdr::<String>()?,
        )),
    };
    Ok(Some((Arc::clone(&errand.0), step)))
}

/// The kind of error that the symbol `name` names.
fn kind(env: &Env, name: Value<'_>) -> Result<ErrorKind, Fault> {
    let name = symbol_name(env, name)?;
    let known = ErrorKind::ALL.iter().find(|kind| kind.as_str() == name);
    Ok(known.copied().unwrap_or(ErrorKind::Module))
}

/// An errand owned by Lisp's garbage collector.
pub struct ErrandValue(pub(super) Arc<dyn Errand>);

impl Transfer for ErrandValue {
    fn type_name() -> &'static str {
        "cj-gate errand"
    }
}

/// The download under `:download`, a plist with `:name` and, of an artifact, `:run`, `:id`, `:size` and `:digest`; of files of a release,
/// `:tag` and `:listed`, what gh printed about the release.  Where nothing was found, `:kind` and `:message` of the error are there.
fn download(env: &Env, keys: Value<'_>) -> Result<Option<Download>, Fault> {
    let Some(list) = get::<Value<'_>>(env, keys, ":download")? else {
        return Ok(None);
    };
    let refusal = match get::<Value<'_>>(env, list, ":kind")? {
        Some(name) => Some(Refusal::new(
            kind(env, name)?,
            text(env, list, ":message", "message")?.unwrap_or_default(),
        )),
        None => None,
    };
    let name = text(env, list, ":name", "name")?.unwrap_or_default();
    if let Some(run) = count(env, list, ":run", "run_id")? {
        let artifact = Artifact {
            id: count(env, list, ":id", "id")?.unwrap_or(0),
            size: count(env, list, ":size", "size")?.unwrap_or(0),
            digest: text(env, list, ":digest", "digest")?,
        };
        let found = refusal.map_or(Ok(artifact), Err);
        return Ok(Some(Download::Artifact { run, name, found }));
    }
    let found = if let Some(refusal) = refusal {
        Err(refusal)
    } else {
        let listed = text(env, list, ":listed", "listed")?.unwrap_or_default();
        Release::read(&listed, &name)
    };
    let tag = text(env, list, ":tag", "tag")?;
    Ok(Some(Download::Assets { tag, name, found }))
}

/// The rows of `cj/gh-timeouts`: commands with their seconds.
fn timeouts(env: &Env, alist: Value<'_>) -> Result<Vec<(String, Duration)>, Fault> {
    let mut out = Vec::new();
    for row in sequence(env, alist)? {
        out.push((row.car::<String>()?, time(env, row.cdr()?)?));
    }
    Ok(out)
}

fn keep(env: &Env, keys: Value<'_>) -> Result<Option<Keep>, Fault> {
    let Some(symbol) = get::<Value<'_>>(env, keys, ":keep")? else {
        return Ok(None);
    };
    match symbol_name(env, symbol)?.as_str() {
        "head" => Ok(Some(Keep::Head)),
        "head-tail" => Ok(Some(Keep::HeadTail)),
        _ => Err(bad("keep", "`head' or `head-tail'")),
    }
}

/// The view under `:view`, a list of its name and its options; none for `plain`.
fn view(env: &Env, keys: Value<'_>) -> Result<Option<Arc<dyn View>>, Fault> {
    let Some(view) = get::<Value<'_>>(env, keys, ":view")? else {
        return Ok(None);
    };
    let name = symbol_name(env, view.car()?)?;
    if name == "plain" {
        return Ok(None);
    }
    let options: Value<'_> = view.cdr()?;
    if let Some(watch) = get::<Value<'_>>(env, options, ":watch")? {
        return watch_view(&name, watch).map(Some);
    }
    let told = ViewOptions {
        include_body: get::<Value<'_>>(env, options, ":include-body")?.is_some(),
        include_comments: get::<Value<'_>>(env, options, ":include-comments")?.is_some(),
        include_reviews: get::<Value<'_>>(env, options, ":include-reviews")?.is_some(),
        branch: text(env, options, ":branch", "branch")?,
        state: text(env, options, ":state", "state")?,
        search: text(env, options, ":search", "search")?,
        limit: count(env, options, ":limit", "limit")?,
        arguments: arguments(env, options)?,
        file: text(env, options, ":file", "file")?,
        hunk: count(env, options, ":hunk", "hunk")?,
        run: count(env, options, ":run", "run_id")?,
        job: count(env, options, ":job", "job_id")?,
    };
    views::named(&name, &told)
        .map(Some)
        .ok_or_else(|| bad("view", "`plain' or the name of one of the tools' views"))
}

/// The arguments of a search among the options of its view.
fn arguments(env: &Env, options: Value<'_>) -> Result<Arguments, Fault> {
    let text = |key: &'static str, name: &'static str| text(env, options, key, name);
    Ok(Arguments {
        query: text(":search", "query")?,
        repo: text(":repo", "repo")?,
        since: text(":since", "since")?,
        until: text(":until", "until")?,
        date_field: text(":date-field", "date_field")?,
        author: text(":author", "author")?,
        label: text(":label", "label")?,
        limit: text(":most", "limit")?,
    })
}

/// The view called `name` of `watch`: of one of its polls, or of its end with a failure.
fn watch_view(name: &str, watch: Value<'_>) -> Result<Arc<dyn View>, Fault> {
    let watch: &WatchValue = watch.into_rust()?;
    match name {
        "run-watch" => Ok(Arc::new(PollView(Arc::clone(&watch.watch)))),
        name => Ok(Arc::new(FailedView {
            watch: Arc::clone(&watch.watch),
            now: watch.now(),
            failure: views::named(name, &ViewOptions::default())
                .ok_or_else(|| bad("view", "`run-watch' or the name of one of the tools' views"))?,
        })),
    }
}

/// The differences between the installed gh and the catalog, as `cj/gate--mod-drift` reports them.
pub fn drift<'e>(env: &'e Env, report: &Report) -> emacs::Result<Value<'e>> {
    let drift = &report.drift;
    Plist::new(env)
        .put(":version", report.version.as_str())?
        .put(":leaves", plist::count(drift.leaves))?
        .put(":flags", plist::count(drift.flags))?
        .put_strings(":unknown-leaves", &drift.unknown_leaves)?
        .put_strings(":unknown-flags", &drift.unknown_flags)?
        .put_strings(":changed", &drift.changed)?
        .put(":lacking", plist::count(drift.lacking))?
        .put_strings(":extensions", &drift.extensions)?
        .put_strings(":aliases", &drift.aliases)?
        .put_strings(":unread", &drift.unread)?
        .list()
}
