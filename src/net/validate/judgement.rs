//! The judgement of an input: a verdict with its reason.

/// What happens with an input, in the order of strictness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The input may be used without asking a person.
    Allow,
    /// A person is asked first.
    Confirm,
    /// The input is refused.
    Reject,
}

impl Verdict {
    /// The word that Lisp and records use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Confirm => "confirm",
            Self::Reject => "reject",
        }
    }
}

/// A verdict with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What happens with the input.
    pub verdict: Verdict,
    /// Why, in a sentence; where another spelling would be taken, a second sentence says which.
    pub reason: String,
    /// The value to pass on in place of the input, in canonical spelling: the one address of a target or server, the network of a
    /// subnet, the list of ports, the type in capitals.  `None` for rejected inputs and for names.
    pub pinned: Option<String>,
}

impl Judgement {
    pub(super) fn new(verdict: Verdict, reason: impl Into<String>, pinned: Option<String>) -> Self {
        Self {
            verdict,
            reason: reason.into(),
            pinned: pinned.filter(|_| verdict != Verdict::Reject),
        }
    }

    pub(super) fn reject(reason: impl Into<String>) -> Self {
        Self::new(Verdict::Reject, reason, None)
    }

    /// The stricter of two judgements; of two equally strict ones, this one.
    fn or_stricter(self, other: Self) -> Self {
        if other.verdict > self.verdict {
            other
        } else {
            self
        }
    }

    /// The stricter of two judgements, with the pinned value of `other`.
    pub(super) fn or_pinned(self, other: Self) -> Self {
        let pinned = other.pinned.clone();
        let stricter = other.or_stricter(self);
        Self::new(stricter.verdict, stricter.reason, pinned)
    }
}
