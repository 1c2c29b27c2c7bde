//! Making a pull request, once a person has said yes: the push, gh's own command, and the brief of what came.

use std::path::PathBuf;
use std::sync::Arc;

use crate::gate::{Cleaner, ErrorKind, Finish, Plan, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::call::plan::draft as draft_of;
use crate::gh::call::request::{Request, Settings};
use crate::gh::place::reference::{Reference, Thing};
use crate::gh::tools::subject::Subject;
use crate::gh::tools::view::{Around, View, ViewOptions};
use crate::gh::tools::views;
use crate::gh::tools::worktree::site::Site;
use crate::git::command::{Command, text};
use crate::git::commits::short;
use crate::git::scratch::Scratch;
use crate::run::Captured;

/// The push of the branch.
pub struct Push {
    /// The place of the repository for the push.
    pub directory: PathBuf,
    /// The command, as the question showed it.
    pub command: Command,
    /// Where the checkout's history is cut.
    pub shallow: String,
    /// The address of the repository that is pushed to.
    pub address: String,
    /// The branch there.
    pub branch: String,
    /// The commit of that branch when the person was asked; `None`: there was no such branch.
    pub seen: Option<String>,
}

/// Makes the pull request.
pub struct Making {
    /// The push; `None`: `gh pr create` is the call itself.
    pub push: Option<Push>,
    /// Finishes `gh pr create` as any call of gh.
    pub plain: Arc<dyn Finish>,
    /// The call of `gh pr create`.
    pub create: Request,
    pub settings: Settings,
    pub followup: Followup,
    pub site: Site,
    /// The head, for a sentence.
    pub head: String,
    pub budget: usize,
}

impl Finish for Making {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let printed = if let Some(push) = &self.push {
            self.check_remote(push, clean, reads)?;
            let scratch = Scratch::make(&push.directory, &push.shallow)?;
            self.site.git.step(&push.command, reads)?;
            drop(scratch);
            let create = draft_of(&self.create, &self.settings, &|plain, _| Arc::new(plain))?;
            let made = reads.run(Plan::new(create)?);
            text(&made.map_err(|refusal| self.after_push(&refusal, clean))?)
        } else {
            self.plain.finish(captured, clean, reads)?
        };
        let url = printed.lines().rev().find(|line| line.contains("://"));
        let url = clean.line(url.unwrap_or_default().trim());
        let brief = self.brief(&url, clean, reads);
        let mut told = format!("Opened {url}");
        if self.push.is_some() {
            told = format!("Pushed {} and opened {url}", clean.line(&self.head));
        }
        match brief {
            Some(brief) => {
                told.push('\n');
                told.push_str(&brief);
            }
            None => told.push_str("\n[it could not be read back; gh_pr_view shows it]"),
        }
        Ok(told)
    }

    fn budget(&self) -> usize {
        self.budget
    }
}

impl Making {
    /// Refuses where the branch on the host is not as the question showed it.
    fn check_remote(
        &self,
        push: &Push,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<(), Refusal> {
        let now = self
            .site
            .git
            .remote_tip(&push.address, &push.branch, reads)?;
        if now == push.seen {
            return Ok(());
        }
        let has = now.map_or_else(
            || "is not there any more".to_owned(),
            |sha| format!("is there, at {}", short(&sha)),
        );
        Err(Refusal::new(
            ErrorKind::Failed,
            format!(
                "The branch {} has changed on the host since the person was asked: it {has}.\nCall this again; nothing was pushed or opened.",
                clean.line(&self.head)
            ),
        ))
    }

    /// `refusal` of gh, with what was done before it.
    fn after_push(&self, refusal: &Refusal, clean: &Cleaner) -> Refusal {
        let words = &refusal.message;
        Refusal::new(
            refusal.kind,
            format!(
                "The branch {} was pushed, but no pull request was opened: {words}\nCall this again without `push' once that is mended.",
                clean.line(&self.head)
            ),
        )
    }

    /// The brief of the pull request at `url`; `None` where it cannot be read.
    fn brief(&self, url: &str, clean: &Cleaner, reads: &mut dyn Reads) -> Option<String> {
        let reference = Reference::read(url).ok()?;
        let (Thing::Number(number) | Thing::Item(number)) = reference.thing else {
            return None;
        };
        let subject = Subject {
            thing: Thing::Item(number),
            target: self.followup.target().clone(),
        };
        let view: Arc<dyn View> = views::named("pr-brief", &ViewOptions::default())?;
        let argv = view.request(&subject).ok().flatten()?;
        let plan = self.followup.plan_there(argv).ok()?;
        let captured = reads.run(plan).ok()?;
        let mut around = Around {
            subject: Some(&subject),
            followup: &self.followup,
            reads,
            clean,
        };
        view.render(&captured, &mut around).ok()
    }
}
