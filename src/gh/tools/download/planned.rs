//! Planning a download: a write, although the calls that it makes are reads.

use std::path::PathBuf;
use std::sync::Arc;

use crate::gate::archive::FreePlace;
use crate::gate::call::question::Fact;
use crate::gate::call::shell;
use crate::gate::decide::policy;
use crate::gate::{Class, Draft, ErrorKind, Finish, Question, Refusal, Target};
use crate::gh::call::followup::Followup;
use crate::gh::call::plan::{draft as draft_of, unasked};
use crate::gh::call::request::{Request, Settings, normalize};
use crate::gh::judge::approval::ACTS;
use crate::gh::place::pin::Reach;
use crate::redact::neutral::neutral;

/// Where a download comes from: the host and repository that the call was pinned to.
pub(super) struct Source {
    pub followup: Followup,
    pub target: Target,
    /// Owner and name of the repository.
    pub owner: String,
    pub repo: String,
    /// A read from there, and its draft.
    somewhere: Request,
    there: Draft,
}

/// What a download asks a person for, and what it does after a yes.
pub(super) struct Asked {
    /// The command that gh would have for it: `run download`.
    pub command: &'static str,
    /// The argv that the person sees, without directory and repository.
    pub argv: Vec<String>,
    /// Each read that fetches a file, with the file's name.
    pub fetches: Vec<(Vec<String>, String)>,
    /// The rows of the question about what comes, before those about where it goes.
    pub rows: Vec<Fact>,
    /// The row of the question about the limits.
    pub limits: String,
    /// Why no person is asked.
    pub refusal: Option<Refusal>,
    /// What happens after a yes.
    pub finish: Arc<dyn Finish>,
}

/// The place that the download of `request` comes from.  `asked` is the argv that the tool made, `endpoint` a path of the API below the
/// repository.
///
/// # Errors
/// `bad-argument` where a person changed the arguments or no repository is known, and each error of planning a call.
pub(super) fn source(
    request: &Request,
    settings: &Settings,
    asked: &[String],
    endpoint: &str,
) -> Result<Source, Refusal> {
    if normalize(request.argv.reveal())? != asked {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            "The arguments of a download cannot be changed.\nDecline it, and tell the model which download you want.",
        ));
    }
    // This call is planned only to learn the target; the exact calls follow once owner and repository are known.
    let somewhere = Request {
        argv: api(&format!("repos/{{owner}}/{{repo}}/{endpoint}"), &[]).into(),
        ..request.clone()
    };
    let there = draft_of(&somewhere, settings, &|plain, _| Arc::new(plain))?;
    let target = there.target.clone().ok_or_else(no_repository)?;
    let followup = Followup::new(&somewhere, settings, &target);
    let (owner, repo) = followup.owner_and_repo().ok_or_else(no_repository)?;
    let (owner, repo) = (owner.to_owned(), repo.to_owned());
    Ok(Source {
        followup,
        target,
        owner,
        repo,
        somewhere,
        there,
    })
}

impl Source {
    /// The argv of the read of `endpoint`, a path of the API below the repository, with the further words `flags`.
    ///
    /// # Errors
    /// Each error of planning a call.
    pub fn read(&self, endpoint: &str, flags: &[&str]) -> Result<Vec<String>, Refusal> {
        let (owner, repo) = (&self.owner, &self.repo);
        let argv = api(&format!("repos/{owner}/{repo}/{endpoint}"), flags);
        Ok(self.followup.draft(argv)?.argv.reveal().clone())
    }

    /// Whether the installed gh is known to have `flag` of `gh api`.
    ///
    /// # Errors
    /// Each error of planning a call.
    pub fn has(&self, flag: &str, settings: &Settings) -> Result<bool, Refusal> {
        let request = Request {
            argv: api("meta", &[flag]).into(),
            ..self.somewhere.clone()
        };
        let known = unasked(&request, settings)?.is_none();
        Ok(
            known
                && draft_of(&request, settings, &|plain, _| Arc::new(plain))?.class == Class::Read,
        )
    }

    /// A free place for the download below the directory for downloads, in the directories `parts` below the repository's.
    ///
    /// # Errors
    /// `bad-cwd` where the directory for downloads is on another machine, or no name is free.
    pub fn place(
        &self,
        settings: &Settings,
        parts: &[&str],
        subject: &str,
    ) -> Result<FreePlace, Refusal> {
        let root: PathBuf = settings.artifact_directory.clone().ok_or_else(|| {
            Refusal::new(
                ErrorKind::BadCwd,
                "The directory for downloads (`cj/gh-artifact-directory') is on another machine.\nTell the person, who can choose one of this machine.",
            )
        })?;
        let mut all = vec![&*self.target.host, &*self.owner, &*self.repo];
        all.extend(parts);
        FreePlace::free(&root, &all).map_err(|trouble| trouble.refusal(subject))
    }

    /// The most tokens of the result.
    pub fn budget(&self) -> usize {
        self.there.finish.budget()
    }

    /// The Draft of the download `asked` into `place`.
    pub fn draft(self, asked: Asked, place: &FreePlace, settings: &Settings) -> Draft {
        let shown = place.path().to_string_lossy().into_owned();
        let mut argv = asked.argv;
        argv.extend(["--dir".to_owned(), shown.clone()]);
        argv.extend(["--repo".to_owned(), self.target.to_string()]);
        let policy = policy::for_host(&settings.policies, &self.target.host, ACTS);
        let any = crate::gh::question::question(
            Class::Write,
            asked.command,
            &argv,
            &self.target,
            Reach::Target,
            &self.there.clean,
        );
        let mut rows = asked.rows;
        rows.push(Fact::plain("Writes", neutral(&format!("{shown}/"))));
        rows.push(Fact::plain("Limits", asked.limits));
        let line = |(argv, name): &(Vec<String>, String)| {
            let name = shell::words(std::slice::from_ref(name));
            format!("gh {} > {name}", shell::words(argv))
        };
        Draft {
            class: Class::Write,
            act: None,
            command: asked.command.into(),
            reason: "It writes files from outside into a new directory on this machine.".into(),
            argv: argv.into(),
            parts: asked.fetches.iter().map(line).collect(),
            answer: policy.answer(Class::Write),
            question: Question {
                undo: "Nothing on GitHub changes, and the files can be deleted; they are data from outside, so open them with care.".into(),
                rows,
                local: true,
                no_lease: Some("it writes files on this machine"),
                ..any
            },
            leases: false,
            refusal: asked.refusal,
            finish: asked.finish,
            ..self.there
        }
    }
}

fn no_repository() -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        "A download needs a repository, and there is none of a known host here.\nName it with `repo' as [HOST/]OWNER/REPO.",
    )
}

fn api(endpoint: &str, flags: &[&str]) -> Vec<String> {
    let words = ["api", "--method", "GET"].into_iter();
    let words = words.chain(flags.iter().copied()).chain([endpoint]);
    words.map(str::to_owned).collect()
}
