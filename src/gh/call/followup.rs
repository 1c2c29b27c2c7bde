//! A further call that serves an earlier one, with the host, account, directory and policy of the earlier call.

use super::plan::draft_plain;
use super::request::{Request, Settings};
use crate::gate::{Draft, Plan, Refusal, Target};
use crate::run::Keep;

/// What all further calls of one call have in common with it.
#[derive(Clone, Debug)]
pub struct Followup {
    request: Request,
    settings: Settings,
    target: Target,
}

impl Followup {
    /// For further calls that serve the call of `request`, which went to `target`.
    pub fn new(request: &Request, settings: &Settings, target: &Target) -> Self {
        Self {
            request: Request {
                argv: Vec::new().into(),
                hostname: Some(target.host.clone()),
                repo: None,
                keep: None,
                edited: false,
                ..request.clone()
            },
            // The result becomes a part of the earlier call's result, and the budget applies to that.
            settings: Settings {
                result_budget: Some(usize::MAX),
                ..settings.clone()
            },
            target: target.clone(),
        }
    }

    /// The target of the earlier call.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The options under which the earlier call was planned.
    pub(in crate::gh) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Owner and repository of the earlier call's target, where the target has them.
    pub fn owner_and_repo(&self) -> Option<(&str, &str)> {
        Some((self.target.owner.as_deref()?, self.target.repo.as_deref()?))
    }

    /// The Plan of `argv`, judged like any other.
    ///
    /// # Errors
    /// As [`draft`](super::plan::draft).
    pub fn plan(&self, argv: Vec<String>) -> Result<Plan, Refusal> {
        Plan::new(self.draft(argv)?)
    }

    /// The Draft of `argv`: what [`Self::plan`] makes the Plan from.
    ///
    /// # Errors
    /// As [`draft`](super::plan::draft).
    pub(in crate::gh) fn draft(&self, argv: Vec<String>) -> Result<Draft, Refusal> {
        let request = Request {
            argv: argv.into(),
            ..self.request.clone()
        };
        draft_plain(&request, &self.settings)
    }

    /// As [`Self::plan`], with both ends of a long output kept.
    ///
    /// # Errors
    /// As [`draft`](super::plan::draft).
    pub fn plan_both_ends(&self, argv: Vec<String>) -> Result<Plan, Refusal> {
        let request = Request {
            argv: argv.into(),
            keep: Some(Keep::HeadTail),
            ..self.request.clone()
        };
        Plan::new(draft_plain(&request, &self.settings)?)
    }

    /// As [`Self::plan`], for a command that takes a repository: the call gets the repository of the earlier call.
    ///
    /// # Errors
    /// As [`draft`](super::plan::draft).
    pub fn plan_there(&self, argv: Vec<String>) -> Result<Plan, Refusal> {
        let repo = self
            .owner_and_repo()
            .map(|(owner, repo)| format!("{}/{owner}/{repo}", self.target.host));
        let request = Request {
            argv: argv.into(),
            hostname: None,
            repo,
            ..self.request.clone()
        };
        Plan::new(draft_plain(&request, &self.settings)?)
    }
}
