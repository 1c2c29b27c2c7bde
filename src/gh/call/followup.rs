//! A further call for the same place: the host, account, directory and policy of the call that it serves.

use super::plan::draft_plain;
use super::request::{Request, Settings};
use crate::gate::{Draft, Plan, Refusal, Target};
use crate::run::Keep;

/// What a further call has in common with the one that it serves.
#[derive(Clone, Debug)]
pub struct Followup {
    request: Request,
    settings: Settings,
    target: Target,
}

impl Followup {
    /// For calls that serve the one of `request`, which went to `target`.
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
            // Its result is part of another, which has a budget.
            settings: Settings {
                result_budget: Some(usize::MAX),
                ..settings.clone()
            },
            target: target.clone(),
        }
    }

    /// Where the call went.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Owner and repository, where the call went to one.
    pub fn owner_and_repo(&self) -> Option<(&str, &str)> {
        Some((self.target.owner.as_deref()?, self.target.repo.as_deref()?))
    }

    /// The Plan of `argv`, judged like any other.
    ///
    /// # Errors
    /// As [`draft`](super::plan::draft).
    pub fn plan(&self, argv: Vec<String>) -> Result<Plan, Refusal> {
        let request = Request {
            argv: argv.into(),
            ..self.request.clone()
        };
        Plan::new(draft_plain(&request, &self.settings)?)
    }

    /// What that Plan is made of.
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

    /// The same, with both ends of a long output kept.
    ///
    /// # Errors
    /// As [`draft`](super::plan::draft).
    pub fn both_ends(&self, argv: Vec<String>) -> Result<Plan, Refusal> {
        let request = Request {
            argv: argv.into(),
            keep: Some(Keep::HeadTail),
            ..self.request.clone()
        };
        Plan::new(draft_plain(&request, &self.settings)?)
    }

    /// The same for a command that takes a repository, which is that of the call.
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
