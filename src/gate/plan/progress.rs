//! Progress: what may be shown of a call while it runs.
//!
//! The end of a stream that still goes on is harder to redact than a whole one: a secret may have come by half, and what would
//! have told that it is one may lie too far back.  Where that could be so, less is shown.

use std::time::Duration;

use super::panic_report::broken;
use crate::gate::call::call::Call;
use crate::gate::decide::class::Class;
use crate::gate::decide::target::Target;
use crate::gate::result::cleaner::{Cleaner, cut};
use crate::gate::result::outcome::{Outcome, refused};
use crate::redact::neutral;
use crate::run::{Handle, State};

/// Bytes at the end of the output that are looked at.  A private key of 4,096 bits, its lines prefixed as in a log, fits.
const WINDOW: usize = 8_192;
/// Longest line that is shown, in bytes.
const LINE: usize = 200;
/// Bytes at the end of an unfinished line that are never shown: a piece of a known value is found from twelve on.
const HOLD: usize = 16;
/// A word of so many characters may be a line of a key whose beginning has gone by; those have 64 or 76.
const KEY_LINE: usize = 32;

/// What a call is, for those who look on.  All text in it is clean.
#[derive(Clone, Debug)]
pub struct Live {
    call: Call,
    clean: Cleaner,
}

/// How far a call is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Where it stands.
    pub state: State,
    /// Since the start of the child that runs now; zero while it is queued.
    pub elapsed: Duration,
    /// Bytes read so far, both streams.
    pub bytes: u64,
    /// The last line of standard output that can be shown, at most some 200 bytes; empty where there is none.
    pub last_line: String,
}

impl Live {
    pub(in crate::gate) fn new(call: Call, clean: Cleaner) -> Self {
        Self { call, clean }
    }

    /// What the call came to where the module failed in its midst and nothing else is known of it.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "told through the door alone")
    )]
    pub(crate) fn broken(&self) -> Outcome {
        refused(&self.call, &broken(), &self.clean)
    }

    /// Number of the call.
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

    /// Where it goes.
    pub fn target(&self) -> Option<&Target> {
        self.call.info.target.as_ref()
    }

    /// The argv, redacted.
    pub fn argv(&self) -> &[String] {
        &self.call.argv
    }

    /// How far it is; `handle` is that of its run.
    pub fn progress(&self, handle: &Handle) -> Progress {
        let latest = handle.latest(WINDOW);
        Progress {
            state: handle.state(),
            elapsed: latest
                .as_ref()
                .map_or_else(|| handle.elapsed(), |latest| latest.elapsed),
            bytes: handle.bytes(),
            last_line: latest.map_or_else(String::new, |latest| {
                last_line(latest.bytes.reveal(), latest.whole, &self.clean)
            }),
        }
    }
}

/// The last line of `bytes` that can be shown, clean; `whole` says that nothing came before them.
pub(crate) fn last_line(bytes: &[u8], whole: bool, clean: &Cleaner) -> String {
    let end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    // Where the window cuts into a line, its rest says too little of what it is.
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
        // What is still held back can tell that a secret has begun before it.
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

/// Whether a key's line may hold it: base64, of either alphabet.
fn keyish(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_')
}

#[cfg(test)]
#[path = "../../../test/rust/gate/progress.rs"]
mod tests;
