//! The download of an artifact: the files that a run of GitHub Actions left, fetched and unpacked below one directory of the user's.
//!
//! `gh run download` itself does not run.  It has no limit of any kind (an archive of 300 kB became a file of 300 MB), leaves its
//! files behind when it fails, writes names with escape sequences as they are, and silently skips files that would land outside the directory
//! (gh 2.92.0 and 2.103.3, which differ only in how they treat absolute names).  So gh fetches the archive by a plain read, whose output
//! goes into a file with a limit, and the gate unpacks that file ([`crate::gate::archive`]).
//!
//! Lisp reads the run's list of artifacts first (`cj-gh-download.el`): the question shows the artifact's number and size, and the person's
//! yes is for that artifact.

use std::fs::File;
use std::io::{Read, Seek};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::gate::archive::{ArchiveError, ArchiveLimits, FreePlace, Staging, Written, unpack};
use crate::gate::call::question::Fact;
use crate::gate::call::shell;
use crate::gate::decide::policy;
use crate::gate::{
    Answer, Class, Cleaner, Draft, ErrorKind, Finish, Plan, Question, Reads, Refusal,
};
use crate::gh::call::followup::Followup;
use crate::gh::call::plan::draft as draft_of;
use crate::gh::call::request::{Request, Settings, normalize};
use crate::gh::place::pin::Reach;
use crate::redact::neutral::neutral;
use crate::run::Captured;
use crate::text::escapes::hex;
use crate::text::numbers::size;

/// The artifact to download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The workflow run.
    pub run: u64,
    /// The artifact's name.
    pub name: String,
    /// The artifact in the run's list, or why there is nothing to download.
    pub found: Result<Artifact, Refusal>,
}

/// An artifact as its run's list describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Artifact {
    /// Its number, which no other artifact ever gets.
    pub id: u64,
    /// Bytes of the archive.
    pub size: u64,
    /// `sha256:` and the digest of the archive; `None` where GitHub does not know it (artifacts from before upload-artifact 4).
    pub digest: Option<String>,
}

/// Most unpacked files that the result names; the directory has all of them.
const MAX_SHOWN: usize = 1_000;

/// Makes the Draft of a download, which is a write although the calls that it makes are reads.
///
/// # Errors
/// `bad-argument` where a person changed the arguments or no repository is known, `bad-cwd` where the directory for downloads is on another
/// machine, and each error of planning a call.
pub(in crate::gh) fn draft(
    wanted: &Download,
    request: &Request,
    settings: &Settings,
) -> Result<Draft, Refusal> {
    let run = wanted.run.to_string();
    let asked = ["run", "download", &run, "--name", &wanted.name].map(str::to_owned);
    if normalize(request.argv.reveal())? != asked {
        return Err(Refusal::new(
            ErrorKind::BadArgument,
            "The arguments of a download cannot be changed.\nDecline it, and tell the model which download you want.",
        ));
    }
    let artifact = wanted.found.clone().unwrap_or_default();
    // This call is planned only to learn the target; the exact call follows once owner and repository are known.
    let somewhere = Request {
        argv: api(&format!(
            "repos/{{owner}}/{{repo}}/{}",
            archive_path(artifact.id)
        ))
        .into(),
        ..request.clone()
    };
    let there = draft_of(&somewhere, settings, &|plain, _| Arc::new(plain))?;
    let target = there.target.clone().ok_or_else(no_repository)?;
    let followup = Followup::new(&somewhere, settings, &target);
    let (owner, repo) = followup.owner_and_repo().ok_or_else(no_repository)?;
    let fetch = api(&format!(
        "repos/{owner}/{repo}/{}",
        archive_path(artifact.id)
    ));
    let fetch = followup.draft(fetch)?.argv;

    let refusal = refusal(wanted, settings.artifact_bytes);
    let root = settings.artifact_directory.clone().ok_or_else(|| {
        Refusal::new(
            ErrorKind::BadCwd,
            "The directory for downloads (`cj/gh-artifact-directory') is on another machine.\nTell the person, who can choose one of this machine.",
        )
    })?;
    let place = FreePlace::free(&root, &[&target.host, owner, repo, &run, &wanted.name])
        .map_err(|trouble| trouble.refusal(&subject(&wanted.name)))?;
    let shown = place.path().to_string_lossy().into_owned();

    let mut argv = asked.to_vec();
    argv.extend(["--dir".to_owned(), shown.clone()]);
    argv.extend(["--repo".to_owned(), target.to_string()]);
    let limits = ArchiveLimits {
        bytes: settings.artifact_bytes,
        entries: ArchiveLimits::ENTRIES,
    };
    let policy = policy::for_host(&settings.policies, &target.host);
    let any = crate::gh::question::question(
        Class::Write,
        "run download",
        &argv,
        &target,
        Reach::Target,
        &there.clean,
    );
    Ok(Draft {
        class: Class::Write,
        command: "run download".into(),
        reason: "It writes files from outside into a new directory on this machine.".into(),
        argv: argv.into(),
        parts: vec![format!("gh {} > packed.zip", shell::words(fetch.reveal()))],
        answer: policy.answer(Class::Write),
        question: question(wanted, &artifact, &shown, limits, any),
        leases: false,
        refusal,
        finish: Arc::new(Fetch {
            followup,
            argv: fetch.reveal().clone(),
            artifact,
            run: wanted.run,
            name: wanted.name.clone(),
            place,
            limits,
            budget: there.finish.budget(),
        }),
        ..there
    })
}

/// The question that a person is asked; `any` is the question about any `gh run download`.
fn question(
    wanted: &Download,
    artifact: &Artifact,
    place: &str,
    limits: ArchiveLimits,
    any: Question,
) -> Question {
    Question {
        undo: "Nothing on GitHub changes, and the files can be deleted; they are data from outside, so open them with care.".into(),
        rows: vec![
            Fact::plain(
                "Artifact",
                neutral(&format!(
                    "{} (number {}), {} packed, of run {}",
                    wanted.name,
                    artifact.id,
                    size(artifact.size),
                    wanted.run
                )),
            ),
            Fact::plain("Writes", neutral(&format!("{place}/"))),
            Fact::plain(
                "Limits",
                format!(
                    "at most {} in at most {} files; no links, and nothing is replaced",
                    size(limits.bytes),
                    limits.entries
                ),
            ),
        ],
        local: true,
        no_lease: Some("it writes files on this machine"),
        ..any
    }
}

/// The refusal of a download about which no person is asked: there is no such artifact, or it has more than `most` bytes.
fn refusal(wanted: &Download, most: u64) -> Option<Refusal> {
    match &wanted.found {
        Err(refusal) => Some(refusal.clone()),
        Ok(artifact) if artifact.size > most => Some(Refusal::new(
            ErrorKind::PolicyBlocked,
            format!(
                "{} has {} packed, and at most {} are downloaded (`cj/gh-artifact-max-bytes').\nTell the person, who can raise the limit or download it in a terminal.",
                subject(&wanted.name),
                size(artifact.size),
                size(most)
            ),
        )),
        Ok(_) => None,
    }
}

fn no_repository() -> Refusal {
    Refusal::new(
        ErrorKind::BadArgument,
        "A download needs a repository, and there is none of a known host here.\nName it with `repo' as [HOST/]OWNER/REPO.",
    )
}

/// The path of an artifact's archive in the API, below the repository.
fn archive_path(id: u64) -> String {
    format!("actions/artifacts/{id}/zip")
}

fn api(endpoint: &str) -> Vec<String> {
    ["api", "--method", "GET", endpoint]
        .map(str::to_owned)
        .into()
}

fn subject(name: &str) -> String {
    format!("The artifact {name}")
}

/// Fetches and unpacks the archive, once a person has said yes.
struct Fetch {
    followup: Followup,
    /// The argv that fetches the archive, as the question showed it.
    argv: Vec<String>,
    artifact: Artifact,
    run: u64,
    name: String,
    place: FreePlace,
    limits: ArchiveLimits,
    budget: usize,
}

impl Finish for Fetch {
    fn finish(
        &self,
        _: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let subject = subject(&self.name);
        let trouble = |trouble: ArchiveError| trouble.refusal(&subject);
        let staging = Staging::new(&self.place).map_err(trouble)?;
        let packed = Arc::new(staging.packed().map_err(trouble)?);
        self.fetch(&packed, reads)?;
        let go_on = &mut || reads.go_on();
        self.compare(&packed, go_on).map_err(trouble)?;
        let unpacked = staging.unpacked().map_err(trouble)?;
        let written = unpack(&packed, &unpacked, self.limits, go_on).map_err(trouble)?;
        staging.publish(&self.place).map_err(trouble)?;
        Ok(self.told(&written, clean))
    }

    fn budget(&self) -> usize {
        self.budget
    }
}

impl Fetch {
    /// Writes the archive into `packed`, by a call of gh.
    fn fetch(&self, packed: &Arc<File>, reads: &mut dyn Reads) -> Result<(), Refusal> {
        let draft = self.followup.draft(self.argv.clone())?;
        let plan = Plan::new(Draft {
            // The person saw this command line in the question and said yes, so a read needs no further yes.
            answer: if draft.class == Class::Read {
                Answer::Auto
            } else {
                draft.answer
            },
            ..draft
        })?;
        let fetched = reads.run_into(plan, packed, self.limits.bytes);
        fetched.map(drop).map_err(|refusal| match refusal.kind {
            ErrorKind::Truncated => ArchiveError::Refused(format!(
                "packed it has more than {} bytes, and no more are downloaded (`cj/gh-artifact-max-bytes')",
                self.limits.bytes
            ))
            .refusal(&subject(&self.name)),
            ErrorKind::NotFound => Refusal::new(
                ErrorKind::NotFound,
                format!(
                    "{} is not there any more: it has expired or was deleted.\nTell the person; a new run makes a new one.",
                    subject(&self.name)
                ),
            ),
            _ => refusal,
        })
    }

    /// Compares the archive with the digest in GitHub's list; passes where the list has none.
    fn compare(
        &self,
        mut packed: &File,
        go_on: &mut dyn FnMut() -> Result<(), Refusal>,
    ) -> Result<(), ArchiveError> {
        let digest = self.artifact.digest.as_deref();
        let Some(expected) = digest.and_then(|digest| digest.strip_prefix("sha256:")) else {
            return Ok(());
        };
        let reading = |why: std::io::Error| ArchiveError::System {
            what: "The downloaded file cannot be read",
            why: why.to_string(),
        };
        let mut hash = Sha256::new();
        let mut piece = vec![0; 64 << 10];
        packed.rewind().map_err(reading)?;
        loop {
            let count = packed.read(&mut piece).map_err(reading)?;
            if count == 0 {
                break;
            }
            hash.update(&piece[..count]);
            go_on().map_err(ArchiveError::Ended)?;
        }
        if hex(&hash.finalize()).eq_ignore_ascii_case(expected) {
            Ok(())
        } else {
            Err(ArchiveError::Broken(
                "its sha256 is not the one in GitHub's list".into(),
            ))
        }
    }

    /// The result for the model: names and sizes of the written files, no contents.
    fn told(&self, written: &[Written], clean: &Cleaner) -> String {
        let total: u64 = written.iter().map(|file| file.size).sum();
        let files = if written.len() == 1 { "file" } else { "files" };
        let mut lines = vec![
            format!(
                "{} {files}, {}, of artifact {} of run {}, in",
                written.len(),
                size(total),
                clean.line(&self.name),
                self.run
            ),
            format!("{}/", self.place.path().to_string_lossy()),
        ];
        let shown = written.iter().take(MAX_SHOWN);
        lines.extend(shown.map(|file| format!("- {} {}", clean.line(&file.name), size(file.size))));
        if written.len() > MAX_SHOWN {
            lines.push(format!("and {} more", written.len() - MAX_SHOWN));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
#[path = "../../../test/rust/gh/download.rs"]
mod tests;
