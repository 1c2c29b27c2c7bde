//! The reasons why an archive is not unpacked.

use crate::gate::decide::kind::{ErrorKind, Refusal};

/// Why an archive is not unpacked, or only in part.  None of its files is kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// The archive has an entry that is refused; with the reason, as the end of a sentence.
    #[error("{0}")]
    Refused(String),
    /// The file is no zip file, or a broken one; with the reason.
    #[error("it is no zip file, or a broken one ({0})")]
    Broken(String),
    /// The download is not what GitHub's list says; with the reason.
    #[error("it is not what GitHub lists ({0})")]
    Differs(String),
    /// A system call failed.
    #[error("{what}: {why}")]
    System {
        /// What was tried, as the beginning of a sentence.
        what: &'static str,
        /// The system's error message.
        why: String,
    },
    /// The directory for downloads cannot be used; with the reason, a sentence without its full stop.
    #[error("{0}")]
    Directory(String),
    /// The call that downloads the archive was ended.
    #[error("{0}")]
    Ended(Refusal),
}

impl ArchiveError {
    pub(super) fn system(what: &'static str) -> impl Fn(nix::Error) -> Self {
        move |why| Self::System {
            what,
            why: why.desc().to_owned(),
        }
    }

    pub(super) fn io(what: &'static str) -> impl Fn(std::io::Error) -> Self {
        move |why| Self::System {
            what,
            why: why.to_string(),
        }
    }

    /// The refusal that ends the call for this error.  `subject` names the archive, as the beginning of a sentence.
    pub fn refusal(self, subject: &str) -> Refusal {
        match self {
            Self::Ended(refusal) => refusal,
            Self::Refused(why) => Refusal::new(
                ErrorKind::PolicyBlocked,
                format!(
                    "{subject} is not taken: {why}.\nNothing of it was kept.  Tell the person, who can look at it in a browser."
                ),
            ),
            Self::Broken(why) => Refusal::new(
                ErrorKind::Failed,
                format!(
                    "{subject} cannot be unpacked: it is no zip file, or a broken one ({why}).\nNothing of it was kept.  Try again once; then tell the person."
                ),
            ),
            Self::Differs(why) => Refusal::new(
                ErrorKind::Failed,
                format!(
                    "{subject} is not what GitHub lists: {why}.\nNothing of it was kept.  Try again once; then tell the person."
                ),
            ),
            Self::Directory(why) => Refusal::new(
                ErrorKind::BadCwd,
                format!("{why}.\nTell the person, who can mend or choose another directory."),
            ),
            Self::System { what, why } => Refusal::new(
                ErrorKind::Failed,
                format!(
                    "{what}: {why}.\nNothing was kept.  Tell the person, who can make room on the disk or mend the directory."
                ),
            ),
        }
    }
}
