//! Judges a DNS name: letters, digits, hyphens and underscores, within DNS's lengths, without secrets and smuggled data.

use super::judgement::{Judgement, Verdict};
use super::labels::{labels, plain};
use super::smuggle;
use crate::address::literal::ends_in_a_number;

/// The most characters of a name, as text without the last dot (RFC 1035, section 2.3.4).
const MAX_NAME: usize = 253;
/// The most characters of a label (RFC 1035, section 2.3.4).
const MAX_LABEL: usize = 63;

/// A test that is true for a name with the fault of its row.
type Fits = fn(&str) -> bool;

/// The faults of a name, each with its reason: the first row that fits gives the reason.
const RULES: &[(Fits, &str)] = &[
    (str::is_empty, "There is no name. Give one."),
    (
        |s| s.starts_with(['-', '+', '@']),
        "A name does not begin with a hyphen, a plus or an at sign: a program would take it for an option. Give a plain name.",
    ),
    (
        |s| s.bytes().any(|b| b.is_ascii_control()),
        "There is a control character in the name. Give a plain name.",
    ),
    (
        |s| s.contains(char::is_whitespace),
        "There is a blank in the name. Give one plain name.",
    ),
    (
        |s| !s.is_ascii(),
        "The name has letters outside of ASCII, which can look like others. Give its ASCII form, which begins with xn--.",
    ),
    (
        |s| s.contains('\\'),
        "There is a backslash in the name, DNS's sign for a coded character. Give a plain name.",
    ),
    (
        |s| s.contains("://") || s.contains(['/', ':', '@', '#', '?', '[']),
        "This is a URL, a port, an account or a network, no name. Give the host's name alone.",
    ),
    (
        |s| {
            !s.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.*".contains(&b))
        },
        "A name has letters, digits, hyphens, underscores and dots, nothing else.",
    ),
    (
        |s| s == "." || labels(s).any(str::is_empty),
        "There is an empty part in the name: two dots in a row, or a dot at its start. Give a plain name.",
    ),
    (
        |s| labels(s).any(|l| l.len() > MAX_LABEL),
        "A part of the name is longer than 63 characters.",
    ),
    (
        |s| plain(s).len() > MAX_NAME,
        "The name is longer than 253 characters.",
    ),
    (
        |s| labels(s).any(|l| l.starts_with('-') || l.ends_with('-')),
        "A part of the name begins or ends with a hyphen.",
    ),
    (
        ends_in_a_number,
        "The name ends in a number, so a program would read it as an address in another spelling. Write an address as four plain decimal numbers, and its reverse name with in-addr.arpa.",
    ),
];

/// Judges a name that is to be looked up in DNS.
pub(super) fn judge(text: &str) -> Judgement {
    let owner = text.strip_prefix("*.").unwrap_or(text);
    if owner.contains('*') {
        return Judgement::reject("A `*' can only be the first part of a name.");
    }
    judged(owner)
}

/// Judges a name whose addresses are to be looked up.
pub(super) fn judge_host(text: &str) -> Judgement {
    if text.contains('*') {
        return Judgement::reject("There is a `*' in the name. Give one host's name.");
    }
    judged(text)
}

fn judged(text: &str) -> Judgement {
    if let Some((_, reason)) = RULES.iter().find(|(fits, _)| fits(text)) {
        return Judgement::reject(*reason);
    }
    let found = smuggle::look(text);
    if let Some(secret) = found.secret {
        return Judgement::reject(format!(
            "There is a secret in the name ({secret}), and a look-up would send it out."
        ));
    }
    if found.is_data() {
        return Judgement::new(
            Verdict::Confirm,
            "The name looks like encoded data, which a look-up would send to whoever keeps the domain, so a person is asked.",
            None,
        );
    }
    Judgement::new(Verdict::Allow, "A plain name.", None)
}
