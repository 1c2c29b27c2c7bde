//! What a tool asks for: one call, and how its result is rendered.  A tool that makes further calls has a file of its own here.

mod api_get;
mod brief;
mod checks;
pub mod diff_part;
pub mod download;
pub(crate) mod errand;
pub(crate) mod errands;
mod finish;
mod item;
pub mod list_total;
mod pages;
mod pr_review;
mod pr_thread;
mod pull_query;
pub mod run_watch;
pub mod search;
pub mod subject;
mod threads;
pub mod view;
pub mod views;
mod why;
pub mod worktree;

use std::sync::Arc;

use self::download::Download;
use self::errand::{Errand, Step};
use self::finish::Viewed;
use self::subject::{Names, Subject};
use self::view::View;
use super::call::followup::Followup;
use super::call::plan;
use super::call::request::{Request, Settings, normalize};
use super::installed::Installed;
use super::judge::classify::classify;
use super::needs::Needs;
use super::parse::Parsed;
use super::place::reference::Thing;
use crate::gate::{Class, Draft, ErrorKind, Finish, MAX_WHOLE, Plan, Refusal};

/// A call as a tool makes it.
#[derive(Clone, Debug, Default)]
pub struct ToolCall {
    /// The call itself.
    pub request: Request,
    /// How its result is rendered; `None`: the result is the text that gh printed.
    pub view: Option<Arc<dyn View>>,
    /// The download, where the call asks for one.
    pub download: Option<Download>,
    /// The errand, where the call is a step of one.
    pub(crate) errand: Option<(Arc<dyn Errand>, Step)>,
    /// The most pages of a call with `--paginate`; `None`: as many as one call may read.
    pub pages: Option<u64>,
}

impl ToolCall {
    /// The call that takes this one's place: of a call with `--paginate`, the read of the first page, with the view that reads the others.
    fn bounded(&self) -> Option<(Request, Arc<dyn View>)> {
        if self.view.is_some() {
            return None;
        }
        let argv = normalize(self.request.argv.reveal()).ok()?;
        let (argv, view) = pages::of(&argv, self.pages)?;
        let request = Request {
            argv: argv.into(),
            ..self.request.clone()
        };
        Some((request, Arc::new(view)))
    }
}

impl From<Request> for ToolCall {
    /// A call whose result is what gh prints.
    fn from(request: Request) -> Self {
        Self {
            request,
            ..Self::default()
        }
    }
}

/// Makes the Plan.
///
/// # Errors
/// A refusal that says what is wrong with the request, the checkout or the settings, and what to do.
pub fn plan(call: &ToolCall, settings: &Settings) -> Result<Plan, Refusal> {
    Plan::new(draft(call, settings)?)
}

fn draft(call: &ToolCall, settings: &Settings) -> Result<Draft, Refusal> {
    if let Some((errand, step)) = &call.errand {
        return errand_draft(errand, step, &call.request, settings);
    }
    if let Some(wanted) = &call.download {
        return download::draft(wanted, &call.request, settings);
    }
    if let Some((request, view)) = call.bounded() {
        let call = ToolCall {
            view: Some(view),
            ..request.into()
        };
        return draft(&call, settings);
    }
    let Some(view) = &call.view else {
        return plan::draft(&call.request, settings, &|plain, _| Arc::new(plain));
    };
    let Asked {
        request,
        subject,
        command,
    } = asked(view, &call.request, settings)?;
    let mut draft = plan::draft(&request, settings, &|plain, target| -> Arc<dyn Finish> {
        Arc::new(Viewed {
            plain,
            view: Arc::clone(view),
            subject: subject.clone(),
            followup: Followup::new(&request, settings, target),
        })
    })?;
    if view.heavy() {
        draft.limits.cap = MAX_WHOLE;
    }
    // The request names its repository, wherever the repository came from.
    if let (Some(subject), Some(target)) = (subject, &mut draft.target) {
        target.source = subject.target.source;
        if subject.thing == Thing::Place {
            (target.owner, target.repo) = (subject.target.owner, subject.target.repo);
        }
    }
    if let Some(command) = command {
        draft.command = command;
    }
    Ok(draft)
}

/// The call that makes the look-up of `errand`, for the call of `request`.
///
/// # Errors
/// As [`Errand::begin`].
fn look_up(errand: &Arc<dyn Errand>, request: &Request) -> Result<ToolCall, Refusal> {
    errand.begin(request)?;
    Ok(ToolCall {
        view: Some(Arc::clone(errand).look_up()),
        ..Request {
            argv: errand.named().into(),
            ..request.clone()
        }
        .into()
    })
}

/// The Draft of the step `step` of `errand`.
///
/// # Errors
/// Each error of planning a call.
fn errand_draft(
    errand: &Arc<dyn Errand>,
    step: &Step,
    request: &Request,
    settings: &Settings,
) -> Result<Draft, Refusal> {
    match step {
        Step::LookUp => draft(&look_up(errand, request)?, settings),
        Step::Write => errand.draft(request, settings),
        Step::Failed(refusal) => Ok(Draft {
            class: Class::Write,
            command: errand.command().into(),
            argv: request.argv.clone(),
            refusal: Some(refusal.clone()),
            ..draft(&look_up(errand, request)?, settings)?
        }),
    }
}

/// The request that a view makes for a tool's call.
struct Asked {
    request: Request,
    /// What the call is about.
    subject: Option<Subject>,
    /// The command that the tool stands for, such as `pr view`, where the request is another: records and questions name this command.
    command: Option<String>,
}

impl Asked {
    /// The tool's own argv runs.
    fn as_given(request: Request, subject: Option<Subject>) -> Self {
        Self {
            request,
            subject,
            command: None,
        }
    }

    /// The request `argv`, which takes the place of the call of `request`; `own` is that call, parsed.
    fn instead(
        request: &Request,
        own: Option<Parsed>,
        argv: Vec<String>,
        subject: Subject,
    ) -> Self {
        Self {
            command: own.map(|call| call.leaf.path.clone()),
            request: Request {
                argv: argv.into(),
                ..request.clone()
            },
            subject: Some(subject),
        }
    }
}

fn asked(view: &Arc<dyn View>, request: &Request, settings: &Settings) -> Result<Asked, Refusal> {
    let names = view.names();
    if names.is_place() {
        return asked_of_place(view, request, names, settings);
    }
    let Some((request, thing)) = subject::spelled_out(request, names)? else {
        return Ok(Asked::as_given(request.clone(), None));
    };
    if !view.needs_subject() {
        return Ok(Asked::as_given(request, None));
    }
    let Some(subject) = subject::subject(&request, thing, settings)? else {
        return Ok(Asked::as_given(request, None));
    };
    let Some(argv) = view.request(&subject)? else {
        return Ok(Asked::as_given(request, Some(subject)));
    };
    let own = parsed(&request);
    if let Some(call) = &own {
        refuse_flags(call)?;
    }
    let there = Request {
        hostname: None,
        repo: Some(subject.target.to_string()),
        ..request
    };
    Ok(Asked::instead(&there, own, argv, subject))
}

fn parsed(request: &Request) -> Option<Parsed> {
    classify(request.argv.reveal()).parsed
}

/// The request of a view has no room for a flag that a person added to the tool's argv, other than one that names the repository.
///
/// # Errors
/// `bad-argument` that names the flag.
fn refuse_flags(call: &Parsed) -> Result<(), Refusal> {
    let mut flags = call.flags.iter().map(|given| &given.flag.name);
    match flags.find(|name| *name != "repo") {
        None => Ok(()),
        Some(name) => Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "This tool makes a request of its own, in which --{name} has no place.\nTake --{name} out; the tool `gh' runs the command as it is."
            ),
        )),
    }
}

/// As [`asked`], where the call is about a place alone.  The request goes to the place's host; it names the repository itself.
fn asked_of_place(
    view: &Arc<dyn View>,
    request: &Request,
    names: Names,
    settings: &Settings,
) -> Result<Asked, Refusal> {
    // A person who edits the call sees and changes the request itself.
    if request.edited {
        return Ok(Asked::as_given(request.clone(), None));
    }
    let subject = subject::place(request, names, settings)?;
    let Some(argv) = view.request(&subject)? else {
        return Ok(Asked::as_given(request.clone(), Some(subject)));
    };
    let there = Request {
        hostname: Some(subject.target.host.clone()),
        repo: None,
        ..request.clone()
    };
    Ok(Asked::instead(&there, parsed(request), argv, subject))
}

/// The installed gh and what `call` needs of it, where gh must be asked whether it has that before a Plan is made; `None` where the
/// answer is known or changes nothing.
///
/// # Errors
/// As [`plan`].
pub fn unasked(
    call: &ToolCall,
    settings: &Settings,
) -> Result<Option<(Installed, Needs)>, Refusal> {
    if let Some((errand, _)) = &call.errand {
        unasked(&look_up(errand, &call.request)?, settings)
    } else if call.download.is_some() {
        plan::unasked(&call.request, settings)
    } else {
        let request = match (call.bounded(), &call.view) {
            (Some((request, _)), _) => request,
            (None, None) => call.request.clone(),
            (None, Some(view)) => asked(view, &call.request, settings)?.request,
        };
        plan::unasked_unless_blocked(&request, settings)
    }
}

#[cfg(test)]
#[path = "../../../test/rust/gh/script.rs"]
mod script;
