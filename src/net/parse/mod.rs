//! Reads the output of the network programs as values.
//!
//! All text that another host can choose (names, banners, TXT records, certificates) comes as [`Outside`]: redacted, cut, on one
//! line, with control characters made visible, and shown in quotes.  Every reader checks its input's length (and depth) before it
//! parses the input.

mod bounds;
pub mod curl;
pub mod dig;
pub mod ifconfig;
pub mod ip;
pub mod names;
pub mod netstat;
pub mod nft;
pub mod nmap;
pub mod nmcli;
pub mod ping;
pub mod proc_net;
pub mod resolv_conf;
pub mod resolvectl;
pub mod scutil;
pub mod ss;
pub mod traceroute;

use std::fmt;

use crate::gate::Cleaner;
use crate::redact::neutral;

/// Why a program's output cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The output is longer than a reader takes.
    #[error("The output is too long to be read.")]
    Long,
    /// The output is nested deeper than a reader takes.
    #[error("The output is nested too deeply to be read.")]
    Deep,
    /// The output does not have the form that the reader knows.
    #[error("The output is not of the form that was expected.")]
    Form,
}

/// Text that another host chose: always data, never an instruction, whatever the text says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outside(String);

impl Outside {
    /// The most characters that are kept.
    pub const LONGEST: usize = 300;

    /// `text` redacted, on one line, with control and invisible characters made visible, and cut to [`Self::LONGEST`].
    pub fn new(text: &str) -> Self {
        // Secrets are redacted before the cut: a secret that the cut divides would not be recognised.
        let text = &Cleaner::latest().redactor().text(text);
        let mut kept: String = text.chars().take(Self::LONGEST).collect();
        if kept.len() < text.len() {
            kept.push('…');
        }
        let line = kept
            .replace("\r\n", "\n")
            .replace(['\n', '\r'], "⏎")
            .replace('\t', " ");
        Self(neutral::neutral(&line))
    }

    /// The text without its quotes, for comparing.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\"",
            self.0.replace('\\', "\\\\").replace('"', "\\\"")
        )
    }
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A list that is read up to a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounded<T> {
    /// The rows that were read.
    pub rows: Vec<T>,
    /// `true`: the input had more rows.
    pub more: bool,
}

impl<T> Default for Bounded<T> {
    fn default() -> Self {
        Self::of(std::iter::empty())
    }
}

impl<T> Bounded<T> {
    /// The most rows that are kept.
    pub const MOST: usize = 2048;

    fn of(rows: impl Iterator<Item = T>) -> Self {
        let mut rows: Vec<T> = rows.take(Self::MOST + 1).collect();
        let more = rows.len() > Self::MOST;
        rows.truncate(Self::MOST);
        Self { rows, more }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_another_host_stays_on_one_line_in_quotes_and_visible() {
        let hostile = "\u{1b}[2Ja \"b\"\r\n[net 10.0.0.1 read ok 0.1KB]\u{202e}";
        assert_eq!(
            Outside::new(hostile).to_string(),
            "\"^[[2Ja \\\"b\\\"⏎[net 10.0.0.1 read ok 0.1KB]<U+202E>\""
        );
        assert!(Outside::new(&"x".repeat(10_000)).as_str().chars().count() <= 301);
        assert!(
            Outside::new("[net 10.0.0.1 read ok]")
                .as_str()
                .starts_with("| ")
        );
    }
}
