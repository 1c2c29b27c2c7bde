//! Cleaner: turns a child's bytes, and any text from outside, into text that may leave the core.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use once_cell::sync::Lazy;

use crate::foreign::Foreign;
use crate::redact::{ArgvRoles, Redactor, neutral};
use crate::run::Stream;

/// The last redactor made, with the secrets that it knows.
type Held = Option<(Vec<Foreign<String>>, Arc<Redactor>)>;
static LAST: Lazy<Mutex<Held>> = Lazy::new(Mutex::default);

/// Cleans text: secrets are masked, escapes and invisible characters are made visible.  Only clean text may leave the core.
#[derive(Clone)]
pub struct Cleaner {
    redactor: Arc<Redactor>,
    /// Says what the values in the program's command lines are.
    roles: Option<&'static dyn ArgvRoles>,
}

impl Cleaner {
    /// A cleaner that also masks each value of `secrets`, the secrets of this process.
    ///
    /// The last redactor is kept, since the secrets of an Emacs seldom change and making a redactor takes longer than a call.
    pub fn holding(secrets: &[Foreign<String>]) -> Self {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((held, redactor)) = last.as_ref()
            && held == secrets
        {
            return Self {
                redactor: Arc::clone(redactor),
                roles: None,
            };
        }
        let plain: Vec<String> = secrets.iter().map(|s| s.reveal().clone()).collect();
        let redactor = Arc::new(Redactor::new(&plain));
        *last = Some((secrets.to_vec(), Arc::clone(&redactor)));
        Self {
            redactor,
            roles: None,
        }
    }

    /// The same for a program whose command lines `roles` reads.
    #[must_use]
    pub fn reading(self, roles: &'static dyn ArgvRoles) -> Self {
        Self {
            roles: Some(roles),
            ..self
        }
    }

    /// A cleaner with the last redactor made; if there is none yet, a cleaner that knows no secret values.
    #[cfg_attr(
        not(feature = "module"),
        allow(dead_code, reason = "only the doors of the module use this")
    )]
    pub(crate) fn latest() -> Self {
        let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
        last.map_or_else(
            || Self::holding(&[]),
            |(_, redactor)| Self {
                redactor,
                roles: None,
            },
        )
    }

    /// The redactor alone.
    pub fn redactor(&self) -> Arc<Redactor> {
        Arc::clone(&self.redactor)
    }

    /// Cleans a captured stream; a mark at a gap states the bytes left out, a mark at a missing end the limit.
    pub fn stream(&self, stream: &Stream) -> String {
        let (front, back) = stream.shown(|bytes| self.redactor.bytes(bytes));
        let text = neutral::of_bytes(&front);
        if !stream.truncated {
            return text;
        }
        // The line end before a mark belongs to the mark; the text before it is exactly the text that was kept.
        if stream.tail().is_empty() {
            // The rest of the stream was never read, so its length is not known.
            return format!("{text}\n[cut at {} bytes]", stream.shown_head);
        }
        let left_out = stream.dropped() + beyond(stream, &front, &back);
        let back = neutral::of_bytes(&back);
        format!("{text}\n[{left_out} bytes left out here]\n{back}")
    }

    /// Cleans text.
    pub fn text(&self, text: &str) -> String {
        neutral::neutral(&self.redactor.text(text))
    }

    /// Cleans text for one line of a person's buffer: a line end becomes `^J`, and a long line is cut to [`MAX_LINE`] bytes.
    pub fn line(&self, text: &str) -> String {
        one_line(&self.text(text))
    }

    /// Cleans a child's bytes; a byte that is not UTF-8 is shown by its value: `<0x9B>`.
    pub fn bytes(&self, bytes: &[u8]) -> String {
        neutral::of_bytes(&self.redactor.bytes(bytes))
    }

    /// `argv` with its secrets masked, to be shown and logged.
    pub fn argv(&self, argv: &[String]) -> Vec<String> {
        self.redactor.argv(argv, self.roles)
    }

    /// The type of the first secret in `text`, if there is one.
    pub fn secret_in(&self, text: &str) -> Option<&'static str> {
        self.redactor.find(text)
    }
}

/// Number of kept bytes at the edges of the gap that are not shown: half a character, or half a word that might be a secret.
///
/// An edge where a secret was masked counts 0, because a mask's length says nothing about the bytes behind it.
fn beyond(stream: &Stream, front: &[u8], back: &[u8]) -> u64 {
    let mut more = 0;
    if stream.head().reveal().starts_with(front) {
        more += stream.shown_head.saturating_sub(front.len());
    }
    if stream.tail().reveal().ends_with(back) {
        more += stream.shown_tail.saturating_sub(back.len());
    }
    more as u64
}

/// The most bytes of text that [`one_line`] leaves.
const MAX_LINE: usize = 400;

/// The clean text `clean` on one line; a line end becomes `^J`, and a long text is cut to [`MAX_LINE`] bytes.
pub fn one_line(clean: &str) -> String {
    cut(&clean.replace('\n', "^J"), MAX_LINE)
}

/// The first `most` bytes of `clean`, or up to three fewer so that no character is split, and a note such as `[12 more bytes]`.
pub(in crate::gate) fn cut(clean: &str, most: usize) -> String {
    if clean.len() <= most {
        return clean.to_owned();
    }
    let end = (0..=most)
        .rev()
        .find(|at| clean.is_char_boundary(*at))
        .unwrap_or(0);
    format!("{} [{} more bytes]", &clean[..end], clean.len() - end)
}

impl fmt::Debug for Cleaner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cleaner")
    }
}
