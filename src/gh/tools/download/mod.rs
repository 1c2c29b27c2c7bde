//! Downloads: an artifact of a run of GitHub Actions, or files of a release, below one directory of the user's.
//!
//! `gh run download` and `gh release download` themselves do not run.  They have no limit of any kind (an archive of 300 kB became a
//! file of 300 MB), leave their files behind when they fail, write names with escape sequences as they are, and silently skip files that
//! would land outside the directory (gh 2.92.0 and 2.103.3, which differ only in how they treat absolute names).  So gh fetches each file
//! by a plain read, whose output goes into a file with a limit, and the gate makes the files ([`crate::gate::archive`]).
//!
//! Lisp reads the list of the run or release first (`cj-gh-download.el`): the question shows numbers and sizes, and the person's yes is for
//! those files.

mod artifact;
mod assets;
mod fetch;
mod planned;
mod wanted;

use crate::gate::{Draft, Refusal};
use crate::gh::call::request::{Request, Settings};

pub use wanted::{Artifact, Asset, Download, Release};

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
    match wanted {
        Download::Artifact { run, name, found } => {
            artifact::draft((*run, name, found), request, settings)
        }
        Download::Assets { tag, name, found } => {
            assets::draft((tag.as_deref(), name, found), request, settings)
        }
    }
}

#[cfg(test)]
#[path = "../../../../test/rust/gh/download.rs"]
mod tests;
