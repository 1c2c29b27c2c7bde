//! The commits of one branch that another branch lacks: how git is asked for them, and what git answered.

use crate::foreign::Foreign;

crate::foreign::debug_by_name!(Range, Commits, Commit);

/// The commits whose messages a call would publish: those of the branch `local` that the base branch lacks.
#[derive(Clone, PartialEq, Eq)]
pub struct Range {
    /// The branch of the checkout.
    pub local: String,
    /// The remote that points to the pull request's repository; `None`: the base is a branch of the checkout.
    pub remote: Option<String>,
    /// The base branch, into which the pull request goes, where the call or the configuration names one.
    pub base: Option<String>,
}

/// What git answered about a [`Range`].
#[derive(Clone, PartialEq, Eq)]
pub struct Commits {
    /// The commits that git was asked for.
    pub range: Range,
    /// The base branch, which lacks these commits.
    pub base: Option<String>,
    log: Result<Foreign<Vec<u8>>, Lack>,
}

/// Why a pull request's title and body cannot be made from commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Nothing names the base branch, into which the pull request goes.
    Base,
    /// git could not list the commits.
    List,
    /// The messages are longer than GitHub lets the text of a pull request be.
    Long,
}

/// A commit's message.
#[derive(Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its first paragraph, on one line.
    pub title: String,
    /// The rest of the message, after the first paragraph.
    pub body: String,
}

impl Range {
    /// The arguments with which git is asked for the base branch: the remote's default branch, as the last clone or `git remote set-head`
    /// recorded it.  `None` where the base is named, or where there is no remote to ask about.
    pub fn ask_base(&self) -> Option<Vec<String>> {
        let remote = self.remote.as_ref().filter(|_| self.base.is_none())?;
        let name = format!("refs/remotes/{remote}/HEAD");
        Some(["symbolic-ref", "-q", &name].map(str::to_owned).into())
    }

    /// The base branch: the named one, else the one in `said`, git's answer to [`Range::ask_base`].
    pub fn base(&self, said: Option<&str>) -> Option<String> {
        if let Some(base) = &self.base {
            return Some(base.clone());
        }
        let prefix = format!("refs/remotes/{}/", self.remote.as_ref()?);
        let base = said?.strip_prefix(&prefix)?;
        is_branch(base).then(|| base.to_owned())
    }

    /// The arguments with which git lists the commits that `base` lacks, newest first, as gh asks for them
    /// (`log --cherry BASE...HEAD`: without merges; the marks of `--cherry` are not in gh's format).
    pub fn ask_log(&self, base: &str) -> Vec<String> {
        let base = match &self.remote {
            Some(remote) => format!("refs/remotes/{remote}/{base}"),
            None => format!("refs/heads/{base}"),
        };
        [
            "log",
            "--no-color",
            "--no-show-signature",
            "--no-ext-diff",
            "--no-textconv",
            "--no-patch",
            "--encoding=UTF-8",
            "--format=tformat:%H%x00%s%x00%b%x00",
            "--right-only",
            "--no-merges",
            &format!("{base}...refs/heads/{}", self.local),
            "--",
        ]
        .map(str::to_owned)
        .into()
    }

    /// The answers to both questions, put together.
    pub fn answered(self, base: Option<String>, log: Result<Vec<u8>, Lack>) -> Commits {
        Commits {
            range: self,
            base,
            log: log.map(Foreign::new),
        }
    }
}

impl Commits {
    /// The commits' messages, newest first; empty where there is no commit.
    ///
    /// # Errors
    /// Why the messages cannot be read.
    pub fn list(&self) -> Result<Vec<Commit>, Lack> {
        let bytes = self.log.as_ref().map_err(|lack| *lack)?;
        let text = String::from_utf8_lossy(bytes.reveal());
        let parts: Vec<&str> = text.split('\0').collect();
        // Each commit is hash, title and body; after the last body comes only the end of the line.
        let commits = parts.chunks_exact(3).map(|commit| Commit {
            title: commit[1].to_owned(),
            body: commit[2].to_owned(),
        });
        Ok(commits.collect())
    }
}

/// Whether git reads `name` as a part of a reference and as nothing else (git-check-ref-format(1)).
pub fn is_branch(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && !name.contains("..")
        && !name.contains("@{")
        && !name
            .chars()
            .any(|c| c.is_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\'))
}
