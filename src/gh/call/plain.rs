//! A result as gh printed it, or the error that gh's words and exit code stand for.

use crate::gate::result::budget::Shows;
use crate::gate::{Cleaner, ErrorKind, Finish, Reads, Refusal};
use crate::gh::{errors, rows};
use crate::run::{Captured, Ended};

/// Finishes a call of gh without a view.
#[derive(Clone)]
pub struct Plain {
    /// The leaf, such as `pr view`.
    pub command: String,
    /// The pinned host.
    pub host: String,
    /// The variable of the child's environment that holds a token, if one does.
    pub token_variable: Option<&'static str>,
    /// Tokens that the result may have.
    pub budget: usize,
}

impl Plain {
    /// Checks that gh did what the call asked for.
    ///
    /// # Errors
    /// The kind of failure that gh's exit code and words stand for.
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

/// The text that gh printed, redacted.
///
/// # Errors
/// `truncated` where only the beginning of the output was kept.
fn text(captured: &Captured, clean: &Cleaner) -> Result<String, Refusal> {
    let text = clean.stream(&captured.stdout);
    // Where both ends are kept, the result shows the gap between them; where the head alone is kept, the rest is lost.
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
    // For a command that prints nothing else (`pr merge'), gh's words on standard error are the result.
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
