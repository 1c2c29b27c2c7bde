//! The tool `gh_pr_checkout`: one or several pull requests of one repository, each in a worktree of its own.

use std::sync::Arc;

use serde_json::Value;

use super::items::{self, Lay};
use super::pulls::{Pull, objects, request as pulls_request};
use super::site::{Site, plain_read};
use super::state::Local;
use super::way::{Item, Way, fetch, first_names};
use crate::gate::call::question::{Fact, Tone};
use crate::gate::decide::policy;
use crate::gate::{Class, Cleaner, Draft, Question, Reads, Refusal, Target};
use crate::gh::call::request::{Request, Settings};
use crate::gh::judge::approval::ACTS;
use crate::gh::place::reference::{Reference, Thing};
use crate::gh::tools::errand::{Errand, Findings, bad, flag, refuse_edit, texts};
use crate::gh::tools::subject::{Names, Subject};
use crate::gh::tools::view::{Around, View, answer, unread};
use crate::git::command::Command;
use crate::git::commits::{commit_lines, short};
use crate::git::place::Kind;
use crate::git::store::Store;
use crate::run::Captured;
use crate::text::numbers::{grouped, size};

/// Most pull requests of one call: each takes some commands of git, and a call has a bounded number of them.
const MOST: usize = 8;

/// The checkout of pull requests.
#[derive(Debug)]
pub struct Checkout {
    /// What names the pull requests, in the caller's words; empty: the checkout's branch.
    names: Vec<String>,
    /// Whether a branch that is at another commit is set to the pull request's.
    force: bool,
    found: Findings<Found>,
}

/// What the look-up found.
#[derive(Clone, Debug)]
struct Found {
    pulls: Vec<(Pull, Local)>,
    /// What was set aside in the store.
    told: Vec<String>,
}

impl Checkout {
    /// The checkout with the arguments `args` of the tool.
    ///
    /// # Errors
    /// `bad-argument` for too many pull requests, or a name that begins with a dash.
    pub fn make(args: &Value) -> Result<Arc<dyn Errand>, Refusal> {
        let mut names = texts(args, "numbers");
        names.dedup();
        if names.len() > MOST {
            return Err(bad(
                "numbers",
                &format!("names {} pull requests", names.len()),
                &format!("Give at most {MOST} at once."),
            ));
        }
        if names.iter().any(|name| name.starts_with('-')) {
            return Err(bad(
                "numbers",
                "has a name that begins with a dash",
                "Give numbers, addresses, OWNER/REPO#NUMBER or branches.",
            ));
        }
        Ok(Arc::new(Self {
            names,
            force: flag(args, "force"),
            found: Findings::default(),
        }))
    }

    /// The pull requests that are meant, where `first` is the first of them.
    fn subjects(&self, first: &Subject) -> Result<Vec<Subject>, Refusal> {
        let mut all = vec![first.clone()];
        for name in self.names.iter().skip(1) {
            let Reference { thing, repo } = Reference::read(name)?;
            let thing = match thing {
                Thing::Number(number) | Thing::Item(number) => Thing::Item(number),
                Thing::Branch(branch) => Thing::Branch(branch),
                _ => {
                    return Err(bad(
                        "numbers",
                        "names something that is no pull request",
                        "Give numbers, addresses, OWNER/REPO#NUMBER or branches.",
                    ));
                }
            };
            if let Some(repo) = repo
                && !is_of(&repo, &first.target)
            {
                return Err(bad(
                    "numbers",
                    "names pull requests of several repositories",
                    "Call the tool once for each repository.",
                ));
            }
            all.push(Subject {
                thing,
                target: first.target.clone(),
            });
        }
        Ok(all)
    }

    /// The pull requests of the look-up, each as an item with what is on this machine for it.
    fn items(&self, clean: &Cleaner) -> Result<Vec<(Pull, Item, Local)>, Refusal> {
        let (_, found) = self.found.get()?;
        let item = |(pull, local): (Pull, Local)| {
            let item = Item {
                kind: Kind::Pull(pull.number),
                sha: pull.sha.clone(),
                what: format!("#{} “{}”", pull.number, clean.line(&pull.title)),
                from: pull.shown_head(clean),
            };
            (pull, item, local)
        };
        Ok(found.pulls.into_iter().map(item).collect())
    }
}

/// Whether `repo`, `[HOST/]OWNER/REPO`, is the repository `target`.
fn is_of(repo: &str, target: &Target) -> bool {
    let whole = target.to_string();
    let short = whole
        .strip_prefix(&format!("{}/", target.host))
        .unwrap_or(&whole);
    repo.eq_ignore_ascii_case(&whole) || repo.eq_ignore_ascii_case(short)
}

/// Reads what is in the store of `site` for each of `kinds`, after setting aside what does not belong there.  Nothing is read, and nothing
/// made, where there is no store.
pub(super) fn read_local(
    site: &Site,
    kinds: &[Kind],
    reads: &mut dyn Reads,
) -> Result<(Vec<Local>, Vec<String>), Refusal> {
    if !site.place.store().is_dir() {
        let kinds = kinds.iter();
        let locals = kinds.map(|kind| Local::without_store(site, kind));
        return Ok((locals.collect::<Result<_, _>>()?, Vec::new()));
    }
    let lock = site.place.lock(&mut || reads.go_on())?;
    let store = Store::open(&site.place, &lock)?;
    let told = store.mend()?;
    let mut locals = Vec::new();
    for kind in kinds {
        let local = Local::read(site, &store, kind, reads);
        locals.push(local.map_err(|refusal| also(refusal, &told, &site.git.clean))?);
    }
    Ok((locals, told))
}

impl Errand for Checkout {
    fn command(&self) -> &'static str {
        "pr checkout"
    }

    fn named(&self) -> Vec<String> {
        let words = ["pr", "view"].into_iter();
        let words = words.chain(self.names.first().map(String::as_str));
        words.map(str::to_owned).collect()
    }

    fn look_up(self: Arc<Self>) -> Arc<dyn View> {
        Arc::new(LookUp(self))
    }

    fn draft(&self, request: &Request, settings: &Settings) -> Result<Draft, Refusal> {
        let (target, found) = self.found.get()?;
        refuse_edit(request)?;
        let read = plain_read(request, settings, &target)?;
        let site = Site::new(settings, &target, &read)?;
        let all = self.items(&read.clean)?;
        let mut refusals: Vec<Refusal> = Vec::new();
        let mut items: Vec<(Item, Way)> = Vec::new();
        let mut seen = Vec::new();
        let mut rows = Vec::new();
        for (pull, item, local) in &all {
            rows.extend(pull_rows(pull, &read.clean));
            match Way::of(item, local, self.force, &read.clean) {
                Ok(way) => {
                    rows.extend(way_rows(&way, item, local, &site, &read.clean));
                    items.push((item.clone(), way));
                    seen.push(local.clone());
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        let numbers: Vec<String> = all
            .iter()
            .map(|(pull, ..)| pull.number.to_string())
            .collect();
        let which = match numbers.as_slice() {
            [one] => format!("pull request #{one}"),
            several => format!("pull requests #{}", several.join(", #")),
        };
        let laid = LayDraft {
            command: self.command(),
            argv: [vec!["pr".into(), "checkout".into()], numbers].concat(),
            sentence: format!("Check out {which}"),
            rows,
            items,
            seen,
            refusal: one_refusal(refusals).map(|refusal| also(refusal, &found.told, &read.clean)),
            force: self.force,
            told: found.told,
        };
        laid.draft(read, site, settings)
    }
}

/// `refusal` with the sentences `told` below it.
fn also(refusal: Refusal, told: &[String], clean: &Cleaner) -> Refusal {
    let message = items::also(refusal.message, told, clean);
    Refusal::new(refusal.kind, message)
}

/// `refusals` as one.
fn one_refusal(refusals: Vec<Refusal>) -> Option<Refusal> {
    let kind = refusals.first()?.kind;
    let messages: Vec<String> = refusals.into_iter().map(|one| one.message).collect();
    Some(Refusal::new(kind, messages.join("\n")))
}

/// What is needed to ask a person about laying items into worktrees.
pub(super) struct LayDraft {
    pub command: &'static str,
    /// The argv that says what is asked for, without the repository.
    pub argv: Vec<String>,
    /// What will happen, without place and account.
    pub sentence: String,
    pub rows: Vec<Fact>,
    pub items: Vec<(Item, Way)>,
    /// What is on this machine for each of the items.
    pub seen: Vec<Local>,
    pub refusal: Option<Refusal>,
    pub force: bool,
    /// What the look-up set aside in the store.
    pub told: Vec<String>,
}

impl LayDraft {
    /// The Draft; `read` is that of a plain read of the repository.
    ///
    /// # Errors
    /// `bad-cwd` where a name is not UTF-8.
    pub fn draft(self, read: Draft, site: Site, settings: &Settings) -> Result<Draft, Refusal> {
        let mut parts = Vec::new();
        if let Some(command) = fetch(&site, &self.items)? {
            parts.push(site.git.line(&command)?);
        }
        for (item, way) in &self.items {
            if let Some(command) = way.command(&site, item)? {
                parts.push(site.git.line(&command)?);
            }
        }
        let idle = parts.is_empty() && self.refusal.is_none();
        if idle {
            // Nothing is to be done, so nobody is asked; this line is only shown in the record.
            let store = site.place.store();
            parts.push(
                site.git
                    .line(&Command::on(&store, &["worktree", "list"])?)?,
            );
        }
        let target = site.git.target.clone();
        let mut argv = self.argv;
        argv.extend(self.force.then(|| "--force".to_owned()));
        argv.extend(["--repo".to_owned(), target.to_string()]);
        let mut rows = self.rows;
        rows.extend(self.told.iter().map(|sentence| Fact {
            label: "Mended",
            text: read.clean.line(sentence),
            tone: Tone::Warning,
        }));
        rows.push(Fact::plain(
            "Limits",
            format!(
                "at most {} files and {}; no program of the repository runs, symbolic links become files",
                grouped(site.most_files),
                size(site.most_bytes)
            ),
        ));
        let class = if idle { Class::Read } else { Class::Write };
        let policy = policy::for_host(&settings.policies, &target.host, ACTS);
        let mut limits = read.limits.clone();
        limits.timeout = site.git.timeout;
        Ok(Draft {
            class,
            command: self.command.into(),
            reason: "It fetches commits and writes their files into a directory of their own on this machine.".into(),
            argv: argv.into(),
            parts,
            answer: policy.answer(class),
            question: Question {
                sentence: format!("{}{}", self.sentence, place_and_account(&target)),
                undo: "Nothing on GitHub changes, and the worktree can be removed (M-x cj/gh-worktrees); the files are data from outside, so run and build them with care.".into(),
                rows,
                local: true,
                no_lease: Some("it writes files on this machine"),
                ..Question::default()
            },
            leases: false,
            refusal: self.refusal,
            limits,
            finish: Arc::new(Lay {
                items: self.items,
                seen: self.seen,
                budget: read.finish.budget(),
                told: self.told,
                site,
            }),
            ..read
        })
    }
}

/// ` in acme/site, as octo`, with the host where it is not github.com.
pub(super) fn place_and_account(target: &Target) -> String {
    let place = target.to_string();
    let place = place.strip_prefix("github.com/").unwrap_or(&place);
    let account = target.account.as_deref();
    let account = account.map_or_else(String::new, |login| format!(", as {login}"));
    format!(" in {place}{account}")
}

/// The rows of a question about the pull request `pull`.
pub(super) fn pull_rows(pull: &Pull, clean: &Cleaner) -> Vec<Fact> {
    let (files, added, deleted) = pull.changes;
    let mut rows = vec![Fact {
        label: "Pull request",
        text: pull.shown(clean),
        tone: if pull.state == "OPEN" {
            Tone::Plain
        } else {
            Tone::Warning
        },
    }];
    let fork = if pull.fork { ", a fork" } else { "" };
    rows.push(Fact::plain(
        "Head",
        format!(
            "{} at {}{fork}; {} {}, +{} −{}",
            pull.shown_head(clean),
            short(&pull.sha),
            grouped(files),
            if files == 1 { "file" } else { "files" },
            grouped(added),
            grouped(deleted)
        ),
    ));
    rows
}

/// The rows of a question about what happens on this machine for `item`.
pub(super) fn way_rows(
    way: &Way,
    item: &Item,
    local: &Local,
    site: &Site,
    clean: &Cleaner,
) -> Vec<Fact> {
    let path = clean.line(&site.place.worktree(&item.kind).to_string_lossy());
    let branch = item.kind.branch();
    let mut rows = vec![match way {
        Way::Reuse => Fact::plain("There", format!("{path}/, which stays as it is")),
        Way::New => Fact::plain("Writes", format!("{path}/, branch {branch}")),
        Way::Again | Way::AgainReset => Fact::plain(
            "Writes",
            format!("{path}/, for the branch {branch} that is there"),
        ),
        Way::Reset => Fact {
            label: "Sets",
            text: format!("{path}/ and its branch {branch} to {}", short(&item.sha)),
            tone: Tone::Warning,
        },
    }];
    if matches!(way, Way::Reset | Way::AgainReset) && local.own_total > 0 {
        let lines = commit_lines(&local.own, local.own_total, clean);
        rows.extend(lines.into_iter().map(|text| Fact {
            label: "Drops",
            text,
            tone: Tone::Bad,
        }));
    }
    if local.half_reset {
        rows.push(Fact {
            label: "Unfinished",
            text: "an earlier call was ended while it set these files; changes made since then are lost".into(),
            tone: Tone::Bad,
        });
        let changed = local.changed.as_deref().unwrap_or_default();
        if !changed.is_empty() {
            rows.push(Fact {
                label: "Loses",
                text: format!(
                    "{} with changes: {}",
                    match changed.len() {
                        1 => "1 file".to_owned(),
                        n => format!("{n} files"),
                    },
                    first_names(changed, clean)
                ),
                tone: Tone::Bad,
            });
        }
    }
    rows
}

/// The look-up of a checkout.
#[derive(Debug)]
struct LookUp(Arc<Checkout>);

impl View for LookUp {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn request(&self, subject: &Subject) -> Result<Option<Vec<String>>, Refusal> {
        let subjects = self.0.subjects(subject)?;
        Ok(Some(pulls_request(&subjects, "PullRequestHeads", "")))
    }

    fn serves(&self, captured: &Captured) -> bool {
        answer(captured).is_some_and(|answer| answer["data"]["repository"].is_object())
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let subject = around.subject.ok_or_else(unread)?;
        let subjects = self.0.subjects(subject)?;
        let answer = answer(captured).ok_or_else(unread)?;
        let mut pulls: Vec<Pull> = Vec::new();
        for object in objects(&answer, &subjects, around.clean)? {
            let pull = Pull::read(object)?;
            if !pulls.iter().any(|known| known.number == pull.number) {
                pulls.push(pull);
            }
        }
        let kinds: Vec<Kind> = pulls.iter().map(|pull| Kind::Pull(pull.number)).collect();
        let site = Site::of(around.followup, around.followup.target())?;
        let (locals, told) = read_local(&site, &kinds, around.reads)?;
        let found = Found {
            pulls: pulls.into_iter().zip(locals).collect(),
            told,
        };
        let text = found.pulls.iter().map(|(pull, _)| pull.shown(around.clean));
        let text = text.collect::<Vec<_>>().join("\n");
        self.0.found.keep(around.followup.target(), found);
        Ok(text)
    }
}
