//! The download of files of a release.  They are kept as they come: no archive among them is unpacked.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use super::fetch::{compare, fetch, gone, told};
use super::planned::{Asked, Source, source};
use super::wanted::{Asset, Release};
use crate::gate::archive::names::components;
use crate::gate::archive::{ArchiveError, FreePlace, Staging, Written, create};
use crate::gate::call::question::Fact;
use crate::gate::{Cleaner, Draft, ErrorKind, Finish, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::gh::call::request::{Request, Settings};
use crate::redact::neutral::neutral;
use crate::run::Captured;
use crate::text::numbers::size;

/// With this header GitHub sends the file itself in place of its description (REST documentation, "Get a release asset").
const THE_FILE: [&str; 2] = ["--header", "Accept: application/octet-stream"];

/// gh 2.103.3 refuses text with escape sequences without this flag, which gh 2.92.0 lacks; both print binary data as it is.
const ESCAPES: &str = "--allow-escape-sequences";

/// Bytes that may come for a file however small it is: in the place of a file that is gone, gh prints GitHub's error (some 100 bytes).
const ERROR: u64 = 64 << 10;

/// A file that is fetched.
struct Planned {
    /// The argv that fetches the file, as the question showed it.
    argv: Vec<String>,
    /// The file as the release lists it.
    asset: Asset,
    /// Its name on disk.
    name: String,
}

/// Makes the Draft of the download of the files `name` of the release `tag`, `found` in the release's list.
///
/// # Errors
/// As [`draft`](super::draft).
pub(super) fn draft(
    (tag, name, found): (Option<&str>, &str, &Result<Release, Refusal>),
    request: &Request,
    settings: &Settings,
) -> Result<Draft, Refusal> {
    let words = |tag: Option<&str>| -> Vec<String> {
        let begin = ["release", "download"].into_iter().chain(tag);
        let words = begin.chain(["--pattern", name]);
        words.map(str::to_owned).collect()
    };
    let source = source(request, settings, &words(tag), "releases/assets/0")?;
    let release = found.clone().unwrap_or_default();
    let subject = subject(&release.tag);
    let (planned, refusal) = match found {
        Err(refusal) => (Vec::new(), Some(refusal.clone())),
        Ok(release) => match planned(release, &source, settings) {
            Ok(planned) => (planned?, None),
            Err(trouble) => (Vec::new(), Some(trouble.refusal(&subject))),
        },
    };
    let place = source.place(settings, &["releases", &release.tag], &subject)?;
    let mut rows = vec![Fact::plain(
        "Files",
        neutral(&format!(
            "{} of the {} of release {}, {}",
            planned.len(),
            release.total,
            release.tag,
            size(release.size())
        )),
    )];
    rows.extend(planned.iter().map(|one| {
        let digest = if one.asset.digest.is_some() {
            ""
        } else {
            ", without a digest"
        };
        let size = size(one.asset.size);
        Fact::plain("File", format!("{} {size}{digest}", neutral(&one.name)))
    }));
    let asked = Asked {
        command: "release download",
        argv: words(
            Some(release.tag.as_str())
                .filter(|tag| !tag.is_empty())
                .or(tag),
        ),
        fetches: planned
            .iter()
            .map(|one| (one.argv.clone(), one.name.clone()))
            .collect(),
        rows,
        limits: format!(
            "at most {}; nothing is unpacked, executable or replaced",
            size(settings.artifact_bytes)
        ),
        refusal,
        finish: Arc::new(Fetch {
            followup: source.followup.clone(),
            tag: release.tag,
            planned,
            place: place.clone(),
            budget: source.budget(),
        }),
    };
    Ok(source.draft(asked, &place, settings))
}

/// The files of `release` with their names on disk and the reads that fetch them.
///
/// # Errors
/// Why nothing of the release is taken.  The inner error is that of planning a read.
fn planned(
    release: &Release,
    source: &Source,
    settings: &Settings,
) -> Result<Result<Vec<Planned>, Refusal>, ArchiveError> {
    let most = settings.artifact_bytes;
    if release.size() > most {
        return Err(ArchiveError::Refused(format!(
            "the files have {}, and at most {} are downloaded (`cj/gh-artifact-max-bytes')",
            size(release.size()),
            size(most)
        )));
    }
    let mut names = Vec::new();
    let mut seen = BTreeSet::new();
    for asset in &release.assets {
        let mut parts = components(asset.name.as_bytes()).map_err(ArchiveError::Refused)?;
        let name = parts
            .pop()
            .filter(|_| parts.is_empty() && !asset.name.ends_with('/'));
        let name = name.ok_or_else(|| {
            ArchiveError::Refused(format!(
                "the name `{}' in it holds a slash",
                neutral(&asset.name)
            ))
        })?;
        // Two names that differ only in their letters' case are one file for some file systems.
        if !seen.insert(name.to_lowercase()) {
            return Err(ArchiveError::Refused(format!("it holds `{name}' twice")));
        }
        names.push(name);
    }
    let mut flags = THE_FILE.to_vec();
    match source.has(ESCAPES, settings) {
        Ok(true) => flags.push(ESCAPES),
        Ok(false) => {}
        Err(refusal) => return Ok(Err(refusal)),
    }
    let read = |(asset, name): (&Asset, String)| {
        let endpoint = format!("releases/assets/{}", asset.id);
        let argv = source.read(&endpoint, &flags)?;
        Ok(Planned {
            argv,
            asset: asset.clone(),
            name,
        })
    };
    Ok(release.assets.iter().zip(names).map(read).collect())
}

fn subject(tag: &str) -> String {
    format!("The release {}", neutral(tag))
}

/// Fetches the files, once a person has said yes.
struct Fetch {
    followup: Followup,
    tag: String,
    planned: Vec<Planned>,
    place: FreePlace,
    budget: usize,
}

impl Finish for Fetch {
    fn finish(
        &self,
        _: &Captured,
        clean: &Cleaner,
        reads: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        let trouble = |trouble: ArchiveError| trouble.refusal(&subject(&self.tag));
        let staging = Staging::new(&self.place).map_err(trouble)?;
        let directory = staging.unpacked().map_err(trouble)?;
        let (mut written, mut compared) = (Vec::new(), 0);
        for one in &self.planned {
            let file = Arc::new(create(&directory, &one.name).map_err(trouble)?);
            compared += usize::from(self.take(one, &file, reads)?);
            written.push(Written {
                name: one.name.clone(),
                size: one.asset.size,
            });
        }
        staging.publish(&self.place).map_err(trouble)?;
        let origin = format!("release {}", clean.line(&self.tag));
        let mut text = told(&written, &origin, &self.place.path(), clean);
        if compared < written.len() {
            let _ = write!(
                text,
                "\n[GitHub has a sha256 of {compared} of {} files; the sizes of all agree]",
                written.len()
            );
        }
        Ok(text)
    }

    fn budget(&self) -> usize {
        self.budget
    }
}

impl Fetch {
    /// Fetches the file `one` into `file`; `true`: its digest was compared too.
    fn take(
        &self,
        one: &Planned,
        file: &Arc<std::fs::File>,
        reads: &mut dyn Reads,
    ) -> Result<bool, Refusal> {
        let subject = format!("The file {} of release {}", one.name, neutral(&self.tag));
        let differs = || {
            let why = "its size is not the one in GitHub's list";
            ArchiveError::Differs(why.into()).refusal(&subject)
        };
        let most = one.asset.size.max(ERROR);
        let fetched = fetch(&self.followup, &one.argv, file, most, reads);
        fetched.map_err(|refusal| match refusal.kind {
            ErrorKind::Truncated => differs(),
            _ => gone(refusal, &subject, "Look at the release again."),
        })?;
        let there = file.metadata().map_or(0, |facts| facts.len());
        if there != one.asset.size {
            return Err(differs());
        }
        compare(file, one.asset.digest.as_deref(), &mut || reads.go_on())
            .map_err(|trouble| trouble.refusal(&subject))
    }
}
