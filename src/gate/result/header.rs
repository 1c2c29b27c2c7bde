//! The header line: the first line of every result, with the call's target, class, status and size.

use std::fmt;
use std::time::Duration;

use crate::gate::decide::approved::ApprovedBy;
use crate::gate::decide::class::Class;
use crate::gate::decide::kind::ErrorKind;
use crate::gate::decide::target::Target;

/// How a call ended, in the header line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The call ran without a question.
    Ok,
    /// The call ran after a person's key.
    Confirmed,
    /// The call ran under a lease that a person gave.
    Leased,
    /// A person declined the call, or nobody could be asked.
    Declined,
    /// The gate refused the call.
    Blocked(ErrorKind),
    /// The call failed, while it ran or before.
    Error(ErrorKind),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("ok"),
            Self::Confirmed => f.write_str("confirmed"),
            Self::Leased => f.write_str("leased"),
            Self::Declined => f.write_str("declined"),
            Self::Blocked(kind) => write!(f, "blocked {kind}"),
            Self::Error(kind) => write!(f, "error {kind}"),
        }
    }
}

impl Status {
    /// The status of a call that ended with the error `kind`.
    pub const fn of_failure(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Declined => Self::Declined,
            ErrorKind::PolicyBlocked | ErrorKind::IrreversibleBlocked => Self::Blocked(kind),
            _ => Self::Error(kind),
        }
    }

    pub(in crate::gate) const fn of_success(approved: ApprovedBy) -> Self {
        match approved {
            ApprovedBy::Rule => Self::Ok,
            ApprovedBy::Person => Self::Confirmed,
            ApprovedBy::Lease => Self::Leased,
        }
    }
}

/// The first line of every result: `[PROGRAM TARGET CLASS STATUS SIZE FLAGS]`.
///
/// `size` is the number of bytes of the text below; it is shown in KB of 1,000 bytes with one decimal.
/// An unknown target is shown as `-`.  `cut`: a part of the result is missing.  `age`: how long ago a result from memory was made.
pub fn header(
    program: &str,
    target: Option<&Target>,
    class: Class,
    status: Status,
    size: usize,
    cut: bool,
    age: Option<Duration>,
) -> String {
    let target = target.map_or_else(|| "-".to_owned(), ToString::to_string);
    let mut flags = String::new();
    if cut {
        flags.push_str(" cut");
    }
    if let Some(age) = age {
        flags = format!("{flags} cached {}", age_words(age));
    }
    format!(
        "[{program} {target} {class} {status} {}{flags}]",
        kilobytes(size)
    )
}

/// An age in its largest unit: `40s`, `12m`, `3h`.
fn age_words(age: Duration) -> String {
    match age.as_secs() {
        s @ 0..=119 => format!("{s}s"),
        s @ 120..=7_199 => format!("{}m", s / 60),
        s => format!("{}h", s / 3_600),
    }
}

/// `bytes` in KB of 1,000 with one decimal, rounded half up: `4.3KB`.
pub fn kilobytes(bytes: usize) -> String {
    let tenths = bytes.saturating_add(50) / 100;
    format!("{}.{}KB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::kilobytes;

    #[test]
    fn a_size_is_thousands_of_bytes_with_one_decimal() {
        for (bytes, label) in [
            (0, "0.0KB"),
            (49, "0.0KB"),
            (50, "0.1KB"),
            (800, "0.8KB"),
            (949, "0.9KB"),
            (999, "1.0KB"),
            (12_400, "12.4KB"),
            (65_536, "65.5KB"),
        ] {
            assert_eq!(kilobytes(bytes), label, "{bytes}");
        }
        assert!(kilobytes(usize::MAX).ends_with("KB"));
    }
}
