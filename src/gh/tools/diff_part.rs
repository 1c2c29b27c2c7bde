//! A pull request's changes in pieces: the index where the diff is longer than what is kept, and one file or hunk of it.

use serde_json::Value;

use crate::gate::{ErrorKind, Reads, Refusal};
use crate::gh::call::followup::Again;
use crate::gh::render::{self, Clean};

/// Files on a page of GitHub's list of a pull request's files: its most (REST documentation, "List pull requests files").
const PAGE: usize = 100;

/// Which part of a pull request's changes is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The pull request.
    pub number: u64,
    /// The file.
    pub file: String,
    /// One of its hunks, from 1; none for all of them.
    pub hunk: Option<u64>,
}

/// The index of a diff that is too long to be read whole, from gh's list of its files.
///
/// # Errors
/// Whatever the further read comes to.
pub fn index(
    number: u64,
    again: &Again,
    reads: &mut dyn Reads,
    clean: Clean<'_>,
) -> Result<String, Refusal> {
    let number = number.to_string();
    let argv = ["pr", "view", &number, "--json", FIELDS].map(Into::into);
    let captured = reads.run(again.plan_there(argv.into())?)?;
    let head = captured.stdout.head();
    let list = render::files(head.reveal(), clean)
        .map_err(|error| Refusal::new(error.kind(), error.message()))?;
    Ok(format!(
        "{list}\n[index only, the diff is longer than 64 KB; gh_pr_diff with file, and hunk for one of its hunks]"
    ))
}

/// What gh is asked for to list the files of a pull request.
pub const FIELDS: &str = "files,changedFiles,additions,deletions";

/// PART, where `listed` is what `gh pr view --json` says of the pull request's files.
///
/// # Errors
/// `not-found` where there is no such file or hunk; whatever the further reads come to.
pub fn part(
    listed: &[u8],
    part: &Part,
    again: &Again,
    reads: &mut dyn Reads,
    clean: Clean<'_>,
) -> Result<String, Refusal> {
    let listed = render::parse_bounded(listed)
        .map_err(|error| Refusal::new(error.kind(), error.message()))?;
    let files = listed["files"].as_array().map_or(&[][..], Vec::as_slice);
    let changed = listed["changedFiles"].as_u64().unwrap_or(0);
    let known = files
        .iter()
        .position(|file| file["path"].as_str() == Some(part.file.as_str()));
    let pages = usize::try_from(changed).unwrap_or(0).div_ceil(PAGE).max(1);
    // gh lists the first hundred files, in the order of GitHub's pages.
    let pages = match known {
        Some(_) => 1..2,
        None if pages > 1 => 2..pages + 1,
        None => return Err(no_file(&part.file, clean)),
    };
    for page in pages {
        if let Some(patch) = on_page(page, part, again, reads)? {
            let hunk = part.hunk.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
            return render::patch(&part.file, &patch, hunk, clean).ok_or_else(|| {
                Refusal::new(
                    ErrorKind::NotFound,
                    format!(
                        "There is no hunk {} in {}.\nLeave `hunk' out to see how many there are.",
                        part.hunk.unwrap_or(0),
                        render::one_line(&part.file, clean)
                    ),
                )
            });
        }
    }
    Err(no_file(&part.file, clean))
}

/// The patch of the file on page PAGE, if it stands there.
fn on_page(
    page: usize,
    part: &Part,
    again: &Again,
    reads: &mut dyn Reads,
) -> Result<Option<String>, Refusal> {
    let Some((owner, repo)) = again.owner_and_repo() else {
        return Ok(None);
    };
    let endpoint = format!(
        "repos/{owner}/{repo}/pulls/{}/files?per_page={PAGE}&page={page}",
        part.number
    );
    // A string of jq is written as one of JSON (jq manual, "String interpolation": a backslash that JSON has escaped is none).
    let name = Value::from(part.file.as_str());
    let filter = format!(
        ".[] | select(.filename == {name}) | if .patch then .patch else \"(GitHub shows no text of this file)\" end"
    );
    let argv = ["api", "--method", "GET", &endpoint, "--jq", &filter].map(Into::into);
    let captured = reads.run(again.plan(argv.into())?)?;
    let head = captured.stdout.head();
    let text = String::from_utf8_lossy(head.reveal()).into_owned();
    Ok((!text.trim().is_empty()).then_some(text))
}

fn no_file(file: &str, clean: Clean<'_>) -> Refusal {
    Refusal::new(
        ErrorKind::NotFound,
        format!(
            "The pull request does not change {}.\nAsk without `file' for the index of what it changes.",
            render::one_line(file, clean)
        ),
    )
}
