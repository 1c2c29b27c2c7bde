//! The tool `gh_pr_push`: the commits of a pull request's worktree go to the branch that the pull request is made from, and nowhere else.
//!
//! Which branch that is says GitHub, each time: nothing on this machine, which an agent could edit, decides about the target.

mod compare;

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::Value;

use self::compare::{Found, Looking};
use super::checkout::{place_and_account, pull_rows, read_local};
use super::pulls::{Pull, objects, request as pulls_request};
use super::site::{Site, plain_read};
use crate::gate::call::question::{Fact, Tone};
use crate::gate::decide::policy;
use crate::gate::{Class, Cleaner, Draft, ErrorKind, Finish, Question, Reads, Refusal};
use crate::gh::call::request::{Request, Settings};
use crate::gh::judge::api::is_name;
use crate::gh::judge::approval::ACTS;
use crate::gh::place::context::is_branch;
use crate::gh::tools::errand::{Errand, Findings, flag, pull_request, refuse_edit};
use crate::gh::tools::subject::{Names, Subject};
use crate::gh::tools::view::{Around, View, answer, unread};
use crate::git::command::Command;
use crate::git::commits::{Changed, Commit, commit_lines, file_lines, short, sum};
use crate::git::place::Kind;
use crate::git::store::Store;
use crate::run::Captured;
use crate::text::numbers::grouped;

/// The commits of a pull request that GitHub is asked for: those that a push may drop.
const COMMITS: &str =
    "commits(last:100){totalCount nodes{commit{oid messageHeadline author{name}}}}";

/// The push of a pull request's worktree.
#[derive(Debug)]
pub struct Push {
    /// The argv of the look-up, which names the pull request.
    named: Vec<String>,
    /// Whether commits on GitHub that the worktree lacks may be dropped.
    force: bool,
    found: Findings<Found>,
}

impl Push {
    /// The push with the arguments `args` of the tool.
    ///
    /// # Errors
    /// `bad-argument` for a name that begins with a dash.
    pub fn make(args: &Value) -> Result<Arc<dyn Errand>, Refusal> {
        Ok(Arc::new(Self {
            named: pull_request(args)?,
            force: flag(args, "force_with_lease"),
            found: Findings::default(),
        }))
    }
}

/// The command that pushes `tip` to `branch` of the repository `address`; with `lease`, only while the branch is at that commit.
pub(super) fn push_command(
    directory: &std::path::Path,
    address: &str,
    tip: &str,
    branch: &str,
    lease: Option<&str>,
) -> Result<Command, Refusal> {
    let mut words: Vec<String> = [
        "push",
        "--porcelain",
        "--no-verify",
        "--no-follow-tags",
        "--no-signed",
        "--recurse-submodules=no",
    ]
    .map(str::to_owned)
    .into();
    if let Some(lease) = lease {
        words.push(format!("--force-with-lease=refs/heads/{branch}:{lease}"));
    }
    words.push(address.to_owned());
    words.push(format!("{tip}:refs/heads/{branch}"));
    Ok(Command::on(directory, &words)?.remote())
}

impl Push {
    /// The address of the repository that has the branch of `pull`.
    fn address(site: &Site, pull: &Pull) -> String {
        let repository = pull.repository.as_deref().unwrap_or_default();
        let (owner, repo) = repository.split_once('/').unwrap_or_default();
        site.place.address_of(owner, repo)
    }

    fn command_of(site: &Site, found: &Found) -> Result<Command, Refusal> {
        push_command(
            &site.place.store(),
            &Self::address(site, &found.pull),
            &found.tip,
            &found.pull.head,
            found.forced.then_some(found.pull.sha.as_str()),
        )
    }
}

impl Errand for Push {
    fn command(&self) -> &'static str {
        "pr push"
    }

    fn named(&self) -> Vec<String> {
        self.named.clone()
    }

    fn look_up(self: Arc<Self>) -> Arc<dyn View> {
        Arc::new(LookUp(self))
    }

    fn draft(&self, request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
        let (target, found) = self.found.get()?;
        refuse_edit(request)?;
        let read = plain_read(request, settings, &target)?;
        let site = Site::new(settings, &target, &read)?;
        let command = Self::command_of(&site, &found)?;
        let clean = &read.clean;
        let target = site.git.target.clone();
        let head = found.pull.shown_head(clean);
        let count = |n: u64| {
            let word = if n == 1 { "commit" } else { "commits" };
            format!("{} {word}", grouped(n))
        };
        let sentence = if found.forced {
            format!(
                "Replace {} on {head}, the branch of pull request #{}, by {}",
                count(found.dropped_total),
                found.pull.number,
                count(found.new_total)
            )
        } else {
            format!(
                "Push {} to {head}, the branch of pull request #{}",
                count(found.new_total),
                found.pull.number
            )
        };
        let mut argv: Vec<String> = ["pr", "push"].map(str::to_owned).into();
        argv.push(found.pull.number.to_string());
        argv.extend(self.force.then(|| "--force-with-lease".to_owned()));
        argv.extend(["--repo".to_owned(), target.to_string()]);
        let policy = policy::for_host(&settings.policies, &target.host, ACTS);
        let mut limits = read.limits.clone();
        limits.timeout = site.git.timeout;
        Ok(Draft {
            class: Class::Write,
            command: self.command().into(),
            reason: "It pushes commits to the branch of a pull request.".into(),
            argv: argv.into(),
            parts: vec![site.git.line(&command)?],
            answer: policy.answer(Class::Write),
            question: Question {
                sentence: format!("{sentence}{}", place_and_account(&target)),
                undo: if found.forced {
                    "The commits that are replaced can be found again only by their numbers, and only for a while; others may have built on them."
                } else {
                    "Commits that were pushed can be reverted, and their texts may have been read."
                }
                .into(),
                rows: rows(&found, clean),
                no_lease: Some("a person has to see the commits"),
                ..Question::default()
            },
            leases: false,
            refusal: None,
            limits,
            finish: Arc::new(Pushing {
                command,
                site,
                budget: read.finish.budget(),
                found,
            }),
            ..read
        })
    }
}

/// The rows of the question.
fn rows(found: &Found, clean: &Cleaner) -> Vec<Fact> {
    let mut rows = pull_rows(&found.pull, clean);
    let lines = commit_lines(&found.dropped, found.dropped_total, clean);
    rows.extend(lines.into_iter().map(|text| Fact {
        label: "Drops",
        text,
        tone: Tone::Bad,
    }));
    rows.extend(change_rows(
        &found.new,
        found.new_total,
        found.files.as_deref(),
        clean,
    ));
    let uncommitted = found.local.changed.as_ref().map_or(0, Vec::len);
    if uncommitted > 0 {
        rows.push(Fact {
            label: "Not pushed",
            text: match uncommitted {
                1 => "one file with changes that were not committed".to_owned(),
                n => format!("{n} files with changes that were not committed"),
            },
            tone: Tone::Warning,
        });
    }
    rows.extend(found.told.iter().map(|sentence| Fact {
        label: "Mended",
        text: clean.line(sentence),
        tone: Tone::Warning,
    }));
    rows
}

/// The rows about the commits `new`, the first of `total`, and the files that they change.
pub(super) fn change_rows(
    new: &[Commit],
    total: u64,
    files: Option<&[Changed]>,
    clean: &Cleaner,
) -> Vec<Fact> {
    let lines = commit_lines(new, total, clean);
    let mut rows: Vec<Fact> = lines
        .into_iter()
        .map(|text| Fact::plain("Commit", text))
        .collect();
    match files {
        Some(files) => {
            rows.push(Fact::plain("Changes", sum(files)));
            let lines = file_lines(files, clean);
            rows.extend(lines.into_iter().map(|text| Fact::plain("File", text)));
        }
        None => rows.push(Fact {
            label: "Changes",
            text: "what changes on the branch cannot be told: its present commit is not on this machine".into(),
            tone: Tone::Warning,
        }),
    }
    rows
}

/// Pushes, once a person has said yes.
struct Pushing {
    site: Site,
    command: Command,
    found: Found,
    budget: usize,
}

impl Finish for Pushing {
    fn finish(
        &self,
        _: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let Found { pull, tip, .. } = &self.found;
        let lock = self.site.place.lock(&mut || reads.go_on())?;
        let store = Store::open(&self.site.place, &lock)?;
        let mut told = self.found.told.clone();
        told.extend(store.mend()?);
        self.check_remote(clean, reads)?;
        self.site.git.step(&self.command, reads)?;
        if let Err(refusal) = store.know_head(&Kind::Pull(pull.number), tip) {
            // The commits are on GitHub all the same.
            told.push(format!("this is not noted here: {}", refusal.message));
        }
        let mut text = format!(
            "Pushed {} to {}: {} is at {} now, was {}\n{}",
            match self.found.new_total {
                1 => "1 commit".to_owned(),
                n => format!("{} commits", grouped(n)),
            },
            pull.shown_head(clean),
            clean.line(&pull.head),
            short(tip),
            short(&pull.sha),
            clean.line(&pull.url)
        );
        for sentence in told {
            let _ = write!(text, "\n[{}]", clean.line(&sentence));
        }
        Ok(text)
    }

    fn budget(&self) -> usize {
        self.budget
    }
}

impl Pushing {
    /// Refuses where the branch is not where the question showed it: git itself would make it anew where it was deleted, and would bring back
    /// commits that somebody took away.
    fn check_remote(&self, clean: &Cleaner, reads: &mut dyn Reads) -> Result<(), Refusal> {
        let pull = &self.found.pull;
        let address = Push::address(&self.site, pull);
        let now = self.site.git.remote_tip(&address, &pull.head, reads)?;
        let has = match &now {
            Some(sha) if *sha == pull.sha => return Ok(()),
            Some(sha) => format!("is at {} now", short(sha)),
            None => "is not there any more".to_owned(),
        };
        Err(Refusal::new(
            ErrorKind::Failed,
            format!(
                "The branch {} {has}; it was at {} when the person was asked.\nCall it again; nothing was pushed.",
                pull.shown_head(clean),
                short(&pull.sha)
            ),
        ))
    }
}

/// The look-up of a push.
#[derive(Debug)]
struct LookUp(Arc<Push>);

impl View for LookUp {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        let subjects = std::slice::from_ref(subject);
        Ok(Some(pulls_request(subjects, "PullRequestBranch", COMMITS)))
    }

    fn serves(&self, captured: &Captured) -> bool {
        answer(captured).is_some_and(|answer| answer["data"]["repository"].is_object())
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let subject = around.subject.ok_or_else(unread)?;
        let answer = answer(captured).ok_or_else(unread)?;
        let object = objects(&answer, std::slice::from_ref(subject), around.clean)?[0];
        let pull = Pull::read(object)?;
        check_target(&pull, around.clean)?;
        let target = around.followup.target().clone();
        let site = Site::of(around.followup, &target)?;
        let kind = Kind::Pull(pull.number);
        let (mut locals, told) = read_local(&site, std::slice::from_ref(&kind), around.reads)?;
        let local = locals.pop().unwrap_or_default();
        let Some(tip) = local.tip.clone() else {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "Pull request #{} is not checked out here, so there is nothing to push.\nCheck it out with gh_pr_checkout, and commit in its worktree.",
                    pull.number
                ),
            ));
        };
        if let Some(on) = local.shown_elsewhere(around.clean) {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The worktree of #{0} is {on} and not on pr-{0}, from which commits are pushed.\nSwitch it to pr-{0} and merge there what is to be pushed, or ask the person to do so.",
                    pull.number
                ),
            ));
        }
        let looking = Looking {
            site: &site,
            pull: &pull,
            tip: &tip,
        };
        let found = looking.compare(object, local, told, self.0.force, around)?;
        let text = format!(
            "{} commits, {} dropped",
            found.new_total, found.dropped_total
        );
        self.0.found.keep(&target, found);
        Ok(text)
    }
}

/// Checks that the branch of `pull` is there and can be pushed to.
///
/// # Errors
/// Why not.
fn check_target(pull: &Pull, clean: &Cleaner) -> Result<(), Refusal> {
    let number = pull.number;
    if pull.state != "OPEN" {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "Pull request #{number} is {}, so nothing is pushed to its branch.\nOpen a new one with gh_pr_create.",
                pull.state.to_ascii_lowercase()
            ),
        ));
    }
    let repository = pull
        .repository
        .as_deref()
        .and_then(|name| name.split_once('/'));
    let named = repository.is_some_and(|(owner, repo)| is_name(owner) && is_name(repo));
    if !named || !is_branch(&pull.head) {
        return Err(Refusal::new(
            ErrorKind::NotFound,
            format!(
                "The branch of pull request #{number}, {}, is not there any more.\nPush to another branch and open a new pull request (gh_pr_create).",
                clean.line(&pull.head)
            ),
        ));
    }
    Ok(())
}
