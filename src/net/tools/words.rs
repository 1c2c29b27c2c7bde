//! Phrases that several tools share.

use crate::gate::{ErrorKind, Refusal};
use crate::net::facts::LookUp;
use crate::net::parse::Outside;
use crate::run::Captured;

/// In words: why a look-up gave no address.
pub const fn no_address(look_up: LookUp) -> &'static str {
    match look_up {
        LookUp::TimedOut => "the look-up took longer than 11 seconds",
        LookUp::Failed => "the look-up could not be made",
        LookUp::None | LookUp::Found | LookUp::Nothing => "the look-up gave none",
    }
}

/// Standard output as text.
pub fn out(captured: &Captured) -> String {
    String::from_utf8_lossy(captured.stdout.head().reveal()).into_owned()
}

/// Standard error as text.
pub fn err(captured: &Captured) -> String {
    String::from_utf8_lossy(captured.stderr.head().reveal()).into_owned()
}

/// The program's complaint: the first line of standard error, quoted, or "nothing".
pub fn complaint(captured: &Captured) -> String {
    match err(captured).lines().find(|line| !line.trim().is_empty()) {
        Some(line) => Outside::new(line).to_string(),
        None => "nothing".to_owned(),
    }
}

/// In a few words: why a step has no result.
pub fn missing(refusal: &Refusal) -> String {
    match refusal.kind {
        ErrorKind::Timeout => "it took too long".to_owned(),
        _ => refusal
            .message
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end_matches('.')
            .to_owned(),
    }
}

/// `text`, without quotes where it has only letters, digits and `-_.*`.
pub fn name(text: &Outside) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.*".contains(&b);
    if !text.as_str().is_empty() && text.as_str().bytes().all(plain) {
        text.as_str().to_owned()
    } else {
        text.to_string()
    }
}

/// `count` and the noun `what`, whose plural ends in s: `1 port`, `2 ports`.
pub fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The words as a list: `a, b and c`.
pub fn and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The refusal of a call whose destination does not fit its tool; only a bug can cause it.
pub fn no_destination() -> Refusal {
    Refusal::new(
        ErrorKind::Module,
        "The call has no destination that its tool can use, which is a bug.\nReport it.",
    )
}
