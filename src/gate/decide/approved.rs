//! Who let a call run: the policy, a person's key, or a lease.

/// Who let a call run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovedBy {
    /// The policy says that this class runs by itself.
    Rule,
    /// A person pressed the key for exactly this call.
    Person,
    /// A person allowed this leaf on this repository for some minutes.
    Lease,
}

impl ApprovedBy {
    /// The word for it in the record and in the log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Person => "person",
            Self::Lease => "lease",
        }
    }
}
