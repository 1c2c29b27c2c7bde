//! A pull request's changes: the whole diff, an index where the diff is longer than a result may be, and one file or hunk of it.

use serde_json::Value;

use super::subject::{Names, Subject};
use super::view::{Around, View};
use crate::gate::{Cleaner, ErrorKind, Refusal};
use crate::gh::render::{self, Clean};
use crate::run::{Captured, Ended};
use crate::text::tokens;

/// Tokens up to which a diff is shown whole: below the 800 that a result has by default (`gate::result::budget`).
const WHOLE_DIFF: usize = 700;

/// Files on one page of GitHub's list of a pull request's files: 100 is the most that GitHub gives (REST documentation, "List pull requests files").
const PAGE: usize = 100;

/// The text of `pr diff`: the whole, or an index of it.
#[derive(Debug)]
pub(super) struct DiffView;

impl View for DiffView {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        if captured.stdout.truncated {
            return index(around);
        }
        let head = captured.stdout.head();
        let text = String::from_utf8_lossy(head.reveal());
        Ok(render::diff(&text, WHOLE_DIFF, &tokens::count, &|text| {
            around.clean.text(text)
        }))
    }

    /// The same call with `--allow-escape-sequences`: the cleaner makes the diff's escape sequences visible, so they do nothing.
    fn once_more(&self, captured: &Captured, subject: Option<&Subject>) -> Option<Vec<String>> {
        let which = subject?.word();
        let flag = "--allow-escape-sequences";
        let argv = ["pr", "diff", &which, "--color", "never", flag].map(Into::into);
        refuses_escapes(captured).then(|| argv.into())
    }

    fn whole(&self, captured: &Captured, clean: &Cleaner) -> Option<String> {
        // Where the output was cut, the result is already an index, and there is no whole diff to keep.
        let whole = (!captured.stdout.truncated).then(|| clean.stream(&captured.stdout))?;
        (tokens::count(&whole) > WHOLE_DIFF).then_some(whole)
    }
}

/// Whether gh refused to print the diff because it holds escape sequences: newer releases print them only with `--allow-escape-sequences`.
fn refuses_escapes(captured: &Captured) -> bool {
    !matches!(captured.ended, Ended::Exited(0))
        && String::from_utf8_lossy(captured.stderr.head().reveal())
            .contains("--allow-escape-sequences")
}

/// One file or hunk of a pull request's changes.
#[derive(Debug)]
pub(super) struct DiffPartView {
    /// The file's path in the repository.
    pub file: String,
    /// The number of one of its hunks, from 1; `None` for all hunks.
    pub hunk: Option<u64>,
}

impl View for DiffPartView {
    fn names(&self) -> Names {
        Names::PullRequest
    }

    /// Renders the part; `captured` holds what `gh pr view --json` printed about the pull request's files.
    ///
    /// # Errors
    /// `not-found` where there is no such file or hunk, and each error of the further reads.
    fn render(&self, captured: &Captured, around: &mut Around<'_>) -> Result<String, Refusal> {
        let head = captured.stdout.head();
        part(head.reveal(), self, around)
    }
}

/// The index of a diff that is too long to be read whole, from gh's list of its files.
///
/// # Errors
/// Each error of the further read.
fn index(around: &mut Around<'_>) -> Result<String, Refusal> {
    let which = around.subject.map(Subject::word).unwrap_or_default();
    let argv = ["pr", "view", &which, "--json", &FIELDS.join(",")].map(Into::into);
    let plan = around.followup.plan_there(argv.into())?;
    let captured = around.reads.run(plan)?;
    let head = captured.stdout.head();
    let list = render::files(head.reveal(), &|text| around.clean.text(text))
        .map_err(|error| Refusal::new(error.kind(), error.message()))?;
    Ok(format!(
        "{list}\n[index only, the diff is longer than 64 KB; gh_pr_diff with file, and hunk for one of its hunks]"
    ))
}

/// The `--json` fields that gh is asked for to list the files of a pull request.
pub(super) const FIELDS: &[&str] = &["number", "files", "changedFiles", "additions", "deletions"];

/// The text of `part`, where `listed` is gh's list of the pull request's files.
fn part(listed: &[u8], part: &DiffPartView, around: &mut Around<'_>) -> Result<String, Refusal> {
    let cleaner = around.clean;
    let clean: Clean<'_> = &|text| cleaner.text(text);
    let listed = render::parse_bounded(listed)
        .map_err(|error| Refusal::new(error.kind(), error.message()))?;
    let files = listed["files"].as_array().map_or(&[][..], Vec::as_slice);
    let changed = listed["changedFiles"].as_u64().unwrap_or(0);
    let number = listed["number"].as_u64().unwrap_or(0);
    let known = files
        .iter()
        .position(|file| file["path"].as_str() == Some(part.file.as_str()));
    let pages = usize::try_from(changed).unwrap_or(0).div_ceil(PAGE).max(1);
    // gh lists only the first hundred files, in the order of GitHub's pages: a file that gh lists stands on page 1, any other on a later page.
    let pages = match known {
        Some(_) => 1..2,
        None if pages > 1 => 2..pages + 1,
        None => return Err(no_file(&part.file, clean)),
    };
    for page in pages {
        if let Some(patch) = on_page(page, number, part, around)? {
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

/// The patch of the file, if the file stands on page number `page`.
fn on_page(
    page: usize,
    number: u64,
    part: &DiffPartView,
    around: &mut Around<'_>,
) -> Result<Option<String>, Refusal> {
    let Some((owner, repo)) = around.followup.owner_and_repo() else {
        return Ok(None);
    };
    let endpoint = format!("repos/{owner}/{repo}/pulls/{number}/files?per_page={PAGE}&page={page}");
    // A JSON string is the same string in jq: JSON escapes each backslash, so no `\(' starts an interpolation (jq manual).
    let name = Value::from(part.file.as_str());
    let filter = format!(
        ".[] | select(.filename == {name}) | if .patch then .patch else \"(GitHub shows no text of this file)\" end"
    );
    let argv = ["api", "--method", "GET", &endpoint, "--jq", &filter].map(Into::into);
    let plan = around.followup.plan(argv.into())?;
    let captured = around.reads.run(plan)?;
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
