//! The tool `gh_pr_create`: a new pull request, whose branch may be pushed first under the same yes.
//!
//! `gh pr create` gets every text as an argument, so there is no editor and no file.  What the pull request would contain is read before
//! the question: from the checkout where it is pushed, else from GitHub.

mod github;
mod local;
mod making;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use self::github::{Wanted, Where};
use self::local::{Checkout, Contents, Tip};
use self::making::{Making, Push};
use super::push::{change_rows, push_command};
use super::site::{Site, plain_read};
use crate::gate::call::question::{Fact, Tone};
use crate::gate::{Class, Cleaner, Cwd, Draft, ErrorKind, Refusal, Target};
use crate::gh::call::fill::filled_texts;
use crate::gh::call::followup::Followup;
use crate::gh::call::plan::draft as draft_of;
use crate::gh::call::request::{Request, Settings, hosts, logins};
use crate::gh::place::context::{BranchRef, GitFacts, branch_ref, is_branch, remote_of};
use crate::gh::tools::errand::{Errand, Findings, bad, changed_texts, flag, text, texts, there};
use crate::gh::tools::subject::{Names, Subject};
use crate::gh::tools::view::{Around, View, answer, unread};
use crate::git::commits::{Changed, Commit, short};
use crate::git::scratch;
use crate::run::Captured;

/// The longest title or body, in bytes: one word of a command line may have 131,071 (execve(2)), and GitHub takes 65,536 characters.
const MAX_TEXT: usize = 131_000;

/// A new pull request.
#[derive(Debug)]
pub struct Create {
    title: Option<String>,
    body: Option<String>,
    base: Option<String>,
    head: Option<String>,
    draft: bool,
    fill: bool,
    push: bool,
    reviewers: Vec<String>,
    assignees: Vec<String>,
    labels: Vec<String>,
    /// What the checkout says, from the request of the look-up.
    checkout: Mutex<Option<Here>>,
    found: Findings<Found>,
    /// The place of the repository for the push, which the question names.
    scratch: OnceLock<PathBuf>,
}

/// What the checkout says before GitHub is asked.
#[derive(Clone, Debug)]
struct Here {
    wanted: Wanted,
    /// The checkout's own name of the branch, and its directory; `None` where the caller names a head in another place.
    local: Option<(String, PathBuf)>,
    facts: GitFacts,
}

/// What the look-up found.
#[derive(Clone, Debug)]
struct Found {
    goal: Where,
    wanted: Wanted,
    contents: Contents,
    /// The commit that is pushed first, and where its objects are.
    tip: Option<Tip>,
    /// What the checkout has that GitHub lacks, where nothing is pushed.
    behind: Option<String>,
}

impl Create {
    /// The pull request with the arguments `args` of the tool.
    ///
    /// # Errors
    /// `bad-argument` for arguments that do not go together.
    pub fn make(args: &Value) -> Result<Arc<dyn Errand>, Refusal> {
        let (title, body, fill) = (text(args, "title"), text(args, "body"), flag(args, "fill"));
        if fill && (title.is_some() || !args["body"].is_null()) {
            return Err(bad(
                "fill",
                "takes title and body from the commits, so neither can be given beside it",
                "Give `fill' alone, or `title' and `body'.",
            ));
        }
        let blank = |text: &Option<String>| text.as_ref().is_none_or(|text| text.trim().is_empty());
        if !fill && blank(&title) {
            return Err(bad(
                "title",
                "is missing",
                "Give a title, or `fill': true to take title and body from the commits.",
            ));
        }
        fits_github(&[title.as_deref(), body.as_deref()])?;
        let branch = |name: &'static str, with_owner: bool| {
            let Some(branch) = text(args, name) else {
                return Ok(None);
            };
            let own = branch.split_once(':').filter(|_| with_owner);
            let plain = own.map_or(branch.as_str(), |(_, branch)| branch);
            let owner = own.is_none_or(|(owner, _)| crate::gh::judge::api::is_name(owner));
            if is_branch(plain) && owner {
                Ok(Some(branch))
            } else {
                Err(bad(
                    name,
                    "names no branch",
                    "Give its name without refs/heads/; a head may be OWNER:BRANCH.",
                ))
            }
        };
        let all = |name: &'static str| {
            let all = texts(args, name);
            if all.iter().any(|one| {
                one.trim().is_empty() || one.starts_with('-') || one.contains(['\n', '\0'])
            }) {
                return Err(bad(
                    name,
                    "has an entry that is no name",
                    "Give one name for each.",
                ));
            }
            Ok(all)
        };
        Ok(Arc::new(Self {
            base: branch("base", false)?,
            head: branch("head", true)?,
            draft: flag(args, "draft"),
            push: flag(args, "push"),
            reviewers: all("reviewers")?,
            assignees: all("assignees")?,
            labels: all("labels")?,
            title,
            body,
            fill,
            checkout: Mutex::default(),
            found: Findings::default(),
            scratch: OnceLock::new(),
        }))
    }

    fn here(&self) -> Result<Here, Refusal> {
        let here = self.checkout.lock().unwrap_or_else(PoisonError::into_inner);
        here.clone().ok_or_else(unread)
    }

    /// Title and body.
    fn texts(&self, found: &Found) -> Result<(String, String), Refusal> {
        if self.fill {
            return filled_texts(&found.contents.messages(), &found.wanted.branch);
        }
        let own = |text: &Option<String>| text.clone().unwrap_or_default();
        Ok((own(&self.title), own(&self.body)))
    }

    /// The argv of `gh pr create`, without the repository.
    fn argv(&self, found: &Found, (title, body): (String, String)) -> Vec<String> {
        let head = if found.goal.other {
            format!("{}:{}", found.goal.owner, found.wanted.branch)
        } else {
            found.wanted.branch.clone()
        };
        let mut argv: Vec<String> = ["pr", "create"].map(str::to_owned).into();
        for (flag, value) in [
            ("head", head),
            ("base", found.goal.base.clone()),
            ("title", title),
            ("body", body),
        ] {
            argv.push(format!("--{flag}={value}"));
        }
        argv.extend(self.draft.then(|| "--draft".to_owned()));
        for (flag, values) in [
            ("reviewer", &self.reviewers),
            ("assignee", &self.assignees),
            ("label", &self.labels),
        ] {
            argv.extend(values.iter().map(|value| format!("--{flag}={value}")));
        }
        argv
    }

    fn rows(&self, found: &Found, target: &Target, clean: &Cleaner) -> Vec<Fact> {
        let goal = &found.goal;
        let warning = |label, text| Fact {
            label,
            text,
            tone: Tone::Warning,
        };
        let head = format!(
            "{}/{}:{}",
            goal.owner,
            goal.repo,
            clean.line(&found.wanted.branch)
        );
        let mut rows = vec![Fact::plain(
            "Into",
            format!(
                "{target}, branch {} at {}",
                clean.line(&goal.base),
                short(&goal.base_sha)
            ),
        )];
        rows.push(match (&found.tip, &goal.head_sha) {
            (Some(tip), Some(old)) if *old != tip.sha => Fact::plain(
                "Pushes",
                format!(
                    "{head}, from {} to {}, without force",
                    short(old),
                    short(&tip.sha)
                ),
            ),
            (Some(tip), None) => Fact::plain(
                "Pushes",
                format!("{head}, a new branch at {}", short(&tip.sha)),
            ),
            (_, sha) => Fact::plain(
                "From",
                format!("{head} at {}", short(sha.as_deref().unwrap_or_default())),
            ),
        });
        if goal.other
            && let Some(parent) = &goal.parent
        {
            rows.push(warning(
                "Fork",
                format!(
                    "{}/{} is a fork of {}; the pull request goes to {}",
                    goal.owner,
                    goal.repo,
                    clean.line(parent),
                    if is_same(parent, target) {
                        "that parent"
                    } else {
                        "another repository"
                    }
                ),
            ));
        }
        if let Some(parent) = &goal.target_parent {
            rows.push(warning(
                "Fork",
                format!(
                    "{target} is itself a fork of {}; the pull request stays in the fork",
                    clean.line(parent)
                ),
            ));
        }
        if self.fill {
            rows.push(Fact::plain(
                "Texts",
                "title and body are taken from the commits",
            ));
        }
        rows.extend(found.behind.clone().map(|text| warning("Not pushed", text)));
        let Contents {
            commits,
            total,
            files,
            note,
            ..
        } = &found.contents;
        rows.extend(change_rows(commits, *total, Some(files), clean));
        rows.extend(note.clone().map(|text| warning("Compared", text)));
        rows
    }
}

/// Checks that GitHub takes the texts `texts`.
///
/// # Errors
/// `bad-argument` where one is too long.
fn fits_github(texts: &[Option<&str>]) -> Result<(), Refusal> {
    if texts.iter().flatten().any(|text| text.len() > MAX_TEXT) {
        return Err(bad(
            "body",
            "is too long",
            "GitHub takes 65,536 characters.",
        ));
    }
    Ok(())
}

/// Whether `name`, `OWNER/REPO`, is the repository `target`.
fn is_same(name: &str, target: &Target) -> bool {
    let target = format!(
        "{}/{}",
        target.owner.as_deref().unwrap_or_default(),
        target.repo.as_deref().unwrap_or_default()
    );
    name.eq_ignore_ascii_case(&target)
}

impl Errand for Create {
    fn command(&self) -> &'static str {
        "pr create"
    }

    fn begin(&self, request: &Request) -> Result<(), Refusal> {
        let facts = request.facts.clone().unwrap_or_default();
        let current = branch_ref(&facts);
        let directory = match &request.cwd {
            Some(Cwd::Local(directory)) => Some(directory.clone()),
            _ => None,
        };
        if let Some(number) = current.as_ref().and_then(BranchRef::pull_number)
            && self.head.is_none()
        {
            return Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "The checkout's branch is that of pull request #{number}.\nPush to it with gh_pr_push, or make a branch of its own for a new one."
                ),
            ));
        }
        let (owner, branch) = match (&self.head, &current) {
            (Some(head), _) => match head.split_once(':') {
                Some((owner, branch)) => (Some(owner.to_owned()), branch.to_owned()),
                None => (None, head.clone()),
            },
            (None, Some(current)) => (current.push_owner.clone(), current.push_branch.clone()),
            (None, None) => {
                return Err(Refusal::new(
                    ErrorKind::BadArgument,
                    "The directory is no checkout on a branch, so nothing says what the pull request is made from.\nGive `head', or `cwd' of a checkout.",
                ));
            }
        };
        if !is_branch(&branch) {
            return Err(bad("head", "names no branch", "Give `head'."));
        }
        let local = match (&self.head, current) {
            (None, Some(current)) => current.branch,
            _ => branch.clone(),
        };
        let local = directory.map(|directory| (local, directory));
        if self.push && local.is_none() {
            return Err(Refusal::new(
                ErrorKind::BadCwd,
                "Nothing can be pushed from a directory on another machine.\nGive `cwd' on this machine.",
            ));
        }
        *self.checkout.lock().unwrap_or_else(PoisonError::into_inner) = Some(Here {
            wanted: Wanted {
                branch,
                named: self.head.is_some() && owner.is_some(),
                owner,
                base: self.base.clone(),
                push: self.push,
            },
            local,
            facts,
        });
        Ok(())
    }

    fn named(&self) -> Vec<String> {
        ["pr", "list"].map(str::to_owned).into()
    }

    fn look_up(self: Arc<Self>) -> Arc<dyn View> {
        Arc::new(LookUp(self))
    }

    fn draft(&self, request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
        let (target, found) = self.found.get()?;
        let drafted = |texts| self.drafted(texts, (&target, &found), request, settings);
        let draft = drafted(self.texts(&found)?)?;
        if !request.edited {
            return Ok(draft);
        }
        let names = ["--title", "--body"].map(str::to_owned);
        // The question shows the lines that would run behind the arguments.
        let planned = [draft.argv.reveal().as_slice(), &draft.parts].concat();
        let texts = changed_texts(request, &planned, &names)?;
        let [title, body] = <[String; 2]>::try_from(texts).map_err(|_| unread())?;
        if title.trim().is_empty() {
            return Err(bad(
                "title",
                "is empty",
                "Write a title, or decline the call.",
            ));
        }
        fits_github(&[Some(&title), Some(&body)])?;
        drafted((title, body))
    }
}

impl Create {
    /// The Draft of the write with these texts, title and body.
    fn drafted(
        &self,
        texts: (String, String),
        (target, found): (&Target, &Found),
        request: &Request,
        settings: &Settings,
    ) -> Result<Draft, Refusal> {
        let argv = self.argv(found, texts);
        let create = there(request, target, argv.clone());
        let mut draft = draft_of(&create, settings, &|plain, _| Arc::new(plain))?;
        let target = draft.target.clone().unwrap_or_else(|| target.clone());
        let site = Site::new(settings, &target, &plain_read(request, settings, &target)?)?;
        let push = match &found.tip {
            Some(tip) if found.goal.head_sha.as_ref() != Some(&tip.sha) => {
                let root = settings.worktree_directory.clone().unwrap_or_default();
                let directory = self.scratch.get_or_init(|| scratch::place(&root)).clone();
                let address = site.place.address_of(&found.goal.owner, &found.goal.repo);
                let command =
                    push_command(&directory, &address, &tip.sha, &found.wanted.branch, None)?
                        .with_objects(&scratch::borrowed(&tip.objects));
                Some(Push {
                    directory,
                    command,
                    shallow: tip.shallow.clone(),
                    address,
                    branch: found.wanted.branch.clone(),
                    seen: found.goal.head_sha.clone(),
                })
            }
            _ => None,
        };
        if let Some(push) = &push {
            draft.parts = vec![site.git.line(&push.command)?, draft.line()];
            let mut shown = argv;
            shown.push("--push".to_owned());
            shown.extend(["--repo".to_owned(), target.to_string()]);
            draft.argv = shown.into();
            draft.limits.timeout = site.git.timeout;
            if let Some(rest) = draft.question.sentence.strip_prefix("Open ") {
                let branch = draft.clean.line(&found.wanted.branch);
                draft.question.sentence = format!("Push {branch} and open {rest}");
            }
        }
        let rows = self.rows(found, &target, &draft.clean);
        draft.question.rows.splice(0..0, rows);
        // The look of `gh pr create' would read what stands in the rows.
        draft.question.look = None;
        draft.question.no_lease = Some("a person has to see the commits");
        draft.leases = false;
        draft.finish = Arc::new(Making {
            push,
            plain: draft.finish.clone(),
            create: create.clone(),
            settings: settings.clone(),
            followup: Followup::new(&create, settings, &target),
            site,
            head: format!(
                "{}/{}:{}",
                found.goal.owner, found.goal.repo, found.wanted.branch
            ),
            budget: draft.finish.budget(),
        });
        debug_assert_eq!(draft.class, Class::Write);
        Ok(draft)
    }
}

/// The look-up of a new pull request.
#[derive(Debug)]
struct LookUp(Arc<Create>);

impl View for LookUp {
    fn names(&self) -> Names {
        Names::Repository
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        if subject.target.repo.is_none() {
            return Err(bad(
                "repo",
                "is missing, and the directory is no checkout of a repository on a known host",
                "Give [HOST/]OWNER/REPO.",
            ));
        }
        Ok(Some(github::request(
            &subject.target,
            &self.0.here()?.wanted,
        )))
    }

    fn serves(&self, captured: &Captured) -> bool {
        answer(captured).is_some_and(|answer| answer["data"]["repository"].is_object())
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let subject = around.subject.ok_or_else(unread)?.clone();
        let answer = answer(captured).ok_or_else(unread)?;
        let Here {
            wanted,
            local,
            facts,
        } = self.0.here()?;
        super::clone::check_name(&answer["data"]["repository"], &subject, around.clean)?;
        let goal = Where::read(&answer, &subject.target, &wanted, around.clean)?;
        let site = Site::of(around.followup, &subject.target)?;
        let mut found = Found {
            contents: Contents::default(),
            tip: None,
            behind: None,
            goal,
            wanted,
        };
        if let Some((branch, directory)) = &local {
            let checkout = Checkout {
                site: &site,
                directory,
                clean: around.clean,
            };
            if found.wanted.push {
                let tip = checkout.tip(branch, around.reads)?;
                checkout.check_forward(&tip, &found.goal, around.reads)?;
                let settings = around.followup.settings();
                let hosts = hosts(settings, &logins(&settings.environment)?);
                let remote = remote_of(&facts, &subject.target, &hosts);
                let remote = remote.filter(|name| is_branch(name));
                found.contents =
                    checkout.contents(&tip, &found.goal, remote.as_deref(), around.reads)?;
                found.tip = Some(tip);
            } else if self.0.head.is_none() {
                found.behind = checkout.behind(branch, &found.goal, around.reads);
            }
        }
        if found.tip.is_none() {
            found.contents = compared(&subject.target, &found, around)?;
        }
        let text = format!(
            "{} commits, {} files",
            found.contents.total,
            found.contents.files.len()
        );
        self.0.found.keep(&subject.target, found);
        Ok(text)
    }
}

/// A jq filter for GitHub's comparison: what a question shows, and the messages of commits that are no merges.
const COMPARED: &str = r#"{total: .total_commits, commits: [.commits[-20:][] | {sha, author: .commit.author.name, subject: (.commit.message | split("\n")[0])}] | reverse, messages: [.commits[-100:][] | select((.parents | length) < 2) | .commit.message[0:2000]] | reverse, files: [.files[]? | {path: .filename, added: .additions, deleted: .deletions, binary: (.patch == null and .changes == 0 and .status != "renamed")}]}"#;

/// What the pull request would contain, by GitHub's comparison.
fn compared(target: &Target, found: &Found, around: &mut Around<'_>) -> Result<Contents, Refusal> {
    let encoded = |name: &str| crate::text::escapes::percent_encoded(name.as_bytes());
    let goal = &found.goal;
    let (owner, repo) = (
        target.owner.as_deref().unwrap_or_default(),
        target.repo.as_deref().unwrap_or_default(),
    );
    // gh itself would fill in `:branch'.
    let endpoint = format!(
        "repos/{owner}/{repo}/compare/{}...{}%3A{}",
        encoded(&goal.base),
        goal.owner,
        encoded(&found.wanted.branch)
    );
    let argv = ["api", "--method", "GET", &endpoint, "--jq", COMPARED].map(str::to_owned);
    let read = around.reads.run(around.followup.plan(argv.into())?)?;
    let value = answer(&read).ok_or_else(unread)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let array = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let contents = Contents {
        commits: array("commits")
            .iter()
            .map(|commit| Commit {
                sha: text(&commit["sha"]),
                author: text(&commit["author"]),
                subject: text(&commit["subject"]),
            })
            .collect(),
        total: value["total"].as_u64().unwrap_or(0),
        files: array("files")
            .iter()
            .map(|file| Changed {
                path: text(&file["path"]),
                lines: file["added"]
                    .as_u64()
                    .zip(file["deleted"].as_u64())
                    .filter(|_| file["binary"] != true),
            })
            .collect(),
        messages: array("messages")
            .iter()
            .map(|message| {
                let message = text(message);
                let (title, body) = message.split_once('\n').unwrap_or((&message, ""));
                (title.to_owned(), body.trim_start_matches('\n').to_owned())
            })
            .collect(),
        note: None,
    };
    if contents.total == 0 {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            format!(
                "The branch {} has no commit on GitHub that {} lacks.\nCommit first, and give `push': true.",
                around.clean.line(&found.wanted.branch),
                around.clean.line(&goal.base)
            ),
        ));
    }
    Ok(contents)
}
