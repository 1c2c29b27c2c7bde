//! The download of an artifact: the archive of files that a run of GitHub Actions left, fetched and unpacked.

use std::sync::Arc;

use super::fetch::{compare, fetch, gone, told};
use super::planned::{Asked, source};
use super::wanted::Artifact;
use crate::gate::archive::{ArchiveError, ArchiveLimits, FreePlace, Staging, unpack};
use crate::gate::call::question::Fact;
use crate::gate::{Cleaner, Draft, ErrorKind, Finish, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::call::request::{Request, Settings};
use crate::redact::neutral::neutral;
use crate::run::Captured;
use crate::text::numbers::size;

/// Makes the Draft of the download of the artifact `name` of `run`, `found` in the run's list.
///
/// # Errors
/// As [`draft`](super::draft).
pub(super) fn draft(
    (run, name, found): (u64, &str, &Result<Artifact, Refusal>),
    request: &Request,
    settings: &Settings,
) -> Result<Draft, Refusal> {
    let run = run.to_string();
    let argv = ["run", "download", &run, "--name", name].map(str::to_owned);
    let artifact = found.clone().unwrap_or_default();
    let endpoint = format!("actions/artifacts/{}/zip", artifact.id);
    let source = source(request, settings, &argv, &endpoint)?;
    let line = source.read(&endpoint, &[])?;
    let place = source.place(settings, &[&run, name], &subject(name))?;
    let limits = ArchiveLimits {
        bytes: settings.artifact_bytes,
        entries: ArchiveLimits::ENTRIES,
    };
    let refusal = match found {
        Err(refusal) => Some(refusal.clone()),
        Ok(artifact) if artifact.size > limits.bytes => Some(Refusal::new(
            ErrorKind::PolicyBlocked,
            format!(
                "{} has {} packed, and at most {} are downloaded (`cj/gh-artifact-max-bytes').\nTell the person, who can raise the limit or download it in a terminal.",
                subject(name),
                size(artifact.size),
                size(limits.bytes)
            ),
        )),
        Ok(_) => None,
    };
    let shown = format!(
        "{name} (number {}), {} packed, of run {run}",
        artifact.id,
        size(artifact.size)
    );
    let asked = Asked {
        command: "run download",
        argv: argv.to_vec(),
        fetches: vec![(line.clone(), "packed.zip".into())],
        rows: vec![Fact::plain("Artifact", neutral(&shown))],
        limits: format!(
            "at most {} in at most {} files; no links, and nothing is replaced",
            size(limits.bytes),
            limits.entries
        ),
        refusal,
        finish: Arc::new(Fetch {
            followup: source.followup.clone(),
            argv: line,
            artifact,
            run,
            name: name.to_owned(),
            place: place.clone(),
            limits,
            budget: source.budget(),
        }),
    };
    Ok(source.draft(asked, &place, settings))
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
    run: String,
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
        let fetched = fetch(
            &self.followup,
            &self.argv,
            &packed,
            self.limits.bytes,
            reads,
        );
        fetched.map_err(|refusal| match refusal.kind {
            ErrorKind::Truncated => ArchiveError::Refused(format!(
                "packed it has more than {} bytes, and no more are downloaded (`cj/gh-artifact-max-bytes')",
                self.limits.bytes
            ))
            .refusal(&subject),
            _ => gone(refusal, &subject, "Tell the person; a new run makes a new one."),
        })?;
        let go_on = &mut || reads.go_on();
        compare(&packed, self.artifact.digest.as_deref(), go_on).map_err(trouble)?;
        let unpacked = staging.unpacked().map_err(trouble)?;
        let written = unpack(&packed, &unpacked, self.limits, go_on).map_err(trouble)?;
        staging.publish(&self.place).map_err(trouble)?;
        let origin = format!("artifact {} of run {}", clean.line(&self.name), self.run);
        Ok(told(&written, &origin, &self.place.path(), clean))
    }

    fn budget(&self) -> usize {
        self.budget
    }
}
