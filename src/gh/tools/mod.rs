//! What a tool asks for: one call, and how its result is rendered.  A tool that makes further calls has a file of its own here.

pub mod diff_part;
pub mod download;
pub mod failed_logs;
mod finish;
mod item;
pub mod list_total;
pub mod run_watch;
pub mod subject;
pub mod view;
pub mod views;

use std::sync::Arc;

use self::download::Download;
use self::finish::Viewed;
use self::subject::{Names, Subject};
use self::view::View;
use super::call::followup::Followup;
use super::call::plan;
use super::call::request::{Request, Settings};
use super::installed::Installed;
use super::needs::Needs;
use crate::gate::{Draft, Finish, Plan, Refusal};

/// A call as a tool makes it.
#[derive(Clone, Debug, Default)]
pub struct ToolCall {
    /// The call itself.
    pub request: Request,
    /// How its result is rendered; `None`: the result is the text that gh printed.
    pub view: Option<Arc<dyn View>>,
    /// The artifact to download, where the call asks for one.
    pub download: Option<Download>,
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
    if let Some(wanted) = &call.download {
        return download::draft(wanted, &call.request, settings);
    }
    let Some(view) = &call.view else {
        return plan::draft(&call.request, settings, &|plain, _| Arc::new(plain));
    };
    let (request, subject) = asked(view, &call.request, settings)?;
    let mut draft = plan::draft(&request, settings, &|plain, target| -> Arc<dyn Finish> {
        Arc::new(Viewed {
            plain,
            view: Arc::clone(view),
            subject: subject.clone(),
            followup: Followup::new(&request, settings, target),
        })
    })?;
    // The request names its repository, wherever the repository came from.
    if let (Some(subject), Some(target)) = (subject, &mut draft.target) {
        target.source = subject.target.source;
    }
    Ok(draft)
}

/// The request that `view` makes for the call of `request`, and what the call is about.
fn asked(
    view: &Arc<dyn View>,
    request: &Request,
    settings: &Settings,
) -> Result<(Request, Option<Subject>), Refusal> {
    let names = view.names();
    if names == Names::AsGiven {
        return Ok((request.clone(), None));
    }
    let (request, thing) = subject::spelled_out(request, names)?;
    let Some(subject) = subject::subject(&request, thing, settings)? else {
        return Ok((request, None));
    };
    let request = match view.request(&subject)? {
        None => request,
        Some(argv) => Request {
            argv: argv.into(),
            hostname: None,
            repo: Some(subject.target.to_string()),
            ..request
        },
    };
    Ok((request, Some(subject)))
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
    if call.download.is_some() {
        plan::unasked(&call.request, settings)
    } else {
        let request = match &call.view {
            None => call.request.clone(),
            Some(view) => asked(view, &call.request, settings)?.0,
        };
        plan::unasked_unless_blocked(&request, settings)
    }
}
