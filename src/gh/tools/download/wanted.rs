//! What is downloaded, as GitHub's lists describe it.

use serde_json::Value;

use crate::gate::{ErrorKind, Refusal};
use crate::text::glob;
use crate::text::json::parse_bounded;

/// The download that a tool asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Download {
    /// An artifact of a workflow run.
    Artifact {
        /// The workflow run.
        run: u64,
        /// The artifact's name.
        name: String,
        /// The artifact in the run's list, or why there is nothing to download.
        found: Result<Artifact, Refusal>,
    },
    /// Files of a release.
    Assets {
        /// The release's tag; `None`: the latest release.
        tag: Option<String>,
        /// The name of a file, or a pattern that its name fits.
        name: String,
        /// The release with its files that are wanted, or why there is nothing to download.
        found: Result<Release, Refusal>,
    },
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

/// A release, and the files of it that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Release {
    /// Its tag.
    pub tag: String,
    /// The number of all its files.
    pub total: u64,
    /// The files that are wanted, in the release's order.
    pub assets: Vec<Asset>,
}

/// A file of a release; GitHub calls it an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its number, which no other asset ever gets.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub size: u64,
    /// `sha256:` and its digest; `None` where GitHub does not know it (assets from before June 2025, and GitHub Enterprise Server).
    pub digest: Option<String>,
}

/// Most files of a release that one download fetches: each is a read of its own, and a call may make 32
/// ([`MAX_READS`](crate::gate::MAX_READS)).
const MAX_ASSETS: usize = 20;

impl Release {
    /// The release in `json`, as the filter of `cj-gh-download.el` prints it, with those of its files that `name` names: the one file
    /// of exactly this name, or else all files whose names fit it as a pattern.
    ///
    /// # Errors
    /// `gh-exit` where `json` is no such release, `not-found` where no file is named, `bad-argument` where more than [`MAX_ASSETS`] are.
    pub fn read(json: &str, name: &str) -> Result<Self, Refusal> {
        let unreadable = || {
            Refusal::new(
                ErrorKind::Failed,
                "The release's list of files cannot be read.\nRun `M-x cj/gh-doctor'.",
            )
        };
        let value = parse_bounded(json.as_bytes()).map_err(|_| unreadable())?;
        let tag = value["tag"].as_str().ok_or_else(unreadable)?;
        let total = value["total"].as_u64().ok_or_else(unreadable)?;
        let listed = value["assets"].as_array().ok_or_else(unreadable)?;
        let mut assets = Vec::new();
        for one in listed {
            assets.push(asset(one).ok_or_else(unreadable)?);
        }
        if assets.iter().any(|asset| asset.name == name) {
            assets.retain(|asset| asset.name == name);
        } else {
            assets.retain(|asset| glob::fits(name, &asset.name));
        }
        match assets.len() {
            0 => Err(Refusal::new(
                ErrorKind::NotFound,
                format!(
                    "No file of the release has this name: it has {total} files.\nLook with gh: release view TAG --json assets --jq '.assets[].name'."
                ),
            )),
            1..=MAX_ASSETS => Ok(Self {
                tag: tag.to_owned(),
                total,
                assets,
            }),
            many => Err(Refusal::new(
                ErrorKind::BadArgument,
                format!(
                    "{many} files of the release fit this pattern, and at most {MAX_ASSETS} are downloaded at once.\nGive a narrower `name'."
                ),
            )),
        }
    }

    /// Bytes of all files that are wanted.
    pub fn size(&self) -> u64 {
        let sizes = self.assets.iter().map(|asset| asset.size);
        sizes.fold(0, u64::saturating_add)
    }
}

fn asset(value: &Value) -> Option<Asset> {
    Some(Asset {
        id: value["id"].as_u64()?,
        name: value["name"].as_str()?.to_owned(),
        size: value["size"].as_u64()?,
        digest: value["digest"].as_str().map(str::to_owned),
    })
}
