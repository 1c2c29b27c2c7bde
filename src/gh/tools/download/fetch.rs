//! Fetching one file: a read of gh into a file, and the comparison with what GitHub's list says of it.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::gate::archive::{ArchiveError, Written};
use crate::gate::{Answer, Class, Cleaner, Draft, ErrorKind, Plan, Reads, Refusal};
use crate::gh::call::followup::Followup;
use crate::text::escapes::hex;
use crate::text::numbers::size;

/// Most files that a result names; the directory has all of them.
const MAX_SHOWN: usize = 1_000;

/// Runs `argv`, the read that the question showed, into `file`, which may get at most `most` bytes.
///
/// # Errors
/// Each error of the read; `truncated` where there are more bytes.
pub(super) fn fetch(
    followup: &Followup,
    argv: &[String],
    file: &Arc<File>,
    most: u64,
    reads: &mut dyn Reads,
) -> Result<(), Refusal> {
    let draft = followup.draft(argv.to_vec())?;
    let plan = Plan::new(Draft {
        // The person saw this command line in the question and said yes, so a read needs no further yes.
        answer: if draft.class == Class::Read {
            Answer::Auto
        } else {
            draft.answer
        },
        ..draft
    })?;
    reads.run_into(plan, file, most).map(drop)
}

/// The refusal of a download that is not at its place any more; every other `refusal` as it is.
pub(super) fn gone(refusal: Refusal, subject: &str, todo: &str) -> Refusal {
    if refusal.kind != ErrorKind::NotFound {
        return refusal;
    }
    Refusal::new(
        ErrorKind::NotFound,
        format!("{subject} is not there any more: it has expired or was deleted.\n{todo}"),
    )
}

/// Compares `file` with `digest`, as GitHub's list has it; `false` where the list has none.
///
/// # Errors
/// [`ArchiveError::Differs`], [`ArchiveError::Ended`] and [`ArchiveError::System`].
pub(super) fn compare(
    mut file: &File,
    digest: Option<&str>,
    go_on: &mut dyn FnMut() -> Result<(), Refusal>,
) -> Result<bool, ArchiveError> {
    let Some(expected) = digest.and_then(|digest| digest.strip_prefix("sha256:")) else {
        return Ok(false);
    };
    let reading = |why: std::io::Error| ArchiveError::System {
        what: "The downloaded file cannot be read",
        why: why.to_string(),
    };
    let mut hash = Sha256::new();
    let mut piece = vec![0; 64 << 10];
    file.rewind().map_err(reading)?;
    loop {
        let count = file.read(&mut piece).map_err(reading)?;
        if count == 0 {
            break;
        }
        hash.update(&piece[..count]);
        go_on().map_err(ArchiveError::Ended)?;
    }
    if hex(&hash.finalize()).eq_ignore_ascii_case(expected) {
        Ok(true)
    } else {
        Err(ArchiveError::Differs(
            "its sha256 is not the one in GitHub's list".into(),
        ))
    }
}

/// The result for the model: names and sizes of the files `written` into `place`, no contents.  `origin` says what they are of.
pub(super) fn told(written: &[Written], origin: &str, place: &Path, clean: &Cleaner) -> String {
    let total: u64 = written.iter().map(|file| file.size).sum();
    let files = if written.len() == 1 { "file" } else { "files" };
    let mut lines = vec![
        format!(
            "{} {files}, {}, of {origin}, in",
            written.len(),
            size(total)
        ),
        format!("{}/", place.to_string_lossy()),
    ];
    let shown = written.iter().take(MAX_SHOWN);
    lines.extend(shown.map(|file| format!("- {} {}", clean.line(&file.name), size(file.size))));
    if written.len() > MAX_SHOWN {
        lines.push(format!("and {} more", written.len() - MAX_SHOWN));
    }
    lines.join("\n")
}
