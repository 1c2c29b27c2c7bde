//! Who approved a call: the policy, a person's key, or a lease.

/// Who approved a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovedBy {
    /// The policy lets calls of this class run without a question.
    Rule,
    /// A person pressed the key for exactly this call.
    Person,
    /// A person gave a lease for this command on this repository, for some minutes.
    Lease,
}

impl ApprovedBy {
    /// The name in the record and in the log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Person => "person",
            Self::Lease => "lease",
        }
    }
}
