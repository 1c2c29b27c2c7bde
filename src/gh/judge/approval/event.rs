//! How sure it is that a call approves, and what the text of an event says of it.

/// How sure it is that a call approves a pull request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// The call names the event `APPROVE`, or has the flag.
    Certain,
    /// The call could approve; the words follow "it could approve a pull request:".
    Possible(&'static str),
}

impl Approval {
    /// What the call does, as the rest of a sentence that begins with the command: `approves a pull request`.
    pub fn does(self) -> String {
        match self {
            Self::Certain => "approves a pull request".to_owned(),
            Self::Possible(why) => format!("could approve a pull request: {why}"),
        }
    }

    /// The surer one of two findings about the same call.
    fn or(self, other: Self) -> Self {
        if self == Self::Certain { self } else { other }
    }
}

/// Events of a review that do not approve; an empty one leaves the review pending.
const HARMLESS: &[&str] = &["", "comment", "dismiss", "pending", "request_changes"];

/// Whether a review with the event `text` approves, or could.
pub(super) fn of_event(text: &str) -> Option<Approval> {
    let event = text.trim().to_ascii_lowercase();
    match event.as_str() {
        "approve" => Some(Approval::Certain),
        event if HARMLESS.contains(&event) => None,
        _ => Some(Approval::Possible("its event is none of GitHub's")),
    }
}

/// The surest of `found`.
pub(super) fn surest(found: impl Iterator<Item = Approval>) -> Option<Approval> {
    found.reduce(Approval::or)
}
