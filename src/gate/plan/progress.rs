//! Progress: the state of a running call that may be shown.
//!
//! The end of an unfinished stream is harder to redact than a whole stream: a secret may have arrived only in part, and the text
//! that shows it to be a secret (`-----BEGIN … PRIVATE KEY-----`) may lie too far back.  In such a case less is shown.

use std::time::Duration;

use super::panic_report::broken;
use crate::gate::call::call::Call;
use crate::gate::decide::class::Class;
use crate::gate::decide::target::Target;
use crate::gate::result::cleaner::{Cleaner, cut};
use crate::gate::result::outcome::{Outcome, refused};
use crate::redact::neutral;
use crate::run::{Handle, State};

/// How many bytes at the end of the output are read.  A private key of 4,096 bits, with each line prefixed as in a log, fits.
const WINDOW: usize = 8_192;
/// The most bytes of the line that is shown.
const LINE: usize = 200;
/// How many bytes at the end of an unfinished line are never shown.  The redactor finds a piece of a known secret from 12 bytes on,
/// so a shorter piece at the end would pass unmasked.
const HOLD: usize = 16;
/// A word of at least this many characters may be a line of a key whose beginning is outside the window; lines of a key have 64 or
/// 76 characters.
const KEY_LINE: usize = 32;

/// A running call, for a person who watches it.  Each text in it is clean.
#[derive(Clone, Debug)]
pub struct Live {
    call: Call,
    clean: Cleaner,
}

/// The progress of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Whether the call is queued, running or finished.
    pub state: State,
    /// Time since the start of the child that runs now; zero while the call is queued.
    pub elapsed: Duration,
    /// Bytes read so far, both streams.
    pub bytes: u64,
    /// The last line of standard output that can be shown, at most some 200 bytes; empty where no line can be shown.
    pub last_line: String,
}

impl Live {
    pub(in crate::gate) fn new(call: Call, clean: Cleaner) -> Self {
        Self { call, clean }
    }

    /// The outcome of a call during which the module itself failed, so that nothing else is known.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "only a door of the module calls this")
    )]
    pub(crate) fn broken(&self) -> Outcome {
        refused(&self.call, &broken(), &self.clean)
    }

    /// The number of the call.
    pub fn number(&self) -> u64 {
        self.call.info.call
    }

    /// The program's name.
    pub fn program(&self) -> &'static str {
        self.call.info.program
    }

    /// The command path.
    pub fn command(&self) -> &str {
        &self.call.info.command
    }

    /// The class.
    pub fn class(&self) -> Class {
        self.call.info.class
    }

    /// The target of the call.
    pub fn target(&self) -> Option<&Target> {
        self.call.info.target.as_ref()
    }

    /// The argv, redacted.
    pub fn argv(&self) -> &[String] {
        &self.call.argv
    }

    /// The progress of the call, from the `handle` of its run; `None` between the end of a child that printed something and the next
    /// child or the result, when no last line is known.
    pub fn progress(&self, handle: &Handle) -> Option<Progress> {
        let latest = handle.latest(WINDOW);
        if latest.is_none() && handle.bytes() > 0 {
            return None;
        }
        Some(Progress {
            state: handle.state(),
            elapsed: latest
                .as_ref()
                .map_or_else(|| handle.elapsed(), |latest| latest.elapsed),
            bytes: handle.bytes(),
            last_line: latest.map_or_else(String::new, |latest| {
                last_line(latest.bytes.reveal(), latest.whole, &self.clean)
            }),
        })
    }
}

/// The last line of `bytes` that can be shown, clean; empty where no line can be shown.  `whole`: no output came before `bytes`.
pub(crate) fn last_line(bytes: &[u8], whole: bool, clean: &Cleaner) -> String {
    let end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    // If the window begins inside a line, the rest of that line is too little to recognize a secret.
    let from = if whole {
        0
    } else {
        let Some(first) = bytes.iter().position(end) else {
            return String::new();
        };
        first + 1
    };
    let text = &bytes[from..];
    let unfinished = text.iter().rposition(end).map_or(0, |at| at + 1);
    let mut settled = text.len();
    if unfinished < text.len() {
        let hold = text.len().saturating_sub(HOLD).max(unfinished);
        settled = text[unfinished..hold]
            .iter()
            .rposition(u8::is_ascii_whitespace)
            .map_or(unfinished, |at| unfinished + at + 1);
    }
    let redactor = clean.redactor();
    let mut shown = redactor.bytes(&text[..settled]);
    if settled < text.len() {
        // The bytes held back may show that a secret begins before them: only the part that both redactions share is shown.
        let wide = redactor.bytes(text);
        let alike = shown.iter().zip(&wide).take_while(|(a, b)| a == b).count();
        shown.truncate(alike);
    }
    let shown = String::from_utf8_lossy(&shown);
    let mut lines = shown
        .split(['\n', '\r'])
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .rev();
    let Some(last) = lines.next() else {
        return String::new();
    };
    if !whole {
        let runs = |line: &str| {
            line.split(|c| !keyish(c))
                .any(|word| word.len() >= KEY_LINE)
        };
        let short_rest = last.chars().all(keyish) && lines.next().is_some_and(runs);
        if runs(last) || short_rest {
            return String::new();
        }
    }
    cut(&neutral::neutral(last).replace('\t', " "), LINE)
}

/// Whether `c` may stand in a line of a key: a character of either base64 alphabet.
fn keyish(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_')
}

#[cfg(test)]
#[path = "../../../test/rust/gate/progress.rs"]
mod tests;
