//! The tool `gh_repo_clone`: a branch of a repository in a worktree, by the same means as a pull request.

use std::sync::Arc;

use serde_json::Value;

use super::checkout::{LayDraft, read_local, way_rows};
use super::site::{Site, plain_read};
use super::state::Local;
use super::way::{Item, Way};
use crate::gate::call::question::Fact;
use crate::gate::{Cleaner, Draft, ErrorKind, Refusal};
use crate::gh::call::request::{Request, Settings};
use crate::gh::graphql::query::Query;
use crate::gh::place::context::is_branch;
use crate::gh::tools::errand::{Errand, Findings, bad, flag, refuse_edit, text};
use crate::gh::tools::subject::{Names, Subject};
use crate::gh::tools::view::{Around, View, answer, unread};
use crate::git::commits::{is_sha, short};
use crate::git::place::{Kind, is_ours};
use crate::run::Captured;
use crate::text::numbers::size;

/// The clone of a repository.
#[derive(Debug)]
pub struct Clone {
    /// The branch; `None`: the repository's default branch.
    branch: Option<String>,
    /// Whether a branch that is at another commit is set to the repository's.
    force: bool,
    found: Findings<Found>,
}

/// What the look-up found.
#[derive(Clone, Debug)]
struct Found {
    branch: String,
    sha: String,
    /// `private`, `archived` and the size, for a row.
    facts: Vec<String>,
    local: Local,
    told: Vec<String>,
}

impl Clone {
    /// The clone with the arguments `args` of the tool.
    ///
    /// # Errors
    /// `bad-argument` where the branch cannot be one.
    pub fn make(args: &Value) -> Result<Arc<dyn Errand>, Refusal> {
        let branch = text(args, "branch");
        if let Some(branch) = &branch {
            check_branch(branch)?;
        }
        Ok(Arc::new(Self {
            branch,
            force: flag(args, "force"),
            found: Findings::default(),
        }))
    }

    fn request(&self, subject: &Subject) -> Vec<String> {
        let mut query = Query::new(&subject.target.host);
        let target = &subject.target;
        query.text("owner", "String!", target.owner.clone().unwrap_or_default());
        query.text("repo", "String!", target.repo.clone().unwrap_or_default());
        let mut fields = String::from(
            "nameWithOwner isPrivate isArchived diskUsage defaultBranchRef{name target{oid}}",
        );
        if let Some(branch) = &self.branch {
            query.text("branch", "String!", format!("refs/heads/{branch}"));
            fields.push_str(" ref(qualifiedName:$branch){name target{oid}}");
        }
        let root = format!("repository(owner:$owner,name:$repo){{{fields}}}");
        query.argv("RepositoryHead", &root, None)
    }
}

/// Most bytes of the name of a worktree's directory: a file system takes 255, and files with some more stand beside it for a while.
const MOST_OF_A_NAME: usize = 200;

/// Checks that `branch` can be the name of a branch that gets a worktree.
///
/// # Errors
/// `bad-argument`.
fn check_branch(branch: &str) -> Result<(), Refusal> {
    if !is_branch(branch) {
        return Err(bad(
            "branch",
            "names no branch",
            "Give its name without refs/heads/.",
        ));
    }
    if Kind::Branch(branch.to_owned()).name().len() > MOST_OF_A_NAME {
        return Err(bad(
            "branch",
            "has a name that is too long for that of a directory",
            "Ask the person to clone it in a terminal.",
        ));
    }
    if is_ours(branch) {
        return Err(bad(
            "branch",
            "has the name that a pull request's worktree has",
            "For a pull request use gh_pr_checkout.",
        ));
    }
    Ok(())
}

impl Errand for Clone {
    fn command(&self) -> &'static str {
        "repo clone"
    }

    fn named(&self) -> Vec<String> {
        ["repo", "view"].map(str::to_owned).into()
    }

    fn look_up(self: Arc<Self>) -> Arc<dyn View> {
        Arc::new(LookUp(self))
    }

    fn draft(&self, request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
        let (target, found) = self.found.get()?;
        refuse_edit(request)?;
        let read = plain_read(request, settings, &target)?;
        let site = Site::new(settings, &target, &read)?;
        let branch = read.clean.line(&found.branch);
        let item = Item {
            kind: Kind::Branch(found.branch.clone()),
            sha: found.sha.clone(),
            what: format!("The branch {branch}"),
            from: target.to_string(),
        };
        let mut rows = vec![
            Fact::plain("Branch", format!("{branch} at {}", short(&found.sha))),
            Fact::plain("Repository", found.facts.join(", ")),
        ];
        let (items, seen, refusal) = match Way::of(&item, &found.local, self.force, &read.clean) {
            Ok(way) => {
                rows.extend(way_rows(&way, &item, &found.local, &site, &read.clean));
                (vec![(item, way)], vec![found.local.clone()], None)
            }
            Err(refusal) => (Vec::new(), Vec::new(), Some(refusal)),
        };
        let draft = LayDraft {
            command: self.command(),
            argv: ["repo", "clone", "--branch", &found.branch]
                .map(str::to_owned)
                .into(),
            sentence: format!("Clone the branch {branch}"),
            rows,
            items,
            seen,
            refusal,
            force: self.force,
            told: found.told,
        };
        draft.draft(read, site, settings)
    }
}

/// The look-up of a clone.
#[derive(Debug)]
struct LookUp(Arc<Clone>);

impl View for LookUp {
    fn names(&self) -> Names {
        Names::Repository
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        if subject.target.repo.is_none() {
            return Err(bad("repo", "is missing", "Give [HOST/]OWNER/REPO."));
        }
        Ok(Some(self.0.request(subject)))
    }

    fn serves(&self, captured: &Captured) -> bool {
        answer(captured).is_some_and(|answer| answer["data"]["repository"].is_object())
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let subject = around.subject.ok_or_else(unread)?;
        let answer = answer(captured).ok_or_else(unread)?;
        let repository = &answer["data"]["repository"];
        check_name(repository, subject, around.clean)?;
        let tip = if self.0.branch.is_some() {
            &repository["ref"]
        } else {
            &repository["defaultBranchRef"]
        };
        let (Some(branch), Some(sha)) = (tip["name"].as_str(), tip["target"]["oid"].as_str())
        else {
            return Err(Refusal::new(
                ErrorKind::NotFound,
                match &self.0.branch {
                    Some(branch) => format!(
                        "There is no branch {} in {}.\nLook with gh: api repos/OWNER/REPO/branches.",
                        around.clean.line(branch),
                        subject.target
                    ),
                    None => format!(
                        "{} has no commits yet.\nThere is nothing to clone.",
                        subject.target
                    ),
                },
            ));
        };
        check_branch(branch)?;
        if !is_sha(sha) {
            return Err(unread());
        }
        let kind = Kind::Branch(branch.to_owned());
        let site = Site::of(around.followup, &subject.target)?;
        let (mut locals, told) = read_local(&site, &[kind], around.reads)?;
        let found = Found {
            branch: branch.to_owned(),
            sha: sha.to_owned(),
            facts: facts(repository),
            local: locals.pop().unwrap_or_default(),
            told,
        };
        self.0.found.keep(&subject.target, found);
        Ok(format!("{} at {}", around.clean.line(branch), short(sha)))
    }
}

/// Checks that GitHub's answer is about the repository that was asked for, which may have been renamed.
///
/// # Errors
/// `not-found` that names the repository's present name.
pub(super) fn check_name(
    repository: &Value,
    subject: &Subject,
    clean: &Cleaner,
) -> Result<(), Refusal> {
    let asked = format!(
        "{}/{}",
        subject.target.owner.as_deref().unwrap_or_default(),
        subject.target.repo.as_deref().unwrap_or_default()
    );
    match repository["nameWithOwner"].as_str() {
        Some(now) if !now.eq_ignore_ascii_case(&asked) => Err(Refusal::new(
            ErrorKind::NotFound,
            format!("{asked} is {} now.\nUse that name.", clean.line(now)),
        )),
        _ => Ok(()),
    }
}

/// What GitHub says of the repository, for a row.
fn facts(repository: &Value) -> Vec<String> {
    let mut facts = vec![
        if repository["isPrivate"] == true {
            "private"
        } else {
            "public"
        }
        .to_owned(),
    ];
    if repository["isArchived"] == true {
        facts.push("archived".into());
    }
    if let Some(kilobytes) = repository["diskUsage"].as_u64() {
        facts.push(format!(
            "about {} on GitHub",
            size(kilobytes.saturating_mul(1000))
        ));
    }
    facts
}
