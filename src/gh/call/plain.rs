//! A result as gh printed it, or the error that gh's words and exit code come to: all that a further call needs.

use crate::gate::result::budget::Shows;
use crate::gate::{Cleaner, ErrorKind, Finish, Reads, Refusal};
use crate::gh::{errors, rows};
use crate::run::{Captured, Ended};

/// Finishes a call of gh without a view.
#[derive(Clone)]
pub struct Plain {
    /// The leaf, `pr view`.
    pub command: String,
    /// The pinned host.
    pub host: String,
    /// The environment's variable with the token that went along, if any.
    pub token_variable: Option<&'static str>,
    /// Tokens that the result may take.
    pub budget: usize,
}

impl Plain {
    /// Whether gh did what it was asked to.
    ///
    /// # Errors
    /// The kind of failure that its exit code and its words come to.
    pub fn diagnose(&self, captured: &Captured, clean: &Cleaner) -> Result<(), Refusal> {
        let Ended::Exited(code) = captured.ended else {
            return Ok(());
        };
        let run = errors::Run {
            command: &self.command,
            host: &self.host,
            token_variable: self.token_variable,
            exit: code,
            has_output: captured.stdout.read > 0,
            stderr: &String::from_utf8_lossy(captured.stderr.head().reveal()),
        };
        errors::diagnose(&run, &|text| clean.text(text)).map_or(Ok(()), Err)
    }
}

impl Finish for Plain {
    fn finish(
        &self,
        captured: &Captured,
        clean: &Cleaner,
        _: &mut dyn Reads,
    ) -> Result<String, Refusal> {
        self.diagnose(captured, clean)?;
        text(captured, clean)
    }

    fn budget(&self) -> usize {
        self.budget
    }

    fn shows(&self) -> Shows {
        if rows::leaf(&self.command).is_some_and(|row| row.shows_ends) {
            Shows::Ends
        } else {
            Shows::Head
        }
    }
}

/// What gh printed, clean.
///
/// # Errors
/// `truncated` where only a beginning was kept.
fn text(captured: &Captured, clean: &Cleaner) -> Result<String, Refusal> {
    let text = clean.stream(&captured.stdout);
    // With both ends kept, a gap is part of the result; with the head alone, the rest is lost.
    if captured.stdout.truncated && captured.stdout.tail().is_empty() {
        return Err(cut(captured.stdout.shown_head));
    }
    if captured.ended == Ended::ReadLimit {
        return Ok(format!(
            "{}\n[the command was ended after {} bytes of output]",
            text.trim_end_matches('\n'),
            captured.stdout.read
        ));
    }
    // What gh says on standard error belongs to the result of a command that prints nothing else (`pr merge').
    let said = clean.stream(&captured.stderr);
    Ok(match (text.trim().is_empty(), said.trim().is_empty()) {
        (false, _) => text,
        (true, false) => said,
        (true, true) => "Done; gh printed nothing.".to_owned(),
    })
}

/// The refusal of an output of which only the first `at` bytes were kept.
pub(in crate::gh) fn cut(at: usize) -> Refusal {
    Refusal::new(
        ErrorKind::Truncated,
        format!(
            "The output was cut at {at} bytes and the command was ended.\nUse --limit, fewer fields or a more specific tool."
        ),
    )
}
