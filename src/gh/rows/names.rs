//! What a value can name: the column that decides whether the value of a flag, or a positional, can lead gh to another host.
//!
//! gh reads URLs in more places than its help says (2.92.0 and 2.103.3): for `issue close --duplicate-of URL` and `pr create --head URL`,
//! gh asks the URL's host and sends it the token of an enterprise host.  So each row says what its values name, and a URL is refused where
//! the column allows no host.

/// The kind of thing that the values of a flag, or a positional, name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Nothing: the flag takes no value.
    Nothing,
    /// A host: `ghe.example.com`.
    Host,
    /// A repository, `[HOST/]OWNER/REPO` or its URL, or several with commas between them.
    Repository,
    /// An issue, a pull request, a discussion, a gist: a number, `OWNER/REPO#N` or a URL, or several with commas between them.
    Item,
    /// The endpoint of `gh api`: a path, or a full URL.
    Endpoint,
    /// Users, teams or an organization: `octo`, `@me`, `acme/core`.
    Account,
    /// A branch, a tag or a commit: `main`, `OWNER:BRANCH`.
    Ref,
    /// A path on this machine or in a repository.
    File,
    /// A number, a date, one of a fixed set, or a name that the host looks up: `2`, `>=2026-01-01`, `squash`, `bug`.
    Word,
    /// Free text that is sent, searched for or printed as it is; a URL in it is text too.
    Text,
}

impl Names {
    /// Whether gh may take the host of a call from a value of this kind.
    pub const fn has_host(self) -> bool {
        matches!(
            self,
            Self::Host | Self::Repository | Self::Item | Self::Endpoint
        )
    }

    /// What belongs in such a place, in words, where a URL does not; `None` where a URL may stand there.
    pub const fn but_no_url(self) -> Option<&'static str> {
        match self {
            Self::Account => Some("users, teams or an organization"),
            Self::Ref => Some("a branch, a tag or a commit"),
            Self::File => Some("a path"),
            Self::Word => Some("a number or a name"),
            Self::Nothing => Some("no value"),
            Self::Host | Self::Repository | Self::Item | Self::Endpoint | Self::Text => None,
        }
    }
}
