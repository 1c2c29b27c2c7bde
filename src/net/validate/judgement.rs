//! What is said of an input: a verdict with its reason.

/// What happens with an input.  The order is that of strictness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It may be used without a question.
    Allow,
    /// A person is asked first.
    Confirm,
    /// It is refused.
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
    /// What happens.
    pub verdict: Verdict,
    /// Why, in a sentence; where another spelling would do, a second sentence says which.
    pub reason: String,
    /// What is to be passed on in place of the input, in canonical spelling: the one address of a target or server,
    /// the network of a subnet, the list of ports, the type in capitals.  None for what is rejected, and for names.
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

    /// The stricter of two judgements; of two alike, this one.
    fn or_stricter(self, other: Self) -> Self {
        if other.verdict > self.verdict {
            other
        } else {
            self
        }
    }

    /// Both must hold; what is pinned is the other's.
    pub(super) fn or_pinned(self, other: Self) -> Self {
        let pinned = other.pinned.clone();
        let stricter = other.or_stricter(self);
        Self::new(stricter.verdict, stricter.reason, pinned)
    }
}
